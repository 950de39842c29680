#include "places/launch/seats.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "gate/judge/trend.h"
#include "gate/judging/read_logs.h"

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

// A fault hits what there is of it on all nodes.
void add_hit(std::optional<launch::Inflicted>& all, const std::optional<launch::Inflicted>& one) {
  if (!one) return;
  if (!all) all = launch::Inflicted{one->at, 0};
  all->at = std::min(all->at, one->at);
  all->processes += one->processes;
}

}  // namespace

NodesEnding RunningSeats::see_to_end() {
  std::vector<std::jthread> others;
  try {
    for (std::size_t node = 1; node < seats_.size(); ++node)
      others.emplace_back([this, node] { see_to_end(node); });
  } catch (const std::system_error& error) {  // no thread is to be had
    fail_with(others.size() + 1,
              NotStarted{say({"no thread is to be had: {}", "无法创建线程：{}"}, error.code().message())});
  }
  see_to_end(0);
  others.clear();
  return merged();
}

void RunningSeats::see_to_end(std::size_t node) {
  const Seat& seat = seats_[node];
  if (const std::optional<Sentence> failed = failed_elsewhere(); failed && !seat.begins_itself) {
    endings_[node].outcome = NotStarted{*failed};
    return;
  }
  Result<launch::Ending> ending = environment_.supervise(*seat.process, limits_, listener(node));
  if (ending)
    endings_[node] = std::move(*ending);
  else
    endings_[node].outcome = NotStarted{ending.error().message};
  if (!ended_well(endings_[node].outcome)) fail_with(node, endings_[node].outcome);
}

// Another node's failure ends this one.
launch::Listener RunningSeats::listener(std::size_t node) {
  launch::Listener listener = listener_of_(node);
  if (seats_.size() == 1) return listener;
  listener.on_poll = [this, poll = listener.on_poll] {
    launch::Pulse pulse = poll ? poll() : launch::Pulse{};
    if (const std::optional<Sentence> failed = failed_elsewhere()) pulse.stop = StoppedEarly{*failed};
    return pulse;
  };
  return listener;
}

void RunningSeats::fail_with(std::size_t node, const Outcome& outcome) {
  const std::lock_guard lock(mutex_);
  if (failed_) return;
  failed_ = node;
  outcome_ = outcome;
}

std::optional<Sentence> RunningSeats::failed_elsewhere() {
  const std::lock_guard lock(mutex_);
  if (!failed_) return std::nullopt;
  return say({"{} {}", "{} {}"}, seats_[*failed_].name, text(outcome_));
}

NodesEnding RunningSeats::merged() {
  NodesEnding all;
  all.node = failed_;
  all.ending.outcome = failed_ ? outcome_ : endings_.front().outcome;
  for (std::size_t node = 0; node < seats_.size(); ++node) {
    launch::Ending& one = endings_[node];
    all.ending.duration = std::max(all.ending.duration, one.duration);
    all.ending.script_time = std::max(all.ending.script_time, one.script_time);
    add(all.ending.leftovers, one.leftovers, node);
    add(all.ending.survivors, one.survivors, node);
    for (const std::string& line : one.evidence) all.ending.evidence.push_back(of_node(line, node).english());
    add(all.ending.remarks, one.remarks, node);
    if (knowledge_of(one.fingerprint) > knowledge_of(all.ending.fingerprint))
      all.ending.fingerprint = one.fingerprint;
    if (!one.host.empty()) all.hosts.push_back(one.host);
    if (!one.host.empty())
      all.places.push_back(one.host + (one.devices.empty() ? "" : " (" + one.devices + ")"));
    add_hit(all.ending.inflicted, one.inflicted);
    if (failed_ && seats_.size() > 1) all.ending.remarks.push_back(end_of(node));
  }
  return all;
}

Sentence RunningSeats::of_node(const Sentence& line, std::size_t node) const {
  return seats_.size() == 1 ? line : as_is(seats_[node].name) + colon + line;
}

void RunningSeats::add(std::vector<Sentence>& all, const std::vector<Sentence>& lines,
                       std::size_t node) const {
  for (const Sentence& line : lines) all.push_back(of_node(line, node));
}

// How the node ended, for people.
Sentence RunningSeats::end_of(std::size_t node) const {
  const Sentence ending = as_is(seats_[node].name) + colon + text(endings_[node].outcome);
  return node == failed_ ? ending + say({", first", "，最先"}) : ending;
}

std::vector<Sentence> stragglers(const std::vector<NodeLogFile>& logs, const extract::Options& options) {
  std::vector<NodeTime> times;
  for (const NodeLogFile& log : logs)
    if (const double median = median_time(log.file, options); median > 0) times.push_back({log.node, median});
  std::vector<Sentence> notes;
  const auto quickest = std::ranges::min_element(times, {}, &NodeTime::median);
  for (const NodeTime& time : times)
    if (time.median > clearly_slower * quickest->median)
      notes.push_back(
          say({"{} took {:.3g} times as long for a step as {}: {} {:.4g} ms, {:.4g} ms (medians of their own "
               "logs)",
               "{0} 每步用时是 {2} 的 {1:.3g} 倍：{3} 为 {4:.4g} ms 和 {5:.4g} ms（各自日志的中位数）"},
              time.node, time.median / quickest->median, quickest->node, time_metric, time.median,
              quickest->median));
  return notes;
}

}  // namespace gate::app
