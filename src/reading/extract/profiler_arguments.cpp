#include "extract/profiler_arguments.h"

#include <algorithm>
#include <array>
#include <limits>

#include "extract/argument_lines.h"

namespace gate::extract {

namespace {

constexpr std::int64_t never_stopped = std::numeric_limits<std::int64_t>::max();

// What stands before the dots.
constexpr std::array<std::string_view, 3> argument_literals{"profile .", "profile_step_start .",
                                                            "profile_step_end ."};

std::int64_t sum_of(std::int64_t a, std::int64_t b) { return a > never_stopped - b ? never_stopped : a + b; }

// How many steps the training had behind it when it began to print: those before its first sample.
std::int64_t steps_before(const std::vector<Series>& all) {
  std::optional<std::int64_t> before;
  for (const Series& series : all) {
    if (series.numbered() != Numbering::step || series.empty()) continue;
    const std::int64_t own = series.samples().begin().number() - steps_of_a_sample(series);
    before = std::min(before.value_or(own), own);
  }
  return std::max<std::int64_t>(before.value_or(0), 0);
}

std::int64_t last_step(const std::vector<Series>& all) {
  std::int64_t last = 0;
  for (const Series& series : all)
    if (series.numbered() == Numbering::step && !series.empty())
      last = std::max(last, series.samples().last_number());
  return last;
}

}  // namespace

std::span<const std::string_view> ProfilerArguments::literals() { return argument_literals; }

void ProfilerArguments::read(std::string_view line) {
  const auto& [on, start, end] = argument_literals;
  find_argument(line, on, [&](std::string_view word) { is_on_ |= word == "True"; });
  find_argument(line, start, [&](std::string_view word) { read_bound(word, start_, true); });
  find_argument(line, end, [&](std::string_view word) { read_bound(word, end_, false); });
}

void ProfilerArguments::read_bound(std::string_view word, std::optional<std::int64_t>& bound, bool is_start) {
  const std::optional<std::int64_t> number = parse_integer(word);
  is_in_doubt_ |= !number || (bound && *bound != *number);
  const std::int64_t told = std::max<std::int64_t>(number.value_or(0), 0);
  bound = !bound ? told : is_start ? std::min(*bound, told) : std::max(*bound, told);
}

// What is not told is taken for the worst.
ProfiledSteps ProfilerArguments::steps_after(std::int64_t before) const {
  const std::int64_t start = start_.value_or(0);
  const bool has_end = end_ && *end_ > start && !is_in_doubt_;
  const std::int64_t first = std::max<std::int64_t>(start - 1, 0);
  const std::int64_t last = has_end ? sum_of(*end_, 1) : never_stopped;
  return {{sum_of(before, first), sum_of(before, last)}};
}

Sentence ProfilerArguments::words(const ProfiledSteps& steps) const {
  const auto shown = [](const std::optional<std::int64_t>& bound) {
    return bound ? as_is(std::to_string(*bound)) : say({"not told", "没有写明"});
  };
  return say({"a profiler ran in {}: the log tells profile_step_start {}, profile_step_end {}{}",
              "剖析器 (profiler) 在 {} 期间开着：日志写明 profile_step_start {}，profile_step_end {}{}"},
             to_string(steps), shown(start_), shown(end_),
             is_in_doubt_ ? say({", and other words of them, too", "，也有别的说法"}) : Sentence());
}

void ProfilerArguments::tell(Extraction& extraction) const {
  if (!is_on()) return;
  const std::int64_t before = steps_before(extraction.series), last = last_step(extraction.series);
  ProfiledSteps steps = steps_after(0);
  if (before > 0) steps.push_back(steps_after(before).front());
  std::erase_if(steps,
                [&](const StepSet::Range& range) { return range.first > last || range.last <= before; });
  if (steps.empty()) return;
  for (StepSet::Range& range : steps) range = {std::max(range.first, before + 1), std::min(range.last, last)};
  extraction.profiled = steps;
  extraction.notes.push_back(words(steps));
}

}  // namespace gate::extract
