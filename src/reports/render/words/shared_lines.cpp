#include "render/words/shared_lines.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "gate/base/text.h"
#include "render/words/totals.h"

namespace gate::render {

namespace {

std::ptrdiff_t compared_cases(const Report& report) {
  return std::ranges::count_if(report.cases, [](const CaseReport& one) {
    return !one.baselines.empty() && (one.outcome || !one.checks.empty());
  });
}

}  // namespace

std::vector<SharedLine> shared_lines(const Report& report, std::size_t fewest,
                                     const std::function<std::vector<std::string>(const CaseReport&)>& said) {
  struct Place {
    std::size_t line = 0;
    const CaseReport* last_case = nullptr;
  };
  std::vector<SharedLine> all;
  std::map<std::string, Place> places;
  for (const CaseReport* one : cases_by_name(report))
    for (const std::string& line : said(*one)) {
      const auto [it, is_new] = places.try_emplace(line, Place{all.size()});
      if (is_new) all.push_back({line, {}});
      if (std::exchange(it->second.last_case, one) != one) all[it->second.line].cases.push_back(one->name);
    }
  std::erase_if(all, [&](const SharedLine& shared) { return shared.cases.size() < fewest; });
  std::ranges::stable_sort(all, std::ranges::greater(),
                           [](const SharedLine& shared) { return shared.cases.size(); });
  return all;
}

bool is_among(const std::vector<SharedLine>& shared, const std::string& line) {
  return std::ranges::find(shared, line, &SharedLine::line) != shared.end();
}

std::vector<SharedLine> common_differences(const Report& report) {
  return shared_lines(report, report.command == "diff" ? 1 : fewest_alike, &CaseReport::differs);
}

// Of `NAME A -> B` the name, if it is one of gate's own facts, and `none` are words.
std::string told_difference(const std::string& difference, Quotes quotes) {
  constexpr std::string_view arrow = " -> ", none = "none";
  const std::size_t blank = difference.find(' '), at = difference.find(arrow);
  if (difference == "the script changed") return difference;
  if (at == std::string::npos || blank >= at) return quote(difference, quotes);
  const std::string name = difference.substr(0, blank), from = difference.substr(blank + 1, at - blank - 1),
                    to = difference.substr(at + arrow.size());
  const auto told = [&](const std::string& value) { return value == none ? value : quote(value, quotes); };
  const bool is_word =
      std::ranges::none_of(name, [](char c) { return c == '_' || c == '-' || (c >= 'A' && c <= 'Z'); });
  return (is_word ? name : quote(name, quotes)) + " " + told(from) + std::string(arrow) + told(to);
}

bool is_of_setup(const std::string& difference) {
  constexpr std::array<std::string_view, 5> facts{"world_size ", "data_parallel_size ", "global_batch_size ",
                                                  "seq_length ", "precision "};
  return std::ranges::any_of(facts, [&](std::string_view fact) { return difference.starts_with(fact); });
}

bool tells_setup(const CaseReport& one) { return !one.differs.empty() && is_of_setup(one.differs.front()); }

std::string differs_words(const std::vector<std::string>& differs, Quotes quotes) {
  std::vector<std::string> words;
  for (const std::string& difference : differs) words.push_back(told_difference(difference, quotes));
  return "from the baseline's run: " + join(words, ", ");
}

std::string differences_line(const Report& report, const std::vector<SharedLine>& differences,
                             Quotes quotes) {
  const std::ptrdiff_t all = compared_cases(report);
  const auto words = texts_of(differences, [&](const SharedLine& shared) {
    return told_difference(shared.line, quotes) + (all < 2 ? ""
                                                           : " (in " + std::to_string(shared.cases.size()) +
                                                                 " of " + std::to_string(all) + " cases)");
  });
  return words.empty() ? "" : "differs from the baselines' runs: " + join(words, ", ");
}

}  // namespace gate::render
