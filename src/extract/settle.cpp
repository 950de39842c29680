#include "extract/settle.h"

#include <algorithm>
#include <limits>
#include <set>

#include "extract/collapse.h"
#include "extract/describe_attempt.h"

namespace gate::extract {

namespace {

using PlaceSet = std::set<std::pair<std::uint32_t, std::uint32_t>>;

using Attempts = std::vector<Piles>;

Piles& piles_of(Attempts& attempts, std::size_t attempt) {
  if (attempts.size() <= attempt) attempts.resize(attempt + 1);
  return attempts[attempt];
}

void pour(SampleTape samples, SampleTape& into) {
  if (into.empty())
    into = std::move(samples);
  else
    into.append(samples);
}

// Where there are training steps they alone say which attempts there are: a follower whose own numbers fell
// (an epoch's counter, say) stays in the last of them.
Attempts pile_followers(Books& books) {
  const std::size_t steps = books.steps.attempts();
  Attempts attempts(steps == 0 ? books.attempts : std::min(books.attempts, steps));
  std::stable_sort(books.followers.begin(), books.followers.end(),
                   [](const FollowerTape& a, const FollowerTape& b) { return a.attempt < b.attempt; });
  for (FollowerTape& tape : books.followers)
    pour(std::move(tape.samples),
         attempts[std::min(tape.attempt, attempts.size() - 1)][tape.reader][tape.key]);
  return attempts;
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
        if (!column.samples.empty()) metrics.insert(column.metric);
  return metrics;
}

// Where one file prints the steps of a metric and another one does not, the printed ones count.
void drop_counted(StepTapes& steps) {
  const std::set<std::string, std::less<>> printed = printed_metrics(steps);
  for (StepTape& tape : steps.all()) {
    if (!tape.counted) continue;
    std::erase_if(tape.columns, [&](const StepColumn& column) { return printed.contains(column.metric); });
  }
}

void pile_steps(Books& books, Attempts& attempts) {
  drop_counted(books.steps);
  for (StepTape& tape : books.steps.all()) {
    tape.fill_left_out();
    Pile& pile = piles_of(attempts, tape.attempt)[tape.reader];
    for (StepColumn& column : tape.columns) {
      if (column.numbered == Numbering::report) column.samples = count_step_reports(tape, column.samples);
      pour(std::move(column.samples), pile[{column.metric, tape.rank_of(column)}]);
    }
  }
}

// Where each attempt of the steps begins, and where in that file its last line stands. A file without step
// lines does not tell: 0.
std::vector<AttemptSpan> step_spans(const StepTapes& steps, std::uint32_t file) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::vector<AttemptSpan> spans(steps.attempts(), {none, 0});
  for (const StepTape& tape : steps.all()) {
    AttemptSpan& span = spans[tape.attempt];
    span.first_step = std::min(span.first_step, tape.first_step());
    if (tape.file == file) span.end = std::max(span.end, tape.end);
  }
  return spans;
}

void pile_report(Pile& pile, Report& report, const MetricTable& metrics) {
  for (ReportValue& value : report.values) {
    const bool counted = numbering_of(metrics, value.metric) == Numbering::report;
    value.sample.number = counted ? report.number : report.step;
    pile[{value.metric, value.rank}].append(value.sample);
  }
}

void pile_reports(Books& books, Attempts& attempts, const MetricTable& metrics, ProblemLog& problems) {
  for (auto& [key, reports] : books.reports) {
    const auto [reader, file, rank] = key;
    for (const Report& again : assign_attempts(reports, step_spans(books.steps, file)))
      problems.add(ProblemKind::duplicate, again.place,
                   "report of rank " + std::to_string(rank) + " after " + std::to_string(again.step) +
                       " iterations printed again with equal values");
    for (Report& report : reports) pile_report(piles_of(attempts, report.attempt)[reader], report, metrics);
  }
}

// Return one pile of an attempt: of readers that read the same metric the first one counts.
Pile merge(Piles& piles) {
  Pile merged;
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

std::vector<Series> make_series(Pile& pile, const PlaceSet& again, const MetricTable& metrics,
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

std::vector<Settled> settle(Books& books, const MetricTable& metrics, std::span<const std::string> files,
                            ProblemLog& problems) {
  Attempts attempts = pile_followers(books);
  pile_steps(books, attempts);
  pile_reports(books, attempts, metrics, problems);
  std::vector<Settled> all;
  for (std::size_t index = 0; index < attempts.size(); ++index) {
    Attempt attempt = describe_attempt(books.steps, attempts[index], index, files);
    Pile pile = merge(attempts[index]);
    attempt.series = make_series(pile, books.repeats, metrics, problems);
    mark_counted(books.steps, index, attempt.series);
    tell_left_out(books.steps, index, attempt.series, problems);
    all.push_back({std::move(attempt), announced(books.steps, index)});
  }
  return all;
}

}  // namespace gate::extract
