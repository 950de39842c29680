#include "extract/attempts/judged.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t most_notes = 10;

Sentence steps(std::int64_t first, std::int64_t last) {
  return first == last ? say({"step {}", "第 {} 步"}, first)
                       : say({"steps {}-{}", "第 {}-{} 步"}, first, last);
}

Sentence steps_of(const Attempt& attempt) { return steps(attempt.first_step, attempt.last_step); }
Sentence name(const ResolvedAttempt& resolved) {
  return say({"attempt {}", "第 {} 次尝试"}, resolved.number);
}

// Return the attempt behind those that it went on from, in their order. Each went on from the last attempt
// before it that began at an earlier step.
std::vector<std::size_t> chain_of(const std::vector<ResolvedAttempt>& attempts, std::size_t chosen) {
  std::vector<std::size_t> chain{chosen};
  for (std::size_t i = chosen; i > 0; --i)
    if (attempts[i - 1].attempt.first_step < attempts[chain.back()].attempt.first_step)
      chain.push_back(i - 1);
  std::ranges::reverse(chain);
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

// Tell whether the next attempt begins with what the attempt ended with, value for value: no run prints the
// same times twice, so these lines were written twice.
bool is_written_twice(const Attempt& attempt, const Attempt& next) {
  bool common = false, equal = true;
  for (const Series& series : attempt.series) {
    const Series* other = find_series(next.series, series.metric(), series.rank());
    if (series.numbered() != Numbering::step) continue;
    if (other == nullptr) return false;
    for (auto it = other->samples().begin(); equal && it != other->samples().end(); ++it) {
      const std::optional<Sample> before = series.find(it.number());
      common |= before.has_value();
      equal = !before || before->value == it.view().value;
    }
  }
  return common && equal;
}

// Return the last number of the series that is of what the next attempt went on from. Reports of step lines
// and of every N-th step are numbered on there; those of launches are counted from 1 again, and none is,
// unless lines were written twice.
std::int64_t last_before(const Series& series, const ResolvedAttempt& next, bool twice) {
  if (series.numbered() == Numbering::step) return next.attempt.first_step - 1;
  const Series* other = find_series(next.attempt.series, series.metric(), series.rank());
  if (other != nullptr) return other->empty() ? 0 : other->samples().begin().number() - 1;
  const auto before = next.before.find({series.metric(), series.rank()});
  return twice ? no_limit : before == next.before.end() ? 0 : before->second;
}

void append_all(const Attempt& attempt, const ResolvedAttempt* next, Judged& judged) {
  const bool twice = next != nullptr && is_written_twice(attempt, next->attempt);
  for (const Series& series : attempt.series) {
    const std::int64_t last = next == nullptr ? no_limit : last_before(series, *next, twice);
    Series empty(series.metric(), series.rank(), series.unit(), series.numbered());
    empty.set_assumed(series.assumed());
    append_samples(series, last, judged.try_emplace({series.metric(), series.rank()}, empty).first->second);
  }
}

// Return what is judged of the attempt: its own series, behind the steps of the attempts that it went on
// from.
std::vector<Series> judged_series(const std::vector<ResolvedAttempt>& attempts, std::size_t chosen,
                                  const MetricTable& metrics) {
  const std::vector<std::size_t> chain = chain_of(attempts, chosen);
  if (chain.size() == 1) return attempts[chosen].attempt.series;
  Judged judged;
  for (std::size_t i = 0; i + 1 < chain.size(); ++i)
    append_all(attempts[chain[i]].attempt, &attempts[chain[i + 1]], judged);
  append_all(attempts[chosen].attempt, nullptr, judged);
  std::vector<Series> series;
  for (auto& [key, each] : judged)
    if (!each.empty()) series.push_back(std::move(each));
  sort_series(series, metrics);
  return series;
}

Sentence lines_of(const Attempt& attempt) {
  if (attempt.first_line == 0) return {};
  return say({"lines {}-{}", "{}-{} 行"}, attempt.first_line, attempt.last_line);
}

bool has_values(const Series& series) {
  return std::any_of(series.samples().begin(), series.samples().end(),
                     [](const Sample& sample) { return sample.value.kind != ValueKind::left_out; });
}

bool holds(const std::vector<Series>& all, const std::string& metric) {
  return std::ranges::any_of(
      all, [&](const Series& series) { return series.metric() == metric && has_values(series); });
}

// Tell whether the attempts were to do the same. One without a step announces nothing: it may be a piece of
// any other, such as the memory reports of one, unless its number was asked for.
bool is_same_job(const ResolvedAttempt& a, const ResolvedAttempt& b, AttemptChoice choice) {
  const auto has_steps = [](const ResolvedAttempt& resolved) {
    return resolved.total || std::ranges::any_of(resolved.attempt.series, [](const Series& series) {
             return series.numbered() == Numbering::step;
           });
  };
  return a.total == b.total || (!choice.number && (!has_steps(a) || !has_steps(b)));
}

// Return what an attempt that was to do the same holds, and the judged one does not.
std::vector<LackedMetric> lacked(const std::vector<ResolvedAttempt>& attempts, std::size_t chosen,
                                 AttemptChoice choice, const std::vector<Series>& judged) {
  std::vector<LackedMetric> all;
  const Sentence lines = lines_of(attempts[chosen].attempt);
  const Sentence judged_words = lines.empty()
                                    ? say({"its judged attempt", "判定的那次尝试"})
                                    : say({"its judged attempt, {},", "判定的那次尝试（{}）"}, lines);
  for (std::size_t i = 0; i < attempts.size(); ++i)
    if (i != chosen && is_same_job(attempts[i], attempts[chosen], choice))
      for (const Series& series : attempts[i].attempt.series)
        if (has_values(series) &&
            std::ranges::find(all, series.metric(), &LackedMetric::metric) == all.end() &&
            !holds(judged, series.metric()))
          all.push_back(
              {series.metric(), say({"{} has no {}; {} has {}", "{}没有 {}；{}有 {} 个"}, judged_words,
                                    series.metric(), name(attempts[i]), series.size())});
  return all;
}

// Show what was computed again after a restart with another result: the last print counts.
void note_recomputed(const std::vector<ResolvedAttempt>& attempts, std::size_t chosen,
                     const MetricTable& metrics, std::vector<Sentence>& notes) {
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
          notes.push_back(say({"{} of step {} was {}, and {} when {} computed it again",
                               "第 {1} 步的 {0} 原为 {2}，{4}重新计算后为 {3}"},
                              label(now), it.number(), other->text, it.view().text,
                              name(attempts[chain[i]])));
      }
    }
}

