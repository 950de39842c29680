// Whether a format reads out of its specimens what they say.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "extract/engine.h"
#include "extract/records/format_spec.h"
#include "specimens/specimen.h"

namespace gate::extract {

namespace check_formats {

using WordsBySample = std::map<std::string, std::string>;  // `lm_loss 3` -> the word

inline std::string key(std::string_view metric, int rank, std::int64_t number) {
  return std::string(metric) + (rank < 0 ? "" : " rank " + std::to_string(rank)) + " " +
         std::to_string(number);
}

inline WordsBySample expected_words(const Specimen& specimen) {
  WordsBySample words;
  for (const ExpectedSample& sample : specimen.samples)
    words[key(sample.metric, sample.rank, sample.number)] = sample.word;
  return words;
}

inline WordsBySample words_read(const Extraction& extraction) {
  WordsBySample words;
  for (const Series& series : extraction.series)
    for (const Sample& sample : series.samples())
      words[key(series.metric(), series.rank().value_or(-1), sample.number)] = sample.text;
  return words;
}

inline std::string described(const WordsBySample& words, const std::string& sample) {
  const auto it = words.find(sample);
  if (it == words.end()) return "nothing";
  return it->second.empty() ? "a left-out value" : "`" + it->second + "`";
}

// Append a line for each sample in one of them that is not the same in the other.
inline void compare_words(const WordsBySample& expected, const WordsBySample& read, const std::string& where,
                          std::vector<std::string>& wrong) {
  WordsBySample all = expected;
  all.insert(read.begin(), read.end());
  for (const auto& [sample, word] : all)
    if (described(expected, sample) != described(read, sample))
      wrong.push_back(where + ": " + sample + ": expected " + described(expected, sample) + ", read " +
                      described(read, sample));
}

inline Extraction read_log(const FormatSpec& format, std::string_view log) {
  Engine engine({}, {&format}, FormatMode::all, {});
  engine.feed(log);
  return engine.finish();
}

}  // namespace check_formats

// Return what is wrong with the format itself or with its specimens, one line each; empty when all is well.
// An extractor that no specimen exercises is reported too.
inline std::vector<std::string> check_specimens(const FormatSpec& format,
                                                const std::vector<Specimen>& specimens) {
  std::vector<std::string> wrong = format.faults ? format.faults() : std::vector<std::string>{};
  std::map<std::string, std::int64_t> matches;
  for (const Specimen& specimen : specimens) {
    const Extraction extraction = check_formats::read_log(format, specimen.log);
    const std::string where = std::string(format.row.name) + " " + std::string(specimen.shape);
    check_formats::compare_words(check_formats::expected_words(specimen),
                                 check_formats::words_read(extraction), where, wrong);
    for (const MatchCount& count : extraction.matches) matches[count.extractor] += count.matches;
  }
  for (const ExtractorSpec& extractor : format.extractors)
    if (matches[std::string(extractor.name)] == 0)
      wrong.push_back(std::string(extractor.name) + ": no specimen exercises it");
  return wrong;
}

}  // namespace gate::extract
