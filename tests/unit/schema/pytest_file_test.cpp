#include "gate/schema/pytest_file.h"

#include <gmock/gmock.h>

namespace gate::schema::pytest_file_test {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// Return a suite of these elements, with no attributes of its own unless they are given.
std::string suite_of(const std::string& tests, const std::string& attributes = "") {
  return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<testsuites><testsuite name=\"pytest\"" + attributes +
         ">" + tests + "</testsuite></testsuites>";
}

std::vector<EndedTest> tests_in(const std::string& xml) {
  const auto read = read_pytest_file(xml, "p.xml");
  EXPECT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read.value_or(PytestFile{}).fault, "");
  return read.value_or(PytestFile{}).tests;
}

EndedTest only_test(const std::string& element) {
  const std::vector<EndedTest> tests = tests_in(suite_of(element));
  EXPECT_EQ(tests.size(), 1U);
  return tests.empty() ? EndedTest{} : tests.front();
}

std::string name_of(const std::string& attributes) {
  return only_test("<testcase " + attributes + "/>").name;
}

std::string error_of(const std::string& xml) {
  const auto read = read_pytest_file(xml, "p.xml");
  if (!read) return read.error().message;
  EXPECT_TRUE(read->fault.empty() || read->tests.empty());
  return read->fault.empty() ? "no error" : read->fault;
}

TEST(PytestFile, NamesAreThoseOfPytest) {
  EXPECT_EQ(
      name_of(
          R"(classname="tests.ut.test_rope.TestRope" name="test_x[fp16-中 文]" file="tests/ut/test_rope.py")"),
      "tests/ut/test_rope.py::TestRope::test_x[fp16-中 文]");
  EXPECT_EQ(name_of(R"(classname="test_a" name="test_x[a::b.c]" file="test_a.py")"),
            "test_a.py::test_x[a::b.c]");
  EXPECT_EQ(name_of(R"(classname="v1.2.test_a.A.B" name="t" file="v1.2/test_a.py")"),
            "v1.2/test_a.py::A::B::t");
  EXPECT_EQ(name_of(R"(classname="" name="tests.test_b" file="tests/test_b.py")"), "tests/test_b.py");
  EXPECT_EQ(name_of(R"(classname="tests.test_b" name="t")"), "tests.test_b::t") << "no path is told";
  EXPECT_EQ(name_of(R"(name="t")"), "t");
  EXPECT_EQ(name_of(R"(classname="a.test_ab" name="t" file="a/test_a.py")"), "a.test_ab::t");
}

TEST(PytestFile, AnInheritedTestIsNamedByTheModuleThatRunsIt) {
  const auto tests =
      tests_in(suite_of(R"(<testcase classname="t.test_child.TestChild" name="test_x" file="t/base.py"/>)"
                        R"(<testcase classname="t.test_child" name="test_own" file="t/test_child.py"/>)"));
  ASSERT_EQ(tests.size(), 2U);
  EXPECT_EQ(tests[0].name, "t/test_child.py::TestChild::test_x");
}

