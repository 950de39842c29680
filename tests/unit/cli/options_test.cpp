// Words in: what a command line means.
#include "cli/options/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/options/commands.h"
#include "gate/model/rules/verdict.h"

namespace gate::cli::options_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

tl::expected<CommandOptions, Early> parsed(std::vector<const char*> words) {
  words.insert(words.begin(), "gate");
  return parse_options(static_cast<int>(words.size()), words.data());
}

CommandOptions options(const std::vector<const char*>& words) {
  const auto options = parsed(words);
  EXPECT_TRUE(options) << (options ? "" : options.error().text);
  return options ? *options : CommandOptions{};
}

Early early(const std::vector<const char*>& words) {
  const auto options = parsed(words);
  EXPECT_FALSE(options);
  return options ? Early{} : options.error();
}

// Return `KEY=VALUE (FLAG)` for each override.
std::vector<std::string> overrides(const std::vector<const char*>& words) {
  std::vector<std::string> all;
  const auto made = options(words).overrides();
  if (!made) return {"error: " + made.error().message};
  for (const config::Override& one : *made)
    all.push_back(one.key + "=" + one.value + " (" + one.origin + ")");
  return all;
}

TEST(Options, EveryCommandIsKnownByItsName) {
  for (const CommandRow& row : commands()) {
    std::vector<const char*> words;
    std::vector<std::string> parts;
    for (std::size_t at = 0; at < row.name.size();) {
      const std::size_t end = std::min(row.name.find(' ', at), row.name.size());
      parts.emplace_back(row.name.substr(at, end - at));
      at = end + 1;
    }
    for (const std::string& part : parts) words.push_back(part.c_str());
    if (row.name == "baseline accept" || row.name == "baseline rm")
      words.insert(words.end(), {"--reason", "r"});
    if (row.name == "baseline mv" || row.name == "baseline rm") words.push_back("x");
    if (row.name == "check" || row.name == "extract" || row.name == "explain" || row.name == "baseline mv" ||
        row.name == "stop")
      words.push_back("x");
    if (row.name == "score") words.insert(words.end(), {"a", "b", "--metric", "bleu"});
    if (row.name == "ab") words.insert(words.end(), {"HEAD~1", "HEAD", "--case", "c"});
    EXPECT_EQ(options(words).command, row.name);
  }
}

TEST(Options, WordsBehindDashesGoToTheScripts) {
  const CommandOptions run = options({"run", "a", "--", "--lr", "0.01", "--", "b"});
  EXPECT_THAT(run.words, ElementsAre("a"));
  EXPECT_THAT(run.script_args, ElementsAre("--lr", "0.01", "--", "b"));
  const CommandOptions record = options({"baseline", "record", "a", "--", "--lr"});
  EXPECT_THAT(record.script_args, ElementsAre("--lr"));
  const CommandOptions check = options({"check", "a.log", "--", "--b.log"});
  EXPECT_THAT(check.words, ElementsAre("a.log", "--b.log")) << "elsewhere they are words like all others";
  EXPECT_THAT(check.script_args, IsEmpty());
}

TEST(Options, GlobalsStandBeforeOrBehindTheCommand) {
  for (const std::vector<const char*>& words : std::vector<std::vector<const char*>>{
           {"-C", "there", "-v", "--json", "--color", "never", "--lang", "zh", "list"},
           {"list", "-C", "there", "-v", "--json", "--color", "never", "--lang", "zh"}}) {
    const CommandOptions all = options(words);
    EXPECT_EQ(all.folder, "there");
    EXPECT_EQ(all.verbosity, 1);
    EXPECT_TRUE(all.json);
    EXPECT_EQ(all.color, "never");
    EXPECT_EQ(all.language, "zh");
  }
  EXPECT_EQ(options({"-q", "baseline", "lint"}).verbosity, -1);
  EXPECT_EQ(options({"baseline", "lint", "--config", "other.toml"}).config, "other.toml");
}

