#include "render/words/common_differences.h"

#include <algorithm>

#include "gate/base/text.h"

namespace gate::render {

namespace {

bool has_difference(const CaseReport& one, const std::string& difference) {
  return std::ranges::find(one.differs, difference) != one.differs.end();
}

std::ptrdiff_t cases_with(const Report& report, const std::string& difference) {
  return std::ranges::count_if(report.cases,
                               [&](const CaseReport& one) { return has_difference(one, difference); });
}

std::ptrdiff_t compared_cases(const Report& report) {
  return std::ranges::count_if(report.cases, [](const CaseReport& one) {
    return !one.baselines.empty() && (one.outcome || !one.checks.empty());
  });
}

}  // namespace

std::vector<std::string> common_differences(const Report& report, std::size_t fewest) {
  std::vector<std::string> all;
  for (const CaseReport& one : report.cases)
    for (const std::string& difference : one.differs)
      if (std::ranges::find(all, difference) == all.end()) all.push_back(difference);
  std::erase_if(all, [&](const std::string& difference) {
    return cases_with(report, difference) < static_cast<std::ptrdiff_t>(fewest);
  });
  std::ranges::stable_sort(all, std::ranges::greater(),
                           [&](const std::string& difference) { return cases_with(report, difference); });
  return all;
}

std::string differences_line(const Report& report, const std::vector<std::string>& differences) {
  const std::ptrdiff_t all = compared_cases(report);
  std::vector<std::string> words;
  for (const std::string& difference : differences)
    words.push_back(difference + (all < 2 ? ""
                                          : " (in " + std::to_string(cases_with(report, difference)) +
                                                " of " + std::to_string(all) + " cases)"));
  return words.empty() ? "" : "differs from the baselines' runs: " + join(words, ", ");
}

}  // namespace gate::render
