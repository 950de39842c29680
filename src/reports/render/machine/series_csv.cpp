// The series of a run as CSV: one line a value, beside what the baseline has there.
#include <algorithm>

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

// Of several recorded runs their values, by blanks.
std::string baseline_at(const CaseReport& one, const Series& series, std::int64_t number) {
  const auto found = std::ranges::find_if(one.reference, [&](const ReferenceSeries& reference) {
    const Series& first = reference.runs.front();
    return first.metric() == series.metric() && first.rank() == series.rank();
  });
  if (found == one.reference.end()) return "";
  return std::string(trim(
      join(texts_of(found->runs, [&](const Series& run) { return sample_word(run.find(number)); }), " ")));
}

void add_series(std::string& out, const CaseReport& one, const Series& series) {
  const std::string head = cell(one.name) + "," + cell(series.metric()) + "," +
                           (series.rank() ? std::to_string(*series.rank()) : "") + ",";
  const std::string tail = "," + cell(series.unit()) + "\n";
  for (const Sample& sample : series.samples())
    out += head + std::to_string(sample.number) + "," + sample_word(sample) + "," +
           baseline_at(one, series, sample.number) + tail;
}

}  // namespace

std::string csv(const Report& report, const Style&) {
  std::string out = "case,metric,rank,number,value,baseline,unit\n";
  for (const CaseReport& one : report.cases)
    for (const Series& series : one.series) add_series(out, one, series);
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
