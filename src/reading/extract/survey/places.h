// Where the numbers of lines of one shape belong: which of them is the step, the epoch, the rank.
//
// A name is a hint and no proof: of `Epoch:[1/1](20/4292)` the first bracket looks like a step and stands
// still, and `Batch 0/100` counts behind the slash. So each candidate is read on all the lines. The step is
// what rises from line to line; else what rises within each epoch, while the epoch rises where it falls.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extract/scan/printed_numbers.h"
#include "gate/model/numbers/metric.h"

namespace gate::extract {

// How lines tell where a number belongs.
struct LinePlaces {
  PlacePatterns patterns;           // without a step: nothing in these lines tells one
  Pick pick = Pick::none;           // the last one of drawings that are drawn over
  std::vector<std::int64_t> steps;  // of the lines, as they will be numbered; -1: not read

  bool has_step() const { return !steps.empty(); }
};

// Return the likeliest places of the lines, of which the first is the example. `is_drawn`: most of them are
// drawings of a progress bar. `measured`: where numbers of the example begin that are a loss, a speed or
// memory, which count nothing.
LinePlaces find_places(std::span<const std::string_view> lines, bool is_drawn,
                       std::span<const char* const> measured = {});

// Return the place of the column that is the step of the rows, the likeliest; nothing where none rises.
// names: of the columns, "" of those without; rank: that of the ranks, each of which has steps of its own.
std::optional<std::size_t> step_column(const std::vector<std::vector<std::string>>& rows,
                                       std::span<const std::string> names, std::optional<std::size_t> rank);

// Tell whether the numbers rise from each to the next; a single one does.
bool rises(std::span<const std::int64_t> numbers);

}  // namespace gate::extract
