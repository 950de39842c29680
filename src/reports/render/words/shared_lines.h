// What several cases say alike, which is said once for all of them and not in each.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "gate/model/reports/report.h"

namespace gate::render {

struct SharedLine {
  Sentence line;
  std::vector<std::string> cases;  // that say it, in the report's order; each once
};

// Return the lines that at least so many cases say, those of most cases first, else in the order in which
// they come. `said` returns a case's lines.
std::vector<SharedLine> shared_lines(const Report& report, std::size_t fewest,
                                     const std::function<std::vector<Sentence>(const CaseReport&)>& said);

// Tell whether the line is among them.
bool is_among(const std::vector<SharedLine>& shared, const Sentence& line);

// How many cases must say a line for it to be said once.
inline constexpr std::size_t fewest_alike = 2;

// Return in what several cases differ alike from the runs that their baselines were recorded by; of a diff,
// which is about that, in what any case does.
std::vector<SharedLine> common_differences(const Report& report);

// Return in what any case differs so that its numbers may, for a report without a red one: not where it ran,
// nor by which commit and which gate.
std::vector<SharedLine> telling_differences(const Report& report);

// Return `differs from the baselines' runs: torch 2.1.0 -> 2.2.0 (in 30 of 30 cases)` of those differences;
// "" where there are none. Counted are the cases that were judged beside a baseline.
Sentence differences_line(const Report& report, const std::vector<SharedLine>& differences);

// Tell whether the difference is one of the set-up that logs tell.
bool is_of_setup(const FactChange& difference);

// Tell whether the case's log tells of another set-up than its baseline's: then the numbers say little.
bool tells_setup(const CaseReport& one);

// Return `from the baseline's run: torch 2.1.0 -> 2.2.0, devices 8 -> 4` of what differs.
Sentence differs_words(const std::vector<FactChange>& differs);

}  // namespace gate::render
