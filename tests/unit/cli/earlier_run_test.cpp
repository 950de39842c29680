// Every flag of `gate run`, and what becomes of it where --again and --resume go on from a run.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <set>

#include "gate/base/text.h"
#include "gate/model/rules/verdict.h"
#include "gate/schema/result_file.h"
#include "gate/store/run_folder.h"
#include "gate_in_process.h"

namespace gate::cli::earlier_run_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

// A flag that decides, and two values of it that a suite may have.
struct Decides {
  const char *flag, *value, *other;
  bool judges = false;  // what was red by one of them is not to be green by another: --again refuses it, too
};

constexpr std::array<Decides, 21> deciding{{{"--set", "timeout=7m", "timeout=8m"},
                                            {"--env", "SAID=1", "SAID=2"},
                                            {"--platform", "cpu", "nvidia-h100"},
                                            {"--environment", "lts", "dev", true},
                                            {"--jobs", "1", "2"},
                                            {"--policy-from", "main", "other", true},
                                            {"--strategy", "one", "two", true},
                                            {"--stages-folder", "/tmp/one", "/tmp/two"},
                                            {"--only", "test", "compare"},
                                            {"--retry-infra", "1", "2"},
                                            {"--confirm", "2", "3"},
                                            {"--determinism", "2", "3", true},
                                            {"--no-skip", "true", "false"},
                                            {"--devices", "0", "1"},
                                            {"--hosts", "local", "none"},
                                            {"--backend", "auto", "local"},
                                            {"--timeout", "1h", "2h"},
                                            {"--hang", "10m", "20m"},
                                            {"--strict", "true", "false"},
                                            {"--profile", "megatron", "modellink"},
                                            {"--shadow", "megatron", "none"}}};

// What selects or shows, and where the suite lies: no later command has it.
const std::set<std::string> of_call{"--tag",           "--out",        "--max-failures", "--deadline",
                                    "--changed-since", "--nothing-ok", "--again",        "--help",
                                    "--resume",        "--shard",      "--report",       "-h",
                                    "--no-ci",         "--dry-run",    "--bisect"};

// Under a sanitizer a few of them, which takes its time.
bool is_tried(int number) { return !SANITIZED || number % 6 == 0; }

std::string word(const char* flag, const char* value) { return std::string(flag) + "=" + value; }

CommandOptions options(const std::vector<std::string>& words) {
  std::vector<const char*> argv{"gate", "run"};
  for (const std::string& one : words) argv.push_back(one.c_str());
  const auto parsed = parse_options(static_cast<int>(argv.size()), argv.data());
  EXPECT_TRUE(parsed) << join(words, " ") << (parsed ? "" : parsed.error().text);
  return parsed.value_or(CommandOptions{});
}

// The words that decide where this was given, and the run had those.
std::vector<std::string> gone_on(const std::vector<std::string>& given, const std::vector<std::string>& had) {
  const auto all = with_words_of(options(given), had);
  if (!all) return {"error: " + all.error().text};
  std::vector<std::string> words = all->deciding;
  words.insert(words.end(), all->script_args.begin(), all->script_args.end());
  return words;
}

TEST(EarlierRun, EachFlagOfARunIsKnownHere) {
  std::set<std::string> known = of_call;
  for (const Decides& one : deciding) known.insert(one.flag);
  for (const CommandSyntax& command : command_syntax())
    for (const OptionSyntax& option : command.options)
      for (const std::string& name : option.names) {
        if (command.name != "run") continue;
        EXPECT_EQ(known.erase(name), 1) << name << ": say here whether it decides";
      }
  EXPECT_THAT(known, testing::IsEmpty());
}

TEST(EarlierRun, WhatDecidesIsTakenWhereNothingElseIsSaid) {
  int number = 0;
  for (const Decides& one : deciding) {
    if (!is_tried(number++)) continue;
    std::vector<std::string> had{word(one.flag, one.value)}, other{word(one.flag, one.other)};
    for (std::vector<std::string>* words : {&had, &other})
      if (std::string(one.flag) == "--only") words->insert(words->begin(), "--stages-folder=/tmp/one");
    EXPECT_EQ(options(had).deciding, had);
    for (const char* flag : {"--again", "--resume"}) {
      const auto given = [&](std::vector<std::string> words) {
        words.insert(words.begin(), flag);
        return words;
      };
      EXPECT_EQ(gone_on({flag}, had), had);
      EXPECT_EQ(gone_on(given(had), had), had);
      EXPECT_EQ(gone_on(given(other), had), other);
    }
  }
}

