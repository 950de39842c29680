#include "gate/render/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "gate/base/columns.h"
#include "gate/base/text.h"
#include "gate/model/numbers/decimal.h"
#include "gate/model/numbers/step_set.h"
#include "gate/words/values.h"
#include "render/words/text_page.h"
#include "render/words/triage_words.h"

namespace gate::render {

namespace {

// Series of one metric whose ranks differ alike. Points into the case that it was made from.
struct ComparedFold {
  const ComparedSeries* shown = nullptr;  // the one with the largest difference
  std::vector<std::int64_t> ranks;        // rising; empty where the series name no rank
};

std::int64_t step_of(const std::optional<DifferentAt>& at) { return at ? at->number : 0; }

bool differ_equally(const ComparedSeries& a, const ComparedSeries& b) {
  const Difference &x = a.difference, &y = b.difference;
  const bool beyond = a.beyond.has_value() == b.beyond.has_value() &&
                      (!a.beyond || a.beyond->at.number == b.beyond->at.number);
  return a.metric == b.metric && a.rank && b.rank && x.common == y.common && x.only_a == y.only_a &&
         x.only_b == y.only_b && x.non_finite_a == y.non_finite_a && x.non_finite_b == y.non_finite_b &&
         beyond && x.first.has_value() == y.first.has_value() && step_of(x.first) == step_of(y.first);
}

Decimal largest_of(const ComparedSeries& series) {
  const auto& largest = series.difference.largest;
  const bool finite = largest && is_finite(largest->delta);
  return finite ? largest->delta->number.abs() : Decimal{};
}

// Return the series folded by metric, by how many numbers they share, and by where they first differ.
std::vector<ComparedFold> fold_ranks(const ComparedCase& compared) {
  std::vector<ComparedFold> folds;
  for (const ComparedSeries& series : compared.series) {
    auto it =
        std::ranges::find_if(folds, [&](const auto& known) { return differ_equally(*known.shown, series); });
    if (it == folds.end()) it = folds.insert(folds.end(), {&series, {}});
    if (largest_of(*it->shown) < largest_of(series)) it->shown = &series;
    if (series.rank) it->ranks.push_back(*series.rank);
  }
  for (ComparedFold& one : folds) std::ranges::sort(one.ranks);
  return folds;
}

// Return `memory_allocated ranks 0-7`.
std::string name_of_fold(const ComparedFold& fold) {
  const std::string rank = fold.ranks.size() == 1 ? " rank " : " ranks ";
  return fold.shown->metric + (fold.ranks.empty() ? "" : rank + to_string(StepSet(fold.ranks)));
}

constexpr std::size_t longest_ranges = 60;
constexpr std::size_t longest_name = 200;

std::string noun_of(const ComparedSeries& series) {
  return series.numbered_a == Numbering::time ? "value" : std::string(to_string(series.numbered_a));
}

std::string six_digits(const Value& value) {
  return value.is_finite() ? fmt::format("{:.6g}", value.number.to_double()) : words::value_text(value);
}

// Which values of a series stand in its row: those that a check compares, else the means over all that both
// have; none where there are none.
std::optional<Reduced> shown_values(const ComparedSeries& series) {
  if (series.reduced) return *series.reduced;
  const Difference& difference = series.difference;
  if (!difference.mean_a || !difference.mean_b) return std::nullopt;
  return Reduced{.rule = "",
                 .what = "mean",
                 .a = *difference.mean_a,
                 .b = *difference.mean_b,
                 .delta = difference.delta,
                 .delta_percent = difference.delta_percent};
}

std::string difference_words(const ComparedSeries& series) {
  const Difference& difference = series.difference;
  if (series.numbered_a != series.numbered_b)
    return "by " + std::string(to_string(series.numbered_a)) + " in A, by " +
           std::string(to_string(series.numbered_b)) + " in B";
  if (series.numbered_a == Numbering::time) return "means only: numbered by time";
  if (difference.common == 0) return "no " + noun_of(series) + " in common";
  if (!difference.first && difference.common == 1) return "equal";
  if (!difference.first) return "equal at all " + count_of(difference.common, noun_of(series));
  return noun_of(series) + " " + std::to_string(difference.first->number);
}

std::vector<std::string> fold_row(const ComparedFold& fold) {
  const Difference& difference = fold.shown->difference;
  const std::optional<Reduced> values = shown_values(*fold.shown);
  std::string delta = values ? words::percent_text(values->delta_percent) : "";
  if (values && !values->delta_percent) delta = words::signed_text(values->delta);
  return {printable(name_of_fold(fold), longest_name),
          difference.common > 0 ? std::to_string(difference.common) : "",
          values ? values->what : "",
          values ? six_digits(values->a) : "",
          values ? six_digits(values->b) : "",
          delta,
          difference_words(*fold.shown)};
}

std::string values_words(const DifferentAt& at) {
  return words::value_text(at.a) + " -> " + words::value_text(at.b) +
         (at.delta ? " (" + words::signed_text(at.delta) + ")" : "");
}

std::string fold_moved_words(const ComparedFold& fold) {
  const ComparedSeries& series = *fold.shown;
  const Difference& difference = series.difference;
  if (!difference.first) return "";
  const auto& largest = difference.largest;
  const std::string noun = noun_of(series);
  const std::string rank = fold.ranks.size() > 1 ? ", rank " + std::to_string(*series.rank) : "";
  std::string words = "differs at " + std::to_string(difference.common - difference.equal) + " of " +
                      count_of(difference.common, noun) + rank + "; first " + noun + " " +
                      std::to_string(difference.first->number) + ": " + values_words(*difference.first);
  if (largest && largest->number != difference.first->number)
    words += "; largest " + noun + " " + std::to_string(largest->number) + ": " + values_words(*largest);
  if (series.beyond)
    words += "; beyond " + series.beyond->tolerance + " of rule " + printable(series.beyond->rule, 60) +
             " from " + noun + " " + std::to_string(series.beyond->at.number) + ": " +
             values_words(series.beyond->at);
  return words;
}

std::string only_words(const ComparedSeries& series, const std::vector<std::int64_t>& numbers,
                       const std::string& side) {
  if (numbers.empty()) return "";
  return count_of(static_cast<std::int64_t>(numbers.size()), noun_of(series)) + " only in " + side + ": " +
         printable(words::ranges_text(StepSet(numbers)), longest_ranges);
}

// Metrics that the same is said of share a line.
class SharedLines {
 public:
  void add(const ComparedFold& fold, const std::string& words) {
    if (words.empty()) return;
    const auto known = std::ranges::find(lines_, words, &SharedLine::first);
    SharedLine& line =
        known == lines_.end() ? lines_.emplace_back(words, std::vector<std::string>{}) : *known;
    line.second.push_back(name_of_fold(fold));
  }

