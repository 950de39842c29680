#include "gate/places/early_stop.h"

#include <algorithm>

#include "gate/base/text.h"

namespace gate::app {

namespace {

// Numbers differ from death to death: pids, ports, times.
std::string without_numbers(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c >= '0' && c <= '9'; }, '#');
  const auto repeated = [](char a, char b) { return a == '#' && b == '#'; };
  text.erase(std::unique(text.begin(), text.end(), repeated), text.end());
  return text;
}

}  // namespace

std::optional<std::chrono::milliseconds> expected_rest(const StepClock& clock,
                                                       std::optional<std::int64_t> last_step) {
  const std::int64_t done = clock.last_step - clock.first_step;
  if (done <= 0 || !last_step || *last_step <= clock.last_step) return std::nullopt;
  return clock.since_first * (*last_step - clock.last_step) / done;
}

bool stops_now(config::EarlyStop setting, std::optional<std::chrono::milliseconds> rest) {
  if (setting == config::EarlyStop::automatic) return rest && *rest > std::chrono::minutes(2);
  return setting == config::EarlyStop::on;
}

std::optional<Duration> device_time_saved(const Outcome& outcome, int devices) {
  const StoppedEarly* stopped = std::get_if<StoppedEarly>(&outcome);
  if (stopped == nullptr || !stopped->rest) return std::nullopt;
  return *stopped->rest * std::max(devices, 1);
}

void EarlyDeathBreaker::on_report(const CaseReport& report) {
  const Sentence words = report.cause ? report.cause->what : as_is(report.last_words);
  std::optional<Sentence> death;
  if (report.verdict == Verdict::crashed && report.steps <= 0 && !words.empty())
    death = text(*report.outcome) + colon + words.with(without_numbers);
  count_ = !death ? 0 : death == death_ ? count_ + 1 : 1;
  death_ = death;
}

std::optional<Sentence> EarlyDeathBreaker::why_stop() const {
  constexpr int enough = 3;
  if (count_ < enough) return std::nullopt;
  return say(
      {"the last {} died alike before the first step ({})", "最近 {} 都在第一步之前以同样方式结束（{}）"},
      count_of(count_, "case", "个用例"),
      death_->with([](const std::string& death) { return printable(death, 160); }));
}

}  // namespace gate::app
