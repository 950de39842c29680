#include "gate/model/runs/outcome.h"

#include <array>
#include <csignal>
#include <string_view>
#include <utility>

namespace gate {

namespace {

Sentence during_text(const std::string& during) {
  if (during == "startup") return say({"startup", "启动"});
  if (during == "shutdown") return say({"shutdown", "收尾"});
  return during == "training" ? say({"training", "训练"}) : as_is(during);
}

struct OutcomeText {
  Sentence operator()(const NotStarted& x) const { return say({"not started: {}", "未启动：{}"}, x.why); }
  Sentence operator()(const ScriptChanged& x) const { return say({"not started: {}", "未启动：{}"}, x.why); }
  Sentence operator()(const Exited& x) const { return say({"exited {}", "退出码 {}"}, x.code); }
  Sentence operator()(const Killed& x) const {
    return say({"killed by {}", "被 {} 杀死"}, signal_name(x.signal));
  }
  Sentence operator()(const TimedOut& x) const {
    return say({"timed out after {}", "运行满 {}，超时"}, to_string(x.limit));
  }
  Sentence operator()(const Hung& x) const {
    return say({"hung during {}: silent {}, limit {}", "在{}期间卡死：{} 没有新的一步，时限 {}"},
               during_text(x.during), rough(x.silent), to_string(x.limit));
  }
  Sentence operator()(const StoppedEarly& x) const {
    return say({"stopped early: {}", "提前停止：{}"}, x.reason);
  }
  Sentence operator()(const Interrupted& x) const {
    if (!x.by.empty()) return say({"stopped by {}", "被 {} 停止"}, x.by);
    return say({"interrupted by {}", "被 {} 中断"}, signal_name(x.signal));
  }
  Sentence operator()(const Vanished& x) const { return say({"vanished: {}", "失去踪迹：{}"}, x.why); }
  Sentence operator()(const PastDeadline& x) const {
    return say({"stopped: the run's deadline of {} was up", "已停止：运行的期限 {} 已到"},
               to_string(x.limit));
  }
  Sentence operator()(const GateFailed& x) const {
    return say({"stopped, gate could not go on: {}", "已停止，gate 无法继续：{}"}, x.why);
  }
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

Sentence text(const Outcome& outcome) { return std::visit(OutcomeText{}, outcome); }
std::string kind_of(const Outcome& outcome) { return std::visit(Kind{}, outcome); }

Sentence why_of(const Outcome& outcome) {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.why; }) return one.why;
        if constexpr (requires { one.reason; }) return one.reason;
        return Sentence();
      },
      outcome);
}

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
