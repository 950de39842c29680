#include <gmock/gmock.h>

#include "../temporary.h"
#include "gate/store/suite_folder.h"
#include "store/layout.h"

namespace gate::store::layout_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

BaselineLayout layout_of(const std::string& path_template) {
  BaselineLayout layout;
  layout.schemes.front().path_template = path_template;
  layout.platforms = {{"npu", {"ascend-910b1", "ascend-910b3"}}, {"lab", {"board-*"}}};
  return layout;
}

TEST(IsPlatform, KnowsVendorsAndDeclaredOnes) {
  const BaselineLayout layout = layout_of("baselines/{case}.json");
  for (const char* name : {"cpu", "ascend-910b3", "nvidia-h100", "amd-mi300x", "npu", "board-7"})
    EXPECT_TRUE(is_platform(layout, name)) << name;
  for (const char* name : {"", "pretrain", "cpus", "ascend", "nvidia-/x", "board"})
    EXPECT_FALSE(is_platform(layout, name)) << name;
}

TEST(BaselinePath, PutsAPlatformIntoItsFolder) {
  const BaselineLayout layout = layout_of("baselines/{case}.json");
  EXPECT_EQ(baseline_path(layout, {"", "pretrain/llama2"}), "baselines/pretrain/llama2.json");
  EXPECT_EQ(baseline_path(layout, {"cpu", "pretrain/llama2"}), "baselines/cpu/pretrain/llama2.json");
}

struct TemplateCase {
  std::string path_template;
  std::string general;
  std::string on_cpu;
};

TEST(BaselinePath, FollowsTheTemplateBothWays) {
  const TemplateCase cases[] = {
      {"tests/st/baseline_results/{case}.json", "tests/st/baseline_results/a/b.json",
       "tests/st/baseline_results/cpu/a/b.json"},
      {"{case}.json", "a/b.json", "cpu/a/b.json"},
      {"b/base_{case}.json", "b/base_a/b.json", "b/cpu/base_a/b.json"},
      {"b/{case}/golden.json", "b/a/b/golden.json", "b/cpu/a/b/golden.json"},
      {"b/{platform}/{case}.json", "b/a/b.json", "b/cpu/a/b.json"},
      {"b/{case}/{platform}.json", "b/a/b.json", "b/a/b/cpu.json"},
      {"b/{case}.{platform}.json", "b/a/b.json", "b/a/b.cpu.json"},
      {"b/{platform}-{case}.json", "b/a/b.json", "b/cpu-a/b.json"},
      {"{platform}/x/{case}.json", "x/a/b.json", "cpu/x/a/b.json"},
      {"b/{case}_{platform}/golden.json", "b/a/b/golden.json", "b/a/b_cpu/golden.json"},
  };
  for (const auto& [path_template, general, on_cpu] : cases) {
    const BaselineLayout layout = layout_of(path_template);
    EXPECT_EQ(baseline_path(layout, {"", "a/b"}), general) << path_template;
    EXPECT_EQ(baseline_path(layout, {"cpu", "a/b"}), on_cpu) << path_template;
    EXPECT_EQ(place_of(layout, general), (BaselinePlace{"", "a/b"})) << path_template;
    EXPECT_EQ(place_of(layout, on_cpu), (BaselinePlace{"cpu", "a/b"})) << path_template;
  }
}

TEST(PlaceOf, TakesAPlatformsFolderForThePlatforms) {
  const BaselineLayout layout = layout_of("baselines/{case}.json");
  EXPECT_EQ(place_of(layout, "baselines/cpu/a.json"), (BaselinePlace{"cpu", "a"}));
  EXPECT_EQ(place_of(layout, "baselines/cpu/cpu/a.json"), (BaselinePlace{"cpu", "cpu/a"}));
  EXPECT_EQ(place_of(layout, "baselines/cpu.json"), (BaselinePlace{"", "cpu"}));
  EXPECT_EQ(place_of(layout, "baselines/a.json.json"), (BaselinePlace{"", "a.json"}));
  EXPECT_EQ(place_of(layout, "baselines/a.txt"), std::nullopt);
  EXPECT_EQ(place_of(layout, "baselines/.json"), std::nullopt);
  EXPECT_EQ(place_of(layout, "baselines/../a.json"), std::nullopt);
}

TEST(PlaceOf, WantsTheSameCaseInBothHoles) {
  const BaselineLayout layout = layout_of("b/{case}/{case}.json");
  EXPECT_EQ(place_of(layout, "b/x/x.json"), (BaselinePlace{"", "x"}));
  EXPECT_EQ(place_of(layout, "b/x/y.json"), std::nullopt);
}

