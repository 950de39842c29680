#include "golden.h"

namespace gate::schema::golden_inference_test {
namespace {

using testing::ElementsAre;

constexpr const char* request =
    R"({"input_prompt": "Time travel", "generated_text": " And", "generated_tokens": [3060], "latency": 2.4, "logprobs": [-9.3]})";

TEST(GoldenInference, TakesWhatStandsBesideTheRequests) {
  const Baseline baseline = golden("{\"0\": " + std::string(request) + ", \"1\": " + request +
                                   R"(, "throughput": [5.88, 12.1], "mem-max-allocated-bytes": 22837833216,
                                      "lifetime_prefill_token_count": 88})");
  EXPECT_EQ(baseline.origin, "megatron-inference");
  EXPECT_THAT(shown(baseline),
              ElementsAre("tokens_per_second [tokens/s] step?: 1=5.88 2=12.1",
                          "memory_max_allocated [MiB] report: 1=22837833216(21779.85498046875)"));
  EXPECT_THAT(baseline.notes,
              ElementsAre("key \"lifetime_prefill_token_count\" is unknown and not used",
                          "throughput: no step numbers in the file, taken as steps 1-2",
                          "2 requests: texts, tokens, logprobs and latencies are no series and not used"));
}

TEST(GoldenInference, NeedsNoRequests) {
  EXPECT_THAT(shown(golden(R"({"throughput": [5], "mem-max-allocated-bytes": 1048576})")),
              ElementsAre("tokens_per_second [tokens/s] step?: 1=5",
                          "memory_max_allocated [MiB] report: 1=1048576(1)"));
}

TEST(GoldenInference, RefusesTextsOnly) {
  constexpr const char* refusal =
      "g.json:1:1: holds generated texts only, no series: gate compares numbers; compare the texts elsewhere";
  EXPECT_EQ(golden_error(R"({"0": {"id": "0", "generated_text": " To"}, "1": {"generated_text": " The"}})"),
            refusal);
  EXPECT_EQ(golden_error(R"({"0": {"generated_tokens": [1]}})"), refusal);
  EXPECT_THAT(golden_error(R"({"0": {"generated_tokens": [1]}, "throughput": []})"),
              testing::StartsWith("g.json:1:48: \"throughput\" holds no value"));
}

TEST(GoldenInference, RefusesWrongTypes) {
  EXPECT_EQ(golden_error("{\"0\": " + std::string(request) +
                         ",\n\"throughput\": 5, \"mem-max-allocated-bytes\": 1}"),
            "g.json:2:15: \"throughput\" must be a list, not a number");
  EXPECT_EQ(golden_error(R"({"0": {"logprobs": []}, "throughput": [[1]]})"),
            "g.json:1:40: a value must be a number or a text like \"nan\", not a list");
}

}  // namespace
}  // namespace gate::schema::golden_inference_test
