#include "golden.h"

namespace gate::schema::golden_megatron_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::string metric(const std::string& key, const std::string& values) {
  return "\"" + key +
         "\": {\"start_step\": 1, \"end_step\": 100, \"step_interval\": 5,\n\"values\": " + values + "}";
}

std::string file(const std::string& key, const std::string& values) {
  return "{" + metric(key, values) + "}";
}

TEST(GoldenMegatron, TakesTheKeysAsSteps) {
  const Baseline baseline = golden(file("lm loss", R"({"1": 10.95177, "5": 10.9, "100": 7})"));
  EXPECT_EQ(baseline.origin, "megatron");
  EXPECT_THAT(shown(baseline), ElementsAre("lm_loss [] step: 1=10.95177 5=10.9 100=7"));
  EXPECT_THAT(baseline.notes, IsEmpty());
}

TEST(GoldenMegatron, SortsStepsByNumber) {
  EXPECT_THAT(shown(golden(file("lm loss", R"({"10": 3, "2": 2, "1": 1, "9": 4.5})"))),
              ElementsAre("lm_loss [] step: 1=1 2=2 9=4.5 10=3"));
}

TEST(GoldenMegatron, CountsInGatesUnits) {
  EXPECT_THAT(shown(golden(file("iteration-time", R"({"2": 20.08608, "3": 0.5, "4": 0, "5": 3})"))),
              ElementsAre("iteration_time [ms] step: 2=20.08608(20086.08) 3=0.5(500) 4=0 5=3(3000)"));
  EXPECT_THAT(shown(golden(file("mem-allocated-bytes", R"({"1": 2178379776.0, "2": 1, "3": 0.0})"))),
              ElementsAre("memory_allocated [MiB] step: 1=2178379776.0(2077.46484375) "
                          "2=1(0.00000095367431640625) 3=0.0"));
  EXPECT_THAT(shown(golden(file("mem-max-allocated-bytes", R"({"1": 2147483648.0})"))),
              ElementsAre("memory_max_allocated [MiB] step: 1=2147483648.0(2048)"));
}

TEST(GoldenMegatron, KeepsMetricsThatItDoesNotKnow) {
  EXPECT_THAT(shown(golden("{" + metric("num-zeros", R"({"1": 5.0})") + "," +
                           metric("mtp_1 loss", R"({"1": 2})") + "," + metric("grad-norm", R"({"1": 3})") +
                           "," + metric("Load  Balance (%)", R"({"1": 4})") + "}")),
              ElementsAre("num_zeros [] step: 1=5.0", "mtp_1_loss [] step: 1=2", "grad_norm [] step: 1=3",
                          "load_balance [] step: 1=4"));
  EXPECT_EQ(golden_error(file("-", R"({"1": 2})")), "g.json:1:2: \"-\" names no metric");
  EXPECT_EQ(golden_error("{" + metric("grad-norm", R"({"1": 2})") + ",\n" +
                         metric("grad norm", R"({"1": 2})") + "}"),
            "g.json:3:1: \"grad norm\" is a second series of grad_norm; remove one of them");
}

TEST(GoldenMegatron, MarksWhatWasNotRecorded) {
  const Baseline baseline =
      golden(file("iteration-time", R"({"1": "nan", "2": 1.5, "3": null, "4": "n/a"})"));
  EXPECT_THAT(shown(baseline), ElementsAre("iteration_time [ms] step: 2=1.5(1500) unrecorded 1, 3, 4"));
  EXPECT_THAT(
      baseline.notes,
      ElementsAre("iteration-time: 3 values not recorded (nan or null, text \"n/a\" among them), left out: "
                  "steps 1, 3, 4",
                  "iteration-time: end_step is 100, and the last step that the file holds is 4"));
  EXPECT_THAT(shown(golden(file("lm loss", R"({"1": "nan", "2": "nan"})"))),
              ElementsAre("lm_loss [] step: unrecorded 1, 2"));
}

TEST(GoldenMegatron, KeepsTheNoteOfManyStepsShort) {
  std::string values;
  for (int step = 0; step < 5000; step += 5)
    values += (step > 0 ? ", \"" : "\"") + std::to_string(step) + "\": \"nan\"";
  const Baseline baseline = golden(file("lm loss", "{" + values + "}"));
  ASSERT_THAT(baseline.notes, SizeIs(2));  // the other one tells of its end
  EXPECT_THAT(baseline.notes.front().english(), testing::StartsWith("lm loss: 1000 values not recorded"));
  EXPECT_LT(baseline.notes.front().english().size(), 150U);
}