  std::vector<std::string> all() const {
    constexpr std::size_t most = 10;
    return texts_of(lines_, [&](const auto& one) {
      return printable(some_of(one.second, most), longest_name) + ": " + one.first;
    });
  }

 private:
  using SharedLine = std::pair<std::string, std::vector<std::string>>;
  std::vector<SharedLine> lines_;
};

std::string non_finite_words(const std::string& side, const std::string& words) {
  return words.empty() ? "" : "in " + side + " " + printable(words, longest_ranges);
}

std::vector<std::string> lines_of(const std::vector<ComparedFold>& folds) {
  SharedLines lines;
  for (const ComparedFold& fold : folds) lines.add(fold, fold_moved_words(fold));
  for (const ComparedFold& fold : folds) {
    const ComparedSeries& series = *fold.shown;
    const Difference& difference = series.difference;
    lines.add(fold, only_words(series, difference.only_a, "A"));
    lines.add(fold, only_words(series, difference.only_b, "B"));
    lines.add(fold, non_finite_words("A", difference.non_finite_a));
    lines.add(fold, non_finite_words("B", difference.non_finite_b));
  }
  return lines.all();
}

std::string verdict_words(const ComparedCase& compared) {
  if (!compared.a && !compared.b) return "";
  if (!compared.a || !compared.b)
    return "  " + std::string(to_string(compared.a ? *compared.a : *compared.b)) +
           (compared.a ? " in A" : " in B");
  if (compared.a == compared.b) return "  " + std::string(to_string(*compared.a)) + " in both";
  return "  " + std::string(to_string(*compared.a)) + " -> " + std::string(to_string(*compared.b));
}

// A line is wrapped as the only column of a table is.
std::string lines_of(const std::vector<std::string>& lines, const Style& style) {
  TextRows rows;
  for (const std::string& line : lines) rows.push_back({"", line});
  return rows.empty() ? "" : table(rows, style);
}

std::string compared_case_text(const ComparedCase& compared, const Style& style) {
  const std::string title = printable(compared.name, longest_name) + verdict_words(compared);
  std::string out = title.empty() ? "\n" : "\n" + inert(title) + "\n";
  if (!compared.series.empty()) out += table(compare_rows(compared), style);
  return out + lines_of(compare_details(compared), style);
}

std::string wrapped_lines(const std::vector<std::string>& lines, const Style& style) {
  TextPage page(style);
  for (const std::string& line : lines) page.wrapped(line, 2);
  return page.text();
}

std::string only_cases(const std::vector<std::string>& names, const std::string& side) {
  constexpr std::size_t most = 10;
  if (names.empty()) return "";
  return "\ncases only in " + side + ": " + inert(printable(some_of(names, most), 2000)) + "\n";
}

// What differs first: accuracy before speed, which differs always.
struct Earliest {
  const ComparedCase* compared = nullptr;
  const ComparedSeries* series = nullptr;

