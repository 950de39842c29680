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

ProfilerArguments::ProfilerArguments(const std::optional<ProfilerFlags>& flags) {
  if (!flags) return;
  by_flags_.is_on = true;
  if (flags->start) by_flags_.read_bound(*flags->start, by_flags_.start, true);
  if (flags->end) by_flags_.read_bound(*flags->end, by_flags_.end, false);
}

void ProfilerArguments::read(std::string_view line) {
  const auto& [on, start, end] = argument_literals;
  find_argument(line, on, [&](std::string_view word) {
    is_in_log_ = true;
    by_log_.is_on |= word == "True";
  });
  find_argument(line, start, [&](std::string_view word) { by_log_.read_bound(word, by_log_.start, true); });
  find_argument(line, end, [&](std::string_view word) { by_log_.read_bound(word, by_log_.end, false); });
}

void ProfilerArguments::Told::read_bound(std::string_view word, std::optional<std::int64_t>& bound,
                                         bool is_start) {
  const std::optional<std::int64_t> number = parse_integer(word);
  is_in_doubt |= !number || (bound && *bound != *number);
  const std::int64_t told = number.value_or(0);
  bound = !bound ? told : is_start ? std::min(*bound, told) : std::max(*bound, told);
}

// What is not told is taken for the worst.
ProfiledSteps ProfilerArguments::Told::steps_after(std::int64_t before) const {
  const std::int64_t from = std::max<std::int64_t>(start.value_or(0), 0);
  const bool has_end = end && *end > from && !is_in_doubt;
  const std::int64_t first = std::max<std::int64_t>(from - 1, 0);
  const std::int64_t last = has_end ? sum_of(*end, 1) : never_stopped;
  return {{sum_of(before, first), sum_of(before, last)}};
}

Sentence ProfilerArguments::words(const ProfiledSteps& steps) const {
  const auto shown = [](const std::optional<std::int64_t>& bound) {
    return bound ? as_is(std::to_string(*bound)) : say({"not told", "没有写明"});
  };
  const Sentence bounds =
      say({"profile_step_start {}, profile_step_end {}{}", "profile_step_start {}，profile_step_end {}{}"},
          shown(told().start), shown(told().end),
          told().is_in_doubt ? say({", and other words of them, too", "，也有别的说法"}) : Sentence());
  if (is_in_log_)
    return say({"a profiler ran in {}: the log tells {}", "剖析器 (profiler) 在 {} 期间开着：日志写明 {}"},
               to_string(steps), bounds);
  return say({"a profiler ran in {}: the script has --profile, {}",
              "剖析器 (profiler) 在 {} 期间开着：脚本里有 --profile，{}"},
             to_string(steps), has_steps() ? bounds : say({"and no steps of it", "没有写明步号"}));
}

void ProfilerArguments::tell(Extraction& extraction) const {
  const auto& formats = extraction.formats;
  if (!is_on() || (!has_steps() && std::ranges::find(formats, "megatron") == formats.end())) return;
  const std::int64_t before = steps_before(extraction.series), last = last_step(extraction.series);
  ProfiledSteps steps = told().steps_after(0);
  if (before > 0) steps.push_back(told().steps_after(before).front());
  std::erase_if(steps,
                [&](const StepSet::Range& range) { return range.first > last || range.last <= before; });
  if (steps.empty()) return;
  for (StepSet::Range& range : steps) range = {std::max(range.first, before + 1), std::min(range.last, last)};
  extraction.profiled = steps;
  extraction.notes.push_back(words(steps));
}

}  // namespace gate::extract
