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

// A case, beside A on each side that has it.
using PageCase = std::vector<const ComparedCase*>;

double worst_moved(const PageCase& pairs) {
  double moved = 0;
  for (const ComparedCase* one : pairs) moved = std::max(moved, worst_of(*one).moved);
  return moved;
}

// The farthest apart first.
std::vector<PageCase> cases_of(const std::vector<Comparison>& comparisons) {
  std::vector<PageCase> cases;
  for (const Comparison& comparison : comparisons) {
    for (const ComparedCase& one : comparison.cases) {
      const auto known =
          std::ranges::find_if(cases, [&](const PageCase& pairs) { return pairs.front()->name == one.name; });
      (known == cases.end() ? cases.emplace_back() : *known).push_back(&one);
    }
  }
  std::ranges::stable_sort(cases, std::greater{}, worst_moved);
  return cases;
}

// The curves of A and of the side at the place beside it, of the first metric in which the two differ. The
// charts are those of the first pair.
Cell compared_spark(const PageCase& pairs, std::size_t place) {
  const auto differs = [&](const ComparedSeries& series) { return series.difference.first.has_value(); };
  for (const Chart& chart : pairs.front()->charts) {
    const auto is_of_chart = [&](const ComparedSeries& series) {
      return series.metric == chart.title && differs(series);
    };
    if (!chart.red || std::ranges::none_of(pairs[place]->series, is_of_chart)) continue;
    Chart of_pair = chart;
    std::erase_if(of_pair.curves,
                  [&](const Curve& curve) { return curve.side > 1 && curve.side != place + 2; });
    Cell cell{chart.title};
    cell.spark = spark_of(of_pair);
    return cell;
  }
  return {};
}

Sentence case_title(const ComparedCase& one) {
  return one.name.empty() ? say({"side by side", "并排"}) : as_is(one.name);
}

// Which side is beside A is told where there are several.
void put_compared_overview(HtmlPage& page, const std::vector<PageCase>& cases, bool is_of_several) {
  std::vector<Sentence> head{say({"case", "用例"}), say({"verdicts", "判定"}),
                             say({"metrics that differ", "不同的指标"}), say({"farthest apart", "相差最大"}),
                             say({"curves", "曲线"})};
  std::vector<std::vector<Cell>> rows;
  for (const PageCase& pairs : cases) {
    for (std::size_t place = 0; place < pairs.size(); ++place) {
      const ComparedCase* const one = pairs[place];
      const ComparedCount count = count_of_metrics(*one);
      const WorstMetric worst = worst_of(*one);
      rows.push_back({{case_title(*one), case_id(one->name)},
                      {both_verdicts(*one), "", one->changed() ? Tone::warn : Tone::plain},
                      {say({"{} of {}", "{}/{}"}, count.different, count.metrics), "",
                       count.different > 0 ? Tone::warn : Tone::good},
                      {worst.words},
                      compared_spark(pairs, place)});
      if (!worst.words.empty()) rows.back()[3].order = std::min(worst.moved, 1e12);
      if (is_of_several) rows.back().insert(rows.back().begin() + 1, Cell{one->second});
    }
  }
  if (is_of_several) head.insert(head.begin() + 1, say({"beside A", "与 A 比较"}));
  if (rows.size() > 1) page.table(head, rows, HtmlPage::Filter::yes);
}

void put_compared_table(HtmlPage& page, const ComparedCase& one) {
  const TextRows rows = compare_rows(one);
  std::vector<std::vector<Cell>> cells(rows.size() - 1);
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (const Sentence& text : rows[i + 1]) cells[i].push_back({text});
  if (!cells.empty()) page.table(rows.front(), cells);
  page.list(compare_details(one));
}

// Of several sides each says which it is.
Sentence differ_words(const ComparedCase& one, bool is_of_several) {
  const ComparedCount count = count_of_metrics(one);
  return (is_of_several ? one.second + colon : Sentence()) +
         say({"{} of {} differ", "{1} 个中有 {0} 个不同"}, count.different, count.metrics);
}

Sentence beside_words(const ComparedCase& one) { return say({"{} beside A", "{} 与 A"}, one.second); }

void put_compared_case(HtmlPage& page, const PageCase& pairs, bool is_only, bool is_of_several,
                       ChartBudget& budget) {
  const ComparedCase& first = *pairs.front();
  budget.next(first.charts);
  std::vector<Sentence> differ, verdicts;
  bool different = false;
  for (const ComparedCase* one : pairs) {
    different |= count_of_metrics(*one).different > 0;
    differ.push_back(differ_words(*one, is_of_several));
    if (const Sentence both = both_verdicts(*one); !both.empty())
      verdicts.push_back((is_of_several ? one->second + colon : Sentence()) + both);
  }
  page.section(case_id(first.name), different ? Tone::warn : Tone::good, join(differ, comma),
               case_title(first), join(verdicts, comma),
               different || is_only ? HtmlPage::Shown::open : HtmlPage::Shown::closed);
  for (const ComparedCase* one : pairs) {
    if (is_of_several) page.heading(beside_words(*one));
    put_compared_table(page, *one);
  }
  page.charts(first.charts, budget);
  page.section_end();
}

void put_only_names(HtmlPage& page, const Sentence& side, const std::vector<std::string>& names) {
  if (names.empty()) return;
  page.heading(say({"cases only in {}", "仅 {} 有的用例"}, side));
  page.list(sentences_of(names));
}

void put_only_names(HtmlPage& page, const Comparison& comparison, bool is_of_several) {
  const Sentence beside = is_of_several ? say({"A, and not {}", "A（{} 没有）"}, comparison.second) : "A";
  put_only_names(page, beside, comparison.only_a);
  put_only_names(page, comparison.second, comparison.only_b);
}

}  // namespace

std::string compare_html(const std::vector<Comparison>& comparisons, Language language) {
  const bool is_of_several = comparisons.size() > 1;
  const std::vector<Sentence> closings = compare_closings(comparisons);
  HtmlPage page(closings.front(), language);
  for (std::size_t i = 0; i < closings.size(); ++i)
    page.banner(is_same(comparisons[i]) ? Tone::good : Tone::warn, closings[i]);
  page.list(sides_of(comparisons));
  for (const Comparison& one : comparisons) page.list(triage_lines(one.triage));
  const std::vector<PageCase> cases = cases_of(comparisons);
  put_compared_overview(page, cases, is_of_several);
  ChartBudget budget(cases.size());
  for (const PageCase& pairs : cases)
    put_compared_case(page, pairs, cases.size() == 1, is_of_several, budget);
  for (const Comparison& one : comparisons) put_only_names(page, one, is_of_several);
  return page.finish();
}

}  // namespace gate::render
