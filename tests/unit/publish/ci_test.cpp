#include "gate/publish/ci.h"

#include <gtest/gtest.h>

#include <map>

#include "gate/base/text.h"

namespace gate::publish::ci_test {
namespace {

std::map<std::string, std::string> environment;

std::string system_in(std::map<std::string, std::string> variables) {
  environment = std::move(variables);
  const CiRow* row = ci_system([](const char* name) { return value_under(environment, name); });
  return row == nullptr ? "none" : std::string(row->name);
}

TEST(Ci, IsKnownByItsVariable) {
  EXPECT_EQ(system_in({{"GITHUB_ACTIONS", "true"}, {"CI", "true"}}), "GitHub Actions");
  EXPECT_EQ(system_in({{"TF_BUILD", "True"}}), "Azure Pipelines");
  EXPECT_EQ(system_in({{"GITLAB_CI", "true"}}), "GitLab CI");
  EXPECT_EQ(system_in({{"JENKINS_URL", "https://ci.example.com/"}}), "Jenkins");
}

TEST(Ci, OthersAreNone) {
  EXPECT_EQ(system_in({}), "none");
  EXPECT_EQ(system_in({{"CI", "true"}}), "none");
  EXPECT_EQ(system_in({{"GITHUB_ACTIONS", "false"}, {"JENKINS_URL", ""}}), "none");
}

render::CiLinks links_in(std::map<std::string, std::string> variables) {
  environment = std::move(variables);
  return ci_links([](const char* name) { return value_under(environment, name); });
}

TEST(Ci, TellsWhereItCanBeSeen) {
  const auto github = links_in(
      {{"GITHUB_SERVER_URL", "https://g.example.com"}, {"GITHUB_REPOSITORY", "a/b"}, {"GITHUB_RUN_ID", "5"}});
  EXPECT_EQ(github.job, "https://g.example.com/a/b/actions/runs/5");
  EXPECT_EQ(github.artifacts, "https://g.example.com/a/b/actions/runs/5#artifacts");
  EXPECT_EQ(github.commits, "https://g.example.com/a/b/commit/");
  const auto gitlab = links_in(
      {{"CI_JOB_URL", "https://l.example.com/a/-/jobs/7"}, {"CI_PROJECT_URL", "https://l.example.com/a"}});
  EXPECT_EQ(gitlab.job, "https://l.example.com/a/-/jobs/7");
  EXPECT_EQ(gitlab.artifacts, "https://l.example.com/a/-/jobs/7/artifacts/browse");
  EXPECT_EQ(gitlab.commits, "https://l.example.com/a/-/commit/");
  const auto jenkins = links_in({{"BUILD_URL", "https://j.example.com/job/x/3/"}});
  EXPECT_EQ(jenkins.artifacts, "https://j.example.com/job/x/3/artifact/");
  EXPECT_EQ(jenkins.commits, "");
  const auto azure = links_in({{"SYSTEM_COLLECTIONURI", "https://dev.azure.com/o/"},
                               {"SYSTEM_TEAMPROJECTID", "1-2"},
                               {"BUILD_BUILDID", "9"}});
  EXPECT_EQ(azure.job, "https://dev.azure.com/o/1-2/_build/results?buildId=9");
}

TEST(Ci, WhatIsToldInPartIsNoAddress) {
  EXPECT_EQ(links_in({}).job, "");
  EXPECT_EQ(links_in({{"GITHUB_SERVER_URL", "https://g.example.com"}, {"GITHUB_RUN_ID", "5"}}).job, "");
  EXPECT_EQ(links_in({{"CI_JOB_URL", "https://l.example.com/7"}}).commits, "");
}

}  // namespace
}  // namespace gate::publish::ci_test
