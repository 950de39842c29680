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
                                     const std::function<std::vector<Sentence>(const CaseReport&)>& said) {
  struct Place {
    std::size_t line = 0;
    const CaseReport* last_case = nullptr;
  };
  std::vector<SharedLine> all;
  std::map<std::string, Place> places;
  for (const CaseReport* one : cases_by_name(report))
    for (const Sentence& line : said(*one)) {
      const auto [it, is_new] = places.try_emplace(line.english(), Place{all.size()});
      if (is_new) all.push_back({line, {}});
      if (std::exchange(it->second.last_case, one) != one) all[it->second.line].cases.push_back(one->name);
    }
  std::erase_if(all, [&](const SharedLine& shared) { return shared.cases.size() < fewest; });
  std::ranges::stable_sort(all, std::ranges::greater(),
                           [](const SharedLine& shared) { return shared.cases.size(); });
  return all;
}

bool is_among(const std::vector<SharedLine>& shared, const Sentence& line) {
  return std::ranges::find(shared, line, &SharedLine::line) != shared.end();
}

std::vector<SharedLine> common_differences(const Report& report) {
  return shared_lines(report, report.command == "diff" ? 1 : fewest_alike,
                      [](const CaseReport& one) { return sentences_of(one.differs); });
}

std::vector<SharedLine> telling_differences(const Report& report) {
  constexpr std::array<std::string_view, 4> of_place{"host", "kernel", "commit", "gate"};
  return shared_lines(report, 1, [&](const CaseReport& one) {
    std::vector<FactChange> telling = one.differs;
    std::erase_if(telling, [&](const FactChange& change) {
      return std::ranges::find(of_place, change.name) != of_place.end();
    });
    return sentences_of(telling);
  });
}

bool is_of_setup(const FactChange& difference) {
  constexpr std::array<std::string_view, 5> facts{"world_size", "data_parallel_size", "global_batch_size",
                                                  "seq_length", "precision"};
  const bool is_file = difference.name.ends_with(".py") || difference.name.ends_with(".sh");
  return is_file || std::ranges::find(facts, difference.name) != facts.end();
}

bool tells_setup(const CaseReport& one) { return !one.differs.empty() && is_of_setup(one.differs.front()); }

Sentence differs_words(const std::vector<FactChange>& differs) {
  return say({"from the baseline's run: {}", "与基线的运行相比：{}"}, join(sentences_of(differs), comma));
}

Sentence differences_line(const Report& report, const std::vector<SharedLine>& differences) {
  const std::ptrdiff_t all = compared_cases(report);
  std::vector<Sentence> words;
  for (const SharedLine& shared : differences) {
    words.push_back(shared.line);
    if (all >= 2)
      words.back() += say({" (in {} of {} cases)", "（{1} 个用例中的 {0} 个）"}, shared.cases.size(), all);
  }
  return words.empty()
             ? Sentence()
             : say({"differs from the baselines' runs: {}", "与基线的运行不同：{}"}, join(words, comma));
}

}  // namespace gate::render
