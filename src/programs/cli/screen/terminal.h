// What a command prints to, and how.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/options.h"
#include "gate/base/sentence.h"
#include "gate/base/time.h"
#include "gate/model/reports/report.h"
#include "gate/publish/report_files.h"
#include "gate/render/reporters.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::cli {

// Tell the receivers of [notify] how the run, or several that are merged, ended: not with --no-ci, not before
// it is done, and not in a bisection, which is a run for each commit for which somebody waits.
void notify_receivers(const app::Suite& suite, const Report& report, const CommandOptions& options);

// Return the language of what people read: of reports, progress and what becomes of candidates. All else, and
// whatever programs read, is English.
Language language_of(const CommandOptions& options);

class Terminal {
 public:
  explicit Terminal(const CommandOptions& options);

  const render::Style& style() const { return style_; }

  // Print a result to standard output. A closed or full output is remembered.
  void print(std::string_view text);

  // Write out what was printed. Returns false where nobody takes it any more.
  bool flush();

  // Print what `next` returns, again and again: over what stands there where a terminal is drawn on, as many
  // lines as it has, else behind it. Until a signal comes, nobody reads any more, or `next` returns nothing.
  app::Answer<int> print_again(bool draws, Duration every,
                               const std::function<app::Answer<std::optional<std::string>>()>& next);

  // Print why nothing was done, and return the exit code that it makes.
  int fail(const app::Failure& failure);

  // Write the files that the options name. Returns the report's exit code; 125 where one could not be written
  // and nothing worse happened.
  int write(const Report& report, const CommandOptions& options);

  // Write the files that --report names, print the report (as JSON with --json), tell the CI
  // system, and return its exit code; 125 where a file could not be written and nothing worse happened.
  int finish(Report report, const CommandOptions& options);

  // Flush; return 125 instead of 0 where the result could not be printed, and instead of 2 and 3 under
  // --bisect, which tells git bisect to skip.
  int close(int exit_code);

 private:
  render::Style style_;
  bool bisect_ = false;
  bool broken_ = false;
};

// A report that is none of cases: its kind as in --report, and its text.
struct ReportText {
  std::string_view kind;
  std::function<std::string()> text;
};

// Write those of the texts that --report names, and say on standard error where they are.
app::Answer<void> write_reports(const CommandOptions& options, std::initializer_list<ReportText> texts);

// Tell whether a report that the options name shows charts.
bool wants_charts(const CommandOptions& options);

// Return the reports of cases that the options name, and what writes them.
std::vector<publish::ReportFile> report_files(const CommandOptions& options);
publish::Publisher publisher_of(const CommandOptions& options);

// Fail where a report that the options name could not be written, would be written over what is the suite's,
// or two would be written to one file: before anything is launched.
app::Answer<void> check_outputs(const CommandOptions& options, const app::Suite& suite);

// Run the command that the options name, say why if it did nothing, and return the exit code.
int do_command(const CommandOptions& options, Terminal& terminal);

// A table for render, its first row the heads of the columns.
using TableRows = render::TextRows;

// Return the rows as --json has them, else as a table.
std::string table_output(const TableRows& rows, const CommandOptions& options, const render::Style& style);

}  // namespace gate::cli