TEST(Layout, EnvironmentsStandBehindThePlatform) {
  const BaselineLayout usual = layout_of("baselines/{case}.json");
  const BaselineLayout in_name = layout_of("st/{case}_{platform}.json");
  const BaselinePlace both{"cpu", "a/b", "lts"}, alone{"", "a/b", "lts"};
  EXPECT_EQ(baseline_path(usual, both), "baselines/cpu@lts/a/b.json");
  EXPECT_EQ(baseline_path(usual, alone), "baselines/@lts/a/b.json");
  EXPECT_EQ(baseline_path(in_name, alone), "st/a/b_@lts.json");
  for (const BaselineLayout& layout : {usual, in_name})
    for (const BaselinePlace& place : {both, alone})
      EXPECT_EQ(place_of(layout, baseline_path(layout, place)), place);
  EXPECT_EQ(place_of(usual, "baselines/nosuch@lts/a.json"), (BaselinePlace{"", "nosuch@lts/a"}));
  EXPECT_EQ(place_of(usual, "baselines/cpu@/a.json"), (BaselinePlace{"", "cpu@/a"}));
  EXPECT_EQ(place_of(usual, "baselines/@-x/a.json"), (BaselinePlace{"", "@-x/a"}));
}

TEST(Layout, APlaceIsAWord) {
  const BaselineLayout layout = layout_of("baselines/{case}.json");
  for (const char* word : {"cpu", "cpu@dev", "@dev", "general"})
    EXPECT_EQ(parse_place(layout, word)->name(), word);
  for (const char* word : {"", "@", "cpu@", "nosuch", "nosuch@dev", "cpu@a/b", "cpu@a@b", "@.x"})
    EXPECT_EQ(parse_place(layout, word), std::nullopt) << word;
}

TEST(Layout, NamesOfEnvironmentsAreSafe) {
  for (const char* name : {"", "dev", "LTS_2", "23.05-py3"}) EXPECT_TRUE(check_environment(name)) << name;
  for (const std::string& name :
       {std::string("a b"), std::string("../x"), std::string(".x"), std::string("-x"), std::string("a@b"),
        std::string(41, 'a'), std::string("\n")})
    EXPECT_FALSE(check_environment(name)) << name;
}

using BaselineCases = Temporary;

TEST_F(BaselineCases, AreFoundBelowAllPlatforms) {
  for (const char* path : {"a.json", "cpu/a.json", "ascend-910b3/sub/b.json", "sub/c.json", "npu/a.json",
                           "notes.md", ".hidden.json", "sub/.x.json", ".a.json.99.1"})
    put(std::string("baselines/") + path, "{}");
  BaselineLayout layout = layout_of("baselines/{case}.json");
  layout.root = root;
  EXPECT_THAT(baseline_cases(layout), ElementsAre("a", "sub/b", "sub/c"));
  EXPECT_THAT(baseline_places(layout, "a"),
              ElementsAre(BaselinePlace{"", "a"}, BaselinePlace{"cpu", "a"}, BaselinePlace{"npu", "a"}));
  EXPECT_THAT(baseline_places(layout, "sub/b"), ElementsAre(BaselinePlace{"ascend-910b3", "sub/b"}));
  EXPECT_THAT(baseline_places(layout, "nosuch"), IsEmpty());
}

TEST_F(BaselineCases, HaveTheirPlacesSorted) {
  for (const char* path :
       {"z.json", "cpu/z.json", "cpu@lts/z.json", "@lts/z.json", "a.json", "npu/sub/b.json"})
    put(std::string("baselines/") + path, "{}");
  BaselineLayout layout = layout_of("baselines/{case}.json");
  layout.root = root;
  EXPECT_THAT(
      places_by_case(layout),
      ElementsAre(Pair("a", ElementsAre(BaselinePlace{"", "a"})),
                  Pair("sub/b", ElementsAre(BaselinePlace{"npu", "sub/b"})),
                  Pair("z", ElementsAre(BaselinePlace{"", "z"}, BaselinePlace{"", "z", "lts"},
                                        BaselinePlace{"cpu", "z"}, BaselinePlace{"cpu", "z", "lts"}))));
}

TEST_F(BaselineCases, AreNoneWithoutAFolder) {
  BaselineLayout layout;
  layout.root = root;
  EXPECT_THAT(baseline_cases(layout), IsEmpty());
}

}  // namespace
}  // namespace gate::store::layout_test
