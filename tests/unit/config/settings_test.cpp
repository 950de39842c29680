#include "gate/config/settings.h"

#include <gmock/gmock.h>

#include <set>

#include "gate/base/text.h"
#include "gate/config/case_names.h"
#include "policy_text.h"

namespace gate::config::settings_test {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(Settings, AreAsTheTableSaysWhereNobodySaysAnything) {
  const Settings s = settings_of({});
  EXPECT_EQ(s.devices, std::nullopt);
  EXPECT_THAT(s.device_list, IsEmpty());
  EXPECT_EQ(s.nodes, 1);
  EXPECT_THAT(s.platform, IsEmpty());
  EXPECT_THAT(s.hosts, IsEmpty());
  EXPECT_THAT(s.tags, IsEmpty());
  EXPECT_THAT(s.after, IsEmpty());
  EXPECT_EQ(s.owner, "");
  EXPECT_THAT(s.formats, IsEmpty());
  EXPECT_THAT(s.log, IsEmpty());
  EXPECT_EQ(s.judge, JudgeMode::series);
  EXPECT_EQ(s.steps, std::nullopt);
  EXPECT_THAT(s.phases, IsEmpty());
  EXPECT_EQ(s.timeout, hours(2));
  EXPECT_EQ(s.startup, minutes(30));
  EXPECT_EQ(s.hang, minutes(15));
  EXPECT_EQ(s.grace, seconds(30));
  EXPECT_EQ(s.wait, Wait::tree);
  EXPECT_EQ(s.early_stop, EarlyStop::automatic);
  EXPECT_EQ(s.share_host, ShareHost::automatic);
  EXPECT_EQ(s.setup, "");
  EXPECT_THAT(s.env, IsEmpty());
  EXPECT_THAT(s.needs, IsEmpty());
  EXPECT_THAT(s.data_dir, IsEmpty());
  EXPECT_THAT(s.artifacts, IsEmpty());
  EXPECT_FALSE(s.restarts);
  EXPECT_EQ(s.attempt.number, std::nullopt);
  EXPECT_EQ(s.sample, 5);
  EXPECT_EQ(s.strict, judge::Strict::accuracy);
  EXPECT_EQ(s.profile, "gate");
  EXPECT_EQ(s.shadow, "");
}

TEST(Settings, AFurtherRunIsWordsOrOneTable) {
  EXPECT_FALSE(settings_of({}).further.is_wanted());
  EXPECT_FALSE(header("#GATE further=\"  \"").further.is_wanted());
  EXPECT_THAT(header("#GATE further=\"--a  b,c\"").further.words, ElementsAre("--a", "b,c"));
  EXPECT_EQ(header("#GATE further=--a").further.on, FurtherOn::red);
  const Settings s =
      settings_of({"[defaults]\nfurther = { args = \"--a\", env = { A = \"1\" } }\n[case.x]\n"
                   "further = { on = \"slow\", env = { B = true }, artifacts = [\"t/**\"] }\n",
                   "",
                   {},
                   "x"});
  EXPECT_THAT(s.further.words, IsEmpty());  // a later layer takes the place of the whole
  EXPECT_THAT(s.further.env, ElementsAre(Pair("B", "true")));
  EXPECT_THAT(s.further.artifacts, ElementsAre("t/**"));
  EXPECT_TRUE(s.further.is_wanted());
  EXPECT_EQ(s.further.on, FurtherOn::slow);
  EXPECT_EQ(mistakes("[defaults]\nfurther = { ags = \"--a\" }\n"),
            "gate.toml:2:11: unknown key \"ags\"; did you mean \"args\"?");
  EXPECT_EQ(mistakes("[defaults]\nfurther = 3\n"), "gate.toml:2:11: 3 is no text; write it in quotes");
  EXPECT_EQ(mistakes("[defaults]\nfurther = { on = \"late\" }\n"),
            "gate.toml:2:11: unknown on \"late\"; known: red, slow");
  EXPECT_EQ(mistakes("[defaults]\nfurther = { env = { A = { B = 1 } } }\n"),
            "gate.toml:2:11: a table is no text; write it in quotes");
  EXPECT_EQ(mistakes("[defaults]\non_red = \"--a\"\n"),
            "gate.toml:2:1: \"on_red\" is an old word; write further");
}

TEST(Settings, CasesBeforeAreNamedOnceAndTellVariablesThatDiffer) {
  EXPECT_THAT(header("#GATE after=a,b/c-1,a").after, ElementsAre("a", "b/c-1"));
  EXPECT_EQ(variable_after("b/c-1é"), "GATE_AFTER_B_C_1__");
  EXPECT_EQ(mistakes("[case.a]\nafter = [\"x-y\", \"X_y\"]\n"),
            "gate.toml:2:9: x-y and X_y would both be told as GATE_AFTER_X_Y; rename one of them");
  EXPECT_EQ(mistakes("[defaults]\nafter = \"x\"\n"),
            "gate.toml:2:1: after cannot be set in [defaults]; set it in #GATE, [case.\"GLOB\"]");
  EXPECT_THAT(settings_of({.script_text = "#GATE after=x", .overrides = {set("after", "")}}).after,
              IsEmpty());
}

std::string fault_of(const std::string& text) {
  const Settings s = settings_of({.overrides = {set("fault", text)}});
  return s.fault ? to_string(*s.fault) : "none";
}

TEST(Settings, AFaultIsAnActionAndWhenAndMaybeARankAndATime) {
  EXPECT_EQ(fault_of("none"), "none");
  EXPECT_EQ(fault_of("kill@15"), "kill@15");
  EXPECT_EQ(fault_of("term@20%"), "term@20%");
  EXPECT_EQ(fault_of("kill@1 rank 0"), "kill@1 rank 0");
  EXPECT_EQ(fault_of("pause@15"), "pause@15 for 10s");
  EXPECT_EQ(fault_of("  pause@15  for 2m rank 3 "), "pause@15 rank 3 for 2m");
  EXPECT_EQ(fault_of("kill@15 scratch"), "kill@15 scratch");
  EXPECT_EQ(fault_of("pause@15 scratch for 2m rank 3"), "pause@15 rank 3 for 2m scratch");
  EXPECT_EQ(settings_of({}).fault, std::nullopt);
}

TEST(Settings, GuardsHasThreePartsOfWhichAnyMayBeEmpty) {
  const auto parts = [](const std::string& text) {
    const auto guards = settings_of({.overrides = {set("guards", text)}}).guards;
    return join(
        texts_of(guards,
                 [](const GuardPlace& one) { return one.tests + "|" + one.module + "|" + one.submodule; }),
        "; ");
  };
  EXPECT_EQ(parts("ST/Pretrain/TP, PP, ST/Inference/TP"), "ST|Pretrain|TP, PP; ST|Inference|TP");
  EXPECT_EQ(parts("ST/Pretrain/TP, PP"), "ST|Pretrain|TP, PP");
  EXPECT_EQ(parts("/Pretrain"), "|Pretrain|");
  EXPECT_EQ(parts(" ST "), "ST||");
  EXPECT_EQ(parts("//CP"), "||CP");
  EXPECT_EQ(parts(""), "||");
  EXPECT_THAT(case_mistakes({.overrides = {set("guards", "a/b/c/d")}}),
              testing::HasSubstr("\"a/b/c/d\" has more than three parts; write TESTS/MODULE/SUBMODULE"));
}

TEST(Settings, CheckpointsAreKeptWholeAsAnArtifact) {
  EXPECT_FALSE(keeps_checkpoints(settings_of({})));
  EXPECT_FALSE(keeps_checkpoints(header("#GATE artifacts=a,{scratch}/**")));
  EXPECT_TRUE(keeps_checkpoints(header("#GATE artifacts=a,{checkpoints}/**")));
  for (const std::string glob :
       {"{checkpoints}", "{checkpoints}/", "{checkpoints}/*.pt", "{checkpoints}/../x"})
    EXPECT_THAT(case_mistakes({.overrides = {set("artifacts", glob)}}),
                testing::HasSubstr("the folder of checkpoints is kept whole; write {checkpoints}/**"))
        << glob;
}

TEST(Settings, WhatIsNoFaultIsToldWithWhatToWrite) {
  const std::string write =
      "; write kill@15, term@20% or pause@15 for 30s, and `rank 1` behind it for one rank alone, `scratch` "
      "where it may begin at the first step again";
  EXPECT_EQ(mistakes("[case.a]\nfault = \"kil@15\"\n"),
            "gate.toml:2:9: unknown fault \"kil\"; did you mean \"kill\"?");
  const auto told = [](const std::string& text) {
    return case_mistakes({.overrides = {set("fault", text)}});
  };
  for (const std::string when : {"0", "-3", "15.5", "", "0%", "100%", "%", "+%", "9999999999", "15 %", "0x9"})
    EXPECT_NE(told("kill@" + when).find(write), std::string::npos) << when << ": " << told("kill@" + when);
  for (const std::string text : {"kill", "", "15", "kill@15 rank", "kill@15 rank -1", "kill@15 rank 1 rank 2",
                                 "kill@15 for 3s", "kill@15 scratch scratch", "kill@15 rank scratch",
                                 "pause@15 for", "pause@15 for 0s", "kill@15 ranks 1"})
    EXPECT_NE(told(text).find(write), std::string::npos) << text << ": " << told(text);
  EXPECT_EQ(told("term@20%x"),
            "--set fault: \"20%x\" is no step from 1 on and no share from 1% to 99%" + write);
}

TEST(Settings, EveryKeyStandsOnceWithADocAndKnownPlaces) {
  const std::set<std::string_view> places{"suite", "defaults", "#GATE", "group", "case", "flag"};
  std::set<std::string_view> keys;
  for (const SettingRow& row : settings()) {
    EXPECT_TRUE(keys.insert(row.key).second) << row.key;
    EXPECT_NE(row.doc, "") << row.key;
    EXPECT_NE(row.type, "") << row.key;
    for (const std::string_view place : split(row.where, ','))
      EXPECT_EQ(places.count(trim(place)), 1u) << row.key << ": " << place;
  }
  EXPECT_EQ(keys.size(), 60u);
}

TEST(Settings, AreFoundByTheirKey) {
  ASSERT_NE(find_setting("timeout"), nullptr);
  EXPECT_EQ(find_setting("timeout")->built_in, "2h");
  EXPECT_EQ(find_setting("tiemout"), nullptr);
}

TEST(Settings, EveryBuiltInValueIsOneThatAUserMayWrite) {
  for (const SettingRow& row : settings()) {
    if (row.built_in.empty() || row.where == "model_config.yaml") continue;
    EXPECT_EQ(case_mistakes({.overrides = {set(std::string(row.key), std::string(row.built_in))}}), "");
  }
}

TEST(Settings, TablesOfRulesMetricsAndSuiteHoldTheirKeys) {
  const auto keys = [](std::span<const SettingRow> rows) {
    std::vector<std::string_view> names;
    for (const SettingRow& row : rows) names.push_back(row.key);
    return names;
  };
  EXPECT_THAT(keys(rule_keys()),
              ElementsAre("metric", "attempt", "window", "reduce", "tolerance", "tolerance.deterministic",
                          "tolerance.otherwise", "against", "rank", "max_misses", "required", "waive",
                          "waive.reason", "waive.until", "cap"));
  EXPECT_THAT(keys(metric_keys()), ElementsAre("pattern", "key", "formula", "unit", "scale", "thousands",
                                               "better", "kind", "numbered", "pick"));
  EXPECT_THAT(keys(suite_keys()),
              ElementsAre("name", "cases", "baselines", "launch", "cwd", "kind", "naming", "platform",
                          "environment", "history", "keep_runs", "shared", "secrets"));
}

TEST(Settings, OfEnginesAreReadAndMistakesNamed) {
  EXPECT_EQ(case_mistakes({.overrides = {set("backend", "slurm"), set("slurm.gres", "npu:{devices}"),
                                         set("slurm.options", "--exclusive,--mem=1G"),
                                         set("kubernetes.patch", "pods.yaml")}}),
            "");
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, std::string>>{{"backend", "slrum"},
                                                        {"slurm.gres", "npu:{device}"},
                                                        {"kubernetes.patch", std::string("a\0b", 3)},
                                                        {"slurm.options", std::string("a\0b", 3)}})
    EXPECT_NE(case_mistakes({.overrides = {set(key, value)}}), "") << key << " " << value;
}

