#include "extract/settle.h"

#include <algorithm>
#include <limits>
#include <set>

#include "extract/collapse.h"
#include "extract/describe_attempt.h"

namespace gate::extract {

namespace {

using Places = std::set<std::pair<std::uint32_t, std::uint32_t>>;

Pile& pile_of(Books& books, std::size_t attempt) {
  if (books.piles.size() <= attempt) books.piles.resize(attempt + 1);
  return books.piles[attempt];
}

void pour(std::vector<Sample> samples, std::vector<Sample>& into) {
  std::move(samples.begin(), samples.end(), std::back_inserter(into));
}

// Where there are training steps they alone say which attempts there are: a follower whose own numbers fell
// (an epoch's counter, say) stays in the last of them.
void keep_followers_within_steps(Books& books) {
  const std::size_t attempts = books.steps.attempts();
  if (attempts == 0 || books.piles.size() <= attempts) return;
  for (std::size_t i = attempts; i < books.piles.size(); ++i)
    for (auto& [key, samples] : books.piles[i]) pour(std::move(samples), books.piles[attempts - 1][key]);
  books.piles.resize(attempts);
}

void pile_steps(Books& books) {
  for (StepTape& tape : books.steps.all()) {
    tape.fill_left_out();
    Pile& pile = pile_of(books, tape.attempt);
    for (auto& [metric, column] : tape.columns) pour(std::move(column), pile[{metric, std::nullopt}]);
  }
}

std::vector<AttemptSpan> step_spans(Books& books) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::vector<AttemptSpan> spans(books.steps.attempts(), {none, 0});
  for (const StepTape& tape : books.steps.all()) {
    AttemptSpan& span = spans[tape.attempt];
    span.first_step = std::min(span.first_step, tape.first_step());
    span.end = std::max(span.end, tape.end);
  }
  return spans;
}

void pile_report(Books& books, Report& report, int rank, const MetricTable& metrics) {
  Pile& pile = pile_of(books, report.attempt);
  for (Reading& reading : report.values) {
    const bool counted = numbering_of(metrics, reading.metric) == Numbering::report;
    reading.sample.number = counted ? report.number : report.step;
    pile[{reading.metric, rank}].push_back(std::move(reading.sample));
  }
}

void pile_reports(Books& books, const MetricTable& metrics, ProblemLog& problems) {
  const std::vector<AttemptSpan> spans = step_spans(books);
  for (auto& [key, reports] : books.reports) {
    for (const Report& again : assign_attempts(reports, spans))
      problems.add(ProblemKind::duplicate, again.place,
                   "report of rank " + std::to_string(key.second) + " after " + std::to_string(again.step) +
                       " iterations printed again with equal values");
    for (Report& report : reports) pile_report(books, report, key.second, metrics);
  }
}

void tell_repeats(const Series& series, const std::vector<Repeat>& repeats, Places& told,
                  ProblemLog& problems) {
  for (const Repeat& repeat : repeats) {
    const std::string number =
        std::string(to_string(series.numbered())) + " " + std::to_string(repeat.number);
    if (!repeat.text.empty())
      problems.add(repeat.picked ? ProblemKind::duplicate : ProblemKind::conflict, repeat.place,
                   number + ": " + repeat.text);
    else if (told.emplace(repeat.place.file, repeat.place.line).second)
      problems.add(ProblemKind::duplicate, repeat.place, number + " printed again with equal values");
  }
}

std::size_t table_place(const MetricTable& metrics, const std::string& name) {
  const Metric* metric = metrics.find(name);
  return metric == nullptr ? metrics.all().size() : static_cast<std::size_t>(metric - metrics.all().data());
}

std::vector<Series> make_series(Pile& pile, const MetricTable& metrics, ProblemLog& problems) {
  std::vector<Series> all;
  Places told;
  for (auto& [key, samples] : pile) {
    if (samples.empty()) continue;
    std::vector<Repeat> repeats;
    all.push_back(collapse(std::move(samples), metrics.get(key.first), key.second, repeats));
    tell_repeats(all.back(), repeats, told, problems);
  }
  sort_series(all, metrics);
  return all;
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
  keep_followers_within_steps(books);
  pile_steps(books);
  pile_reports(books, metrics, problems);
  std::vector<Settled> all;
  for (std::size_t index = 0; index < books.piles.size(); ++index) {
    Attempt attempt = describe_attempt(books, index, files);
    attempt.series = make_series(books.piles[index], metrics, problems);
    tell_left_out(books.steps, index, attempt.series, problems);
    all.push_back({std::move(attempt), announced(books.steps, index)});
  }
  return all;
}

}  // namespace gate::extract
