// Verdicts and check statuses with all that depends on them, as tables.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gate {

enum class Verdict : std::uint8_t {
  interrupted,
  skipped,
  not_run,
  regressed,
  infra,
  hung,
  timed_out,
  crashed,
  incomplete,
  unjudged,
  passed,
};

struct VerdictRow {
  Verdict verdict;
  std::string_view name;
  int exit_code;           // of a run in which this is the worst; interrupted is 128 + signal
  std::string_view junit;  // "", skipped, failure or error
  std::string_view doc;
};

// Return all verdicts in the order of product precedence (the first that applies is a case's verdict).
std::span<const VerdictRow> verdicts();
const VerdictRow& row(Verdict verdict);
std::string_view to_string(Verdict verdict);

// Return the exit code in words: `1`, `130 or 143`.
std::string exit_code_text(const VerdictRow& row);
std::optional<Verdict> parse_verdict(std::string_view name);

// The last two are of tests alone: one that could not be run to its end, and one that was not to be run.
enum class CheckStatus : std::uint8_t {
  pass,
  fail,
  missing,
  incomparable,
  undecided,
  waived,
  error,
  skipped
};

// Tell whether it makes no case red.
inline bool lets_pass(CheckStatus status) {
  return status == CheckStatus::pass || status == CheckStatus::waived;
}

std::string_view to_string(CheckStatus status);
std::optional<CheckStatus> parse_check_status(std::string_view name);

// Exit codes of the program.
namespace exit_code {
inline constexpr int ok = 0;
inline constexpr int regressed = 1;
inline constexpr int usage = 2;
inline constexpr int refused = 3;
inline constexpr int failed = 4;
inline constexpr int infra = 125;
}  // namespace exit_code

// Return the one exit code of a run by the precedence 2 > 130/143 > 1 > 4 > 125 > 3 > 0.
int worst_exit_code(std::span<const int> codes);

// Tell whether a case with that verdict was not left out, and is not green.
inline bool is_failure(Verdict verdict) {
  return verdict != Verdict::passed && verdict != Verdict::skipped && verdict != Verdict::not_run;
}

}  // namespace gate
