#include "gate/render/compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/base/columns.h"
#include "gate/base/text.h"
#include "gate/model/decimal.h"
#include "gate/model/step_set.h"
#include "gate/words/values.h"
#include "render/text/compare_fold.h"

namespace gate::render {

namespace {

using Rows = std::vector<std::vector<std::string>>;

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

std::string shown_delta(const Reduced& values) {
  return values.delta_percent ? words::percent_text(values.delta_percent) : words::signed_text(values.delta);
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
  return {printable(name_of(fold), longest_name),
          difference.common > 0 ? std::to_string(difference.common) : "",
          values ? values->what : "",
          values ? six_digits(values->a) : "",
          values ? six_digits(values->b) : "",
          values ? shown_delta(*values) : "",
          difference_words(*fold.shown)};
}

std::string values_words(const DifferentAt& at) {
  return words::value_text(at.a) + " -> " + words::value_text(at.b) +
         (at.delta ? " (" + words::signed_text(at.delta) + ")" : "");
}

std::string rank_words(const ComparedFold& fold) {
  return fold.ranks.size() > 1 ? ", rank " + std::to_string(*fold.shown->rank) : "";
}

std::string fold_moved_words(const ComparedFold& fold) {
  const ComparedSeries& series = *fold.shown;
  const Difference& difference = series.difference;
  if (!difference.first) return "";
  const auto& largest = difference.largest;
  const std::string noun = noun_of(series);
  std::string words = "differs at " + std::to_string(difference.common - difference.equal) + " of " +
                      count_of(difference.common, noun) + rank_words(fold) + "; first " + noun + " " +
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
         printable(to_string(StepSet(numbers)), longest_ranges);
}

// Metrics that the same is said of share a line.
class Lines {
 public:
  void put(const ComparedFold& fold, const std::string& words) {
    if (words.empty()) return;
    const auto known = std::ranges::find(lines_, words, &Line::first);
    Line& line = known == lines_.end() ? lines_.emplace_back(words, std::vector<std::string>{}) : *known;
    line.second.push_back(name_of(fold));
  }

  std::vector<std::string> all() const {
    constexpr std::size_t most = 10;
    std::vector<std::string> all;
    for (const auto& [words, names] : lines_)
      all.push_back(printable(some_of(names, most), longest_name) + ": " + words);
    return all;
  }

 private:
  using Line = std::pair<std::string, std::vector<std::string>>;
  std::vector<Line> lines_;
};

std::string odd_words(const std::string& side, const std::string& words) {
  return words.empty() ? "" : "in " + side + " " + printable(words, longest_ranges);
}

std::vector<std::string> lines_of(const std::vector<ComparedFold>& folds) {
  Lines lines;
  for (const ComparedFold& fold : folds) lines.put(fold, fold_moved_words(fold));
  for (const ComparedFold& fold : folds) {
    const ComparedSeries& series = *fold.shown;
    const Difference& difference = series.difference;
    lines.put(fold, only_words(series, difference.only_a, "A"));
    lines.put(fold, only_words(series, difference.only_b, "B"));
    lines.put(fold, odd_words("A", difference.odd_a));
    lines.put(fold, odd_words("B", difference.odd_b));
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
  Rows rows;
  for (const std::string& line : lines) rows.push_back({"", line});
  return rows.empty() ? "" : table(rows, style);
}

std::string compared_case_text(const ComparedCase& compared, const Style& style) {
  const std::string title = printable(compared.name, longest_name) + verdict_words(compared);
  std::string out = title.empty() ? "\n" : "\n" + inert(title) + "\n";
  if (!compared.series.empty()) out += table(compare_rows(compared), style);
  return out + lines_of(compare_details(compared), style);
}

std::string only_cases(const std::vector<std::string>& names, const std::string& side) {
  constexpr std::size_t most = 10;
  if (names.empty()) return "";
  return "\ncases only in " + side + ": " + inert(printable(some_of(names, most), 2000)) + "\n";
}

}  // namespace

std::string side_words(const ComparedSide& side) {
  const std::string word = printable(side.word, longest_name);
  const std::string path = side.path == side.word ? "" : " (" + printable(side.path, longest_name) + ")";
  return std::string(side_kind_word(side.kind)) + " " + word + path;
}

Rows compare_rows(const ComparedCase& compared) {
  Rows rows{{"metric", "both", "value", "A", "B", "delta", "first difference"}};
  for (const ComparedFold& one : fold(compared)) rows.push_back(fold_row(one));
  return rows;
}

std::vector<std::string> compare_details(const ComparedCase& compared) {
  constexpr std::size_t most = 20;
  std::vector<std::string> lines = lines_of(fold(compared));
  if (!compared.only_a.empty())
    lines.push_back("only in A: " + printable(some_of(compared.only_a, most), 2000));
  if (!compared.only_b.empty())
    lines.push_back("only in B: " + printable(some_of(compared.only_b, most), 2000));
  for (const std::string& note : compared.notes) lines.push_back("note: " + printable(note));
  return lines;
}

std::string compare_text(const Comparison& comparison, const Style& style) {
  std::string out = inert("A  " + side_words(comparison.a) + "\nB  " + side_words(comparison.b) + "\n");
  if (!style.quiet)
    for (const ComparedCase& one : comparison.cases) out += compared_case_text(one, style);
  out += only_cases(comparison.only_a, "A") + only_cases(comparison.only_b, "B");
  return out + "\n" + inert(compare_closing(comparison)) + "\n";
}

}  // namespace gate::render
