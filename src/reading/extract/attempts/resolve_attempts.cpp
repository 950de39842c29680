#include "extract/attempts/resolve_attempts.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "extract/attempts/swapped.h"

namespace gate::extract {

namespace {

using PlaceSet = std::set<std::pair<std::uint32_t, std::uint32_t>>;
using AttemptSamples = std::vector<SamplesByReader>;

using SameNumber = std::span<Sample>;

const Sample& pick(SameNumber group, Pick which) {
  const auto number = [](const Sample& sample) { return sample.value.number; };
  const auto non_finite =
      std::ranges::find_if_not(group, [](const Sample& s) { return s.value.is_finite(); });
  if (non_finite != group.end()) return *non_finite;
  if (which == Pick::last) return group.back();
  if (which == Pick::min) return *std::ranges::min_element(group, {}, number);
  if (which == Pick::max) return *std::ranges::max_element(group, {}, number);
  return group.front();
}

// Call use(group) for the samples of each number; they are sorted by it.
template <class Use>
void for_each_number(std::vector<Sample>& samples, const Use& use) {
  for (auto begin = samples.begin(); begin != samples.end();) {
    const auto end =
        std::find_if(begin, samples.end(), [&](const Sample& s) { return s.number != begin->number; });
    use(SameNumber(begin, end));
    begin = end;
  }
}

void append(SampleTape samples, SampleTape& into) {
  if (into.empty())
    into = std::move(samples);
  else
    into.append(samples);
}

// Counts a source's reports of a metric and rank again where an attempt begins. What was no number is
// counted, too.
struct ReportCount {
  std::size_t attempt = 0;
  std::int64_t base = 0;  // the last number before the attempt
  std::int64_t last = 0;

