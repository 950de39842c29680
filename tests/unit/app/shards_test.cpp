// The split of a suite into shards: each case in one, the same everywhere, predecessors together.
#include "gate/suite/shards.h"

#include <gmock/gmock.h>

#include <random>

#include "suite_of_files.h"

namespace gate::app::shards_test {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string name_of(std::size_t i) { return "case" + std::to_string(1000 + i); }

// Some cases; of those that `may_join` some are judged beside an earlier one.
std::vector<Share> random_shares(std::mt19937& random, bool may_join) {
  std::vector<Share> shares(1 + random() % 60);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i] = {name_of(i), random() % 2 == 0 ? "" : "ascend-*", Duration(random() % 5 * 1000), {}};
    if (may_join && i > 0 && random() % 4 == 0) shares[i].predecessors = {name_of(random() % i), "elsewhere"};
  }
  return shares;
}

TEST(Shards, EachCaseIsInOneOfThemAndPredecessorsAreTogether) {
  std::mt19937 random(7);
  for (int suite = 0; suite < 300; ++suite) {
    const std::vector<Share> shares = random_shares(random, true);
    const int count = static_cast<int>(1 + random() % 20);
    const std::vector<int> numbers = deal(shares, count);
    ASSERT_EQ(numbers.size(), shares.size());
    EXPECT_THAT(numbers, Each(testing::AllOf(testing::Ge(1), testing::Le(count))));
    for (std::size_t i = 0; i < shares.size(); ++i)
      if (!shares[i].predecessors.empty()) {
        const auto before = std::ranges::find(shares, shares[i].predecessors.front(), &Share::name);
        EXPECT_EQ(numbers[i], numbers[static_cast<std::size_t>(before - shares.begin())]);
      }
    EXPECT_EQ(deal(shares, count), numbers);
  }
}

// No shard is above another one by more than one case.
TEST(Shards, EachPlatformsCasesAreBalanced) {
  std::mt19937 random(8);
  for (int suite = 0; suite < 300; ++suite) {
    std::vector<Share> shares = random_shares(random, false);
    for (Share& share : shares) share.expected += 1s;
    const int count = static_cast<int>(1 + random() % 20);
    const std::vector<int> numbers = deal(shares, count);
    for (const char* platform : {"", "ascend-*"}) {
      std::vector<Duration> loads(static_cast<std::size_t>(count));
      Duration longest{};
      for (std::size_t i = 0; i < shares.size(); ++i)
        if (shares[i].platform == platform) {
          loads[static_cast<std::size_t>(numbers[i]) - 1] += shares[i].expected;
          longest = std::max(longest, shares[i].expected);
        }
      EXPECT_LE(*std::ranges::max_element(loads) - *std::ranges::min_element(loads), longest);
    }
  }
}

TEST(Shards, WhatIsUnknownCountsAsTheMedianAndTiesGoByName) {
  EXPECT_THAT(deal({{"a", "", 8s, {}}, {"b", "", 4s, {}}, {"c", "", {}, {}}, {"d", "", 1s, {}}}, 2),
              ElementsAre(1, 2, 2, 1));
  EXPECT_THAT(deal({{"a", "", {}, {}}, {"b", "", {}, {}}, {"c", "", {}, {}}}, 2), ElementsAre(1, 2, 1));
  EXPECT_THAT(deal({}, 3), IsEmpty());
}

TEST(Shards, TheHashTellsEverySplitApart) {
  const std::string hash = split_sha256({{"a", 1}, {"b", 2}});
  EXPECT_EQ(hash.size(), 64U);
  for (const ShardByCase& other : std::vector<ShardByCase>{{{"a", 2}, {"b", 2}},
                                                           {{"a", 1}},
                                                           {{"a", 1}, {"b", 2}, {"c", 2}},
                                                           {{"a\n2 1:b", 1}},
                                                           {{"a\n2 b", 1}},
                                                           {}})
    EXPECT_NE(split_sha256(other), hash);
}

class RecordedDuration : public SuiteOfFiles {};

TEST_F(RecordedDuration, IsTheTimeOfAllStepsWhereNoClockWasKept) {
  script("a");
  baseline("a", log("a.log"));
  EXPECT_EQ(recorded_duration(suite().layout, {{"", "a"}}), 300ms);
  EXPECT_EQ(recorded_duration(suite().layout, {{"", "b"}}), 0ms) << "it has no baseline";
  put("baselines/a.json", "{");
  EXPECT_EQ(recorded_duration(suite().layout, {{"", "a"}}), 0ms) << "it cannot be read";
}

class ShardedRuns : public MadeUpHost {
 protected:
  ShardedRuns() {
    for (const char* name : {"a", "b", "c", "d"}) recorded(name);
    script("e");
    script("f", "platform=ascend-*");
    put("baselines/gone.json", get("baselines/cpu/a.json"));
  }

