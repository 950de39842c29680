// What is told for all platforms, or by globs of them: data that cases need, their size and environments.
#include <gmock/gmock.h>

#include "policy_text.h"

namespace gate::config::data_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* toml = R"([defaults]
data_dir = { any = "/data/gpu", "ascend-*" = "/data/npu", "ascend-910b3" = "/data/910b3" }
needs = { any = ["tokens", "/etc/hosts"], "ascend-*" = ["om/x"], "nvidia-*" = ["tokens", "cubin"] }
)";

TEST(Data, TheMostSpecificFolderCounts) {
  const Settings s = settings_of({toml});
  EXPECT_EQ(data_dir_on(s, "nvidia-h100"), "/data/gpu");
  EXPECT_EQ(data_dir_on(s, "ascend-910a"), "/data/npu");
  EXPECT_EQ(data_dir_on(s, "ascend-910b3"), "/data/910b3");
  const Settings globs =
      settings_of({"[defaults]\ndata_dir = { \"*\" = \"a\", \"asc*\" = \"b\", \"ascend-?\" = \"c\" }\n"});
  EXPECT_EQ(data_dir_on(globs, "cpu"), "a");
  EXPECT_EQ(data_dir_on(globs, "ascend-9"), "c");
  EXPECT_EQ(data_dir_on(globs, "ascend-910"), "b");
  const Settings named =
      settings_of({"[defaults]\ndata_dir = { any = \"a\", \"910?\" = \"b\", 910b = \"c\" }\n"});
  EXPECT_EQ(data_dir_on(named, "910b"), "c");
  EXPECT_EQ(data_dir_on(named, "910a"), "b");
  EXPECT_EQ(data_dir_on({}, "cpu"), "");
}

TEST(Data, AllNeedsThatMatchAreNeededBelowTheFolder) {
  const Settings s = settings_of({toml});
  EXPECT_THAT(needs_on(s, "nvidia-h100"),
              ElementsAre("/data/gpu", "/data/gpu/tokens", "/etc/hosts", "/data/gpu/cubin"));
  EXPECT_THAT(needs_on(s, "ascend-910b3"),
              ElementsAre("/data/910b3", "/data/910b3/tokens", "/etc/hosts", "/data/910b3/om/x"));
  EXPECT_THAT(needs_on(header("#GATE needs=a,b/c"), "cpu"), ElementsAre("a", "b/c"));
  EXPECT_THAT(needs_on({}, "cpu"), IsEmpty());
}

TEST(Data, EachPartIsAKeyOfItsOwnInEveryLayer) {
  const ExplainedCase a =
      resolve({.toml = std::string(toml) + "[case.a]\nneeds = []\ndata_dir.any = \"/own\"\n",
               .script_text = "#GATE needs.ascend-*=/npu/y data_dir.cpu=/cpu",
               .overrides = {set("needs.nvidia-*", ""), set("data_dir.any", "")}});
  EXPECT_THAT(needs_on(a.settings, "ascend-910a"), ElementsAre("/data/npu", "/npu/y"));
  EXPECT_THAT(needs_on(a.settings, "nvidia-h100"), IsEmpty());
  EXPECT_EQ(data_dir_on(a.settings, "cpu"), "/cpu");
  EXPECT_EQ(explain(a, "needs"), "needs =  (gate.toml:5:9)");
  EXPECT_EQ(explain(a, "needs.ascend-*"), "needs.ascend-* = /npu/y (scripts/a.sh:1:7 #GATE)");
  EXPECT_EQ(explain(a, "data_dir"), "data_dir =  (--set)");
  EXPECT_EQ(explain(a, "data_dir.ascend-910b3"), "data_dir.ascend-910b3 = /data/910b3 (gate.toml:2:76)");
}

std::string size(const Settings& settings, const std::string& platform) {
  const Size size = size_on(settings, platform);
  return std::to_string(size.nodes) + "x" + (size.devices ? std::to_string(*size.devices) : "auto") +
         (size.device_list.empty() ? "" : " listed");
}

TEST(Size, TheMostSpecificPlatformCounts) {
  const Settings s =
      settings_of({"[defaults]\ndevices = { any = [0, 1], 'nvidia-*' = '1x8', nvidia-gb200 = '2x4', cpu = 0, "
                   "amd-1 = 'auto' }\n"});
  EXPECT_EQ(size(s, "nvidia-h100"), "1x8");
  EXPECT_EQ(size(s, "nvidia-gb200"), "2x4");
  EXPECT_EQ(size(s, "cpu"), "1x0");
  EXPECT_EQ(size(s, "amd-1"), "1xauto");
  EXPECT_EQ(size(s, "ascend-910b3"), "1x2 listed");
  EXPECT_EQ(size(s, ""), "1x2 listed");
  EXPECT_EQ(size(settings_of({"[case.a]\nnodes = { any = 3, 'nvidia-*' = 2 }\ndevices.nvidia-h100 = 8\n"}),
                 "nvidia-h100"),
            "2x8");
}

