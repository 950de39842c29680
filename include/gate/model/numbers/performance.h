// How fast trainings are said to be: rows of published tables, and what a row is known by.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/model/numbers/decimal.h"

namespace gate {

// What is trained, in which way, on how many devices. Texts as people write them; "" is not told.
struct TrainingShape {
  std::string model;           // `LLaMA2`
  std::string parameters;      // `7B`, `8x7B`
  std::string sequence;        // `4K`: tokens of a sample, K is 1024
  std::string implementation;  // `Mcore`, `Legacy`
  std::string cluster;         // NODESxDEVICES: `1x8`
  std::string precision;       // `BF16`

  // Return what the row of a table is called: `LLaMA2 7B 4K Mcore 1x8`, without what is not told and without
  // the precision.
  std::string name() const;

  bool operator==(const TrainingShape&) const = default;
};

// A number of a run, as tables print it: what the rule on its metric reduced its window to, else as
// PrintedMetric says. Or one that a published table has of such a metric.
struct PrintedFigure {
  std::string metric;  // `tokens_per_second_per_device`
  std::string unit;
  Decimal value;
  std::string formula = {};  // by which the metric is derived; "" where it is read
};

// A row of a published table: what its publisher measured, and beside what.
struct PerformanceRow {
  std::string name;  // what cases bind by `reference`; no other row of the table has it
  TrainingShape shape;
  std::string unit;                         // as it is written: `tokens/p/s`
  std::optional<Decimal> measured;          // none: not told
  std::optional<Decimal> reference;         // of the platform that it was measured beside; none: not told
  std::vector<PrintedFigure> figures = {};  // what a run of that configuration reached; each metric once
  std::string contributor;                  // `NAIE`
  std::string label;                        // `Pass`, `Test`
  std::string hardware;                     // `Atlas 900 A2 PODc`
  std::string link;                         // where the weights are
  std::string source;                       // `README.md:111`

  // Return what a run is held against: its figure of the metric, in a row of figures; else the reference.
  // nullptr where there is none. And the unit of that number.
  const Decimal* find(std::string_view metric) const;
  std::string unit_of(std::string_view metric) const;

  // Return its figures in one line: `e2e_time 2763 s, throughput_raw 36.5 samples/s`.
  std::string figures_line() const;
};

// Return the name of the file that the row is from: `README.md` of `README.md:111`.
std::string source_file_of(const PerformanceRow& row);

struct PerformanceTable {
  std::vector<PerformanceRow> rows;               // in the order of the published table
  std::map<std::string, std::string> files = {};  // by name, `README.md`: the path from the suite's folder

  // Return the row of that name, or nullptr.
  const PerformanceRow* find(std::string_view name) const;
};

// What logs print as tokens a second is of one device in some formats and of all in others: no figure stands
// beside it.
inline constexpr std::string_view ambiguous_speed = "tokens_per_second";

// What a number of a table is reduced to where no rule on its metric says it.
enum class FigureOf : std::uint8_t { last_ten, last, most };

// The metrics that tables print, and in which column: the first of a kind that a run has.
struct PrintedMetric {
  enum class Kind : std::uint8_t { speed, utilization, accuracy, duration, memory };
  std::string_view metric;
  Kind kind = Kind::speed;
  FigureOf figure = FigureOf::last_ten;
};

// Return all of them, column by column.
std::span<const PrintedMetric> metrics_of_tables();

// Return those that a table prints of a run: `speed`, or else the first speed that it has, and behind it one
// of each other kind. Empty where it has no speed.
std::vector<PrintedMetric> printed_metrics(std::string_view speed,
                                           const std::function<bool(std::string_view)>& has_metric);

// How fast a case was, and what it trained.
struct CasePerformance {
  TrainingShape shape;
  std::vector<PrintedFigure> figures = {};       // as printed_metrics(); empty: no speed was measured
  std::optional<PerformanceRow> reference = {};  // the row that the case is bound to

  // Return what the reference says of the figure where it is in its unit, and that is no ambiguous one; else
  // nullptr.
  const Decimal* comparable_reference(const PrintedFigure& figure) const;
  // Of the first figure.
  const Decimal* comparable_reference() const;
};

// Return the tokens of a sequence as tables write it, 4096 of `4K` and of `4096`; nothing where it is none.
std::optional<std::int64_t> tokens_of_sequence(std::string_view text);

// Return the short form of such a number, `4K` of 4096; a number that is no multiple of 1024 as it is.
std::string sequence_word(std::int64_t tokens);

// Tell whether tables may hold the number as a speed: from 1E-9 to 1E15.
bool is_published_speed(const Decimal& number);

// Return the unit by its canonical name, `tokens/s/device` of `tokens/p/s` and of `tokens/s/p`, or the text
// as it is.
std::string canonical_speed_unit(std::string_view text);

}  // namespace gate