TEST(Options, TheRestOfARunIsWhatItsFlagsSay) {
  const CommandOptions run = options({"run",
                                      "--tag",
                                      "smoke",
                                      "--tag",
                                      "dp",
                                      "--jobs",
                                      "4",
                                      "--max-failures",
                                      "2",
                                      "--deadline",
                                      "2h",
                                      "--retry-infra",
                                      "3",
                                      "--confirm",
                                      "5",
                                      "--report",
                                      "a.xml",
                                      "--report",
                                      "./a=b.html",
                                      "--report",
                                      "junit=a.md",
                                      "--report",
                                      "table-csv=a=b",
                                      "--no-skip",
                                      "--no-ci",
                                      "--dry-run",
                                      "--bisect",
                                      "--out",
                                      "folder",
                                      "--platform",
                                      "cpu"});
  EXPECT_THAT(run.tags, ElementsAre("smoke", "dp"));
  EXPECT_EQ(run.run.jobs, 4);
  EXPECT_EQ(run.run.max_failures, 2);
  EXPECT_EQ(run.run.deadline, Duration(2h));
  EXPECT_EQ(run.run.retry_infra, 3);
  EXPECT_EQ(run.run.confirm, 5);
  std::string reports;
  for (const ReportWord& one : run.reports.files) reports += one.kind + " " + one.file + ",";
  EXPECT_EQ(reports, "junit a.xml,html ./a=b.html,junit a.md,table-csv a=b,");
  EXPECT_TRUE(run.reports.no_ci && run.run.no_skip && run.dry_run && run.bisect);
  EXPECT_EQ(run.run.out, "folder");
  EXPECT_EQ(run.platform, "cpu");
}

TEST(Options, AnEarlierRunIsTheLatestWhereNoneIsNamed) {
  EXPECT_EQ(options({"run"}).run.again, std::nullopt);
  EXPECT_EQ(options({"run", "--again"}).run.again, "");
  EXPECT_EQ(options({"run", "--again", "1121-0203"}).run.again, "1121-0203");
  EXPECT_EQ(options({"run", "--resume", "1121-0203"}).run.resume, "1121-0203");
}

TEST(Options, AShardIsOneOfSeveral) {
  EXPECT_EQ(options({"run"}).run.shard, std::nullopt);
  EXPECT_EQ(options({"run", "--shard", "2/4", "a"}).run.shard, (Shard{2, 4}));
  EXPECT_THAT(options({"report", "--merge", "a", "b", "--report", "f.md"}).words, ElementsAre("a", "b"));
}

TEST(Options, SettingsAreFlags) {
  EXPECT_THAT(overrides({"run", "--timeout", "2m", "--set", "rules.lm_loss.tolerance=±0.02", "--env", "A=1=2",
                         "--set", "param.TP=2"}),
              ElementsAre("timeout=2m (--timeout)", "rules.lm_loss.tolerance=±0.02 (--set)",
                          "param.TP=2 (--set)", "env.A=1=2 (--env)"));
  EXPECT_THAT(
      overrides({"check", "a.log", "--profile", "megatron lm_loss nondeterministic", "--shadow", "gate"}),
      testing::UnorderedElementsAre("profile=megatron lm_loss nondeterministic (--profile)",
                                    "shadow=gate (--shadow)"));
}

TEST(Options, HostsAreASettingWhereCasesAreLaunchedAndListed) {
  for (const char* command : {"run", "list"})
    EXPECT_THAT(overrides({command, "--hosts", "npu,local", "--hosts", "b"}),
                ElementsAre("hosts=npu,local,b (--hosts)"));
  EXPECT_THAT(overrides({"baseline", "record", "a", "--hosts", "npu"}), ElementsAre("hosts=npu (--hosts)"));
  EXPECT_THAT(options({"devices", "--hosts", "npu,local", "--hosts", "b"}).hosts,
              ElementsAre("npu,local", "b"));
  EXPECT_THAT(overrides({"devices", "--hosts", "npu"}), IsEmpty());
  EXPECT_THAT(early({"check", "a.log", "--hosts", "npu"}).text, HasSubstr("--hosts"));
}

