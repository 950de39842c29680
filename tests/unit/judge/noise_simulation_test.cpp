// Runs with normal noise between them through the real judge, from fixed seeds: what it does is what the
// formulas of noise.h say. GATE_NOISE_TRIALS=N makes N trials of each and prints the table of
// docs/explanation/noise.md (tests/bench/noise).
#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "gate/judge/noise.h"
#include "logs.h"

namespace gate::judge::testing::noise_simulation_test {
namespace {

constexpr int confirming = 3;
constexpr double tolerance = 0.05;

int trials() {
  const char* asked = std::getenv("GATE_NOISE_TRIALS");
  return asked != nullptr ? std::atoi(asked) : SANITIZED ? 50 : 150;
}

struct Setting {
  std::string metric = "throughput";
  std::string written = "-5%";
  double s = 0.01;
  int baseline_runs = 1;
};

// Each setting has its own numbers, so that the errors of several are independent.
std::uint64_t seed_of(const Setting& setting) {
  return 20261121 + static_cast<std::uint64_t>(std::llround(setting.s * 1e4)) * 10 +
         static_cast<std::uint64_t>(setting.baseline_runs);
}

class Cluster {
 public:
  explicit Cluster(const Setting& setting)
      : setting_(setting),
        rules_{rule(setting.metric, setting.written, "last 10", "mean")},
        random_(seed_of(setting)) {}

  // Return how often a case is red whose true speed is `slower` (a share) than the baseline's.
  double red(double slower, int runs) {
    int count = 0;
    for (int i = 0; i < trials(); ++i) count += is_red(slower, runs) ? 1 : 0;
    return static_cast<double>(count) / trials();
  }

 private:
  // What a run measures: a mean of its own, printed with four decimals.
  Series measured(double true_value) {
    const double value = 100 * (true_value + setting_.s * normal_(random_));
    const Decimal printed{static_cast<int128>(std::llround(value * 1e4)), -4};
    Series out(setting_.metric, std::nullopt, metrics_.get(setting_.metric).unit, Numbering::step);
    for (const std::int64_t step : {1, 2})
      out.append({step, {ValueKind::finite, printed}, printed.to_string(), 0, 1});
    return out;
  }

  Extraction run_of(double true_value) {
    Extraction extraction;
    extraction.series = {measured(true_value)};
    extraction.lines = extraction.bytes = 1;
    return extraction;
  }

  // Red as under `--confirm runs`: by the first alone, and then by the mean of all.
  bool is_red(double slower, int runs) {
    Baseline baseline;
    for (int i = 0; i < setting_.baseline_runs; ++i) baseline.runs.push_back({{}, {measured(1)}});
    const Reference reference = make_reference(baseline, "b.json");
    const double true_value = setting_.written[0] == '-' ? 1 - slower : 1 + slower;
    std::vector<Extraction> all;
    for (int i = 0; i < runs; ++i) all.push_back(run_of(true_value));
    std::vector<const Extraction*> further;
    for (int i = 1; i < runs; ++i) further.push_back(&all[static_cast<std::size_t>(i)]);
    return fails(reference, all.front(), {}) && (runs == 1 || fails(reference, all.front(), further));
  }

  bool fails(const Reference& reference, const Extraction& run,
             std::span<const Extraction* const> further) const {
    const JudgeInput input{rules_,       metrics_,   reference,    run, std::nullopt, "",
                           Mode::series, Strict::no, std::nullopt, "",  further};
    return judge::judge(input).verdict == Verdict::regressed;
  }

