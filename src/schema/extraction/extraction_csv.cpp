#include "gate/schema/result_file.h"
#include "schema/json/series_text.h"

namespace gate::schema {

namespace {

// Return the field as RFC 4180 wants it.
std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

constexpr std::size_t csv_piece = std::size_t{1} << 16;

// Writes rows of one extraction.
class Rows {
 public:
  Rows(const std::vector<std::string>& files, const TakeText& take) : take_(&take) {
    for (const std::string& file : files) files_.push_back(field(file));
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  ~Rows() { flush(); }

  void header(std::string_view text) { out_ += text; }

  void write(const std::vector<Series>& all, const std::string& prefix) {
    for (const Series& series : all) write(series, prefix);
  }

 private:
  void write(const Series& series, const std::string& prefix) {
    const std::string rank = series.rank() ? std::to_string(*series.rank()) : "";
    const std::string front = prefix + field(series.metric()) + "," + rank + ",";
    const std::string unit = "," + field(series.unit()) + ",";
    for (const Sample& sample : series.samples()) {
      out_ += front + std::to_string(sample.number) + "," + field(word_of(sample)) + unit;
      if (sample.file < files_.size()) out_ += files_[sample.file];
      out_ += "," + std::to_string(sample.line) + "\n";
      if (out_.size() >= csv_piece) flush();
    }
  }

  void flush() {
    (*take_)(out_);
    out_.clear();
  }

  std::vector<std::string> files_;  // as fields
  const TakeText* take_;
  std::string out_;
};

}  // namespace

void write_csv(const Extraction& extraction, Attempts attempts, const TakeText& take) {
  const std::string header = "metric,rank,number,value,unit,file,line\n";
  Rows rows(extraction.files, take);
  rows.header(attempts == Attempts::all ? "attempt," + header : header);
  if (attempts == Attempts::judged) return rows.write(extraction.series, "");
  for (std::size_t i = 0; i < extraction.attempts.size(); ++i)
    rows.write(extraction.attempts[i].series, std::to_string(i + 1) + ",");
}

}  // namespace gate::schema
