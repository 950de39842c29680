#include "render/words/triage_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "gate/base/text.h"
#include "gate/judge/suite_shift.h"
#include "gate/words/values.h"
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

Sentence apart_words(const judge::Triage& triage, const judge::MetricTriage& metric) {
  std::vector<Sentence> words;
  std::size_t count = 0;
  for (const judge::Move& move : triage.apart) {
    if (move.metric != metric.metric || ++count > most_apart) continue;
    words.push_back(as_is(move.case_name + " ") + move_words(move));
  }
  if (count > most_apart) words.push_back(say({"{} more", "另外 {} 个"}, count - most_apart));
  return words.empty() ? Sentence() : say({"; apart: {}", "；偏离整体：{}"}, join(words, comma));
}

Sentence together_words(const judge::MetricTriage& metric) {
  if (metric.together == 0)
    return say({"none of {} cases moved with another", "{} 个用例中没有一起变化的"}, metric.cases);
  if (!metric.is_shift())
    return say({"unchanged in {} of {} cases", "{1} 个用例中有 {0} 个没有变化"}, metric.together,
               metric.cases);
  return say({"{} of {} cases moved together, median {} ({}..{})",
              "{1} 个用例中有 {0} 个一起变化，中位数 {2}（{3}..{4}）"},
             metric.together, metric.cases, short_percent(metric.median), bare(metric.least),
             bare(metric.most));
}

}  // namespace

Sentence move_words(const judge::Move& move) {
  if (!move.by_spike) return as_is(short_percent(move.percent));
  return say({"{} at {}", "{}（{}）"}, short_percent(*move.spike),
             words::number_text(move.spike_at, move.numbered));
}

std::vector<Sentence> shift_lines(const judge::Triage& triage) {
  judge::Triage told = triage;
  std::erase_if(told.metrics, [&](const auto& metric) { return !is_of_suite(triage, metric); });
  return triage_lines(told);
}

std::vector<Sentence> triage_lines(const judge::Triage& triage) {
  std::vector<Sentence> lines;
  for (const judge::MetricTriage& metric : triage.metrics)
    lines.push_back(as_is(metric.metric) + colon + together_words(metric) + apart_words(triage, metric));
  return lines;
}

}  // namespace gate::render
