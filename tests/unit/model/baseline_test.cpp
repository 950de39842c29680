#include "gate/model/runs/baseline.h"

#include <gmock/gmock.h>

namespace gate::baseline_test {
namespace {

Series series(const char* metric, std::optional<int> rank, std::int64_t last,
              Numbering numbered = Numbering::step) {
  Series out(metric, rank, "", numbered);
  for (std::int64_t n = 1; n <= last; ++n) out.append({n, *parse_value("1.0"), "1.0", 0, 0});
  return out;
}

TEST(Reference, OfOneBaseline) {
  Baseline baseline;
  baseline.platform = "cpu";
  baseline.formats = {"megatron"};
  baseline.runs = {{30, {series("lm_loss", {}, 15), series("memory_allocated", 0, 99, Numbering::report)}},
                   {30, {series("lm_loss", {}, 14)}}};
  const Reference reference = make_reference(baseline, "baselines/a.json");
  ASSERT_EQ(reference.series.size(), 2U);
  EXPECT_EQ(reference.series[0].runs.size(), 2U);
  EXPECT_EQ(reference.series[0].path, "baselines/a.json");
  EXPECT_EQ(reference.series[0].platform, "cpu");
  EXPECT_EQ(reference.last_step, 15) << "reports are no steps";
}

TEST(Reference, EachMetricComesFromTheMostSpecificFileThatHasIt) {
  Baseline general, special;
  general.runs = {
      {{}, {series("lm_loss", {}, 30), series("memory_allocated", 0, 2), series("memory_allocated", 1, 2)}}};
  special.platform = "ascend-910b3";
  special.runs = {{{}, {series("memory_allocated", 0, 2), series("throughput", {}, 15)}}};
  const Reference reference =
      merge_references({make_reference(special, "s.json"), make_reference(general, "g.json")});
  std::vector<std::string> lines;
  for (const ReferenceSeries& one : reference.series)
    lines.push_back(label(one.runs.front()) + " " + one.path);
  EXPECT_THAT(lines, ::testing::UnorderedElementsAre("memory_allocated rank 0 s.json", "throughput s.json",
                                                     "lm_loss g.json"));
  EXPECT_EQ(reference.last_step, 30);
}

TEST(Reference, OfNothing) {
  EXPECT_TRUE(merge_references({}).series.empty());
  EXPECT_FALSE(make_reference({}, "").last_step);
}

}  // namespace
}  // namespace gate::baseline_test
