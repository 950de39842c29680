// The report as one HTML file: all cases in a table, then each of them in full, the red ones first and open.
#include <algorithm>
#include <numeric>

#include "gate/base/text.h"
#include "gate/render/html_page.h"
#include "gate/render/reporters.h"
#include "gate/words/remarks.h"
#include "gate/words/values.h"
#include "render/text/case_text.h"
#include "render/words/check_words.h"
#include "render/words/next_steps.h"
#include "render/words/policy_words.h"
#include "render/words/remarks.h"
#include "render/words/totals.h"
#include "render/words/triage_words.h"

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

// Places in the report, red cases first.
std::vector<std::size_t> order_of(const Report& report) {
  std::vector<std::size_t> order(report.cases.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return is_red(report.cases[i]); });
  return order;
}

void put_overview(HtmlPage& page, const Report& report, const std::vector<std::size_t>& order) {
  std::vector<std::vector<Cell>> rows;
  for (const std::size_t i : order) {
    const CaseReport& one = report.cases[i];
    rows.push_back(
        {{std::string(to_string(one.verdict)) + (one.quarantine ? ", quarantined" : ""), "", tone_of(one)},
         {one.name, id_of(i)},
         {is_red(one) && !one.reason.empty() ? one.reason : found_words(one)},
         {green_since(one)},
         {one.platform},
         {duration_text(one)}});
  }
  if (!rows.empty())
    page.table({"verdict", "case", "what was found", "since", "platform", "time"}, rows,
               rows.size() > 1 ? HtmlPage::Filter::yes : HtmlPage::Filter::no);
}

// If every value is compared for itself, the row shows the one that is farthest apart.
std::vector<Cell> fold_cells(const Fold& fold) {
  const Check& check = *fold.first;
  const Check& worst = *fold.largest;
  const std::string rule =
      check.rule.empty() || check.rule == check.metric ? "" : " (rule " + check.rule + ")";
  const std::string actual = words::value_text(worst.actual);
  const std::string limit = words::limit_text(worst.limit);
  std::string delta = words::moved_text(worst.delta, worst.delta_percent);
  if (worst.is_each() && worst.largest)
    delta += ", largest: " + noun(worst) + " " + std::to_string(worst.largest->number) +
             (worst.rank ? " of rank " + std::to_string(*worst.rank) : "");
  return {{std::string(to_string(check.status)), "", tone_of(check.status)},
          {check.metric + rule},
          {ranks_of(fold)},
          {window_words(check)},
          {words::value_text(worst.baseline)},
          {actual + (worst.unit.empty() || actual.empty() ? "" : " " + worst.unit)},
          {delta},
          {to_string(check.tolerance) + (limit.empty() ? "" : " (" + limit + ")")},
          {join(fold.notes, "; ")}};
}

std::vector<Cell> test_cells(const Check& check) {
  const std::string place = words::test_place(*check.test);
  return {{std::string(to_string(check.status)), "", tone_of(check.status)},
          {check.metric},
          {seconds(check.test->duration) + " s"},
          {words::note_text(check)},
          {place}};
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

std::vector<std::string> why_lines(const CaseReport& one) {
  std::vector<std::string> lines;
  if (one.quarantine) lines.push_back(quarantine_words(one));
  if (!one.reason.empty() && one.verdict != Verdict::regressed) lines.push_back(one.reason);
  const bool is_told = one.outcome && !ended_well(*one.outcome) && !is_held_back(one);
  const std::string outcome = is_told ? to_string(*one.outcome) : "";
  if (one.reason.find(outcome) == std::string::npos) lines.push_back("the script: " + outcome);
  if (one.device_time_saved) lines.push_back("stopped early: " + saved_words(*one.device_time_saved));
  if (one.cause) lines.push_back("cause: " + cause_words(*one.cause));
  if (one.cause && !one.cause->advice.empty()) lines.push_back("advice: " + one.cause->advice);
  if (const std::string words = shadow_words(one); !words.empty()) lines.push_back("shadow: " + words);
  return lines;
}

std::vector<std::string> facts_of(const CaseReport& one) {
  std::vector<std::string> lines;
  if (!one.devices.empty()) lines.push_back("devices: " + one.devices);
  for (const BaselineUsed& used : one.baselines) lines.push_back("baseline: " + used.path);
  if (!one.formats.empty()) lines.push_back("formats: " + join(one.formats, ", "));
  if (!one.args.empty()) lines.push_back("ARGS: " + join(one.args, " "));
  for (const auto& [name, path] : one.artifacts) lines.push_back(name + ": " + path);
  return lines;
}

std::string rest_of(const CaseReport& one) {
  std::vector<std::string> words;
  if (!one.owner.empty()) words.push_back("owner " + one.owner);
  for (std::string word : {green_since(one), found_words(one), duration_text(one)})
    if (!word.empty()) words.push_back(std::move(word));
  return join(words, "   ");
}

// Gated metrics first; of the others only the readings of the hardware are not folded away.
void put_charts(HtmlPage& page, const CaseReport& one, std::size_t places) {
  std::vector<Chart> gated, hardware, others;
  for (const Chart& chart : one.charts)
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
  const CaseReport& one = report.cases[place];
  page.section(id_of(place), tone_of(one), to_string(one.verdict), one.name, rest_of(one),
               is_red(one) || report.cases.size() == 1 ? HtmlPage::Shown::open : HtmlPage::Shown::closed);
  page.list(why_lines(one));
  if (is_red(one))
    for (const NextStep& step : next_steps(report, one)) page.command(step.word, step.text);
  put_charts(page, one, places);
  put_check_table(page, one);
  put_test_table(page, one);
  put_html_list(page, "differs from the baseline's run", one.differs);
  for (const Excerpt& excerpt : one.excerpts) page.excerpt(excerpt);
  put_html_list(page, "problems", problem_words(one.problems));
  put_html_list(page, "notes", notes_of(one));
  put_html_list(page, "ungated", ungated_words(one.ungated, OwnClocks::listed));
  put_html_list(page, "of this case", facts_of(one));
  page.section_end();
}

}  // namespace

std::string html(const Report& report, const Style&) {
  HtmlPage page(closing_line(report) + " - " + (report.suite.empty() ? "gate" : report.suite) + " " +
                report.run);
  page.banner(report.exit_code == exit_code::ok ? Tone::good : Tone::bad, closing_line(report));
  page.paragraph(header_line(report));
  if (!report.started.empty()) page.paragraph("started " + report.started + ", took " + spent_words(report));
  page.paragraph(totals(report));
  page.list(triage_lines(judge::triage(report.cases)));
  page.list(report.notes);
  if (report.policy) page.heading(policy_words(report));
  page.list(finding_lines_of(report));
  for (const NextStep& step : next_steps(report)) page.command(step.word, step.text);
  const std::vector<std::size_t> order = order_of(report);
  put_overview(page, report, order);
  std::size_t charts = 0;
  for (const CaseReport& one : report.cases) charts += one.charts.size();
  const std::size_t places = places_of_each(charts);
  for (const std::size_t i : order) put_case(page, report, i, places);
  return page.finish();
}

}  // namespace gate::render
