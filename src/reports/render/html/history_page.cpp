#include "gate/render/history.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "gate/base/text.h"
#include "gate/words/values.h"
#include "render/html/html_page.h"
#include "render/text/history_text.h"

namespace gate::render {

namespace {

std::string trend_id(std::size_t place) { return "case-" + std::to_string(place); }

std::string run_id_of(std::size_t run) { return "run-" + std::to_string(run); }

bool has_changes(const CaseTrend& trend) {
  return std::ranges::any_of(trend.trends, [](const Trend& one) { return !one.changes.empty(); });
}

Tone trend_tone(const CaseTrend& trend) {
  if (trend.red) return Tone::bad;
  if (!test_words(trend).empty()) return Tone::warn;
  return has_changes(trend) || trend.flips.flips > 0 ? Tone::warn : Tone::good;
}

Tone heat_tone(HeatCell cell) {
  constexpr std::array tones{Tone::plain, Tone::good, Tone::warn, Tone::bad, Tone::plain};
  return tones[static_cast<std::size_t>(cell)];
}

// What is worth looking at, a line each; nothing where all is quiet.
std::vector<Sentence> findings(const CaseTrend& trend) {
  std::vector<Sentence> lines;
  if (trend.red)
    lines.push_back(say({"red {}; green {}", "红：{}；绿：{}"}, red_words(trend), last_green_words(trend)));
  for (const Sentence& words : environment_words(trend))
    lines.push_back(say({"ran on {}", "环境：{}"}, words));
  if (trend.flips.flips > 0) lines.push_back(flips_words(trend));
  if (trend.can_leave_quarantine > 0) lines.push_back(words::quarantine_can_go(trend.can_leave_quarantine));
  for (const Trend& one : trend.trends) {
    for (const Change& change : one.changes)
      lines.push_back(name_of(one.key) + "  " +
                      change_words(change, trend.history.runs[one.runs[change.at]], one.key.unit));
    if (const Sentence words = baseline_words(one); !words.empty())
      lines.push_back(name_of(one.key) + "  " + words);
  }
  for (Sentence& words : test_words(trend)) lines.push_back(std::move(words));
  return lines;
}

Chart chart_of(const CaseTrend& trend, const Trend& one, Language language) {
  const std::string run = say({"run", "运行"}).in(language);
  Chart chart;
  chart.title = name_of(one.key).in(language);
  chart.unit = one.key.unit;
  chart.axis = run;
  chart.curves = {{say({"baseline", "基线"}).in(language), CurveRole::baseline, one.baselines_beside},
                  {run, CurveRole::run, {}}};
  for (std::size_t i = 0; i < one.values.size(); ++i) {
    chart.x.push_back(static_cast<double>(i));
    chart.labels.push_back(trend.history.runs[one.runs[i]].run);
    chart.curves.back().values.emplace_back(one.values[i]);
  }
  for (const Change& change : one.changes)
    chart.marks.push_back({static_cast<double>(change.at), moved_words(change), MarkKind::change});
  return chart;
}

void put_groups(HtmlPage& page, const CaseTrend& trend, RunsBy by) {
  if (by == RunsBy::nothing) return;
  const TextRows rows = group_rows(trend, by);
  std::vector<std::vector<Cell>> cells;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    cells.emplace_back();
    for (const Sentence& word : rows[i]) cells.back().push_back({word});
  }
  page.table(rows.front(), cells);
}

// A metric that never changes needs a line and no chart.
void put_trend(HtmlPage& page, const CaseTrend& trend, std::size_t place, RunsBy by, Language language) {
  const bool is_steady = !trend.red && !has_changes(trend);
  const Sentence badge = is_steady   ? say({"steady", "平稳"})
                         : trend.red ? say({"red", "红"})
                                     : say({"changed", "有变化"});
  page.section(trend_id(place), trend_tone(trend), badge, trend.history.name, summary_words(trend),
               is_steady ? HtmlPage::Shown::closed : HtmlPage::Shown::open);
  std::vector<Sentence> lines = findings(trend);
  if (trend.red && !trend.red->bisect.empty()) page.command(say({"bisect", "二分"}), trend.red->bisect);
  std::vector<Chart> charts;
  for (const Trend& one : trend.trends) {
    if (is_constant(one))
      lines.push_back(constant_words(one));
    else
      charts.push_back(chart_of(trend, one, language));
  }
  page.list(lines);
  put_groups(page, trend, by);
  page.charts(charts, ChartBudget(charts));
  page.section_end();
}

void put_heat_map(HtmlPage& page, const SuiteTrend& suite) {
  page.paragraph(say({"{}; the newest run is the rightmost one", "{}；最新的运行在最右边"}, heat_legend()));
  std::vector<HeatRow> rows;
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    HeatRow row{{suite.cases[i].history.name, trend_id(i)}, {}};
    for (std::size_t run = 0; run < suite.runs.size(); ++run) {
      const HeatCell cell = suite.cells[i][run];
      row.squares.push_back({heat_letter(cell), heat_tone(cell), run_id_of(run), suite.runs[run].run});
    }
    rows.push_back(std::move(row));
  }
  page.heat_map(rows);
}

