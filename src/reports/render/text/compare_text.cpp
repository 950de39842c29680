#include "gate/render/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "gate/base/columns.h"
#include "gate/base/text.h"
#include "gate/model/numbers/decimal.h"
#include "gate/model/numbers/step_set.h"
#include "gate/words/remarks.h"
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

// Which values of a series stand in its row: those that a check compares, else the means over all that both
// have; none where there are none.
std::optional<Reduced> shown_values(const ComparedSeries& series) {
  if (series.reduced) return *series.reduced;
  const Difference& difference = series.difference;
  if (!difference.mean_a || !difference.mean_b) return std::nullopt;
  return Reduced{.rule = "",
                 .what = "",
                 .over = words::reduced_over(say({"mean", "均值"}), difference.finite_at),
                 .a = *difference.mean_a,
                 .b = *difference.mean_b,
                 .delta = difference.delta,
                 .delta_percent = difference.delta_percent};
}

// Return what keeps the means from saying how far apart the series are: nan, inf; nothing where nothing does.
const std::optional<Value>& no_delta(const ComparedSeries& series) {
  static const std::optional<Value> none;
  return series.reduced ? none : series.difference.no_number;
}

// How far B is from A, in percent; beyond all where that cannot be told.
double percent_apart(const ComparedSeries& series) {
  if (no_delta(series)) return std::numeric_limits<double>::infinity();
  const auto values = shown_values(series);
  if (values && values->delta && values->delta->is_finite() && values->delta->number.is_zero()) return 0;
  return values && values->delta_percent ? std::abs(*values->delta_percent)
                                         : std::numeric_limits<double>::infinity();
}

// Return the series folded by metric, by how many numbers they share, and by where they first differ: the
// farthest apart first, and what is the same last.
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
  std::ranges::stable_sort(folds, {}, [](const ComparedFold& one) {
    const ComparedSeries& series = *one.shown;
    const bool own_clock = series.measured_by == MeasuredBy::gate;
    return series.same() ? std::pair(own_clock ? 2 : 1, 0.0) : std::pair(0, -percent_apart(series));
  });
  return folds;
}

// Return `memory_allocated ranks 0-7`.
Sentence name_of_fold(const ComparedFold& fold) {
  const Sentence rank(fold.ranks.size() == 1 ? " rank " : " ranks ", " rank ");
  return as_is(fold.shown->metric) +
         (fold.ranks.empty() ? Sentence() : rank + as_is(to_string(StepSet(fold.ranks))));
}

constexpr std::size_t longest_ranges = 60;
constexpr std::size_t longest_name = 200;

Sentence text_cut(const Sentence& text, std::size_t most) {
  return text.with([&](const std::string& in) { return printable(in, most); });
}

// What stands at a number of the series, and how many of these there are: `step 7`, `3 steps`.
Sentence place_text(const ComparedSeries& series, std::int64_t number) {
  if (series.numbered_a == Numbering::time) return say({"value {}", "第 {} 个值"}, number);
  return words::number_text(number, series.numbered_a);
}

Sentence places_text(const ComparedSeries& series, std::int64_t count) {
  if (series.numbered_a == Numbering::time) return count_of(count, "value", "个值");
  return words::count_text(count, series.numbered_a);
}

std::string six_digits(const Value& value) {
  return value.is_finite() ? fmt::format("{:.6g}", value.number.to_double()) : words::value_text(value);
}

Sentence difference_words(const ComparedSeries& series, const std::string& second) {
  const Difference& difference = series.difference;
  if (series.numbered_a != series.numbered_b)
    return say({"by {0} in A, by {1} in {2}", "A 按{0}编号，{2} 按{1}编号"},
               words::noun_text(series.numbered_a), words::noun_text(series.numbered_b), second);
  if (series.numbered_a == Numbering::time)
    return say({"means only: numbered by time", "只有均值：按时间编号"});
  if (difference.common == 0)
    return say({"no {} in common", "没有共同的{}"}, words::noun_text(series.numbered_a));
  if (!difference.first && difference.common == 1) return say({"equal", "相等"});
  if (!difference.first)
    return say({"equal at all {}", "{}全部相等"}, places_text(series, difference.common));
  return place_text(series, difference.first->number);
}

std::string delta_in_row(const ComparedSeries& series) {
  if (const std::optional<Value>& value = no_delta(series)) return words::value_text(*value);
  const std::optional<Reduced> values = shown_values(series);
  if (!values) return "";
  return values->delta_percent ? words::percent_text(values->delta_percent)
                               : words::signed_text(values->delta);
}

