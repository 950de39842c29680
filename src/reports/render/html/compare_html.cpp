
#include "gate/render/compare.h"
#include "gate/words/values.h"
#include "render/html/html_page.h"
#include "render/words/triage_words.h"

namespace gate::render {

namespace {

std::string compared_id(std::size_t place) { return "case-" + std::to_string(place); }

Sentence both_verdicts(const ComparedCase& one) {
  return one.a && one.b ? words::verdict_text(*one.a) + " -> " + words::verdict_text(*one.b) : Sentence();
}

// What differs comes first.
Cell compared_spark(const ComparedCase& one) {
  if (one.charts.empty() || !one.charts.front().red) return {};
  Cell cell{one.charts.front().title};
  cell.spark = one.charts.front();
  return cell;
}

void put_compared_overview(HtmlPage& page, const Comparison& comparison) {
  if (comparison.cases.size() < 2) return;
  std::vector<std::vector<Cell>> rows;
  for (std::size_t i = 0; i < comparison.cases.size(); ++i) {
    const ComparedCase& one = comparison.cases[i];
    const ComparedCount count = count_of_metrics(one);
    rows.push_back({{one.name, compared_id(i)},
                    {both_verdicts(one), "", one.changed() ? Tone::warn : Tone::plain},
                    {say({"{} of {}", "{}/{}"}, count.different, count.metrics), "",
                     count.different > 0 ? Tone::warn : Tone::good},
                    compared_spark(one)});
  }
  page.table({say({"case", "用例"}), say({"verdicts", "判定"}), say({"metrics that differ", "不同的指标"}),
              say({"A and B", "A 与 B"})},
             rows, HtmlPage::Filter::yes);
}

void put_compared_table(HtmlPage& page, const ComparedCase& one) {
  const TextRows rows = compare_rows(one);
  std::vector<std::vector<Cell>> cells(rows.size() - 1);
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (const Sentence& text : rows[i + 1]) cells[i].push_back({text});
  if (!cells.empty()) page.table(rows.front(), cells);
}

void put_compared_case(HtmlPage& page, const Comparison& comparison, std::size_t place,
                       const ChartBudget& budget) {
  const ComparedCase& one = comparison.cases[place];
  const ComparedCount count = count_of_metrics(one);
  const bool different = count.different > 0, open = different || comparison.cases.size() == 1;
  page.section(compared_id(place), different ? Tone::warn : Tone::good,
               say({"{} of {} differ", "{1} 个中有 {0} 个不同"}, count.different, count.metrics),
               one.name.empty() ? say({"A and B", "A 与 B"}) : as_is(one.name), both_verdicts(one),
               open ? HtmlPage::Shown::open : HtmlPage::Shown::closed);
  put_compared_table(page, one);
  page.list(compare_details(one));
  page.charts(one.charts, budget);
  page.section_end();
}

void put_only_names(HtmlPage& page, const std::string& side, const std::vector<std::string>& names) {
  if (names.empty()) return;
  page.heading(say({"cases only in {}", "仅 {} 有的用例"}, side));
  page.list(sentences_of(names));
}

}  // namespace

std::string compare_html(const Comparison& comparison, Language language) {
  const Sentence closing = compare_closing(comparison);
  HtmlPage page(closing, language);
  page.banner(is_same(comparison) ? Tone::good : Tone::warn, closing);
  page.list(
      std::vector<Sentence>{"A" + colon + side_words(comparison.a), "B" + colon + side_words(comparison.b)});
  page.list(triage_lines(comparison.triage));
  put_compared_overview(page, comparison);
  ChartBudget budget;
  for (const ComparedCase& one : comparison.cases) budget.add(one.charts);
  for (std::size_t i = 0; i < comparison.cases.size(); ++i) put_compared_case(page, comparison, i, budget);
  put_only_names(page, "A", comparison.only_a);
  put_only_names(page, "B", comparison.only_b);
  return page.finish();
}

}  // namespace gate::render
