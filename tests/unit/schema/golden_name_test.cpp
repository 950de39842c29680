#include "gate/schema/golden_name.h"

#include <gmock/gmock.h>

namespace gate::schema::golden_name_test {
namespace {

using ::testing::HasSubstr;

// Return `CASE on PLATFORM@ENVIRONMENT`, `CASE` or `refused`, and whether it is a second run.
std::string told(std::string_view path, std::string_view tree = "tree") {
  const auto name = golden_name(path, tree);
  if (!name) return "refused";
  const std::string place = name->platform + (name->environment.empty() ? "" : "@" + name->environment);
  return name->case_name + (place.empty() ? "" : " on " + place) +
         (name->is_second_run ? ", second run" : "");
}

TEST(GoldenName, OfTheModelLinkFamilyIsThePath) {
  EXPECT_EQ(told("llama2_tp2.json"), "llama2_tp2");
  EXPECT_EQ(told("pretrain/llama2_tp2.json"), "pretrain/llama2_tp2");
  EXPECT_EQ(told("my_golden_values_dev.json"), "my_golden_values_dev");
}

TEST(GoldenName, OfMegatronIsTheFolderAndThePlatform) {
  EXPECT_EQ(told("gpt/a/golden_values_dev_dgx_h100.json"), "gpt/a on nvidia-h100@dev");
  EXPECT_EQ(told("gpt/a/golden_values_dev_dgx_gb200.json"), "gpt/a on nvidia-gb200@dev");
  EXPECT_EQ(told("gpt/a/golden_values_dev_dgxa100_dracooci.json"), "gpt/a on nvidia-a100-dracooci@dev");
  EXPECT_EQ(told("gpt/a/golden_values_dev_dgxa100_dracooci-ord.json"),
            "gpt/a on nvidia-a100-dracooci-ord@dev");
}

TEST(GoldenName, TellsTheEnvironment) {
  EXPECT_EQ(told("a/golden_values_lts_dgx_a100.json"), "a on nvidia-a100@lts");
  EXPECT_EQ(told("a/golden_values_lts_dgxa100_dracooci-ord.json"), "a on nvidia-a100-dracooci-ord@lts");
  EXPECT_EQ(told("a/golden_values_dev.json"), "a on @dev");
  EXPECT_EQ(told("a/golden_values_lts.json"), "a on @lts");
}

TEST(GoldenName, TellsASecondRun) {
  EXPECT_EQ(told("a/golden_values_dev_dgx_h100_2nd.json"), "a on nvidia-h100@dev, second run");
  EXPECT_EQ(told("a/golden_values_lts_dgx_a100_2nd.json"), "a on nvidia-a100@lts, second run");
  EXPECT_EQ(told("a/golden_values_dev_2nd.json"), "a on @dev, second run");
}

TEST(GoldenName, OfATextBeginsBehindTheFolderOfLosses) {
  EXPECT_EQ(told("tests/assets/losses/llama3_cuda.txt"), "llama3_cuda");
  EXPECT_EQ(told("losses/real_pg/a10g/llama3.txt"), "real_pg/a10g/llama3");
  EXPECT_EQ(told("old_losses/llama3.txt"), "old_losses/llama3");
  EXPECT_EQ(told("losses/llama3.json"), "losses/llama3");
  EXPECT_EQ(told("x/results_gold/tp2"), "x/results_gold/tp2");
}

TEST(GoldenName, BeginsBehindTheFolderOfTheNames) {
  EXPECT_EQ(told("tests/st/baseline_results/llama2.json"), "llama2");
  EXPECT_EQ(told("baseline_results/sub/llama2.json"), "sub/llama2");
  EXPECT_EQ(told("old_baseline_results/llama2.json"), "old_baseline_results/llama2");
  EXPECT_EQ(told("tests/functional_tests/test_cases/gpt/a/golden_values_dev.json"), "gpt/a on @dev");
}

TEST(GoldenName, OfAFileInTheTreeItselfIsTheTree) {
  EXPECT_EQ(told("golden_values_dev_dgx_h100.json", "gpt3"), "gpt3 on nvidia-h100@dev");
  EXPECT_EQ(told("test_cases/golden_values_dev.json", "gpt3"), "gpt3 on @dev");
}

TEST(GoldenName, RefusesWhatIsNoCase) {
  for (const char* path : {"_under.json", "a/_under.json", "_a/under.json", "_a/golden_values_dev.json"})
    EXPECT_EQ(told(path), "refused") << path;
  EXPECT_EQ(told("golden_values_dev.json", "_tree"), "refused");
  EXPECT_EQ(told("_x/baseline_results/a_b.json"), "a_b");
  EXPECT_THAT(golden_name("_under.json", "t").error().message,
              HasSubstr("_under: names that begin with _ are no cases"));
}

TEST(GoldenName, RefusesWhatItCannotTell) {
  for (const std::string file :
       {"golden_values", "golden_values_2nd", "golden_values_nightly_dgx_h100", "golden_values_dev_",
        "golden_values_dev_dgx", "golden_values_dev_dgx_", "golden_values_dev_tpu_v5",
        "golden_values_devdgx_h100", "golden_values_dev_dgx_h100 copy", "golden_values_dev_dgx_H100",
        "golden_values_dev_dgx_h100_3rd", "golden_values_dev_dgx_h100_2nd_2nd", "golden_values_dev_3rd",
        "golden_values_dev_dgx_h100_11th_2nd", "golden_values_dev_dgx_2nd_h100"})
    EXPECT_EQ(told("a/" + file + ".json"), "refused") << file;
  EXPECT_THAT(golden_name("a/golden_values_dev_tpu_v5.json", "t").error().message,
              HasSubstr("golden_values_dev_tpu_v5: golden values are called"));
}

TEST(GoldenName, KnowsPlatformsOfMegatron) {
  EXPECT_EQ(megatron_platform("dgx_h100"), "nvidia-h100");
  EXPECT_EQ(megatron_platform("dgxa100_dracooci-ord"), "nvidia-a100-dracooci-ord");
  for (const char* none : {"", "dgx", "h100", "dgx_", "dgx_h100_2nd", "dgx_H100"})
    EXPECT_EQ(megatron_platform(none), "") << none;
}

}  // namespace
}  // namespace gate::schema::golden_name_test
