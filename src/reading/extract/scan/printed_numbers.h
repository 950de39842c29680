// The numbers of a line that no format knows, and patterns for them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/model/numbers/guessed_metric.h"

namespace gate::extract {

// A number that a line prints and that may be measured.
struct PrintedNumber {
  GuessedMetric guess;
  std::string name;  // as printed, `lm loss`; of a row of a table the head of its column; of a rate its unit
  std::string word;  // `2.31`
  std::string pattern;  // reads it out of lines like this one: has the group value
  std::string whole;    // the same by all words of the name; "" where the pattern has them
};

// How the line, or a column of a table, may tell the rank that printed it.
struct PrintedRank {
  std::string pattern;     // has the group rank; "" of a column
  std::size_t column = 0;  // of a row of a table
  bool is_named = false;   // it is called rank; `gpu 0` and `[0]` are ranks only if the whole log says so
};

// Return the ways in which the line may tell its rank, the likeliest first.
std::vector<PrintedRank> printed_ranks(std::string_view line, std::string_view header);

// Return the numbers of the line that have a name, or a unit of a rate or time, and can be read by a pattern
// that finds them in the line; those of a row of a table by its columns, which `header` names, and with its
// step, and with the rank if it is a column. Steps, epochs, totals, ranks and what stands in parentheses
// behind a number are left out. No two have the same metric.
// step: of a row, the column of its step; nothing: by its name.
std::vector<PrintedNumber> printed_numbers(std::string_view line, std::string_view header,
                                           const PrintedRank* rank = nullptr,
                                           std::optional<std::size_t> step = std::nullopt);

// Return the patterns that may read the step of the line, with the group step: the likeliest first.
std::vector<std::string> step_patterns(std::string_view line);

// Return patterns with the group step for each whole number of the line, whatever stands before it.
std::vector<std::string> counter_patterns(std::string_view line);

// Return the pattern of a step with that of the total behind it, as the group each; "" where the line has
// none.
std::string with_total(const std::string& step, std::string_view line);

// Return the patterns that may read the epoch of the line, with the group epoch.
std::vector<std::string> epoch_patterns(std::string_view line);

// How a line tells where its numbers belong: patterns with the groups step (maybe each), epoch and rank; ""
// of what it does not tell.
struct PlacePatterns {
  std::string step, epoch, rank;
};

// Return the number's pattern with those of its place before or behind it, as the line has them; "" if that
// does not read all of them.
std::string with_places(const std::string& number, const PlacePatterns& places, std::string_view line);

// Return patterns as with_places() does that leave no more between the parts than stands there, numbers
// apart; the second one demands what stands before them, too.
std::vector<std::string> tight_patterns(const std::string& number, const PlacePatterns& places,
                                        std::string_view line);

// Return patterns that read the same of the line, and less of others: behind the words, of letters, that
// stand before its match, behind each of the words of `head`, and behind the line's beginning.
std::vector<std::string> held_patterns(const std::string& pattern, std::string_view line,
                                       std::string_view head);

// Return what the pattern's group holds in the line; nothing where it does not match.
std::string_view group_in(const std::string& pattern, std::string_view line, const std::string& group);

}  // namespace gate::extract