  auto place() const {
    return std::tuple(series->kind != MetricKind::accuracy, series->difference.first->number);
  }
  void consider(const ComparedCase& one, const ComparedSeries& next) {
    if (!next.difference.first || next.same()) return;
    const Earliest other{&one, &next};
    if (series == nullptr || other.place() < place()) *this = other;
  }
};

std::string first_difference(const Comparison& comparison) {
  Earliest earliest;
  for (const ComparedCase& one : comparison.cases)
    for (const ComparedSeries& series : one.series) earliest.consider(one, series);
  if (earliest.series == nullptr) return "";
  const ComparedSeries& series = *earliest.series;
  const std::string name = comparison.cases.size() > 1 ? printable(earliest.compared->name, 100) + " " : "";
  const std::string rank = series.rank ? " rank " + std::to_string(*series.rank) : "";
  return ", first at " + name + printable(series.metric, 100) + rank + " " +
         std::string(to_string(series.numbered_a)) + " " + std::to_string(series.difference.first->number);
}

void put_only_words(std::vector<std::string>& words, std::size_t count, const std::string& noun,
                    const std::string& side) {
  const std::string counted =
      noun == "series" ? std::to_string(count) + " series" : count_of(static_cast<std::int64_t>(count), noun);
  if (count > 0) words.push_back(counted + " only in " + side);
}

// Verdicts, and what only one side has.
std::string further_differences(const Comparison& comparison) {
  std::size_t a = 0, b = 0, changed = 0;
  for (const ComparedCase& one : comparison.cases)
    a += one.only_a.size(), b += one.only_b.size(), changed += one.changed() ? 1 : 0;
  std::vector<std::string> words;
  if (changed > 0) words.push_back(count_of(static_cast<std::int64_t>(changed), "verdict") + " changed");
  put_only_words(words, comparison.only_a.size(), "case", "A");
  put_only_words(words, comparison.only_b.size(), "case", "B");
  put_only_words(words, a, "series", "A");
  put_only_words(words, b, "series", "B");
  return words.empty() ? "" : "; " + join(words, ", ");
}

}  // namespace

std::string side_words(const ComparedSide& side) {
  const std::string word = printable(side.word, longest_name);
  const std::string path = side.path == side.word ? "" : " (" + printable(side.path, longest_name) + ")";
  return std::string(side_kind_word(side.kind)) + " " + word + path;
}

TextRows compare_rows(const ComparedCase& compared) {
  TextRows rows{{"metric", "both", "value", "A", "B", "delta", "first difference"}};
  for (const ComparedFold& one : fold_ranks(compared)) rows.push_back(fold_row(one));
  return rows;
}

std::vector<std::string> compare_details(const ComparedCase& compared) {
  constexpr std::size_t most = 20;
  std::vector<std::string> lines = lines_of(fold_ranks(compared));
  if (!compared.only_a.empty())
    lines.push_back("only in A: " + printable(some_of(compared.only_a, most), 2000));
  if (!compared.only_b.empty())
    lines.push_back("only in B: " + printable(some_of(compared.only_b, most), 2000));
  for (const std::string& note : compared.notes) lines.push_back("note: " + printable(note));
  return lines;
}

std::string compare_text(const Comparison& comparison, const Style& style) {
  std::string out = inert("A  " + side_words(comparison.a) + "\nB  " + side_words(comparison.b) + "\n");
  const std::vector<std::string> moved = triage_lines(comparison.triage);
  if (!moved.empty()) out += "\n" + wrapped_lines(moved, style);
  if (!style.quiet)
    for (const ComparedCase& one : comparison.cases) out += compared_case_text(one, style);
  out += only_cases(comparison.only_a, "A") + only_cases(comparison.only_b, "B");
  return out + "\n" + inert(compare_closing(comparison)) + "\n";
}

ComparedCount count_of_metrics(const ComparedCase& compared) {
  std::map<std::string, bool> metrics;
  for (const ComparedSeries& series : compared.series) metrics[series.metric] |= !series.same();
  const auto different = std::ranges::count_if(metrics, [](const auto& one) { return one.second; });
  return {metrics.size(), static_cast<std::size_t>(different)};
}

std::string compare_closing(const Comparison& comparison) {
  if (!has_common(comparison))
    return "NOT COMPARABLE: no metric has a number that both have" + further_differences(comparison);
  std::size_t metrics = 0, different = 0, cases = 0;
  for (const ComparedCase& one : comparison.cases) {
    const ComparedCount count = count_of_metrics(one);
    metrics += count.metrics;
    different += count.different;
    cases += count.different > 0 ? 1 : 0;
  }
  const std::string all = count_of(static_cast<std::int64_t>(metrics), "metric");
  const std::string all_cases = count_of(static_cast<std::int64_t>(comparison.cases.size()), "case");
  const bool single = comparison.cases.size() == 1;
  std::vector<std::string> without;
  for (const ComparedCase& one : comparison.cases)
    if (!has_common(one)) without.push_back(one.name);
  constexpr std::size_t most_without = 5;
  if (is_same(comparison))
    return "SAME: " + all + (single ? "" : " in " + all_cases) +
           (without.empty() ? "" : "; nothing to compare in " + printable(some_of(without, most_without)));
  return "DIFFERENT: " + std::to_string(different) + " of " + all +
         (single ? "" : " in " + std::to_string(cases) + " of " + all_cases) + first_difference(comparison) +
         further_differences(comparison);
}

}  // namespace gate::render
