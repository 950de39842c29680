#include "extract/messages/message_search.h"

#include <algorithm>
#include <deque>

#include "extract/messages/message_rows.h"
#include "extract/scan/prefix.h"
#include "extract/scan/re2_pattern.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr int most_groups = 3;  // the whole match, and two details

// A line that says itself that it is no error, as loggers and torch's C++ (`[W socket.cpp:601]`) put it.
bool is_mild(std::string_view line) {
  static const RE2 pattern(R"(^.{0,64}\[[WI]\d{0,4} |^(?:.{0,80}[\[ (|>-])?(?:WARNING|INFO|DEBUG)[\]:|) ])"
                           R"(|^.{0,200}Warning: )",
                           pattern_options());
  return RE2::PartialMatch(piece(line), pattern);
}

// That it ends the others, which a launcher calls a warning or less, follows a process that failed.
bool tells_closing(std::string_view line) {
  static const RE2 pattern(R"(\bKilling subprocess \d+\s*$|Sending process \d+ closing signal SIG|)"
                           R"(Main process received (?:SIG\w+|\d+), exiting)",
                           pattern_options());
  return RE2::PartialMatch(piece(line), pattern);
}

// The pattern of a row, compiled when a line first holds its literal. Thread-safe.
const RE2& pattern_of(const MessageRow& row) {
  static const std::deque<LazyRegex> patterns = [] {
    std::deque<LazyRegex> made;
    for (const MessageRow& each : messages()) made.emplace_back(each.pattern);
    return made;
  }();
  return *patterns[static_cast<std::size_t>(&row - messages().data())];
}

bool has_literal(const MessageRow& row, std::string_view line) {
  return std::ranges::any_of(row.literals, [&](std::string_view literal) {
    return !literal.empty() && line.find(literal) != std::string_view::npos;
  });
}

std::optional<FoundMessage> match(const MessageRow& row, std::string_view line) {
  const RE2& pattern = pattern_of(row);
  re2::StringPiece groups[most_groups];
  const int wanted = std::min(pattern.NumberOfCapturingGroups() + 1, most_groups);
  if (!pattern.Match(piece(line), 0, line.size(), RE2::UNANCHORED, groups, wanted)) return std::nullopt;
  FoundMessage found{&row, static_cast<std::size_t>(groups[0].data() - line.data()), row.what.said()};
  const std::string detail = printable(trim(view(groups[1].empty() ? groups[2] : groups[1])), 160);
  if (!detail.empty()) found.what += colon + detail;
  return found;
}

}  // namespace

std::span<const MessageRow> messages() {
  static const std::vector<MessageRow> rows = [] {
    std::vector<MessageRow> all;
    for (const auto& part : {memory_messages, gpu_messages, ascend_messages, collective_messages,
                             system_messages, python_messages, scheduler_messages})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return rows;
}

std::vector<std::string_view> message_literals() {
  std::vector<std::string_view> literals;
  for (const MessageRow& row : messages())
    for (const std::string_view literal : row.literals)
      if (!literal.empty()) literals.push_back(literal);
  return literals;
}

// A statement that words of a log do not look like: `raise X(`, `except X:`, `if "x" in y:`,
// `logger.error("`, `message = f"`, a string with holes, a comment.
bool is_program_text(std::string_view line) {
  static const RE2 pattern(
      R"(\s*(?:raise(?: [\w.]+)?\s*$|(?:raise|throw) [\w.:]+\(|assert .*,|except\b.*:|(?:if|elif|for|while|with|def|)"
      R"(class) .*:\s*(?:#.*)?$|(?:from [\w.]+ )?import [\w., ]+$|return [\w.]*[(\["'{]|#(?: |$|!)|)"
      R"([a-z_][\w.]*\([frb]{0,2}["']|[\w.]+ \+?= ?[frb]{0,2}["'(\[{]|f["'].*\{.*\}.*["']|(?:echo|printf) ["']))",
      pattern_options());
  re2::StringPiece rest = piece(line.substr(parse_prefix(line).end));
  return RE2::Consume(&rest, pattern);
}

// Of torch.distributed.elastic, DeepSpeed, Slurm, Open MPI and Horovod, MPICH, MindSpore, FlagPerf.
bool tells_process_end(std::string_view line) {
  static const RE2 pattern(
      R"(\bChildFailedError\b|failed \(exitcode: -?\d+\) local_rank: |exitcode  : -?[1-9]|)"
      R"(Signal \d+ \(SIG\w+\) received by PID \d|exits with return code = -?[1-9]|)"
      R"(srun: error: \S+: tasks? \S+: [A-Z]|exited on signal \d|a non-zero exit code\. *Per user-direction|)"
      R"(processes exited with non-zero status|BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES|)"
      R"((?:Worker|Scheduler) process \d+ exit with exception|Distributed job exited with exception|)"
      R"(^(?:\S+: ?)?(?:subprocess\.)?CalledProcessError: Command '\[.*\bpython|\w+\.py,\d+\]\s*Run cmd failed)",
      pattern_options());
  return RE2::PartialMatch(piece(line), pattern) || tells_closing(line);
}

bool tells_death(std::string_view line) {
  static const RE2 pattern(
      R"((?:^|: line \d+: +\d+ |srun: error: \S+: tasks? \S+: )(?:Killed|Segmentation fault|Aborted|Bus error|)"
      R"(Illegal instruction|Floating point exception|Trace/breakpoint trap)\b|\(core dumped\)|)"
      R"([Kk]illed by signal:? \d|exit ?code ?(?: )?: -(?:[4-9]|11)\b|return code = -(?:[4-9]|11)\b|)"
      R"(exited on signal (?:[4-9]|11)\b|(?:Signal \d+ \(|terminated with signal )SIG(?:KILL|SEGV|ABRT|BUS|ILL|FPE)|)"
      R"(oom[-_]kill|\bOOM Killed\b|Out of memory: Kill)",
      pattern_options());
  return RE2::PartialMatch(piece(line), pattern);
}

std::optional<FoundMessage> find_message(std::string_view line, std::size_t own) {
  std::optional<FoundMessage> best;
  for (const MessageRow& row : messages()) {
    const bool heavier = !best || row.weight > best->row->weight;
    if (!heavier || row.pattern.empty() || !has_literal(row, line)) continue;
    if (row.repair != Repair::told && is_mild(line) && !tells_closing(line)) continue;
    if (auto found = match(row, line); found && found->begin < own) best = std::move(found);
  }
  return best;
}

}  // namespace gate::extract
