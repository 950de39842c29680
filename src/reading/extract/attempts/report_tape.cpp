#include "extract/attempts/report_tape.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "extract/attempts/step_tape.h"

namespace gate::extract {

namespace {

SampleTape::Iterator first_from(const StepTape& piece, std::int64_t step) {
  return std::lower_bound(piece.lines.begin(), piece.lines.end(), step,
                          [](const auto& sample, std::int64_t number) { return sample.number < number; });
}

// Return whether the reports' places told their attempts.
bool assign_by_places(std::vector<RankReport>& reports, const NearestAttempt& nearest) {
  bool told = false;
  std::set<std::int64_t> reported;  // in the attempt at hand
  std::size_t attempt = 0;
  for (RankReport& report : reports) {
    const std::optional<std::size_t> near = nearest(report);
    told |= near.has_value();
    const bool falls = !reported.empty() && report.step < *reported.rbegin();
    const bool begins = reported.contains(report.step) || (falls && near != attempt);
    const std::size_t least = attempt + (begins ? 1 : 0);
    report.attempt = static_cast<std::uint32_t>(std::max(least, near.value_or(least)));
    if (std::exchange(attempt, report.attempt) != report.attempt) reported.clear();
    reported.insert(report.step);
  }
  return told;
}

std::size_t attempts_of(const std::vector<RankReport>& reports) { return reports.back().attempt + 1; }

// Tell whether the report stands there again, with no other step between.
bool is_again(const RankReport& report, const RankReport& before) {
  return std::tie(report.step, report.words) == std::tie(before.step, before.words) &&
         (!before.tape || report.tape == before.tape) &&
         (report.behind == before.behind || report.behind <= report.step);
}

std::vector<RankReport> drop_repeated(std::vector<RankReport>& reports) {
  std::vector<RankReport> kept, dropped;
  for (RankReport& report : reports) {
    const bool again = !kept.empty() && is_again(report, kept.back());
    (again ? dropped : kept).push_back(std::move(report));
  }
  reports = std::move(kept);
  return dropped;
}

// Begin an attempt at reports of a resume too, as long as there are fewer attempts than the steps have.
void split_at_resumes(std::vector<RankReport>& reports, std::span<const std::int64_t> first_steps) {
  std::size_t missing = first_steps.size() - std::min(first_steps.size(), attempts_of(reports));
  std::size_t more = 0;
  for (RankReport& report : reports) {
    report.attempt += more;
    const std::size_t next = report.attempt + 1;
    const bool resumes = next < first_steps.size() && first_steps[next] > first_steps[report.attempt] &&
                         report.step >= first_steps[next];
    if (missing == 0 || !resumes) continue;
    ++report.attempt;
    ++more;
    --missing;
  }
}

// Return how many steps of the attempt are from `first` on and below that one: two at most.
std::size_t count_steps(const StepTapes& steps, std::size_t attempt, std::int64_t first, std::int64_t below) {
  std::size_t most = 0;
  for (const StepTape* tape : steps.of_attempt(attempt)) {
    std::set<std::int64_t> met;
    for (auto it = first_from(*tape, first); it != tape->lines.end() && it.number() < below; ++it) {
      met.insert(it.number());
      if (met.size() == 2) return 2;
    }
    most = std::max(most, met.size());
  }
  return most;
}

// Return the least N of which every N-th step up to the last has a report, two at least; 0: there is none.
std::int64_t period_of(const std::set<std::int64_t>& reported, const StepTapes& steps) {
  if (steps.all().empty()) return 0;
  const auto last = std::ranges::max_element(steps.all(), {}, &StepTape::last_step)->last_step();
  for (const std::int64_t every : reported) {
    if (every <= 0) continue;
    std::int64_t step = every;
    while (step <= last && reported.contains(step)) step += every;
    if (step > last && last >= 2 * every) return every;
  }
  return 0;
}

// Number what each launch tells from 1, if all reports are of launches. A later launch of an attempt tells as
// much as the first one, and not at every N-th step, the period.
bool number_launches(std::vector<RankReport>& reports, std::int64_t period, const StepTapes& steps) {
  std::vector<RankReport*> sorted;
  for (RankReport& report : reports) sorted.push_back(&report);
  std::ranges::stable_sort(sorted, {},
                           [](const RankReport* each) { return std::pair(each->attempt, each->step); });
  std::set<std::pair<std::int64_t, std::size_t>> told_second;  // step and words
  std::int64_t usual = 0;                                      // what the first launch of the attempt told
  const RankReport* before = nullptr;
  for (RankReport* report : sorted) {
    const bool same = before != nullptr && before->attempt == report->attempt;
    const bool goes_on = same && count_steps(steps, report->attempt, before->step + 1, report->step) == 0;
    report->number = goes_on ? before->number + 1 : 1;
    if (!goes_on && usual > 0 && before->number != usual) return false;
    if (!goes_on) usual = same ? before->number : 0;
    if (usual > 0 && period > 0 && report->step % period == 0) return false;
    if (usual == 0 && count_steps(steps, report->attempt, 0, report->step) > 1) return false;
    const std::pair what(report->step, report->words);
    if (goes_on) told_second.insert(what);
    if (!same && told_second.contains(what)) return false;  // a block that was written twice
    before = report;
  }
  return usual == 0 || before->number == usual;
}

// Finds the attempts of reports.
class ReportPlaces {
 public:
  explicit ReportPlaces(const StepTapes& steps) : tapes_(&steps.all()) {
    for (std::size_t i = 0; i < tapes_->size(); ++i) {
      std::vector<std::size_t>& pieces = sources_[(*tapes_)[i].source_id];
      nth_.push_back(pieces.size());
      pieces.push_back(i);
    }
  }

