// Texts that nobody sane writes: an error at its place, never a crash.
#include <gmock/gmock.h>

#include "policy_text.h"

namespace gate::config::hostile_test {
namespace {

using testing::StartsWith;

std::string times(std::size_t count, const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

TEST(Hostile, BadUtf8) {
  EXPECT_EQ(mistakes("[suite]\nname = 'a\xff'\n"),
            "gate.toml:2:9: syntax error: Encountered invalid utf-8 sequence");
  EXPECT_EQ(header_mistakes("#GATE \xff\xfe=1 owner=\xff"),
            "scripts/a.sh:1:7: unknown key \"\\xff\\xfe\"; known: devices, "
            "nodes, platform, environment, hosts, backend, tags, after, owner, guards, "
            "reference, model, "
            "formats, log, judge, steps, phases, phase, "
            "outputs, stages, accuracy_test, further, timeout, startup, "
            "hang, "
            "grace, "
            "idle_wait, "
            "wait, early_stop, share_host, setup, env, data_dir, needs, depends, artifacts, restarts, "
            "fault, "
            "attempt, "
            "sources, "
            "sample, "
            "container.image, container.exec, container.engine, container.mounts, "
            "container.options, "
            "slurm.gres, slurm.options, kubernetes.kubectl, kubernetes.namespace, kubernetes.resource, "
            "kubernetes.patch");
}

TEST(Hostile, DeepNesting) {
  EXPECT_EQ(mistakes("\n" + times(200'000, "a.") + "b = 1\n"),
            "gate.toml:2:34: the keys are nested too deeply");
  EXPECT_EQ(mistakes("[" + times(200'000, "a .\t") + "b]\n"),
            "gate.toml:1:68: the keys are nested too deeply");
  EXPECT_EQ(mistakes("[" + times(200'000, "'x'.") + "b]\n"),
            "gate.toml:1:69: the keys are nested too deeply");
  EXPECT_EQ(mistakes("a = " + times(200'000, "[")), "gate.toml:1:37: the keys are nested too deeply");
  EXPECT_EQ(mistakes("a = " + times(40'000, "{a.a.a=[\n{b=")),
            "gate.toml:12:1: the keys are nested too deeply");
}

TEST(Toml, WhatIsDefinedTwiceIsToldWithBothPlaces) {
  const auto twice = [](const std::string& text) { return mistakes(text); };
  const auto said = [](const char* at, const char* first) {
    return std::string("gate.toml:") + at + ": this is defined twice; the first place is gate.toml:" + first +
           ": write it once";
  };
  EXPECT_EQ(twice("[case.a]\nrepeat = 1\n\n[case.b]\n[case.'a'] # x = 1\n"), said("5:1", "1:1"));
  EXPECT_EQ(twice("[suite]\nname = \"a\"\n\"name\" = \"b\"\n"), said("3:10", "2:1"));
  EXPECT_EQ(twice("[case]\na = {repeat = 1}\n[case.a]\n"), said("3:1", "2:5"));
  EXPECT_EQ(twice("[case.a.b]\n[case.a]\n[case.a]\n"), said("3:1", "2:1"));
  EXPECT_EQ(twice("[suite]\r\n[suite]\r\n"), said("2:1", "1:1"));
  EXPECT_EQ(twice("[defaults]\nrepeat = 1\nrepeat.x = 1\n"), said("3:1", "2:1"));
  EXPECT_EQ(twice("[suite]\nname = \"\"\"\nname = 1\n\"\"\"\n[suite]\n"), said("5:1", "1:1"));
  EXPECT_THAT(twice("[suite]\nx = {a = 1, a = 2}\n"), testing::HasSubstr("cannot redefine existing"));
}

TEST(Hostile, WordsThatTheLibraryAsserts) {
  EXPECT_THAT(mistakes("[suite]\n  [=x]\n"), StartsWith("gate.toml:2:4: syntax error while parsing key: "));
  EXPECT_THAT(mistakes("[ \n"), StartsWith("gate.toml:1:3: syntax error while parsing key: "));
  EXPECT_THAT(mistakes("[[*.x]]\n"), StartsWith("gate.toml:1:3: syntax error while parsing key: "));
  EXPECT_THAT(mistakes("["), StartsWith("gate.toml:1:2: syntax error while "));
  EXPECT_THAT(mistakes("[]\n"), StartsWith("gate.toml:1:2: syntax error while "));
  EXPECT_THAT(mistakes("x = [}\n"), StartsWith("gate.toml:1:6: syntax error while parsing value: "));
  EXPECT_THAT(mistakes("x = 1979-05-27T:3\n"),
              StartsWith("gate.toml:1:16: syntax error while parsing time: "));
}

TEST(Hostile, LettersOutsideOfQuotes) {
  const std::string message = "a character that is not ASCII stands in quotes or in a comment";
  EXPECT_EQ(mistakes("[suite]\nname = 名\n"), "gate.toml:2:8: " + message);
  EXPECT_EQ(mistakes("[suite]\nnäme = 'x'\n"), "gate.toml:2:2: " + message);
  EXPECT_EQ(mistakes("[suite] \xC2\xA0# x\n"), "gate.toml:1:9: " + message);
}

TEST(Hostile, LettersInQuotesAreAnyLetters) {
  EXPECT_EQ(policy("[suite]\nname = \"\"\"\\\n  é名 \\\n  \u00b1\U0001F600\"\"\" # é\n").name(), "é名 ±😀");
  EXPECT_EQ(settings_of({.toml = "[case.\"é/*\"]\nnodes = 2\n", .case_name = "é/名"}).nodes, 2);
  EXPECT_EQ(settings_of({.toml = "[ case . '名 ⼀' ]\nnodes = 2\n", .case_name = "名 ⼀"}).nodes, 2);
}

TEST(Hostile, QuotesAtTheEndOfATextHideNothing) {
  EXPECT_EQ(policy("[suite]\nname = \"\"\"a\"\"\"\"\"\n").name(), "a\"\"");
  EXPECT_EQ(mistakes("[x]\ny = [\"\"\"a\"\"\"\", {" + times(20, "a.") + "b = 1}]\n"),
            "gate.toml:2:50: the keys are nested too deeply");
  EXPECT_EQ(mistakes("[x]\ny = ['a\\', {" + times(20, "a.") + "b = 1}]\n"),
            "gate.toml:2:46: the keys are nested too deeply");
}

TEST(Hostile, ControlBytesInTheFile) {
  EXPECT_THAT(mistakes(std::string("[suite]\n[\0", 10)),
              StartsWith("gate.toml:2:2: syntax error while parsing key: "));
  EXPECT_THAT(mistakes("[suite]\nname = '\x1b'\n"), StartsWith("gate.toml:2:9: syntax error while "));
  EXPECT_EQ(mistakes("[suite]\nname = '\x1b'\n").find('\x1b'), std::string::npos);
}

TEST(Hostile, DotsInTextsAndCommentsAreNoNesting) {
  EXPECT_EQ(mistakes("# " + times(100, "a.") + "\n[defaults]\nsetup = '" + times(100, "a.") + "'\n"), "");
  EXPECT_EQ(mistakes("[defaults]\nsetup = \"\"\"" + times(100, "a.\"\\\"[\n") + "\"\"\"\n"), "");
  EXPECT_EQ(
      mistakes("[defaults]\nsetup = '''" + times(100, "a.'[\n") + "'''\nlog = ['a.b', \"c.[d\"] # [[[\n"),
      "");
}

TEST(Hostile, HugeFiles) {
  EXPECT_EQ(mistakes("#" + times(1 << 20, " ")), "gate.toml: the file is larger than 1 MiB");
  EXPECT_EQ(mistakes("#" + times(1 << 19, " ")), "");
  EXPECT_EQ(header("#!/bin/bash\n#GATE nodes=2\n" + times(1 << 20, "echo x\n")).nodes, 2);
}

TEST(Hostile, HugeWordsAreCutInMessages) {
  EXPECT_EQ(case_mistakes({.overrides = {set("wait", times(100'000, "x"))}}),
            "--set wait: unknown wait \"" + times(80, "x") + "...\"; known: tree, script");
  EXPECT_THAT(header_mistakes("#GATE " + times(100'000, "x")),
              StartsWith("scripts/a.sh:1:7: \"" + times(80, "x") + "...\" is no KEY=VALUE"));
}

TEST(Hostile, ControlBytesAreShownNotSent) {
  EXPECT_EQ(mistakes("[suite]\n\"\\u001b[31m\" = 1\n").find('\x1b'), std::string::npos);
  EXPECT_EQ(header_mistakes("#GATE \x1b[31m=1").find('\x1b'), std::string::npos);
  EXPECT_EQ(mistakes("[case.'*']\nplatform = \"a\\u001b\"\n"), "");
}

TEST(Hostile, ManyBlocks) {
  std::string toml;
  for (int i = 0; i < 10'000; ++i) toml += "[case.'c" + std::to_string(i) + "']\nnodes = 2\n";
  EXPECT_EQ(settings_of({.toml = toml, .case_name = "c9999"}).nodes, 2);
}

}  // namespace
}  // namespace gate::config::hostile_test
