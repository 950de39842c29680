// What a command prints to, and the exit code that is left in the end.
#include "cli/screen/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "../temporary.h"
#include "gate/base/log.h"
#include "gate/model/rules/verdict.h"

namespace gate::cli::terminal_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

class Printing : public Temporary {
 protected:
  Printing() {
    report.exit_code = exit_code::ok;
    report.command = "list";  // no CI system is told
    report.cases.resize(1);
    report.cases[0].name = "a";
    report.cases[0].verdict = Verdict::passed;
  }

  // Return the exit code; what was printed and said is in `out` and `err`.
  int finish() {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = Terminal(options).finish(report, options);
    log::settle();
    out = testing::internal::GetCapturedStdout();
    err = testing::internal::GetCapturedStderr();
    return code;
  }

  CommandOptions options;
  Report report;
  std::string out, err;
};

TEST_F(Printing, AReportIsPrintedAndItsCodeReturned) {
  EXPECT_EQ(finish(), exit_code::ok);
  EXPECT_THAT(out, EndsWith("GREEN: 1 passed (exit 0)\n"));
  options.json = true;
  EXPECT_EQ(finish(), exit_code::ok);
  EXPECT_THAT(out, HasSubstr("\"schema\": \"gate.result/1\""));
}

TEST_F(Printing, AFileThatCannotBeWrittenMakesGreenInfra) {
  options.reports.files = {{"junit", (root / "gone" / "j.xml").string()}};
  EXPECT_EQ(finish(), exit_code::infra);
  EXPECT_THAT(err, HasSubstr("gone"));
  EXPECT_THAT(out, EndsWith("(exit 125)\n")) << "and the report says so itself";
  report.exit_code = exit_code::regressed;
  report.cases[0].verdict = Verdict::regressed;
  EXPECT_EQ(finish(), exit_code::regressed) << "what is worse stands";
}

TEST_F(Printing, ABisectionIsToldToSkipWhatWasNotTested) {
  for (const int code : {exit_code::ok, exit_code::regressed, exit_code::failed, exit_code::infra}) {
    options.bisect = true;
    EXPECT_EQ(Terminal(options).close(code), code);
  }
  EXPECT_EQ(Terminal(options).close(exit_code::usage), exit_code::infra);
  EXPECT_EQ(Terminal(options).close(exit_code::refused), exit_code::infra);
  options.bisect = false;
  EXPECT_EQ(Terminal(options).close(exit_code::refused), exit_code::refused);
}

TEST_F(Printing, WhyNothingWasDoneIsSaidOnStandardError) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(Terminal(options).fail({exit_code::refused, "no baseline"}), exit_code::refused);
  log::settle();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "gate: no baseline\n");
}

TEST_F(Printing, WordsChooseTheStyle) {
  options.color = "always";
  options.verbosity = 1;
  EXPECT_EQ(Terminal(options).style().color, render::Color::yes);
  EXPECT_TRUE(Terminal(options).style().verbose);
  options.color = "never";
  options.verbosity = -1;
  EXPECT_EQ(Terminal(options).style().color, render::Color::no);
  EXPECT_TRUE(Terminal(options).style().quiet);
  options.verbosity = 0;
  EXPECT_FALSE(Terminal(options).style().quiet);
}

}  // namespace
}  // namespace gate::cli::terminal_test