// Return the metrics of the attempt that the judged one does not hold.
std::vector<std::string> held_alone(const Attempt& attempt, const std::vector<Series>& judged) {
  std::vector<std::string> metrics;
  for (const Series& series : attempt.series)
    if (has_values(series) && !holds(judged, series.metric()) &&
        (metrics.empty() || metrics.back() != series.metric()))
      metrics.push_back(series.metric());
  return metrics;
}

// Name the attempts that were to do something else than the judged one: they announce another total, or hold
// other metrics. What is lacking of the same job is no other job (see lacked()).
std::vector<Sentence> other_jobs(const std::vector<ResolvedAttempt>& attempts, std::size_t chosen,
                                 AttemptChoice choice, const std::vector<Series>& judged) {
  std::vector<Sentence> jobs;
  for (std::size_t i = 0; i < attempts.size() && jobs.size() < most_notes; ++i) {
    const auto& [attempt, total, number, epoch_end, before] = attempts[i];
    if (i == chosen || is_same_job(attempts[i], attempts[chosen], choice)) continue;
    const std::vector<std::string> metrics = held_alone(attempt, judged);
    if (metrics.empty() && !(total && attempts[chosen].total)) continue;
    const Sentence lines = lines_of(attempt);
    Sentence job = say({"{} is of another job{}: {}", "{}属于另一个作业{}：{}"}, name(attempts[i]),
                       lines.empty() ? Sentence() : say({", {}", "（{}）"}, lines), steps_of(attempt));
    if (total) job += say({" of {}", "，共 {}"}, *total);
    if (!metrics.empty()) job += say({"; it alone has {}", "；只有它有 {}"}, join(metrics, ", "));
    jobs.push_back(std::move(job));
  }
  return jobs;
}

// Say which attempt is judged, and from which others its first steps come.
void note_choice(const std::vector<ResolvedAttempt>& attempts, std::size_t chosen, std::size_t forgotten,
                 std::vector<Sentence>& notes) {
  if (attempts.size() + forgotten < 2) return;
  notes.push_back(say({"{} of {} is judged: {}", "判定{}（共 {} 次）：{}"}, name(attempts[chosen]),
                      attempts.size() + forgotten, steps_of(attempts[chosen].attempt)));
  const std::vector<std::size_t> chain = chain_of(attempts, chosen);
  const std::size_t most = notes.size() + most_notes;
  for (std::size_t i = chain.size() - 1; i > 0 && notes.size() < most; --i) {
    const std::int64_t first = attempts[chain[i]].attempt.first_step;
    const Attempt& before = attempts[chain[i - 1]].attempt;
    const std::int64_t last = std::min(before.last_step, first - 1);
    notes.push_back(say({"{} {} from {}: {} resumed at step {}", "{}{}{}：{}从第 {} 步续训"},
                        steps(before.first_step, last),
                        Sentence(last == before.first_step ? "comes" : "come", "来自"),
                        name(attempts[chain[i - 1]]), name(attempts[chain[i]]), first));
  }
}

