#include "gate/words/ab.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/base/text.h"
#include "gate/words/values.h"

namespace gate::words {

namespace {

constexpr std::size_t most_names = 10;

AbAnswer answer_or_undecided(const AbMetric& metric) {
  return metric.change ? metric.change->answer : AbAnswer::undecided;
}

Sentence pairs_words(int count) { return count_of(count, "pair", "对"); }

Sentence metric_words(const AbMetric& metric) {
  if (!metric.change)
    return say({"{}: too few pairs, or values that are not above 0", "{}：对数太少，或有值不大于 0"},
               metric.metric);
  return say({"{} {} ({})", "{} {}（{}）"}, metric.metric, share_text(metric.change->change),
             interval_text(*metric.change));
}

Sentence within_words(const AbMetric& metric) {
  return say({"{}, within {:.3g} %", "{}，在 {:.3g} % 以内"}, metric_words(metric), 100 * metric.tolerated);
}

Sentence shown_words(const std::vector<const AbMetric*>& undecided, int most) {
  std::vector<Sentence> words;
  for (const AbMetric* metric : undecided)
    if (metric->change)
      words.push_back(
          say({"of {0:.2g} % in {1}", "{1} {0:.2g} % 的变化"}, 100 * metric->change->shown, metric->metric));
  if (words.empty()) return {};
  return say({"; {} detect a change {} with 90 % power", "；{}有 90 % 的概率检出 {}"}, pairs_words(most),
             join(words, comma));
}

// Of the metrics with the answer of the whole, the one of speed comes first.
std::vector<const AbMetric*> told_metrics(const AbResult& result, AbAnswer answer) {
  std::vector<const AbMetric*> told;
  for (const AbMetric& metric : result.metrics)
    if (answer_or_undecided(metric) == answer) told.push_back(&metric);
  std::ranges::stable_sort(told, {},
                           [](const AbMetric* metric) { return metric->kind == MetricKind::speed ? 0 : 1; });
  return told;
}

AbSummary summary_of_failure(const AbFailure& failure) {
  std::vector<Sentence> who{as_is(failure.side)};
  if (failure.pair > 0) who.push_back(say({"pair {}", "第 {} 对"}, failure.pair));
  const Sentence what = join(who, comma);
  const Sentence behind = failure.pair > 0 ? colon : what.empty() ? Sentence() : comma;
  return {verdict_text(failure.verdict), what + behind + failure.reason};
}

Sentence loss_words(const AbLoss& loss, int pairs) {
  return say({"{0}: differs in {1} of {2}, first at {3}: {4} -> {5}{6}",
              "{0}：{2}中有 {1} 对不同，首处在编号 {3}：{4} -> {5}{6}"},
             loss.series, loss.different, pairs_words(pairs), loss.first->number, value_text(loss.first->a),
             value_text(loss.first->b),
             loss.differs_in_a
                 ? say({"; runs of A are not equal to one another either", "；A 的各次运行之间也不相等"})
                 : Sentence());
}

// Losses decide nothing: an answer of no difference names those that are not equal, unless A's runs differ in
// them, too.
Sentence unequal_losses(const AbResult& result) {
  std::vector<Sentence> series;
  for (const AbLoss& loss : result.losses)
    if (loss.first && !loss.differs_in_a) series.emplace_back(loss.series);
  return series.empty() ? Sentence() : say({"; not equal: {}", "；不相等：{}"}, first_of(series, most_names));
}

}  // namespace

std::string share_text(double share) { return percent_text(100 * share); }

std::string interval_text(const PairedChange& change) {
  return share_text(change.low) + " .. " + share_text(change.high);
}

Sentence answer_text(AbAnswer answer, MetricKind kind) {
  if (answer == AbAnswer::none) return say({"no difference", "没有差异"});
  if (answer == AbAnswer::undecided) return say({"undecided", "未定"});
  const bool is_worse = answer == AbAnswer::worse;
  if (kind == MetricKind::speed) return is_worse ? say({"slower", "变慢"}) : say({"faster", "变快"});
  if (kind == MetricKind::memory)
    return is_worse ? say({"more memory", "显存增多"}) : say({"less memory", "显存减少"});
  return is_worse ? say({"worse", "变差"}) : say({"better", "变好"});
}

Sentence answer_text(const AbMetric& metric) { return answer_text(answer_or_undecided(metric), metric.kind); }

AbSummary summary_of(const AbResult& result) {
  if (result.failure) return summary_of_failure(*result.failure);
  const AbAnswer answer = answer_of(result);
  const std::vector<const AbMetric*> told = told_metrics(result, answer);
  std::vector<Sentence> words;
  for (const AbMetric* metric : told)
    words.push_back(answer == AbAnswer::none ? within_words(*metric) : metric_words(*metric));
  return {answer_text(answer, told.empty() ? MetricKind::other : told.front()->kind),
          say({"{} after {}{}", "{}，共 {}{}"}, join(words, comma), pairs_words(result.pairs),
              answer == AbAnswer::undecided ? shown_words(told, result.most)
              : answer == AbAnswer::none    ? unequal_losses(result)
                                            : Sentence())};
}

std::vector<Sentence> ab_details(const AbResult& result) {
  std::vector<Sentence> lines, equal;
  for (const AbLoss& loss : result.losses)
    if (loss.first)
      lines.push_back(loss_words(loss, result.pairs));
    else if (loss.common > 0)
      equal.emplace_back(loss.series);
  if (!equal.empty())
    lines.push_back(say({"{}: equal as printed in {}", "{}：{}所打印的值都相等"}, first_of(equal, most_names),
                        pairs_words(result.pairs)));
  lines.insert(lines.end(), result.notes.begin(), result.notes.end());
  return lines;
}

}  // namespace gate::words