TEST(Settings, AQuarantineIsOfACaseAndSaysAllThree) {
  const std::string all = "{ until = \"2026-12-31\", reason = \"it spikes\", owner = \"zhang\" }";
  const auto block = [](const std::string& value) { return "[case.\"a\"]\nquarantine = " + value + "\n"; };
  const Settings s = settings_of({.toml = block(all)});
  ASSERT_TRUE(s.quarantine);
  EXPECT_EQ(s.quarantine->until + s.quarantine->reason + s.quarantine->owner, "2026-12-31it spikeszhang");
  EXPECT_FALSE(settings_of({.toml = block(all), .case_name = "b"}).quarantine);
  EXPECT_EQ(case_mistakes({.toml = block("{ until = \"2026-12-31\" }")}),
            "gate.toml:2:24: the quarantine has no reason and no owner; it needs until, reason and owner");
  EXPECT_NE(mistakes(block("{ until = \"2026-02-30\", reason = \"x\", owner = \"y\" }")), "");
  EXPECT_NE(mistakes(block("{ until = \"2026-12-31\", why = \"x\" }")), "");
  EXPECT_NE(mistakes("[defaults]\nquarantine = " + all + "\n"), "");
  EXPECT_NE(header_mistakes("#GATE quarantine.until=2026-12-31"), "");
}

TEST(Settings, DependsIsSeenFromTheTopOfTheTree) {
  EXPECT_EQ(header("#GATE depends=src/**.py,setup.cfg").depends.size(), 2u);
  for (const char* glob : {"/src/a.py", "../a.py", "./a.py"})
    EXPECT_NE(header_mistakes(std::string("#GATE depends=") + glob), "") << glob;
}

TEST(Settings, OfAHeaderAloneComeWithTheirPlaces) {
  const auto lines = header_settings(CaseKind::script, "#GATE devices=8 judge=exit\n", "scripts/a.sh");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].key + " " + lines[1].value + " " + lines[1].origin,
            "judge exit scripts/a.sh:1:17 #GATE");
  EXPECT_EQ(header_settings(CaseKind::script, "#GATE judge=no\n", "scripts/a.sh").front().key, "unreadable");
}

}  // namespace
}  // namespace gate::config::settings_test
