#include <algorithm>
#include <functional>

#include "gate/render/compare.h"
#include "gate/words/values.h"
#include "render/html/html_page.h"
#include "render/html/sketch.h"
#include "render/words/triage_words.h"

namespace gate::render {

namespace {

Sentence both_verdicts(const ComparedCase& one) {
  return one.a && one.b ? words::verdict_text(*one.a) + " -> " + words::verdict_text(*one.b) : Sentence();
}

// What differs comes first.
Cell compared_spark(const ComparedCase& one) {
  if (one.charts.empty() || !one.charts.front().red) return {};
  Cell cell{one.charts.front().title};
  cell.spark = spark_of(one.charts.front());
  return cell;
}

void put_compared_overview(HtmlPage& page, const std::vector<const ComparedCase*>& cases) {
  if (cases.size() < 2) return;
  std::vector<std::vector<Cell>> rows;
  for (const ComparedCase* one : cases) {
    const ComparedCount count = count_of_metrics(*one);
    const WorstMetric worst = worst_of(*one);
    rows.push_back({{one->name, case_id(one->name)},
                    {both_verdicts(*one), "", one->changed() ? Tone::warn : Tone::plain},
                    {say({"{} of {}", "{}/{}"}, count.different, count.metrics), "",
                     count.different > 0 ? Tone::warn : Tone::good},
                    {worst.words},
                    compared_spark(*one)});
    if (!worst.words.empty()) rows.back()[3].order = std::min(worst.moved, 1e12);
  }
  page.table({say({"case", "用例"}), say({"verdicts", "判定"}), say({"metrics that differ", "不同的指标"}),
              say({"farthest apart", "相差最大"}), say({"A and B", "A 与 B"})},
             rows, HtmlPage::Filter::yes);
}

void put_compared_table(HtmlPage& page, const ComparedCase& one) {
  const TextRows rows = compare_rows(one);
  std::vector<std::vector<Cell>> cells(rows.size() - 1);
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (const Sentence& text : rows[i + 1]) cells[i].push_back({text});
  if (!cells.empty()) page.table(rows.front(), cells);
}

void put_compared_case(HtmlPage& page, const ComparedCase& one, bool is_only, ChartBudget& budget) {
  budget.next(one.charts);
  const ComparedCount count = count_of_metrics(one);
  const bool different = count.different > 0, open = different || is_only;
  page.section(case_id(one.name), different ? Tone::warn : Tone::good,
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
  std::vector<const ComparedCase*> cases;
  for (const ComparedCase& one : comparison.cases) cases.push_back(&one);
  std::ranges::stable_sort(cases, std::greater{},
                           [](const ComparedCase* one) { return worst_of(*one).moved; });
  put_compared_overview(page, cases);
  ChartBudget budget(comparison.cases.size());
  for (const ComparedCase* one : cases) put_compared_case(page, *one, cases.size() == 1, budget);
  put_only_names(page, "A", comparison.only_a);
  put_only_names(page, "B", comparison.only_b);
  return page.finish();
}

}  // namespace gate::render