  std::int64_t number(std::int64_t counted, std::size_t in_attempt) {
    if (counted <= last) base = 0;
    if (counted > last && in_attempt != attempt) base = last;
    attempt = in_attempt;
    last = counted;
    return counted - base;
  }
};
using ReportCounts = std::map<std::pair<std::size_t, SeriesKey>, ReportCount>;

// Put each value where the nearest step line is.
void append_each(const FollowerTape& tape, const Segment& segment, const Arrangement& arrangement,
                 bool counted, ReportCounts& counts, AttemptSamples& attempts) {
  const std::size_t in_turn = std::min(segment.nth, arrangement.count - 1);
  ReportCount& count = counts[{segment.source, tape.key}];
  for (auto it = tape.samples.begin(); it != tape.samples.end(); ++it) {
    SampleView sample = it.view();
    const std::optional<std::int64_t> step = counted ? std::nullopt : std::optional(sample.number);
    const std::size_t attempt =
        arrangement.lines.near({sample.file, sample.line}, segment.prefix, step).value_or(in_turn);
    if (counted) sample.number = count.number(sample.number, attempt);
    attempts[attempt][segment.reader][tape.key].append(sample);
  }
}

// Number what is numbered by steps by reports: those of an attempt behind the ones that it went on from. Of
// several of a step the one that needed most counts. Return how many of which metric each went on from.
std::vector<ReportsBefore> append_numbered(const AttemptSamples& by_step, const Arrangement& arrangement,
                                           AttemptSamples& attempts) {
  std::map<std::pair<std::size_t, SeriesKey>, std::vector<std::int64_t>> before;  // steps of the reports
  std::vector<ReportsBefore> counts(by_step.size());
  for (std::size_t i = 0; i < by_step.size(); ++i) {
    if (i < arrangement.spans.size())
      for (const auto& [key, steps] : before)
        counts[i][key.second] = std::ranges::lower_bound(steps, arrangement.spans[i].begins) - steps.begin();
    for (const auto& [reader, by_key] : by_step[i])
      for (const auto& [key, samples] : by_key) {
        std::vector<Sample> all(samples.begin(), samples.end());
        std::ranges::stable_sort(all, {}, &Sample::number);
        std::vector<std::int64_t>& steps = before[{reader, key}];
        for_each_number(all, [&, reader = reader, &key = key](SameNumber group) {
          while (!steps.empty() && steps.back() >= group.front().number) steps.pop_back();
          steps.push_back(group.front().number);
          Sample most = pick(group, Pick::max);
          most.number = static_cast<std::int64_t>(steps.size());
          attempts[i][reader][key].append(most);
        });
      }
  }
  return counts;
}

void append_followers(AttemptBuffers& buffers, const Arrangement& arrangement, const MetricTable& metrics,
                      AttemptSamples& by_step, AttemptSamples& attempts) {
  ReportCounts counts;
  for (FollowerTape& tape : buffers.followers) {  // before the tapes that print the steps are used up
    if (arrangement.segments[tape.segment]) continue;
    const Segment& segment = buffers.segments[tape.segment];
    const bool counted = !tape.by_step && numbering_of(metrics, tape.key.first) == Numbering::report;
    append_each(tape, segment, arrangement, counted, counts, tape.by_step ? by_step : attempts);
    tape.samples = {};
  }
  for (FollowerTape& tape : buffers.followers)
    if (const std::optional<std::size_t> attempt = arrangement.segments[tape.segment]) {
      const Segment& segment = buffers.segments[tape.segment];
      SampleTape& all = (tape.by_step ? by_step : attempts)[*attempt][segment.reader][tape.key];
      if (segment.is_head)
        all.append(tape.samples, {.number = 1 - tape.samples.front().number});
      else
        append(std::move(tape.samples), all);
    }
}

// A report-numbered metric of a step line is numbered by the line's place among those of its attempt, and of
// those that this one resumed behind.
SampleTape count_step_reports(const StepTape& tape, const SampleTape& column) {
  SampleTape counted;
  std::int64_t count = tape.base;
  auto line = tape.lines.begin();
  std::int64_t last = 0;
  for (auto it = column.begin(); it != column.end(); ++it) {
    SampleView sample = it.view();
    for (; line != tape.lines.end() && line.number() <= sample.number; ++line)
      if (count == tape.base || line.number() != last) ++count, last = line.number();
    sample.number = count;
    counted.append(sample);
  }
  return counted;
}

// Drop the columns that hold nothing and are not expected to, and those whose steps are counted if another
// file prints the steps of their metric.
void drop_unused(StepTapes& steps) {
  std::set<std::string, std::less<>> printed;  // metrics of tapes whose steps are printed
  for (StepTape& tape : steps.all()) {
    std::erase_if(tape.columns,
                  [](const StepColumn& column) { return column.samples.empty() && !column.expected; });
    for (const StepColumn& column : tape.columns)
      if (!tape.counted && !column.samples.empty()) printed.emplace(column.metric);
  }
  for (StepTape& tape : steps.all())
    if (tape.counted)
      std::erase_if(tape.columns, [&](const StepColumn& column) {
        if (!printed.contains(column.metric)) return false;
        if (!tape.unplaced) tape.unplaced = tape.no_number_of(column);
        return true;
      });
}

// What would hide behind the numbers of another logger is in the way of judging them.
void add_unplaced(const StepTapes& steps, std::vector<Obstacle>& obstacles) {
  for (const StepTape& tape : steps.all())
    if (tape.unplaced)
      obstacles.push_back(
          {{tape.attempt},
           tape.unplaced->place,
           say({"line {}: {} is no number, in a line without its step beside lines that print "
                "theirs: nobody can tell which step it is of",
                "第 {} 行：{} 不是数，该行没有步号，而其他行都有：无法判断它属于哪一步"},
               tape.unplaced->place.line, tape.unplaced->metric)});
}

void append_steps(AttemptBuffers& buffers, AttemptSamples& attempts) {
  for (StepTape& tape : buffers.steps.all()) {
    tape.fill_left_out();
    SamplesByKey& by_key = attempts[tape.attempt][tape.reader];
    for (StepColumn& column : tape.columns) {
      if (column.numbered == Numbering::report) column.samples = count_step_reports(tape, column.samples);
      append(std::move(column.samples), by_key[{std::string(column.metric), tape.rank_of(column)}]);
    }
  }
}

// Of several launches of an attempt the one that needed most counts.
void append_launches(std::span<const RankReport> reports, const ReportColumn& column, std::size_t reader,
                     AttemptSamples& attempts) {
  std::map<std::pair<std::size_t, std::int64_t>, std::vector<Sample>> told;  // by attempt and number
  for_each_value(reports, column.samples, [&](const RankReport& report, SampleView sample) {
    sample.number = report.number;
    told[{report.attempt, report.number}].push_back(sample.copy());
  });
  for (auto& [place, samples] : told)
    attempts[place.first][reader][{column.metric, column.rank}].append(pick(samples, Pick::max));
}

void append_reports(AttemptBuffers& buffers, const MetricTable& metrics, AttemptSamples& by_step,
                    AttemptSamples& attempts, ProblemLog& problems) {
  std::vector<std::int64_t> firsts(buffers.steps.attempts(), std::numeric_limits<std::int64_t>::max());
  for (const StepTape& tape : buffers.steps.all())
    firsts[tape.attempt] = std::min(firsts[tape.attempt], tape.first_step());
  const NearestAttempt nearest = nearest_attempt(buffers.steps);
  for (auto& [key, reports] : buffers.reports) {
    const std::size_t reader = std::get<0>(key);
    const int rank = std::get<2>(key);
    std::vector<RankReport>& all = reports.all;
    for (const RankReport& again : assign_attempts(all, firsts, nearest))
      problems.add(ProblemKind::duplicate, again.place,
                   say({"report of rank {} after {} iterations printed again with equal values",
                        "rank {} 在 {} 次迭代之后的报告重复打印，值相同"},
                       rank, again.step));
    const ReportsOf of = number_reports(all, buffers.steps);
    if (!all.empty()) attempts.resize(std::max<std::size_t>(attempts.size(), all.back().attempt + 1));
    by_step.resize(attempts.size());
    for (ReportColumn& column : reports.columns) {
      const bool counted = numbering_of(metrics, column.metric) == Numbering::report;
      if (counted && of == ReportsOf::launches)
        append_launches(all, column, reader, attempts);
      else
        for_each_value(all, column.samples, [&](const RankReport& report, SampleView sample) {
          if (counted) sample.number = report.number;
          (counted ? by_step : attempts)[report.attempt][reader][{column.metric, column.rank}].append(sample);
        });
      column = {};
    }
    reports = {};
  }
}

// Return the samples of an attempt by metric and rank: of readers that read the same metric the first one
// counts.
SamplesByKey merge(SamplesByReader& by_reader) {
  SamplesByKey merged;
  std::map<std::string, std::size_t, std::less<>> readers;
  for (auto& [reader, by_key] : by_reader)
    for (auto& [key, samples] : by_key)
      if (readers.try_emplace(key.first, reader).first->second == reader) merged[key] = std::move(samples);
  return merged;
}

// Of a metric the steps at which a source that prints its numbers said that there is none.
using NoneSteps = std::set<std::int64_t>;

// A number that was printed more than once.
struct Repeat {
  std::int64_t number = 0;
  LinePlace place;      // of the second printing
  Sentence text;        // what differs, for people; "" where all values were equal
  bool picked = false;  // the metric says which value is meant
};

Sentence differing(SameNumber group, const Metric& metric, Pick which) {
  const auto other =
      std::ranges::find_if(group, [&](const Sample& s) { return !(s.value == group[0].value); });
  const Sentence words = say({"{} printed as {} and as {}", "{} 打印为 {} 又打印为 {}"}, metric.name,
                             group[0].text, other->text);
  if (metric.pick != Pick::none) return words;
  return words + (which == Pick::none ? Sentence() : say({": the first is taken", "：取第一个"})) +
         say({"; metrics.{}.pick (first, last, min, max) says which is meant",
              "；metrics.{}.pick (first, last, min, max) 可说明取哪一个"},
             metric.name);
}

void add_group(SameNumber group, const Metric& metric, Pick which, Series& series,
               std::vector<Repeat>& repeats) {
  const auto printed = std::stable_partition(group.begin(), group.end(), [](const Sample& sample) {
    return sample.value.kind == ValueKind::left_out;
  });
  if (printed != group.end()) group = SameNumber(printed, group.end());
  const bool equal = std::ranges::all_of(group, [&](const Sample& s) { return s.value == group[0].value; });
  const bool chosen = which != Pick::none;
  if (group.size() > 1)
    repeats.push_back({group[0].number,
                       {group[1].file, group[1].line},
                       equal ? Sentence() : differing(group, metric, which),
                       chosen});
  const auto not_finite = std::ranges::find_if(group, [](const Sample& s) { return !s.value.is_finite(); });
  series.append(!equal && chosen ? pick(group, which) : not_finite == group.end() ? group[0] : *not_finite);
  if (!equal && !chosen) series.mark_conflict(group[0].number);
}

// Return which of several values is meant. A framework may measure a speed in two ways now and then: the
// first one is, where most numbers have one value.
Pick pick_of(std::span<const Sample> samples, const Metric& metric) {
  if (metric.pick != Pick::none || metric.kind != MetricKind::speed) return metric.pick;
  std::set<std::int64_t> all, several;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    all.insert(samples[i].number);
    if (i > 0 && samples[i].number == samples[i - 1].number && !(samples[i].value == samples[i - 1].value))
      several.insert(samples[i].number);
  }
  return 2 * several.size() <= all.size() ? Pick::first : Pick::none;
}

// Return the series of the samples, in whatever order they come; where they rise already, in O(1). A left-out
// value gives way to a printed one; where a source that prints numbers said that there is none, it is none.
// Equal values collapse; of different ones the metric's pick is taken, else the first, and the number is
// marked as in conflict. One that is not finite always is taken, lest it vanish.
Series collapse(SampleTape tape, const Metric& metric, std::optional<int> rank, const NoneSteps& none,
                std::vector<Repeat>& repeats) {
  if (tape.rises() && none.empty()) return {metric.name, rank, metric.unit, metric.numbered, std::move(tape)};
  std::vector<Sample> samples(tape.begin(), tape.end());
  std::ranges::stable_sort(samples, {}, &Sample::number);
  Series series(metric.name, rank, metric.unit, metric.numbered);
  const Pick which = pick_of(samples, metric);
  for_each_number(samples, [&](SameNumber group) {
    const bool has_number =
        std::ranges::any_of(group, [](const Sample& sample) { return sample.value.is_finite(); });
    if (has_number && none.contains(group[0].number))
      series.append({group[0].number, {ValueKind::nan, {}}, "None", group[0].file, group[0].line});
    else
      add_group(group, metric, which, series, repeats);
  });
  return series;
}

Sentence attempt_words(Numbering numbered, std::int64_t number) {
  const std::string english = std::string(to_string(numbered)) + " " + std::to_string(number);
  return {english, numbered == Numbering::step     ? fmt::format("第 {} 步", number)
                   : numbered == Numbering::report ? fmt::format("第 {} 次打印", number)
                                                   : fmt::format("时间 {} ", number)};
}

// Equal values are told where one source printed them twice: that several print them is as it should be.
void tell_repeats(const Series& series, const std::vector<Repeat>& repeats, const PlaceSet& again,
                  PlaceSet& told, ProblemLog& problems) {
  for (const Repeat& repeat : repeats) {
    const Sentence number = attempt_words(series.numbered(), repeat.number);
    if (!repeat.text.empty())
      problems.add(repeat.picked ? ProblemKind::duplicate : ProblemKind::conflict, repeat.place,
                   number + colon + repeat.text);
    else if (again.contains({repeat.place.file, repeat.place.line}) &&
             told.emplace(repeat.place.file, repeat.place.line).second)
      problems.add(ProblemKind::duplicate, repeat.place,
                   say({"{} printed again with equal values", "{}重复打印，值相同"}, number));
  }
}

std::vector<Series> make_series(SamplesByKey& by_key, const std::map<std::string, NoneSteps>& none,
                                const PlaceSet& again, const MetricTable& metrics, ProblemLog& problems) {
  std::vector<Series> all;
  PlaceSet told;
  const auto steps_of = [&](const std::string& metric) {
    const auto steps = none.find(metric);
    return steps != none.end() && metrics.get(metric).numbered == Numbering::step ? steps->second
                                                                                  : NoneSteps();
  };
  for (auto& [key, samples] : by_key) {
    if (samples.empty()) continue;
    std::vector<Repeat> repeats;
    all.push_back(
        collapse(std::move(samples), metrics.get(key.first), key.second, steps_of(key.first), repeats));
    tell_repeats(all.back(), repeats, again, told, problems);
  }
  sort_series(all, metrics);
  return all;
}

// Numbers that nobody printed are assumed ones, and so are those printed beside them: they are of one list.
// Where lines of other kinds print theirs, what these hold has them.
void mark_counted(const StepTapes& steps, std::size_t attempt, std::vector<Series>& all) {
  const std::vector<const StepTape*> tapes = steps.of_attempt(attempt);
  const auto is_counted = [](const StepTape* tape) { return tape->counted && !tape->columns.empty(); };
  if (!std::ranges::any_of(tapes, is_counted)) return;
  const bool apart =
      std::ranges::all_of(tapes, [](const StepTape* tape) { return !tape->counted || tape->beside; });
  const auto is_printed = [&](const Series& series) {
    return apart && std::ranges::any_of(tapes, [&](const StepTape* tape) {
             return !tape->counted && tape->find(series.metric()) != nullptr;
           });
  };
  for (Series& series : all) series.set_assumed(series.numbered() == Numbering::step && !is_printed(series));
}

void tell_restart(const Restart& restart, ProblemLog& problems) {
  if (restart.is_recomputed)
    return problems.add(
        ProblemKind::recomputed, restart.place,
        say({"step {} printed again: it was computed again behind a failure that was repaired, and no run "
             "began; its last print counts (attempt {})",
             "第 {} 步重复打印：故障在线修复之后重新计算了这一步，没有重新启动；以最后一次打印为准（第 "
             "{} 次尝试）"},
            restart.step, restart.attempt));
  problems.add(
      ProblemKind::restart, restart.place,
      say({"step {} after step {}: attempt {} begins", "第 {1} 步之后出现第 {0} 步：第 {2} 次尝试开始"},
          restart.step, restart.after, restart.attempt));
}

// Say where each attempt begins that is not the first.
void tell_restarts(const AttemptBuffers& buffers, const std::vector<AttemptSpan>& spans,
                   ProblemLog& problems) {
  for (const Restart& restart : buffers.restarts) tell_restart(restart, problems);
  for (std::size_t i = 0; i < buffers.more_restarts; ++i) problems.add(ProblemKind::restart, {}, "");
  for (std::size_t i = 1; i < spans.size(); ++i)
    if (!spans[i].is_noted)
      tell_restart(
          {spans[i].first, spans[i].begins, spans[i - 1].steps.last, spans[i].number, spans[i].is_recomputed},
          problems);
}

// Return the attempt of that index with its series. What is told of it becomes problems.
ResolvedAttempt resolved_attempt(const AttemptBuffers& buffers, const Arrangement& arrangement,
                                 SamplesByReader& by_reader, std::size_t index, const MetricTable& metrics,
                                 std::span<const std::string> files, ProblemLog& problems) {
  ResolvedAttempt resolved{describe_attempt(buffers.steps, by_reader, index, files)};
  Attempt& attempt = resolved.attempt;
  SamplesByKey by_key = merge(by_reader);
  std::map<std::string, NoneSteps> none;
  for (const StepTape* tape : buffers.steps.of_attempt(index))
    for (const auto& [step, metric] : tape->none) none[std::string(metric)].insert(step);
  attempt.series = make_series(by_key, none, buffers.repeats, metrics, problems);
  mark_counted(buffers.steps, index, attempt.series);
  tell_left_out(buffers.steps, index, attempt.series, problems);
  for (const StepTape* tape : buffers.steps.of_attempt(index)) {
    if (tape->total) resolved.total = tape->total;
    if (tape->epoch_end) resolved.epoch_end = tape->epoch_end;
  }
  resolved.number = index + 1 + arrangement.forgotten;
  if (index >= arrangement.spans.size()) return resolved;
  const AttemptSpan& span = arrangement.spans[index];
  resolved.number = span.number;
  attempt.file = span.first.file < files.size() ? files[span.first.file] : "";
  attempt.first_line = span.first.line;
  attempt.last_line = span.last.line;
  return resolved;
}

}  // namespace

