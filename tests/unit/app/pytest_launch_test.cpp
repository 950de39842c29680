#include "app/tests/pytest_launch.h"

#include <gmock/gmock.h>

#include "../temporary.h"

namespace gate::app::pytest_launch_test {
namespace {

using testing::EndsWith;
using testing::StartsWith;

std::map<std::string, std::string> asked(std::map<std::string, std::string> env, const std::string& inherited,
                                         config::JudgeMode judge = config::JudgeMode::pytest) {
  config::Settings settings;
  settings.judge = judge;
  ask_for_tests(env, settings, inherited, "cookie");
  return env;
}

TEST(PytestLaunch, WhatTheUserAsksOfPytestStaysInFront) {
  const std::string options = asked({}, "")["PYTEST_ADDOPTS"];
  EXPECT_THAT(options, StartsWith("-o junit_family=xunit1 "));
  EXPECT_THAT(options, EndsWith(".xml'"));
  EXPECT_NE(options.find("--junitxml='$GATE_SCRATCH/pytest-"), std::string::npos) << options;
  EXPECT_EQ(asked({}, "-k 'a b'")["PYTEST_ADDOPTS"], "-k 'a b' " + options);
  EXPECT_EQ(asked({{"PYTEST_ADDOPTS", "-x"}}, "-k a")["PYTEST_ADDOPTS"], "-x " + options);
  EXPECT_FALSE(asked({}, "-k a", config::JudgeMode::exit).contains("PYTEST_ADDOPTS"));
}

TEST(PytestLaunch, TheTestThatBeganLastIsTheOneThatPytestPrintedLast) {
  EXPECT_EQ(last_test_begun("tests/a.py::test_1 PASSED  [ 50%]\ntests/a.py::TestB::test_2 "),
            "tests/a.py::TestB::test_2");
  EXPECT_EQ(last_test_begun("a.py::test_x[a b] PASSED  [ 50%]\nsome words\n"), "a.py::test_x[a b]");
  EXPECT_EQ(last_test_begun("a.py::test_x[[c] d] output of it"), "a.py::test_x[[c] d]");
  EXPECT_EQ(last_test_begun("a.py::test_中文 "), "a.py::test_中文");
  EXPECT_EQ(last_test_begun("..F.\nFAILED a.py::test_x - assert 0\n"), "") << "a summary";
  EXPECT_EQ(last_test_begun(""), "");
}

using PytestLog = Temporary;

TEST_F(PytestLog, TellsHowOftenPytestWroteItsFile) {
  const std::string line = "--- generated xml file: /run/scratch/pytest-1.xml ---\n";
  put("log", "a\n" + line + std::string(600'000, 'x') + "\n" + line + "generated xml file: own.xml\n" + line);
  EXPECT_EQ(times_written(root / "log", "pytest-1.xml"), 3);
  EXPECT_EQ(times_written(root / "log", "pytest-2.xml"), 0);
  EXPECT_EQ(times_written(root / "none", "pytest-1.xml"), 0);
}

}  // namespace
}  // namespace gate::app::pytest_launch_test
