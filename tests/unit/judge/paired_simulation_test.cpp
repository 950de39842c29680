// `gate ab` on runs made of recorded step times, from fixed seeds: a slowdown is found, nothing is called
// slower for nothing, and the intervals hold what they claim. GATE_AB_TRIALS=N makes N experiments of each
// and prints the table (tests/bench/ab).
#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "gate/judge/paired.h"

namespace gate::judge::testing::paired_simulation_test {
namespace {

int trials() {
  const char* asked = std::getenv("GATE_AB_TRIALS");
  return asked != nullptr ? std::atoi(asked) : 300;
}

std::vector<double> recorded_steps() {
  std::ifstream file(GATE_SOURCE_DIR "/tests/bench/data/step_times.txt");
  std::string line;
  std::getline(file, line);  // what they are
  return {std::istream_iterator<double>(file), {}};
}

// Which recorded steps a run is made of: any, or such as followed one another, with whatever the machine was
// doing beside them.
enum class Steps { drawn, in_a_row };

struct Setting {
  int pairs = 10;   // at most
  int steps = 100;  // whose mean is a run's step time
  Steps order = Steps::drawn;
  double between = 0.005;  // standard deviation between runs, beside what the steps make: a share
  double slower = 0;       // B's steps
};

struct Counts {
  int slower = 0, faster = 0, none = 0, undecided = 0, covered = 0, pairs = 0;
};

class Laboratory {
 public:
  explicit Laboratory(const Setting& setting) : setting_(setting) {}

  Counts count() {
    Counts counts;
    for (int i = 0; i < trials(); ++i) add(counts);
    return counts;
  }

 private:
  double run_of(double factor) {
    const std::size_t first = random_() % steps_.size();
    double sum = 0;
    for (int i = 0; i < setting_.steps; ++i) {
      const bool in_a_row = setting_.order == Steps::in_a_row;
      sum += steps_[(in_a_row ? first + static_cast<std::size_t>(i) : random_()) % steps_.size()];
    }
    return factor * std::exp(setting_.between * normal_(random_)) * sum / setting_.steps;
  }

  void add(Counts& counts) {
    const PairDesign design{.most = setting_.pairs};
    std::vector<PairValues> pairs;
    std::optional<PairedChange> change;
    do {
      pairs.push_back({run_of(1), run_of(1 + setting_.slower)});
      change = paired_change(pairs, design, Better::lower);
    } while (static_cast<int>(pairs.size()) < design.most &&
             (!change || change->answer == AbAnswer::undecided));
    counts.pairs += change->pairs;
    if (change->low <= setting_.slower && setting_.slower <= change->high) ++counts.covered;
    ++(change->answer == AbAnswer::worse    ? counts.slower
       : change->answer == AbAnswer::better ? counts.faster
       : change->answer == AbAnswer::none   ? counts.none
                                            : counts.undecided);
  }

  Setting setting_;
  std::vector<double> steps_ = recorded_steps();
  std::mt19937_64 random_{20261125};
  std::normal_distribution<double> normal_;
};

Counts counts_of(const Setting& setting) { return Laboratory(setting).count(); }

void print(const Setting& setting) {
  const Counts counts = counts_of(setting);
  std::printf("| %d | %d %s | %.1f %% | %.0f %% | %d | %d | %d | %d | %d | %.1f |\n", setting.pairs,
              setting.steps, setting.order == Steps::drawn ? "drawn" : "in a row", 100 * setting.between,
              100 * setting.slower, counts.slower, counts.none, counts.undecided, counts.faster,
              counts.covered, static_cast<double>(counts.pairs) / trials());
}

// Twenty pairs where the machine is restless for many steps together, else ten.
const std::vector<Setting> settings{{.pairs = 10}, {.pairs = 20, .order = Steps::in_a_row}};

Counts counts_of(Setting setting, double slower) {
  setting.slower = slower;
  return counts_of(setting);
}

TEST(PairedSimulation, StepTimesAreThere) { EXPECT_EQ(recorded_steps().size(), 500u); }

TEST(PairedSimulation, ASlowdownOfThreePercentIsFound) {
  for (const Setting& setting : settings)
    EXPECT_GE(counts_of(setting, 0.03).slower, trials() * 19 / 20) << setting.pairs;
}

TEST(PairedSimulation, NoChangeIsNotCalledSlower) {
  for (const Setting& setting : settings)
    EXPECT_LE(counts_of(setting, 0).slower, trials() / 20) << setting.pairs;
}

TEST(PairedSimulation, IntervalsHoldWhatTheyClaim) {
  for (const Setting& setting : settings)
    for (const double slower : {0.0, 0.01, 0.03})
      EXPECT_GE(counts_of(setting, slower).covered, trials() * 19 / 20) << setting.pairs << " " << slower;
}

TEST(PairedSimulation, KeepsPrintedTable) {
  if (std::getenv("GATE_AB_TRIALS") == nullptr) return;
  for (const Steps order : {Steps::drawn, Steps::in_a_row})
    for (const int pairs : {5, 10, 20})
      for (const int steps : {10, 100})
        for (const double between : {0.005, 0.01})
          for (const double slower : {0.0, 0.03})
            print({.pairs = pairs, .steps = steps, .order = order, .between = between, .slower = slower});
}

}  // namespace
}  // namespace gate::judge::testing::paired_simulation_test