TEST(PytestFile, SaysHowATestEndedWhyAndWhere) {
  const EndedTest failed =
      only_test(R"(<testcase classname="t.test_a" name="x" file="t/test_a.py" line="3" time="0.009">)"
                R"(<failure message="AssertionError: no&#10;assert 1 == 2">def x():
&gt;   assert 1 == 2, "no"
E   AssertionError: no

t/test_a.py:5: in x
t/helper.py:17: AssertionError</failure></testcase>)");
  EXPECT_EQ(failed.end, TestEnd::failed);
  EXPECT_EQ(failed.message, "AssertionError: no");
  EXPECT_EQ(failed.result, (TestResult{"t.test_a", "t/helper.py", 17, milliseconds(9)}));
  const EndedTest erred = only_test(
      R"(<testcase classname="" name="t.test_b" file="t/test_b.py"><error message="collection failure">)"
      "\nE   ModuleNotFoundError: No module named 'nope'</error></testcase>");
  EXPECT_EQ(erred.end, TestEnd::erred);
  EXPECT_EQ(erred.message, "collection failure: ModuleNotFoundError: No module named 'nope'");
  EXPECT_EQ(erred.result.file, "t/test_b.py");
  const EndedTest skipped = only_test(
      R"(<testcase classname="a" name="x" file="a.py" line="4"><skipped type="pytest.skip" message="no NPU">)"
      "/far/a.py:9: no NPU</skipped></testcase>");
  EXPECT_EQ(skipped.end, TestEnd::skipped);
  EXPECT_EQ(skipped.message, "no NPU");
  EXPECT_EQ(skipped.result, (TestResult{"a", "a.py", 5, milliseconds(0)}));
  EXPECT_EQ(
      only_test(R"(<testcase name="x"><skipped type="pytest.xfail" message="bug 7"/></testcase>)").message,
      "expected to fail: bug 7");
  EXPECT_EQ(only_test(R"(<testcase name="x"><properties><failure/></properties></testcase>)").end,
            TestEnd::passed)
      << "no failure of the test's";
}

TEST(PytestFile, OfSeveralResultsTheWorstCounts) {
  const auto tests = tests_in(suite_of(
      R"(<testcase name="x" time="1"><failure message="f"/></testcase>)"
      R"(<testcase name="x" time="0.5"><error message="e"/></testcase>)"
      R"(<testcase name="y"><skipped message="s"/><failure message="f"/><error message="e"/></testcase>)"
      R"(<testcase name="z"/><testcase name="z"><skipped message="s"/></testcase>)"));
  ASSERT_EQ(tests.size(), 3U);
  EXPECT_EQ(tests[0].message, "f");
  EXPECT_EQ(tests[0].result.duration, milliseconds(1500));
  EXPECT_EQ(tests[1].message, "f");
  EXPECT_EQ(tests[2].end, TestEnd::skipped);
}

TEST(PytestFile, MayHoldNoTest) { EXPECT_THAT(tests_in(suite_of("", " tests=\"0\"")), IsEmpty()); }

TEST(PytestFile, RefusesWhatPytestDoesNotWrite) {
  EXPECT_THAT(error_of(""), StartsWith("p.xml:1:1: no element found"));
  EXPECT_THAT(error_of("garbage"), StartsWith("p.xml:1:1: "));
  EXPECT_THAT(error_of("<html/>"), HasSubstr("no JUnit file"));
  EXPECT_THAT(error_of("<testsuites/>"), HasSubstr("no element testsuite"));
  EXPECT_THAT(error_of("<testsuites>\n <testsuite>"), StartsWith("p.xml:2:13: no element found"));
  EXPECT_THAT(error_of(suite_of("<testcase time=\"1\"/>")), HasSubstr("without a name"));
  for (const char* time : {"nan", "inf", "-1", "1e300", "1,5", "0x10", ""})
    EXPECT_THAT(error_of(suite_of("<testcase name=\"x\" time=\"" + std::string(time) + "\"/>")),
                StartsWith("p.xml:2:38: no time: "))
        << time;
  EXPECT_THAT(error_of(suite_of("<testcase name=\"" + std::string(5000, 'x') + "\"/>")),
              HasSubstr("a name of more than 4096 bytes"));
  EXPECT_THAT(error_of(suite_of("<testcase name=\"\xff\"/>")), HasSubstr("not well-formed"));
}

TEST(PytestFile, HasNoDocumentTypeAndSoNoEntities) {
  const std::string bomb =
      "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><testsuites><testsuite>&b;</testsuite>"
      "</testsuites>";
  EXPECT_THAT(error_of(bomb), StartsWith("p.xml:1:"));
  EXPECT_THAT(error_of(bomb), HasSubstr("a document type"));
  EXPECT_THAT(error_of("<!DOCTYPE x SYSTEM \"file:///etc/passwd\"><testsuite/>"),
              HasSubstr("a document type"));
  EXPECT_THAT(error_of(suite_of("&b;")), HasSubstr("undefined entity"));
}

