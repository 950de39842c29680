// Real processes: what the ranks find out they return as their exit code, which run_ranks turns into 0 or 1.
#include "trainer/ranks.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <csignal>
#include <stdexcept>
#include <vector>

#include "trainer/collective.h"
#include "trainer/model.h"
#include "trainer/text.h"

namespace tinygpt::ranks_test {
namespace {

using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

constexpr ModelShape kShape{.vocabulary = 32, .context = 8, .width = 8, .heads = 2, .layers = 1, .batch = 2};

std::vector<double> gradients_of(const ModelShape& shape, const Batch& batch) {
  Pool pool;
  Model<double> model(pool, shape, 1);
  model.backward(batch);
  return {model.gradients().span().begin(), model.gradients().span().end()};
}

TEST(Collective, AverageIsSummedFromRankZeroOn) {
  constexpr std::array<float, 3> values{1e8F, 1.0F, -1e8F};  // in another order the 1 would survive
  Collective collective(3, 5 * sizeof(float));
  EXPECT_EQ(0, run_ranks(3, [&](int rank) {
              std::vector<float> mine(5, values[static_cast<std::size_t>(rank)]);
              collective.average<float>(rank, mine);
              return mine == std::vector<float>(5, ((1e8F + 1.0F) - 1e8F) / 3) ? 0 : 1;
            }));
}

TEST(Collective, AveragesFollowOneAnotherWithoutMixing) {
  Collective collective(2, 1000 * sizeof(double));
  EXPECT_EQ(0, run_ranks(2, [&](int rank) {
              for (int round = 0; round < 200; ++round) {
                std::vector<double> mine(1000, round + 10 * rank);
                collective.average<double>(rank, mine);
                if (mine != std::vector<double>(1000, round + 5)) return 1;
                if (collective.average(rank, round * rank) != round / 2.0) return 1;
              }
              return 0;
            }));
}

TEST(Collective, BroadcastIsThatOfRankZero) {
  Collective collective(3, 1000 * sizeof(double));
  EXPECT_EQ(0, run_ranks(3, [&](int rank) {
              for (int round = 0; round < 200; ++round) {
                std::vector<double> values(1000, round + 1000 * rank);
                collective.broadcast(rank, std::as_writable_bytes(std::span(values)));
                if (values != std::vector<double>(1000, round)) return 1;
                if (collective.average(rank, round * rank) != round) return 1;
              }
              return 0;
            }));
}

TEST(Collective, OneRankIsItsOwnAverage) {
  Collective collective(1, 0);
  EXPECT_EQ(collective.average(0, 3.5), 3.5);
}

TEST(DataParallel, TwoRanksHaveTheMeanOfTheirGradients) {
  const Text text(1);
  const auto a = gradients_of(kShape, text.training(0, 2, 8)),
             b = gradients_of(kShape, text.training(2, 2, 8));
  Collective collective(2, a.size() * sizeof(double));
  EXPECT_NE(a, b);
  EXPECT_EQ(0, run_ranks(2, [&](int rank) {
              auto mine = gradients_of(kShape, text.training(2 * static_cast<std::size_t>(rank), 2, 8));
              collective.average<double>(rank, mine);
              for (std::size_t i = 0; i < mine.size(); ++i)
                if (mine[i] != (a[i] + b[i]) / 2) return 1;
              return 0;
            }));
}

// The gradient of the mean over a global batch is the mean of the gradients over its equal shares.
TEST(DataParallel, TwoRanksAreOneRankWithTwiceTheBatch) {
  const Text text(1);
  ModelShape twice = kShape;
  twice.batch *= 2;
  const auto whole = gradients_of(twice, text.training(0, 4, 8));
  Collective collective(2, whole.size() * sizeof(double));
  EXPECT_EQ(0, run_ranks(2, [&](int rank) {
              auto mine = gradients_of(kShape, text.training(2 * static_cast<std::size_t>(rank), 2, 8));
              collective.average<double>(rank, mine);
              for (std::size_t i = 0; i < mine.size(); ++i)
                if (std::abs(mine[i] - whole[i]) > 1e-14) return 1;
              return 0;
            }));
}

TEST(Ranks, AllEndWell) {
  EXPECT_EQ(0, run_ranks(4, [](int) { return 0; }));
}

TEST(Ranks, OneThatFailsStopsThoseWhoWaitForIt) {
  Collective collective(3, 0);
  CaptureStderr();
  EXPECT_EQ(1, run_ranks(3, [&](int rank) {
              if (rank == 1) return 7;
              collective.wait();
              return 0;
            }));
  EXPECT_EQ(GetCapturedStderr(), "tinygpt: rank 1 exited with code 7; stopping the other ranks\n");
}

TEST(Ranks, OneThatIsKilledStopsTheOthers) {
  Collective collective(2, 0);
  CaptureStderr();
  EXPECT_EQ(1, run_ranks(2, [&](int rank) {
              if (rank == 0) raise(SIGKILL);
              collective.wait();
              return 0;
            }));
  EXPECT_EQ(GetCapturedStderr(), "tinygpt: rank 0 was killed by signal 9; stopping the other ranks\n");
}

TEST(Ranks, AnExceptionIsPrintedAsATraceback) {
  CaptureStderr();
  EXPECT_EQ(1, run_ranks(1, [](int) -> int { throw std::runtime_error("no such thing"); }));
  const std::string said = GetCapturedStderr();
  EXPECT_EQ(said.find("Traceback (most recent call last):\n"), 0u);
  EXPECT_NE(said.find("\nRuntimeError: no such thing\n"), std::string::npos);
}

}  // namespace
}  // namespace tinygpt::ranks_test
