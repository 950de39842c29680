#include "extract/attempts/judged.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t most_notes = 10;

std::string steps(std::int64_t first, std::int64_t last) {
  return first == last ? "step " + std::to_string(first)
                       : "steps " + std::to_string(first) + "-" + std::to_string(last);
}

std::string steps_of(const Attempt& attempt) { return steps(attempt.first_step, attempt.last_step); }

std::string name(const Settled& settled) { return "attempt " + std::to_string(settled.number); }

// Return the attempt that this one went on from: the last before it that began at an earlier step; or
// nothing.
std::optional<std::size_t> resumed(const std::vector<Settled>& attempts, std::size_t index) {
  for (std::size_t i = index; i > 0; --i)
    if (attempts[i - 1].attempt.first_step < attempts[index].attempt.first_step) return i - 1;
  return std::nullopt;
}

// Return the attempt behind those that it went on from, in their order.
std::vector<std::size_t> chain_of(const std::vector<Settled>& attempts, std::size_t chosen) {
  std::vector<std::size_t> chain{chosen};
  while (const std::optional<std::size_t> before = resumed(attempts, chain.back())) chain.push_back(*before);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

using Judged = std::map<std::pair<std::string, std::optional<int>>, Series>;

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

// Append what the series has up to `last`.
void append_samples(const Series& from, std::int64_t last, Series& to) {
  for (auto it = from.samples().begin(); it != from.samples().end(); ++it) {
    const SampleView sample = it.view();
    if (sample.number > last) break;
    to.append(sample);
  }
  for (const std::int64_t number : from.conflicts())
    if (number <= last) to.mark_conflict(number);
}

void append_all(const Attempt& attempt, std::int64_t last, Judged& judged) {
  for (const Series& series : attempt.series) {
    if (last != no_limit && series.numbered() != Numbering::step) continue;
    Series empty(series.metric(), series.rank(), series.unit(), series.numbered());
    empty.set_assumed(series.assumed());
    append_samples(series, last, judged.try_emplace({series.metric(), series.rank()}, empty).first->second);
  }
}

// Return what is judged of the attempt: its own series, behind the steps of the attempts that it went on
// from.
std::vector<Series> judged_series(const std::vector<Settled>& attempts, std::size_t chosen,
                                  const MetricTable& metrics) {
  const std::vector<std::size_t> chain = chain_of(attempts, chosen);
  if (chain.size() == 1) return attempts[chosen].attempt.series;
  Judged judged;
  for (std::size_t i = 0; i + 1 < chain.size(); ++i)
    append_all(attempts[chain[i]].attempt, attempts[chain[i + 1]].attempt.first_step - 1, judged);
  append_all(attempts[chosen].attempt, no_limit, judged);
  std::vector<Series> series;
  for (auto& [key, each] : judged)
    if (!each.empty()) series.push_back(std::move(each));
  sort_series(series, metrics);
  return series;
}

std::string lines_of(const Attempt& attempt) {
  if (attempt.first_line == 0) return "";
  return "lines " + std::to_string(attempt.first_line) + "-" + std::to_string(attempt.last_line);
}

bool has_values(const Series& series) {
  return std::any_of(series.samples().begin(), series.samples().end(),
                     [](const Sample& sample) { return sample.value.kind != ValueKind::left_out; });
}

bool holds(const std::vector<Series>& all, const std::string& metric) {
  return std::any_of(all.begin(), all.end(),
                     [&](const Series& series) { return series.metric() == metric && has_values(series); });
}

// Return what an attempt that was to do the same holds, and the judged one does not.
std::vector<LackedMetric> lacked(const std::vector<Settled>& attempts, std::size_t chosen,
                                 const std::vector<Series>& judged) {
  std::vector<LackedMetric> all;
  const auto is_told = [&](const std::string& metric) {
    return std::any_of(all.begin(), all.end(), [&](const LackedMetric& one) { return one.metric == metric; });
  };
  const std::string lines = lines_of(attempts[chosen].attempt);
  for (std::size_t i = 0; i < attempts.size(); ++i)
    if (i != chosen && attempts[i].total == attempts[chosen].total)
      for (const Series& series : attempts[i].attempt.series)
        if (has_values(series) && !is_told(series.metric()) && !holds(judged, series.metric()))
          all.push_back({series.metric(), "its judged attempt" + (lines.empty() ? "" : ", " + lines + ",") +
                                              " has no " + series.metric() + "; " + name(attempts[i]) +
                                              " has " + std::to_string(series.size())});
  return all;
}

// Show what was computed again after a restart with another result: the last print counts.
void note_recomputed(const std::vector<Settled>& attempts, std::size_t chosen, const MetricTable& metrics,
                     std::vector<std::string>& notes) {
  const std::vector<std::size_t> chain = chain_of(attempts, chosen);
  const std::size_t most = notes.size() + most_notes;
  for (std::size_t i = 1; i < chain.size(); ++i)
    for (const Series& now : attempts[chain[i]].attempt.series) {
      const Series* before = find_series(attempts[chain[i - 1]].attempt.series, now.metric(), now.rank());
      if (before == nullptr || now.numbered() != Numbering::step ||
          metrics.get(now.metric()).kind != MetricKind::accuracy)
        continue;
      for (auto it = now.samples().begin(); it != now.samples().end() && notes.size() < most; ++it) {
        const std::optional<Sample> other = before->find(it.number());
        if (other && !(other->value == it.view().value))
          notes.push_back(label(now) + " of step " + std::to_string(it.number()) + " was " + other->text +
                          ", and " + std::string(it.view().text) + " when " + name(attempts[chain[i]]) +
                          " computed it again");
      }
    }
}

// Name the attempts before the judged ones that were to do something else.
void note_other_jobs(const std::vector<Settled>& attempts, std::size_t chosen,
                     std::vector<std::string>& notes) {
  const std::size_t most = notes.size() + most_notes;
  for (std::size_t i = 0; i < attempts.size() && notes.size() < most; ++i) {
    if (!attempts[i].total || !attempts[chosen].total || *attempts[i].total == *attempts[chosen].total)
      continue;
    const std::string lines = lines_of(attempts[i].attempt);
    notes.push_back(name(attempts[i]) + " is of another job" + (lines.empty() ? "" : ", " + lines) + ": " +
                    steps_of(attempts[i].attempt) + " of " + std::to_string(*attempts[i].total));
  }
}

void note_resumes(const std::vector<Settled>& attempts, std::size_t chosen, std::vector<std::string>& notes) {
  const std::vector<std::size_t> chain = chain_of(attempts, chosen);
  const std::size_t most = notes.size() + most_notes;
  for (std::size_t i = chain.size() - 1; i > 0 && notes.size() < most; --i) {
    const std::int64_t first = attempts[chain[i]].attempt.first_step;
    const Attempt& before = attempts[chain[i - 1]].attempt;
    notes.push_back(steps(before.first_step, std::min(before.last_step, first - 1)) + " come from " +
                    name(attempts[chain[i - 1]]) + ": " + name(attempts[chain[i]]) + " resumed at step " +
                    std::to_string(first));
  }
}

void note_choice(const std::vector<Settled>& attempts, std::size_t chosen, std::size_t forgotten,
                 std::vector<std::string>& notes) {
  if (attempts.size() + forgotten < 2) return;
  notes.push_back(name(attempts[chosen]) + " of " + std::to_string(attempts.size() + forgotten) +
                  " is judged: " + steps_of(attempts[chosen].attempt));
  note_resumes(attempts, chosen, notes);
  note_other_jobs(attempts, chosen, notes);
}

// Tell the first obstacle that stands before what would be judged.
bool is_in_doubt(const Settlement& settlement, std::size_t chosen, Extraction& extraction,
                 ProblemLog& problems) {
  const std::vector<std::size_t> chain = chain_of(settlement.attempts, chosen);
  for (const Obstacle& obstacle : settlement.obstacles) {
    const bool counts = std::any_of(
        obstacle.attempts.begin(), obstacle.attempts.end(),
        [&](std::size_t attempt) { return std::binary_search(chain.begin(), chain.end(), attempt); });
    if (!counts) continue;
    if (extraction.doubt.empty()) extraction.doubt = obstacle.text;
    problems.add(ProblemKind::ambiguous, obstacle.place, obstacle.text);
  }
  return !extraction.doubt.empty();
}

bool is_counted_series(const Series& series) {
  return series.assumed() && series.numbered() == Numbering::step;
}

void choose_attempt(const Settlement& settlement, std::size_t chosen, const MetricTable& metrics,
                    Extraction& extraction) {
  const std::vector<Settled>& attempts = settlement.attempts;
  extraction.series = judged_series(attempts, chosen, metrics);
  extraction.total = attempts[chosen].total;
  extraction.lacked = lacked(attempts, chosen, extraction.series);
  note_choice(attempts, chosen, settlement.forgotten, extraction.notes);
  if (settlement.restarts == Restarts::expected) note_recomputed(attempts, chosen, metrics, extraction.notes);
  if (std::any_of(extraction.series.begin(), extraction.series.end(), is_counted_series))
    extraction.notes.emplace_back("steps are counted: the log prints no step");
}

}  // namespace

void judge_attempt(Settlement settlement, AttemptChoice choice, const MetricTable& metrics,
                   Extraction& extraction, ProblemLog& problems) {
  std::vector<Settled>& attempts = settlement.attempts;
  const std::size_t wanted = static_cast<std::size_t>(std::max(choice.number.value_or(1), 1));
  const std::size_t chosen = choice.number ? wanted - 1 : attempts.size() - 1;
  if (wanted > attempts.size() && choice.number)
    extraction.notes.push_back("attempt " + std::to_string(wanted) + " was asked for; the log holds " +
                               count_of(static_cast<std::int64_t>(attempts.size()), "attempt") +
                               ": nothing is judged");
  else if (!attempts.empty() && !is_in_doubt(settlement, chosen, extraction, problems))
    choose_attempt(settlement, chosen, metrics, extraction);
  for (Settled& settled : attempts) extraction.attempts.push_back(std::move(settled.attempt));
}

}  // namespace gate::extract
