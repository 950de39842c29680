#include "gate/config/host_settings.h"

#include <gmock/gmock.h>

#include "gate/config/settings.h"
#include "policy_text.h"

namespace gate::config::hosts_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

using Words = std::vector<std::string>;

constexpr std::string_view farm = "[hosts]\nnpu = ['npu1', 'npu2']\ncpu = 'build'\nall = ['local', 'npu1']\n";

// The hosts that the words mean on the farm, by blanks; or why not.
std::string chosen(const Words& words, std::string_view toml = farm) {
  const Result<Words> hosts = hosts_of(policy(toml).hosts(), words);
  if (!hosts) return hosts.error().message;
  std::string out;
  for (const std::string& host : *hosts) out += (out.empty() ? "" : " ") + host;
  return out;
}

// The mistakes of a group of this one name.
std::string group_of(const std::string& host) { return mistakes("[hosts]\nx = [\"" + host + "\"]\n"); }

TEST(Hosts, HaveTheBuiltInValues) {
  const HostSettings hosts = policy("").hosts();
  EXPECT_THAT(hosts.groups, IsEmpty());
  EXPECT_EQ(hosts.ssh, "ssh");
  EXPECT_EQ(hosts.lost_after, seconds(60));
  EXPECT_FALSE(hosts.sync);
  EXPECT_EQ(policy("[hosts]\n").hosts().ssh, HostSettings().ssh);
  EXPECT_EQ(policy("[hosts]\n").hosts().lost_after, HostSettings().lost_after);
}

TEST(Hosts, HaveWhatIsSaid) {
  const HostSettings hosts = policy(
                                 "[hosts]\nssh = 'ssh -F ci/ssh_config'\nlost_after = '1m30s'\nnpu = "
                                 "['npu1', 'me@npu2']\none = 'a'\n")
                                 .hosts();
  EXPECT_EQ(hosts.ssh, "ssh -F ci/ssh_config");
  EXPECT_EQ(hosts.lost_after, seconds(90));
  EXPECT_THAT(hosts.groups, UnorderedElementsAre(Pair("npu", ElementsAre("npu1", "me@npu2")),
                                                 Pair("one", ElementsAre("a"))));
  EXPECT_TRUE(policy("[hosts]\nsync = true\n").hosts().sync);
  EXPECT_EQ(policy("[hosts]\nlost_after = '1s'\n").hosts().lost_after, milliseconds(1000));
}

TEST(Hosts, TableHoldsTheOptions) {
  std::vector<std::string_view> keys;
  for (const SettingRow& row : host_keys()) keys.push_back(row.key);
  EXPECT_THAT(keys, ElementsAre("ssh", "lost_after", "sync"));
}

TEST(Hosts, HaveNamesAsSshKnowsThem) {
  for (const char* name : {"npu1", "a", "1", "root@npu1", "a.b-c_d", "10.0.0.1", "[::1]", "fe80::1%eth0",
                           "::1", "u-x@[fe80::1%25eth0]", "npu1-", "local", "me@local"})
    EXPECT_EQ(group_of(name), "") << name;
  EXPECT_EQ(group_of(std::string(255, 'a')), "");
}

TEST(Hosts, AreWhatTheWordsMeanInTheirOrder) {
  EXPECT_EQ(chosen({}), "local");
  EXPECT_EQ(chosen({"local"}), "local");
  EXPECT_EQ(chosen({"npu"}), "npu1 npu2");
  EXPECT_EQ(chosen({"npu2", "npu"}), "npu2 npu1");
  EXPECT_EQ(chosen({"all", "npu", "build", "cpu", "local"}), "local npu1 npu2 build");
  EXPECT_EQ(chosen({"x", "root@y", "local", "x"}, ""), "x root@y local");
  EXPECT_EQ(chosen({"x"}, "[hosts]\nssh = 'ssh -4'\n"), "x");
  EXPECT_EQ(chosen({"one"}, "[hosts]\none = ['one']\n"), "one");
}

TEST(Hosts, OfAWordMustBeKnown) {
  EXPECT_EQ(chosen({"npu", "npv"}), "unknown host \"npv\"; did you mean \"npu\"?");
  EXPECT_EQ(chosen({"bulid"}), "unknown host \"bulid\"; did you mean \"build\"?");
  EXPECT_EQ(chosen({"sparc"}), "unknown host \"sparc\"; known: all, cpu, npu, local, npu1, build, npu2");
  EXPECT_EQ(chosen({"buil"}), "unknown host \"buil\"; did you mean \"build\"?");
  EXPECT_EQ(chosen({"NPU1"}), "unknown host \"NPU1\"; did you mean \"npu1\"?");
  EXPECT_THAT(chosen({"-oProxyCommand=x"}), HasSubstr("is no name of a host"));
  EXPECT_THAT(chosen({"-x"}, ""), HasSubstr("begins with a dash"));
  EXPECT_THAT(chosen({""}), "the name of a host is empty");
  EXPECT_THAT(chosen({std::string("a\0b", 3)}, ""), HasSubstr("\"a\\x00b\" is no name of a host"));
  std::string many = "[hosts]\n";
  for (int i = 0; i < 100; ++i) many += "group" + std::to_string(i) + " = 'h" + std::to_string(i) + "'\n";
  EXPECT_THAT(chosen({"elsewhere"}, many), HasSubstr("and 189 more"));
}

