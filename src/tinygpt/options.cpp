#include "tinygpt/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tinygpt {
namespace {

// Return the number that is all of the word, if there is one within [low, high].
template <class Number>
std::optional<Number> number_in(std::string_view word, Number low, Number high) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  if (!(value >= low && value <= high)) return std::nullopt;
  return value;
}

using Set = bool (*)(Options&, std::string_view);

// A setter of one member that refuses what is not a number within [low, high], both whole numbers.
template <auto member, auto low, auto high>
bool set(Options& options, std::string_view word) {
  using Number = std::remove_reference_t<decltype(options.*member)>;
  const auto value = number_in<Number>(word, static_cast<Number>(low), static_cast<Number>(high));
  if (value) options.*member = *value;
  return value.has_value();
}

// The learning rate is the one with a fraction for a bound.
bool set_lr(Options& options, std::string_view word) {
  const auto value = number_in<double>(word, 1e-9, 1e3);
  if (value) options.lr = *value;
  return value.has_value();
}

struct Row {
  std::string_view name;
  std::string_view value;
  std::string_view range;
  std::string_view doc;
  Set set;
};

constexpr int kMost = 1'000'000;
constexpr int kBillion = 1'000'000'000;

constexpr std::array kRows = {
    Row{"--ranks", "N", "1 to 64", "data-parallel processes (default 2)", set<&Options::ranks, 1, 64>},
    Row{"--steps", "N", "1 to 1000000", "training steps (default 30)", set<&Options::steps, 1, kMost>},
    Row{"--seed", "N", "0 to 2^64-1", "of the text and the first parameters (default 1234)",
        set<&Options::seed, 0, std::numeric_limits<std::uint64_t>::max()>},
    Row{"--lr", "X", "1e-9 to 1000", "peak of the learning rate (default 0.003)", set_lr},
    Row{"--grad-scale", "X", "-1e9 to 1e9", "multiply the gradients: a silent bug in the numerics",
        set<&Options::grad_scale, -kBillion, kBillion>},
    Row{"--sleep-ms", "N", "0 to 1000000", "sleep this long in every step: a regression of speed",
        set<&Options::sleep_ms, 0, kMost>},
    Row{"--leak-mb", "N", "0 to 1000000", "leak this many MiB in every step, on every rank",
        set<&Options::leak_mb, 0, kMost>},
    Row{"--nan-at", "N", "1 to --steps", "loss and gradients of step N are NaN; training goes on",
        set<&Options::nan_at, 1, kMost>},
    Row{"--crash-at", "N", "1 to --steps", "a rank fails before step N", set<&Options::crash_at, 1, kMost>},
    Row{"--hang-at", "N", "1 to --steps", "a rank stops before step N; all wait for it for ever",
        set<&Options::hang_at, 1, kMost>},
    Row{"--stop-at", "N", "1 to --steps", "end after step N with exit code 0, as if that were all",
        set<&Options::stop_at, 1, kMost>},
};

struct Word {
  std::string_view name;
  std::optional<std::string_view> value;  // after `=`
};

Word split(std::string_view word) {
  const auto equals = word.find('=');
  if (equals == std::string_view::npos) return {word, std::nullopt};
  return {word.substr(0, equals), word.substr(equals + 1)};
}

const Row* row_of(std::string_view name) {
  const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return r.name == name; });
  return row == kRows.end() ? nullptr : &*row;
}

UsageError unknown(std::string_view word) { return {"unknown option '" + std::string(word) + "'"}; }

UsageError missing(const Row& row) { return {std::string(row.name) + ": its value is missing"}; }

UsageError malformed(const Row& row, std::string_view value) {
  return {std::string(row.name) + ": '" + std::string(value) + "' is not a number from " +
          std::string(row.range)};
}

// A fault that would never happen is a mistake of whoever asked for it.
std::optional<UsageError> fault_after_end(const Options& o) {
  for (const auto& [name, step] : {std::pair{"--nan-at", o.nan_at}, std::pair{"--crash-at", o.crash_at},
                                   std::pair{"--hang-at", o.hang_at}, std::pair{"--stop-at", o.stop_at}})
    if (step > o.steps)
      return UsageError{std::string(name) + " " + std::to_string(step) + ": there are only " +
                        std::to_string(o.steps) + " steps"};
  return std::nullopt;
}

}  // namespace

ParsedOptions parse_options(std::span<const char* const> words) {
  Options options;
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (*word == std::string_view("--help") || *word == std::string_view("-h")) return HelpWanted{};
    const Word option = split(*word);
    const Row* const row = row_of(option.name);
    if (row == nullptr) return unknown(*word);
    if (!option.value && ++word == words.end()) return missing(*row);
    const std::string_view value = option.value ? *option.value : *word;
    if (!row->set(options, value)) return malformed(*row, value);
  }
  if (auto error = fault_after_end(options)) return *error;
  return options;
}

std::string help_text() {
  std::string text =
      "Usage: tinygpt [OPTION VALUE]...\n"
      "Train a small GPT on generated text and print what Megatron-LM prints.\n\n";
  for (const Row& row : kRows) {
    std::string left = "  " + std::string(row.name) + " " + std::string(row.value);
    left.resize(20, ' ');
    text += left + std::string(row.doc) + "\n";
  }
  return text +
         "  --help            this text\n\n"
         "Exit code: 0 trained, 1 a rank failed, 2 wrong usage.\n";
}

}  // namespace tinygpt
