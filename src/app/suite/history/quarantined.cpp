// Whether a case in quarantine has been green for so long that it may gate again.
#include <algorithm>
#include <set>

#include "gate/store/history.h"
#include "gate/suite/history.h"
#include "suite/history/suite_trend.h"

namespace gate::app {

namespace {

constexpr std::size_t most_weighed = 20, fewest_weighed = 10;  // judged runs
constexpr std::size_t looked_through = 100;                    // runs in which these are looked for

std::set<std::string> quarantined_in(const Suite& suite) {
  std::set<std::string> names;
  for (const config::Case& one : suite.cases)
    if (quarantine_on(one, suite.today)) names.insert(one.name);
  return names;
}

// Tell whether others were judged in the run, and all of them green.
bool was_green_elsewhere(const std::vector<RememberedCase>& cases, const std::set<std::string>& quarantined) {
  std::size_t green = 0;
  for (const RememberedCase& one : cases) {
    if (quarantined.contains(one.name) || !is_own_verdict(one.verdict)) continue;
    if (one.verdict != Verdict::passed) return false;
    ++green;
  }
  return green > 0;
}

// 0: it was red in one of them, or they are too few to say anything.
std::size_t green_at(const store::History& history, const store::CaseKey& key,
                     const std::set<std::string>& quarantined) {
  const auto read = history.read(key, looked_through);
  std::size_t green = 0;
  for (std::size_t i = read ? read->runs.size() : 0; i-- > 0 && green < most_weighed;) {
    const CasePoint& run = read->runs[i];
    if (!was_judged(run)) continue;
    const auto others = history.cases_of(run.number);
    if (!others || !was_green_elsewhere(*others, quarantined)) continue;
    if (run.verdict != Verdict::passed) return 0;
    ++green;
  }
  return green < fewest_weighed ? 0 : green;
}

}  // namespace

std::size_t green_in_quarantine(const Suite& suite, const std::string& case_name, const std::string& place) {
  const config::Case* spec = suite.find(case_name);
  if (spec == nullptr || !quarantine_on(*spec, suite.today) || !fs::exists(history_path(suite))) return 0;
  const std::set<std::string> quarantined = quarantined_in(suite);
  const auto history = store::History::open(history_path(suite));
  const auto keys = history ? history->cases(suite.policy.name()) : Result<std::vector<store::CaseKey>>();
  if (!history || !keys) return 0;
  std::size_t all = 0;
  for (const store::CaseKey& key : *keys) {
    if (key.name != case_name || (!place.empty() && key.platform != place)) continue;
    const std::size_t green = green_at(*history, key, quarantined);
    if (green == 0) return 0;
    all += green;
  }
  return all;
}

}  // namespace gate::app