constexpr const char* no_name =
    " is no name of a host; write [user@]host as ~/.ssh/config knows it, of letters, digits and "
    ". _ - : % @ [ ] alone";

struct Refused {
  std::string host;  // as in a text of TOML
  std::string why;
};

TEST(HostMistakes, OfNamesThatSshOrAShellMightObey) {
  const std::string dash = " begins with a dash, as an option of ssh does; write [user@]host";
  const std::string nothing = " names no host: it has neither letter nor digit";
  const std::vector<Refused> all{
      {"-", "\"-\"" + dash},
      {"-l", "\"-l\"" + dash},
      {"-oProxyCommand", "\"-oProxyCommand\"" + dash},
      {"-oProxyCommand=x", "\"-oProxyCommand=x\"" + std::string(no_name)},
      {"-u@host", "\"-u@host\"" + dash},
      {"u@-host", "\"u@-host\"" + dash},
      {"a b", "\"a b\"" + std::string(no_name)},
      {" a", "\" a\"" + std::string(no_name)},
      {"a\\t", "\"a \"" + std::string(no_name)},
      {"a\\nb", "\"a\\x0ab\"" + std::string(no_name)},
      {"a\\r", "\"a\\x0d\"" + std::string(no_name)},
      {"\\u001b[31m", "\"\\x1b[31m\"" + std::string(no_name)},
      {"a\\u007f", "\"a\\x7f\"" + std::string(no_name)},
      {"$(reboot)", "\"$(reboot)\"" + std::string(no_name)},
      {"`id`", "\"`id`\"" + std::string(no_name)},
      {"${HOME}", "\"${HOME}\"" + std::string(no_name)},
      {"a;b", "\"a;b\"" + std::string(no_name)},
      {"a|b", "\"a|b\"" + std::string(no_name)},
      {"a&b", "\"a&b\"" + std::string(no_name)},
      {"a>b", "\"a>b\"" + std::string(no_name)},
      {"a'b", "\"a'b\"" + std::string(no_name)},
      {"a\\\"b", "\"a\"b\"" + std::string(no_name)},
      {"a\\\\b", "\"a\\b\"" + std::string(no_name)},
      {"a/b", "\"a/b\"" + std::string(no_name)},
      {"../a", "\"../a\"" + std::string(no_name)},
      {"ssh://a", "\"ssh://a\"" + std::string(no_name)},
      {"a,b", "\"a,b\"" + std::string(no_name)},
      {"a*", "\"a*\"" + std::string(no_name)},
      {"~a", "\"~a\"" + std::string(no_name)},
      {"a=b", "\"a=b\"" + std::string(no_name)},
      {"#a", "\"#a\"" + std::string(no_name)},
      {"n\u00e9", "\"n\u00e9\"" + std::string(no_name)},
      {"..", "\"..\"" + nothing},
      {".", "\".\"" + nothing},
      {"a@", "\"a@\"" + nothing},
      {"a@..", "\"a@..\"" + nothing},
      {"@", "\"@\" has no user before the @"},
      {"@a", "\"@a\" has no user before the @"},
      {"a@b@c", "\"a@b@c\" holds two @; write user@host"},
      {"", "an item of the list is empty"},
      {" ", "an item of the list is empty"},
      {"a\\u0000b", "an item of the list holds a NUL byte"},
      {std::string(256, 'a'),
       "\"" + std::string(80, 'a') + "...\" is longer than the 255 characters of a host's name"},
  };
  for (const Refused& one : all) EXPECT_EQ(group_of(one.host), "gate.toml:2:5: " + one.why) << one.host;
}

TEST(HostMistakes, OfGroups) {
  EXPECT_EQ(mistakes("[hosts]\nx = ['a', 'b', 'a']\n"),
            "gate.toml:2:5: a is twice in the group; name it once");
  EXPECT_EQ(mistakes("[hosts]\nx = []\n"),
            "gate.toml:2:5: the group has no host; name one, or leave the group out");
  EXPECT_EQ(mistakes("[hosts]\nx = 'a,b'\n"),
            "gate.toml:2:5: \"a,b\" is one text; write a list such as [\"a\", \"b\"]");
  EXPECT_EQ(mistakes("[hosts]\nx = 1\n"), "gate.toml:2:5: 1 is no list of texts such as [\"a\", \"b\"]");
  EXPECT_EQ(mistakes("[hosts.x]\ny = 1\n"),
            "gate.toml:1:1: a table is no list of texts such as [\"a\", \"b\"]");
  EXPECT_EQ(mistakes("hosts = 'a'\n"), "gate.toml:1:9: [hosts] is a table of keys, not \"a\"");
}

