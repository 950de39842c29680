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

// How the others of a run ended that were judged and are in no quarantine.
enum class OthersEnd { unknown, green, red };

OthersEnd end_of_others(const std::vector<RememberedCase>& cases, const std::set<std::string>& quarantined) {
  OthersEnd found = OthersEnd::unknown;
  for (const RememberedCase& one : cases) {
    if (quarantined.contains(one.name) || !is_own_verdict(one.verdict)) continue;
    if (one.verdict != Verdict::passed) return OthersEnd::red;
    found = OthersEnd::green;
  }
  return found;
}

// 0: they are too few to say anything, or it was red where the others were not, or in its newest run.
std::size_t green_at(const store::History& history, const store::CaseKey& key,
                     const std::set<std::string>& quarantined) {
  const auto read = history.read(key, looked_through);
  std::size_t green = 0;
  bool is_newest = true;
  for (std::size_t i = read ? read->runs.size() : 0; i-- > 0 && green < most_weighed;) {
    const CasePoint& run = read->runs[i];
    if (!was_judged(run)) continue;
    const auto cases = history.cases_of(run.number);
    const OthersEnd others = cases ? end_of_others(*cases, quarantined) : OthersEnd::unknown;
    const bool is_green = run.verdict == Verdict::passed;
    if (!is_green && (is_newest || others != OthersEnd::red)) return 0;
    is_newest = false;
    green += is_green && others == OthersEnd::green ? 1 : 0;
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
