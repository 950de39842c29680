// What each type of setting reads and refuses, through #GATE, --set and TOML.
#include <gmock/gmock.h>

#include "policy_text.h"

namespace gate::config::values_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

Settings one(std::string key, std::string value) {
  return settings_of({.overrides = {set(std::move(key), std::move(value))}});
}

std::string refused(std::string key, std::string value) {
  return case_mistakes({.overrides = {set(std::move(key), std::move(value))}});
}

Settings in_case(const std::string& line) { return settings_of({.toml = "[case.a]\n" + line}); }

std::string refused_in_case(const std::string& line) { return mistakes("[case.a]\n" + line); }

TEST(Duration, IsReadWithItsUnit) {
  EXPECT_EQ(one("timeout", "90s").timeout, seconds(90));
  EXPECT_EQ(one("timeout", "1h30m").timeout, minutes(90));
  EXPECT_EQ(one("grace", "0s").grace, seconds(0));
  EXPECT_EQ(in_case("hang = '250ms'").hang, milliseconds(250));
}

TEST(Duration, WithoutAUnitIsRefused) {
  EXPECT_EQ(refused("timeout", "30"),
            "--set timeout: \"30\" is no duration such as \"30s\", \"30m\", \"2h\" or \"1h30m\"");
  EXPECT_EQ(refused_in_case("timeout = 30"),
            "gate.toml:2:11: 30 is no duration such as \"30s\", \"30m\", \"2h\" or \"1h30m\"");
  EXPECT_THAT(refused("timeout", "-5m"), testing::StartsWith("--set timeout: \"-5m\" is no duration"));
}

TEST(Duration, OfNothingIsNoLimit) {
  EXPECT_EQ(refused("hang", "0s"), "--set hang: the duration must be above 0");
}

TEST(Devices, AreACountAllOrAList) {
  EXPECT_EQ(one("devices", "8").devices, 8);
  EXPECT_EQ(one("devices", "0").devices, 0);
  EXPECT_EQ(one("devices", "all").devices, -1);
  EXPECT_EQ(one("devices", "auto").devices, std::nullopt);
  EXPECT_THAT(one("devices", "4,5,6").device_list, ElementsAre("4", "5", "6"));
  EXPECT_EQ(one("devices", "4,5,6").devices, 3);
  EXPECT_EQ(in_case("devices = 8").devices, 8);
  EXPECT_EQ(in_case("devices = 'all'").devices, -1);
  EXPECT_EQ(in_case("devices = [3]").devices, 1);
  EXPECT_THAT(in_case("devices = [3]").device_list, ElementsAre("3"));
}

TEST(NodesAndDevices, MayBeSaidInOneWord) {
  for (const char* key : {"nodes", "devices"}) {
    EXPECT_EQ(one(key, "2x8").nodes, 2) << key;
    EXPECT_EQ(one(key, "2x8").devices, 8) << key;
    EXPECT_EQ(one(key, "1x4").nodes, 1) << key;
    EXPECT_EQ(in_case(std::string(key) + " = '4x2'").nodes, 4) << key;
    EXPECT_EQ(in_case(std::string(key) + " = '4x2'").devices, 2) << key;
  }
  EXPECT_EQ(in_case("nodes = '4x2'\ndevices = 3").devices, 3);  // what is said last counts
  EXPECT_EQ(in_case("devices = 3\nnodes = '4x2'").devices, 2);
  EXPECT_EQ(in_case("devices = [4, 5]\nnodes = '4x2'").device_list, std::vector<std::string>());
}

TEST(NodesAndDevices, ThatAreNoneAreRefused) {
  for (const char* word : {"0x8", "2x0", "2x", "x8", "2x8x1", "-2x8", "2X8", "2 x 8", "0x10"}) {
    EXPECT_NE(refused("nodes", word), "") << word;
    EXPECT_NE(refused("devices", word), "") << word;
  }
}

TEST(Devices, ThatAreNoneAreRefused) {
  EXPECT_EQ(refused("devices", "-1"),
            "--set devices: \"-1\" is no number of devices; write a count, a list, all, or \"{env.NAME}\"");
  EXPECT_EQ(refused("devices", "many"),
            "--set devices: \"many\" is no number of devices; write a count, a list, all, or \"{env.NAME}\"");
  EXPECT_EQ(refused("devices", "1,1"), "--set devices: device 1 is listed twice");
  EXPECT_EQ(refused("devices", "1,b"), "--set devices: \"b\" is no device number");
  EXPECT_EQ(refused_in_case("devices = []"),
            "gate.toml:2:11: the list of devices is empty; write 0 for a case that runs on cpu");
}

