#include "gate/schema/result_file.h"
#include "schema/json/series_text.h"
#include "schema/result/json_report.h"

namespace gate::schema {

namespace {

std::string sample_json(const Sample& sample) {
  const bool left_out = sample.value.kind == ValueKind::left_out;
  return "{\"number\": " + std::to_string(sample.number) +
         ", \"value\": " + (left_out ? "null" : number_or_text(word_in_unit(sample))) +
         ", \"file\": " + std::to_string(sample.file) + ", \"line\": " + std::to_string(sample.line) + "}";
}

void write_extracted_series(JsonOut& out, const Series& series) {
  out.text("metric", series.metric());
  out.known_number("rank", series.rank());
  out.text("unit", series.unit());
  out.text("numbered", to_string(series.numbered()));
  out.list("conflicts", [&] {
    for (const std::int64_t number : series.conflicts()) out.number("", number);
  });
  out.list("samples", [&] {
    for (const Sample& sample : series.samples()) out.raw("", sample_json(sample));
  });
}

// Write a list of objects, whose members `write` writes.
template <class T>
void write_list(JsonOut& out, std::string_view name, const std::vector<T>& all, auto write) {
  out.list(name, [&] {
    for (const T& one : all) out.object("", [&] { write(out, one); });
  });
}

// Return the field as RFC 4180 wants it.
std::string field_of(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

constexpr std::size_t csv_piece = std::size_t{1} << 16;

// Writes rows of one extraction.
class CsvRows {
 public:
  CsvRows(const std::vector<std::string>& files, const TakeText& write) : write_piece_(write) {
    for (const std::string& file : files) files_.push_back(field_of(file));
  }
  CsvRows(const CsvRows&) = delete;
  CsvRows& operator=(const CsvRows&) = delete;
  ~CsvRows() { flush(); }

  void header(std::string_view text) { out_ += text; }
  void write(const std::vector<Series>& all, const std::string& prefix) {
    for (const Series& series : all) write(series, prefix);
  }

 private:
  void write(const Series& series, const std::string& prefix) {
    const std::string rank = series.rank() ? std::to_string(*series.rank()) : "";
    const std::string front = prefix + field_of(series.metric()) + "," + rank + ",";
    const std::string unit = "," + field_of(series.unit()) + ",";
    for (const Sample& sample : series.samples()) {
      out_ += front + std::to_string(sample.number) + "," + field_of(word_in_unit(sample)) + unit;
      if (sample.file < files_.size()) out_ += files_[sample.file];
      out_ += "," + std::to_string(sample.line) + "\n";
      if (out_.size() >= csv_piece) flush();
    }
  }

  void flush() {
    write_piece_(out_);
    out_.clear();
  }

  std::vector<std::string> files_;  // as fields
  const TakeText& write_piece_;
  std::string out_;
};

}  // namespace

void write_extraction(const Extraction& extraction, WhichAttempts attempts, const TakeText& take) {
  JsonOut out(take);
  out.object("", [&] {
    out.texts("files", extraction.files);
    out.texts("formats", extraction.formats);
    out.number("lines", extraction.lines);
    out.number("bytes", extraction.bytes);
    out.known_number("total", extraction.total);
    out.values("notes", quoted(texts_of(extraction.notes, &Sentence::english)), 1);
    write_list(out, "matches", extraction.matches, [](JsonOut& one, const MatchCount& count) {
      one.text("extractor", count.extractor);
      one.number("matches", count.matches);
    });
    MemberWriter(out).list("problems", extraction.problems);
    MemberWriter(out).list("messages", extraction.messages);
    write_list(out, "attempts", extraction.attempts, [&](JsonOut& one, const Attempt& attempt) {
      one.text("source", attempt.source);
      one.number("first_step", attempt.first_step);
      one.number("last_step", attempt.last_step);
      if (attempts == WhichAttempts::all) write_list(one, "series", attempt.series, write_extracted_series);
    });
    write_list(out, "series", extraction.series, write_extracted_series);
  });
  take(out.take());
}

void write_csv(const Extraction& extraction, WhichAttempts attempts, const TakeText& take) {
  const std::string header = "metric,rank,number,value,unit,file,line\n";
  CsvRows rows(extraction.files, take);
  rows.header(attempts == WhichAttempts::all ? "attempt," + header : header);
  if (attempts == WhichAttempts::judged) return rows.write(extraction.series, "");
  for (std::size_t i = 0; i < extraction.attempts.size(); ++i)
    rows.write(extraction.attempts[i].series, std::to_string(i + 1) + ",");
}

}  // namespace gate::schema
