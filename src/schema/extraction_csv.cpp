#include "gate/schema/result_file.h"
#include "schema/series_text.h"

namespace gate::schema {

namespace {

// Return the field as RFC 4180 wants it.
std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string row(const Series& series, const Sample& sample, const std::vector<std::string>& files) {
  const std::string rank = series.rank() ? std::to_string(*series.rank()) : "";
  const std::string file = sample.file < files.size() ? files[sample.file] : "";
  return field(series.metric()) + "," + rank + "," + std::to_string(sample.number) + "," +
         field(word_of(sample)) + "," + field(series.unit()) + "," + field(file) + "," +
         std::to_string(sample.line) + "\n";
}

std::string rows(const std::vector<Series>& all, const std::vector<std::string>& files,
                 const std::string& prefix) {
  std::string text;
  for (const Series& series : all)
    for (const Sample& sample : series.samples()) text += prefix + row(series, sample, files);
  return text;
}

}  // namespace

std::string write_csv(const Extraction& extraction, Attempts attempts) {
  const std::string header = "metric,rank,number,value,unit,file,line\n";
  if (attempts == Attempts::judged) return header + rows(extraction.series, extraction.files, "");
  std::string text = "attempt," + header;
  for (std::size_t i = 0; i < extraction.attempts.size(); ++i)
    text += rows(extraction.attempts[i].series, extraction.files, std::to_string(i + 1) + ",");
  return text;
}

}  // namespace gate::schema
