#include "judge/selftest/mutations.h"

#include <array>

namespace gate::judge {

namespace {

constexpr std::array<Mutation, 24> mutation_list{{
    {{"reference", "the reference itself", true}, nullptr},
    {{"on_limit", "every value of the window exactly on its limit", true}, on_the_limit},
    {{"beyond_first", "one quantum beyond the limit at the first step of the window"},
     one_beyond<Place::first>},
    {{"beyond_middle", "the same at its middle step"}, one_beyond<Place::middle>},
    {{"beyond_last", "the same at its last step"}, one_beyond<Place::last>},
    {{"beyond_all", "every value of the window one quantum beyond its limit"}, window_beyond},
    {{"tenfold", "one step ten times too large, or a tenth where higher is better"}, tenfold},
    {{"four_percent", "every value 4 % to the bad side"}, four_percent},
    {{"good_attempt_last", "a bad attempt, and then a good one", true}, good_last_attempt},
    {{"bad_attempt_last", "a good attempt, and then a bad one"}, bad_last_attempt},
    {{"shifted", "every value that of the next step"}, shifted},
    {{"nan_inside", "NaN at one step of the window"}, nan_inside},
    {{"nan_outside", "NaN at one step after the window"}, nan_outside},
    {{"inf_inside", "infinity at one step of the window"}, inf_inside},
    {{"inf_outside", "infinity at one step after the window"}, inf_outside},
    {{"inf_both", "infinity at the same step of run and reference"}, inf_on_both_sides},
    {{"left_out", "one step printed without its value"}, left_out},
    {{"missing_inside", "one step of the window missing"}, missing_inside},
    {{"missing_outside", "one step after the window missing"}, missing_outside},
    {{"missing_one_more", "a middle step missing, and one more at the end"}, missing_and_one_more},
    {{"missing_rank", "one rank missing"}, missing_rank},
    {{"truncated", "the second half missing"}, truncated},
    {{"empty", "a series without values"}, empty_series},
    {{"absent", "the metric not in the run"}, absent_metric},
}};

constexpr std::array<MutationRow, mutation_list.size()> make_mutation_rows() {
  std::array<MutationRow, mutation_list.size()> rows;
  for (std::size_t i = 0; i < mutation_list.size(); ++i) rows[i] = mutation_list[i].row;
  return rows;
}

constexpr std::array<MutationRow, mutation_list.size()> mutation_rows = make_mutation_rows();

}  // namespace

std::span<const Mutation> mutation_table() { return mutation_list; }

std::span<const MutationRow> mutations() { return mutation_rows; }

std::int64_t number_at(const std::vector<std::int64_t>& numbers, Place place) {
  if (place == Place::middle) return numbers[numbers.size() / 2];
  return place == Place::first ? numbers.front() : numbers.back();
}

}  // namespace gate::judge