TEST(Counts, AreWholeNumbersFromTheirLeast) {
  EXPECT_EQ(one("nodes", "2").nodes, 2);
  EXPECT_EQ(one("steps", "20").steps, 20);
  EXPECT_EQ(one("steps", "auto").steps, std::nullopt);
  EXPECT_EQ(one("sample", "0").sample, 0);
  EXPECT_EQ(refused("nodes", "0"), "--set nodes: \"0\" is below 1");
  EXPECT_EQ(refused("steps", "0"), "--set steps: \"0\" is below 1");
  EXPECT_EQ(refused("steps", "1.5"), "--set steps: \"1.5\" is no count, a whole number from 1 on");
  EXPECT_EQ(refused("sample", "5s"), "--set sample: \"5s\" is no count, a whole number from 0 on");
  EXPECT_EQ(refused("steps", "99999999999"), "--set steps: \"99999999999\" is above 1000000000");
  EXPECT_EQ(refused_in_case("nodes = true"), "gate.toml:2:9: true is no count, a whole number from 1 on");
  EXPECT_EQ(refused_in_case("nodes = '2'"), "gate.toml:2:9: \"2\" is no count, a whole number from 1 on");
}

TEST(Bools, AreTrueOrFalse) {
  EXPECT_TRUE(one("restarts", "true").restarts);
  EXPECT_EQ(one("share_host", "no").share_host, ShareHost::no);
  EXPECT_EQ(one("share_host", "auto").share_host, ShareHost::automatic);
  EXPECT_EQ(in_case("share_host = 'yes'").share_host, ShareHost::yes);
  EXPECT_EQ(refused("restarts", "yes"), "--set restarts: \"yes\" is neither true nor false");
  EXPECT_EQ(refused_in_case("restarts = 1"), "gate.toml:2:12: 1 is neither true nor false");
  EXPECT_EQ(refused_in_case("restarts = 'true'"), "gate.toml:2:12: \"true\" is neither true nor false");
}

TEST(Choices, AreOneOfTheirNames) {
  EXPECT_EQ(one("judge", "exit").judge, JudgeMode::exit);
  EXPECT_EQ(one("judge", "pytest").judge, JudgeMode::pytest);
  EXPECT_EQ(one("wait", "script").wait, Wait::script);
  EXPECT_EQ(one("early_stop", "on").early_stop, EarlyStop::on);
  EXPECT_EQ(one("early_stop", "off").early_stop, EarlyStop::off);
  EXPECT_EQ(refused("wait", "trea"), "--set wait: unknown wait \"trea\"; did you mean \"tree\"?");
  EXPECT_EQ(refused("early_stop", "maybe"),
            "--set early_stop: unknown early_stop \"maybe\"; known: auto, on, off");
  EXPECT_EQ(refused_in_case("early_stop = true"),
            "gate.toml:2:14: true is no early_stop; write one of: auto, on, off");
}

TEST(Attempt, IsLastFirstOrANumber) {
  EXPECT_EQ(one("attempt", "last").attempt.number, std::nullopt);
  EXPECT_TRUE(one("attempt", "last").attempt.said);
  EXPECT_FALSE(one("attempt", "auto").attempt.said);
  EXPECT_EQ(one("sources", "together").sources, extract::Sources::together);
  EXPECT_EQ(one("attempt", "first").attempt.number, 1);
  EXPECT_EQ(one("attempt", "3").attempt.number, 3);
  EXPECT_EQ(in_case("attempt = 2").attempt.number, 2);
  EXPECT_EQ(refused("attempt", "0"),
            "--set attempt: \"0\" is no attempt; write auto, last, first or a number from 1 on");
}

TEST(Lists, AreSeparatedByCommasOutsideOfToml) {
  EXPECT_THAT(one("tags", "tp,pp").tags, ElementsAre("tp", "pp"));
  EXPECT_THAT(one("tags", " tp , pp ").tags, ElementsAre("tp", "pp"));
  EXPECT_THAT(one("tags", "").tags, IsEmpty());
  EXPECT_EQ(refused("tags", "tp,,pp"), "--set tags: an item of the list is empty");
}

