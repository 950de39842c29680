// What pytest says of a launch: the tests of its JUnit file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/time.h"

namespace gate {

// What became of one test, beside the status of its check.
struct TestResult {
  std::string class_name;  // as JUnit has it: `tests.ut.test_rope.TestRope`; "" of a module that fails
  std::string file;        // where that was, as pytest names it; "" where it does not tell
  std::uint32_t line = 0;  // from 1; 0 where it is not told
  Duration duration{};
  bool operator==(const TestResult&) const = default;
};

// The rule of a check that is a test.
inline constexpr std::string_view test_rule = "pytest";

// How a test ended, the worst last. One that was expected to fail and did is skipped.
enum class TestEnd : std::uint8_t { passed, skipped, erred, failed };

struct EndedTest {
  std::string name;  // pytest's: `tests/ut/test_rope.py::TestRope::test_x[fp16]`
  TestEnd end = TestEnd::passed;
  std::string message;  // why it failed, erred or was skipped, in one line; "" where it passed
  TestResult result;
  bool operator==(const EndedTest&) const = default;
};

struct TestRun {
  std::vector<EndedTest> tests;  // each name once, in the order of the file
  Sentence fault;                // why they are not all that was to be judged, and what to do; "": they are
  std::string last = {};         // which test began last, of a launch without a file; "" where it is not told
  Sentence left_out = {};        // why no test was run, and none was lost; "": no such thing is known
  bool operator==(const TestRun&) const = default;
};

}  // namespace gate