// Tell the first obstacle that stands before what would be judged, and the first before a baseline of it.
bool is_in_doubt(const Resolution& resolution, std::size_t chosen, Extraction& extraction,
                 ProblemLog& problems) {
  const std::vector<std::size_t> chain = chain_of(resolution.attempts, chosen);
  for (const Obstacle& obstacle : resolution.obstacles) {
    const bool matters = std::ranges::any_of(
        obstacle.attempts, [&](std::size_t attempt) { return std::ranges::binary_search(chain, attempt); });
    if (!matters) continue;
    if (obstacle.before == Before::baseline) {
      if (extraction.copied.empty() && resolution.attempts.size() > 1) extraction.copied = obstacle.text;
      continue;
    }
    if (extraction.doubt.empty()) extraction.doubt = obstacle.text;
    problems.add(ProblemKind::ambiguous, obstacle.place, obstacle.text);
  }
  return !extraction.doubt.empty();
}

void choose_attempt(const Resolution& resolution, std::size_t chosen, AttemptChoice choice,
                    const MetricTable& metrics, Extraction& extraction) {
  const std::vector<ResolvedAttempt>& attempts = resolution.attempts;
  extraction.series = judged_series(attempts, chosen, metrics);
  extraction.total = attempts[chosen].total;
  if (const auto end = attempts[chosen].epoch_end)
    extraction.bar = ShownBar{attempts[chosen].attempt.last_step, *end};
  extraction.lacked = lacked(attempts, chosen, choice, extraction.series);
  extraction.other_jobs = other_jobs(attempts, chosen, choice, extraction.series);
  note_choice(attempts, chosen, resolution.forgotten, extraction.notes);
  extraction.notes.insert(extraction.notes.end(), extraction.other_jobs.begin(), extraction.other_jobs.end());
  if (resolution.restarts == Restarts::expected) note_recomputed(attempts, chosen, metrics, extraction.notes);
  const auto is_printed = [](const Series& series) {
    return !series.assumed() && series.numbered() == Numbering::step;
  };
  if (std::ranges::any_of(extraction.series, &Series::assumed) &&
      std::ranges::none_of(extraction.series, is_printed))
    extraction.notes.push_back(
        say({"steps are counted: the log prints no step", "步号是数出来的：日志不打印步号"}));
}

// Return the place of the attempt, or nothing where the log holds none of that number.
std::optional<std::size_t> find_attempt(const std::vector<ResolvedAttempt>& attempts, AttemptChoice choice) {
  const std::size_t place =
      choice.number ? static_cast<std::size_t>(std::max(*choice.number, 1)) - 1 : attempts.size() - 1;
  return place < attempts.size() ? std::optional(place) : std::nullopt;
}

Sentence not_held(const std::vector<ResolvedAttempt>& attempts, AttemptChoice choice, const Sentence& what) {
  return say(
      {"attempt {} was asked for; the log holds {}: {} is judged", "指定了第 {} 次尝试；日志里有 {}：{}判定"},
      choice.number.value_or(1), count_of(std::ssize(attempts), "attempt", "次尝试"), what);
}

// Put the metric of the attempt that a rule chose beside what is judged, under its name.
void judge_beside(const Resolution& resolution, const AttemptMetric& one, const MetricTable& metrics,
                  Extraction& extraction, ProblemLog& problems) {
  const std::vector<ResolvedAttempt>& attempts = resolution.attempts;
  const std::optional<std::size_t> chosen = find_attempt(attempts, one.attempt);
  if (!chosen)
    return extraction.notes.push_back(not_held(attempts, one.attempt, say({"no {}", "{} 不"}, one.name)));
  if (!extraction.doubt.empty() || is_in_doubt(resolution, *chosen, extraction, problems))
    return extraction.series.clear();
  for (const Series& series : judged_series(attempts, *chosen, metrics)) {
    if (series.metric() != one.metric) continue;
    Series named(one.name, series.rank(), series.unit(), series.numbered(), series.samples());
    for (const std::int64_t number : series.conflicts()) named.mark_conflict(number);
    named.set_assumed(series.assumed());
    extraction.series.push_back(std::move(named));
  }
  extraction.notes.push_back(say({"{}: of {}, {}", "{}：取自{}，{}"}, one.name, name(attempts[*chosen]),
                                 steps_of(attempts[*chosen].attempt)));
}

}  // namespace

void judge_attempt(Resolution resolution, AttemptChoice choice, std::span<const AttemptMetric> beside,
                   const MetricTable& metrics, Extraction& extraction, ProblemLog& problems) {
  std::vector<ResolvedAttempt>& attempts = resolution.attempts;
  const std::optional<std::size_t> chosen = find_attempt(attempts, choice);
  if (!chosen && choice.number)
    extraction.notes.push_back(not_held(attempts, choice, {"nothing", "什么也不"}));
  if (chosen && !is_in_doubt(resolution, *chosen, extraction, problems))
    choose_attempt(resolution, *chosen, choice, metrics, extraction);
  for (const AttemptMetric& one : beside) judge_beside(resolution, one, metrics, extraction, problems);
  if (!beside.empty()) sort_series(extraction.series, metrics);
  for (ResolvedAttempt& resolved : attempts) extraction.attempts.push_back(std::move(resolved.attempt));
  extraction.attempts_counted = resolution.forgotten;
}

}  // namespace gate::extract
