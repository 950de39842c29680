// The report as one HTML file: all cases in a table, then each of them in full, the red ones first and open.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "gate/base/text.h"
#include "gate/render/reporters.h"
#include "gate/words/remarks.h"
#include "gate/words/values.h"
#include "render/html/chart_words.h"
#include "render/html/html_page.h"
#include "render/html/sketch.h"
#include "render/text/case_text.h"
#include "render/words/case_remarks.h"
#include "render/words/check_words.h"
#include "render/words/figures.h"
#include "render/words/head_words.h"
#include "render/words/next_steps.h"
#include "render/words/part_words.h"
#include "render/words/red_cases.h"
#include "render/words/shared_lines.h"
#include "render/words/totals.h"

namespace gate::render {

namespace {

Tone tone_of(const CaseReport& one) {
  if (one.quarantine) return Tone::warn;
  if (is_red(one)) return Tone::bad;
  return one.verdict == Verdict::passed && !is_waived(one) ? Tone::good : Tone::warn;
}

Tone tone_of(CheckStatus status) {
  if (status == CheckStatus::pass) return Tone::good;
  return status == CheckStatus::waived || status == CheckStatus::skipped ? Tone::warn : Tone::bad;
}

using Places = std::vector<std::size_t>;  // of cases in the report

// Cases as the page has them: red ones, others worth a look, and two kinds that are folded away. Of the red
// ones those that moved with the suite come last.
struct Shelves {
  Places looked_at, passed, skipped;
};

Shelves shelves_of(const Report& report, const RedCases& red) {
  Shelves shelves;
  const auto place_of = [&](const CaseReport* one) {
    return static_cast<std::size_t>(one - report.cases.data());
  };
  for (const CaseReport* one : red.all()) shelves.looked_at.push_back(place_of(one));
  for (const CaseReport* each : cases_by_name(report)) {
    const CaseReport& one = *each;
    if (is_red(one)) continue;
    const bool skipped = one.verdict == Verdict::skipped && !one.quarantine;
    (tone_of(one) == Tone::good ? shelves.passed
     : skipped                  ? shelves.skipped
                                : shelves.looked_at)
        .push_back(place_of(each));
  }
  return shelves;
}

// How much each metric that was decided uses of its tolerance: of several ranks and rules the most. Those
// used up first. What stood before a crash decides nothing, and uses nothing up.
std::vector<Bar> bars_of(const CaseReport& one) {
  const bool is_whole = one.verdict == Verdict::passed || one.verdict == Verdict::regressed;
  std::vector<Bar> bars;
  for (const Check& check : one.checks) {
    const bool is_decided = (is_whole && check.status == CheckStatus::pass) || has_failed(check);
    const auto used = used_share(check);
    if (!used || !is_decided || is_all_not_finite(check)) continue;
    const auto known = std::ranges::find(bars, check.metric, &Bar::name);
    if (known == bars.end())
      bars.push_back({check.metric, *used});
    else
      known->used = std::max(known->used, *used);
  }
  std::ranges::stable_sort(bars, std::greater{}, &Bar::used);
  return bars;
}

Cell bars_cell(const CaseReport& one) {
  constexpr std::size_t most_bars = 4;
  std::vector<Bar> bars = bars_of(one);
  if (bars.empty()) return {};
  const Sentence words = used_words(bars.front().used) + as_is(" " + bars.front().name);
  const double most = bars.front().used;
  bars.resize(std::min(bars.size(), most_bars));
  return {words, "", Tone::plain, std::move(bars), std::nullopt, most};
}

// Of each case, at its place in the report, the chart that comes first, small: a red one, if there is any.
using Sparks = std::vector<std::optional<Chart>>;

Cell spark_cell(std::optional<Chart>& spark) {
  if (!spark) return {};
  Cell cell{as_is(spark->title)};
  cell.spark = std::move(spark);
  return cell;
}

Cell since_cell(const CaseReport& one) {
  if (!one.green_until) return {};
  const std::string& subject = one.green_until->subject;
  Cell cell{green_since(one) + (subject.empty() ? Sentence() : colon + as_is(subject))};
  cell.order = static_cast<double>(one.green_until->runs_ago);
  return cell;
}

bool are_of_one_platform(const Report& report) {
  return std::ranges::all_of(report.cases, [&](const CaseReport& one) {
    return one.platform.empty() || one.platform == report.platform;
  });
}

// `since` tells when a case was green last, of red ones.
enum class Since { left_out, told };

void put_overview(HtmlPage& page, const Report& report, const Places& places, Sparks& sparks, Since since) {
  if (places.empty()) return;
  const bool platforms = !are_of_one_platform(report);
  std::vector<Sentence> head{say({"verdict", "判定"}), say({"case", "用例"}), say({"what was found", "结果"}),
                             say({"tolerance used", "已用容差"}), say({"curve", "曲线"})};
  if (since == Since::told) head.push_back(say({"since", "起于"}));
  if (platforms) head.push_back(say({"platform", "平台"}));
  head.push_back(say({"time", "用时"}));
  std::vector<std::vector<Cell>> rows;
  for (const std::size_t i : places) {
    const CaseReport& one = report.cases[i];
    const Sentence verdict =
        words::verdict_text(one.verdict) + (one.quarantine ? say({", quarantined", "，隔离"}) : Sentence());
    std::vector<Cell>& row = rows.emplace_back(std::vector<Cell>{{verdict, "", tone_of(one)},
                                                                 {as_is(one.name), case_id(one.name)},
                                                                 {found_in(one)},
                                                                 bars_cell(one),
                                                                 spark_cell(sparks[i])});
    if (since == Since::told) row.push_back(since_cell(one));
    if (platforms) row.push_back({as_is(one.platform)});
    row.push_back({as_is(duration_text(one))});
    row.back().order = static_cast<double>(one.duration.count());
  }
  page.table(head, rows);
}

// `57 passed, at most 16 % of a tolerance used: throughput of pretrain/model7`.
Sentence passed_words(const Report& report, const Places& places) {
  const Sentence words = report.command == "record" ? say({"{} recorded", "{} 已录制"}, places.size())
                                                    : say({"{} passed", "{} 通过"}, places.size());
  double most = -1;
  Sentence where;
  for (const std::size_t i : places)
    for (const Bar& bar : bars_of(report.cases[i]))
      if (bar.used > most)
        most = bar.used, where = say({"{} of {}", "{1} 的 {0}"}, bar.name, report.cases[i].name);
  if (most < 0.001) return words;
  return words +
         say({", at most {} of a tolerance used: {}", "，最多用去容差的 {}：{}"}, used_words(most), where);
}

// If every value is compared for itself, the row shows the one that is farthest apart.
std::vector<Cell> fold_cells(const Fold& fold) {
  const Check& check = *fold.first;
  const Check& worst = *fold.largest;
  const Sentence rule = check.rule.empty() || check.rule == check.metric
                            ? Sentence()
                            : say({" (rule {})", "（规则 {}）"}, check.rule);
  const bool is_shown = !is_all_not_finite(worst);
  const std::string baseline = is_shown ? words::value_text(worst.baseline) : "";
  const std::string actual = is_shown ? words::value_text(worst.actual) : "";
  const Sentence limit = is_shown ? words::limit_text(worst.limit) : Sentence();
  Sentence delta = as_is(is_shown ? words::moved_text(worst.delta, worst.delta_percent) : "");
  if (worst.is_each() && worst.largest && is_shown)
    delta += say({", largest: {}{}", "，最大：{}{}"}, number_words(worst, worst.largest->number),
                 worst.rank ? say({" of rank {}", "（rank {}）"}, *worst.rank) : Sentence());
  return {{words::status_text(check.status), "", tone_of(check.status)},
          {as_is(check.metric) + rule},
          {ranks_of(fold)},
          {window_words(check)},
          {as_is(baseline)},
          {as_is(actual + (worst.unit.empty() || actual.empty() ? "" : " " + worst.unit))},
          {delta},
          {words::tolerance_text(check.tolerance) + (limit.empty() ? limit : say({" ({})", " ({})"}, limit))},
          {join(fold.notes, semicolon)}};
}

std::vector<Cell> test_cells(const Check& check) {
  return {{words::status_text(check.status), "", tone_of(check.status)},
          {as_is(check.metric)},
          {as_is(seconds(check.test->duration) + " s")},
          {words::note_text(check)},
          {as_is(words::test_place(*check.test))}};
}

void put_test_table(HtmlPage& page, const CaseReport& one) {
  constexpr std::size_t many = 20;
  std::vector<std::vector<Cell>> rows;
  for (const Check& check : one.checks)
    if (check.test) rows.push_back(test_cells(check));
  if (rows.empty()) return;
  page.heading(say({"tests", "测试"}));
  page.table({say({"status", "状态"}), say({"test", "测试"}), say({"took", "用时"}), say({"why", "原因"}),
              say({"place", "位置"})},
             rows, rows.size() > many ? HtmlPage::Filter::yes : HtmlPage::Filter::no);
}

void put_check_table(HtmlPage& page, const CaseReport& one) {
  std::vector<std::vector<Cell>> rows;
  std::vector<Sentence> misses;
  for (const Fold& folded : fold(one.checks)) {
    if (folded.first->test) continue;
    rows.push_back(fold_cells(folded));
    if (folded.first->status == CheckStatus::pass) continue;
    for (const Sentence& line : miss_lines(folded))
      misses.push_back(as_is(folded.first->metric) + colon + line);
  }
  if (rows.empty()) return;
  page.heading(say({"checks", "检查项"}));
  page.table({say({"status", "状态"}), say({"metric", "指标"}), say({"ranks", "rank"}),
              say({"window", "窗口"}), say({"baseline", "基线"}), say({"actual", "实际"}),
              say({"delta", "差值"}), say({"limit", "限值"}), say({"note", "说明"})},
             rows);
  page.list(misses);
}

void put_html_list(HtmlPage& page, const Sentence& heading, const std::vector<Sentence>& lines) {
  if (lines.empty()) return;
  page.heading(heading);
  page.list(lines);
}

std::vector<Sentence> why_lines(const CaseReport& one) {
  std::vector<Sentence> lines;
  const auto add = [&](const Sentence& label, const Sentence& text) {
    if (!text.empty()) lines.push_back(label.empty() ? text : label + colon + text);
  };
  add({}, quarantine_words(one));
  if (one.verdict != Verdict::regressed) add({}, one.reason);
  add(say({"the script", "脚本"}), end_beside(one));
  if (one.device_time_saved) add(say({"stopped early", "提前停止"}), saved_words(*one.device_time_saved));
  if (one.cause) add(say({"cause", "原因"}), cause_words(*one.cause));
  if (one.cause) add(say({"advice", "建议"}), one.cause->advice);
  add(say({"shadow", "影子判定"}), shadow_words(one));
  return lines;
}

std::vector<Sentence> facts_of(const CaseReport& one) {
  std::vector<Sentence> lines;
  const auto add = [&](const Sentence& label, const Sentence& text) {
    if (!text.empty()) lines.push_back(label + colon + text);
  };
  add(say({"devices", "设备"}), as_is(one.devices));
  add(say({"speed", "速度"}), performance_words(one));
  for (const BaselineUsed& used : one.baselines) add(say({"baseline", "基线"}), as_is(used.path));
  add(say({"formats", "格式"}), as_is(join(one.formats, ", ")));
  add(as_is("ARGS"), as_is(join(one.args, " ")));
  add(say({"stages", "环节"}), stage_words(one));
  for (const auto& [name, path] : one.artifacts) lines.push_back(as_is(name + ": " + path));
  return lines;
}

Sentence rest_of(const CaseReport& one) {
  const Sentence owner = one.owner.empty() ? Sentence() : say({"owner {}", "负责人 {}"}, one.owner);
  return join(std::array{owner, green_since(one), found_words(one), as_is(duration_text(one))}, as_is("   "));
}

bool never_changes(const Chart& chart) {
  if (!chart.note.empty() || !chart.marks.empty()) return false;
  std::optional<double> value;
  for (const Curve& curve : chart.curves)
    for (const auto& one : curve.values) {
      if (one && value && *one != *value) return false;
      if (one) value = one;
    }
  return value.has_value();
}

double value_in(const Chart& chart) {
  for (const Curve& curve : chart.curves)
    for (const auto& value : curve.values)
      if (value) return *value;
  return 0;
}

// `learning_rate 1e-05, loss_scale 1`.
std::string constants_words(const std::vector<Chart>& charts) {
  std::vector<std::string> words;
  for (const Chart& chart : charts)
    words.push_back(chart.title + " " + fmt::format("{:.7g}", value_in(chart)) +
                    (chart.unit.empty() ? "" : " " + chart.unit));
  return join(words, ", ");
}

// Gated metrics first; of the others only the readings of the hardware are not folded away.
void put_charts(HtmlPage& page, std::vector<Chart>&& charts, const ChartBudget& budget) {
  std::vector<Chart> gated, hardware, others, constants;
  for (Chart& chart : charts)
    (chart.checked          ? gated
     : !chart.group.empty() ? hardware
     : never_changes(chart) ? constants
                            : others)
        .push_back(std::move(chart));
  page.charts(gated, budget);
  if (!hardware.empty()) page.heading(say({"hardware", "硬件"}));
  page.charts(hardware, budget);
  if (others.empty() && constants.empty()) return;
  page.fold(say({"{} that no rule gates", "没有规则的 {}"},
                count_of(static_cast<std::int64_t>(others.size() + constants.size()), "metric", "个指标")));
  page.charts(others, budget);
  if (!constants.empty())
    page.paragraph(say({"always the same: {}", "始终不变：{}"}, constants_words(constants)));
  page.fold_end();
}

// Golden and actual lines side by side.
void put_output_tables(HtmlPage& page, const CaseReport& one) {
  for (const ShownOutput& output : shown_outputs(one)) {
    page.heading(output.title);
    std::vector<std::vector<Cell>> rows;
    for (const ShownDifference& difference : output.differences)
      rows.push_back({{difference.title}, {as_is(difference.golden)}, {as_is(difference.actual)}});
    page.table({{}, say({"golden", "基准"}), say({"actual", "实际"})}, rows);
  }
}

void put_case(HtmlPage& page, const Report& report, std::size_t place, CaseDetails&& details,
              const ChartBudget& budget) {
  const CaseReport& one = report.cases[place];
  page.section(case_id(one.name), tone_of(one), words::verdict_text(one.verdict), as_is(one.name),
               rest_of(one),
               is_red(one) || report.cases.size() == 1 ? HtmlPage::Shown::open : HtmlPage::Shown::closed);
  page.list(why_lines(one));
  put_html_list(page, say({"differs from the baseline's run", "与基线的运行不同之处"}),
                sentences_of(one.differs));
  if (is_red(one))
    for (const NextStep& step : next_steps(report, one)) page.command(step.word(), step.text);
  put_charts(page, std::move(details.charts), budget);
  put_check_table(page, one);
  put_test_table(page, one);
  put_output_tables(page, one);
  for (const Excerpt& excerpt : details.excerpts) page.excerpt(excerpt);
  put_html_list(page, say({"problems", "问题"}), problem_words(one.problems));
  put_html_list(page, say({"notes", "说明"}), notes_of(one));
  put_html_list(page, say({"ungated", "未设门禁"}), ungated_words(one.ungated, OwnClocks::listed));
  put_html_list(page, say({"of this case", "关于此用例"}), facts_of(one));
  page.section_end();
}

void put_report_head(HtmlPage& page, const Report& report, const RedCases& red) {
  page.banner(report.exit_code == exit_code::ok ? Tone::good : Tone::bad, closing_line(report));
  for (const Sentence& line : head_lines(report)) page.paragraph(line);
  if (!report.started.empty()) page.paragraph(say({"started {}", "开始于 {}"}, report.started));
  std::vector<Sentence> lines = suite_lines(report);
  if (const Sentence use = device_use_words(device_use_of(report)); !use.empty()) lines.push_back(use);
  if (!red.moved_line.empty()) lines.push_back(red.moved_line);
  page.list(lines);
  page.list(report.notes);
  if (report.policy) page.heading(policy_words(report));
  page.list(finding_lines_of(report));
  for (const NextStep& step : next_steps(report)) page.command(step.word(), step.text);
}

// Few cases, all passed, are what there is to see.
HtmlPage::Shown shown_of_passed(const Shelves& shelves) {
  constexpr std::size_t few_passed = 10;
  return shelves.looked_at.empty() && shelves.passed.size() <= few_passed ? HtmlPage::Shown::open
                                                                          : HtmlPage::Shown::closed;
}

void put_folded_overview(HtmlPage& page, const Report& report, const Places& places, Sparks& sparks,
                         const Sentence& title, HtmlPage::Shown shown) {
  if (places.empty()) return;
  page.fold(title, shown);
  put_overview(page, report, places, sparks, Since::left_out);
  page.fold_end();
}

void put_ungated_in_all(HtmlPage& page, const Report& report) {
  const std::vector<Sentence> lines = ungated_words(ungated_in_all(report), OwnClocks::left_out);
  if (lines.empty()) return;
  page.fold(say({"ungated in all cases", "所有用例都未设门禁"}));
  page.list(lines);
  page.fold_end();
}

void put_all_overviews(HtmlPage& page, const Report& report, const Shelves& shelves, Sparks& sparks) {
  const bool many = report.cases.size() > 1;
  if (many) page.filter();
  put_overview(page, report, shelves.looked_at, sparks, Since::told);
  put_folded_overview(page, report, shelves.passed, sparks, passed_words(report, shelves.passed),
                      shown_of_passed(shelves));
  put_folded_overview(page, report, shelves.skipped, sparks,
                      say({"{} skipped", "{} 跳过"}, shelves.skipped.size()), HtmlPage::Shown::closed);
  if (many) page.filter_end();
  put_ungated_in_all(page, report);
}

// Of one case after the other, since the details of all may be more than memory holds. Returns what the
// overviews, which come before, show of them.
Sparks put_all_cases(HtmlPage& page, const Report& report, const Shelves& shelves) {
  ChartBudget budget(report.cases.size());
  Sparks sparks(report.cases.size());
  const auto put = [&](const Places& places) {
    for (const std::size_t i : places) {
      CaseDetails details = report.details_of(report.cases[i]);
      budget.next(details.charts);
      if (!details.charts.empty() && details.charts.front().checked)
        sparks[i] = spark_of(details.charts.front());
      put_case(page, report, i, std::move(details), budget);
    }
  };
  put(shelves.looked_at);
  const std::size_t quiet = shelves.passed.size() + shelves.skipped.size();
  if (quiet == 0) return sparks;
  const bool is_all = shelves.looked_at.empty();
  page.fold(is_all ? say({"each case in full", "每个用例的全部内容"})
                   : say({"the {} others in full", "其余 {} 个的全部内容"}, quiet),
            is_all ? HtmlPage::Shown::open : HtmlPage::Shown::closed);
  put(shelves.passed);
  put(shelves.skipped);
  page.fold_end();
  return sparks;
}

}  // namespace

std::string html(const Report& report, const Style& style) {
  const std::string suite = report.suite.empty() ? "gate" : report.suite;
  HtmlPage page(closing_line(report) + as_is(" - " + suite + " " + report.run), style.language);
  HtmlPage cases(Sentence(), style.language);
  const RedCases red = red_cases(report);
  const Shelves shelves = shelves_of(report, red);
  Sparks sparks = put_all_cases(cases, report, shelves);
  put_report_head(page, report, red);
  put_all_overviews(page, report, shelves, sparks);
  page.append(std::move(cases));
  return page.finish();
}

}  // namespace gate::render
