#include "gate/judge/noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "gate/words/remarks.h"
#include "judge/series/fold.h"

namespace gate::judge {

namespace {

constexpr double nine_in_ten = 1.2815515655446004;       // Φ(1.28155...) = 0.9
constexpr double one_in_a_hundred = 2.3263478740408408;  // Φ(-2.32634...) = 0.01
constexpr double far_out = 9;                            // beyond it a normal value is as good as impossible

double double_mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Simpson's rule.
template <typename Function>
double integral(Function f, double low, double high) {
  constexpr int steps = 400;
  const double h = (high - low) / steps;
  double sum = f(low) + f(high);
  for (int i = 1; i < steps; ++i) sum += f(low + i * h) * (i % 2 == 1 ? 4 : 2);
  return sum * h / 3;
}

// Return P(D > -x and D + E > -x) for independent normal D and E of deviations d and e; x is not negative.
double both_beyond(double x, double d, double e) {
  const double low = std::max(-x / d, -far_out);
  const auto density = [](double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); };
  return integral([&](double z) { return density(z) * normal_below((x + d * z) / e); }, low, far_out);
}

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

Sentence of_one_run(const Noise& noise) {
  const Sentence text{"one run: the noise between runs is not known; record --runs 3",
                      "只有一次运行：运行之间的噪声未知；请用 record --runs 3 录制"};
  if (!noise.one_sided) return text;
  return text + say({" ({} keeps the false-failure rate within 1 % only while s <= {})",
                     "（只有标准差 s <= {1} 时 {0} 的误报率才不超过 1 %）"},
                    noise.tolerance, amount(noise, honest_spread(noise.allowed, noise.runs)));
}

std::string number_word(std::int64_t number) {
  constexpr std::array words{"no",    "one",   "two",  "three", "four",   "five",  "six",
                             "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  const auto index = static_cast<std::size_t>(number);
  return index < words.size() ? words.at(index) : std::to_string(number);
}

}  // namespace

double normal_below(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

std::optional<double> deviation_of(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  const double mean = double_mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double difference_spread(double s, Runs runs) {
  return s * std::sqrt(1.0 / runs.candidate + 1.0 / runs.baseline);
}

double false_failure_rate(double tolerance, double s, Runs runs) {
  return s == 0 ? 0 : normal_below(-tolerance / difference_spread(s, runs));
}

double smallest_caught(double tolerance, double s, Runs runs) {
  return tolerance + nine_in_ten * difference_spread(s, runs);
}

double smallest_confirmed(double tolerance, double s, Runs runs) {
  if (s == 0 || runs.candidate == 1) return smallest_caught(tolerance, s, runs);
  const double d = difference_spread(s, runs), e = s * std::sqrt(1 - 1.0 / runs.candidate);
  double low = 0, high = far_out * s;
  while (high - low > 1e-9 * s) {
    const double middle = (low + high) / 2;
    (both_beyond(middle, d, e) < 0.9 ? low : high) = middle;
  }
  return tolerance + high;
}

double honest_spread(double tolerance, Runs runs) {
  return tolerance / (one_in_a_hundred * difference_spread(1, runs));
}

double any_of(std::span<const double> rates) {
  double none = 1;
  for (const double rate : rates) none *= 1 - rate;
  return 1 - none;
}

Sentence nights_text(double rate) {
  constexpr double ten_years = 3650;
  if (rate * ten_years < 1)
    return say({"less than one false failure in ten years of nightly runs", "每晚运行，十年误报不到一次"});
  const auto nights = static_cast<std::int64_t>(std::llround(1 / rate));
  if (nights <= 1) return say({"a false failure nearly every night", "几乎每晚误报一次"});
  return {"one false failure in " + number_word(nights) + " nights",
          fmt::format("每晚运行一次，约 {} 晚误报一次", nights)};
}

Sentence noise_text(const Noise& noise) {
  if (noise.problem) return words::text(*noise.problem, noise.numbered);
  if (!noise.s) return of_one_run(noise);
  if (*noise.s == 0)
    return say(
        {"no noise over {} runs; detects any regression above {}", "{} 次运行没有噪声；能发现大于 {} 的劣化"},
        noise.runs.baseline, amount(noise, noise.allowed));
  constexpr double one_in_ten_thousand = 1e-4;
  const Sentence rate = *noise.rate < one_in_ten_thousand ? say({"less than 0.01 %", "低于 0.01 %"})
                        : noise.confirm == Confirm::yes ? say({"at most {}", "至多 {}"}, percent(*noise.rate))
                                                        : say({"{}", " {}"}, percent(*noise.rate));
  return say({"s {} over {} runs; false-failure rate {}; detects a regression of {} with 90 % power",
              "{1} 次运行的标准差 s 为 {0}；误报率{2}；有 90 % 的概率检出 {3} 的劣化"},
             amount(noise, *noise.s), noise.runs.baseline, rate, amount(noise, *noise.caught));
}

std::vector<Note> noise_notes(std::span<const Noise> all) {
  std::vector<SeriesRemark> remarks;
  for (const Noise& noise : all)
    remarks.push_back({noise.rule, noise.rank, Numbering::step, remark::Text{noise_text(noise)}});
  return fold(remarks);
}

}  // namespace gate::judge
