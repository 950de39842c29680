// The runs of a case by host, device or image, in a table.
#include <fmt/format.h>

#include "gate/base/text.h"
#include "gate/render/history.h"
#include "render/text/history_text.h"
#include "render/words/text_page.h"

namespace gate::render {

namespace {

Sentence group_head(RunsBy by) {
  if (by == RunsBy::host) return say({"host", "主机"});
  return by == RunsBy::device ? say({"device", "设备"}) : say({"image", "镜像"});
}

// Return `311.5 (310.9..312)`.
std::string spread_words(const ValueSpread& spread) {
  if (spread.values == 0) return "-";
  if (spread.values == 1) return fmt::format("{:.5g}", spread.median);
  return fmt::format("{:.5g} ({:.5g}..{:.5g})", spread.median, spread.lower, spread.upper);
}

}  // namespace

TextRows group_rows(const CaseTrend& trend, RunsBy by) {
  const std::vector<const Trend*> main = main_trends(trend);
  TextRows rows{{group_head(by), say({"runs", "运行"}), say({"green", "绿"})}};
  for (const Trend* one : main)
    rows.front().push_back(printable(one->key.metric, 100) +
                           (one->key.unit.empty() ? "" : ", " + printable(one->key.unit, 40)));
  for (const RunGroup& group : trend.groups) {
    rows.push_back({group.name.empty() ? say({"not told", "未知"}) : as_is(printable(group.name, 200)),
                    std::to_string(group.runs), say({"{} of {}", "{}/{}"}, group.green, group.judged)});
    for (const Trend* one : main)
      rows.back().push_back(spread_words(group.spreads[static_cast<std::size_t>(one - trend.trends.data())]));
  }
  return rows;
}

std::string history_groups(const SuiteTrend& suite, const Style& style) {
  std::string out;
  for (const CaseTrend& trend : suite.cases) {
    TextPage page(style);
    page.wrapped(printable(trend.history.name, 200) + "  " + summary_words(trend), 2);
    out += (out.empty() ? "" : "\n") + page.text() + "\n" + table(group_rows(trend, suite.by), style);
  }
  return out + say({"\nof a metric: the median (lower..upper quartile)\n",
                    "\n指标：中位数（下四分位数..上四分位数）\n"})
                   .in(style.language);
}

}  // namespace gate::render
