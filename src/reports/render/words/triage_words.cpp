#include "render/words/triage_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "gate/base/text.h"
#include "gate/judge/suite_shift.h"
#include "render/words/totals.h"

namespace gate::render {

namespace {

constexpr std::size_t most_apart = 3;

std::string bare(double percent) {
  const std::string words = short_percent(percent);
  return words.substr(0, words.find(' '));
}

// Of fewer each tells the same for itself.
constexpr std::size_t fewest_for_apart = 8;

bool is_of_suite(const judge::Triage& triage, const judge::MetricTriage& metric) {
  judge::Triage own;
  std::ranges::copy_if(triage.together, std::back_inserter(own.together),
                       [&](const judge::Move& move) { return move.metric == metric.metric; });
  return judge::is_one_sided(own) || (metric.together >= fewest_for_apart && metric.together < metric.cases);
}

std::string apart_words(const judge::Triage& triage, const judge::MetricTriage& metric) {
  std::vector<std::string> words;
  std::size_t count = 0;
  for (const judge::Move& move : triage.apart) {
    if (move.metric != metric.metric || ++count > most_apart) continue;
    words.push_back(move.case_name + " " + move_words(move));
  }
  if (count > most_apart) words.push_back(std::to_string(count - most_apart) + " more");
  return words.empty() ? "" : "; apart: " + join(words, ", ");
}

}  // namespace

std::string move_words(const judge::Move& move) {
  if (!move.by_spike) return short_percent(move.percent);
  return fmt::format("{} at {} {}", short_percent(*move.spike), to_string(move.numbered), move.spike_at);
}

std::vector<std::string> shift_lines(const judge::Triage& triage) {
  judge::Triage told = triage;
  std::erase_if(told.metrics, [&](const auto& metric) { return !is_of_suite(triage, metric); });
  return triage_lines(told);
}

std::vector<std::string> triage_lines(const judge::Triage& triage) {
  std::vector<std::string> lines;
  for (const judge::MetricTriage& metric : triage.metrics) {
    std::string line = metric.metric + ": ";
    if (metric.together == 0)
      line += fmt::format("none of {} cases moved with another", metric.cases);
    else if (!metric.is_shift())
      line += fmt::format("unchanged in {} of {} cases", metric.together, metric.cases);
    else
      line += fmt::format("{} of {} cases moved together, median {} ({}..{})", metric.together, metric.cases,
                          short_percent(metric.median), bare(metric.least), bare(metric.most));
    lines.push_back(line + apart_words(triage, metric));
  }
  return lines;
}

}  // namespace gate::render