TEST(HostMistakes, OfNamesOfGroups) {
  EXPECT_EQ(mistakes("[hosts]\nlocal = 'a'\n"),
            "gate.toml:2:1: \"local\" is the host that gate runs on; give the group another name");
  for (const char* name : {"a b", "", "a=b", "a,b", "\\u001b"})
    EXPECT_THAT(mistakes("[hosts]\n\"" + std::string(name) + "\" = 'a'\n"),
                HasSubstr("is no name; write one without blanks, commas and ="))
        << name;
  EXPECT_EQ(mistakes("[hosts]\nnpu = ['a', 'b']\nb = ['c']\n"),
            "gate.toml:3:1: \"b\" is a host of \"npu\", too; give the group another name");
  EXPECT_EQ(mistakes("[hosts]\nb = ['b', 'c']\n"),
            "gate.toml:2:1: \"b\" is a host of \"b\", too; give the group another name");
}

TEST(HostMistakes, OfOptions) {
  EXPECT_EQ(mistakes("[hosts]\nssh = ''\n"), "gate.toml:2:7: the text is empty");
  EXPECT_EQ(mistakes("[hosts]\nssh = ['ssh']\n"), "gate.toml:2:7: a list is no text; write it in quotes");
  EXPECT_EQ(mistakes("[hosts]\nlost_after = '999ms'\n"), "gate.toml:2:14: \"999ms\" is below 1s");
  EXPECT_NE(mistakes("[hosts]\nsync = 'npu'\n"), "");
  EXPECT_EQ(mistakes("[hosts]\nlost_after = 60\n"),
            "gate.toml:2:14: 60 is no duration such as \"30s\", \"30m\", \"2h\" or \"1h30m\"");
  EXPECT_EQ(mistakes("[hosts]\nlost_afte = '60s'\n"),
            "gate.toml:2:1: \"lost_afte\" is no option; did you mean \"lost_after\"? A group of one host is "
            "written as a list: [\"host\"]");
  EXPECT_EQ(mistakes("[hosts]\nssd = ['a']\nlost_hosts = 'b'\n"), "");
}

TEST(HostsSetting, MayStandInEveryLayer) {
  const std::string toml(farm);
  EXPECT_THAT(settings_of({.toml = toml + "[defaults]\nhosts = 'npu'\n"}).hosts, ElementsAre("npu"));
  EXPECT_THAT(settings_of({.toml = toml, .script_text = "#GATE hosts=npu1,cpu"}).hosts,
              ElementsAre("npu1", "cpu"));
  EXPECT_THAT(settings_of({.toml = toml + "[case.a]\nhosts = ['npu', 'local']\n"}).hosts,
              ElementsAre("npu", "local"));
  EXPECT_THAT(
      settings_of({.toml = toml + "[case.a]\nhosts = 'npu'\n", .overrides = {set("hosts", "build,npu2")}})
          .hosts,
      ElementsAre("build", "npu2"));
  EXPECT_THAT(settings_of({.toml = "[defaults]\nhosts = 'anywhere'\n"}).hosts, ElementsAre("anywhere"));
  EXPECT_EQ(explain(resolve({.toml = toml, .script_text = "#GATE hosts=npu1,cpu"}), "hosts"),
            "hosts = npu1,cpu (scripts/a.sh:1:7 #GATE)");
}

TEST(HostsSetting, NamesWhatHostsKnows) {
  const std::string toml(farm);
  const std::string why = "unknown host \"npv\"; did you mean \"npu\"?";
  EXPECT_EQ(mistakes(toml + "[defaults]\nhosts = 'npv'\n"), "gate.toml:6:9: " + why);
  EXPECT_EQ(mistakes("[case.a]\nhosts = ['npv']\n" + toml), "gate.toml:2:9: " + why);
  EXPECT_EQ(case_mistakes({.toml = toml, .script_text = "#GATE devices=1 hosts=npu,npv"}),
            "scripts/a.sh:1:23: " + why);
  EXPECT_EQ(case_mistakes({.toml = toml, .overrides = {{"hosts", "npv", "--hosts"}}}), "--hosts: " + why);
  EXPECT_EQ(case_mistakes({.toml = toml, .overrides = {set("hosts", "npv")}}), "--set hosts: " + why);
  EXPECT_THAT(case_mistakes({.overrides = {set("hosts", "$(id)")}}), HasSubstr("is no name of a host"));
  EXPECT_THAT(mistakes("[defaults]\nhosts = '-x'\n"), HasSubstr("gate.toml:2:9: \"-x\" begins with a dash"));
  EXPECT_EQ(
      mistakes("[suite]\nhosts = 'a'\n"),
      "gate.toml:2:1: hosts cannot be set in [suite]; set it in [defaults], #GATE, [case.\"GLOB\"], --set");
}

TEST(HostsSetting, IsNotBlamedForMistakesOfHosts) {
  EXPECT_EQ(mistakes("[hosts]\nnpu = ['a b']\n[defaults]\nhosts = 'cpu'\n"),
            "gate.toml:2:7: \"a b\"" + std::string(no_name));
}

}  // namespace
}  // namespace gate::config::hosts_test
