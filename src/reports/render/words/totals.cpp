#include "render/words/totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "gate/base/natural.h"
#include "gate/base/text.h"
#include "gate/model/numbers/metric.h"
#include "gate/render/reporters.h"
#include "render/words/part_words.h"

namespace gate::render {

namespace {

std::string device_minutes(Duration device_time) {
  const double minutes = std::chrono::duration<double, std::ratio<60>>(device_time).count();
  if (minutes < 0.1) return "less than 0.1 device-minutes";
  return fmt::format("{:.{}f} device-minutes", minutes, minutes < 10 ? 1 : 0);
}

constexpr std::size_t all_named = 20;  // up to here every case is named, above it the first few
constexpr std::size_t few = 10;
constexpr std::size_t most_merged = 4;  // runs

using enum Verdict;
constexpr std::array closing_order{hung,        crashed,   timed_out, infra,   incomplete,  // by how it ended
                                   interrupted, regressed, unjudged,  not_run, passed,     skipped};

std::int64_t count_red(const Report& report) {
  return std::ranges::count_if(report.cases, [](const CaseReport& one) { return is_red(one); });
}

bool gates_speed(const CaseReport& report) {
  return std::ranges::any_of(report.checks, [](const Check& check) {
    const bool gated = check.status == CheckStatus::pass || check.status == CheckStatus::fail;
    return gated && check.kind == MetricKind::speed;
  });
}

void add_count(std::vector<std::string>& parts, std::int64_t count, std::string_view word) {
  if (count > 0) parts.push_back(std::to_string(count) + " " + std::string(word));
}

// What is not finite regressed, too, and has a count of its own.
void add_verdict(std::vector<std::string>& parts, const Report& report, Verdict verdict) {
  const std::int64_t none = std::ranges::count_if(report.cases, [&](const CaseReport& one) {
    return one.verdict == verdict && verdict == regressed && is_red(one) && place_among_red(one) == 1;
  });
  add_count(parts, none, "not finite");
  add_count(parts, report.count(verdict) - none, to_string(verdict));
}

std::string kinds_of_red(const Report& report) {
  std::vector<std::string> parts;
  for (const Verdict verdict : closing_order)
    if (is_red(verdict)) add_verdict(parts, report, verdict);
  return parts.size() > 1 ? "RED: " + join(parts, ", ") : "RED";
}

void add_words(std::vector<std::string>& parts, const std::string& words) {
  if (!words.empty()) parts.push_back(words);
}

bool touches_nothing(const Report& report) {
  return report.cases.empty() && !report.changed_since.empty() && report.missing.empty();
}

// One stage of a case that others judge, or a change that touches no case.
bool judges_nothing(const Report& report) {
  return touches_nothing(report) || (report.only && report.exit_code == exit_code::ok &&
                                     report.count(skipped) == std::ssize(report.cases));
}

std::string nothing_line(const Report& report) {
  if (!touches_nothing(report))
    return "NOTHING JUDGED: stage " + std::string(to_string(*report.only)) + " alone was done (exit 0)";
  return "NOTHING JUDGED: no case " + std::string(report.shard ? "of this shard " : "") + "changed since " +
         report.changed_since + " (exit " + std::to_string(report.exit_code) + ")";
}

// Why a run without a red case does not end with 0, where the report can tell.
std::string why_not_green(const Report& report) {
  if (report.cases.empty()) return report.shard ? "no cases in this shard" : "no cases";
  if (report.count(passed) == 0) return "nothing was judged";
  const bool named = report.exit_code == exit_code::refused && report.count(skipped) > 0;
  return named ? "a case that was asked for was skipped" : "";
}

std::string missing_words(const Report& report) {
  return count_of(std::ssize(report.missing), "shard") + " missing (" + list_of(report.missing) + ")";
}

std::int64_t count_recorded(const Report& report) {
  return std::ranges::count_if(report.cases, [&](const CaseReport& one) { return is_recorded(report, one); });
}

bool waived_pass(const CaseReport& report) {
  return report.verdict == passed && is_waived(report) && !report.quarantine;
}

// The parts name the verdict that is `counted` in words of their own, and it comes first.
std::string line_of(const Report& report, const std::string& title, std::vector<std::string> parts,
                    Verdict counted) {
  for (const Verdict verdict : closing_order)
    if (verdict != counted) add_verdict(parts, report, verdict);
  return title + ": " + join(parts, ", ") + " (exit " + std::to_string(report.exit_code) + ")";
}

}  // namespace

std::vector<const CaseReport*> cases_by_name(const Report& report) {
  std::vector<const CaseReport*> cases;
  for (const CaseReport& one : report.cases) cases.push_back(&one);
  std::ranges::stable_sort(cases, natural_less, &CaseReport::name);
  return cases;
}

std::string list_of(std::span<const std::string> names) {
  if (names.size() <= all_named) return join(names, ", ");
  return join(names.first(few), ", ") + ", ... and " + std::to_string(names.size() - few) + " more";
}

std::string seconds(Duration duration) {
  return fmt::format("{:.3f}", static_cast<double>(duration.count()) / 1e3);
}

std::string short_percent(double percent) {
  return percent == 0 ? "0 %" : fmt::format("{:+.{}f} %", percent, std::fabs(percent) < 0.1 ? 2 : 1);
}

std::string green_since(const CaseReport& one) {
  if (!one.green_until) return "";
  const GreenUntil& green = *one.green_until;
  if (green.run.empty()) return "not green in " + count_of(green.runs_ago, "run") + " before";
  if (green.commits == 0) return "green with this commit in run " + green.run;
  const std::string until = green.commit.empty() ? "run " + green.run : short_commit(green.commit);
  const std::string ago =
      green.commits ? count_of(*green.commits, "commit") : count_of(green.runs_ago, "run");
  return "green until " + until + ", " + ago + " ago";
}

std::string profile_of(const Report& report) {
  for (const CaseReport& one : report.cases)
    if (one.profile != "gate") return one.profile;
  return "";
}

std::string shadow_words(const Report& report) {
  std::vector<std::string> red;
  std::int64_t judged = 0;
  std::string profile;
  for (const CaseReport& one : report.cases) {
    if (!one.shadow) continue;
    ++judged;
    profile = one.shadow->profile;
    if (is_red(one.shadow->verdict)) red.push_back(one.name);
  }
  if (judged == 0) return "";
  return "under profile " + profile + " " + std::to_string(red.size()) + " of " + std::to_string(judged) +
         " would be red" + (red.empty() ? "" : ": " + list_of(red));
}

std::string shadow_words(const CaseReport& one) {
  if (!one.shadow || one.shadow->verdict == one.verdict) return "";
  const std::string reason = one.shadow->reason.empty() ? "" : ", " + one.shadow->reason;
  return "profile " + one.shadow->profile + ": " + std::string(to_string(one.shadow->verdict)) + reason;
}

bool is_red(Verdict verdict) { return verdict != passed && verdict != skipped; }

bool is_red(const CaseReport& report) { return is_red(report.verdict) && !report.quarantine; }

std::ptrdiff_t place_in_counts(Verdict verdict) {
  return std::ranges::find(closing_order, verdict) - closing_order.begin();
}

int place_among_red(const CaseReport& report) {
  if (report.verdict != Verdict::regressed && report.verdict != Verdict::unjudged) return 0;
  const bool has_no_number = std::ranges::any_of(report.checks, [](const Check& check) {
    return check.status == CheckStatus::fail && check.has_no_number();
  });
  return has_no_number ? 1 : report.verdict == Verdict::regressed ? 2 : 3;
}

bool is_waived(const CaseReport& report) {
  return std::ranges::any_of(report.checks,
                             [](const Check& check) { return check.status == CheckStatus::waived; });
}

bool is_recorded(const Report& report, const CaseReport& one) {
  return report.command == "record" && one.verdict == passed && one.artifacts.contains("candidate");
}

std::string totals(const Report& report) {
  const bool recording = report.command == "record";
  const std::int64_t waived = recording ? 0 : std::ranges::count_if(report.cases, waived_pass);
  std::vector<std::string> parts;
  const std::int64_t recorded = count_recorded(report);
  add_count(parts, recorded, "recorded");
  add_count(parts, report.count(passed) - waived - recorded, "passed");
  add_count(parts, waived, "waived");
  add_count(parts, report.count(skipped), "SKIPPED");
  add_words(parts, quarantined_words(report));
  add_count(parts, count_red(report), kinds_of_red(report));
  if (recording) return join(parts, ", ");
  const std::optional<Duration> saved = report.device_time_saved();
  return join(parts, ", ") + "   speed gated in " +
         std::to_string(std::ranges::count_if(report.cases, gates_speed)) +
         (saved ? "   stopped early: " + saved_words(*saved) : "");
}

std::string saved_words(Duration device_time) { return device_minutes(device_time) + " saved"; }

std::string spent_words(const Report& report) {
  const std::optional<Duration> spent = report.device_time();
  return rough(report.duration) + (spent ? ", " + device_minutes(*spent) : "");
}

std::string closing_line(const Report& report) {
  if (judges_nothing(report)) return nothing_line(report);
  if (report.command == "record" && report.count(passed) > 0)
    return line_of(report, "RECORDED", {count_of(count_recorded(report), "candidate")}, passed);
  const std::int64_t red = count_red(report), waived = std::ranges::count_if(report.cases, waived_pass);
  const bool green = red == 0 && report.exit_code == exit_code::ok;
  std::vector<std::string> parts;
  if (!report.missing.empty())
    parts.push_back(missing_words(report));
  else if (const std::string why = why_not_green(report); !green && red == 0 && !why.empty())
    parts.push_back(why);
  for (const Verdict verdict : closing_order) {
    add_verdict(parts, report, verdict);
    if (verdict == passed && waived > 0) parts.back() += " (" + std::to_string(waived) + " of them waived)";
  }
  add_words(parts, quarantined_words(report));
  if (report.policy && !report.policy->findings.empty())
    parts.push_back(count_of(std::ssize(report.policy->findings), "policy finding"));
  const std::string title = !green ? "RED: " : report.rehearsal ? "REHEARSED: " : "GREEN: ";
  return title + join(parts, ", ") + " (exit " + std::to_string(report.exit_code) + ")";
}

std::string plan_line(const Report& report) {
  if (judges_nothing(report)) return nothing_line(report);
  std::vector<std::string> parts;
  add_count(parts, report.count(not_run), "to run");
  return line_of(report, "PLAN", std::move(parts), not_run);
}

std::string header_line(const Report& report) {
  std::vector<std::string> parts{"gate " + report.gate_version};
  const auto add = [&](const std::string& before, const std::string& part) {
    if (!part.empty()) parts.push_back(before + part);
  };
  if (report.command == "check") {
    add("", report.command);
    add("", place_word(report.platform, report.environment));
  } else {
    add("", report.suite);
    add("run ", report.run);
    add("strategy ", report.strategy);
    if (report.shard) add("shard ", to_string(*report.shard));
    if (!report.merged.empty()) add("merged from ", some_of(report.merged, most_merged));
    const std::string place = place_word(report.platform, report.environment);
    const bool both = !report.host.empty() && !place.empty();
    add("", report.host + (both ? ", " : "") + place);
    add("commit ", short_commit(report.commit));
  }
  add("profile ", profile_of(report));
  return join(parts, "  ");
}

}  // namespace gate::render
