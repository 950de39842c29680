#include "app/launch/stragglers.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/app/read_logs.h"
#include "gate/judge/trend.h"

namespace gate::app {

namespace {

constexpr const char* time_metric = "iteration_time";
constexpr double clearly_slower = 1.1;

struct NodeTime {
  std::string node;
  double median = 0;
};

// The median over all steps and ranks that the log prints; 0 where it prints none.
double median_time(const std::string& file, const extract::Options& options) {
  std::vector<double> times;
  if (const Answer<Extraction> run = read_logs({file}, options))
    for (const Series& series : run->series)
      if (series.metric() == time_metric)
        for (const Sample& sample : series.samples())
          if (sample.value.is_finite()) times.push_back(sample.value.number.to_double());
  return judge::median_of(times);
}

}  // namespace

std::vector<std::string> stragglers(const std::vector<NodeLogFile>& logs, const extract::Options& options) {
  std::vector<NodeTime> times;
  for (const NodeLogFile& log : logs)
    if (const double median = median_time(log.file, options); median > 0) times.push_back({log.node, median});
  std::vector<std::string> notes;
  const auto quickest = std::ranges::min_element(times, {}, &NodeTime::median);
  for (const NodeTime& time : times)
    if (time.median > clearly_slower * quickest->median)
      notes.push_back(
          fmt::format("{} took {:.3g} times as long for a step as {}: {} {:.4g} ms, {:.4g} ms (medians of "
                      "their own logs)",
                      time.node, time.median / quickest->median, quickest->node, time_metric, time.median,
                      quickest->median));
  return notes;
}

}  // namespace gate::app