TEST(GoldenMegatron, AssumesTheStepsOfLists) {
  const Baseline baseline =
      golden("{" + metric("lm loss", "[1.5, \"nan\", 1.25, 1]") + "," + metric("num-zeros", "[7]") + "}");
  EXPECT_THAT(shown(baseline),
              ElementsAre("lm_loss [] step?: 1=1.5 11=1.25 16=1 unrecorded 6", "num_zeros [] step?: 1=7"));
  EXPECT_THAT(baseline.notes, testing::UnorderedElementsAre(
                                  "lm loss: 1 value not recorded (nan or null), left out: step 6",
                                  "lm loss: no step numbers in the file, taken as steps 1-16 by 5",
                                  "num-zeros: no step numbers in the file, taken as step 1",
                                  "lm loss: end_step is 100, and the last step that the file holds is 16",
                                  "num-zeros: end_step is 100, and the last step that the file holds is 1"));
  EXPECT_EQ(baseline.runs.front().total, 100);
}

// A list of the tests of 2023 and 2024: of `all` values in the event file every fifth one.
std::string listed(const std::string& key, int all, const std::string& values) {
  return "\"" + key + "\": {\"start_step\": 0, \"end_step\": " + std::to_string(all) +
         ", \"step_interval\": 5, \"values\": " + values + "}";
}

TEST(GoldenMegatron, CountsListsFromTheFirstIteration) {
  const Baseline baseline = golden("{" + listed("lm loss", 12, "[3, 2, 1]") + "," +
                                   listed("iteration-time", 12, "[1, 2, \"nan\"]") + "}");
  EXPECT_THAT(shown(baseline), ElementsAre("lm_loss [] step?: 1=3 6=2 11=1",
                                           "iteration_time [ms] step?: 1=1(1000) 6=2(2000) "
                                           "unrecorded 11"));
  EXPECT_THAT(baseline.notes, Contains("lm loss, iteration-time: no step numbers in the file, taken as steps "
                                       "1-11 by 5"));
  EXPECT_THAT(shown(golden(R"({"lm loss": {"start_step": 0, "step_interval": 2, "values": [3, 2]}})")),
              ElementsAre("lm_loss [] step?: 1=3 3=2"));
}

// Iterations that were skipped wrote no loss, evaluations have a count of their own: a position may be any
// step.
TEST(GoldenMegatron, LeavesOutListsWhoseStepsNobodyCanTell) {
  const std::string note =
      ": a list of fewer values than the run had iterations, and which these are cannot be told: not used";
  const Baseline fewer =
      golden("{" + listed("lm loss", 9, "[3, 2]") + "," + listed("iteration-time", 12, "[1, 2, 3]") + "}");
  EXPECT_THAT(shown(fewer), ElementsAre("lm_loss [] step?: unrecorded 1, 6",
                                        "iteration_time [ms] step?: 1=1(1000) 6=2(2000) 11=3(3000)"));
  EXPECT_THAT(fewer.notes, Contains("lm loss" + note));
  EXPECT_THAT(golden("{" + listed("lm loss", 12, "[3, 2]") + "}").notes, ElementsAre("lm loss" + note));
}

TEST(GoldenMegatron, RefusesListsWithoutSteps) {
  EXPECT_EQ(golden_error(R"({"a": {"start_step": 0, "values": [1]}})"),
            "g.json:1:7: \"step_interval\" is missing here; a list of values has no steps without it");
  EXPECT_EQ(golden_error(R"({"a": {"start_step": 1, "step_interval": 0, "values": [1]}})"),
            "g.json:1:42: must be at least 1");
  EXPECT_EQ(golden_error(R"({"a": {"start_step": -1, "step_interval": 1, "values": [1]}})"),
            "g.json:1:22: must be a whole number from 0 on, not -1");
  EXPECT_EQ(golden_error(R"({"a": {"start_step": 1, "step_interval": 99999999999, "values": [1]}})"),
            "g.json:1:42: \"step_interval\" is too large");
  for (const std::string none : {"[]", "{}"})
    EXPECT_EQ(golden_error(file("grad-norm", none)),
              "g.json:2:11: \"grad-norm\" holds no value, and would let every run pass; write its values, or "
              "remove the key");
}

