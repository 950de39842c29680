#include <gmock/gmock.h>

#include <pugixml.hpp>

#include "sample_reports.h"

namespace gate::render::junit_test {
namespace {

using testing::HasSubstr;

struct Parsed {
  explicit Parsed(const Report& report) {
    EXPECT_TRUE(document.load_string(junit(report, Style{}).c_str()));
    root = document.child("testsuites");
    suite = root.child("testsuite");
  }
  pugi::xml_document document;
  pugi::xml_node root;
  pugi::xml_node suite;
};

std::string attribute(pugi::xml_node node, const char* name) { return node.attribute(name).value(); }

pugi::xml_node test_named(const Parsed& parsed, const char* name) {
  return parsed.suite.find_child_by_attribute("testcase", "name", name);
}

TEST(JUnit, CountsAreThoseOfTheVerdicts) {
  const Parsed parsed(
      sample::report({sample::regressed_case(), sample::hung_case(), sample::skipped_case()}, 1));
  EXPECT_EQ(attribute(parsed.root, "tests"), "3");
  EXPECT_EQ(attribute(parsed.suite, "failures"), "1");
  EXPECT_EQ(attribute(parsed.suite, "errors"), "1");
  EXPECT_EQ(attribute(parsed.suite, "skipped"), "1");
  EXPECT_EQ(attribute(parsed.suite, "time"), "6720.000");
  EXPECT_EQ(attribute(parsed.suite, "timestamp"), "2026-11-21T02:03:04");
  EXPECT_EQ(attribute(parsed.suite, "hostname"), "npu-07");
  EXPECT_EQ(attribute(parsed.suite, "name"), "llm-st");
}

TEST(JUnit, RegressedIsAFailureWithItsChecks) {
  const Parsed parsed(sample::report({sample::regressed_case()}, 1));
  const pugi::xml_node test = test_named(parsed, "tinygpt/dp2");
  EXPECT_EQ(attribute(test, "classname"), "llm-st");
  EXPECT_EQ(attribute(test, "time"), "1.100");
  EXPECT_EQ(attribute(test.child("failure"), "type"), "regressed");
  EXPECT_EQ(attribute(test.child("failure"), "message"), "lm_loss out of ±0.01 from step 2 on");
  EXPECT_THAT(std::string(test.child("failure").child_value()),
              HasSubstr("first    step 2: 4.161230 -> 4.180340, delta +0.01911 (+0.46 %)  train.log:34\n"));
  EXPECT_THAT(std::string(test.child("system-out").child_value()),
              HasSubstr("log .gate/runs/1121-0203/tinygpt/dp2/log\n"));
}

TEST(JUnit, CrashedNamesItsCause) {
  const Parsed parsed(sample::report({sample::crashed_case()}, 4));
  const pugi::xml_node error = test_named(parsed, "mixtral_tp4_ep2").child("error");
  EXPECT_EQ(attribute(error, "message"), "exited 1: CUDA out of memory (log.txt:57)");
  EXPECT_THAT(std::string(error.text().get()), HasSubstr("cause    mixtral/log.txt:57: [rank3]: torch.Out"));
}

TEST(JUnit, HungIsAnErrorAndSkippedIsSkipped) {
  const Parsed parsed(sample::report({sample::hung_case(), sample::skipped_case()}, 4));
  const pugi::xml_node hung = test_named(parsed, "mixtral_tp4_ep2");
  EXPECT_EQ(attribute(hung.child("error"), "message"), "hung during training: silent 15m, limit 15m");
  EXPECT_THAT(std::string(hung.child("error").child_value()), HasSubstr("train.log:812: rank 5: HCCL"));
  const pugi::xml_node skipped = test_named(parsed, "llama2_tp2_pp4_vpp2");
  EXPECT_EQ(attribute(skipped.child("skipped"), "message"), "needs platform ascend-*, this is cpu");
  EXPECT_STREQ(skipped.child("skipped").child_value(), "needs platform ascend-*, this is cpu");
}

TEST(JUnit, PassedHasNoResultAndItsNotesInSystemOut) {
  CaseReport one = sample::passed_case();
  one.notes = {plain_note("no longer bit-equal from step 2")};
  const Parsed parsed(sample::report({one}, 0));
  const pugi::xml_node test = test_named(parsed, "tinygpt/dp2");
  EXPECT_FALSE(test.child("failure") || test.child("error") || test.child("skipped"));
  EXPECT_THAT(std::string(test.child("system-out").child_value()),
              HasSubstr("no longer bit-equal from step 2"));
}

TEST(JUnit, EveryVerdictHasTheElementOfItsRow) {
  for (const VerdictRow& verdict : verdicts()) {
    CaseReport one;
    one.name = "x";
    one.verdict = verdict.verdict;
    const Parsed parsed(sample::report({one}, verdict.exit_code));
    const std::string kind(verdict.junit);
    EXPECT_EQ(!test_named(parsed, "x").child("failure").empty(), kind == "failure") << verdict.name;
    EXPECT_EQ(!test_named(parsed, "x").child("error").empty(), kind == "error") << verdict.name;
    EXPECT_EQ(!test_named(parsed, "x").child("skipped").empty(), kind == "skipped") << verdict.name;
  }
}

TEST(JUnit, RedRunWithoutARedCaseIsRedForThoseWhoReadOnlyThisFile) {
  for (const Report& report : {sample::report({}, 3), sample::report({sample::skipped_case()}, 3)}) {
    const Parsed parsed(report);
    EXPECT_EQ(attribute(parsed.root, "errors"), "1");
    EXPECT_EQ(attribute(parsed.root, "tests"), std::to_string(report.cases.size() + 1));
    EXPECT_THAT(attribute(test_named(parsed, "gate").child("error"), "message"), HasSubstr("(exit 3)"));
  }
}

TEST(JUnit, GreenRunHasNoCaseOfItsOwn) {
  const Parsed parsed(sample::report({sample::passed_case()}, 0));
  EXPECT_EQ(attribute(parsed.root, "tests"), "1");
  EXPECT_TRUE(test_named(parsed, "gate").empty());
}

TEST(JUnit, ACaseInQuarantineIsSkippedWithItsVerdict) {
  Report report = sample::report({sample::regressed_case(), sample::hung_case()}, 4);
  report.cases[0].quarantine = Quarantine{"2026-12-31", "it spikes", "zhang"};
  const Parsed parsed(report);
  EXPECT_EQ(attribute(parsed.suite, "failures"), "0");
  EXPECT_EQ(attribute(parsed.suite, "errors"), "1");
  EXPECT_EQ(attribute(parsed.suite, "skipped"), "1");
  const pugi::xml_node test = test_named(parsed, "tinygpt/dp2");
  EXPECT_FALSE(test.child("failure"));
  EXPECT_EQ(
      attribute(test.child("skipped"), "message"),
      "regressed: lm_loss out of ±0.01 from step 2 on; quarantined until 2026-12-31 by zhang: it spikes");
}

TEST(JUnit, FindingsAreProperties) {
  Report report = sample::report({sample::regressed_case()}, 1);
  report.policy = TrustedPolicy{"main",
                                std::string(40, 'a'),
                                {{PolicyArea::rule,
                                  PolicyShift::loosened,
                                  "rules.lm_loss.tolerance",
                                  "±0.01",
                                  "±0.5",
                                  "gate.toml:2:13",
                                  {"a", "b"}}}};
  const Parsed parsed(report);
  const pugi::xml_node properties = parsed.suite.child("properties");
  const auto value = [&](const char* name) {
    return attribute(properties.find_child_by_attribute("name", name), "value");
  };
  EXPECT_EQ(value("policy"), "judged by the policy of main (aaaaaaa): 1 finding");
  EXPECT_EQ(value("policy_finding"),
            "loosened  rules.lm_loss.tolerance  ±0.01 -> ±0.5  in a, b  gate.toml:2:13");
}

}  // namespace
}  // namespace gate::render::junit_test
