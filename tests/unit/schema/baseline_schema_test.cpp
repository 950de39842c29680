#include <gtest/gtest.h>

#include "gate/schema/baseline_file.h"
#include "validate.h"

namespace gate::schema::baseline_schema_test {
namespace {

constexpr const char* file = "gate.baseline.1.json";

using Values = std::map<std::string, std::string>;

Baseline full() {
  Baseline baseline;
  baseline.case_name = "c";
  baseline.platform = "cpu";
  baseline.formats = {"megatron"};
  baseline.provenance = {
      {"dr", "fw", "tk", "5.10", "image", "3.11.7", {{"torch", "2.1.0"}}, Values{{"NCCL_ALGO", "Ring"}}},
      "1.0.0",
      "2026-11-21T02:03:04Z",
      "h",
      "d",
      8,
      "co",
      "sh",
      "1121-0203",
      "../tool/c.json",
      "ef",
      {"--lr"},
      {"a=b"},
      {{"world_size", "8"}},
      false};
  baseline.accepted = {{"me", "now", "why", "1121-0203", "ab", {"shorter"}, {"lm_loss"}}};
  Series every_step("lm_loss", 0, "", Numbering::step);
  Series with_holes("lm_loss", 1, "", Numbering::step);
  for (int i = 1; i < 40; ++i) {
    every_step.append({i, i % 7 ? *parse_value("1.5") : Value{}, i % 7 ? "1.5" : "", 0, 0});
    with_holes.append({i * i, *parse_value("nan"), "nan", 0, 0});
  }
  with_holes.mark_conflict(4);
  with_holes.set_assumed(true);
  with_holes.set_of_last_steps(true);
  with_holes.mark_unrecorded(2);
  Series two_ranges("memory_allocated", 0, "MiB", Numbering::report);
  for (const int i : {1, 2, 3, 7}) two_ranges.append({i, *parse_value("1"), "1", 0, 0});
  baseline.runs = {
      {30, {every_step, with_holes, two_ranges, Series("empty", std::nullopt, "", Numbering::time)}}};
  return baseline;
}

TEST(BaselineSchema, HoldsForWhatIsWritten) { EXPECT_EQ(invalid(write_baseline(full()), file), ""); }

TEST(BaselineSchema, DoesNotHoldForWhatTheReaderRefuses) {
  const auto whole = nlohmann::json::parse(write_baseline(full()));
  const auto refuse = [&](const char* path, const nlohmann::json& value) {
    auto broken = whole;
    broken[nlohmann::json::json_pointer(path)] = value;
    EXPECT_NE(invalid(broken.dump(), file), "") << path;
    EXPECT_FALSE(read_baseline(broken.dump(), "b").has_value()) << path;
  };
  refuse("/schema", "gate.baseline/2");
  refuse("/case", "");
  refuse("/plaform", "cpu");
  refuse("/runs", nlohmann::json::array());
  refuse("/runs/0/series/0/values/3", 1.5);
  refuse("/runs/0/series/0/values/3", "");
  refuse("/runs/0/series/0/numbers", "1-x");
  refuse("/runs/0/series/0/numbered", "epoch");
  refuse("/runs/0/series/0/rank", -1);
  refuse("/runs/0/series/1/unrecorded/0", "2");
  refuse("/runs/0/series/1/unrecorded/0", -1);
  refuse("/runs/0/series/1/unrecorded", 2);
  refuse("/runs/0/total", "30");
  refuse("/accepted/0/despite", "shorter");
  refuse("/provenance/ended_well", "yes");
  refuse("/provenance/packages", "torch");
  refuse("/provenance/packages/torch", 2);
  refuse("/provenance/switches/NCCL_ALGO", true);
}

}  // namespace
}  // namespace gate::schema::baseline_schema_test
