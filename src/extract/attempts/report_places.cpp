#include "extract/attempts/report_places.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace gate::extract {

namespace {

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

  std::optional<std::size_t> operator()(const Report& report) const {
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
    std::size_t steps = 0;  // twice as many lines of steps, and one where a run began anew between
    std::uint32_t lines = 0;

    bool operator<(const Distance& other) const {
      if (!is_known || !other.is_known) return is_known;
      return std::tie(steps, lines) < std::tie(other.steps, other.lines);
    }
  };

  const StepTape& tape(std::size_t index) const { return (*tapes_)[index]; }

  // In the piece whose line was the last before the report.
  static Distance distance_within(const Report& report, const StepTape& piece) {
    const auto line = find_step(piece, report.step);
    if (line == piece.lines.end()) return {};
    if (line.index() < report.lines) return distance_before(report, piece, report.lines);
    return {true, 2 * (line.index() - report.lines), line.view().line - report.place.line};
  }

  // `upto` step lines stand between the report and the one before the piece's first.
  static Distance distance_before(const Report& report, const StepTape& piece, std::size_t upto) {
    const auto line = find_step(piece, report.step);
    if (line == piece.lines.end()) return {};
    const std::size_t steps = 2 * (upto - 1 - line.index()) + (report.anew ? 1 : 0);
    return {true, steps, report.place.line - line.view().line};
  }

  // `between` step lines stand between the report and the piece's first.
  static Distance distance_behind(const Report& report, const StepTape& piece, std::size_t between) {
    const auto line = find_step(piece, report.step);
    if (line == piece.lines.end()) return {};
    return {true, 2 * (between + line.index()), line.view().line - report.place.line};
  }

  static SampleTape::Iterator find_step(const StepTape& piece, std::int64_t step) {
    const auto it =
        std::lower_bound(piece.lines.begin(), piece.lines.end(), step,
                         [](const auto& sample, std::int64_t number) { return sample.number < number; });
    return it != piece.lines.end() && it.number() == step ? it : piece.lines.end();
  }

  const std::vector<StepTape>* tapes_;
  std::map<std::size_t, std::vector<std::size_t>> sources_;
  std::vector<std::size_t> nth_;  // of each tape among its source's
};

}  // namespace

NearestAttempt nearest_attempt(const StepTapes& steps) {
  if (steps.attempts() == 1)
    return [](const Report& report) { return report.tape ? std::optional<std::size_t>(0) : std::nullopt; };
  return ReportPlaces(steps);
}

}  // namespace gate::extract
