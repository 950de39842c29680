#include "gate/model/runs/outcome.h"

#include <array>
#include <csignal>
#include <string_view>
#include <utility>

namespace gate {

namespace {

struct OutcomeText {
  std::string operator()(const NotStarted& x) const { return "not started: " + x.why; }
  std::string operator()(const ScriptChanged& x) const { return "not started: " + x.why; }
  std::string operator()(const Exited& x) const { return "exited " + std::to_string(x.code); }
  std::string operator()(const Killed& x) const { return "killed by " + signal_name(x.signal); }
  std::string operator()(const TimedOut& x) const { return "timed out after " + to_string(x.limit); }
  std::string operator()(const Hung& x) const {
    return "hung during " + x.during + ": silent " + rough(x.silent) + ", limit " + to_string(x.limit);
  }
  std::string operator()(const StoppedEarly& x) const { return "stopped early: " + x.reason; }
  std::string operator()(const Interrupted& x) const {
    return x.by.empty() ? "interrupted by " + signal_name(x.signal) : "stopped by " + x.by;
  }
  std::string operator()(const Vanished& x) const { return "vanished: " + x.why; }
  std::string operator()(const PastDeadline& x) const {
    return "stopped: the run's deadline of " + to_string(x.limit) + " was up";
  }
  std::string operator()(const GateFailed& x) const { return "stopped, gate could not go on: " + x.why; }
};

struct Kind {
  std::string operator()(const NotStarted&) const { return "not_started"; }
  std::string operator()(const ScriptChanged&) const { return "script_changed"; }
  std::string operator()(const Exited&) const { return "exited"; }
  std::string operator()(const Killed&) const { return "killed"; }
  std::string operator()(const TimedOut&) const { return "timed_out"; }
  std::string operator()(const Hung&) const { return "hung"; }
  std::string operator()(const StoppedEarly&) const { return "stopped_early"; }
  std::string operator()(const Interrupted&) const { return "interrupted"; }
  std::string operator()(const Vanished&) const { return "vanished"; }
  std::string operator()(const PastDeadline&) const { return "past_deadline"; }
  std::string operator()(const GateFailed&) const { return "gate_failed"; }
};

constexpr std::array<std::pair<int, std::string_view>, 17> signals{{{SIGHUP, "SIGHUP"},
                                                                    {SIGINT, "SIGINT"},
                                                                    {SIGQUIT, "SIGQUIT"},
                                                                    {SIGILL, "SIGILL"},
                                                                    {SIGTRAP, "SIGTRAP"},
                                                                    {SIGABRT, "SIGABRT"},
                                                                    {SIGBUS, "SIGBUS"},
                                                                    {SIGFPE, "SIGFPE"},
                                                                    {SIGKILL, "SIGKILL"},
                                                                    {SIGUSR1, "SIGUSR1"},
                                                                    {SIGSEGV, "SIGSEGV"},
                                                                    {SIGUSR2, "SIGUSR2"},
                                                                    {SIGPIPE, "SIGPIPE"},
                                                                    {SIGALRM, "SIGALRM"},
                                                                    {SIGTERM, "SIGTERM"},
                                                                    {SIGXCPU, "SIGXCPU"},
                                                                    {SIGXFSZ, "SIGXFSZ"}}};

}  // namespace

std::string to_string(const Outcome& outcome) { return std::visit(OutcomeText{}, outcome); }
std::string kind_of(const Outcome& outcome) { return std::visit(Kind{}, outcome); }

std::string signal_name(int signal) {
  for (const auto& [number, name] : signals)
    if (number == signal) return std::string(name);
  return "signal " + std::to_string(signal);
}

bool was_launched(const Outcome& outcome) {
  return !std::holds_alternative<NotStarted>(outcome) && !std::holds_alternative<ScriptChanged>(outcome);
}

bool ended_well(const Outcome& outcome) {
  const Exited* exited = std::get_if<Exited>(&outcome);
  return exited != nullptr && exited->code == 0;
}

bool was_stopped(const Outcome& outcome) {
  return std::holds_alternative<Interrupted>(outcome) || std::holds_alternative<StoppedEarly>(outcome) ||
         std::holds_alternative<PastDeadline>(outcome) || std::holds_alternative<GateFailed>(outcome);
}

}  // namespace gate