TextRow fold_row(const ComparedFold& fold, const std::string& second) {
  const Difference& difference = fold.shown->difference;
  const std::optional<Reduced> values = shown_values(*fold.shown);
  return {text_cut(name_of_fold(fold), longest_name),
          difference.common > 0 ? std::to_string(difference.common) : "",
          values ? values->over : Sentence(),
          values ? six_digits(values->a) : "",
          values ? six_digits(values->b) : "",
          delta_in_row(*fold.shown),
          difference_words(*fold.shown, second)};
}

std::string values_words(const DifferentAt& at) {
  return words::value_text(at.a) + " -> " + words::value_text(at.b) +
         (at.delta ? " (" + words::signed_text(at.delta) + ")" : "");
}

Sentence fold_moved_words(const ComparedFold& fold) {
  const ComparedSeries& series = *fold.shown;
  const Difference& difference = series.difference;
  if (!difference.first) return {};
  const auto& largest = difference.largest;
  std::vector<Sentence> words{
      say({"differs at {} of {}", "{1}中有 {0} 处不同"}, difference.common - difference.equal,
          places_text(series, difference.common)) +
          (fold.ranks.size() > 1 ? comma + as_is("rank " + std::to_string(*series.rank)) : Sentence()),
      say({"first {}: {}", "首处{}：{}"}, place_text(series, difference.first->number),
          values_words(*difference.first))};
  if (largest && largest->number != difference.first->number)
    words.push_back(
        say({"largest {}: {}", "最大处{}：{}"}, place_text(series, largest->number), values_words(*largest)));
  if (series.beyond)
    words.push_back(say({"beyond {0} of rule {1} from {2}: {3}", "从{2}起超出规则 {1} 的 {0}：{3}"},
                        series.beyond->tolerance, printable(series.beyond->rule, 60),
                        place_text(series, series.beyond->at.number), values_words(series.beyond->at)));
  return join(words, semicolon);
}

Sentence only_words(const ComparedSeries& series, const std::vector<std::int64_t>& numbers,
                    const std::string& side) {
  if (numbers.empty()) return {};
  return say({"{0} only in {1}: {2}", "仅 {1} 有 {0}：{2}"},
             places_text(series, static_cast<std::int64_t>(numbers.size())), side,
             text_cut(words::ranges_text(StepSet(numbers)), longest_ranges));
}

// Metrics that the same is said of share a line.
class SharedLines {
 public:
  void add(const ComparedFold& fold, const Sentence& words) {
    if (words.empty()) return;
    const auto known = std::ranges::find(lines_, words, &SharedLine::first);
    SharedLine& line = known == lines_.end() ? lines_.emplace_back(words, std::vector<Sentence>{}) : *known;
    line.second.push_back(name_of_fold(fold));
  }

  std::vector<Sentence> all() const {
    constexpr std::size_t most = 10;
    std::vector<Sentence> all;
    for (const SharedLine& one : lines_)
      all.push_back(text_cut(first_of(one.second, most), longest_name) + colon + one.first);
    return all;
  }

 private:
  using SharedLine = std::pair<Sentence, std::vector<Sentence>>;
  std::vector<SharedLine> lines_;
};

Sentence non_finite_words(const std::string& side, const std::string& words) {
  if (words.empty()) return {};
  return say({"in {} {}", "{} 中 {}"}, side, Sentence(printable(words, longest_ranges)));
}

std::vector<Sentence> lines_of(const std::vector<ComparedFold>& folds, const std::string& second) {
  SharedLines lines;
  for (const ComparedFold& fold : folds) lines.add(fold, fold_moved_words(fold));
  for (const ComparedFold& fold : folds) {
    const ComparedSeries& series = *fold.shown;
    const Difference& difference = series.difference;
    lines.add(fold, only_words(series, difference.only_a, "A"));
    lines.add(fold, only_words(series, difference.only_b, second));
    lines.add(fold, non_finite_words("A", difference.non_finite_a));
    lines.add(fold, non_finite_words(second, difference.non_finite_b));
  }
  return lines.all();
}

Sentence verdict_words(const ComparedCase& compared) {
  if (!compared.a && !compared.b) return {};
  if (!compared.a || !compared.b)
    return say({"  {} in {}", "  {1} 中{0}"}, words::verdict_text(compared.a ? *compared.a : *compared.b),
               compared.a ? "A" : compared.second);
  const Sentence a = words::verdict_text(*compared.a), b = words::verdict_text(*compared.b);
  if (a == b) return say({"  {} in both", "  两边都是{}"}, a);
  return say({"  {} -> {}", "  {} -> {}"}, a, b);
}

