#include "gate/devices/host_usage.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/model/numbers/decimal.h"

namespace gate::devices {

namespace {

std::optional<double> count_in(std::string_view word) {
  const std::optional<Decimal> number = Decimal::parse(word);
  return number && !number->is_negative() ? std::optional(number->to_double()) : std::nullopt;
}

// The line that begins with the word, in words; empty where there is none.
std::vector<std::string_view> line_of(std::string_view text, std::string_view first) {
  for (const std::string_view line : split(text, '\n'))
    if (const std::vector<std::string_view> words = split_words(line); !words.empty() && words[0] == first)
      return words;
  return {};
}

// Of a line `MemTotal: 65536 kB`.
std::optional<double> mib_of(std::string_view text, std::string_view first) {
  const std::vector<std::string_view> words = line_of(text, first);
  if (words.size() != 3 || words[2] != "kB") return std::nullopt;
  const std::optional<double> kib = count_in(words[1]);
  return kib ? std::optional(*kib / 1024) : std::nullopt;
}

}  // namespace

std::vector<std::string> host_usage_command() { return {"head", "-n", "3", "/proc/stat", "/proc/meminfo"}; }

std::optional<HostUsage> parse_host_usage(std::string_view text) {
  constexpr std::size_t idle = 4, waiting = 5, first_of_guests = 9;
  const std::vector<std::string_view> ticks = line_of(text, "cpu");
  if (ticks.size() <= waiting) return std::nullopt;
  HostUsage usage;
  for (std::size_t i = 1; i < std::min(ticks.size(), first_of_guests); ++i) {
    const std::optional<double> count = count_in(ticks[i]);
    if (!count) return std::nullopt;
    usage.all += *count;
    usage.busy += i == idle || i == waiting ? 0 : *count;
  }
  const std::optional<double> total = mib_of(text, "MemTotal:"), free = mib_of(text, "MemAvailable:");
  if (total && free && *free <= *total) usage.memory_used = *total - *free;
  return usage;
}

std::vector<std::string> power_meter_command() { return {"ipmitool", "dcmi", "power", "reading"}; }

std::optional<double> parse_power_meter(std::string_view text) {
  constexpr std::string_view label = "Instantaneous power reading:";
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view said = trim(line);
    if (!said.starts_with(label)) continue;
    const std::vector<std::string_view> words = split_words(said.substr(label.size()));
    return words.size() == 2 && words[1] == "Watts" ? count_in(words[0]) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<double> busy_percent(const HostUsage& before, const HostUsage& after) {
  const double all = after.all - before.all, busy = after.busy - before.busy;
  if (all <= 0 || busy < 0 || busy > all) return std::nullopt;
  return 100 * busy / all;
}

}  // namespace gate::devices
