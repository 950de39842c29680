#include "gate/model/rules/verdict.h"

#include <algorithm>
#include <array>

namespace gate {

namespace {

constexpr std::array<VerdictRow, 11> verdict_table{{
    {Verdict::interrupted, "interrupted", 143, "error", "a person or CI stopped gate"},
    {Verdict::skipped, "skipped", 0, "skipped", "its platform is not that of the run"},
    {Verdict::not_run, "not_run", 3, "error",
     "deadline, max-failures, gate died, its script changed, or a case in `after` did not pass"},
    {Verdict::regressed, "regressed", 1, "failure", "a check failed, and the script did not fail"},
    {Verdict::infra, "infra", 125, "error",
     "host, device, transport, scheduler or gate's own resources failed"},
    {Verdict::hung, "hung", 4, "error", "the script made no progress"},
    {Verdict::timed_out, "timed_out", 4, "error", "the script took longer than its time limit"},
    {Verdict::crashed, "crashed", 4, "error", "the script failed"},
    {Verdict::incomplete, "incomplete", 4, "error", "steps of its baseline are missing"},
    {Verdict::unjudged, "unjudged", 3, "error",
     "no baseline, nothing comparable, or its file or its baseline cannot be read"},
    {Verdict::passed, "passed", 0, "",
     "the script ended well, every check passed, at least one value was compared"},
}};

constexpr std::array status_names{"pass",      "fail",   "missing", "incomparable",
                                  "undecided", "waived", "error",   "skipped"};

// 2 > 130/143 > 1 > 4 > 125 > 3 > 0
int rank(int code) {
  switch (code) {
    case 0:
      return 0;
    case exit_code::refused:
      return 1;
    case exit_code::infra:
      return 2;
    case exit_code::failed:
      return 3;
    case exit_code::regressed:
      return 4;
    case exit_code::usage:
      return 6;
    default:
      return 5;
  }
}

}  // namespace

std::span<const VerdictRow> verdicts() { return verdict_table; }

const VerdictRow& row(Verdict verdict) { return verdict_table.at(static_cast<std::size_t>(verdict)); }

std::string exit_code_text(const VerdictRow& row) {
  return row.verdict == Verdict::interrupted ? "130 or 143" : std::to_string(row.exit_code);
}

std::string_view to_string(Verdict verdict) { return row(verdict).name; }

std::optional<Verdict> parse_verdict(std::string_view name) {
  const auto it = std::find_if(verdict_table.begin(), verdict_table.end(),
                               [&](const VerdictRow& r) { return r.name == name; });
  return it == verdict_table.end() ? std::nullopt : std::optional(it->verdict);
}

std::string_view to_string(CheckStatus status) { return status_names.at(static_cast<std::size_t>(status)); }

std::optional<CheckStatus> parse_check_status(std::string_view name) {
  for (std::size_t i = 0; i < status_names.size(); ++i)
    if (status_names[i] == name) return static_cast<CheckStatus>(i);
  return std::nullopt;
}

int worst_exit_code(std::span<const int> codes) {
  int worst = 0;
  for (const int code : codes)
    if (rank(code) > rank(worst)) worst = code;
  return worst;
}

}  // namespace gate
