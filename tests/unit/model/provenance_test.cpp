#include "gate/model/runs/provenance.h"

#include <gmock/gmock.h>

namespace gate::provenance_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Provenance known() {
  Provenance made;
  made.gate_version = "1.0.0";
  made.host = "npu-07";
  made.device = "ascend-910b3";
  made.device_count = 8;
  made.driver = "24.1.rc2";
  made.toolkit = "CANN 8.0.RC2";
  made.commit = std::string(40, 'a');
  made.script_sha256 = "s1";
  return made;
}

TEST(Differs, WhatIsTheSameIsNotTold) { EXPECT_THAT(differences(known(), known()), IsEmpty()); }

TEST(Differs, TellsWhatMovesNumbersFirst) {
  Provenance run = known();
  run.toolkit = "CANN 8.0.RC3";
  run.host = "npu-08";
  run.commit = std::string(40, 'b');
  run.device_count = 4;
  run.script_sha256 = "s2";
  run.args = {"--lr", "1"};
  EXPECT_THAT(to_strings(differences(known(), run)),
              ElementsAre("the script changed", "ARGS none -> --lr 1", "devices 8 -> 4",
                          "toolkit CANN 8.0.RC2 -> CANN 8.0.RC3", "host npu-07 -> npu-08",
                          "commit aaaaaaa -> bbbbbbb"));
}

TEST(Differs, TellsTheSetUpBeforeAllElseAndOfLogs) {
  Provenance old = known(), run = known();
  run.toolkit = "CANN 8.0.RC3";
  old.setup = {{"world_size", "8"}, {"precision", "bfloat16"}};
  run.setup = {{"world_size", "4"}, {"precision", "bfloat16"}, {"seq_length", "4096"}};
  EXPECT_THAT(to_strings(differences(old, run)),
              ElementsAre("world_size 8 -> 4", "toolkit CANN 8.0.RC2 -> CANN 8.0.RC3"));
  old.host = run.host = "";
  EXPECT_THAT(to_strings(differences(old, run)), ElementsAre("world_size 8 -> 4"));
}

// Each fact of a fingerprint.
struct FactCase {
  std::string_view name;
  std::string Provenance::*fact;
};

TEST(Differs, TellsEachFactThatBothKnow) {
  for (const auto& [name, fact] : {FactCase{"toolkit", &Provenance::toolkit},
                                   {"driver", &Provenance::driver},
                                   {"firmware", &Provenance::firmware},
                                   {"device", &Provenance::device},
                                   {"Python", &Provenance::python},
                                   {"image", &Provenance::image},
                                   {"kernel", &Provenance::kernel},
                                   {"host", &Provenance::host},
                                   {"commit", &Provenance::commit},
                                   {"gate", &Provenance::gate_version}}) {
    Provenance old = known(), run = known();
    old.*fact = "a";
    run.*fact = "b";
    EXPECT_THAT(to_strings(differences(old, run)), ElementsAre(std::string(name) + " a -> b"));
    run.*fact = "";
    EXPECT_THAT(differences(old, run), IsEmpty()) << name;
    EXPECT_THAT(differences(run, old), IsEmpty()) << name;
  }
}

TEST(Differs, TellsEachPackageThatBothHave) {
  for (const std::string_view name : fingerprint_packages()) {
    Provenance old = known(), run = known();
    old.packages[std::string(name)] = "2.1.0";
    EXPECT_THAT(differences(old, run), IsEmpty());
    run.packages[std::string(name)] = "2.2.0";
    EXPECT_THAT(to_strings(differences(old, run)), ElementsAre(std::string(name) + " 2.1.0 -> 2.2.0"));
  }
}

TEST(Differs, TellsEachSwitch) {
  for (const SwitchRow& row : switch_rows()) {
    Provenance old = known(), run = known();
    old.switches.emplace();
    EXPECT_THAT(differences(old, run), IsEmpty());
    run.switches = std::map<std::string, std::string>{{std::string(row.name), "on"}};
    EXPECT_THAT(to_strings(differences(old, run)), ElementsAre(std::string(row.name) + " unset -> on"));
  }
}

TEST(Differs, PackagesComeBeforeSwitchesAndBoth) {
  Provenance old = known(), run = known();
  old.packages = {{"numpy", "1.26.4"}, {"torch", "2.1.0"}};
  run.packages = {{"numpy", "1.26.5"}, {"torch", "2.2.0"}};
  old.switches.emplace();
  run.switches = std::map<std::string, std::string>{{"HCCL_DETERMINISTIC", "true"}};
  run.driver = "24.1.rc3";
  EXPECT_THAT(to_strings(differences(old, run)),
              ElementsAre("torch 2.1.0 -> 2.2.0", "numpy 1.26.4 -> 1.26.5",
                          "HCCL_DETERMINISTIC unset -> true", "driver 24.1.rc2 -> 24.1.rc3"));
}

TEST(Differs, WhatWasNoRunOnAHostHasNoDifferences) {
  Provenance imported;
  imported.gate_version = "0.9.0";
  EXPECT_THAT(differences(imported, known()), IsEmpty());
  EXPECT_THAT(differences(known(), Provenance()), IsEmpty());
}

TEST(Differs, WhatOneSideDoesNotKnowIsNotTold) {
  Provenance run = known();
  run.driver = run.toolkit = "";
  Provenance old = known();
  old.script_sha256 = old.gate_version = "";
  EXPECT_THAT(differences(old, run), IsEmpty());
}

TEST(Environment, FactsAreWhatIsKnownWithoutHostAndCommit) {
  Provenance run;
  run.host = "npu-07";
  run.commit = "c";
  run.image = "train:1";
  run.packages = {{"torch", "2.1.0"}};
  run.switches.emplace();
  EXPECT_EQ(environment_facts(run), (EnvironmentFacts{{"image", "train:1"}, {"torch", "2.1.0"}}))
      << "nobody knows whether a process was missed";
  run.python = "3.11.7";
  EXPECT_EQ(environment_facts(run),
            (EnvironmentFacts{
                {"Python", "3.11.7"}, {"image", "train:1"}, {"switches", "none"}, {"torch", "2.1.0"}}));
  EXPECT_TRUE(environment_facts({}).empty());
}

TEST(Environment, WhatBothKnowIsCompared) {
  EXPECT_THAT(to_strings(environment_changes({{"image", "a"}, {"torch", "1"}, {"kernel", "5"}},
                                             {{"image", "b"}, {"torch", "1"}, {"driver", "9"}})),
              ElementsAre("image a -> b"));
}

}  // namespace
}  // namespace gate::provenance_test