TEST(Lists, MayBeWrittenAsInTomlElsewhere) {
  EXPECT_THAT(one("tags", R"(["tensor,parallel is long", 'p"p',])").tags,
              ElementsAre("tensor,parallel is long", "p\"p"));
  EXPECT_THAT(one("tags", "[]").tags, IsEmpty());
  EXPECT_THAT(one("further", R"(["--load-from-there", "a b"])").further.words,
              ElementsAre("--load-from-there", "a b"));
  for (const char* text : {"[a", "[a,b]", "[\"a\"", "[\"a\" \"b\"]", R"(["a\\n"])"})
    EXPECT_THAT(one("further", text).further.words.front(), testing::StartsWith("[")) << text;
  EXPECT_EQ(refused("tags", R"(["a", ""])"), "--set tags: an item of the list is empty");
}

TEST(Lists, AreArraysInToml) {
  EXPECT_THAT(in_case("tags = ['tp', 'a b', 8]").tags, ElementsAre("tp", "a b", "8"));
  EXPECT_THAT(in_case("tags = 'tp'").tags, ElementsAre("tp"));
  EXPECT_THAT(in_case("artifacts = ['a,b/*.pt']").artifacts, ElementsAre("a,b/*.pt"));
  EXPECT_EQ(refused_in_case("tags = 'tp,pp'"),
            "gate.toml:2:8: \"tp,pp\" is one text; write a list such as [\"a\", \"b\"]");
  EXPECT_EQ(refused_in_case("tags = 8"), "gate.toml:2:8: 8 is no list of texts such as [\"a\", \"b\"]");
  EXPECT_EQ(refused_in_case("tags = [['a']]"),
            "gate.toml:2:8: a list of tables or lists is no list of texts such as [\"a\", \"b\"]");
  EXPECT_EQ(refused_in_case("tags = ['']"), "gate.toml:2:8: an item of the list is empty");
}

TEST(Platform, IsAnyOrGlobs) {
  EXPECT_THAT(one("platform", "ascend-*,cpu").platform, ElementsAre("ascend-*", "cpu"));
  EXPECT_THAT(one("platform", "any").platform, IsEmpty());
}

TEST(Formats, AreAutoOrKnownNames) {
  EXPECT_THAT(one("formats", "megatron").formats, ElementsAre("megatron"));
  EXPECT_THAT(one("formats", "auto").formats, IsEmpty());
  EXPECT_THAT(one("formats", "none").formats, ElementsAre("none"));
  EXPECT_EQ(refused("formats", "none,megatron"), "--set formats: \"none\" stands alone");
  EXPECT_EQ(refused("formats", "megatorn"),
            "--set formats: unknown format \"megatorn\"; did you mean \"megatron\"?");
}

TEST(Log, MayHoldTheRank) {
  EXPECT_THAT(one("log", "out/rank{rank}/*.log").log, ElementsAre("out/rank{rank}/*.log"));
  EXPECT_EQ(refused("log", "out/{rnak}.log"),
            "--set log: unknown placeholder \"{rnak}\"; did you mean \"{rank}\"?");
}

TEST(Environment, IsATable) {
  EXPECT_THAT(in_case("env = { A = 'x y', N = 8, B = true }").env,
              ElementsAre(Pair("A", "x y"), Pair("B", "true"), Pair("N", "8")));
  EXPECT_EQ(refused_in_case("env = 'A=1'"),
            "gate.toml:2:7: \"A=1\" is no table of variables such as { NAME = \"value\" }");
  EXPECT_EQ(refused_in_case("env = { A = 1.5 }"), "gate.toml:2:13: 1.5 is no text; write it in quotes");
  EXPECT_EQ(refused_in_case("env = { '1A' = 'x' }"), "gate.toml:2:16: \"1A\" is no name of a variable");
  EXPECT_EQ(refused_in_case(R"(env = { A = "x\u0000y" })"), "gate.toml:2:13: the text holds a NUL byte");
}

TEST(Environment, IsSetByVariableOnTheCommandLine) {
  EXPECT_THAT(one("env.A", "1,2=3").env, ElementsAre(Pair("A", "1,2=3")));
  EXPECT_THAT(one("env", "A=1,B=x=y").env, ElementsAre(Pair("A", "1"), Pair("B", "x=y")));
  EXPECT_EQ(refused("env", "A"), "--set env: \"A\" is no NAME=VALUE");
  EXPECT_EQ(refused("env.a-b", "1"), "--set env.a-b: \"a-b\" is no name of a variable");
}

TEST(Texts, AreTakenAsTheyAre) {
  EXPECT_EQ(one("setup", "source env.sh; echo \"a, b\"").setup, "source env.sh; echo \"a, b\"");
  EXPECT_EQ(in_case("owner = '张伟'").owner, "张伟");
  EXPECT_EQ(refused_in_case("owner = 8"), "gate.toml:2:9: 8 is no text; write it in quotes");
  EXPECT_EQ(refused_in_case("owner = 2026-01-02"),
            "gate.toml:2:9: 2026-01-02 is no text; write it in quotes");
}

TEST(Profile, IsOneThatThisVersionKnows) {
  EXPECT_EQ(one("profile", "gate").profile, "gate");
  EXPECT_EQ(one("shadow", "gate").shadow, "gate");
  EXPECT_EQ(one("shadow", "none").shadow, "");
  EXPECT_EQ(one("shadow", "megatron").shadow, "megatron");
  EXPECT_EQ(
      refused("profile", "strictest"),
      "--set profile: unknown profile \"strictest\"; known: gate, modellink, mindspeed-llm, mindspeed-mm, "
      "megatron");
}

}  // namespace
}  // namespace gate::config::values_test
