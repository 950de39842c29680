#include "render/text/history_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gate/base/text.h"
#include "gate/model/baseline.h"
#include "gate/render/history.h"
#include "render/words/downsample.h"

namespace gate::render {

namespace {

std::string trend_number(double value) { return fmt::format("{:.6g}", value); }

std::string percent(double share) { return fmt::format("{:+.2g} %", share * 100); }

// Return the value with six significant digits and its unit.
std::string value_words(double value, const std::string& unit) {
  return trend_number(value) + (unit.empty() ? "" : " " + printable(unit, 40));
}

// Return the day of a moment in ISO 8601.
std::string day_of(const std::string& started) { return printable(started.substr(0, 10), 20); }

// Return `3 of 10`.
std::string share_words(std::size_t part, std::size_t whole) {
  return std::to_string(part) + " of " + std::to_string(whole);
}

std::string from_and_to(double from, double to, const std::string& unit) {
  return trend_number(from) + " -> " + value_words(to, unit);
}

constexpr std::size_t sparkline_width = 24;
constexpr std::size_t shown_runs = 10;
constexpr std::size_t shown_hosts = 5;
constexpr std::size_t shown_tests = 40;

// The trend that moved most at its latest change.
const Trend* most_moved(const CaseTrend& trend) {
  const Trend* most = nullptr;
  const auto size = [](const Trend& one) {
    return one.changes.empty() ? 0.0 : std::abs(one.changes.back().share().value_or(1));
  };
  for (const Trend& one : trend.trends)
    if (!one.changes.empty() && (most == nullptr || size(one) > size(*most))) most = &one;
  return most;
}

std::string change_in_short(const CaseTrend& trend) {
  const Trend* most = most_moved(trend);
  if (most == nullptr) return "-";
  const Change& change = most->changes.back();
  return most->key.metric + " " + moved_words(change) + " since " +
         day_of(trend.history.runs[most->runs[change.at]].started);
}

// The hosts tell where to look if verdicts flip.
std::string flip_lines(const CaseTrend& trend) {
  if (trend.flips.flips == 0) return "";
  std::string out = "  flaky  " + flips_words(trend) + "\n";
  std::vector<HostCount> hosts = trend.hosts;
  std::ranges::stable_sort(hosts, std::ranges::greater{}, &HostCount::red);
  for (std::size_t i = 0; i < hosts.size() && i < shown_hosts; ++i)
    out += "         " + printable(hosts[i].host, 60) + "  red in " +
           share_words(hosts[i].red, hosts[i].runs) + "\n";
  return out;
}

std::string series_lines(const CaseTrend& trend, const Trend& one) {
  std::string out = "  " + sparkline(one.values, sparkline_width) + "  " + name_of(one.key) + "  " +
                    value_words(one.values.back(), one.key.unit) + "\n";
  for (const Change& change : one.changes)
    out += "    " + change_words(change, trend.history.runs[one.runs[change.at]], one.key.unit) + "\n";
  if (const std::string words = baseline_words(one); !words.empty()) out += "    " + words + "\n";
  return out;
}

std::string test_line(const CaseTrend& trend, const TestTrend& test) {
  const CasePoint& run = trend.history.runs[test.since];
  const std::string_view now = test.status == CheckStatus::fail    ? "fails"
                               : test.status == CheckStatus::error ? "cannot be run"
                               : test.status == CheckStatus::pass  ? "passes"
                                                                   : "is skipped";
  const std::string commit = run.commit.empty() ? "" : ", commit " + short_commit(run.commit);
  return printable(test.name) + "  " + std::string(now) + " since run " + printable(run.run, 60) + " (" +
         day_of(run.started) + printable(commit, 60) + "), red in " + share_words(test.red, test.runs);
}

std::string runs_table(const std::vector<CasePoint>& runs, const Style& style) {
  TextRows rows{{"run", "started", "commit", "host", "verdict", "took"}};
  for (std::size_t i = runs.size() - std::min(runs.size(), shown_runs); i < runs.size(); ++i) {
    const CasePoint& run = runs[i];
    rows.push_back({run.run + (run.altered ? "*" : ""), run.started, short_commit(run.commit), run.host,
                    std::string(to_string(run.verdict)) + (run.command == "record" ? " (record)" : ""),
                    rough(run.duration)});
  }
  const bool altered = std::ranges::any_of(runs, &CasePoint::altered);
  return table(rows, style) + (altered ? "* with ARGS or --set: no part of the trend\n" : "");
}

}  // namespace

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

std::string moved_words(const Change& change) {
  const auto share = change.share();
  return share ? percent(*share) : trend_number(change.before) + " -> " + trend_number(change.after);
}

std::string change_words(const Change& change, const CasePoint& run, const std::string& unit) {
  const std::string share = change.share() ? percent(*change.share()) + " " : "";
  const std::string commit = run.commit.empty() ? "" : ", commit " + short_commit(run.commit);
  return share + "since run " + printable(run.run, 60) + " (" + day_of(run.started) + printable(commit, 60) +
         "): " + from_and_to(change.before, change.after, unit) +
         fmt::format("; Pettitt p {:.1g}", change.chance);
}

std::string baseline_words(const Trend& trend) {
  if (trend.baselines < 2 || !trend.first_baseline || !trend.baseline) return "";
  const double first = *trend.first_baseline, now = *trend.baseline;
  const std::string share = first == 0 ? "" : " " + percent((now - first) / std::abs(first));
  return "baseline" + share + " since the first of " + std::to_string(trend.baselines) + ": " +
         from_and_to(first, now, trend.key.unit);
}

std::vector<std::string> test_words(const CaseTrend& trend) {
  std::vector<std::string> lines;
  for (const bool fails : {true, false})
    for (const TestTrend& test : trend.tests) {
      const bool is_red = test.status == CheckStatus::fail || test.status == CheckStatus::error;
      if (test.red > 0 && is_red == fails) lines.push_back(test_line(trend, test));
    }
  if (lines.size() <= shown_tests) return lines;
  const std::size_t more = lines.size() - shown_tests;
  lines.resize(shown_tests);
  lines.push_back("and " + std::to_string(more) + " more tests that fail or failed");
  return lines;
}

std::string history_table(const std::vector<CaseTrend>& trends, const Style& style) {
  TextRows rows{{"case", "platform", "runs", "green", "flips", "latest", "last change"}};
  for (const CaseTrend& trend : trends) {
    const CaseHistory& history = trend.history;
    if (history.runs.empty()) continue;
    rows.push_back({history.name, platform_name(history.platform), std::to_string(history.runs.size()),
                    share_words(trend.green, trend.counted),
                    share_words(trend.flips.flips, trend.flips.pairs),
                    std::string(to_string(history.runs.back().verdict)), change_in_short(trend)});
  }
  return table(rows, style);
}

std::string history_text(const CaseTrend& trend, const Style& style) {
  std::string out =
      printable(trend.history.name, 200) + "  " + summary_words(trend) + "\n" + flip_lines(trend);
  for (const Trend& one : trend.trends) out += series_lines(trend, one);
  for (const std::string& line : test_words(trend)) out += "  " + line + "\n";
  return out + "\n" + runs_table(trend.history.runs, style);
}

}  // namespace gate::render
