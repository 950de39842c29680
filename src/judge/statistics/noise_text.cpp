#include <fmt/format.h>

#include <array>
#include <cmath>

#include "gate/judge/noise.h"
#include "gate/words/remarks.h"
#include "judge/series/fold.h"

namespace gate::judge {

namespace {

// Return the number with so many significant digits, or whole where it has more before its point.
std::string rounded_text(double value, int digits) {
  return std::fabs(value) < std::pow(10, digits) - 0.5 ? fmt::format("{:.{}g}", value, digits)
                                                       : fmt::format("{:.0f}", value);
}

std::string percent(double share) { return rounded_text(100 * share, 2) + " %"; }

std::string amount(const Noise& noise, double value) {
  if (noise.relative) return percent(value);
  return rounded_text(value, 3) + (noise.unit.empty() ? "" : " " + noise.unit);
}

std::string rate_text(const Noise& noise) {
  constexpr double one_in_ten_thousand = 1e-4;
  if (*noise.rate < one_in_ten_thousand) return "less than 0.01 %";
  return (noise.confirm == Confirm::yes ? "at most " : "") + percent(*noise.rate);
}

std::string of_one_run(const Noise& noise) {
  const std::string text = "one run: the noise between runs is not known; record --runs 3";
  if (!noise.one_sided) return text;
  return text + " (" + noise.tolerance +
         " is honest only while s <= " + amount(noise, honest_spread(noise.allowed, noise.runs)) +
         ": one false red in a hundred runs)";
}

std::string number_word(std::int64_t number) {
  constexpr std::array words{"no",    "one",   "two",  "three", "four",   "five",  "six",
                             "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  const auto index = static_cast<std::size_t>(number);
  return index < words.size() ? words.at(index) : std::to_string(number);
}

}  // namespace

std::string nights_text(double rate) {
  constexpr double ten_years = 3650;
  if (rate * ten_years < 1) return "less than one false red in ten years of nights";
  const auto nights = static_cast<std::int64_t>(std::llround(1 / rate));
  if (nights <= 1) return "a false red nearly every night";
  return "one false red in " + number_word(nights) + " nights";
}

std::string noise_text(const Noise& noise) {
  if (noise.problem) return words::text(*noise.problem, noise.numbered);
  if (!noise.s) return of_one_run(noise);
  const std::string over = " over " + std::to_string(noise.runs.baseline) + " runs";
  if (*noise.s == 0)
    return "no noise" + over + "; a regression above " + amount(noise, noise.allowed) + " is caught";
  return "s " + amount(noise, *noise.s) + over + "; red for nothing in " + rate_text(noise) +
         " of runs; a regression of " + amount(noise, *noise.caught) + " is caught nine times in ten";
}

std::vector<Note> noise_notes(std::span<const Noise> all) {
  std::vector<SeriesRemark> remarks;
  for (const Noise& noise : all)
    remarks.push_back({noise.rule, noise.rank, Numbering::step, remark::Text{noise_text(noise)}});
  return fold(remarks);
}

}  // namespace gate::judge
