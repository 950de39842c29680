#include "gate/render/history.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/render/html_page.h"
#include "render/text/history_text.h"

namespace gate::render {

namespace {

std::string trend_id(std::size_t place) { return "case-" + std::to_string(place); }

bool has_changes(const CaseTrend& trend) {
  return std::ranges::any_of(trend.trends, [](const Trend& one) { return !one.changes.empty(); });
}

Tone trend_tone(const CaseTrend& trend) {
  if (!test_words(trend).empty()) return Tone::warn;
  return has_changes(trend) || trend.flips.flips > 0 ? Tone::warn : Tone::good;
}

// What is worth looking at, a line each; nothing where all is quiet.
std::vector<std::string> findings(const CaseTrend& trend) {
  std::vector<std::string> lines;
  if (trend.flips.flips > 0) lines.push_back(flips_words(trend));
  for (const Trend& one : trend.trends) {
    for (const Change& change : one.changes)
      lines.push_back(name_of(one.key) + "  " +
                      change_words(change, trend.history.runs[one.runs[change.at]], one.key.unit));
    if (const std::string words = baseline_words(one); !words.empty())
      lines.push_back(name_of(one.key) + "  " + words);
  }
  for (std::string& words : test_words(trend)) lines.push_back(std::move(words));
  return lines;
}

Chart chart_of(const CaseTrend& trend, const Trend& one) {
  Chart chart;
  chart.title = name_of(one.key);
  chart.unit = one.key.unit;
  chart.axis = "run";
  chart.curves = {{"baseline", CurveRole::baseline, one.baselines_beside}, {"run", CurveRole::run, {}}};
  for (std::size_t i = 0; i < one.values.size(); ++i) {
    chart.x.push_back(static_cast<double>(i));
    chart.labels.push_back(trend.history.runs[one.runs[i]].run);
    chart.curves.back().values.emplace_back(one.values[i]);
  }
  for (const Change& change : one.changes)
    chart.marks.push_back({static_cast<double>(change.at), moved_words(change), MarkKind::change});
  return chart;
}

void put_trend(HtmlPage& page, const CaseTrend& trend, std::size_t place) {
  page.section(trend_id(place), trend_tone(trend), has_changes(trend) ? "changed" : "steady",
               trend.history.name, summary_words(trend), HtmlPage::Shown::open);
  page.list(findings(trend));
  std::vector<Chart> charts;
  for (const Trend& one : trend.trends)
    if (one.values.size() > 1) charts.push_back(chart_of(trend, one));
  page.charts(charts, ChartBudget(charts));
  page.section_end();
}

}  // namespace

std::string history_html(const std::vector<CaseTrend>& trends, const std::string& suite) {
  HtmlPage page("history of " + suite);
  page.banner(Tone::plain, "history of " + suite);
  std::vector<std::vector<Cell>> rows;
  for (std::size_t i = 0; i < trends.size(); ++i)
    rows.push_back({{trends[i].history.name, trend_id(i)},
                    {summary_words(trends[i])},
                    {join(findings(trends[i]), "; "), "", trend_tone(trends[i])}});
  page.table({"case", "runs", "found"}, rows, HtmlPage::Filter::yes);
  for (std::size_t i = 0; i < trends.size(); ++i) put_trend(page, trends[i], i);
  return page.finish();
}

}  // namespace gate::render
