#include "gate/render/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gate/base/text.h"
#include "gate/render/sparkline.h"
#include "render/words/trend_words.h"

namespace gate::render {

namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t sparkline_width = 24;
constexpr std::size_t shown_runs = 10;
constexpr std::size_t shown_hosts = 5;

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

// Where verdicts flip, the hosts tell where to look.
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

std::string runs_table(const std::vector<CasePoint>& runs, const Style& style) {
  Rows rows{{"run", "started", "commit", "host", "verdict", "took"}};
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

std::string history_table(const std::vector<CaseTrend>& trends, const Style& style) {
  Rows rows{{"case", "platform", "runs", "green", "flips", "latest", "last change"}};
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
  return out + "\n" + runs_table(trend.history.runs, style);
}

}  // namespace gate::render
