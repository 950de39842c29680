// Words for the tests of this room: logs in, texts out.
#pragma once

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "gate/extract/extractor.h"

namespace gate::extract {

// Lines that hold nothing are passed over from the first one on: tests' logs are short.
inline Extractor make(Options options = {}) {
  options.scan_after = 0;
  return std::move(*Extractor::make(std::move(options)));
}

// Return a metric whose values are counted.
inline Metric counted(const std::string& name) {
  Metric metric;
  metric.name = name;
  metric.numbered = Numbering::report;
  return metric;
}

inline Extraction read_log(std::string_view log, Options options = {}) {
  Extractor extractor = make(std::move(options));
  extractor.begin_file("train.log");
  extractor.feed(log);
  return extractor.finish();
}

// Read files of those names, each whole, as one run.
inline Extraction read_named(const std::vector<std::pair<std::string, std::string>>& files,
                             Options options = {}) {
  Extractor extractor = make(std::move(options));
  for (const auto& [name, bytes] : files) {
    extractor.begin_file(name);
    extractor.feed(bytes);
  }
  return extractor.finish();
}

inline std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string word(const Sample& sample) {
  return std::to_string(sample.number) + "=" +
         (sample.value.kind == ValueKind::left_out ? "left_out" : sample.text);
}

inline std::string words(const Series& series) {
  std::string text;
  for (const Sample& sample : series.samples()) text += (text.empty() ? "" : " ") + word(sample);
  return text;
}

// `1=3.5 2=left_out`, or `no series`.
inline std::string words(const Extraction& extraction, std::string_view metric,
                         std::optional<int> rank = {}) {
  const Series* series = find_series(extraction.series, metric, rank);
  return series == nullptr ? "no series" : words(*series);
}

// `7: text` of each problem of the kind.
inline std::vector<std::string> problems(const Extraction& extraction, ProblemKind kind) {
  std::vector<std::string> texts;
  for (const Problem& problem : extraction.problems)
    if (problem.kind == kind) texts.push_back(std::to_string(problem.line) + ": " + problem.text.english());
  return texts;
}

inline std::string dump(const std::vector<Series>& all) {
  std::ostringstream out;
  for (const Series& series : all) {
    out << label(series) << " [" << series.unit() << "] " << to_string(series.numbered());
    for (const Sample& s : series.samples())
      out << ' ' << word(s) << '/' << int(s.value.kind) << '/' << s.value.number.to_string() << '@' << s.file
          << ':' << s.line;
    for (const std::int64_t number : series.conflicts()) out << " conflict " << number;
    out << '\n';
  }
  return out.str();
}

// Everything in an extraction.
inline std::string dump(const Extraction& x) {
  std::ostringstream out;
  out << "lines " << x.lines << " bytes " << x.bytes << " total " << x.total.value_or(-1) << '\n';
  for (const std::string& format : x.formats) out << "format " << format << '\n';
  for (const MatchCount& count : x.matches) out << count.extractor << ' ' << count.matches << '\n';
  for (const Problem& p : x.problems)
    out << to_string(p.kind) << ' ' << p.file << ':' << p.line << ' ' << p.text.english() << '\n';
  for (const KnownMessage& m : x.messages)
    out << m.name << ' ' << m.file << ':' << m.line << ' ' << m.count << ' ' << m.what.english() << ' '
        << m.text << '\n';
  for (const Sentence& note : x.notes) out << "note " << note.english() << '\n';
  for (const Attempt& attempt : x.attempts)
    out << "attempt " << attempt.source << ' ' << attempt.first_step << '-' << attempt.last_step << '\n'
        << dump(attempt.series);
  return out.str() + "judged\n" + dump(x.series);
}

}  // namespace gate::extract
