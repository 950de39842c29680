#include "gate/judge/suite_shift.h"

#include <gmock/gmock.h>

#include <random>

#include "gate/model/rules/grammar.h"

namespace gate::judge::suite_shift_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::size_t runs = 30;
constexpr std::size_t upgrade = 21;

// Sixty cases whose throughput has noise of 0.1 % and rises by `percent` at the upgrade.
std::vector<CaseValues> cases(double percent, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, 0.001);
  std::vector<CaseValues> all;
  for (int i = 0; i < 60; ++i) {
    CaseValues one{"model" + std::to_string(i), "cpu", *parse_tolerance("-5%"), {}, {}};
    for (std::size_t run = 0; run < runs; ++run) {
      one.runs.push_back(run);
      one.values.push_back((100.0 + i) * (1 + noise(random)) * (run < upgrade ? 1 : 1 + percent / 100));
    }
    all.push_back(std::move(one));
  }
  return all;
}

void slow_down(CaseValues& one, std::size_t from, double factor) {
  for (std::size_t i = from; i < one.values.size(); ++i) one.values[i] *= factor;
}

std::vector<std::size_t> starts(const std::vector<CaseValues>& all) {
  std::vector<std::size_t> found;
  for (const SuiteShift& shift : suite_shifts(all)) found.push_back(shift.run);
  return found;
}

TEST(SuiteShift, AnUpgradeOfAllHasOneStartAtItsRun) {
  EXPECT_THAT(starts(cases(0.3)), ElementsAre(upgrade));
  EXPECT_THAT(starts(cases(0)), IsEmpty());
}

TEST(SuiteShift, WhatOneCaseDoesIsNoShift) {
  std::vector<CaseValues> all = cases(0);
  slow_down(all[23], 10, 0.9);
  EXPECT_THAT(starts(all), IsEmpty());
}

TEST(SuiteShift, TwoCasesAreNoSuite) {
  std::vector<CaseValues> all = cases(1);
  all.resize(2);
  EXPECT_THAT(starts(all), IsEmpty());
}

TEST(SuiteShift, TheMovesTellWhatStandsApart) {
  std::vector<CaseValues> all = cases(0.3);
  slow_down(all[23], upgrade, 0.91);
  const Triage moves = moves_at("throughput", all, 0, upgrade, runs);
  ASSERT_EQ(moves.metrics.size(), 1u);
  EXPECT_EQ(moves.metrics[0].cases, 60u);
  EXPECT_EQ(moves.metrics[0].together, 59u);
  EXPECT_NEAR(moves.metrics[0].median, 0.3, 0.03);
  ASSERT_EQ(moves.apart.size(), 1u);
  EXPECT_EQ(moves.apart[0].case_name, "model23");
  EXPECT_TRUE(is_one_sided(moves));
  EXPECT_FALSE(is_one_sided(moves_at("throughput", cases(0), 0, upgrade, runs)));
  EXPECT_FALSE(is_one_sided({}));
}

TEST(SuiteShift, ACaseKeepsWhatIsItsOwn) {
  std::vector<CaseValues> all = cases(0.3);
  all[5].tolerance = *parse_tolerance("-1%");
  EXPECT_FALSE(own_fit(all[5], {}).changes.empty()) << "the shift is seen in the case alone, too";
  const std::vector<SharedShift> shifts{{upgrade, 0.3}};
  EXPECT_THAT(own_fit(all[5], shifts).changes, IsEmpty());
  slow_down(all[5], 12, 0.985);
  const std::vector<Change> own = own_fit(all[5], shifts).changes;
  ASSERT_EQ(own.size(), 1u);
  EXPECT_EQ(own[0].at, 12u);
  EXPECT_NEAR(*own[0].share(), -0.015, 0.001);
}

}  // namespace
}  // namespace gate::judge::suite_shift_test
