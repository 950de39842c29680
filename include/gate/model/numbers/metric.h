// What can be measured.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gate {

enum class Better : std::uint8_t { none, higher, lower };
enum class MetricKind : std::uint8_t { accuracy, speed, memory, other };

// How the samples of a metric are numbered: by printed training step, by the k-th report of a rank (1, 2,
// ...), or by time (milliseconds since launch).
enum class Numbering : std::uint8_t { step, report, time };

// Which of several different values printed for one step is meant. `none`: the step is in conflict.
enum class Pick : std::uint8_t { none, first, last, min, max };

// Where the numbers come from: out of what the run printed, or off gate's own clock while a script runs, so
// that no log holds them.
enum class MeasuredBy : std::uint8_t { log, gate };

struct Metric {
  std::string name;
  std::string unit;  // canonical; "" where the number has none
  MetricKind kind = MetricKind::other;
  Better better = Better::none;
  Numbering numbered = Numbering::step;
  Pick pick = Pick::none;
  std::string doc;  // one line for the manual
  MeasuredBy measured_by = MeasuredBy::log;
};

// Return the built-in metrics, in the order in which reports list them.
std::span<const Metric> built_in_metrics();

// The metrics of one suite: the built-in ones and those that gate.toml declares. Copies share their metrics
// until one of them is changed: a suite may hold a table for each of ten thousand cases.
class MetricTable {
 public:
  MetricTable();  // the built-in metrics

  // Add a metric, or replace the one of its name.
  void put(Metric metric);

  // Return the metric of that name, or nullptr.
  const Metric* find(std::string_view name) const;

  // Return the metric of that name; one of kind `other` without a unit where it is not declared.
  Metric get(std::string_view name) const;

  // Return its place among all; behind the last one if it is none of them.
  std::size_t place_of(std::string_view name) const;

  std::span<const Metric> all() const { return *metrics_; }

 private:
  std::shared_ptr<std::vector<Metric>> metrics_;
};

std::string_view to_string(Better better);
std::string_view to_string(MetricKind kind);
std::string_view to_string(Numbering numbered);
std::string_view to_string(Pick pick);

// Return the kind, better side or numbering of that name; nothing if there is none.
std::optional<MetricKind> parse_metric_kind(std::string_view name);
std::optional<Better> parse_better(std::string_view name);
std::optional<Numbering> parse_numbering(std::string_view name);

}  // namespace gate