void sort_series(std::vector<Series>& all, const MetricTable& metrics) {
  // Most series are of several ranks: only other metrics are looked up.
  std::ranges::stable_sort(all, [&](const Series& a, const Series& b) {
    if (a.metric() == b.metric()) return a.rank() < b.rank();
    const std::size_t place = metrics.place_of(a.metric()), other = metrics.place_of(b.metric());
    return place == other ? a.metric() < b.metric() : place < other;
  });
}

Resolution resolve_attempts(AttemptBuffers& buffers, InDoubt in_doubt, Restarts restarts,
                            const MetricTable& metrics, std::span<const std::string> files,
                            ProblemLog& problems) {
  join_swapped(buffers, problems);
  drop_unused(buffers.steps);
  Arrangement arrangement = arrange(buffers, in_doubt, files);
  add_unplaced(buffers.steps, arrangement.obstacles);
  AttemptSamples attempts(arrangement.count), by_step(arrangement.count);
  append_reports(buffers, metrics, by_step, attempts, problems);  // before the step lines are used up
  append_followers(buffers, arrangement, metrics, by_step, attempts);
  std::vector<ReportsBefore> before = append_numbered(by_step, arrangement, attempts);
  append_steps(buffers, attempts);
  if (restarts == Restarts::problem) tell_restarts(buffers, arrangement.spans, problems);
  Resolution resolution{{}, std::move(arrangement.obstacles), restarts, arrangement.forgotten};
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    resolution.attempts.push_back(
        resolved_attempt(buffers, arrangement, attempts[i], i, metrics, files, problems));
    resolution.attempts.back().before = std::move(before[i]);
  }
  return resolution;
}

}  // namespace gate::extract
