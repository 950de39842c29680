#include "launch/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gate::launch::command_test {
namespace {

using testing::ElementsAre;

const std::vector<std::string> inherited{"PATH=/usr/bin", "LANG=C", "BASH_FUNC_f%%=() {  :\n}"};

Command command_of(std::vector<std::string> argv) {
  Command command;
  command.argv = std::move(argv);
  return command;
}

TEST(ExecWords, JobsVariablesStandOverInheritedOnes) {
  Command command = command_of({"bash"});
  command.env = {{"LANG", "C.UTF-8"}, {"EMPTY", ""}};
  EXPECT_THAT(environment(command, inherited),
              ElementsAre("EMPTY=", "LANG=C.UTF-8", inherited[0], inherited[2]));
}

TEST(ExecWords, CookieStandsOverAllOthers) {
  Command command = command_of({"bash"});
  command.cookie = "1121-0203.a.1";
  command.env = {{"GATE_LAUNCH", "mine"}};
  EXPECT_THAT(environment(command, std::vector<std::string>{"GATE_LAUNCH=outer"}),
              ElementsAre("GATE_LAUNCH=1121-0203.a.1"));
}

TEST(ExecWords, WithoutACookieNothingIsSaidOfIt) {
  EXPECT_THAT(environment(command_of({"bash"}), std::vector<std::string>{"GATE_LAUNCH=outer"}),
              ElementsAre("GATE_LAUNCH=outer"));
}

TEST(ExecWords, ProgramIsSearchedOnItsOwnPath) {
  Command command = command_of({"train", "--lr", "a b"});
  command.env = {{"PATH", "/opt/bin::rel"}};
  const ExecWords words = exec_words(command, inherited);
  EXPECT_THAT(words.files, ElementsAre("/opt/bin/train", "./train", "rel/train"));
  EXPECT_THAT(words.argv, ElementsAre("train", "--lr", "a b"));
}

TEST(ExecWords, ProgramWithASlashIsNotSearched) {
  EXPECT_THAT(files_of("./train", inherited), ElementsAre("./train"));
}

TEST(ExecWords, WithoutPathTheUsualFoldersAreSearched) {
  EXPECT_THAT(files_of("bash", {}), ElementsAre("/usr/local/bin/bash", "/usr/bin/bash", "/bin/bash"));
}

TEST(ExecWords, SetupTextIsOneArgumentAndNeverAnOption) {
  Command command = command_of({"bash", "a.sh"});
  command.setup = "-x; source 'set env.sh'";
  const ExecWords words = exec_words(command, inherited);
  EXPECT_TRUE(words.has_setup);
  EXPECT_THAT(words.argv, ElementsAre("bash", "-c", testing::Not(testing::HasSubstr("source")), "setup",
                                      "-x; source 'set env.sh'", "bash", "a.sh"));
}

TEST(ExecWords, WithoutSetupTheScriptIsStartedAsItIs) {
  const ExecWords command = exec_words(command_of({"bash", "a.sh"}), inherited);
  EXPECT_FALSE(command.has_setup);
  EXPECT_THAT(command.argv, ElementsAre("bash", "a.sh"));
}

struct UnfitCase {
  Command command;
  std::string why;
};

Command with_variable(std::string name, std::string value) {
  Command command = command_of({"bash"});
  command.env = {{std::move(name), std::move(value)}};
  return command;
}

TEST(ExecWords, UnfitCommandsAreToldApart) {
  const std::string nul("a\0b", 3);
  const std::vector<UnfitCase> cases{
      {command_of({}), "there is no command to start"},
      {command_of({""}), "there is no command to start"},
      {command_of({"bash", nul}), "an argument holds a NUL byte"},
      {with_variable("A=B", "1"), "`A=B` cannot be the name of an environment variable"},
      {with_variable("", "1"), "`` cannot be the name of an environment variable"},
      {with_variable("A", nul), "the environment variable A holds a NUL byte"},
  };
  for (const UnfitCase& row : cases) EXPECT_EQ(unfit(row.command), row.why);
  EXPECT_EQ(unfit(with_variable("A", "=")), std::nullopt);
}

}  // namespace
}  // namespace gate::launch::command_test