  std::optional<std::size_t> operator()(const RankReport& report) const {
    if (!report.tape) return std::nullopt;
    const std::vector<std::size_t>& pieces = sources_.at((*tapes_)[*report.tape].source_id);
    const std::size_t at = nth_[*report.tape];
    Distance best = distance_within(report, tape(pieces[at]));
    if (best.is_known && report.is_own) return tape(pieces[at]).attempt;
    std::size_t found = at;
    std::size_t passed = report.lines;
    for (std::size_t i = at; i > 0 && at - i < most_looked_at; --i) {
      passed += tape(pieces[i - 1]).lines.size();
      const Distance before = distance_before(report, tape(pieces[i - 1]), passed);
      if (before < best) best = before, found = i - 1;
      if (before.is_known) break;
    }
    passed = tape(pieces[at]).lines.size() - report.lines;
    for (std::size_t i = at + 1; i < pieces.size() && i - at < most_looked_at; ++i) {
      const Distance behind = distance_behind(report, tape(pieces[i]), passed);
      if (behind < best) best = behind, found = i;
      if (behind.is_known) break;
      passed += tape(pieces[i]).lines.size();
    }
    return tape(pieces[best.is_known ? found : at]).attempt;
  }

 private:
  static constexpr std::size_t most_looked_at = 64;  // pieces to either side

  struct Distance {
    bool is_known = false;
    std::size_t steps = 0;  // twice as many lines of steps, and one where a run began again between
    std::uint32_t lines = 0;

    bool operator<(const Distance& other) const {
      if (!is_known || !other.is_known) return is_known;
      return std::tie(steps, lines) < std::tie(other.steps, other.lines);
    }
  };

  const StepTape& tape(std::size_t index) const { return (*tapes_)[index]; }

  // In the piece whose line was the last before the report.
  static Distance distance_within(const RankReport& report, const StepTape& piece) {
    const auto line = find_step(piece, report.step);
    if (line == piece.lines.end()) return {};
    if (line.index() < report.lines) return distance_before(report, piece, report.lines);
    return {true, 2 * (line.index() - report.lines), line.view().line - report.place.line};
  }

  // `upto` step lines stand between the report and the one before the piece's first.
  static Distance distance_before(const RankReport& report, const StepTape& piece, std::size_t upto) {
    const auto line = find_step(piece, report.step);
    if (line == piece.lines.end()) return {};
    const std::size_t steps = 2 * (upto - 1 - line.index()) + (report.starts_attempt ? 1 : 0);
    return {true, steps, report.place.line - line.view().line};
  }

  // `between` step lines stand between the report and the piece's first.
  static Distance distance_behind(const RankReport& report, const StepTape& piece, std::size_t between) {
    const auto line = find_step(piece, report.step);
    if (line == piece.lines.end()) return {};
    return {true, 2 * (between + line.index()), line.view().line - report.place.line};
  }

  static SampleTape::Iterator find_step(const StepTape& piece, std::int64_t step) {
    const auto it = first_from(piece, step);
    return it != piece.lines.end() && it.number() == step ? it : piece.lines.end();
  }

  const std::vector<StepTape>* tapes_;
  std::map<std::size_t, std::vector<std::size_t>> sources_;
  std::vector<std::size_t> nth_;  // of each tape among its source's
};

}  // namespace

NearestAttempt nearest_attempt(const StepTapes& steps) {
  if (steps.attempts() == 1)
    return
        [](const RankReport& report) { return report.tape ? std::optional<std::size_t>(0) : std::nullopt; };
  return ReportPlaces(steps);
}

std::vector<RankReport> assign_attempts(std::vector<RankReport>& reports,
                                        std::span<const std::int64_t> first_steps,
                                        const NearestAttempt& nearest) {
  std::vector<RankReport> dropped;
  if (reports.empty()) return dropped;
  bool told = assign_by_places(reports, nearest);
  if (!first_steps.empty() && attempts_of(reports) > first_steps.size()) {
    dropped = drop_repeated(reports);
    told = assign_by_places(reports, nearest);
  }
  if (!told) split_at_resumes(reports, first_steps);
  return dropped;
}

ReportsOf number_reports(std::vector<RankReport>& reports, const StepTapes& steps) {
  std::set<std::int64_t> reported;
  for (const RankReport& report : reports) reported.insert(report.step);
  const std::int64_t period = period_of(reported, steps);
  if (number_launches(reports, period, steps)) return ReportsOf::launches;
  for (RankReport& report : reports) {
    const bool between = period > 0 && report.step > period && report.step % period > 0;
    report.number = between ? (report.step / period + 1) * period : report.step;
  }
  return ReportsOf::steps;
}

SampleTape samples_of(std::span<const RankReport> reports, const SampleTape& column) {
  SampleTape samples;
  for_each_value(reports, column,
                 [&](const RankReport&, const SampleView& sample) { samples.append(sample); });
  return samples;
}

}  // namespace gate::extract
