#include "render/words/downsample.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace gate::render::downsample_test {
namespace {

using testing::Contains;
using testing::Le;
using testing::SizeIs;

Chart long_chart(std::size_t places, std::size_t curves) {
  Chart chart;
  for (std::size_t i = 0; i < places; ++i) chart.x.push_back(static_cast<double>(i + 1));
  std::mt19937 random(3);
  std::normal_distribution<double> normal(0, 1);
  for (std::size_t k = 0; k < curves; ++k) {
    chart.curves.push_back({"c", CurveRole::run, {}});
    for (std::size_t i = 0; i < places; ++i) chart.curves[k].values.emplace_back(normal(random));
  }
  return chart;
}

std::optional<double> largest(const Chart& chart, std::size_t curve) {
  return *std::ranges::max_element(chart.curves[curve].values);
}

TEST(Downsample, ShortChartsStayAsTheyAre) {
  EXPECT_THAT(downsample(long_chart(100, 2), 100).x, SizeIs(100));
}

TEST(Downsample, ExtremesOfEveryStretchStay) {
  Chart chart = long_chart(10'000, 3);
  chart.curves[1].values[4321] = 99;
  chart.curves[2].values[77] = -99;
  const Chart shorter = downsample(chart, 600);
  EXPECT_THAT(shorter.x, SizeIs(Le(602u)));
  EXPECT_THAT(shorter.x, Contains(4322));
  EXPECT_THAT(shorter.x, Contains(78));
  EXPECT_EQ(shorter.x.front(), 1);
  EXPECT_EQ(shorter.x.back(), 10'000);
  EXPECT_EQ(largest(shorter, 0), largest(chart, 0));
  for (const Curve& curve : shorter.curves) EXPECT_THAT(curve.values, SizeIs(shorter.x.size()));
}

TEST(Downsample, MarksGapsBandsAndLabelsStay) {
  Chart chart = long_chart(5'000, 1);
  chart.marks.push_back({2500, "first miss", MarkKind::miss});
  chart.marks.push_back({3501, "ramp", MarkKind::change, 3777});
  chart.curves[0].values[3000].reset();
  chart.low.assign(5'000, -1.0);
  for (std::size_t i = 0; i < 5'000; ++i) chart.labels.push_back({"", "r" + std::to_string(i + 1)});
  const Chart shorter = downsample(chart, 100);
  for (const double kept : {2500.0, 3000.0, 3001.0, 3002.0, 3501.0, 3777.0})
    EXPECT_THAT(shorter.x, Contains(kept));
  EXPECT_THAT(shorter.low, SizeIs(shorter.x.size()));
  ASSERT_THAT(shorter.labels, SizeIs(shorter.x.size()));
  for (std::size_t i = 0; i < shorter.x.size(); ++i)
    EXPECT_EQ(shorter.labels[i].full, "r" + std::to_string(static_cast<int>(shorter.x[i])));
}

}  // namespace
}  // namespace gate::render::downsample_test
