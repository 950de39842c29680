// What a printed name probably measures: for proposals to a person, who corrects them. Nothing is judged by
// it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/model/numbers/metric.h"

namespace gate {

// What a number with a name is guessed to be.
struct GuessedMetric {
  Metric metric;             // name, unit, kind and better side
  bool is_progress = false;  // it tells how far the run is (step, epoch, eta, elapsed time): no rule fits it
  bool is_since_start = false;  // its name is one of a clock that runs since the start: `train_time`
  int place = 0;                // how much it says of a training, the most first: a loss is 0
};

// Return the guess for a name and a unit as a log prints them, `Train Loss`, `tok/s`; either may be "". The
// loss of the training is `lm_loss`; other names are in small letters with `_` between their words. A unit in
// the name counts where none is given.
GuessedMetric guess_metric(std::string_view name, std::string_view unit);

// Return the words of a name in small letters: `train/Loss_1` -> train, loss, 1.
std::vector<std::string> name_words(std::string_view name);

// Tell whether a person would call a number of that name a loss: its last word is, and none of the others
// says that it scales, masks or weighs one. `train_loss` and `Loss is`, but not `loss scale` and `aux loss
// weight`.
bool is_called_loss(std::string_view name);

// Tell whether the word is a unit: `ms`, `GiB`, `%`, `tok/s`; and whether it is one of work by time: `tok/s`.
bool is_unit(std::string_view word);
bool is_rate(std::string_view word);

// Tell whether it is one of time: `ms`; and whether it is one of time by work: `ms/step`.
bool is_time_unit(std::string_view word);
bool is_time_each(std::string_view word);

// Tell whether the key of an object or the name of a column, `trainer/global_step`, `state.step` or
// `Iteration`, tells which step the numbers beside it are of.
bool names_step(std::string_view key);

}  // namespace gate
