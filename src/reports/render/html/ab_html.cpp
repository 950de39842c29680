#include "gate/render/ab.h"
#include "gate/words/ab.h"
#include "render/html/html_page.h"

namespace gate::render {

namespace {

Tone tone_of_answer(AbAnswer answer) {
  if (answer == AbAnswer::worse) return Tone::bad;
  return answer == AbAnswer::undecided ? Tone::warn : Tone::good;
}

Curve curve_of(const AbMetric& metric, const char* name, CurveRole role, double PairValues::*side) {
  Curve curve{name, role, {}};
  for (const PairValues& pair : metric.pairs) curve.values.emplace_back(pair.*side);
  return curve;
}

Chart chart_of_pairs(const AbMetric& metric, Language language) {
  Chart chart;
  chart.title = metric.metric;
  chart.unit = metric.unit;
  chart.axis = say({"pair", "对"}).in(language);
  for (std::size_t i = 0; i < metric.pairs.size(); ++i) chart.x.push_back(static_cast<double>(i + 1));
  chart.curves = {curve_of(metric, "A", CurveRole::baseline, &PairValues::a),
                  curve_of(metric, "B", CurveRole::run, &PairValues::b)};
  chart.note = metric.what;
  chart.red = metric.change && metric.change->answer == AbAnswer::worse;
  return chart;
}

void put_ab_table(HtmlPage& page, const AbResult& result) {
  const TextRows rows = ab_rows(result);
  std::vector<std::vector<Cell>> cells;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    std::vector<Cell>& row = cells.emplace_back();
    for (const Sentence& text : rows[i]) row.push_back({text});
    const auto& change = result.metrics[i - 1].change;
    row.back().tone = tone_of_answer(change ? change->answer : AbAnswer::undecided);
  }
  if (!cells.empty()) page.table(rows.front(), cells);
}

}  // namespace

std::string ab_html(const AbResult& result, Language language) {
  const Sentence closing = ab_closing(result);
  HtmlPage page(closing, language);
  page.banner(result.failure ? Tone::bad : tone_of_answer(answer_of(result)), closing);
  page.paragraph(result.case_name);
  page.list(ab_sides(result));
  put_ab_table(page, result);
  page.list(words::ab_details(result));
  std::vector<Chart> charts;
  for (const AbMetric& metric : result.metrics) charts.push_back(chart_of_pairs(metric, language));
  page.charts(charts, ChartBudget(charts));
  return page.finish();
}

}  // namespace gate::render
