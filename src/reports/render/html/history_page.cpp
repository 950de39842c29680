#include "gate/render/history.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "gate/base/text.h"
#include "gate/model/runs/baseline.h"
#include "gate/words/values.h"
#include "render/html/html_page.h"
#include "render/text/history_text.h"

namespace gate::render {

namespace {

constexpr std::size_t day_length = std::string_view("2026-11-21").size();

std::string trend_id(const CaseTrend& trend) {
  return case_id(trend.history.name + " " + trend.history.platform);
}

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
    for (const Sentence& line : change_lines(trend, one)) lines.push_back(name_of(one.key) + "  " + line);
  }
  for (Sentence& words : test_words(trend)) lines.push_back(std::move(words));
  return lines;
}

// Return the stretch that a change takes, up to its last value.
Mark stretch_of(const Change& change, std::size_t last, const Sentence& words) {
  return {static_cast<double>(change.at), words, MarkKind::change, static_cast<double>(last)};
}

// Return where the change stands on the curve: a step at its run, a ramp and a dip over their runs. A
// recovery has no mark of its own: the dip before it ends there.
std::optional<Mark> change_mark(const Change& change, std::size_t values) {
  const std::string moved = moved_words(change);
  switch (change.shape) {
    case ChangeShape::step:
      break;
    case ChangeShape::ramp:
      return stretch_of(change, change.until,
                        change.until + 1 < values
                            ? say({"{} in {} runs", "{1} 次运行内 {0}"}, moved, change.until - change.at + 1)
                            : say({"{} and goes on", "{}，仍在继续"}, moved));
    case ChangeShape::dip:
      return stretch_of(change, change.until - 1,
                        say({"{} for {} runs", "{0}，持续 {1} 次运行"}, moved, change.until - change.at));
    case ChangeShape::recovery:
      return std::nullopt;
  }
  return Mark{static_cast<double>(change.at), moved, MarkKind::change};
}

PlaceLabel label_of_run(const CasePoint& run, Language language) {
  const std::string day = run.started.substr(0, day_length);
  const Sentence commit =
      run.commit.empty() ? Sentence() : say({"commit {}", "提交 {}"}, short_commit(run.commit));
  return {day, join(std::array{as_is(run.run), as_is(day), commit}, comma).in(language)};
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
    chart.labels.push_back(label_of_run(trend.history.runs[one.runs[i]], language));
    chart.curves.back().values.emplace_back(one.values[i]);
  }
  for (const Change& change : one.changes)
    if (auto mark = change_mark(change, one.values.size())) chart.marks.push_back(*std::move(mark));
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
void put_trend(HtmlPage& page, const CaseTrend& trend, RunsBy by, Language language, ChartBudget& budget) {
  const bool is_steady = !trend.red && !has_changes(trend);
  const Sentence badge = is_steady   ? say({"steady", "平稳"})
                         : trend.red ? say({"red", "红"})
                                     : say({"changed", "有变化"});
  page.section(trend_id(trend), trend_tone(trend), badge, trend.history.name, summary_words(trend),
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
  budget.next(charts);
  page.charts(charts, budget);
  page.section_end();
}

void put_heat_map(HtmlPage& page, const SuiteTrend& suite) {
  page.paragraph(say({"{}; the newest run is the rightmost one", "{}；最新的运行在最右边"}, heat_legend()));
  std::vector<std::string> days;
  std::vector<Sentence> names;
  for (const SuiteRun& run : suite.runs) {
    days.push_back(run.started.substr(0, day_length));
    names.push_back(run_words(run.run, run.started, run.commit));
  }
  std::vector<HeatRow> rows;
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    HeatRow row{{suite.cases[i].history.name, trend_id(suite.cases[i])}, {}};
    for (std::size_t run = 0; run < suite.runs.size(); ++run) {
      const HeatCell cell = suite.cells[i][run];
      row.squares.push_back({heat_letter(cell), heat_tone(cell), run_id_of(run), names[run]});
    }
    rows.push_back(std::move(row));
  }
  page.heat_map(days, rows);
}

