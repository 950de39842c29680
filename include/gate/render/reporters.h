// A report as bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/reports/report.h"

namespace gate::render {

enum class Color { no, yes };

// Addresses of the CI job that runs gate; "" where the CI system gives none.
struct CiLinks {
  std::string job;
  std::string artifacts;  // what the job kept, pages of reports among it
  std::string commits;    // what a commit's hash is put behind
};

struct Style {
  Color color = Color::no;
  int width =
      100;  // columns; 0 is no limit (right where nobody looks at a terminal), below 40 is taken as 40
  bool quiet = false;       // red cases and the last line only
  bool verbose = false;     // every check of every case
  std::string folder = {};  // paths below it are shown from it; "": paths are shown whole
  Language language = Language::english;
  CiLinks links = {};  // shown in Markdown
};

// What a report shows beside what is stored of a run: the series and logs in its folder.
enum class Needs { nothing, charts };

struct ReporterRow {
  std::string_view name;  // as in --format
  std::string_view doc;
  std::string (*render)(const Report& report, const Style& style);
  Needs needs = Needs::nothing;
};

std::span<const ReporterRow> reporters();
const ReporterRow* find_reporter(std::string_view name);

// Return the report for a terminal: what passed, what was skipped, red cases last with what to do about each,
// then the line that counts all verdicts. Only `text` and `explain` look at the style; Markdown at its
// language and links, `html` at its language. Lines to be pasted keep their length.
std::string text(const Report& report, const Style& style);

// Return gate.result/1.
std::string json(const Report& report, const Style& style);

// Return JUnit XML: a testcase per case. A run that is red without a red case gets a testcase `gate` with an
// error.
std::string junit(const Report& report, const Style& style);

// How much Markdown GitHub takes: in the summary of a step, and, less a line of the caller's, in a comment
// (65,536; GitLab's notes hold more).
inline constexpr std::size_t summary_bytes = 1024 * 1024;
inline constexpr std::size_t comment_bytes = 65'000;

// Up to here a comment holds what opens: the red cases in full, and the others.
inline constexpr std::size_t brief_comment_bytes = 9'500;

// Return a heading, a line for each red case, what the tree would change of the policy, and as parts that
// open each red case in full and a table of the others: for a summary, and for a comment.
std::string markdown(const Report& report, const Style& style);
std::string comment(const Report& report, const Style& style);

// Return the summary in at most so many bytes: whole lines and whole blocks, and how many cases are left out
// and where all of them are. "" where not even the heading fits.
std::string markdown_within(const Report& report, const Style& style, std::size_t most_bytes);

// Return GitHub's workflow commands: `::error` for a red case, `::warning` for what is waived, and `::notice`
// with the closing line; at most ten of each, which is what GitHub shows of a step, the worst first. Nothing
// in a name or message can end its line or begin another command.
std::string annotations(const Report& report, const Style& style);

// Return OpenMetrics text: exit code, totals, a verdict for each case and the figures of its checks, rounded
// so that a run in which nothing moved gives the same text. A verbose style adds durations, which differ
// always.
std::string openmetrics(const Report& report, const Style& style);

// Return the series as CSV with the header `case,metric,rank,number,value,baseline,unit`.
std::string csv(const Report& report, const Style& style);

// Return one HTML file with a chart for each metric, from the charts and excerpts of the cases.
std::string html(const Report& report, const Style& style);

// Return a published table of how fast the green cases were: rows by model, size, sequence, implementation
// and cluster, with the references that they are bound to; of which run it is, and what is left out. As
// Markdown, as a page with a filter, and as CSV, the rows alone. In a stable order: a diff of two tables
// shows what changed.
std::string performance_table(const Report& report, const Style& style);
std::string performance_table_html(const Report& report, const Style& style);
std::string performance_table_csv(const Report& report, const Style& style);

// Return the last line of the text, `RED: 1 regressed, 2 skipped (exit 1)`, without a newline.
Sentence closing_line(const Report& report);

// Return the numbers, the formula with numbers put in, the limit and the log lines behind a check. `lines`
// holds the quoted log lines, `FILE:LINE: text` each.
std::string explain(const Check& check, const std::vector<std::string>& lines, const Style& style);

// Return what the log says of why the run failed: the message, its class, the log line and what to do.
std::string explain(const KnownMessage& cause, const Style& style);

// Return series and rules without a check and why, one line a reason; "" if there is none.
std::string explain(const std::vector<Ungated>& ungated, const Style& style);

using TextRow = std::vector<Sentence>;
using TextRows = std::vector<TextRow>;

// Return what moved together in the cases of the report and, as a table, what stands apart, the farthest
// first; "" where no three cases have a metric that moved.
std::string triage_text(const Report& report, const Style& style);

// Return a plain table: columns padded to the widest cell (in terminal columns), two blanks between; the last
// column is wrapped where the width demands it. Cells are shown, never obeyed: control characters become
// `\xNN`.
std::string table(const TextRows& rows, const Style& style);

// Return a Markdown table whose first row is its head. Cells are plain text: what Markdown would obey is
// escaped.
std::string markdown_table(const TextRows& rows, Language language = Language::english);

// Return the rows, in English, as CSV: cells that need it in quotes, those that a spreadsheet would take for
// a formula behind an apostrophe.
std::string csv_table(const TextRows& rows);

}  // namespace gate::render