// What a square of the heat map leads to: the run, its red cases, and what to type to see all of it.
void put_run(HtmlPage& page, const SuiteTrend& suite, std::size_t run) {
  std::vector<Sentence> red;
  std::size_t green = 0;
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    const HeatCell cell = suite.cells[i][run];
    green += cell == HeatCell::green || cell == HeatCell::drifted ? 1 : 0;
    if (cell == HeatCell::red) red.push_back(suite.cases[i].history.name);
  }
  const SuiteRun& one = suite.runs[run];
  page.section(run_id_of(run), red.empty() ? Tone::good : Tone::bad,
               red.empty() ? say({"green", "绿"}) : say({"red", "红"}),
               run_words(one.run, one.started, one.commit),
               say({"{} green, {} red", "{} 绿，{} 红"}, green, red.size()), HtmlPage::Shown::open);
  if (!red.empty()) page.list(std::vector<Sentence>{say({"red: {}", "红：{}"}, first_of(red, 10))});
  page.command(say({"page", "页面"}),
               "gate report " + shell_quote(one.run) + " --format html > " + shell_quote(one.run + ".html"));
  page.section_end();
}

void put_suite_moves(HtmlPage& page, const SuiteTrend& suite) {
  std::vector<Sentence> lines;
  for (SuiteMove& move : suite_moves(suite)) {
    lines.push_back(std::move(move.words));
    std::ranges::move(move.lines, std::back_inserter(lines));
  }
  page.list(lines);
}

}  // namespace

std::string history_html(const SuiteTrend& trend, const std::string& suite, Language language) {
  const Sentence title = say({"history of {}", "{} 的历史"}, suite);
  HtmlPage page(title, language);
  page.banner(Tone::plain, title);
  put_suite_moves(page, trend);
  put_heat_map(page, trend);
  std::vector<std::vector<Cell>> rows;
  for (std::size_t i = 0; i < trend.cases.size(); ++i)
    rows.push_back({{trend.cases[i].history.name, trend_id(i)},
                    {summary_words(trend.cases[i])},
                    {join(findings(trend.cases[i]), semicolon), "", trend_tone(trend.cases[i])}});
  page.table({say({"case", "用例"}), say({"runs", "运行"}), say({"found", "结果"})}, rows,
             HtmlPage::Filter::yes);
  for (std::size_t i = 0; i < trend.cases.size(); ++i) put_trend(page, trend.cases[i], i, trend.by, language);
  page.fold(say({"runs", "运行"}));
  for (std::size_t run = trend.runs.size(); run-- > 0;) put_run(page, trend, run);
  page.fold_end();
  return page.finish();
}

}  // namespace gate::render
