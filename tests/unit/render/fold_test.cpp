#include "render/words/check_words.h"

#include <gmock/gmock.h>

#include "sample_reports.h"

namespace gate::render::fold_test {
namespace {

TEST(Fold, RanksOfOneMetricAndStatusAreOne) {
  const std::vector<Check> checks{sample::failed_memory(0, "14", "1.5", 12),
                                  sample::memory(1, CheckStatus::pass),
                                  sample::failed_memory(2, "15", "2.5", 20), sample::loss(CheckStatus::pass)};
  const std::vector<Fold> folds = fold(checks);
  ASSERT_EQ(folds.size(), 3u);
  EXPECT_EQ(ranks_of(folds[0]), "2 of 3 ranks (0, 2)");
  EXPECT_EQ(folds[0].first->rank, 0);
  EXPECT_EQ(folds[0].largest->rank, 2);
  EXPECT_EQ(folds[0].misses, 2);
  EXPECT_EQ(folds[0].compared, 4);
  EXPECT_EQ(ranks_of(folds[1]), "1 of 3 ranks (1)");
  EXPECT_EQ(ranks_of(folds[2]), "");
}

TEST(Fold, FirstIsTheLowestNumberWhateverTheRank) {
  std::vector<Check> checks{sample::failed_memory(0, "14", "1.5", 12),
                            sample::failed_memory(5, "14", "1.5", 12)};
  checks[1].first_miss->number = 1;
  EXPECT_EQ(fold(checks).at(0).first->rank, 5);
}

TEST(Fold, MissingForDifferentReasonsStaysApart) {
  std::vector<Check> checks{sample::memory(0, CheckStatus::missing), sample::memory(1, CheckStatus::missing),
                            sample::memory(2, CheckStatus::missing)};
  checks[0].remarks = checks[1].remarks = {shown::text("report 2 is missing")};
  checks[2].remarks = {shown::text("the whole series is missing")};
  ASSERT_EQ(fold(checks).size(), 2u);
  EXPECT_EQ(ranks_of(fold(checks)[0]), "2 of 3 ranks (0, 1)");
}

TEST(Fold, ChecksWithoutARankStayThemselves) {
  EXPECT_EQ(fold({sample::loss(CheckStatus::fail), sample::loss(CheckStatus::fail)}).size(), 2u);
}

TEST(Fold, OneRankAloneIsNamedAlone) {
  EXPECT_EQ(ranks_of(fold({sample::memory(3, CheckStatus::pass)}).at(0)), "rank 3");
}

}  // namespace
}  // namespace gate::render::fold_test
