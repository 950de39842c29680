#include "extract/attempts/resolve_attempts.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t most_sources = 3;

// First and last of numbers that come in any order.
struct Bounds {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = std::numeric_limits<std::int64_t>::min();

  void add(std::int64_t number) {
    first = std::min(first, number);
    last = std::max(last, number);
  }
  bool empty() const { return first > last; }
};

void extend(Bounds& extent, const SampleTape& samples) {
  if (samples.empty()) return;
  extent.add(samples.front().number);
  extent.add(samples.last_number());
  if (samples.rises()) return;
  for (auto it = samples.begin(); it != samples.end(); ++it) extent.add(it.number());
}

std::string sources(const StepTapes& steps, std::size_t index, std::span<const std::string> files) {
  std::vector<std::string> names;
  std::size_t more = 0;
  for (const StepTape* tape : steps.of_attempt(index))
    if (names.size() == most_sources)
      ++more;
    else
      names.push_back(tape->source.empty() && files.size() > 1 ? files[tape->file] : tape->source);
  return join(names, ", ") + (more == 0 ? "" : " and " + std::to_string(more) + " more");
}

using LeftOutSteps = std::map<std::int64_t, std::pair<LinePlace, std::vector<std::string>>>;

Sentence and_list(const std::vector<std::string>& words) {
  if (words.size() < 2) return as_is(join(words, ""));
  return say({"{} and {}", "{} 和 {}"}, join(std::span(words).first(words.size() - 1), ", "), words.back());
}

LeftOutSteps left_out_steps(const StepTapes& steps, std::size_t attempt, std::span<const Series> series) {
  std::map<std::string, std::string> names;  // as printed, of what is expected
  for (const StepTape* tape : steps.of_attempt(attempt))
    for (const StepColumn& column : tape->columns)
      if (column.expected) names.emplace(column.metric, column.printed);
  LeftOutSteps missing;
  for (const Series& each : series) {
    const auto name = names.find(each.metric());
    if (name == names.end()) continue;
    for (auto it = each.samples().begin(); it != each.samples().end(); ++it) {
      const SampleView sample = it.view();
      if (sample.value.kind != ValueKind::left_out) continue;
      auto& [place, metrics] = missing[sample.number];
      place = {sample.file, sample.line};
      metrics.push_back(name->second);
    }
  }
  return missing;
}

// What else the step printed that explains it.
Sentence beside(std::int64_t step, std::span<const Series> series) {
  const auto find = [&](std::string_view metric) {
    const Series* found = find_series(series, metric, std::nullopt);
    return found == nullptr ? std::nullopt : found->find(step);
  };
  Sentence text;
  const std::optional<Sample> norm = find("grad_norm");
  if (norm && !norm->value.is_finite() && !norm->text.empty())
    text += say({", grad norm {}", "，grad norm 为 {}"}, norm->text);
  const std::optional<Sample> skipped = find("skipped_iterations");
  const bool skips = skipped && skipped->value.is_finite() && !skipped->value.number.is_zero();
  if (skips) text += say({", number of skipped iterations {}", "，跳过的迭代数为 {}"}, skipped->text);
  return text;
}

}  // namespace

Attempt describe_attempt(const StepTapes& steps, const SamplesByReader& by_reader, std::size_t index,
                         std::span<const std::string> files) {
  Attempt attempt;
  attempt.source = sources(steps, index, files);
  Bounds extent;
  for (const StepTape* tape : steps.of_attempt(index)) {
    extent.add(tape->first_step());
    extent.add(tape->last_step());
  }
  if (extent.empty())
    for (const auto& [reader, by_key] : by_reader)
      for (const auto& [key, samples] : by_key) extend(extent, samples);
  if (extent.empty()) return attempt;
  attempt.first_step = extent.first;
  attempt.last_step = extent.last;
  return attempt;
}

void tell_left_out(const StepTapes& steps, std::size_t attempt, std::span<const Series> series,
                   ProblemLog& problems) {
  for (const auto& [step, missing] : left_out_steps(steps, attempt, series))
    problems.add(ProblemKind::left_out, missing.first,
                 say({"step {}: no {} printed{}", "第 {} 步：没有打印 {}{}"}, step, and_list(missing.second),
                     beside(step, series)));
}

}  // namespace gate::extract
