#include "score/line_scorer.h"

#include <algorithm>

#include "score/code_points.h"

namespace gate::score {

namespace {

constexpr std::size_t most_bytes_shown = 2000;

std::string shown_line(std::string_view line) {
  std::size_t end = 0;
  while (end < line.size()) {
    const std::size_t next = end + code_point_at(line, end).length;
    if (next > most_bytes_shown) break;
    end = next;
  }
  return std::string(line.substr(0, end));
}

}  // namespace

LineScorer::LineScorer(const TextOptions& options) : better_(find_metric(options.metric)->better) {}

void LineScorer::add(std::string_view actual, std::span<const std::string_view> golden) {
  ++compared_;
  const bool is_same = std::ranges::find(golden, actual) != golden.end();
  const std::optional<double> value = add_line(actual, golden, is_same);
  if (!is_same) note(actual, golden.front(), value);
}

void LineScorer::note(std::string_view actual, std::string_view golden, std::optional<double> value) {
  ++differing_;
  const bool is_worse =
      value && (!worst_ || (better_ == Better::higher ? *value < *worst_->value : *value > *worst_->value));
  if (first_ && !is_worse) return;
  const OutputDifference difference{compared_, shown_line(actual), shown_line(golden), value,
                                    common_start(actual, golden)};
  if (!first_) first_ = difference;
  if (is_worse) worst_ = difference;
}

Score LineScorer::score() const {
  return {compared_ == 0 ? 0 : total(), signature(), compared_, differing_, first_, worst_ ? worst_ : first_};
}

}  // namespace gate::score
