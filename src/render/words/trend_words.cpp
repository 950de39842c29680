#include "render/words/trend_words.h"

#include <fmt/format.h>

#include <cmath>

#include "gate/base/text.h"
#include "gate/model/baseline.h"

namespace gate::render {

namespace {

std::string trend_number(double value) { return fmt::format("{:.6g}", value); }

std::string percent(double share) { return fmt::format("{:+.2g} %", share * 100); }

std::string from_and_to(double from, double to, const std::string& unit) {
  return trend_number(from) + " -> " + value_words(to, unit);
}

std::string place_of_run(const CasePoint& run) {
  const std::string commit = run.commit.empty() ? "" : ", commit " + short_commit(run.commit);
  return "run " + printable(run.run, 60) + " (" + day_of(run.started) + printable(commit, 60) + ")";
}

}  // namespace

std::string day_of(const std::string& started) { return printable(started.substr(0, 10), 20); }

std::string share_words(std::size_t part, std::size_t whole) {
  return std::to_string(part) + " of " + std::to_string(whole);
}

std::string summary_words(const CaseTrend& trend) {
  const CaseHistory& history = trend.history;
  return platform_name(history.platform) + "  " +
         count_of(static_cast<std::int64_t>(history.runs.size()), "run") + " since " +
         day_of(history.runs.front().started) + ", green in " + share_words(trend.green, trend.counted) +
         " judged";
}

std::string flips_words(const CaseTrend& trend) {
  return "the verdict flipped in " + share_words(trend.flips.flips, trend.flips.pairs) +
         " runs that had the commit and baseline of the run before";
}

std::string name_of(const TrendKey& key) {
  std::string name = printable(key.metric, 100);
  if (!key.rule.empty() && key.rule != key.metric) name += " (rule " + printable(key.rule, 100) + ")";
  if (key.rank) name += "  rank " + std::to_string(*key.rank);
  const bool each = key.reduce.empty() || key.reduce == "each";
  return name + "  " + (each ? "mean" : printable(key.reduce, 40)) + " of " + printable(key.window, 40);
}

std::string value_words(double value, const std::string& unit) {
  return trend_number(value) + (unit.empty() ? "" : " " + printable(unit, 40));
}

std::string moved_words(const Change& change) {
  const auto share = change.share();
  return share ? percent(*share) : trend_number(change.before) + " -> " + trend_number(change.after);
}

std::string change_words(const Change& change, const CasePoint& run, const std::string& unit) {
  const std::string share = change.share() ? percent(*change.share()) + " " : "";
  return share + "since " + place_of_run(run) + ": " + from_and_to(change.before, change.after, unit) +
         fmt::format("; Pettitt p {:.1g}", change.chance);
}

std::string baseline_words(const Trend& trend) {
  if (trend.baselines < 2 || !trend.first_baseline || !trend.baseline) return "";
  const double first = *trend.first_baseline, now = *trend.baseline;
  const std::string share = first == 0 ? "" : " " + percent((now - first) / std::abs(first));
  return "baseline" + share + " since the first of " + std::to_string(trend.baselines) + ": " +
         from_and_to(first, now, trend.key.unit);
}

}  // namespace gate::render
