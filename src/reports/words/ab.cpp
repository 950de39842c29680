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

std::string metric_words(const AbMetric& metric) {
  if (!metric.change) return metric.metric + ": too few pairs, or values that are not above 0";
  return metric.metric + " " + share_text(metric.change->change) + " (" + interval_text(*metric.change) + ")";
}

std::string within_words(const AbMetric& metric) {
  return metric_words(metric) + fmt::format(", within {:.3g} %", 100 * metric.tolerated);
}

std::string shown_words(const std::vector<const AbMetric*>& undecided, int most) {
  std::vector<std::string> words;
  for (const AbMetric* metric : undecided)
    if (metric->change)
      words.push_back(fmt::format("of {:.2g} % in {}", 100 * metric->change->shown, metric->metric));
  if (words.empty()) return "";
  return "; nine times in ten " + count_of(most, "pair") + " show a change " + join(words, ", ");
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
  std::string who;
  if (!failure.side.empty()) who = failure.side + ", ";
  if (failure.pair > 0) who += "pair " + std::to_string(failure.pair) + ": ";
  return {std::string(to_string(failure.verdict)), who + failure.reason};
}

std::string loss_words(const AbLoss& loss, int pairs) {
  return fmt::format("{}: differs in {} of {}, first at {}: {} -> {}{}", loss.series, loss.different,
                     count_of(pairs, "pair"), loss.first->number, value_text(loss.first->a),
                     value_text(loss.first->b),
                     loss.differs_in_a ? "; runs of A are not equal to one another either" : "");
}

}  // namespace

std::string share_text(double share) { return percent_text(100 * share); }

std::string interval_text(const PairedChange& change) {
  return share_text(change.low) + " .. " + share_text(change.high);
}

std::string answer_text(AbAnswer answer, MetricKind kind) {
  if (answer == AbAnswer::none) return "no difference";
  if (answer == AbAnswer::undecided) return "undecided";
  const bool is_worse = answer == AbAnswer::worse;
  if (kind == MetricKind::speed) return is_worse ? "slower" : "faster";
  if (kind == MetricKind::memory) return is_worse ? "more memory" : "less memory";
  return is_worse ? "worse" : "better";
}

std::string answer_text(const AbMetric& metric) {
  return answer_text(answer_or_undecided(metric), metric.kind);
}

AbSummary summary_of(const AbResult& result) {
  if (result.failure) return summary_of_failure(*result.failure);
  const AbAnswer answer = answer_of(result);
  const std::vector<const AbMetric*> told = told_metrics(result, answer);
  std::vector<std::string> words;
  for (const AbMetric* metric : told)
    words.push_back(answer == AbAnswer::none ? within_words(*metric) : metric_words(*metric));
  return {answer_text(answer, told.empty() ? MetricKind::other : told.front()->kind),
          join(words, ", ") + " after " + count_of(result.pairs, "pair") +
              (answer == AbAnswer::undecided ? shown_words(told, result.most) : "")};
}

std::vector<std::string> ab_details(const AbResult& result) {
  std::vector<std::string> lines, equal;
  for (const AbLoss& loss : result.losses)
    if (loss.first)
      lines.push_back(loss_words(loss, result.pairs));
    else if (loss.common > 0)
      equal.push_back(loss.series);
  if (!equal.empty())
    lines.push_back(some_of(equal, most_names) + ": equal as printed in " + count_of(result.pairs, "pair"));
  lines.insert(lines.end(), result.notes.begin(), result.notes.end());
  return lines;
}

}  // namespace gate::words
