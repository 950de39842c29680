#include "app/series/replay.h"

#include <map>
#include <set>

#include "gate/extract/extractor.h"

namespace gate::app {

namespace {

// The names of the metrics do not come into the log: they may hold anything.
using Words = std::map<std::string, std::string>;

Words sample_words(const Extraction& run) {
  Words words;
  for (const Series& series : run.series)
    words.emplace(series.metric(), "metric" + std::to_string(words.size()));
  return words;
}

std::string sample_line(const Series& series, const Sample& sample, const std::string& word) {
  const std::string rank = series.rank() ? " rank " + std::to_string(*series.rank()) : "";
  const std::string step =
      series.numbered() == Numbering::step ? " step " + std::to_string(sample.number) : "";
  return "replay " + word + rank + step + " value " + sample.text + "\n";
}

std::string log_of(const Extraction& run, const Words& words) {
  std::set<std::int64_t> numbers;
  for (const Series& series : run.series)
    for (const Sample& sample : series.samples()) numbers.insert(sample.number);
  std::string log;
  for (const std::int64_t number : numbers)
    for (const Numbering numbered : {Numbering::step, Numbering::report, Numbering::time})
      for (const Series& series : run.series)
        if (const auto sample = series.find(number); sample && series.numbered() == numbered)
          log += sample_line(series, *sample, words.at(series.metric()));
  return log;
}

std::vector<extract::UserPattern> patterns(const Words& words) {
  std::vector<extract::UserPattern> all;
  for (const auto& [metric, word] : words)
    all.push_back({metric, "^replay " + word +
                               "(?: rank (?P<rank>\\d+))?(?: step (?P<step>\\d+))? value (?P<value>\\S+)$"});
  return all;
}

Extraction read_back(const MetricTable& metrics, std::span<const Extraction> attempts) {
  const Words words = sample_words(attempts.front());
  extract::Options options;
  options.patterns = patterns(words);
  options.metrics = metrics;
  Result<extract::Extractor> extractor = extract::Extractor::make(std::move(options));
  if (!extractor) return {};
  extractor->begin_file("replay");
  for (const Extraction& attempt : attempts) extractor->feed(log_of(attempt, words));
  return extractor->finish();
}

}  // namespace

judge::Replay replay(const MetricTable& metrics) {
  return [metrics](std::span<const Extraction> attempts) { return read_back(metrics, attempts); };
}

}  // namespace gate::app
