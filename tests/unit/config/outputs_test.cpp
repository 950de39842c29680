#include "gate/config/outputs.h"

#include <gmock/gmock.h>

#include "policy_text.h"

namespace gate::config::outputs_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string respelled(std::string_view text) {
  const auto read = parse_output_tolerance(text);
  return read ? to_string(*read) : "refused";
}

TEST(OutputTolerance, IsATolerance) {
  EXPECT_EQ(respelled(">= 0.75"), ">= 0.75");
  EXPECT_EQ(respelled("-2 %"), "-2%");
}

TEST(OutputTolerance, IsADistanceInStandardErrors) {
  EXPECT_EQ(respelled("within 2 standard errors"), "±2 standard errors");
  EXPECT_EQ(respelled("  within 1.5 standard error "), "±1.5 standard errors");
  EXPECT_EQ(respelled("-2 stderr"), "-2 standard errors");
  EXPECT_EQ(respelled("±3 standard errors"), "±3 standard errors");
}

TEST(OutputTolerance, ThatIsNoneIsRefused) {
  for (const char* text :
       {"2 standard errors", "within standard errors", "within -2 standard errors",
        "within 2 % standard errors", ">= 2 standard errors", "±1 or ±2 standard errors",
        "within 0 standard errors", "within 11 standard errors", "standard errors", "", "within 2"})
    EXPECT_EQ(respelled(text), "refused") << text;
}

constexpr const char* answer = R"([case.a.outputs.answer]
file = "out/a.txt"
golden = ["g1.txt", "g2.txt"]
metric = "bleu|tok:zh|smooth:floor[0.5]"
tolerance = ">= 0.75"
)";

TEST(Outputs, AreWhatIsSaidOfThem) {
  const Settings s = settings_of({.toml = answer});
  ASSERT_EQ(s.outputs.size(), 1u);
  const CaseOutput& output = s.outputs.at("answer");
  EXPECT_EQ(output.file, "out/a.txt");
  EXPECT_THAT(output.golden, ElementsAre("g1.txt", "g2.txt"));
  EXPECT_EQ(output.metric, "bleu");
  EXPECT_EQ(output.text.tokenizer, score::Tokenizer::zh);
  EXPECT_EQ(output.text.smoothing, score::Smoothing::floor);
  EXPECT_EQ(output.text.smooth_value, 0.5);
  EXPECT_EQ(output.segments, Segments::lines);
}

TEST(Outputs, GiveAMetricAndARuleThatMustBeJudged) {
  const auto resolved = try_resolve({.toml = answer});
  ASSERT_TRUE(resolved) << to_string(resolved.error());
  const Metric* metric = resolved->metrics.find("answer.bleu");
  ASSERT_NE(metric, nullptr);
  EXPECT_EQ(metric->better, Better::higher);
  EXPECT_EQ(metric->numbered, Numbering::report);
  const auto rule = std::ranges::find(resolved->rules, "answer.bleu", &Rule::metric);
  ASSERT_NE(rule, resolved->rules.end());
  EXPECT_TRUE(rule->required);
  EXPECT_EQ(to_string(rule->tolerance), ">= 0.75");
}

TEST(Outputs, OfACaseWithoutAnyAddNothing) { EXPECT_THAT(settings_of({}).outputs, IsEmpty()); }

// The mistakes of an output that is right but for one key, whose line is another one.
std::string refused(const std::string& key, const std::string& line, const std::string& further = "") {
  std::string text = "[case.a.outputs.x]\n";
  for (const auto& [name, value] : {std::pair("file", "f"), std::pair("golden", "g"),
                                    std::pair("metric", "bleu"), std::pair("tolerance", ">= 0.5")})
    text += name == key ? line : std::string(name) + " = \"" + value + "\"\n";
  return case_mistakes({.toml = text + further});
}

TEST(Outputs, ThatLackSomethingAreRefused) {
  EXPECT_EQ(refused("", ""), "");
  for (const char* key : {"file", "golden", "metric", "tolerance"})
    EXPECT_THAT(refused(key, ""), HasSubstr("output x: it has no " + std::string(key))) << key;
}

