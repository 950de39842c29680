#include "extract/attempts/resolve_attempts.h"

#include <algorithm>
#include <limits>
#include <set>

#include "extract/attempts/collapse.h"
#include "extract/attempts/describe_attempt.h"
#include "extract/attempts/report_places.h"

namespace gate::extract {

namespace {

using PlaceSet = std::set<std::pair<std::uint32_t, std::uint32_t>>;

using Attempts = std::vector<Piles>;

void pour(SampleTape samples, SampleTape& into) {
  if (into.empty())
    into = std::move(samples);
  else
    into.append(samples);
}

// Counts a source's reports of a metric and rank anew where an attempt begins. What was no number is counted,
// too.
struct ReportCount {
  std::size_t attempt = 0;
  std::int64_t base = 0;  // the last number before the attempt
  std::int64_t last = 0;

  std::int64_t number(std::int64_t counted, std::size_t of_attempt) {
    if (counted <= last) base = 0;
    if (counted > last && of_attempt != attempt) base = last;
    attempt = of_attempt;
    last = counted;
    return counted - base;
  }
};
using ReportCounts = std::map<std::pair<std::size_t, SeriesKey>, ReportCount>;

// Put each value where the nearest step line is.
void pile_each(const FollowerTape& tape, const Segment& segment, const Arrangement& arrangement, bool counted,
               ReportCounts& counts, Attempts& attempts) {
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

void pile_followers(AttemptBuffers& books, const Arrangement& arrangement, const MetricTable& metrics,
                    Attempts& attempts) {
  ReportCounts counts;
  for (FollowerTape& tape : books.followers) {  // before the tapes that print the steps are used up
    if (arrangement.segments[tape.segment]) continue;
    const Segment& segment = books.segments[tape.segment];
    const bool counted = numbering_of(metrics, tape.key.first) == Numbering::report;
    pile_each(tape, segment, arrangement, counted, counts, attempts);
    tape.samples = {};
  }
  for (FollowerTape& tape : books.followers)
    if (const std::optional<std::size_t> attempt = arrangement.segments[tape.segment])
      pour(std::move(tape.samples), attempts[*attempt][books.segments[tape.segment].reader][tape.key]);
}

// A report-numbered metric of a step line is numbered by the line's place among those of its attempt.
SampleTape count_step_reports(const StepTape& tape, const SampleTape& column) {
  SampleTape counted;
  std::int64_t count = 0;
  auto line = tape.lines.begin();
  std::int64_t last = 0;
  for (auto it = column.begin(); it != column.end(); ++it) {
    SampleView sample = it.view();
    for (; line != tape.lines.end() && line.number() <= sample.number; ++line)
      if (count == 0 || line.number() != last) ++count, last = line.number();
    sample.number = count;
    counted.append(sample);
  }
  return counted;
}

// Return the metrics of tapes whose steps are printed.
std::set<std::string, std::less<>> printed_metrics(const StepTapes& steps) {
  std::set<std::string, std::less<>> metrics;
  for (const StepTape& tape : steps.all())
    if (!tape.counted)
      for (const StepColumn& column : tape.columns)
        if (!column.samples.empty()) metrics.emplace(column.metric);
  return metrics;
}

// Where one file prints the steps of a metric and another one does not, the printed ones count.
void drop_unused(StepTapes& steps) {
  for (StepTape& tape : steps.all()) tape.drop_unused();
  const std::set<std::string, std::less<>> printed = printed_metrics(steps);
  for (StepTape& tape : steps.all()) {
    if (!tape.counted) continue;
    std::erase_if(tape.columns, [&](const StepColumn& column) { return printed.contains(column.metric); });
  }
}

void pile_steps(AttemptBuffers& books, Attempts& attempts) {
  for (StepTape& tape : books.steps.all()) {
    tape.fill_left_out();
    SamplesByKey& pile = attempts[tape.attempt][tape.reader];
    for (StepColumn& column : tape.columns) {
      if (column.numbered == Numbering::report) column.samples = count_step_reports(tape, column.samples);
      pour(std::move(column.samples), pile[{std::string(column.metric), tape.rank_of(column)}]);
    }
  }
}

std::vector<std::int64_t> first_steps(const StepTapes& steps) {
  std::vector<std::int64_t> all(steps.attempts(), std::numeric_limits<std::int64_t>::max());
  for (const StepTape& tape : steps.all()) all[tape.attempt] = std::min(all[tape.attempt], tape.first_step());
  return all;
}

void pile_column(std::span<const Report> reports, const ReportColumn& column, std::size_t reader,
                 const MetricTable& metrics, Attempts& attempts) {
  const bool counted = numbering_of(metrics, column.metric) == Numbering::report;
  const SeriesKey key(column.metric, column.rank);
  for_each_value(reports, column.samples, [&](const Report& report, SampleView sample) {
    sample.number = counted ? report.number : report.step;
    attempts[report.attempt][reader][key].append(sample);
  });
}

void pile_reports(AttemptBuffers& books, const MetricTable& metrics, Attempts& attempts,
                  ProblemLog& problems) {
  const std::vector<std::int64_t> firsts = first_steps(books.steps);
  const NearestAttempt nearest = nearest_attempt(books.steps);
  for (auto& [key, reports] : books.reports) {
    const auto [reader, file, rank] = key;
    std::vector<Report>& all = reports.all;
    for (const Report& again : assign_attempts(all, firsts, nearest))
      problems.add(ProblemKind::duplicate, again.place,
                   "report of rank " + std::to_string(rank) + " after " + std::to_string(again.step) +
                       " iterations printed again with equal values");
    if (!all.empty()) attempts.resize(std::max<std::size_t>(attempts.size(), all.back().attempt + 1));
    for (ReportColumn& column : reports.columns) {
      pile_column(all, column, reader, metrics, attempts);
      column = {};
    }
    reports = {};
  }
}

// Return one pile of an attempt: of readers that read the same metric the first one counts.
SamplesByKey merge(Piles& piles) {
  SamplesByKey merged;
  std::map<std::string, std::size_t, std::less<>> readers;
  for (auto& [reader, pile] : piles)
    for (auto& [key, samples] : pile)
      if (readers.try_emplace(key.first, reader).first->second == reader) merged[key] = std::move(samples);
  return merged;
}

// Equal values are told where one source printed them twice: that several print them is as it should be.
void tell_repeats(const Series& series, const std::vector<Repeat>& repeats, const PlaceSet& again,
                  PlaceSet& told, ProblemLog& problems) {
  for (const Repeat& repeat : repeats) {
    const std::string number =
        std::string(to_string(series.numbered())) + " " + std::to_string(repeat.number);
    if (!repeat.text.empty())
      problems.add(repeat.picked ? ProblemKind::duplicate : ProblemKind::conflict, repeat.place,
                   number + ": " + repeat.text);
    else if (again.contains({repeat.place.file, repeat.place.line}) &&
             told.emplace(repeat.place.file, repeat.place.line).second)
      problems.add(ProblemKind::duplicate, repeat.place, number + " printed again with equal values");
  }
}

std::size_t table_place(const MetricTable& metrics, const std::string& name) {
  const Metric* metric = metrics.find(name);
  return metric == nullptr ? metrics.all().size() : static_cast<std::size_t>(metric - metrics.all().data());
}

std::vector<Series> make_series(SamplesByKey& pile, const PlaceSet& again, const MetricTable& metrics,
                                ProblemLog& problems) {
  std::vector<Series> all;
  PlaceSet told;
  for (auto& [key, samples] : pile) {
    if (samples.empty()) continue;
    std::vector<Repeat> repeats;
    all.push_back(collapse(std::move(samples), metrics.get(key.first), key.second, repeats));
    tell_repeats(all.back(), repeats, again, told, problems);
  }
  sort_series(all, metrics);
  return all;
}

bool is_counted_attempt(const StepTapes& steps, std::size_t attempt) {
  const std::vector<const StepTape*> tapes = steps.of_attempt(attempt);
  return std::any_of(tapes.begin(), tapes.end(),
                     [](const auto* tape) { return tape->counted && !tape->columns.empty(); });
}

// Numbers that nobody printed are assumed ones, and so are those printed beside them: they are of one list.
void mark_counted(const StepTapes& steps, std::size_t attempt, std::vector<Series>& all) {
  if (!is_counted_attempt(steps, attempt)) return;
  for (Series& series : all) series.set_assumed(series.numbered() == Numbering::step);
}

void tell_restart(const Restart& restart, ProblemLog& problems) {
  problems.add(ProblemKind::restart, restart.place,
               "step " + std::to_string(restart.step) + " after step " + std::to_string(restart.after) +
                   ": attempt " + std::to_string(restart.attempt) + " begins");
}

// Say where each attempt begins that is not the first.
void tell_restarts(const AttemptBuffers& books, const std::vector<AttemptSpan>& spans, ProblemLog& problems) {
  for (const Restart& restart : books.restarts) tell_restart(restart, problems);
  for (std::size_t i = 0; i < books.more_restarts; ++i) problems.add(ProblemKind::restart, {}, "");
  for (std::size_t i = 1; i < spans.size(); ++i)
    if (!spans[i].is_noted)
      tell_restart({spans[i].first, spans[i].begins, spans[i - 1].steps.last, spans[i].number}, problems);
}

void set_lines(const AttemptSpan& span, std::span<const std::string> files, Attempt& attempt) {
  attempt.file = span.first.file < files.size() ? files[span.first.file] : "";
  attempt.first_line = span.first.line;
  attempt.last_line = span.last.line;
}

std::optional<std::int64_t> announced(const StepTapes& steps, std::size_t attempt) {
  std::optional<std::int64_t> total;
  for (const StepTape* tape : steps.of_attempt(attempt))
    if (tape->total) total = tape->total;
  return total;
}

}  // namespace

void sort_series(std::vector<Series>& all, const MetricTable& metrics) {
  std::stable_sort(all.begin(), all.end(), [&](const Series& a, const Series& b) {
    if (a.metric() == b.metric()) return a.rank() < b.rank();
    const std::size_t place = table_place(metrics, a.metric());
    const std::size_t other = table_place(metrics, b.metric());
    return place == other ? a.metric() < b.metric() : place < other;
  });
}

Settlement settle(AttemptBuffers& books, InDoubt in_doubt, Restarts restarts, const MetricTable& metrics,
                  std::span<const std::string> files, ProblemLog& problems) {
  drop_unused(books.steps);
  Arrangement arrangement = arrange(books, in_doubt, files);
  Attempts attempts(arrangement.count);
  pile_reports(books, metrics, attempts, problems);  // before the step lines are used up
  pile_followers(books, arrangement, metrics, attempts);
  pile_steps(books, attempts);
  if (restarts == Restarts::problem) tell_restarts(books, arrangement.spans, problems);
  Settlement settlement;
  settlement.obstacles = std::move(arrangement.obstacles);
  settlement.restarts = restarts;
  settlement.forgotten = arrangement.forgotten;
  for (std::size_t index = 0; index < attempts.size(); ++index) {
    Attempt attempt = describe_attempt(books.steps, attempts[index], index, files);
    SamplesByKey pile = merge(attempts[index]);
    attempt.series = make_series(pile, books.repeats, metrics, problems);
    mark_counted(books.steps, index, attempt.series);
    tell_left_out(books.steps, index, attempt.series, problems);
    if (index < arrangement.spans.size()) set_lines(arrangement.spans[index], files, attempt);
    const bool spans = index < arrangement.spans.size();
    const std::size_t number = spans ? arrangement.spans[index].number : index + 1 + settlement.forgotten;
    settlement.attempts.push_back({std::move(attempt), announced(books.steps, index), number});
  }
  return settlement;
}

}  // namespace gate::extract
