// The reports of one rank, and to which attempts they belong.
//
// Reports come under whatever prefix and in whatever order to the step lines: ranks print early and late. So
// a report after N iterations belongs to the attempt whose line of step N is nearest to it, before or behind.
// A number that was reported is the rank's next attempt, and so is one that falls, unless its line says that
// it came late. Two cases need more than that:
//
//   - Numbers alone count if the steps stand in another file. A resumed run goes on with rising steps: there
//     are reports after 1, 2, and after the resume at 41, 42. So if a rank has fewer attempts than the steps
//     have, a report that is not before a resume's first step begins that resume's reports.
//   - A log whose lines are written twice repeats every report. So if a rank has more attempts than the steps
//     have, a report that repeats the one before it word by word, with no other step between, is one report.
//
// Reports are told by the steps that they are of: the k-th of them is the k-th report, whichever attempt
// printed it. But where a run tells its memory once, behind the first step or two of each launch, the k-th
// report of each launch is report k: what it needs behind a resume is laid beside what it needed at first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "extract/records/record.h"
#include "gate/model/numbers/sample_tape.h"

namespace gate::extract {

class StepTapes;

// A report, but for its values.
struct RankReport {
  std::int64_t step = 0;  // `after N iterations`
  LinePlace place;
  std::size_t words = 0;                   // a hash of what it says
  std::optional<std::uint32_t> tape = {};  // of the last step line of its file before it
  std::uint32_t lines = 0;                 // how many step lines the tape had then
  std::int64_t behind = 0;                 // the step of the last one
  bool starts_attempt = false;             // a run began, or failed, between that line and the report
  bool is_own = false;                     // the tape is of the prefix that prints the report
  std::uint32_t attempt = 0;               // from 0
  std::int64_t number = 0;                 // see ReportsOf
};

// The values of one metric, numbered by the reports' steps.
struct ReportColumn {
  std::string metric;
  std::optional<int> rank;
  SampleTape samples = {};
};

// The reports of one rank, in the order of the log.
struct RankReports {
  std::vector<RankReport> all;
  std::vector<ReportColumn> columns;
};

// Return the attempt that the report's place tells, or nothing.
using NearestAttempt = std::function<std::optional<std::size_t>(const RankReport&)>;

// Return what tells the attempt of a report: that of its step among the lines of the source that printed a
// step last before it. The nearest one counts, before or behind, in steps, and then in lines; where the
// report's own source prints steps, one before. The tapes outlive it.
NearestAttempt nearest_attempt(const StepTapes& steps);

// Set the attempt of each report; `first_steps` are those of the attempts of the steps. Reports that were one
// are dropped and returned.
std::vector<RankReport> assign_attempts(std::vector<RankReport>& reports,
                                        std::span<const std::int64_t> first_steps,
                                        const NearestAttempt& nearest);

// What the reports of a rank are of.
//   steps     the number is that of the step; of what a launch told beside every N-th step, of the next of
//             these
//   launches  the number is the place in the launch, from 1: each attempt has reports at its first two steps
//             alone, or as many once more where a launch went on without a step twice
enum class ReportsOf : std::uint8_t { steps, launches };

// Set the number of each report. They have their attempts.
ReportsOf number_reports(std::vector<RankReport>& reports, const StepTapes& steps);

// Call use(report, sample) for each value of the column that is one of these reports'.
template <typename Use>
void for_each_value(std::span<const RankReport> reports, const SampleTape& column, Use use) {
  auto sample = column.begin();
  for (const RankReport& report : reports) {
    while (sample != column.end() && sample.view().line < report.place.line) ++sample;
    if (sample == column.end()) return;
    if (sample.view().line != report.place.line || sample.number() != report.step) continue;
    use(report, sample.view());
    ++sample;
  }
}

// Return the values of the column that are these reports'.
SampleTape samples_of(std::span<const RankReport> reports, const SampleTape& column);

}  // namespace gate::extract
