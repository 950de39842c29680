#pragma once

#include <string>
#include <vector>

#include "digits.h"
#include "writer.h"

namespace bench {

// What was printed of one metric: how many values, and the first and the last as words.
struct Tally {
  std::string metric = {};
  std::int64_t count = 0;
  Word first = {};
  Word last = {};
};

// Lines of a trainer that no built-in format knows, `TIME INFO trainer: step=12 loss=2.3145 grad_norm=0.512
// ...`, and lines of Megatron. Values are plain decimals, that of lr has an exponent; steps rise from 1.
class MetricLines {
 public:
  MetricLines();

  // Write a line without its end that holds all eight metrics.
  void house(Writer& out, Dice& dice, std::string_view time);

  // Write a line without its end that holds all eight metrics, or four of them.
  void house_some(Writer& out, Dice& dice, std::string_view time);

  // Write an iteration line of Megatron, without its end.
  void megatron(Writer& out, Dice& dice, std::string_view time);

  // Begin the steps anew: the next line is of step `first`.
  void restart(std::uint64_t first) { step_ = first - 1; }

  // Return the step of the last line.
  std::uint64_t step() const { return step_; }

  // Write a line without its end that holds the literals of all eight and no number behind any.
  static void candidate(Writer& out);

  // Return what was printed, of each metric of which something was.
  std::vector<Tally> tallies() const;

 private:
  void house(Writer& out, Dice& dice, std::string_view time, unsigned set);
  void value(Writer& out, Dice& dice, std::size_t metric);

  std::uint64_t step_ = 0;
  std::vector<Tally> tallies_;
};

}  // namespace bench