TEST(Outputs, ThatSayWhatDoesNotGoTogetherAreRefused) {
  EXPECT_THAT(refused("tolerance", "tolerance = \"<= 0.5\"\n"), HasSubstr("higher is better"));
  EXPECT_THAT(refused("tolerance", "tolerance = \"within 2 standard errors\"\n"),
              HasSubstr("bleu has no standard error"));
  EXPECT_THAT(mistakes("[case.a.outputs.x]\nmetric = \"blue\"\n"), HasSubstr("unknown metric of an output"));
  EXPECT_THAT(refused("tolerance", "tolerance = \">= 0\"\n"),
              HasSubstr("cannot fail: each value of bleu is within it"));
  for (const char* all : {"±1", "-1", "-100%", "-2 or >= 0.75"})
    EXPECT_THAT(refused("tolerance", "tolerance = \"" + std::string(all) + "\"\n"), HasSubstr("cannot fail"))
        << all;
  EXPECT_THAT(refused("tolerance", "tolerance = \"> -1\"\n"),
              HasSubstr("cannot fail: each value of bleu is within it"));
  EXPECT_THAT(mistakes("[case.a.outputs.x]\nmetric = \"bleu|order:1000\"\n"), HasSubstr("no order of bleu"));
  EXPECT_THAT(refused("metric", "metric = \"bleu|nrefs:2\"\n"), HasSubstr("nrefs:2 and 1 golden file"));
  EXPECT_THAT(mistakes("[case.a.outputs.x]\nmetric = \"rmse|tok:zh\"\n"),
              HasSubstr("rmse has no word \"tok\""));
  EXPECT_THAT(mistakes("[case.a.outputs.x]\nmax_order = 4\n"), HasSubstr("write metric = \"bleu|order:4\""));
  EXPECT_THAT(refused("metric", "metric = \"rmse\"\nkey = [\"a\", \"b\"]\n"),
              HasSubstr("numbers have one key"));
  EXPECT_THAT(mistakes("[case.a.outputs.x]\nscores = \"a\"\n"), HasSubstr("write key = [\"arc_*\"]"));
  EXPECT_THAT(refused("", "", "[defaults]\njudge = \"exit\"\n"),
              HasSubstr("a case with outputs is judged by them"));
  EXPECT_THAT(refused("", "", "[defaults]\nphases = [\"a\", \"b\"]\n"),
              HasSubstr("a case with outputs has no phases"));
  EXPECT_THAT(refused("", "", "[suite]\nprofile = \"megatron\"\n"), HasSubstr("no other profile"));
}

TEST(Outputs, HaveNamesAndKeysOfTheirOwn) {
  for (const char* entry : {"outputs = \"x\"", "outputs.a = \"x\"", "outputs.a.fil = \"x\"",
                            "outputs.\"a b\".file = \"x\"", "outputs.a.segments = \"words\"",
                            "outputs.a.metric = \"bleu|tok:14a\"", "outputs.a.tokenize = \"zh\""})
    EXPECT_NE(mistakes("[case.a]\n" + std::string(entry)), "") << entry;
}

TEST(Stages, AreWhatIsSaidOfThem) {
  const Settings s = settings_of({.toml = R"([case.a]
stages.download = { command = ["bash", "get.sh", "a b"], timeout = "5m", from = ["file:///mnt/x", "y"] }
stages.upload.to = "file:///mnt/{test_id}"
)"});
  EXPECT_THAT(s.stages.at("download").command, ElementsAre("bash", "get.sh", "a b"));
  EXPECT_EQ(s.stages.at("download").timeout, std::chrono::minutes(5));
  EXPECT_THAT(s.stages.at("download").from, ElementsAre("file:///mnt/x", "y"));
  EXPECT_EQ(s.stages.at("upload").to, "file:///mnt/{test_id}");
  EXPECT_EQ(s.stages.at("upload").timeout, std::chrono::minutes(30));
}

TEST(Stages, ThatThereAreNotAreRefused) {
  for (const char* entry :
       {"stages = 1", "stages.downlod.command = \"x\"", "stages.test.command = \"x\"",
        "stages.init.from = \"x\"", "stages.download.to = \"x\"", "stages.upload.to = \"gs://bucket\"",
        "stages.upload.to = \"file://host/x\"", "stages.download.timeout = \"0s\"",
        "stages.init.command = \"bash -c 'x y'\"", "stages.upload = \"x\"", "stages.download.comand = \"x\""})
    EXPECT_NE(mistakes("[case.a]\n" + std::string(entry)), "") << entry;
  EXPECT_THAT(mistakes("[case.a]\nstages.upload.to = \"gs://b\"\n"),
              HasSubstr("write a path, file:///PATH, s3://BUCKET/KEY or obs://BUCKET/KEY"));
}

}  // namespace
}  // namespace gate::config::outputs_test
