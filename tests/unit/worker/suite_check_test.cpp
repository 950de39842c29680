#include "worker/suite_check.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "../temporary.h"
#include "gate/model/rules/verdict.h"

namespace gate::worker::suite_check_test {
namespace {

using testing::ElementsAre;
using testing::Pair;

class SuiteCheck : public Temporary {};

TEST_F(SuiteCheck, LooksUpwardsToTheTopOfTheTree) {
  put("gate.toml", "");
  put("a/b/file", "");
  EXPECT_EQ(find_suite(root / "a/b"), fs::whole_path(root));
  put("a/.git/HEAD", "");
  EXPECT_EQ(find_suite(root / "a/b"), fs::Path());
  put("a/gate.toml", "");
  EXPECT_EQ(find_suite(root / "a/b"), fs::whole_path(root) / "a");
}

TEST_F(SuiteCheck, AsksGateForTheCases) {
  put("gate", R"(#!/bin/sh
echo "$@" >"$(dirname "$0")/asked"
echo '[{"case": "a", "setting": "accuracy_test", "value": "true"}, {"case": "a", "setting": "stages.upload.to", "value": "r/{test_id}"},'
echo ' {"case": "b/c", "setting": "accuracy_test", "value": "false"}]'
)");
  ::chmod((root / "gate").c_str(), 0700);
  const auto cases = ask_cases(root / "gate", root / "it's", "");
  ASSERT_TRUE(cases);
  EXPECT_THAT(*cases, ElementsAre(Pair("a", CaseFacts{true, "r/{test_id}"}), Pair("b/c", CaseFacts{})));
  EXPECT_EQ(get("asked"), "-C " + (root / "it's").string() + " list --explain ** --json\n");
  ASSERT_TRUE(ask_cases(root / "gate", root, "other.toml"));
  EXPECT_EQ(get("asked"), "--config other.toml list --explain ** --json\n");
}

// Where the cases upload to, and where the hub is told that it is.
TEST_F(SuiteCheck, RefusesResultsThatWouldLieNowhere) {
  struct Row {
    const char *to, *results, *mistake;
  };
  for (const Row& row : std::vector<Row>{
           {"", "s3://ci/r/{test_id}", ""},
           {"s3://ci/r/{test_id}", "", ""},
           {"s3://ci/r/{test_id}", "https://hub/r/{test_id}", ""},
           {"s3://ci/r/{test_id}/", "obs://ci/r/{test_id}", ""},
           {"r/{test_id}", "file:///suite/r/{test_id}", ""},
           {"/x/{case}/{test_id}", "/x/a/{test_id}/", ""},
           {"/x/results/{test_id}", "/x/elsewhere/{test_id}", "addresses at which nothing lies"},
           {"s3://ci/r/{test_id}", "s3://ci/{test_id}", "write results = \"s3://ci/r/{test_id}\""},
           {"/x/r", "", "write /x/r/{test_id}"},
           {"/x/{case}/", "https://hub/r/{test_id}", "write /x/{case}/{test_id}"},
           {"/x/{run}", "", ""}}) {
    config::WorkerSettings settings;
    settings.tests["accuracy_test/inference"] = "a";
    settings.results = row.results;
    const Status good = check_tests(settings, {{"a", {true, row.to}}}, "/suite");
    EXPECT_EQ(good.has_value(), *row.mistake == 0) << row.to << " " << row.results;
    if (!good) EXPECT_THAT(good.error().message, testing::HasSubstr(row.mistake));
  }
}

TEST_F(SuiteCheck, EndsAsGateEnds) {
  put("gate", "#!/bin/sh\nexit 2\n");
  ::chmod((root / "gate").c_str(), 0700);
  EXPECT_EQ(ask_cases(root / "gate", root, "").error(), 2);
}

TEST_F(SuiteCheck, AnotherProgramCalledGateIsNone) {
  for (const char* said : {"usage: gate FILE", "[1]", "[{\"setting\": \"accuracy_test\", \"case\": 1}]"}) {
    put("gate", "#!/bin/sh\necho '" + std::string(said) + "'\n");
    ::chmod((root / "gate").c_str(), 0700);
    EXPECT_EQ(ask_cases(root / "gate", root, "").error(), exit_code::infra) << said;
  }
}

}  // namespace
}  // namespace gate::worker::suite_check_test
