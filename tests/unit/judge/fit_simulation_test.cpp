// What a fitted tolerance promises, against histories that are simulated: how often a good run is red, and
// how often a regression of the size that is named. GATE_FIT_TIMES=FILE takes step times from a file, one a
// line, and prints rows for docs/explanation/noise.md (tests/bench/fit).
#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>

#include "gate/judge/fit.h"
#include "gate/judge/trend.h"

namespace gate::judge::testing::fit_simulation_test {
namespace {

using Draw = std::function<double()>;

constexpr double stall = 0.9;  // of the median speed: slower is one, as for gate baseline lint
constexpr std::size_t window = 20;

struct Promise {
  double tolerance = 0, rate = 0, red = 0, caught = 0, planted_red = 0;  // means
};

double mean_of_runs(const Draw& draw, int runs) {
  double sum = 0;
  for (int i = 0; i < runs; ++i) sum += draw();
  return sum / runs;
}

// Each history is of other runs; `good` draws the baseline's runs and those that are judged.
Promise promise_of(int histories, std::size_t runs, int baseline_runs, const Draw& remembered,
                   const Draw& good) {
  constexpr int judged = 4;
  Promise sum;
  const Runs counts{baseline_runs, 1};
  for (int i = 0; i < histories; ++i) {
    const double baseline = mean_of_runs(good, baseline_runs);
    std::vector<double> values;
    while (values.size() < runs) values.push_back(remembered());
    const auto spread = run_spread(values, true);
    if (!spread) continue;
    const FitBound fitted = fitted_bound(*spread, {Bound::Side::lower, true, 0.05}, counts);
    const double caught = predicted_caught(*spread, fitted, counts);
    sum.tolerance += fitted.amount / histories;
    sum.rate += predicted_rate(*spread, fitted, counts) / histories;
    sum.caught += caught / histories;
    for (int k = 0; k < judged; ++k) {
      sum.red += (adverse(good(), baseline, fitted) > fitted.amount) / (1.0 * histories * judged);
      const double planted = good() * (1 - caught);
      sum.planted_red += (adverse(planted, baseline, fitted) > fitted.amount) / (1.0 * histories * judged);
    }
  }
  return sum;
}

void expect_kept(const Promise& promise) {
  EXPECT_LT(promise.red, 1.5 * promise.rate);
  EXPECT_GT(promise.red, promise.rate / 1.5);
  EXPECT_GE(promise.planted_red, 0.84);
}

TEST(FitSimulation, OfNormalNoiseKeepsItsPromise) {
  if (SANITIZED) GTEST_SKIP() << "takes long; the release tests it";
  std::mt19937_64 random(20261129);
  std::normal_distribution<double> noise(100, 2);
  const Draw draw = [&] { return noise(random); };
  for (const std::size_t runs : {8, 20, 40})
    for (const int baseline_runs : {1, 3}) {
      SCOPED_TRACE(std::to_string(runs) + " runs, baseline of " + std::to_string(baseline_runs));
      expect_kept(promise_of(2000, runs, baseline_runs, draw, draw));
    }
}

// Steps that wait four times, each with an exponential tail, and a mean over 20 of them. The
// longer the tail, the more runs are beyond a bound that takes runs for normal: with one wait 1.7 times as
// many.
TEST(FitSimulation, OfStepTimesWithATailKeepsItsPromise) {
  if (SANITIZED) GTEST_SKIP() << "takes long; the release tests it";
  std::mt19937_64 random(20261130);
  std::gamma_distribution<double> lag(4, 0.005);
  const Draw draw = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < window; ++i) sum += 1 / (1 + lag(random));
    return sum / window;
  };
  for (const std::size_t runs : {8, 20, 40}) {
    SCOPED_TRACE(runs);
    expect_kept(promise_of(2000, runs, 3, draw, draw));
  }
}

// Speeds, not times; the first steps of a run are its warm-up.
std::vector<double> recorded_speeds(const char* file) {
  constexpr std::size_t warm_up = 5;
  std::ifstream in(file);
  std::vector<double> speeds;
  for (double time = 0; in >> time;)
    if (time > 0) speeds.push_back(1 / time);
  if (speeds.size() > warm_up) speeds.erase(speeds.begin(), speeds.begin() + warm_up);
  return speeds;
}

void print_row(const std::string& name, std::size_t runs, int baseline_runs, const char* history,
               const Promise& one) {
  std::printf("| %s | %zu | %d | %s | -%.2f %% | %.2f %% | %.2f %% | %.2f %% | %.0f |\n", name.c_str(), runs,
              baseline_runs, history, 100 * one.tolerance, 100 * one.rate, 100 * one.red, 100 * one.caught,
              1000 * one.planted_red);
}

TEST(FitSimulation, OfRecordedStepTimes) {
  const char* file = std::getenv("GATE_FIT_TIMES");
  if (file == nullptr) GTEST_SKIP() << "tests/bench/fit hands in step times";
  const std::vector<double> all = recorded_speeds(file);
  ASSERT_GE(all.size(), 100u);
  std::vector<double> steady = all;
  const double slowest = stall * median_of(all);
  std::erase_if(steady, [&](double speed) { return speed < slowest; });
  std::mt19937_64 random(20261201);
  const auto run_of = [&](const std::vector<double>& steps) {
    double sum = 0;
    for (std::size_t i = 0; i < window; ++i) sum += steps[random() % steps.size()];
    return sum / window;
  };
  const Draw good = [&] { return run_of(steady); }, any = [&] { return run_of(all); };
  const std::string name = std::getenv("GATE_FIT_NAME") != nullptr ? std::getenv("GATE_FIT_NAME") : file;
  for (const std::size_t runs : {8, 10, 20, 40})
    for (const int baseline_runs : {1, 3}) {
      const Promise kept = promise_of(10000, runs, baseline_runs, good, good);
      print_row(name, runs, baseline_runs, "no", kept);
      print_row(name, runs, baseline_runs, "yes", promise_of(10000, runs, baseline_runs, any, good));
      expect_kept(kept);
    }
}

}  // namespace
}  // namespace gate::judge::testing::fit_simulation_test