  Setting setting_;
  MetricTable metrics_;
  std::vector<Rule> rules_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

// Four standard deviations of a share p that was measured in so many trials, and one evaluation.
double error_of(double p, int settings = 1) {
  const double n = static_cast<double>(trials()) * settings;
  return 4 * std::sqrt(p * (1 - p) / n) + 1 / n;
}

struct Row {
  double rate = 0, measured_rate = 0, caught = 0, measured_caught = 0;
};

Row without_confirmation(const Setting& setting) {
  Cluster cluster(setting);
  const Runs runs{setting.baseline_runs, 1};
  const double caught = smallest_caught(tolerance, setting.s, runs);
  const double rate = false_failure_rate(tolerance, setting.s, runs);
  return {rate, cluster.red(0, 1), caught, cluster.red(caught, 1)};
}

Row with_confirmation(const Setting& setting) {
  Cluster cluster(setting);
  const Runs runs{setting.baseline_runs, confirming};
  const double caught = smallest_confirmed(tolerance, setting.s, runs);
  const double rate = false_failure_rate(tolerance, setting.s, runs);
  return {rate, cluster.red(0, confirming), caught, cluster.red(caught, confirming)};
}

// What holds for a limit that moves with the baseline's mean, not to first order.
double exact_rate(const Setting& setting) {
  const double moved = setting.written[0] == '-' ? 1 - tolerance : 1 + tolerance;
  return normal_below(-tolerance / (setting.s * std::sqrt(1 + moved * moved / setting.baseline_runs)));
}

void print(const Setting& setting, const Row& plain, const Row& confirmed) {
  if (std::getenv("GATE_NOISE_TRIALS") == nullptr) return;
  std::printf(
      "| %.1f %% | %d | %.2f %% | %.2f %% | %.1f %% | %.1f %% | %.2f %% | %.2f %% | %.1f %% | %.1f %% |\n",
      100 * setting.s, setting.baseline_runs, 100 * plain.rate, 100 * plain.measured_rate, 100 * plain.caught,
      100 * plain.measured_caught, 100 * confirmed.rate, 100 * confirmed.measured_rate,
      100 * confirmed.caught, 100 * confirmed.measured_caught);
}

void expect_promise(const Row& row) {
  EXPECT_LE(row.measured_rate, row.rate + error_of(row.rate));
  EXPECT_GE(row.measured_caught, 0.9 - error_of(0.9));
}

// The mean of many rows, whose error is much smaller than that of one.
struct Mean {
  Row sum;
  int rows = 0;

  void take(const Row& row) {
    ++rows;
    sum.rate += row.rate;
    sum.measured_rate += row.measured_rate;
    sum.measured_caught += row.measured_caught;
  }
  void expect_promise() const {
    const double rate = sum.rate / rows;
    EXPECT_LE(sum.measured_rate / rows, rate + error_of(rate, rows));
    EXPECT_GE(sum.measured_caught / rows, 0.9 - error_of(0.9, rows));
    EXPECT_LE(sum.measured_caught / rows,
              0.91 + error_of(0.9, rows));  // -5% has a little less noise than said
  }
};

TEST(NoiseSimulation, KeepsWhatThePrintedNumbersPromise) {
  if (SANITIZED) GTEST_SKIP() << "takes long; the release tests it";
  Mean plain_mean, confirmed_mean;
  for (const double s : {0.005, 0.01, 0.015, 0.02, 0.03})
    for (const int baseline_runs : {1, 3, 5}) {
      SCOPED_TRACE(std::to_string(s) + " over " + std::to_string(baseline_runs));
      const Setting setting{"throughput", "-5%", s, baseline_runs};
      const Row plain = without_confirmation(setting), confirmed = with_confirmation(setting);
      print(setting, plain, confirmed);
      expect_promise(plain);
      expect_promise(confirmed);
      EXPECT_GE(plain.measured_rate, exact_rate(setting) - error_of(exact_rate(setting)));
      plain_mean.take(plain);
      confirmed_mean.take(confirmed);
    }
  plain_mean.expect_promise();
  confirmed_mean.expect_promise();
}

TEST(NoiseSimulation, AnUpperToleranceHasTheNoiseOfItsLimit) {
  const Setting setting{"iteration_time", "+5%", 0.03, 1};
  const double measured = Cluster(setting).red(0, 1);
  EXPECT_NEAR(measured, exact_rate(setting), error_of(exact_rate(setting)));
}

}  // namespace
}  // namespace gate::judge::testing::noise_simulation_test
