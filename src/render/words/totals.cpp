#include "render/words/totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "gate/base/text.h"
#include "gate/model/metric.h"
#include "gate/render/reporters.h"
#include "render/words/shadow.h"

namespace gate::render {

namespace {

using enum Verdict;
constexpr std::array closing_order{interrupted, regressed, hung,    timed_out, crashed, incomplete,
                                   infra,       unjudged,  not_run, passed,    skipped};

template <typename Test>
std::int64_t count_cases(const Report& report, Test test) {
  return std::count_if(report.cases.begin(), report.cases.end(), test);
}

std::int64_t count_red(const Report& report) {
  return count_cases(report, [](const CaseReport& of) { return is_red(of); });
}

bool gates_speed(const CaseReport& report) {
  return std::any_of(report.checks.begin(), report.checks.end(), [](const Check& check) {
    const bool gated = check.status == CheckStatus::pass || check.status == CheckStatus::fail;
    return gated && check.kind == MetricKind::speed;
  });
}

void add_count(std::vector<std::string>& parts, std::int64_t count, std::string_view word) {
  if (count > 0) parts.push_back(std::to_string(count) + " " + std::string(word));
}

std::string waived_words(std::int64_t count) {
  return count == 0 ? "" : " (" + std::to_string(count) + " of them waived)";
}

// Why a run without a red case does not end with 0, where the report can tell.
std::string why_not_green(const Report& report) {
  if (report.cases.empty()) return "no cases";
  if (report.count(passed) == 0) return "nothing was judged";
  const bool named = report.exit_code == exit_code::refused && report.count(skipped) > 0;
  return named ? "a case that was asked for was skipped" : "";
}

std::string saved_in_all(const Report& report) {
  const std::optional<Duration> saved = report.device_time_saved();
  return saved ? "   stopped early: " + saved_words(*saved) : "";
}

bool waived_pass(const CaseReport& report) { return report.verdict == passed && is_waived(report); }

std::string totals_of_recording(const Report& report) {
  std::vector<std::string> parts;
  add_count(parts, report.count(passed), "recorded");
  add_count(parts, report.count(skipped), "SKIPPED");
  add_count(parts, count_red(report), "RED");
  return join(parts, ", ");
}

// What was recorded comes first: nothing was judged.
std::string recorded_line(const Report& report) {
  std::vector<std::string> parts{count_of(report.count(passed), "candidate")};
  for (const Verdict verdict : closing_order)
    if (verdict != passed) add_count(parts, report.count(verdict), to_string(verdict));
  return "RECORDED: " + join(parts, ", ") + " (exit " + std::to_string(report.exit_code) + ")";
}

}  // namespace

bool is_red(Verdict verdict) { return verdict != passed && verdict != skipped; }

bool is_red(const CaseReport& report) { return is_red(report.verdict); }

bool is_waived(const CaseReport& report) {
  return std::any_of(report.checks.begin(), report.checks.end(),
                     [](const Check& check) { return check.status == CheckStatus::waived; });
}

std::string totals(const Report& report) {
  if (report.command == "record") return totals_of_recording(report);
  const std::int64_t waived = count_cases(report, waived_pass);
  std::vector<std::string> parts;
  add_count(parts, report.count(passed) - waived, "passed");
  add_count(parts, waived, "waived");
  add_count(parts, report.count(skipped), "SKIPPED");
  add_count(parts, count_red(report), "RED");
  const std::int64_t with_speed = count_cases(report, gates_speed);
  return join(parts, ", ") + "   speed gated in " + std::to_string(with_speed) + saved_in_all(report);
}

std::string device_minutes(Duration device_time) {
  const double minutes = std::chrono::duration<double, std::ratio<60>>(device_time).count();
  if (minutes < 0.1) return "less than 0.1 device-minutes";
  return fmt::format("{:.{}f} device-minutes", minutes, minutes < 10 ? 1 : 0);
}

std::string saved_words(Duration device_time) { return device_minutes(device_time) + " saved"; }

std::string spent_words(const Report& report) {
  const std::optional<Duration> spent = report.device_time();
  return rough(report.duration) + (spent ? ", " + device_minutes(*spent) : "");
}

std::string closing_line(const Report& report) {
  if (report.command == "record" && report.count(passed) > 0) return recorded_line(report);
  const std::int64_t red = count_red(report);
  const bool green = red == 0 && report.exit_code == exit_code::ok;
  std::vector<std::string> parts;
  if (const std::string why = why_not_green(report); !green && red == 0 && !why.empty()) parts.push_back(why);
  for (const Verdict verdict : closing_order) {
    add_count(parts, report.count(verdict), to_string(verdict));
    if (verdict == passed && report.count(passed) > 0)
      parts.back() += waived_words(count_cases(report, waived_pass));
  }
  const std::string code = " (exit " + std::to_string(report.exit_code) + ")";
  return (green ? "GREEN: " : "RED: ") + join(parts, ", ") + code;
}

std::string plan_line(const Report& report) {
  std::vector<std::string> parts;
  add_count(parts, report.count(not_run), "to run");
  for (const Verdict verdict : closing_order)
    if (verdict != not_run) add_count(parts, report.count(verdict), to_string(verdict));
  return "PLAN: " + join(parts, ", ") + " (exit " + std::to_string(report.exit_code) + ")";
}

std::string header_line(const Report& report) {
  std::vector<std::string> parts{"gate " + report.gate_version};
  const auto add = [&](const std::string& before, const std::string& part) {
    if (!part.empty()) parts.push_back(before + part);
  };
  if (report.command == "check") {
    add("", report.command);
    add("", report.platform);
    add("profile ", profile_of(report));
    return join(parts, "  ");
  }
  add("", report.suite);
  add("run ", report.run);
  const bool both = !report.host.empty() && !report.platform.empty();
  add("", report.host + (both ? ", " : "") + report.platform);
  add("commit ", short_commit(report.commit));
  add("profile ", profile_of(report));
  return join(parts, "  ");
}

}  // namespace gate::render