TEST(PytestFile, IsBounded) {
  std::string deep, many;
  for (int i = 0; i < 100; ++i) deep += i == 0 ? "<properties>" : "<a>";
  EXPECT_THAT(error_of(suite_of(deep)), HasSubstr("too deep"));
  for (int i = 0; i <= 100'000; ++i) many += "<testcase name=\"" + std::to_string(i) + "\"/>";
  EXPECT_THAT(error_of(suite_of(many)), HasSubstr("more tests than 100000"));
  EXPECT_THAT(error_of(std::string(most_pytest_bytes + 1, ' ')), HasSubstr("67108864 are read at most"));
}

TEST(PytestFile, CountsItsFailuresAndErrors) {
  const std::string failure = R"(<testcase name="x"><failure message="f"/></testcase>)";
  EXPECT_EQ(tests_in(suite_of(failure, R"( failures="1" errors="0" tests="7")")).size(), 1U);
  EXPECT_THAT(error_of(suite_of(failure, R"( failures="2")")), HasSubstr("counts 2 failures and holds 1"));
  EXPECT_THAT(error_of(suite_of(failure, R"( errors="1")")), HasSubstr("counts 1 errors and holds 0"));
  EXPECT_THAT(error_of(suite_of(failure, R"( errors="no")")), HasSubstr("no number: errors"));
}

const std::string passed = R"(<testcase name="p"/>)", skips = R"(<testcase name="s"><skipped/></testcase>)",
                  fails = R"(<testcase name="f"><failure/></testcase>)",
                  errs = R"(<testcase name="f"><error/></testcase>)";

TEST(PytestFile, CountsItsTestsAsPytestDoes) {
  struct Row {
    std::string tests, counts, why;
  };
  for (const auto& [tests, counts, why] : {
           Row{passed + skips, R"(tests="2" skipped="1" disabled="0")", ""},
           Row{passed + skips, R"(tests="2" skips="1")", ""},
           Row{fails + errs, R"(tests="1" failures="1" errors="1")", ""},  // it could not be torn down either
           Row{errs, R"(tests="2" errors="1")", ""},                       // likewise, and it had passed
           Row{passed, R"(tests="0")", "counts 0 tests and holds 1"},      // --setup-only
           Row{passed, R"(tests="2")", "counts 2 tests and holds 1"},
           Row{passed + skips, R"(tests="3" skipped="1")", "counts 3 tests and holds 2"},
           Row{passed + passed + fails, R"(tests="2")", "counts 2 tests and holds 3"},
           Row{passed, R"(tests="1.0")", "no number: tests"},
           Row{passed + skips, R"(skipped="0")", "counts 0 skipped and holds 1"},
           Row{passed, R"(skips="1")", "counts 1 skipped and holds 0"},
           Row{passed, R"(disabled="1")", "counts 1 skipped and holds 0"},
       }) {
    const std::string of_all = "<testsuites " + counts + "><testsuite>" + tests + "</testsuite></testsuites>";
    for (const std::string& xml : {suite_of(tests, " " + counts), of_all})
      EXPECT_THAT(error_of(xml), why.empty() ? HasSubstr("no error") : HasSubstr(why)) << xml;
  }
  EXPECT_THAT(error_of("<testsuites tests=\"2\"><testsuite tests=\"1\">" + passed +
                       "</testsuite><testsuite>" + passed + "</testsuite></testsuites>"),
              HasSubstr("no error"));
}

TEST(PytestFile, SubtestsThatPassedAreCountedAndNotListed) {
  const std::string xml = suite_of(passed, R"( tests="4")");
  EXPECT_EQ(read_pytest_file(xml, "p.xml", {.passed_subtests = 3})->fault, "");
  EXPECT_THAT(read_pytest_file(xml, "p.xml", {.passed_subtests = 2})->fault, StartsWith("p.xml:2:"));
}

TEST(PytestFile, RefusesElementsTextAndStatusesThatPytestNeverWrites) {
  for (const char* element : {"testsuite", "error", "failure", "system-err", "system-out", "x:testcase"})
    EXPECT_THAT(error_of(suite_of(passed + "<" + element + "/>")),
                HasSubstr("p.xml:2:58: <" + std::string(element) + "> in a <testsuite>"));
  for (const char* element : {"flakyFailure", "rerunFailure", "timeout", "Failure", "testcase"})
    EXPECT_THAT(error_of(suite_of("<testcase name=\"x\"><" + std::string(element) + "/></testcase>")),
                HasSubstr("> in a <testcase>, which pytest never writes"));
  EXPECT_THAT(error_of("<testsuites><error/></testsuites>"), HasSubstr("<error> in a <testsuites>"));
  EXPECT_THAT(error_of(suite_of("FAILED")), HasSubstr("p.xml:2:38: text in a <testsuite>"));
  for (const char* word : {"notrun", "failed", "Skipped", "inconclusive"})
    for (const char* name : {"status", "result"})
      EXPECT_THAT(error_of(suite_of("<testcase name=\"x\" " + std::string(name) + "=\"" + word + "\"/>")),
                  HasSubstr("a test of status " + std::string(word)));
  EXPECT_EQ(only_test(R"(<testcase name="x" status="Run" result="completed"/>)").end, TestEnd::passed);
  EXPECT_EQ(only_test(R"(<testcase name="x" status="notrun"><skipped/></testcase>)").end, TestEnd::skipped);
}

TEST(PytestFile, IsUtf8) {
  std::string wide;
  for (const char c : suite_of(passed)) wide += {c, '\0'};
  EXPECT_THAT(error_of("\xFF\xFE" + wide), StartsWith("p.xml:1:1: UTF-16"));
  EXPECT_THAT(error_of(wide), StartsWith("p.xml:1:1: UTF-16"));
  EXPECT_THAT(error_of("<?xml version=\"1.0\" encoding=\"latin1\"?><testsuites/>"),
              HasSubstr("encoding latin1, and pytest writes UTF-8"));
  EXPECT_EQ(tests_in("\xEF\xBB\xBF" + suite_of(passed)).size(), 1U);
}

TEST(PytestFile, TellsWhichTestsAreOfTheScript) {
  struct Row {
    std::string attributes;
    bool is_own;
  };
  for (const auto& [attributes, is_own] : {
           Row{R"(classname="tests.ut.test_a" file="tests/ut/test_a.py")", true},
           Row{R"(classname="tests.ut.test_a.TestX")", true},
           Row{R"(classname="PREFIX.tests.ut.test_a" file="tests/ut/test_a.py")", true},
           Row{R"(classname="ut.test_a" file="ut/test_a.py")", true},
           Row{R"(classname="qa.tests.ut.test_a" file="qa/tests/ut/test_a.py")", true},
           Row{R"(classname="" file="../ut/test_a.py")", true},
           Row{R"(classname="tests.ut.test_a.TestX" file="tests/ut/base.py")", true},
           Row{R"(classname="tests.ut.test_b" file="tests/ut/test_b.py")", false},
           Row{R"(classname="other.test_a" file="other/test_a.py")", false},
           Row{R"(classname="tests.ut.test_ab")", false},
           Row{R"(classname="TestX")", false},
           Row{R"(classname="tests.ut.test_a.test_b" file="tests/ut/test_a/test_b.py")", false},
           Row{R"(classname="" file="tests/ut/test_b.py")", false},
       }) {
    const auto read = read_pytest_file(suite_of("<testcase name=\"x\" " + attributes + "/>"), "p.xml",
                                       {.script = "tests/ut/test_a.py"});
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(std::pair(read->own, read->foreign), (is_own ? std::pair(1L, 0L) : std::pair(0L, 1L)))
        << attributes;
    EXPECT_THAT(read->first_foreign, StartsWith(is_own ? "" : "p.xml:2:38: ")) << attributes;
  }
}

}  // namespace
}  // namespace gate::schema::pytest_file_test