TEST(Size, WhatALaterLayerSaysOfAllTakesThePlaceOfWhatOthersSayOfSome) {
  const std::string toml = "[defaults]\ndevices = { any = 8, nvidia-gb200 = '2x4' }\n";
  EXPECT_EQ(size(settings_of({toml + "[case.a]\ndevices = 1\n"}), "nvidia-gb200"), "2x1");
  EXPECT_EQ(size(settings_of({toml + "[case.a]\ndevices = '1x1'\n"}), "nvidia-gb200"), "1x1");
  EXPECT_EQ(size(settings_of({toml + "[case.a]\nnodes = 1\n"}), "nvidia-gb200"), "1x4");
  EXPECT_EQ(size(settings_of({toml + "[case.a]\ndevices = { nvidia-gb200 = '4x4', any = '1x8' }\n"}),
                 "nvidia-gb200"),
            "4x4")
      << "what one layer says of all and of some holds together";
  EXPECT_EQ(size(resolve({.toml = toml, .overrides = {set("devices", "3")}}).settings, "nvidia-gb200"),
            "2x3");
  EXPECT_EQ(
      size(resolve({.toml = toml, .overrides = {set("devices.nvidia-*", "3")}}).settings, "nvidia-gb200"),
      "2x4");
  EXPECT_EQ(
      size(resolve({.toml = toml, .script_text = "#GATE devices.nvidia-gb200=1x2"}).settings, "nvidia-gb200"),
      "1x2");
}

TEST(Size, MistakesStandAtTheirPlaces) {
  EXPECT_EQ(mistakes("[defaults]\ndevices = { cpu = [0, 1] }\n"),
            "gate.toml:2:19: a list of devices is for all platforms; write a count or all");
  EXPECT_EQ(mistakes("[case.a]\nnodes = { cpu = 0 }\n").substr(0, 16), "gate.toml:2:17: ");
  EXPECT_EQ(mistakes("[defaults]\ndevices = { \"a b\" = 1 }\n").substr(0, 16), "gate.toml:2:21: ");
}

TEST(Environments, AreThoseOfTheMostSpecificPlatform) {
  const Settings s =
      settings_of({"[case.a]\nenvironment = { any = 'dev', nvidia-a100 = ['lts', 'dev*'], cpu = 'any' "
                   "}\nskip = 'why'\n"});
  EXPECT_THAT(environments_on(s, "nvidia-h100"), ElementsAre("dev"));
  EXPECT_THAT(environments_on(s, "nvidia-a100"), ElementsAre("lts", "dev*"));
  EXPECT_THAT(environments_on(s, "cpu"), IsEmpty());
  EXPECT_THAT(environments_on({}, "cpu"), IsEmpty());
  EXPECT_EQ(s.skip, "why");
  EXPECT_NE(header_mistakes("#GATE skip=x"), "") << "a script is not to skip itself";
}

TEST(Data, MistakesStandAtTheirPlaces) {
  EXPECT_EQ(mistakes("[defaults]\nneeds = { any = 3 }\n"),
            "gate.toml:2:17: 3 is no list of texts such as [\"a\", \"b\"]");
  EXPECT_EQ(mistakes("[defaults]\nneeds = { \"a b\" = [\"x\"] }\n"),
            "gate.toml:2:19: \"a b\" is no platform; write one, a glob such as ascend-*, or any");
  EXPECT_EQ(mistakes("[defaults]\ndata_dir = { any = { any = \"x\" } }\n"),
            "gate.toml:2:20: a table is no text; write it in quotes");
  EXPECT_EQ(mistakes("[defaults]\ntimeout = { any = \"1h\" }\n"),
            "gate.toml:2:11: a table is no duration such as "
            "\"30s\", \"30m\", \"2h\" or \"1h30m\"");
  EXPECT_EQ(header_mistakes("#GATE need.any=x"), case_mistakes({.script_text = "#GATE need.any=x"}));
  EXPECT_NE(header_mistakes("#GATE need.any=x"), "");
}

}  // namespace
}  // namespace gate::config::data_test
