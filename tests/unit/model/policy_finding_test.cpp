#include "gate/model/rules/policy_finding.h"

#include <gtest/gtest.h>

#include "gate/model/rules/grammar.h"

namespace gate::policy_finding_test {
namespace {

std::string shift(std::string_view before, std::string_view after) {
  return std::string(to_string(shift_of(*parse_tolerance(before), *parse_tolerance(after))));
}

TEST(PolicyFindings, HaveAPlaceWhereTheTreeHasOne) {
  const auto place = [](PolicyArea area, PolicyShift shift, const char* subject, const char* where) {
    const FindingPlace found = PolicyFinding{area, shift, subject, "", "", where, {}}.place();
    return found.file + ":" + std::to_string(found.line);
  };
  using enum PolicyArea;
  EXPECT_EQ(place(rule, PolicyShift::loosened, "rules.a.tolerance", "gate.toml:14:13"), "gate.toml:14");
  EXPECT_EQ(place(script, PolicyShift::added, "a", "scripts/a:b.sh"), "scripts/a:b.sh:0");
  EXPECT_EQ(place(baseline, PolicyShift::changed, "baselines/a.json", ""), "baselines/a.json:0");
  EXPECT_EQ(place(baseline, PolicyShift::removed, "baselines/a.json", ""), ":0");
  EXPECT_EQ(place(gate_toml, PolicyShift::changed, "gate.toml", ""), "gate.toml:0");
  EXPECT_EQ(place(command, PolicyShift::added, "--set grace", ""), ":0");
}

TEST(PolicyShift, SaysWhichWayAToleranceMoved) {
  EXPECT_EQ(shift("±0.01", "±0.5"), "loosened");
  EXPECT_EQ(shift("±0.5", "±0.01"), "tightened");
  EXPECT_EQ(shift("-5%", "-10%"), "loosened");
  EXPECT_EQ(shift("±5%", "-5%"), "loosened");
  EXPECT_EQ(shift("exact", "±0.01"), "loosened");
  EXPECT_EQ(shift(">= 0.75", ">= 0.5"), "loosened");
  EXPECT_EQ(shift("<= 5000", "<= 4000"), "tightened");
  EXPECT_EQ(shift("> 0.75", ">= 0.75"), "loosened");
  EXPECT_EQ(shift(">= 0.75", "> 0.75"), "tightened");
  EXPECT_EQ(shift(">= 0.75", "> 0.7499"), "loosened");
  EXPECT_EQ(shift("> 0.5", "> 0.75"), "tightened");
  EXPECT_EQ(shift("< 5", "<= 4.99"), "tightened");
  EXPECT_EQ(shift("<= 5", "< 5"), "tightened");
  EXPECT_EQ(shift("== 0", ">= 0"), "loosened");
  EXPECT_EQ(shift("!= 0", "> 0"), "tightened");
  EXPECT_EQ(shift("== 1", "!= 0"), "loosened");
  EXPECT_EQ(shift("< 0", "!= 0"), "loosened");
  EXPECT_EQ(shift("±0.01", "±0.01 or ±1%"), "loosened");
  EXPECT_EQ(shift("±0.01", "±0.01 and ±1%"), "tightened");
  EXPECT_EQ(shift("±0.01 and ±1%", "±0.01"), "loosened");
}

TEST(PolicyShift, WhatCannotBeToldIsChanged) {
  EXPECT_EQ(shift("±0.01", "±1%"), "changed");
  EXPECT_EQ(shift("-5%", "+5%"), "changed");
  EXPECT_EQ(shift("±0.01 or ±1%", "±0.1"), "changed");
  EXPECT_EQ(shift("== 0", "exact"), "changed");
  EXPECT_EQ(shift("!= 0", "!= 1"), "changed");
  EXPECT_EQ(shift("> 0", "!= 1"), "changed");
  EXPECT_EQ(shift("== 0", "> 0"), "changed");
  EXPECT_EQ(shift(">= 0", "<= 0"), "changed");
}

TEST(PolicyFindings, WhatIsSaidOfSeveralCasesAlikeIsOne) {
  std::vector<PolicyFinding> all;
  const auto add = [&](const char* subject, const char* after, std::vector<std::string> cases) {
    add_finding(all,
                {PolicyArea::rule, PolicyShift::loosened, subject, "exact", after, "", std::move(cases)});
  };
  add("rules.a", "±1", {"x"});
  add("rules.a", "±1", {"y", "x"});
  add("rules.a", "±2", {"x"});
  add("rules.b", "±1", {});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].cases, (std::vector<std::string>{"x", "y"}));
}

TEST(PolicyShift, NamesAreReadBack) {
  for (int i = 0; i < 9; ++i)
    EXPECT_EQ(parse_policy_area(to_string(static_cast<PolicyArea>(i))), static_cast<PolicyArea>(i));
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(parse_policy_shift(to_string(static_cast<PolicyShift>(i))), static_cast<PolicyShift>(i));
  EXPECT_FALSE(parse_policy_area("gate"));
}

}  // namespace
}  // namespace gate::policy_finding_test
