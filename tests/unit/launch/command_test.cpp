#include "launch/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gate::launch::command_test {
namespace {

using testing::ElementsAre;

const std::vector<std::string> inherited{"PATH=/usr/bin", "LANG=C", "BASH_FUNC_f%%=() {  :\n}"};

Job job_of(std::vector<std::string> argv) {
  Job job;
  job.argv = std::move(argv);
  return job;
}

TEST(Command, JobsVariablesStandOverInheritedOnes) {
  Job job = job_of({"bash"});
  job.env = {{"LANG", "C.UTF-8"}, {"EMPTY", ""}};
  EXPECT_THAT(environment(job, inherited), ElementsAre("EMPTY=", "LANG=C.UTF-8", inherited[0], inherited[2]));
}

TEST(Command, CookieStandsOverAllOthers) {
  Job job = job_of({"bash"});
  job.cookie = "1121-0203.a.1";
  job.env = {{"GATE_LAUNCH", "mine"}};
  EXPECT_THAT(environment(job, std::vector<std::string>{"GATE_LAUNCH=outer"}),
              ElementsAre("GATE_LAUNCH=1121-0203.a.1"));
}

TEST(Command, WithoutACookieNothingIsSaidOfIt) {
  EXPECT_THAT(environment(job_of({"bash"}), std::vector<std::string>{"GATE_LAUNCH=outer"}),
              ElementsAre("GATE_LAUNCH=outer"));
}

TEST(Command, ProgramIsSearchedOnTheJobsOwnPath) {
  Job job = job_of({"train", "--lr", "a b"});
  job.env = {{"PATH", "/opt/bin::rel"}};
  const Command command = make_command(job, inherited);
  EXPECT_THAT(command.files, ElementsAre("/opt/bin/train", "./train", "rel/train"));
  EXPECT_THAT(command.argv, ElementsAre("train", "--lr", "a b"));
}

TEST(Command, ProgramWithASlashIsNotSearched) {
  EXPECT_THAT(files_of("./train", inherited), ElementsAre("./train"));
}

TEST(Command, WithoutPathTheUsualFoldersAreSearched) {
  EXPECT_THAT(files_of("bash", {}), ElementsAre("/usr/local/bin/bash", "/usr/bin/bash", "/bin/bash"));
}

TEST(Command, SetupTextIsOneArgumentAndNeverAnOption) {
  Job job = job_of({"bash", "a.sh"});
  job.setup = "-x; source 'set env.sh'";
  const Command command = make_command(job, inherited);
  EXPECT_TRUE(command.has_setup);
  EXPECT_THAT(command.argv, ElementsAre("bash", "-c", testing::Not(testing::HasSubstr("source")), "setup",
                                        "-x; source 'set env.sh'", "bash", "a.sh"));
}

TEST(Command, WithoutSetupTheScriptIsStartedAsItIs) {
  const Command command = make_command(job_of({"bash", "a.sh"}), inherited);
  EXPECT_FALSE(command.has_setup);
  EXPECT_THAT(command.argv, ElementsAre("bash", "a.sh"));
}

struct UnfitCase {
  Job job;
  std::string why;
};

Job with_variable(std::string name, std::string value) {
  Job job = job_of({"bash"});
  job.env = {{std::move(name), std::move(value)}};
  return job;
}

TEST(Command, UnfitJobsAreToldApart) {
  const std::string nul("a\0b", 3);
  const std::vector<UnfitCase> cases{
      {job_of({}), "there is no command to start"},
      {job_of({""}), "there is no command to start"},
      {job_of({"bash", nul}), "an argument holds a NUL byte"},
      {with_variable("A=B", "1"), "`A=B` cannot be the name of an environment variable"},
      {with_variable("", "1"), "`` cannot be the name of an environment variable"},
      {with_variable("A", nul), "the environment variable A holds a NUL byte"},
  };
  for (const UnfitCase& row : cases) EXPECT_EQ(unfit(row.job), row.why);
  EXPECT_EQ(unfit(with_variable("A", "=")), std::nullopt);
}

}  // namespace
}  // namespace gate::launch::command_test
