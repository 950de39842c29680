#include "gate/render/reporters.h"

#include <algorithm>
#include <array>

#include "gate/schema/result_file.h"
#include "render/words/part_words.h"

namespace gate::render {

namespace {

constexpr std::array<ReporterRow, 12> table_of_reporters{{
    {"text", "for people, at a terminal", text},
    {"json", "gate.result/1, for programs", json},
    {"junit", "JUnit XML, for Jenkins, GitLab and others", junit},
    {"markdown", "for a job summary, at most 1 MiB", markdown},
    {"comment", "Markdown for a comment on a merge request, at most 65000 bytes", comment},
    {"annotations", "GitHub's ::error lines, the worst first", annotations},
    {"openmetrics", "gauges, rounded to the noise, for Prometheus and GitLab", openmetrics},
    {"html", "one file for a browser, with charts", html, Needs::charts},
    {"csv", "the series, with the baseline's", csv, Needs::charts},
    {"table", "speed of the green cases against their references, as Markdown", performance_table},
    {"table-html", "the same as a page with a filter", performance_table_html},
    {"table-csv", "the same as CSV, rows only", performance_table_csv},
}};

}  // namespace

std::string performance_table_csv(const Report& report, const Style&) {
  return csv_table(performance_rows(report));
}

std::string json(const Report& report, const Style&) { return schema::write_result(report); }

std::span<const ReporterRow> reporters() { return table_of_reporters; }

const ReporterRow* find_reporter(std::string_view name) {
  const auto it = std::ranges::find(table_of_reporters, name, &ReporterRow::name);
  return it == table_of_reporters.end() ? nullptr : &*it;
}

}  // namespace gate::render
