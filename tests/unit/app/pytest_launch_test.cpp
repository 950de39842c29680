#include "gate/judging/pytest_launch.h"

#include <gmock/gmock.h>

#include "../temporary.h"
#include "gate/base/text.h"

namespace gate::app::pytest_launch_test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
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

TEST(PytestLaunch, WhatTheShellAsksOfPytestIsTold) {
  EXPECT_EQ(options_of_shell(asked({}, "-k 'a b' "), {}), "-k 'a b'");
  EXPECT_EQ(options_of_shell(asked({}, ""), {}), "");
  const std::map<std::string, std::string> own{{"PYTEST_ADDOPTS", "-x"}};
  EXPECT_EQ(options_of_shell(asked(own, "-k a"), own), "");
}

TEST(PytestLaunch, TheLastLineOfPytestTellsWhatTheFileDoesNot) {
  struct Row {
    std::string log;
    PytestEnd end;
  };
  for (const auto& [log, end] : {
           Row{".\n1 passed, 3 deselected in 0.01s\n", {3, 0}},
           Row{"= \x1b[32m1 passed\x1b[0m, \x1b[33m2 deselected\x1b[0m in 61.20s (0:01:01) =\nbye\n", {2, 0}},
           Row{"1 passed, 4 subtests passed, 1 warning in 0.01s", {0, 4}},
           Row{"2 deselected in 0.00s\r\n", {2, 0}},
           Row{"9 deselected in 1s\n1 passed in 2s\n", {0, 0}},
           Row{"3 deselected in all\nno tests ran in 0.01s\n2 deselected, or so, in 1s\n", {0, 0}},
           Row{"", {0, 0}},
       })
    EXPECT_EQ(last_line_of_pytest(log), end) << log;
}

// Of a file of one test that the script's launch is to have made.
struct Read {
  Sentence fault;
  std::vector<Sentence> notes;
};

Read read_test(const std::string& classname, const std::string& launch,
               const std::string& script = "tests/test_a.py") {
  config::Case spec;
  spec.script = script;
  spec.launch = launch;
  spec.cwd = "/nowhere";
  Read read;
  const auto run = tests_of_file("<testsuites><testsuite><testcase name=\"x\" classname=\"" + classname +
                                     "\"/></testsuite></testsuites>",
                                 "p.xml", spec, 0, read.notes);
  read.fault = run ? run->fault : Sentence(run.error().message);
  return read;
}

TEST(PytestLaunch, TestsOfAnotherScriptAreRefusedWhereItIsLaunchedAlone) {
  const std::string other = "tests.test_b";
  EXPECT_THAT(read_test("tests.test_a", "pytest {script}").notes, IsEmpty());
  for (const char* launch : {"python3 -m pytest -q {script}", "bash wrapper.sh {script}"})
    EXPECT_EQ(read_test(other, launch).fault,
              "pytest's file holds no test of tests/test_a.py; the first of other files is at p.xml:1:24: "
              "tests.test_b::x")
        << launch;
  for (const char* launch : {"pytest {script} b.py", "pytest {folder} {script}", "pytest a.py::x {script}"}) {
    const Read read = read_test(other, launch);
    EXPECT_EQ(read.fault, "") << launch;
    EXPECT_THAT(read.notes,
                ElementsAre("1 test of other files than tests/test_a.py, the first at p.xml:1:24: "
                            "tests.test_b::x"));
  }
  EXPECT_EQ(read_test(other, "python3 {script}", "tests/run.py").fault, "");
  EXPECT_THAT(read_test(other, "bash {script}", "tests/run.sh").notes, IsEmpty());
}

using PytestLog = Temporary;

TEST_F(PytestLog, NothingIsRunWithOptionsOfTheShellThatLeaveAllOut) {
  config::Case spec;
  const auto left_out = [&](const std::string& options, const std::string& tests, const std::string& line) {
    put("log", line);
    std::vector<Sentence> notes;
    const TestRun run =
        tests_of_launch({"<testsuites><testsuite tests=\"0\">" + tests + "</testsuite></testsuites>", "p.xml",
                         root / "log", options},
                        spec, Masker(), notes);
    return (run.fault + run.left_out + " | " + join(notes, ", ")).english();
  };
  const std::string not_run = "<testcase name=\"x\" classname=\"a\"/>";
  EXPECT_EQ(left_out("-x --setup-only", not_run, ""),
            "no test was run: PYTEST_ADDOPTS of the shell has --setup-only | PYTEST_ADDOPTS of the shell: -x "
            "--setup-only");
  EXPECT_EQ(left_out("", "", "2 deselected in 0.1s"),
            "no test was run: pytest deselected 2 tests | pytest deselected 2 tests");
  EXPECT_THAT(left_out("", not_run, ""), HasSubstr("counts 0 tests and holds 1"));
}

// Each test as it ended on the rank where it ended worst; a file that was written twice is not all of it.
TEST_F(PytestLog, ManyRanksAreOneRun) {
  const auto file = [](const std::string& a, const std::string& b) {
    return "<testsuites><testsuite><testcase name=\"a\" classname=\"t\">" + a +
           "</testcase><testcase name=\"" + b + "\" classname=\"t\"/></testsuite></testsuites>";
  };
  put("log", "");
  std::vector<Sentence> notes;
  PytestTraces traces{file("", "b"), "pytest-1-0.xml", root / "log"};
  traces.further = {{"pytest-1-3.xml", file("<failure message=\"why\"/>", "c")},
                    {"pytest-1-7.xml", file("", "b")}};
  const TestRun run = tests_of_launch(traces, {}, Masker(), notes);
  std::string told;
  for (const EndedTest& test : run.tests)
    told += test.result.class_name + (test.message.empty() ? "" : ": " + test.message) + "; ";
  EXPECT_EQ(told + run.fault.english(), "t: rank 3: why; t; t; ");
  traces.twice = true;
  EXPECT_THAT(tests_of_launch(traces, {}, Masker(), notes).fault.english(),
              HasSubstr("wrote its file 2 times"));
}

TEST_F(PytestLog, TellsHowOftenPytestWroteItsFile) {
  const std::string line = "--- generated xml file: /run/scratch/pytest-1.xml ---\n";
  put("log", "a\n" + line + std::string(600'000, 'x') + "\n" + line + "generated xml file: own.xml\n" + line);
  EXPECT_EQ(times_written(root / "log", "pytest-1.xml"), 3);
  EXPECT_EQ(times_written(root / "log", "pytest-2.xml"), 0);
  EXPECT_EQ(times_written(root / "none", "pytest-1.xml"), 0);
}

}  // namespace
}  // namespace gate::app::pytest_launch_test
