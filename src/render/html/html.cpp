// The report as one HTML file: all cases in a table, then each of them in full, the red ones first and open.
#include <algorithm>

#include "gate/base/text.h"
#include "gate/render/html_page.h"
#include "gate/render/reporters.h"
#include "gate/words/values.h"
#include "render/text/case_text.h"
#include "render/text/passed_summary.h"
#include "render/words/check_words.h"
#include "render/words/common_shift.h"
#include "render/words/fold.h"
#include "render/words/green_since.h"
#include "render/words/next_steps.h"
#include "render/words/remarks.h"
#include "render/words/shadow.h"
#include "render/words/totals.h"

namespace gate::render {

namespace {

using Cell = HtmlPage::Cell;
using Tone = HtmlPage::Tone;

constexpr std::size_t all_places = 400'000;  // of all charts: what makes a file of about ten megabytes
constexpr std::size_t most_places = 2'000;   // of one: more than a screen has columns

Tone tone_of(const CaseReport& of) {
  if (is_red(of)) return Tone::bad;
  return of.verdict == Verdict::passed && !is_waived(of) ? Tone::good : Tone::warn;
}

Tone tone_of(CheckStatus status) {
  if (status == CheckStatus::pass) return Tone::good;
  return status == CheckStatus::waived ? Tone::warn : Tone::bad;
}

std::string id_of(std::size_t place) { return "case-" + std::to_string(place); }

std::string found_words(const CaseReport& of) {
  if (of.verdict == Verdict::passed) return compared_words(of);
  return of.verdict == Verdict::skipped ? of.reason : trouble_words(of);
}

// What moved first, from what to what; without a reason, what is wrong.
std::string first_found(const CaseReport& of) {
  return is_red(of) && !of.reason.empty() ? of.reason : found_words(of);
}

// Places in the report, red cases first.
std::vector<std::size_t> order_of(const Report& report) {
  std::vector<std::size_t> order(report.cases.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return is_red(report.cases[i]); });
  return order;
}

void put_overview(HtmlPage& page, const Report& report, const std::vector<std::size_t>& order) {
  std::vector<std::vector<Cell>> rows;
  for (const std::size_t i : order) {
    const CaseReport& of = report.cases[i];
    rows.push_back({{std::string(to_string(of.verdict)), "", tone_of(of)},
                    {of.name, id_of(i)},
                    {first_found(of)},
                    {since_words(of)},
                    {of.platform},
                    {took(of)}});
  }
  if (!rows.empty())
    page.table({"verdict", "case", "what was found", "since", "platform", "time"}, rows,
               rows.size() > 1 ? HtmlPage::Filter::yes : HtmlPage::Filter::no);
}

// Where every value is compared for itself, a row shows the one that is farthest apart.
std::string place_of_largest(const Check& worst) {
  if (!worst.is_each() || !worst.largest) return "";
  const std::string rank = worst.rank ? " of rank " + std::to_string(*worst.rank) : "";
  return ", largest: " + noun(worst) + " " + std::to_string(worst.largest->number) + rank;
}

std::vector<Cell> fold_cells(const Fold& fold) {
  const Check& check = *fold.first;
  const Check& worst = *fold.largest;
  const std::string rule =
      check.rule.empty() || check.rule == check.metric ? "" : " (rule " + check.rule + ")";
  const std::string actual = words::value_text(worst.actual),
                    percent = words::percent_text(worst.delta_percent);
  const std::string limit = words::limit_text(worst.limit);
  return {{std::string(to_string(check.status)), "", tone_of(check.status)},
          {check.metric + rule},
          {ranks_of(fold)},
          {window_words(check)},
          {words::value_text(worst.baseline)},
          {actual + (worst.unit.empty() || actual.empty() ? "" : " " + worst.unit)},
          {words::signed_text(worst.delta) + (percent.empty() ? "" : " (" + percent + ")") +
           place_of_largest(worst)},
          {to_string(check.tolerance) + (limit.empty() ? "" : " (" + limit + ")")},
          {join(fold.notes, "; ")}};
}

void put_check_table(HtmlPage& page, const CaseReport& of) {
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string> misses;
  for (const Fold& folded : fold(of.checks)) {
    rows.push_back(fold_cells(folded));
    if (folded.first->status == CheckStatus::pass) continue;
    for (const std::string& line : miss_lines(folded)) misses.push_back(folded.first->metric + ": " + line);
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

std::vector<std::string> why_lines(const CaseReport& of) {
  std::vector<std::string> lines;
  if (!of.reason.empty() && of.verdict != Verdict::regressed) lines.push_back(of.reason);
  const std::string outcome = of.outcome && !ended_well(*of.outcome) ? to_string(*of.outcome) : "";
  if (of.reason.find(outcome) == std::string::npos) lines.push_back("the script: " + outcome);
  if (of.device_time_saved) lines.push_back("stopped early: " + saved_words(*of.device_time_saved));
  if (of.cause) lines.push_back("cause: " + cause_words(*of.cause));
  if (of.cause && !of.cause->advice.empty()) lines.push_back("advice: " + of.cause->advice);
  if (const std::string words = shadow_words(of); !words.empty()) lines.push_back("shadow: " + words);
  return lines;
}

std::vector<std::string> facts_of(const CaseReport& of) {
  std::vector<std::string> lines;
  if (!of.devices.empty()) lines.push_back("devices: " + of.devices);
  for (const BaselineUsed& used : of.baselines) lines.push_back("baseline: " + used.path);
  if (!of.formats.empty()) lines.push_back("formats: " + join(of.formats, ", "));
  if (!of.args.empty()) lines.push_back("ARGS: " + join(of.args, " "));
  for (const auto& [name, path] : of.artifacts) lines.push_back(name + ": " + path);
  return lines;
}

std::string rest_of(const CaseReport& of) {
  std::vector<std::string> words;
  if (!of.owner.empty()) words.push_back("owner " + of.owner);
  for (std::string word : {since_words(of), found_words(of), took(of)})
    if (!word.empty()) words.push_back(std::move(word));
  return join(words, "   ");
}

// Gated metrics first; of the others only the readings of the hardware are not folded away.
void put_charts(HtmlPage& page, const CaseReport& of, std::size_t places) {
  std::vector<Chart> gated, hardware, others;
  for (const Chart& chart : of.charts)
    (chart.checked ? gated : chart.group.empty() ? others : hardware).push_back(chart);
  page.charts(gated, places);
  if (!hardware.empty()) page.heading("hardware");
  page.charts(hardware, places);
  if (others.empty()) return;
  page.fold(count_of(static_cast<std::int64_t>(others.size()), "metric") + " that no rule gates");
  page.charts(others, places);
  page.fold_end();
}

void put_case(HtmlPage& page, const Report& report, std::size_t place, std::size_t places) {
  const CaseReport& of = report.cases[place];
  page.section(id_of(place), tone_of(of), to_string(of.verdict), of.name, rest_of(of),
               is_red(of) || report.cases.size() == 1 ? HtmlPage::Shown::open : HtmlPage::Shown::closed);
  page.list(why_lines(of));
  if (is_red(of))
    for (const NextStep& step : next_steps(report, of)) page.command(step.word, step.text);
  put_charts(page, of, places);
  put_check_table(page, of);
  put_html_list(page, "differs from the baseline's run", of.differs);
  for (const Excerpt& excerpt : of.excerpts) page.excerpt(excerpt);
  put_html_list(page, "problems", problem_words(of.problems));
  put_html_list(page, "notes", notes_of(of));
  put_html_list(page, "ungated", ungated_words(of.ungated, OwnClocks::listed));
  put_html_list(page, "of this case", facts_of(of));
  page.section_end();
}

std::size_t places_for_each(const Report& report) {
  std::size_t charts = 1;
  for (const CaseReport& of : report.cases) charts += of.charts.size();
  return std::min(most_places, all_places / charts);
}

}  // namespace

std::string html(const Report& report, const Style&) {
  HtmlPage page(closing_line(report) + " - " + (report.suite.empty() ? "gate" : report.suite) + " " +
                report.run);
  page.banner(report.exit_code == exit_code::ok ? Tone::good : Tone::bad, closing_line(report));
  page.paragraph(header_line(report));
  if (!report.started.empty()) page.paragraph("started " + report.started + ", took " + spent_words(report));
  page.paragraph(totals(report));
  page.list(moved_alike(report));
  page.list(report.notes);
  for (const NextStep& step : next_steps(report)) page.command(step.word, step.text);
  const std::vector<std::size_t> order = order_of(report);
  put_overview(page, report, order);
  const std::size_t places = places_for_each(report);
  for (const std::size_t i : order) put_case(page, report, i, places);
  return page.finish();
}

}  // namespace gate::render