// What a square of the heat map leads to: the run, its red cases, and what to type to see all of it.
void put_run(HtmlPage& page, const SuiteTrend& suite, std::size_t run, const std::string& kept) {
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
  if (!kept.empty()) page.link(say({"page of the run", "这次运行的页面"}), kept);
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

Change change_against(std::optional<double> baseline, double now) {
  return {.before = baseline.value_or(0), .after = now};
}

double moved_share(const Change& change) { return std::abs(change.share().value_or(0)); }

// The series that a case's row tells of: of those that have changed, else of all, the one that lies farthest
// from its first baseline.
const Trend* told_trend(const CaseTrend& trend) {
  const auto rank = [](const Trend& one) {
    return std::pair(!one.changes.empty(),
                     moved_share(change_against(one.first_baseline, one.levels.back())));
  };
  const Trend* most = nullptr;
  for (const Trend& one : trend.trends)
    if (!one.values.empty() && (most == nullptr || rank(one) > rank(*most))) most = &one;
  return most;
}

Sentence against_words(const Trend* one, std::optional<double> Trend::*baseline) {
  if (one == nullptr || !(one->*baseline)) return "-";
  return as_is(moved_words(change_against(one->*baseline, one->levels.back())));
}

Sentence last_change_words(const CaseTrend& trend, const Trend* one) {
  std::vector<Sentence> parts;
  if (trend.red) parts.push_back(say({"red {}", "红：{}"}, red_words(trend)));
  for (std::size_t i = one == nullptr ? 0 : one->changes.size(); i-- > 0;) {
    const auto mark = change_mark(one->changes[i], one->values.size());
    if (!mark) continue;
    const CasePoint& run = trend.history.runs[one->runs[one->changes[i].at]];
    parts.push_back(
        say({"{0} since {1}", "自{1}起 {0}"}, mark->text, run_words(run.run, run.started, run.commit)));
    break;
  }
  if (!parts.empty()) return join(parts, semicolon);
  const std::vector<Sentence> others = findings(trend);
  return others.empty() ? Sentence("-") : others.front();
}

void put_cases(HtmlPage& page, const SuiteTrend& suite) {
  std::vector<std::vector<Cell>> rows;
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    const CaseTrend& trend = suite.cases[i];
    const Trend* one = told_trend(trend);
    rows.push_back({{trend.history.name, trend_id(trend)},
                    {say({"{}  {} of {} green", "{0}  {2} 次中 {1} 次为绿"},
                         platform_name(trend.history.platform), trend.green, trend.counted)},
                    {one == nullptr ? Sentence("-") : as_is(printable(one->key.metric, 100))},
                    {against_words(one, &Trend::baseline)},
                    {against_words(one, &Trend::first_baseline)},
                    {last_change_words(trend, one), "", trend_tone(trend)}});
  }
  page.table({say({"case", "用例"}), say({"runs", "运行"}), say({"metric", "指标"}),
              say({"against baseline", "相对基线"}), say({"against the first", "相对首个基线"}),
              say({"last change", "最近变化"})},
             rows, HtmlPage::Filter::yes);
}

}  // namespace

std::string history_html(const SuiteTrend& trend, const std::string& suite, Language language,
                         const std::function<std::string(const std::string& run)>& page_of) {
  const Sentence title = say({"history of {}", "{} 的历史"}, suite);
  HtmlPage page(title, language);
  page.banner(Tone::plain, title);
  put_suite_moves(page, trend);
  put_heat_map(page, trend);
  put_cases(page, trend);
  ChartBudget budget(trend.cases.size());
  for (const CaseTrend& one : trend.cases) put_trend(page, one, trend.by, language, budget);
  page.fold(say({"runs", "运行"}));
  for (std::size_t run = trend.runs.size(); run-- > 0;)
    put_run(page, trend, run, page_of ? page_of(trend.runs[run].run) : "");
  page.fold_end();
  return page.finish();
}

}  // namespace gate::render
