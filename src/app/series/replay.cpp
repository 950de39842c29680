#include "app/series/replay.h"

#include <map>
#include <set>

#include "gate/extract/extractor.h"

namespace gate::app {

namespace {

// Metric -> the word that stands for it in the log: names of metrics may hold anything.
using MetricWords = std::map<std::string, std::string>;

std::string sample_line(const Series& series, const Sample& sample, const std::string& word) {
  const std::string rank = series.rank() ? " rank " + std::to_string(*series.rank()) : "";
  const std::string step =
      series.numbered() == Numbering::step ? " step " + std::to_string(sample.number) : "";
  return "replay " + word + rank + step + " value " + sample.text + "\n";
}

std::string log_of(const Extraction& run, const MetricWords& words) {
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

Extraction read_back(const MetricTable& metrics, std::span<const Extraction> attempts) {
  MetricWords words;
  for (const Series& series : attempts.front().series)
    words.emplace(series.metric(), "metric" + std::to_string(words.size()));
  extract::Options options;
  for (const auto& [metric, word] : words)
    options.patterns.push_back(
        {metric,
         "^replay " + word + "(?: rank (?P<rank>\\d+))?(?: step (?P<step>\\d+))? value (?P<value>\\S+)$"});
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
