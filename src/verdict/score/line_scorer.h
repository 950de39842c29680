// What all scorers of text keep: how many lines differ, the first of them and the worst.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "gate/score/text_score.h"

namespace gate::score {

class LineScorer : public TextScorer {
 public:
  explicit LineScorer(const TextOptions& options);

  void add(std::string_view actual, std::span<const std::string_view> golden) final;
  Score score() const final;

 protected:
  // Add a line, and return what it is worth alone, unless it has no value. `is_same`: it is one of its golden
  // lines to the byte; its value is not looked at.
  virtual std::optional<double> add_line(std::string_view actual, std::span<const std::string_view> golden,
                                         bool is_same) = 0;

  // Return what all lines are worth, of which there is one at least; and how that was computed.
  virtual double total() const = 0;
  virtual std::string signature() const = 0;

  std::int64_t lines() const { return compared_; }

 private:
  void note(std::string_view actual, std::string_view golden, std::optional<double> value);

  Better better_;
  std::int64_t compared_ = 0, differing_ = 0;
  std::optional<OutputDifference> first_, worst_;
};

}  // namespace gate::score
