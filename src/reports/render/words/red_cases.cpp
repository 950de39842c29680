#include "render/words/red_cases.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "gate/base/text.h"
#include "gate/judge/triage.h"
#include "render/words/totals.h"

namespace gate::render {

namespace {

constexpr std::size_t few_moved = 2;  // up to here each tells the same for itself
constexpr std::size_t most_metrics = 3;

bool is_apart(const Triage& triage, const CaseReport& one) {
  return std::ranges::any_of(triage.apart, [&](const Move& move) { return judge::is_of(move, one); });
}

bool is_shift_of(const MetricTriage& metric, const CaseReport& one) {
  return metric.is_shift() && std::ranges::any_of(one.checks, [&](const Check& check) {
           return check.status == CheckStatus::fail && check.metric == metric.metric;
         });
}

bool is_moved(const Triage& triage, const CaseReport& one) {
  const auto shifts = [&](const MetricTriage& metric) { return is_shift_of(metric, one); };
  return one.verdict == Verdict::regressed && std::ranges::any_of(triage.metrics, shifts) &&
         moved_with_suite(triage, one);
}

// Whether it moved with the suite, and what else it is red for: what is less goes first.
auto turn_of(const Triage& triage, const CaseReport& one) {
  const int cause = place_among_red(one);
  const bool is_regressed = one.verdict == Verdict::regressed;
  return std::tuple(is_moved(triage, one), cause, is_regressed && !is_apart(triage, one),
                    place_in_counts(one.verdict));
}

// The metrics that they are red for, each with how far the suite moved.
Sentence line_of_moved(const Triage& triage, const std::vector<const CaseReport*>& moved) {
  std::vector<std::string> words;
  for (const MetricTriage& metric : triage.metrics)
    if (std::ranges::any_of(moved, [&](const CaseReport* one) { return is_shift_of(metric, *one); }))
      words.push_back(metric.metric + " " + short_percent(metric.median));
  return say({"{} red cases moved with the rest, {}", "{} 个红色用例随整体一起变化，{}"}, moved.size(),
             some_of(words, most_metrics));
}

}  // namespace

bool moved_with_suite(const Triage& triage, const CaseReport& one) {
  return !is_apart(triage, one) && judge::unmoved_check(triage, one) == nullptr;
}

std::vector<const CaseReport*> RedCases::all() const {
  std::vector<const CaseReport*> cases = told;
  cases.insert(cases.end(), moved.begin(), moved.end());
  return cases;
}

RedCases red_cases(const Report& report) {
  RedCases red;
  red.told = cases_by_name(report);
  std::erase_if(red.told, [](const CaseReport* one) { return !is_red(*one); });
  const Triage triage = judge::triage(report.cases);
  std::map<const CaseReport*, decltype(turn_of(triage, *red.told.front()))> turns;
  for (const CaseReport* one : red.told) turns.emplace(one, turn_of(triage, *one));
  std::ranges::stable_sort(red.told, {}, [&](const CaseReport* one) { return turns.at(one); });
  const auto first =
      std::ranges::find_if(red.told, [&](const CaseReport* one) { return std::get<0>(turns.at(one)); });
  if (red.told.end() - first <= std::ptrdiff_t{few_moved}) return red;
  red.moved.assign(first, red.told.end());
  red.told.erase(first, red.told.end());
  red.moved_line = line_of_moved(triage, red.moved);
  return red;
}

}  // namespace gate::render
