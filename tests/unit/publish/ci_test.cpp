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

}  // namespace
}  // namespace gate::publish::ci_test
