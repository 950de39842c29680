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

std::string id_of(std::size_t place) { return "case-" + std::to_string(place); }

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
// used up first.
std::vector<Bar> bars_of(const CaseReport& one) {
  std::vector<Bar> bars;
  for (const Check& check : one.checks) {
    const bool is_decided = check.status == CheckStatus::pass || has_failed(check);
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
  const std::string words = used_words(bars.front().used) + " " + words::verbatim(bars.front().name);
  bars.resize(std::min(bars.size(), most_bars));
  return {words, "", Tone::plain, std::move(bars)};
}

// The chart that comes first: a red one, if there is any.
Cell spark_cell(const CaseReport& one) {
  if (one.charts.empty() || !one.charts.front().checked) return {};
  Cell cell{words::verbatim(one.charts.front().title)};
  cell.spark = one.charts.front();
  return cell;
}

bool are_of_one_platform(const Report& report) {
  return std::ranges::all_of(report.cases, [&](const CaseReport& one) {
    return one.platform.empty() || one.platform == report.platform;
  });
}

// `since` tells when a case was green last, of red ones.
enum class Since { left_out, told };

void put_overview(HtmlPage& page, const Report& report, const Places& places, Since since) {
  if (places.empty()) return;
  const bool platforms = !are_of_one_platform(report);
  std::vector<std::string> head{"verdict", "case", "what was found", "tolerance used", "curve"};
  if (since == Since::told) head.emplace_back("since");
  if (platforms) head.emplace_back("platform");
  head.emplace_back("time");
  std::vector<std::vector<Cell>> rows;
  for (const std::size_t i : places) {
    const CaseReport& one = report.cases[i];
    const std::string verdict = std::string(to_string(one.verdict)) + (one.quarantine ? ", quarantined" : "");
    std::vector<Cell>& row = rows.emplace_back(std::vector<Cell>{{verdict, "", tone_of(one)},
                                                                 {words::verbatim(one.name), id_of(i)},
                                                                 {found_in(one, Quotes::marked)},
                                                                 bars_cell(one),
                                                                 spark_cell(one)});
    if (since == Since::told) row.push_back({green_since(one)});
    if (platforms) row.push_back({words::verbatim(one.platform)});
    row.push_back({duration_text(one)});
  }
  page.table(head, rows);
}

// `57 passed, at most 16 % of a tolerance used: throughput of pretrain/model7`.
std::string passed_words(const Report& report, const Places& places) {
  std::string words = std::to_string(places.size()) + (report.command == "record" ? " recorded" : " passed");
  double most = -1;
  std::string where;
  for (const std::size_t i : places)
    for (const Bar& bar : bars_of(report.cases[i]))
      if (bar.used > most)
        most = bar.used, where = words::verbatim(bar.name) + " of " + words::verbatim(report.cases[i].name);
  return most >= 0.001 ? words + ", at most " + used_words(most) + " of a tolerance used: " + where : words;
}

// If every value is compared for itself, the row shows the one that is farthest apart.
std::vector<Cell> fold_cells(const Fold& fold) {
  const Check& check = *fold.first;
  const Check& worst = *fold.largest;
  const std::string rule =
      check.rule.empty() || check.rule == check.metric ? "" : " (rule " + check.rule + ")";
  const bool is_shown = !is_all_not_finite(worst);
  const std::string baseline = is_shown ? words::value_text(worst.baseline) : "";
  const std::string actual = is_shown ? words::value_text(worst.actual) : "";
  const std::string limit = is_shown ? words::limit_text(worst.limit) : "";
  std::string delta = is_shown ? words::moved_text(worst.delta, worst.delta_percent) : "";
  if (worst.is_each() && worst.largest && is_shown)
    delta += ", largest: " + noun(worst) + " " + std::to_string(worst.largest->number) +
             (worst.rank ? " of rank " + std::to_string(*worst.rank) : "");
  return {{std::string(to_string(check.status)), "", tone_of(check.status)},
          {words::verbatim(check.metric) + rule},
          {ranks_of(fold)},
          {window_words(check)},
          {baseline},
          {actual + (worst.unit.empty() || actual.empty() ? "" : " " + words::verbatim(worst.unit))},
          {delta},
          {to_string(check.tolerance) + (limit.empty() ? "" : " (" + limit + ")")},
          {join(fold.notes, "; ")}};
}

std::vector<Cell> test_cells(const Check& check) {
  const std::string place = words::test_place(*check.test);
  return {{std::string(to_string(check.status)), "", tone_of(check.status)},
          {words::verbatim(check.metric)},
          {seconds(check.test->duration) + " s"},
          {words::verbatim(words::note_text(check))},
          {words::verbatim(place)}};
}

void put_test_table(HtmlPage& page, const CaseReport& one) {
  constexpr std::size_t many = 20;
  std::vector<std::vector<Cell>> rows;
  for (const Check& check : one.checks)
    if (check.test) rows.push_back(test_cells(check));
  if (rows.empty()) return;
  page.heading("tests");
  page.table({"status", "test", "took", "why", "place"}, rows,
             rows.size() > many ? HtmlPage::Filter::yes : HtmlPage::Filter::no);
}

void put_check_table(HtmlPage& page, const CaseReport& one) {
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string> misses;
  for (const Fold& folded : fold(one.checks)) {
    if (folded.first->test) continue;
    rows.push_back(fold_cells(folded));
    if (folded.first->status == CheckStatus::pass) continue;
    for (const std::string& line : miss_lines(folded, Quotes::marked))
      misses.push_back(words::verbatim(folded.first->metric) + ": " + line);
  }
  if (rows.empty()) return;
  page.heading("checks");
  page.table({"status", "metric", "ranks", "window", "baseline", "actual", "delta", "limit", "note"}, rows);
  page.list(misses);
}

void put_html_list(HtmlPage& page, std::string_view heading, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  page.heading(heading);
  page.list(lines);
}

std::vector<std::string> why_lines(const CaseReport& one) {
  std::vector<std::string> lines;
  if (one.quarantine) lines.push_back(quarantine_words(one));
  if (!one.reason.empty() && one.verdict != Verdict::regressed) lines.push_back(one.reason);
  const bool is_told = one.outcome && !ended_well(*one.outcome) && !is_held_back(one);
  const std::string outcome = is_told ? to_string(*one.outcome) : "";
  if (one.reason.find(outcome) == std::string::npos) lines.push_back("the script: " + outcome);
  if (one.device_time_saved) lines.push_back("stopped early: " + saved_words(*one.device_time_saved));
  if (one.cause) lines.push_back("cause: " + cause_words(*one.cause, Quotes::marked));
  if (one.cause && !one.cause->advice.empty()) lines.push_back("advice: " + one.cause->advice);
  if (const std::string words = shadow_words(one); !words.empty()) lines.push_back("shadow: " + words);
  return lines;
}

std::vector<std::string> facts_of(const CaseReport& one) {
  std::vector<std::string> lines;
  if (!one.devices.empty()) lines.push_back("devices: " + words::verbatim(one.devices));
  if (const std::string words = performance_words(one); !words.empty()) lines.push_back("speed: " + words);
  for (const BaselineUsed& used : one.baselines) lines.push_back("baseline: " + words::verbatim(used.path));
  if (!one.formats.empty()) lines.push_back("formats: " + words::verbatim(join(one.formats, ", ")));
  if (!one.args.empty()) lines.push_back("ARGS: " + words::verbatim(join(one.args, " ")));
  if (const std::string stages = stage_words(one); !stages.empty()) lines.push_back("stages: " + stages);
  for (const auto& [name, path] : one.artifacts) lines.push_back(words::verbatim(name + ": " + path));
  return lines;
}

std::string rest_of(const CaseReport& one) {
  std::vector<std::string> words;
  if (!one.owner.empty()) words.push_back("owner " + words::verbatim(one.owner));
  for (std::string word : {green_since(one), found_words(one, Quotes::marked), duration_text(one)})
    if (!word.empty()) words.push_back(std::move(word));
  return join(words, "   ");
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
    words.push_back(words::verbatim(chart.title) + " " + fmt::format("{:.7g}", value_in(chart)) +
                    (chart.unit.empty() ? "" : " " + chart.unit));
  return join(words, ", ");
}

// Gated metrics first; of the others only the readings of the hardware are not folded away.
void put_charts(HtmlPage& page, const CaseReport& one, const ChartBudget& budget) {
  std::vector<Chart> gated, hardware, others, constants;
  for (const Chart& chart : one.charts)
    (chart.checked          ? gated
     : !chart.group.empty() ? hardware
     : never_changes(chart) ? constants
                            : others)
        .push_back(chart);
  page.charts(gated, budget);
  if (!hardware.empty()) page.heading("hardware");
  page.charts(hardware, budget);
  if (others.empty() && constants.empty()) return;
  page.fold(count_of(static_cast<std::int64_t>(others.size() + constants.size()), "metric") +
            " that no rule gates");
  page.charts(others, budget);
  if (!constants.empty()) page.paragraph("always the same: " + constants_words(constants));
  page.fold_end();
}

// Golden and actual lines side by side.
void put_output_tables(HtmlPage& page, const CaseReport& one) {
  for (const ShownOutput& output : shown_outputs(one)) {
    page.heading(output.title);
    std::vector<std::vector<Cell>> rows;
    for (const ShownDifference& difference : output.differences)
      rows.push_back(
          {{difference.title}, {words::verbatim(difference.golden)}, {words::verbatim(difference.actual)}});
    page.table({"", "golden", "actual"}, rows);
  }
}

void put_case(HtmlPage& page, const Report& report, std::size_t place, const ChartBudget& budget) {
  const CaseReport& one = report.cases[place];
  page.section(id_of(place), tone_of(one), to_string(one.verdict), words::verbatim(one.name), rest_of(one),
               is_red(one) || report.cases.size() == 1 ? HtmlPage::Shown::open : HtmlPage::Shown::closed);
  page.list(why_lines(one));
  std::vector<std::string> differs = one.differs;
  for (std::string& difference : differs) difference = told_difference(difference, Quotes::marked);
  put_html_list(page, "differs from the baseline's run", differs);
  if (is_red(one))
    for (const NextStep& step : next_steps(report, one)) page.command(step.word, step.text);
  put_charts(page, one, budget);
  put_check_table(page, one);
  put_test_table(page, one);
  put_output_tables(page, one);
  for (const Excerpt& excerpt : one.excerpts) page.excerpt(excerpt);
  put_html_list(page, "problems", problem_words(one.problems, Quotes::marked));
  put_html_list(page, "notes", notes_of(one));
  put_html_list(page, "ungated", ungated_words(one.ungated, OwnClocks::listed));
  put_html_list(page, "of this case", facts_of(one));
  page.section_end();
}

void put_report_head(HtmlPage& page, const Report& report, const RedCases& red) {
  page.banner(report.exit_code == exit_code::ok ? Tone::good : Tone::bad, closing_line(report));
  for (const std::string& line : head_lines(report)) page.paragraph(line);
  if (!report.started.empty()) page.paragraph("started " + report.started);
  std::vector<std::string> lines = suite_lines(report, Quotes::marked);
  if (!red.moved_line.empty()) lines.push_back(red.moved_line);
  page.list(lines);
  page.list(report.notes);
  if (report.policy) page.heading(policy_words(report));
  std::vector<std::string> findings = finding_lines_of(report);
  for (std::string& finding : findings) finding = finding_words(finding);
  page.list(findings);
  for (const NextStep& step : next_steps(report)) page.command(step.word, step.text);
}

// Few cases, all passed, are what there is to see.
HtmlPage::Shown shown_of_passed(const Shelves& shelves) {
  constexpr std::size_t few_passed = 10;
  return shelves.looked_at.empty() && shelves.passed.size() <= few_passed ? HtmlPage::Shown::open
                                                                          : HtmlPage::Shown::closed;
}

void put_folded_overview(HtmlPage& page, const Report& report, const Places& places, const std::string& title,
                         HtmlPage::Shown shown) {
  if (places.empty()) return;
  page.fold(title, shown);
  put_overview(page, report, places, Since::left_out);
  page.fold_end();
}

void put_ungated_in_all(HtmlPage& page, const Report& report) {
  const std::vector<std::string> lines = ungated_words(ungated_in_all(report), OwnClocks::left_out);
  if (lines.empty()) return;
  page.fold("ungated in all cases");
  page.list(lines);
  page.fold_end();
}

void put_all_overviews(HtmlPage& page, const Report& report, const Shelves& shelves) {
  const bool many = report.cases.size() > 1;
  if (many) page.filter();
  put_overview(page, report, shelves.looked_at, Since::told);
  put_folded_overview(page, report, shelves.passed, passed_words(report, shelves.passed),
                      shown_of_passed(shelves));
  put_folded_overview(page, report, shelves.skipped, std::to_string(shelves.skipped.size()) + " skipped",
                      HtmlPage::Shown::closed);
  if (many) page.filter_end();
  put_ungated_in_all(page, report);
}

void put_all_cases(HtmlPage& page, const Report& report, const Shelves& shelves) {
  ChartBudget budget;
  for (const CaseReport& one : report.cases) budget.add(one.charts);
  for (const std::size_t i : shelves.looked_at) put_case(page, report, i, budget);
  Places quiet = shelves.passed;
  quiet.insert(quiet.end(), shelves.skipped.begin(), shelves.skipped.end());
  if (quiet.empty()) return;
  const bool is_all = shelves.looked_at.empty();
  page.fold(is_all ? "each case in full" : "the " + std::to_string(quiet.size()) + " others in full",
            is_all ? HtmlPage::Shown::open : HtmlPage::Shown::closed);
  for (const std::size_t i : quiet) put_case(page, report, i, budget);
  page.fold_end();
}

}  // namespace

std::string html(const Report& report, const Style& style) {
  const std::string suite = report.suite.empty() ? "gate" : report.suite;
  const std::string closing = words::shown_in(style.language, closing_line(report));
  HtmlPage page(words::verbatim(closing + " - " + suite + " " + report.run), style.language);
  const RedCases red = red_cases(report);
  const Shelves shelves = shelves_of(report, red);
  put_report_head(page, report, red);
  put_all_overviews(page, report, shelves);
  put_all_cases(page, report, shelves);
  return page.finish();
}

}  // namespace gate::render
