#include "judge/verdict.h"

#include <algorithm>
#include <csignal>
#include <map>
#include <set>
#include <string_view>

#include "gate/base/text.h"

namespace gate::judge {

namespace {

// `CUDA out of memory (log.txt:57)`
Sentence named(const KnownMessage& cause) {
  const std::string file = cause.file.substr(cause.file.rfind('/') + 1);
  return cause.what + as_is(file.empty() ? "" : " (" + file + ":" + std::to_string(cause.line) + ")");
}

// The last step of a file, and the line that told it first.
struct LastStep {
  std::int64_t number = -1;
  std::uint32_t line = 0;
};

std::map<std::string_view, LastStep> last_steps_of(const Extraction& run) {
  std::map<std::string_view, LastStep> last_steps;
  for (const Series& series : run.series) {
    if (series.numbered() != Numbering::step) continue;
    for (const Sample& sample : series.samples()) {
      if (sample.line == 0 || sample.file >= run.files.size())
        continue;  // gate's own clocks stand on no line
      LastStep& last = last_steps[run.files[sample.file]];
      if (sample.number > last.number) last = {sample.number, sample.line};
      if (sample.number == last.number) last.line = std::min(last.line, sample.line);
    }
  }
  return last_steps;
}

// Return the heaviest of such messages, and of these the first.
template <class IsMeant>
const KnownMessage* heaviest(const std::vector<KnownMessage>& messages, const IsMeant& is_meant) {
  const KnownMessage* found = nullptr;
  for (const KnownMessage& message : messages)
    if (is_meant(message) && (found == nullptr || message.weight > found->weight)) found = &message;
  return found;
}

// Tell whether the training printed further steps behind it, more than ranks print that still wait for the
// one that failed. No process survives a signal, and where a starter goes on with the others, none an
// exception either, once its training has begun: only what is printed before may be handled, as of optional
// imports.
bool is_survived(const JudgeInput& input, const KnownMessage& message) {
  constexpr std::size_t steps_of_survivors = 3;
  const Extraction& run = input.run;
  if (message.is_death) return false;
  std::set<std::int64_t> behind;
  for (const Series& series : run.series) {
    if (series.numbered() != Numbering::step) continue;
    for (const Sample& sample : series.samples()) {
      if (sample.line == 0 || sample.file >= run.files.size() || run.files[sample.file] != message.last_file)
        continue;
      if (sample.line > message.last_line) behind.insert(sample.number);
      if (input.outlives_ranks && sample.line < message.last_line) return false;
    }
  }
  return behind.size() >= steps_of_survivors;
}

bool went_on(const Extraction& run) {
  return run.attempts.size() + run.attempts_counted > 1 || run.further_starts > 0;
}

bool is_of_last(const Extraction& run, const KnownMessage& message) {
  if (run.attempts.empty()) return true;
  const Attempt& last = run.attempts.back();
  return message.last_file != last.file || message.last_line >= last.first_line;
}

}  // namespace

const KnownMessage* failure_cause(const JudgeInput& input) {
  const KnownMessage* cause = choose_cause(input.run.messages);
  if (cause == nullptr || !input.outcome) return cause;
  if (was_stopped(*input.outcome)) return nullptr;
  const bool took_too_long =
      std::holds_alternative<Hung>(*input.outcome) || std::holds_alternative<TimedOut>(*input.outcome);
  return took_too_long && cause->weight == MessageWeight::hint ? nullptr : cause;
}

Sentence explain_failure(const Outcome& ending, const KnownMessage* cause) {
  const Sentence ended = text(ending);
  if (cause != nullptr) return ended + colon + named(*cause);
  const Sentence sender = say({"usually by the kernel, out of host memory (see dmesg)",
                               "通常是主机内存不足，被内核杀死（可用 dmesg 确认）"});
  const Killed* killed = std::get_if<Killed>(&ending);
  if (killed != nullptr && killed->signal == SIGKILL)
    return say({"{}, not by gate: {}", "{}（不是 gate 发出的）：{}"}, ended, sender);
  const Exited* exited = std::get_if<Exited>(&ending);
  if (exited == nullptr || exited->code != 128 + SIGKILL) return ended;
  return say({"{}: a process was killed by SIGKILL, {}", "{}：一个进程被 SIGKILL 杀死，{}"}, ended, sender);
}

Sentence beside(const Sentence& reason, const KnownMessage* cause) {
  return cause == nullptr ? reason : say({"{}; the log says: {}", "{}；日志说：{}"}, reason, named(*cause));
}

const KnownMessage* said_last(const Extraction& run) {
  const std::map<std::string_view, LastStep> last_steps = last_steps_of(run);
  const auto is_behind = [&](const std::string& file, std::uint32_t line) {
    const auto last = last_steps.find(file);
    return last == last_steps.end() || line > last->second.line;
  };
  return heaviest(run.messages, [&](const KnownMessage& message) {
    return message.name != own_error_name &&
           (is_behind(message.file, message.line) || is_behind(message.last_file, message.last_line));
  });
}

const KnownMessage* fatal_message(const JudgeInput& input) {
  const Extraction& run = input.run;
  return heaviest(run.messages, [&](const KnownMessage& message) {
    const bool is_own = message.is_death && input.has_fault;
    return (message.is_death || message.weight != MessageWeight::hint) && !is_own &&
           !message.is_passed_over && (!went_on(run) || is_of_last(run, message)) &&
           !is_survived(input, message);
  });
}

const KnownMessage* failure_between_attempts(const Extraction& run) {
  if (run.attempts.size() < 2) return nullptr;
  const Attempt &first = run.attempts.front(), &last = run.attempts.back();
  return heaviest(run.messages, [&](const KnownMessage& message) {
    return message.weight != MessageWeight::hint && !message.is_passed_over && message.file == last.file &&
           message.line < last.first_line && (first.file != last.file || message.line > first.first_line);
  });
}

const KnownMessage* told_to_end(const Extraction& run) {
  return heaviest(run.messages,
                  [&](const KnownMessage& message) { return message.is_order && is_of_last(run, message); });
}

const ProcessEnd* failed_process(const Extraction& run) {
  const std::map<std::string_view, LastStep> last_steps = last_steps_of(run);
  const auto is_last = [&](const ProcessEnd& end) {
    const auto last = last_steps.find(end.file);
    if (std::ranges::any_of(run.attempts, [&](const Attempt& one) {
          return one.file == end.file && one.last_line > end.line;
        }))
      return false;
    return last == last_steps.end() ? !went_on(run) : end.line > last->second.line;
  };
  const auto found = std::ranges::find_if(run.process_ends, is_last);
  return found == run.process_ends.end() ? nullptr : &*found;
}

std::vector<Problem> as_problems(const std::vector<KnownMessage>& messages) {
  std::vector<Problem> problems;
  for (const KnownMessage& message : messages) {
    const std::string times = message.count > 1 ? " (" + count_of(message.count, "time") + ")" : "";
    problems.push_back({ProblemKind::message, message.file, message.line, message.text + times});
  }
  return problems;
}

}  // namespace gate::judge
