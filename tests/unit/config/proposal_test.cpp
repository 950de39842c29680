#include "gate/config/proposal.h"

#include <gmock/gmock.h>

#include "gate/config/policy.h"

namespace gate::config::proposal_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Return the devices of the case under the proposal's text, `auto` where it has none, or what is wrong.
std::string devices_of(const Proposal& proposal, const std::string& name) {
  const auto policy = Policy::parse(gate_toml(proposal), "gate.toml");
  if (!policy) return to_string(policy.error());
  const auto resolved = policy->resolve({name, "scripts/" + name + ".sh", "", {}});
  if (!resolved) return to_string(resolved.error());
  const auto& devices = resolved->settings.devices;
  return devices ? std::to_string(*devices) : "auto";
}

TEST(Proposal, HasTheCommonestDevicesForAllAndTheOthersByName) {
  Proposal proposal;
  proposal.all = {
      {"a", "8", 1, {}}, {"b", "4", 1, {}}, {"c", "8", 1, {}}, {"d", "", 1, {}}, {"e[1]", "\"all\"", 1, {}}};
  EXPECT_EQ(devices_of(proposal, "a"), "8");
  EXPECT_EQ(devices_of(proposal, "b"), "4");
  EXPECT_EQ(devices_of(proposal, "d"), "auto");
  EXPECT_EQ(devices_of(proposal, "e[1]"), "-1");
  EXPECT_THAT(gate_toml(proposal), Not(HasSubstr("case.\"c\"")));
}

// A test that says nothing of devices may be given its own line, and so may one that is written later.
TEST(Proposal, LeavesAGroupWithoutKnownDevicesToItsScripts) {
  Proposal proposal;
  proposal.groups = {{"st", {"st/**.sh"}, "", "", ""}, {"ut", {"ut/**.py"}, "", "", "pytest"}};
  proposal.all = {{"st/a", "8", 1, {}}, {"st/b", "4", 1, {}}, {"st/c", "8", 1, {}}, {"ut/a", "", 1, {}}};
  EXPECT_EQ(devices_of(proposal, "st/a"), "8");
  EXPECT_EQ(devices_of(proposal, "st/b"), "4");
  EXPECT_EQ(devices_of(proposal, "st/new"), "8");
  EXPECT_EQ(devices_of(proposal, "ut/a"), "auto");
  EXPECT_EQ(devices_of(proposal, "ut/new"), "auto");
  EXPECT_THAT(gate_toml(proposal), Not(HasSubstr("case.\"ut")));
  proposal.all.push_back({"ut/b", "8", 1, {}});  // a case of each group has one now
  EXPECT_THAT(gate_toml(proposal), HasSubstr("[case.\"**\"]\ndevices = 8\n"));
  EXPECT_EQ(devices_of(proposal, "ut/a"), "auto");
}

TEST(Proposal, LetsAScriptOverruleTheDevicesOfAll) {
  Proposal proposal;
  proposal.formats = {"megatron"};
  proposal.all = {{"a", "8", 1, {}}, {"b", "4", 1, {}}, {"c", "8", 1, {}}};
  EXPECT_EQ(devices_of(proposal, "a"), "8");
  EXPECT_EQ(devices_of(proposal, "b"), "4");
  EXPECT_THAT(gate_toml(proposal), HasSubstr("[defaults]\ndevices = 8\nformats = [\"megatron\"]\n"));
}

TEST(Proposal, SaysNothingOfDevicesThatNobodyKnows) {
  Proposal proposal;
  proposal.all = {{"a", "", 1, {}}};
  EXPECT_THAT(gate_toml(proposal), Not(HasSubstr("devices =")));
}

TEST(Proposal, WritesSeveralGlobsOfCases) {
  Proposal proposal;
  proposal.groups = {{"", {"a/[\"]/x.py", "b/*/y.py"}, "", "run {script}", "", "", "{suite}"}};
  const auto policy = Policy::parse(gate_toml(proposal), "gate.toml");
  ASSERT_TRUE(policy) << to_string(policy.error());
  EXPECT_EQ(policy->groups().front().cases, (std::vector<std::string>{"a/[\"]/x.py", "b/*/y.py"}));
  EXPECT_EQ(policy->groups().front().cwd, "{suite}");
  EXPECT_THAT(gate_toml(proposal), Not(HasSubstr("# cwd")));
}

TEST(Proposal, AlignsPurposesBehindCommands) {
  const Sentence purpose = say({"the cases", "用例"});
  EXPECT_EQ((NextCommand{"gate list", purpose}.line().in(Language::chinese)),
            "gate list                    用例");
  EXPECT_EQ((NextCommand{"gate check NEW.log --baseline old.log", purpose}.line()),
            "gate check NEW.log --baseline old.log   the cases");
}

TEST(Proposal, KeepsWhatWouldNotLoadInComments) {
  Proposal proposal;
  proposal.name = "my \"suite\" \\";
  proposal.groups = {{"", {"scripts/**.sh"}, "", "", ""}};
  proposal.profile = "modellink";
  proposal.untold = {"first\nsecond \x01"};
  proposal.next = {{"gate list", say({"the cases", "用例"})}, {"gate run"}};
  proposal.all = {{"a", "8", 2, {{"lm_loss", "0.02"}}}, {"bad\x01name", "4", 1, {}}};
  const std::string toml = gate_toml(proposal);
  EXPECT_EQ(devices_of(proposal, "a"), "8") << toml;
  EXPECT_EQ(Policy::parse(toml, "gate.toml")->name(), "my \"suite\" \\");
  EXPECT_THAT(toml, HasSubstr("# - first\n# second \\x01\n"));
  EXPECT_THAT(toml, HasSubstr("#   gate list                    the cases\n#   gate run\n"));
  EXPECT_THAT(toml, HasSubstr("# [case.\"a\"]\n# nodes = 2\n"));
  EXPECT_THAT(toml, HasSubstr("# [case.\"a\".rules]\n# lm_loss.tolerance = \"±2%\"\n"));
  EXPECT_THAT(toml, HasSubstr("profile = \"modellink\"\nshadow = \"gate\"\n"));
}

}  // namespace
}  // namespace gate::config::proposal_test