TEST(EarlierRun, WhatDecidesNothingIsOfTheCallAlone) {
  for (const char* words :
       {"--tag=slow", "--out=x", "--max-failures=1", "--deadline=1h", "--changed-since=HEAD", "--shard=1/2",
        "--report=junit=x", "--report=x.html", "--no-ci", "--dry-run", "--bisect"})
    EXPECT_THAT(options({words}).deciding, ElementsAre()) << words;
}

TEST(EarlierRun, OfAListOfKeysEachKeyIsForItself) {
  EXPECT_THAT(gone_on({"--again", "--env", "B=3"}, {"--env=A=1", "--env=B=2", "--set=timeout=1h"}),
              UnorderedElementsAre("--env=A=1", "--env=B=3", "--set=timeout=1h"));
  EXPECT_THAT(gone_on({"--again", "--hosts", "b"}, {"--hosts=a"}), ElementsAre("--hosts=b"));
}

TEST(EarlierRun, ArgsAreTakenWhole) {
  EXPECT_THAT(gone_on({"--again"}, {"--jobs=2", "--", "--lr", "1"}), ElementsAre("--jobs=2", "--lr", "1"));
  EXPECT_THAT(gone_on({"--again", "--", "--lr"}, {"--", "--fast", "1"}), ElementsAre("--lr"));
}

TEST(EarlierRun, ASecretIsGivenAgain) {
  const std::vector<std::string> had{"--env=TOKEN=***", "--env=A=1"};
  EXPECT_THAT(gone_on({"--again"}, had).front(),
              HasSubstr("started with --env=TOKEN=***, and no run keeps a secret"));
  EXPECT_THAT(gone_on({"--again", "--env", "TOKEN=12345678"}, had),
              UnorderedElementsAre("--env=TOKEN=12345678", "--env=A=1"));
  EXPECT_THAT(gone_on({"--again"}, {"--", "--key=***"}).front(), HasSubstr("give it again"));
}

TEST(EarlierRun, AWordThatDecidesNothingIsNotTaken) {
  for (const char* word :
       {"--help", "-h", "--version", "--report=html=x", "--out=x", "a", "--no-such=1", "", "--nothing-ok",
        "--max-failures=1", "-C", "--config=x", "--again=", "--resume", "--dry-run"}) {
    EXPECT_THAT(gone_on({"--resume"}, {word}).front(), HasSubstr("which is no flag that decides")) << word;
  }
}

class GoesOn : public Commands {
 protected:
  GoesOn() {
    put("gate.toml", "[strategy.one]\ncases = [\"*\"]\n[strategy.two]\ncases = [\"a\"]\n");
    put("scripts/a.sh", "#GATE devices=0\nexit 1\n");
    accept_good();
  }

  // A run with the flag that was cut off before its first case, whose id is its own; false where the suite
  // has no such run.
  bool cut_off(const std::string& flag) {
    const Said plan = gate({"run", flag, "--dry-run", "--json"});
    Result<Report> report = schema::read_result(plan.out, "plan");
    if (!report || plan.code == exit_code::usage) return false;
    const auto folder = store::RunFolder::create(root, *parse_iso("2026-11-21T02:03:04Z"));
    report->command = "run";
    report->run = folder->id();
    for (CaseReport& one : report->cases) one.verdict = Verdict::not_run;
    EXPECT_TRUE(folder->begin(*report));
    return true;
  }

  // What a run that goes on would be decided by, or its exit code.
  std::string would_be(std::vector<std::string> words) {
    words.insert(words.begin(), "run");
    words.insert(words.end(), {"--dry-run", "--json"});
    const Said plan = gate(words);
    const Result<Report> report = schema::read_result(plan.out, "plan");
    return report ? join(report->command_line, " ") : "exit " + std::to_string(plan.code);
  }
};

TEST_F(GoesOn, WithEachFlagThatDecides) {
  int tried = 0, number = 0;
  for (const Decides& one : deciding) {
    const std::string had = word(one.flag, one.value), other = word(one.flag, one.other);
    if (!is_tried(number++) || !cut_off(had)) continue;
    ++tried;
    EXPECT_EQ(would_be({"--again"}), had);
    EXPECT_EQ(would_be({"--resume"}), had);
    EXPECT_EQ(would_be({"--resume", "latest", had}), had);
    EXPECT_EQ(would_be({"--resume", "latest", other}), "exit 2") << other;
    if (one.judges) {
      EXPECT_EQ(would_be({"--again", "latest", other}), "exit 2") << other;
    }
    EXPECT_TRUE(cut_off("--no-ci"));
    EXPECT_EQ(would_be({"--resume", "latest", had}), "exit 2")
        << had << ", which the run was started without";
  }
  EXPECT_GE(tried, SANITIZED ? 3 : 16);
}

}  // namespace
}  // namespace gate::cli::earlier_run_test