TEST(GoldenMegatron, NotesWhatItDoesNotUse) {
  EXPECT_THAT(golden(R"({"lm loss": {"start_step": 1, "values": {"1": 2}, "value_precision": "half"},
                         "num-zeros": {"start_step": 1, "values": {"1": 3}, "value_precision": "half"}, "x": 5})")
                  .notes,
              testing::UnorderedElementsAre("lm loss, num-zeros: value_precision \"half\" is unknown; the "
                                            "values are taken as rounded to 5 decimals",
                                            "key \"x\" is unknown and not used"));
}

TEST(GoldenMegatron, KeepsWhichValuesAreNotRounded) {
  const Baseline baseline =
      golden(R"({"lm loss": {"start_step": 1, "values": {"1": 2.5}, "value_precision": "full"},
                                       "num-zeros": {"start_step": 1, "values": {"1": 3}}})");
  EXPECT_THAT(baseline.notes, testing::IsEmpty());
  ASSERT_EQ(baseline.runs.front().series.size(), 2U);
  EXPECT_TRUE(baseline.runs.front().series[0].unrounded());
  EXPECT_FALSE(baseline.runs.front().series[1].unrounded());
}

TEST(GoldenMegatron, RefusesWrongKeys) {
  for (const std::string key : {"x", "", "1.5", "-1", "1e3", "99999999999999999999", "9223372036854775807"})
    EXPECT_EQ(golden_error(file("lm loss", "{\"" + key + "\": 1}")),
              "g.json:2:12: \"" + key + "\" is no step: a whole number is expected");
  EXPECT_EQ(golden_error(file("lm loss", R"({"7": 1, "07": 2})")),
            "g.json:2:20: step 7 a second time; remove one of them");
}

TEST(GoldenMegatron, RefusesWrongTypes) {
  EXPECT_EQ(golden_error(file("lm loss", R"({"1": [1]})")),
            "g.json:2:17: a value must be a number or a text like \"nan\", not a list");
  EXPECT_EQ(golden_error(file("lm loss", R"({"1": {}, "2": true})")),
            "g.json:2:17: a value must be a number or a text like \"nan\", not an object\n"
            "g.json:2:26: a value must be a number or a text like \"nan\", not true or false");
  EXPECT_EQ(golden_error(file("lm loss", "5")),
            "g.json:2:11: \"values\" must be an object of steps or a list, not a number");
  EXPECT_EQ(golden_error(R"({"lm loss": {"start_step": 1}})"), "g.json:1:13: \"values\" is missing here");
}

TEST(GoldenMegatron, RefusesNumbersThatCannotBeExact) {
  const std::string digits(40, '1');
  EXPECT_EQ(golden_error(file("lm loss", "{\"1\": 0." + digits + "}")),
            "g.json:2:17: 0." + digits.substr(0, 38) + "... has more digits than gate can count");
  EXPECT_EQ(golden_error(file("mem-allocated-bytes", "{\"1\": 1." + digits.substr(0, 30) + "}")),
            "g.json:2:17: 1." + digits.substr(0, 30) + " has more digits than gate can count");
  const std::string product_of_38(24, '9');
  EXPECT_EQ(golden_error(file("mem-allocated-bytes", "{\"1\": 0." + product_of_38 + "}")),
            "g.json:2:17: 0." + product_of_38 + " has more digits than gate can count");
}

TEST(GoldenMegatron, SaysWhatTheFileAnnouncesAndDoesNotHold) {
  EXPECT_THAT(golden(R"({"lm loss": {"start_step": 1, "end_step": 500, "step_interval": 1,
                         "values": {"1": 1.5, "2": 1.4}}})")
                  .notes,
              testing::Contains("lm loss: end_step is 500, and the last step that the file holds is 2"));
  EXPECT_THAT(golden(R"({"lm loss": {"start_step": 1, "end_step": 2, "step_interval": 1,
                         "values": {"1": 1.5, "2": 1.4}}})")
                  .notes,
              testing::IsEmpty());
}

TEST(GoldenMegatron, QuotesATextThatIsNotNan) {
  EXPECT_THAT(golden(R"({"lm loss": {"start_step": 1, "end_step": 2, "step_interval": 1,
                         "values": {"1": "1.5", "2": 1.4}}})")
                  .notes,
              testing::Contains(
                  "lm loss: 1 value not recorded (nan or null, text \"1.5\" among them), left out: step 1"));
}

}  // namespace
}  // namespace gate::schema::golden_megatron_test
