#include "gate/model/runs/fingerprint.h"

#include <gmock/gmock.h>

#include <set>

namespace gate::fingerprint_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

using Values = std::map<std::string, std::string>;

std::string words(const std::vector<std::string>& list) {
  std::string all;
  for (const std::string& word : list) all += word + '\0';
  return all;
}

TEST(Fingerprint, EachSwitchStandsInTheTableOnce) {
  std::set<std::string_view> names;
  for (const SwitchRow& row : switch_rows()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

TEST(Fingerprint, FindsEverySwitchOfTheTable) {
  for (const SwitchRow& row : switch_rows()) {
    const std::string name(row.name);
    const bool is_flag = name.starts_with("--");
    const Values found =
        is_flag ? switches_in("", words({"python", name})) : switches_in(words({name + "=1"}), "");
    EXPECT_THAT(found, ElementsAre(Pair(name, is_flag ? "set" : "1")));
  }
}

TEST(Fingerprint, FlagsMayHaveValuesAndUnderscores) {
  const Values found =
      switches_in("", words({"python", "train.py", "--attention_backend=flash", "--transformer-impl", "local",
                             "--use_flash_attn", "--lr", "1"}));
  EXPECT_THAT(found,
              UnorderedElementsAre(Pair("--attention-backend", "flash"), Pair("--transformer-impl", "local"),
                                   Pair("--use-flash-attn", "set")));
}

TEST(Fingerprint, PassesOverWhatIsNoSwitch) {
  EXPECT_THAT(
      switches_in(words({"PATH=/bin", "HCCL_DETERMINISTIC=", "XHCCL_DETERMINISTIC=1", "=", "NCCL_ALGO"}),
                  words({"NCCL_ALGO=Ring", "use-flash-attn", "--", "-", ""})),
      IsEmpty());
  EXPECT_THAT(switches_in("", ""), IsEmpty());
}

TEST(Fingerprint, ReadsTheWordsOfACommandInACommand) {
  struct {
    std::vector<std::string> cmdline;
    Values expected;
  } const rows[] = {
      {{"sh", "-c", "cd /w; HCCL_DETERMINISTIC=true ./train --deterministic-mode --lr 1"},
       {{"HCCL_DETERMINISTIC", "true"}, {"--deterministic-mode", "set"}}},
      {{"ssh", "node1", "LCCL_DETERMINISTIC=1", "./train"}, {{"LCCL_DETERMINISTIC", "1"}}},
      {{"docker", "run", "-e", "HCCL_DETERMINISTIC=false", "image"}, {{"HCCL_DETERMINISTIC", "false"}}},
      {{"bash", "-c", "./train --npu-deterministic  false"}, {{"--npu-deterministic", "false"}}},
      {{"./train", "--npu-deterministic", "", "x"}, {{"--npu-deterministic", "set"}}},
  };
  for (const auto& row : rows)
    EXPECT_EQ(switches_in("", words(row.cmdline)), row.expected) << row.cmdline.back();
  EXPECT_EQ(switches_in(words({"HCCL_DETERMINISTIC=false"}), words({"a", "HCCL_DETERMINISTIC=true"})),
            (Values{{"HCCL_DETERMINISTIC", "false"}}))
      << "what a process has goes before what it hands on";
}

TEST(Fingerprint, ShowsHostileValuesShortAndPrintable) {
  const Values found = switches_in(words({"NCCL_ALGO=\x1b[31m" + std::string(1000, 'x')}), "");
  EXPECT_LE(found.at("NCCL_ALGO").size(), 83U);
  EXPECT_EQ(found.at("NCCL_ALGO").find('\x1b'), std::string::npos);
}

TEST(Fingerprint, NamesOfPackagesAreComparedInOneSpelling) {
  EXPECT_EQ(package_key("Torch_NPU"), "torch-npu");
  EXPECT_EQ(package_key("megatron.core"), "megatron-core");
}

TEST(Fingerprint, ASwitchThatIsNotSetIsUnset) {
  const Values none, on{{"HCCL_DETERMINISTIC", "true"}};
  EXPECT_THAT(changed_switches({none}, {on}), ElementsAre(FactChange{"HCCL_DETERMINISTIC", "unset", "true"}));
  EXPECT_THAT(changed_switches({on}, {none}), ElementsAre(FactChange{"HCCL_DETERMINISTIC", "true", "unset"}));
}

TEST(Fingerprint, SwitchesThatNobodySawHaveNotChanged) {
  const Values on{{"HCCL_DETERMINISTIC", "true"}};
  EXPECT_THAT(changed_switches({std::nullopt}, {on}), IsEmpty());
  EXPECT_THAT(changed_switches({on}, {std::nullopt}), IsEmpty());
  EXPECT_THAT(changed_switches({on}, {Values{{"HCCL_DETERMINISTIC", "TRUE"}}}), IsEmpty());
}

TEST(Fingerprint, OnlyDeterminismMakesSpeedsIncomparable) {
  const Values none, fused{{"--use-flash-attn", "set"}};
  const Values both{{"--use-flash-attn", "set"}, {"--deterministic-mode", "set"}};
  EXPECT_EQ(changed_determinism({none}, {fused}), std::nullopt);
  EXPECT_EQ(changed_determinism({none}, {both}), (FactChange{"--deterministic-mode", "unset", "set"}));
}

// A script's Python may end before anybody looks at it.
TEST(Fingerprint, WhatWasNotReadIsNotUnset) {
  const Values none, on{{"HCCL_DETERMINISTIC", "True"}}, off{{"HCCL_DETERMINISTIC", "False"}};
  struct {
    const char* what;
    KnownSwitches from, to;
    const char *before, *now;  // "": the same
    bool has_changed;
  } const rows[] = {
      {"missed now", {on, true}, {none, false}, "True", "not known", false},
      {"missed then", {none, false}, {on, true}, "not known", "True", false},
      {"missed and set by the script", {on, true}, {on, false}, "", "", false},
      {"missed and set otherwise by the script", {on, true}, {off, false}, "True", "False", true},
      {"missed, and unset before", {none, true}, {none, false}, "", "", false},
      {"read on both sides", {on, true}, {none, true}, "True", "unset", true},
      {"no Python on either side", {on, false}, {none, false}, "True", "unset", true},
  };
  for (const auto& row : rows) {
    const std::optional<FactChange> change = changed_determinism(row.from, row.to);
    EXPECT_EQ(change ? change->from : "", row.before) << row.what;
    EXPECT_EQ(change ? change->to : "", row.now) << row.what;
    EXPECT_EQ(!changed_switches(row.from, row.to).empty(), row.has_changed) << row.what;
  }
}

using Set = std::map<std::string, std::string>;

TEST(Determinism, OfARunIsToldByItsProcessesAndItsScript) {
  struct {
    const char* what;
    Switches switches;
    Set script;
    const char* python;
    std::optional<DeterminismTold> expected;
  } const rows[] = {
      {"nobody could look", {}, {}, "", {}},
      {"the script alone",
       {},
       {{"--deterministic-mode", "set"}},
       "",
       DeterminismTold{true, "--deterministic-mode"}},
      {"processes without any", Set{}, {}, "", DeterminismTold{false, ""}},
      {"both", Set{}, {{"HCCL_DETERMINISTIC", "1"}}, "", DeterminismTold{true, "HCCL_DETERMINISTIC=1"}},
      {"processes say otherwise",
       Set{{"HCCL_DETERMINISTIC", "0"}},
       {{"HCCL_DETERMINISTIC", "1"}},
       "",
       DeterminismTold{false, "HCCL_DETERMINISTIC=0"}},
      {"a rank has none of it", Set{}, {{"HCCL_DETERMINISTIC", "1"}}, "3.11", DeterminismTold{false, ""}},
  };
  for (const auto& row : rows) {
    Provenance run;
    run.switches = row.switches;
    run.script_switches = row.script;
    run.python = row.python;
    EXPECT_EQ(determinism_of(run), row.expected) << row.what;
  }
}

TEST(Determinism, IsWhatTheSwitchesSay) {
  EXPECT_EQ(determinism_of(std::nullopt), (DeterminismTold{false, ""})) << "a saved log";
  EXPECT_EQ(determinism_of(Set{}), (DeterminismTold{false, ""}));
  EXPECT_EQ(determinism_of(Set{{"HCCL_DETERMINISTIC", "true"}}),
            (DeterminismTold{true, "HCCL_DETERMINISTIC=true"}));
  EXPECT_EQ(determinism_of(Set{{"--npu-deterministic", "set"}}),
            (DeterminismTold{true, "--npu-deterministic"}));
  EXPECT_EQ(determinism_of(Set{{"NVTE_ALLOW_NONDETERMINISTIC_ALGO", "0"}}),
            (DeterminismTold{true, "NVTE_ALLOW_NONDETERMINISTIC_ALGO=0"}));
  for (const char* off : {"0", "false", "False", "off", "no"})
    EXPECT_FALSE(determinism_of(Set{{"HCCL_DETERMINISTIC", off}}).is_deterministic) << off;
  EXPECT_FALSE(
      determinism_of(Set{{"NCCL_ALGO", "Ring"}, {"CUBLAS_WORKSPACE_CONFIG", ":4096:8"}}).is_deterministic);
  EXPECT_EQ(determinism_of(Set{{"--deterministic-mode", "set"}, {"NVTE_ALLOW_NONDETERMINISTIC_ALGO", "1"}}),
            (DeterminismTold{false, "NVTE_ALLOW_NONDETERMINISTIC_ALGO=1"}))
      << "what allows it is the last word";
}

}  // namespace
}  // namespace gate::fingerprint_test
