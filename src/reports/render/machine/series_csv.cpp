// The series of a run as CSV: one line a value, beside what each run of the baseline has there.
#include <algorithm>
#include <span>

#include "gate/base/text.h"
#include "gate/render/reporters.h"
#include "render/words/text_page.h"

namespace gate::render {

namespace {

// A name that a spreadsheet would take for a formula gets the apostrophe that keeps it from doing so.
std::string cell(const std::string& name) {
  std::string text = safe(name);
  if (!text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos)
    text.insert(0, "'");
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string sample_word(const std::optional<Sample>& sample) {
  if (!sample) return "";
  return sample->value.is_finite() ? sample->value.number.to_string() : cell(sample->text);
}

// The baseline's runs of the series.
std::span<const Series> baseline_runs(const CaseDetails& one, const Series& series) {
  const auto found = std::ranges::find_if(one.reference, [&](const ReferenceSeries& reference) {
    const Series& first = reference.runs.front();
    return first.metric() == series.metric() && first.rank() == series.rank();
  });
  return found == one.reference.end() ? std::span<const Series>() : found->runs;
}

// The first run of the baseline has the column in front of the unit, each further one a column behind it.
void add_series(std::string& out, const std::string& name, const CaseDetails& one, const Series& series,
                std::size_t runs) {
  const std::string head = cell(name) + "," + cell(series.metric()) + "," +
                           (series.rank() ? std::to_string(*series.rank()) : "") + ",";
  const std::span<const Series> baseline = baseline_runs(one, series);
  const auto at = [&](std::size_t run, std::int64_t number) {
    return run < baseline.size() ? sample_word(baseline[run].find(number)) : "";
  };
  for (const Sample& sample : series.samples()) {
    out += head + std::to_string(sample.number) + "," + sample_word(sample) + "," + at(0, sample.number) +
           "," + cell(series.unit());
    for (std::size_t run = 1; run < runs; ++run) out += "," + at(run, sample.number);
    out += "\n";
  }
}

std::size_t most_runs(const std::vector<CaseDetails>& all) {
  std::size_t most = 1;
  for (const CaseDetails& one : all)
    for (const ReferenceSeries& reference : one.reference) most = std::max(most, reference.runs.size());
  return most;
}

}  // namespace

std::string csv(const Report& report, const Style&) {
  std::vector<CaseDetails> details;
  for (const CaseReport& one : report.cases) details.push_back(report.details_of(one));
  const std::size_t runs = most_runs(details);
  std::string out = "case,metric,rank,number,value,baseline,unit";
  for (std::size_t run = 2; run <= runs; ++run) out += ",baseline_" + std::to_string(run);
  out += "\n";
  for (std::size_t i = 0; i < details.size(); ++i)
    for (const Series& series : details[i].series)
      add_series(out, report.cases[i].name, details[i], series, runs);
  return out;
}

std::string csv_table(const TextRows& rows) {
  std::string out;
  for (const TextRow& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      out += cell(row[i].english()) + (i + 1 == row.size() ? "\n" : ",");
  return out;
}

}  // namespace gate::render
