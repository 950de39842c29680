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
              HasSubstr("first    step 2: 4.1612 -> 4.1803, delta +0.01911 (+0.46 %)  train.log:34\n"));
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

Check check_of_test(const std::string& name, CheckStatus status, const std::string& why = "") {
  Check check;
  check.rule = test_rule;
  check.metric = name;
  check.status = status;
  check.test = TestResult{"tests.test_a", "tests/test_a.py", 5, Duration(1500)};
  if (!why.empty()) check.remarks = {remark::Text{why}};
  return check;
}

TEST(JUnit, TheTestsOfACaseAreASuiteOfTheirOwn) {
  CaseReport one = sample::crashed_case();
  one.checks = {check_of_test("a[<&\">]", CheckStatus::fail, "assert 1 < 0"),
                check_of_test("b", CheckStatus::error, "boom"),
                check_of_test("c", CheckStatus::skipped, "no NPU"), check_of_test("d", CheckStatus::pass)};
  const Parsed parsed(sample::report({one}, 4));
  EXPECT_EQ(attribute(parsed.suite, "tests"), "1");
  EXPECT_EQ(attribute(parsed.root, "tests"), "5");
  EXPECT_EQ(attribute(parsed.root, "failures"), "1");
  EXPECT_EQ(attribute(parsed.root, "errors"), "2");
  const pugi::xml_node suite = parsed.suite.next_sibling("testsuite");
  EXPECT_EQ(attribute(suite, "name"), one.name);
  EXPECT_EQ(attribute(suite, "tests"), "4");
  EXPECT_EQ(attribute(suite, "failures"), "1");
  EXPECT_EQ(attribute(suite, "errors"), "1");
  EXPECT_EQ(attribute(suite, "skipped"), "1");
  const pugi::xml_node failed = suite.first_child();
  EXPECT_EQ(attribute(failed, "name"), "a[<&\">]");
  EXPECT_EQ(attribute(failed, "classname"), "tests.test_a");
  EXPECT_EQ(attribute(failed, "time"), "1.500");
  EXPECT_EQ(attribute(failed.child("failure"), "message"), "assert 1 < 0");
  EXPECT_STREQ(failed.child("failure").child_value(), "assert 1 < 0  tests/test_a.py:5");
  EXPECT_EQ(attribute(failed.next_sibling().child("error"), "message"), "boom");
  EXPECT_FALSE(suite.last_child().first_child()) << "a test that passed";
}

TEST(JUnit, TestsOfACaseInQuarantineAreSkipped) {
  CaseReport one = sample::crashed_case();
  one.quarantine = Quarantine{"2026-12-24", "known", "me"};
  one.checks = {check_of_test("a", CheckStatus::fail, "assert 0")};
  const Parsed parsed(sample::report({one}, 0));
  EXPECT_EQ(attribute(parsed.root, "failures"), "0");
  EXPECT_TRUE(parsed.suite.next_sibling("testsuite").first_child().child("skipped"));
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
