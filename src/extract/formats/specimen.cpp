#include <algorithm>
#include <map>

#include "extract/engine.h"
#include "extract/records/format_spec.h"
#include "gate/extract/format.h"

namespace gate::extract {

namespace {

using Words = std::map<std::string, std::string>;  // `lm_loss 3` -> the word

std::string key(std::string_view metric, int rank, std::int64_t number) {
  return std::string(metric) + (rank < 0 ? "" : " rank " + std::to_string(rank)) + " " +
         std::to_string(number);
}

Words expected_words(const Specimen& specimen) {
  Words words;
  for (const ExpectedSample& sample : specimen.samples)
    words[key(sample.metric, sample.rank, sample.number)] = sample.word;
  return words;
}

Words words_read(const Extraction& extraction) {
  Words words;
  for (const Series& series : extraction.series)
    for (const Sample& sample : series.samples())
      words[key(series.metric(), series.rank().value_or(-1), sample.number)] = sample.text;
  return words;
}

std::string said(const Words& words, const std::string& sample) {
  const auto it = words.find(sample);
  if (it == words.end()) return "nothing";
  return it->second.empty() ? "a left-out value" : "`" + it->second + "`";
}

// Append a line for each sample in one of them that is not the same in the other.
void compare_words(const Words& expected, const Words& read, const std::string& where,
                   std::vector<std::string>& wrong) {
  Words all = expected;
  all.insert(read.begin(), read.end());
  for (const auto& [sample, word] : all)
    if (said(expected, sample) != said(read, sample))
      wrong.push_back(where + ": " + sample + ": expected " + said(expected, sample) + ", read " +
                      said(read, sample));
}

Extraction read_log(const FormatSpec& format, std::string_view log) {
  Engine engine({}, {&format}, FormatMode::all, {});
  engine.feed(log);
  return engine.finish();
}

}  // namespace

std::vector<std::string> check_specimens(const FormatSpec& format) {
  std::vector<std::string> wrong = format.faults ? format.faults() : std::vector<std::string>{};
  std::map<std::string, std::int64_t> matches;
  for (const Specimen& specimen : format.specimens()) {
    const Extraction extraction = read_log(format, specimen.log);
    const std::string where = std::string(format.row.name) + " " + std::string(specimen.shape);
    compare_words(expected_words(specimen), words_read(extraction), where, wrong);
    for (const MatchCount& count : extraction.matches) matches[count.extractor] += count.matches;
  }
  for (const ExtractorSpec& extractor : format.extractors)
    if (matches[std::string(extractor.name)] == 0)
      wrong.push_back(std::string(extractor.name) + ": no specimen exercises it");
  return wrong;
}

std::vector<std::string> self_check() {
  std::vector<std::string> wrong;
  for (const FormatSpec& format : format_specs()) {
    const std::vector<std::string> of_format = check_specimens(format);
    wrong.insert(wrong.end(), of_format.begin(), of_format.end());
  }
  return wrong;
}

}  // namespace gate::extract