TEST(Options, WhatIsNoPairIsSaid) {
  EXPECT_THAT(overrides({"run", "--set", "timeout"}), ElementsAre("error: --set timeout: write KEY=VALUE"));
  EXPECT_THAT(overrides({"run", "--env", "=x"}), ElementsAre("error: --env =x: write KEY=VALUE"));
}

struct Refused {
  std::vector<const char*> words;
  std::string why;
};

TEST(Options, MistakesAreSaidWithWhatToDo) {
  for (const Refused& one : std::vector<Refused>{
           {{"chck", "a.log"}, "unknown command \"chck\"; did you mean \"check\"?; see gate --help"},
           {{}, "Usage: gate"},
           {{"run", "--jbos", "3"}, "--jbos"},
           {{"run", "--jobs", "0"}, "--jobs"},
           {{"run", "--jobs", "many"}, "--jobs"},
           {{"run", "--confirm", "1"}, "1: these are the runs in all, and the first of them has failed"},
           {{"run", "--deadline", "soon"}, "\"soon\" is no duration; write e.g. 90s, 30m or 2h"},
           {{"run", "--deadline", "0s"}, "\"0s\" is no duration"},
           {{"run", "--shard", "5/4"}, "\"5/4\" is no shard; write I/N, e.g. 2/4"},
           {{"run", "--shard", "0/4"}, "\"0/4\" is no shard"},
           {{"run", "--shard", "1/10001"}, "N <= 10000"},
           {{"baseline", "accept"}, "--reason is required"},
           {{"check", "a.log", "--case", "a", "--baseline", "b.json"}, "excludes"},
           {{"history", "--export", "--import"}, "excludes"},
           {{"list", "--format", "xml"}, "--format"},
           {{"--color", "sometimes", "list"}, "--color"},
           {{"--lang", "fr", "list"}, "--lang"},
           {{"explain"}, "CASE"}}) {
    const Early refused = early(one.words);
    EXPECT_EQ(refused.exit_code, exit_code::usage) << one.why;
    EXPECT_THAT(refused.text, HasSubstr(one.why));
  }
}

TEST(Options, ABisectionSkipsWhatItCannotTry) {
  EXPECT_EQ(early({"run", "--bisect", "--jobs", "0"}).exit_code, exit_code::infra);
}

TEST(Options, EmptyWordsAreUnsetVariables) {
  EXPECT_THAT(early({"run", ""}).text, StartsWith("the word after run is empty (an unset variable?)"));
  EXPECT_THAT(early({"run", "--junit="}).text, StartsWith("--junit: its value is empty"));
  EXPECT_THAT(early({" ", "run"}).text, StartsWith("the first word is empty"));
  EXPECT_THAT(early({"run", "--tag", ","}).text, StartsWith("the word after --tag is empty"));
  EXPECT_THAT(options({"run", "--", ""}).script_args, ElementsAre("")) << "what scripts get is theirs";
}

TEST(Options, HelpAndVersionAreNoMistakes) {
  EXPECT_EQ(early({"--version"}).exit_code, 0);
  EXPECT_THAT(early({"--version"}).text, StartsWith("gate "));
  EXPECT_EQ(early({"run", "--help"}).exit_code, 0);
  EXPECT_THAT(early({"run", "--help"}).text, HasSubstr("--confirm N"));
}

TEST(Options, TheManualHoldsTheHelpOfEveryCommand) {
  const std::string help = help_of_all_commands();
  for (const CommandRow& row : commands())
    EXPECT_THAT(help, HasSubstr("### gate " + std::string(row.name) + "\n"));
}

}  // namespace
}  // namespace gate::cli::options_test