// A line is wrapped as the only column of a table is.
std::string lines_of(const std::vector<Sentence>& lines, const Style& style) {
  TextRows rows;
  for (const Sentence& line : lines) rows.push_back({"", line});
  return rows.empty() ? "" : table(rows, style);
}

std::string compared_case_text(const ComparedCase& compared, const Style& style) {
  const std::string title =
      (as_is(printable(compared.name, longest_name)) + verdict_words(compared)).in(style.language);
  std::string out = title.empty() ? "\n" : "\n" + inert(title) + "\n";
  if (!compared.series.empty()) out += table(compare_rows(compared), style);
  return out + lines_of(compare_details(compared), style);
}

std::string triage_page(const Comparison& comparison, const Style& style) {
  TextPage page(style);
  for (const Sentence& line : triage_lines(comparison.triage)) page.wrapped(line, 2);
  return page.text();
}

std::string only_cases(const std::vector<std::string>& names, const std::string& side, Language language) {
  constexpr std::size_t most = 10;
  if (names.empty()) return "";
  const Sentence shown = text_cut(first_of(sentences_of(names), most), 2000);
  return "\n" + inert(say({"cases only in {}: {}", "仅 {} 有的用例：{}"}, side, shown).in(language)) + "\n";
}

// Of several, what is beside A stands above.
std::string comparison_text(const Comparison& comparison, const Style& style, bool is_of_several) {
  const std::string moved = triage_page(comparison, style);
  std::string out = moved.empty() ? "" : "\n" + moved;
  if (!style.quiet)
    for (const ComparedCase& one : comparison.cases) out += compared_case_text(one, style);
  out += only_cases(comparison.only_a, "A", style.language);
  out += only_cases(comparison.only_b, comparison.second, style.language);
  if (!is_of_several || out.empty()) return out;
  return "\n" + say({"{} beside A", "{} 与 A"}, comparison.second).in(style.language) + "\n" + out;
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

Sentence first_difference(const Comparison& comparison) {
  Earliest earliest;
  for (const ComparedCase& one : comparison.cases)
    for (const ComparedSeries& series : one.series) earliest.consider(one, series);
  if (earliest.series == nullptr) return {};
  const ComparedSeries& series = *earliest.series;
  const std::string name = comparison.cases.size() > 1 ? printable(earliest.compared->name, 100) + " " : "";
  const std::string rank = series.rank ? " rank " + std::to_string(*series.rank) : "";
  return say({", first at {} {}", "，首处在 {} {}"}, name + printable(series.metric, 100) + rank,
             words::number_text(series.difference.first->number, series.numbered_a));
}

void put_only_words(std::vector<Sentence>& words, std::size_t count, const Sentence& counted,
                    const std::string& side) {
  if (count > 0) words.push_back(say({"{0} only in {1}", "仅 {1} 有 {0}"}, counted, side));
}

Sentence cases_words(std::size_t count) {
  return count_of(static_cast<std::int64_t>(count), "case", "个用例");
}

Sentence series_words(std::size_t count) { return say({"{} series", "{} 条序列"}, count); }

// Verdicts, and what only one side has.
Sentence further_differences(const Comparison& comparison) {
  const std::string& second = comparison.second;
  std::size_t a = 0, b = 0;
  std::int64_t changed = 0;
  for (const ComparedCase& one : comparison.cases)
    a += one.only_a.size(), b += one.only_b.size(), changed += one.changed() ? 1 : 0;
  std::vector<Sentence> words;
  if (changed > 0) words.push_back(say({"{} changed", "{}改变"}, count_of(changed, "verdict", "个判定")));
  put_only_words(words, comparison.only_a.size(), cases_words(comparison.only_a.size()), "A");
  put_only_words(words, comparison.only_b.size(), cases_words(comparison.only_b.size()), second);
  put_only_words(words, a, series_words(a), "A");
  put_only_words(words, b, series_words(b), second);
  return words.empty() ? Sentence() : semicolon + join(words, comma);
}

Sentence kind_words(SideKind kind) {
  switch (kind) {
    case SideKind::run:
      return say({"run", "运行"});
    case SideKind::log:
      return say({"log", "日志"});
    case SideKind::baseline:
      return say({"baseline", "基线"});
  }
  return {};
}

Sentence side_words(const ComparedSide& side) {
  const Sentence named = say({"{} {}", "{} {}"}, kind_words(side.kind), printable(side.word, longest_name));
  return side.path == side.word ? named
                                : named + say({" ({})", "（{}）"}, printable(side.path, longest_name));
}

}  // namespace

