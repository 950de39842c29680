#include "gate/judge/suite_shift.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace gate::judge {

namespace {

constexpr std::size_t fewest_in_suite = 3;
constexpr std::size_t near_shift = 3;  // runs
constexpr double least_shift = 0.01;   // percent
constexpr double least_gain = 20;      // a start is told of the whole suite: clearer than a case's change
constexpr double one_sided_level = 0.01;

std::vector<double> values_between(const CaseValues& one, std::size_t from, std::size_t to) {
  const auto at = [&](std::size_t run) {
    return one.values.begin() + (std::ranges::lower_bound(one.runs, run) - one.runs.begin());
  };
  return {at(from), at(std::max(from, to))};
}

// By run, the percentages of the cases.
std::map<std::size_t, std::vector<double>> percents_by_run(std::span<const CaseValues> all) {
  std::map<std::size_t, std::vector<double>> percents;
  for (const CaseValues& one : all) {
    const double middle = median_of(one.values);
    if (middle == 0) continue;
    for (std::size_t i = 0; i < one.runs.size(); ++i)
      percents[one.runs[i]].push_back((one.values[i] - middle) / std::abs(middle) * 100);
  }
  return percents;
}

// Return the chance that of `count` fair coins at least `most` show one side, whichever it is.
double sign_chance(std::size_t most, std::size_t count) {
  double term = std::pow(0.5, static_cast<double>(count)), sum = 0;
  for (std::size_t k = count + 1; k-- > most;) {
    sum += term;
    term *= static_cast<double>(k) / static_cast<double>(count - k + 1);
  }
  return std::min(1.0, 2 * sum);
}

bool is_left_of(const Change& change, const CaseValues& one, std::span<const SharedShift> shifts) {
  const std::size_t run = one.runs[change.at];
  return std::ranges::any_of(shifts, [&](const SharedShift& shift) {
    return (run > shift.run ? run - shift.run : shift.run - run) <= near_shift &&
           std::abs(change.share().value_or(0)) * 100 <= std::abs(shift.percent);
  });
}

// Of a dip the other end stays, as a step.
void take_out(LevelFit& fit, std::size_t i) {
  std::vector<Change>& all = fit.changes;
  const Change change = all[i];
  const auto make_step = [](Change& other) { other.shape = ChangeShape::step, other.until = other.at; };
  if (change.shape == ChangeShape::dip) make_step(all[i + 1]);
  if (change.shape == ChangeShape::recovery) make_step(all[i - 1]);
  for (std::size_t k = change.at; k < fit.levels.size(); ++k) fit.levels[k] -= change.after - change.before;
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
}

}  // namespace

std::vector<SuiteShift> suite_shifts(std::span<const CaseValues> all) {
  if (all.size() < fewest_in_suite) return {};
  std::vector<std::size_t> runs;
  std::vector<double> values;
  for (const auto& [run, percents] : percents_by_run(all)) {
    if (percents.size() < fewest_in_suite) continue;
    runs.push_back(run);
    values.push_back(median_of(percents));
  }
  std::vector<SuiteShift> shifts;
  for (const Change& change : fit_levels(values, least_shift).changes)
    if (change.gain >= least_gain) shifts.push_back({runs[change.at], change.gain});
  return shifts;
}

Triage moves_at(const std::string& metric, std::span<const CaseValues> all, std::size_t from, std::size_t at,
                std::size_t to) {
  std::vector<WeighedMove> moves;
  for (const CaseValues& one : all) {
    const std::vector<double> before = values_between(one, from, at), after = values_between(one, at, to);
    const double old_median = median_of(before);
    if (before.empty() || after.empty() || old_median == 0) continue;
    const double percent = (median_of(after) - old_median) / std::abs(old_median) * 100;
    moves.push_back(
        weighed({.case_name = one.case_name, .place = one.place, .metric = metric, .percent = percent},
                one.tolerance, old_median));
  }
  return triage_of(metric, std::move(moves));
}

bool is_one_sided(const Triage& triage) {
  std::size_t up = 0, down = 0;
  for (const Move& move : triage.together) {
    up += move.percent > 0 ? 1 : 0;
    down += move.percent < 0 ? 1 : 0;
  }
  const std::size_t count = up + down, most = std::max(up, down);
  return count > 0 && (most == count || sign_chance(most, count) <= one_sided_level);
}

LevelFit own_fit(const CaseValues& one, std::span<const SharedShift> shifts) {
  std::vector<double> values = one.values;
  for (const SharedShift& shift : shifts)
    for (std::size_t i = 0; i < values.size(); ++i)
      if (one.runs[i] < shift.run) values[i] *= 1 + shift.percent / 100;
  LevelFit fit = fit_levels(values, one.tolerance);
  for (std::size_t i = fit.changes.size(); i-- > 0;)
    if (is_left_of(fit.changes[i], one, shifts)) take_out(fit, i);
  return fit;
}

}  // namespace gate::judge
