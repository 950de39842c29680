#include "app/run/early_death_breaker.h"

#include <algorithm>

#include "gate/base/text.h"

namespace gate::app {

namespace {

constexpr int enough = 3;

// Numbers differ from death to death: pids, ports, times.
std::string without_numbers(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }, '#');
  const auto repeated = [](char a, char b) { return a == '#' && b == '#'; };
  text.erase(std::unique(text.begin(), text.end(), repeated), text.end());
  return text;
}

std::optional<std::string> death_of(const CaseReport& report) {
  const std::string words = report.cause ? report.cause->what : report.last_words;
  if (report.verdict != Verdict::crashed || report.steps > 0 || words.empty()) return std::nullopt;
  return to_string(*report.outcome) + ": " + without_numbers(words);
}

}  // namespace

void EarlyDeathBreaker::see(const CaseReport& report) {
  const std::optional<std::string> death = death_of(report);
  count_ = !death ? 0 : death == death_ ? count_ + 1 : 1;
  death_ = death;
}

std::optional<std::string> EarlyDeathBreaker::why_stop() const {
  if (count_ < enough) return std::nullopt;
  return "the last " + count_of(count_, "case") + " died alike before the first step (" +
         printable(*death_, 160) + ")";
}

}  // namespace gate::app
