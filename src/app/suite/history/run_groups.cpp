// The runs of a case by what they ran on, and which moment a word means.
#include <algorithm>
#include <map>

#include "gate/base/natural.h"
#include "gate/base/text.h"
#include "gate/suite/history.h"
#include "suite/history/suite_trend.h"

namespace gate::app {

namespace {

constexpr Duration a_week = std::chrono::hours(24 * 7);

// Of a few weeks, which parse_duration does not know: `4w`.
std::optional<Duration> weeks_in(std::string_view word) {
  constexpr std::int64_t most = 520;
  if (!word.ends_with('w')) return std::nullopt;
  const std::optional<std::int64_t> count = parse_integer(word.substr(0, word.size() - 1));
  return count && *count >= 0 && *count <= most ? std::optional(*count * a_week) : std::nullopt;
}

std::string group_name(const CasePoint& run, RunsBy by) {
  if (by == RunsBy::host) return run.host;
  const auto fact = run.ran_on.find(std::string(to_string(by)));
  return fact == run.ran_on.end() ? "" : fact->second;
}

// What is not told comes last.
struct GroupOrder {
  bool operator()(const std::string& a, const std::string& b) const {
    if (a.empty() || b.empty()) return !a.empty() && b.empty();
    return natural_less(a, b);
  }
};

ValueSpread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  using judge::quantile_of;
  return {values.size(), quantile_of(values, 0.5), quantile_of(values, 0.25), quantile_of(values, 0.75)};
}

// Put the values of the series into the groups of their runs.
void add_spreads(const Trend& trend, const std::vector<std::size_t>& group_of_run,
                 std::vector<RunGroup>& groups) {
  std::vector<std::vector<double>> values(groups.size());
  for (std::size_t i = 0; i < trend.runs.size(); ++i)
    values[group_of_run[trend.runs[i]]].push_back(trend.values[i]);
  for (std::size_t i = 0; i < groups.size(); ++i)
    groups[i].spreads.push_back(spread_of(std::move(values[i])));
}

}  // namespace

std::vector<RunGroup> groups_of(const CaseTrend& trend, RunsBy by) {
  const std::vector<CasePoint>& runs = trend.history.runs;
  std::map<std::string, std::vector<std::size_t>, GroupOrder> by_name;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (is_counted(runs[i])) by_name[group_name(runs[i], by)].push_back(i);
  std::vector<RunGroup> groups;
  std::vector<std::size_t> group_of_run(runs.size());
  for (const auto& [name, members] : by_name) {
    RunGroup group{name, members.size(), 0, 0, {}};
    for (const std::size_t run : members) {
      group_of_run[run] = groups.size();
      if (!was_judged(runs[run])) continue;
      ++group.judged;
      group.green += runs[run].verdict == Verdict::passed ? 1 : 0;
    }
    groups.push_back(std::move(group));
  }
  for (const Trend& one : trend.trends) add_spreads(one, group_of_run, groups);
  return groups;
}

Result<std::string> moment_of(std::string_view word, Moment now) {
  const std::string midnight = std::string(word) + "T00:00:00Z";
  if (parse_iso(midnight)) return midnight;
  if (parse_iso(word)) return std::string(word);
  const std::optional<Duration> ago = parse_duration(word), weeks = weeks_in(word);
  if (ago || weeks) return to_iso(now - (ago ? *ago : *weeks));
  return fail(printable(word, 80) +
              ": it is how long ago, such as 30d, 4w or 12h, or a date such as 2026-11-01");
}

}  // namespace gate::app