  static RunOptions shard(int number, int count) {
    RunOptions options;
    options.shard = Shard{number, count};
    return options;
  }
};

TEST_F(ShardedRuns, AreTogetherTheRunOfAll) {
  const std::string all = verdicts(ran());
  EXPECT_THAT(all, HasSubstr("gone unjudged"));
  for (const int count : {1, 2, 3, 20}) {
    std::vector<CaseReport> cases;
    std::set<std::string> splits;
    for (int number = 1; number <= count; ++number) {
      const Report report = ran(shard(number, count));
      EXPECT_EQ(report.shard, (Shard{number, count}));
      EXPECT_TRUE(!report.cases.empty() || report.exit_code == exit_code::refused) << "nothing was judged";
      splits.insert(report.split);
      cases.insert(cases.end(), report.cases.begin(), report.cases.end());
    }
    Report together;
    together.cases = cases;
    std::ranges::sort(together.cases, {}, &CaseReport::name);
    EXPECT_EQ(verdicts(together), all) << count;
    EXPECT_EQ(splits.size(), 1U) << "though the history grows with each run";
  }
}

// One shard has a case that uses a device, the other one none; merged they are of one platform.
TEST_F(ShardedRuns, HaveThePlatformOfTheWholeRun) {
  with_devices(1);
  script("on_device", "devices=1");
  script("beside_device", "devices=0");
  RunOptions first = shard(1, 2), second = shard(2, 2), whole;
  first.words = second.words = whole.words = {"*_device"};
  const Report all = ran(whole), one = ran(first), other = ran(second);
  EXPECT_EQ(all.platform, "nvidia-h100");
  EXPECT_EQ(verdicts(one) + ", " + verdicts(other), verdicts(all));
  EXPECT_EQ(one.platform, all.platform);
  EXPECT_EQ(other.platform, all.platform);
}

TEST_F(ShardedRuns, AreOfTheCasesThatAreNamed) {
  RunOptions first = shard(1, 2), second = shard(2, 2);
  first.words = second.words = {"a", "b", "c"};
  std::string all = verdicts(ran(first)) + ", " + verdicts(ran(second));
  EXPECT_EQ(std::ranges::count(all, ','), 2);
  for (const char* name : {"a passed", "b passed", "c passed"}) EXPECT_THAT(all, HasSubstr(name));
}

TEST_F(ShardedRuns, AreCutOffAndTakenUpAsTheSameShard) {
  runner.plays("a", {{.meanwhile = [this] { signal = 15; }}});
  const Report before = ran(shard(1, 2));
  signal.reset();
  runner.forget();
  RunOptions options = shard(1, 2);
  options.resume = "";
  const Answer<Report> named = run_cases(options);
  ASSERT_FALSE(named) << "the run says which shard it is";
  EXPECT_EQ(named.error().exit_code, exit_code::usage);
  options.shard.reset();
  const Report report = ran(options);
  EXPECT_EQ(report.shard, before.shard);
  EXPECT_EQ(report.split, before.split);
  EXPECT_EQ(report.cases.size(), before.cases.size());
  EXPECT_EQ(case_of(report, "a").verdict, Verdict::passed);
}

TEST_F(ShardedRuns, AreNotTakenUpWhereTheSuiteIsSplitOtherwise) {
  runner.plays("a", {{.meanwhile = [this] { signal = 15; }}});
  ran(shard(1, 2));
  signal.reset();
  script("new");
  RunOptions options;
  options.resume = "";
  const Answer<Report> report = run_cases(options);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().exit_code, exit_code::refused);
  EXPECT_THAT(report.error().message, HasSubstr("shard 1/2"));
}

TEST_F(ShardedRuns, AreRunAgainByTheCasesThatWereNotGreen) {
  const Report before = ran(shard(1, 2));
  RunOptions options;
  options.again = "";
  const Report report = ran(options);
  EXPECT_EQ(report.shard, std::nullopt) << "it is no shard: some of its cases are not in it";
  for (const CaseReport& one : report.cases) EXPECT_NE(case_of(before, one.name).verdict, Verdict::passed);
}

TEST_F(ShardedRuns, HaveTheSettingsOfTheCommandLine) {
  const std::string settings = ran(shard(1, 2)).settings;
  EXPECT_EQ(ran(shard(2, 2)).settings, settings);
  RunOptions with_args = shard(2, 2);
  with_args.args = {"--fast"};
  EXPECT_NE(ran(with_args).settings, settings);
  policy("[defaults]\ntimeout = '1h'\n");
  EXPECT_NE(ran(shard(2, 2)).settings, settings);
}

}  // namespace
}  // namespace gate::app::shards_test
