#include <gmock/gmock.h>

#include "gate/config/settings.h"
#include "policy_text.h"

namespace gate::config::strategy_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* ecosystem = R"([strategy.ecosystem]
cases   = ["qwen/*", "llama/infer"]
tags    = ["nightly"]
outputs = ["answer*"]
stages  = ["test", "compare", "upload"]
[strategy.smoke]
cases = "qwen/infer"
)";

TEST(Strategy, HasWhatItsTableSays) {
  const Policy read = policy(ecosystem);
  ASSERT_EQ(read.strategies().size(), 2U);
  const Strategy& first = read.strategies()[0];
  EXPECT_EQ(first.name, "ecosystem");
  EXPECT_THAT(first.cases, ElementsAre("qwen/*", "llama/infer"));
  EXPECT_THAT(first.tags, ElementsAre("nightly"));
  EXPECT_THAT(first.outputs, ElementsAre("answer*"));
  EXPECT_THAT(first.stages, ElementsAre(Stage::test, Stage::compare, Stage::upload));
  EXPECT_THAT(read.strategies()[1].cases, ElementsAre("qwen/infer"));
}

TEST(Strategy, OfNothingChoosesAll) {
  const Policy read = policy("[strategy.all]\n");
  const Strategy& all = read.strategies().at(0);
  EXPECT_THAT(all.cases, IsEmpty());
  EXPECT_TRUE(all.has_output("answer"));
  for (const Stage stage : all_stages) EXPECT_TRUE(all.has_stage(stage)) << to_string(stage);
}

TEST(Strategy, ChoosesOutputsByGlobsAndStagesByNames) {
  const Strategy first = policy(ecosystem).strategies().at(0);
  EXPECT_TRUE(first.has_output("answer"));
  EXPECT_TRUE(first.has_output("answer_zh"));
  EXPECT_FALSE(first.has_output("loss"));
  EXPECT_TRUE(first.has_stage(Stage::upload));
  EXPECT_FALSE(first.has_stage(Stage::init));
  EXPECT_FALSE(first.has_stage(Stage::report));
}

TEST(Strategy, IsFoundByItsName) {
  const std::vector<Strategy> known = policy(ecosystem).strategies();
  EXPECT_EQ(find_strategy(known, "smoke")->name, "smoke");
  EXPECT_EQ(find_strategy(known, "smok").error().message,
            "no strategy \"smok\"; did you mean \"smoke\"?; known: ecosystem, smoke");
  EXPECT_EQ(find_strategy(known, "nightly").error().message,
            "no strategy \"nightly\"; known: ecosystem, smoke");
  EXPECT_EQ(find_strategy({}, "smoke").error().message,
            "no strategy \"smoke\": gate.toml has no [strategy.NAME]");
}

TEST(Strategy, NamesThePlacesOfItsMistakes) {
  const Strategy second = policy(ecosystem).strategies().at(1);
  EXPECT_EQ(second.place_of("cases"), "gate.toml:7:9: [strategy.smoke] cases");
  EXPECT_EQ(second.place_of("outputs"), "gate.toml:6:11: [strategy.smoke]");
}

TEST(Strategy, HasTheKeysOfItsTable) {
  std::vector<std::string_view> keys;
  for (const SettingRow& row : strategy_keys()) keys.push_back(row.key);
  EXPECT_THAT(keys, ElementsAre("cases", "tags", "outputs", "stages"));
}

TEST(StrategyMistakes, HaveTheirPlaces) {
  EXPECT_EQ(mistakes("[strategy]\nnightly = 1\n"),
            "gate.toml:2:1: [strategy] holds tables named by strategies, such as [strategy.nightly]");
  EXPECT_EQ(mistakes("[strategy.a]\ncase = 'x'\n"),
            "gate.toml:2:1: unknown key \"case\"; did you mean \"cases\"?");
  EXPECT_EQ(mistakes("[strategy.a]\ncases = []\n"),
            "gate.toml:2:9: it is empty, and would choose nothing; leave the key out for all");
  EXPECT_EQ(mistakes("[strategy.'a b']\n"),
            "gate.toml:1:11: \"a b\" is no name of a strategy; write letters, digits, `_`, `-` and `.`, and "
            "no `-` first");
  EXPECT_EQ(mistakes("[strategy.-a]\n"),
            "gate.toml:1:11: \"-a\" is no name of a strategy; write letters, digits, `_`, `-` and `.`, and "
            "no `-` first");
  EXPECT_EQ(mistakes("[strategy.a]\noutputs = 3\ntags = ['']\n"),
            "gate.toml:2:11: 3 is no list of texts such as [\"a\", \"b\"]\n"
            "gate.toml:3:8: an item of the list is empty");
}

TEST(StrategyMistakes, OfStages) {
  EXPECT_EQ(mistakes("[strategy.a]\nstages = ['test', 'compare', 'uplaod']\n"),
            "gate.toml:2:10: unknown stage \"uplaod\"; did you mean \"upload\"?");
  EXPECT_EQ(mistakes("[strategy.a]\nstages = ['download', 'test']\n"),
            "gate.toml:2:10: stage compare is not among them, and a case is not judged without it; add it");
  EXPECT_EQ(mistakes("[strategy.a]\nstages = ['compare']\n"),
            "gate.toml:2:10: stage test is not among them, and a case is not judged without it; add it");
}

}  // namespace
}  // namespace gate::config::strategy_test