WorstMetric worst_of(const ComparedCase& compared) {
  const std::vector<ComparedFold> folds = fold_ranks(compared);
  if (folds.empty() || folds.front().shown->same()) return {};
  const ComparedFold& worst = folds.front();
  return {text_cut(name_of_fold(worst), longest_name) + " " + delta_in_row(*worst.shown),
          percent_apart(*worst.shown)};
}

TextRows compare_rows(const ComparedCase& compared) {
  TextRows rows{{say({"metric", "指标"}), say({"both", "共有"}), say({"value", "聚合"}), "A", compared.second,
                 say({"delta", "差值"}), say({"first difference", "首处不同"})}};
  for (const ComparedFold& one : fold_ranks(compared)) rows.push_back(fold_row(one, compared.second));
  return rows;
}

std::vector<Sentence> compare_details(const ComparedCase& compared) {
  constexpr std::size_t most = 20;
  std::vector<Sentence> lines = lines_of(fold_ranks(compared), compared.second);
  const auto add_only = [&](const std::vector<std::string>& names, const std::string& side) {
    if (names.empty()) return;
    lines.push_back(
        say({"only in {}: {}", "仅 {} 有：{}"}, side, text_cut(first_of(sentences_of(names), most), 2000)));
  };
  add_only(compared.only_a, "A");
  add_only(compared.only_b, compared.second);
  for (const Sentence& note : compared.notes)
    lines.push_back(say({"note: {}", "说明：{}"}, text_cut(note, 400)));
  return lines;
}

std::vector<Sentence> sides_of(const std::vector<Comparison>& comparisons) {
  std::vector<Sentence> sides{"A  " + side_words(comparisons.front().a)};
  for (const Comparison& one : comparisons) sides.push_back(one.second + "  " + side_words(one.b));
  return sides;
}

std::vector<Sentence> compare_closings(const std::vector<Comparison>& comparisons) {
  if (comparisons.size() == 1) return {compare_closing(comparisons.front())};
  std::vector<Sentence> lines;
  for (const Comparison& one : comparisons) lines.push_back(one.second + "  " + compare_closing(one));
  return lines;
}

std::string compare_text(const std::vector<Comparison>& comparisons, const Style& style) {
  std::string out;
  const auto put = [&](const Sentence& text) { out += inert(text.in(style.language)) + "\n"; };
  for (const Sentence& side : sides_of(comparisons)) put(side);
  for (const Comparison& one : comparisons) out += comparison_text(one, style, comparisons.size() > 1);
  out += "\n";
  for (const Sentence& closing : compare_closings(comparisons)) put(closing);
  return out;
}

ComparedCount count_of_metrics(const ComparedCase& compared) {
  std::map<std::string, bool> metrics;
  for (const ComparedSeries& series : compared.series) metrics[series.metric] |= !series.same();
  const auto different = std::ranges::count_if(metrics, [](const auto& one) { return one.second; });
  return {metrics.size(), static_cast<std::size_t>(different)};
}

Sentence compare_closing(const Comparison& comparison) {
  if (!has_common(comparison))
    return say({"NOT COMPARABLE: no metric has a number that both have{}",
                "无法比较：没有一个指标有两边共有的编号{}"},
               further_differences(comparison));
  std::size_t metrics = 0, different = 0, cases = 0;
  std::vector<Sentence> without;
  for (const ComparedCase& one : comparison.cases) {
    const ComparedCount count = count_of_metrics(one);
    metrics += count.metrics;
    different += count.different;
    cases += count.different > 0 ? 1 : 0;
    if (!has_common(one)) without.emplace_back(one.name);
  }
  const Sentence all = count_of(static_cast<std::int64_t>(metrics), "metric", "个指标");
  const Sentence all_cases = cases_words(comparison.cases.size());
  const bool single = comparison.cases.size() == 1;
  constexpr std::size_t most_without = 5;
  if (is_same(comparison))
    return say({"SAME: {}{}{}", "相同：{}{}{}"}, all,
               single ? Sentence() : say({" in {}", "，{}"}, all_cases),
               without.empty() ? Sentence()
                               : say({"; nothing to compare in {}", "；无可比较的用例：{}"},
                                     text_cut(first_of(without, most_without), 400)));
  return say({"DIFFERENT: {} of {}{}{}{}", "不同：{1}中有 {0} 个{2}{3}{4}"}, different, all,
             single ? Sentence() : say({" in {} of {}", "，{1}中有 {0} 个"}, cases, all_cases),
             first_difference(comparison), further_differences(comparison));
}

}  // namespace gate::render
