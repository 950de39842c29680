#include "gate/model/numbers/performance.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate {

namespace {

constexpr Decimal least_speed{1, -9}, largest_speed{1, 15};
constexpr std::int64_t kilo = 1024, most_tokens = 1'000'000'000;

using ColumnOf = PrintedMetric::Kind;
constexpr std::array printed_table{
    PrintedMetric{"tokens_per_second_per_device", ColumnOf::speed},
    PrintedMetric{ambiguous_speed, ColumnOf::speed},
    PrintedMetric{"samples_per_second", ColumnOf::speed},
    PrintedMetric{"throughput", ColumnOf::speed},
    PrintedMetric{"training_samples_per_second", ColumnOf::speed, FigureOf::last},
    PrintedMetric{"throughput_raw", ColumnOf::speed, FigureOf::last},
    PrintedMetric{"mfu", ColumnOf::utilization},
    PrintedMetric{"final_accuracy", ColumnOf::accuracy, FigureOf::last},
    PrintedMetric{"final_map_bbox", ColumnOf::accuracy, FigureOf::last},
    PrintedMetric{"final_auc", ColumnOf::accuracy, FigureOf::last},
    PrintedMetric{"final_nuv", ColumnOf::accuracy, FigureOf::last},
    PrintedMetric{"final_rouge1", ColumnOf::accuracy, FigureOf::last},
    PrintedMetric{"final_perplexity", ColumnOf::accuracy, FigureOf::last},
    PrintedMetric{"eval_accuracy", ColumnOf::accuracy, FigureOf::last},
    PrintedMetric{"e2e_time", ColumnOf::duration, FigureOf::last},
    PrintedMetric{"memory_max_allocated", ColumnOf::memory, FigureOf::most},
    PrintedMetric{"memory_max_reserved", ColumnOf::memory, FigureOf::most},
    PrintedMetric{"memory_allocated", ColumnOf::memory, FigureOf::most},
    PrintedMetric{"memory_reserved", ColumnOf::memory, FigureOf::most},
    PrintedMetric{"device_memory", ColumnOf::memory, FigureOf::most},
};

}  // namespace

std::span<const PrintedMetric> metrics_of_tables() { return printed_table; }

std::vector<PrintedMetric> printed_metrics(std::string_view speed,
                                           const std::function<bool(std::string_view)>& has_metric) {
  std::vector<PrintedMetric> printed;
  if (!speed.empty()) printed.push_back({speed});
  for (const PrintedMetric& row : printed_table) {
    const bool has_kind = !printed.empty() && printed.back().kind == row.kind;
    const bool is_behind_a_speed = row.kind == ColumnOf::speed || !printed.empty();
    if (!has_kind && is_behind_a_speed && has_metric(row.metric)) printed.push_back(row);
  }
  return printed;
}

std::string source_file_of(const PerformanceRow& row) { return row.source.substr(0, row.source.rfind(':')); }

std::string TrainingShape::name() const {
  std::vector<std::string> parts{model, parameters, sequence, implementation, cluster};
  std::erase(parts, "");
  return join(parts, " ");
}

const PerformanceRow* PerformanceTable::find(std::string_view name) const {
  return row_in(rows, name, &PerformanceRow::name);
}

const Decimal* PerformanceRow::find(std::string_view metric) const {
  if (figures.empty()) return reference ? &*reference : nullptr;
  const PrintedFigure* const figure = row_in(figures, metric, &PrintedFigure::metric);
  return figure == nullptr ? nullptr : &figure->value;
}

std::string PerformanceRow::unit_of(std::string_view metric) const {
  const PrintedFigure* const figure = row_in(figures, metric, &PrintedFigure::metric);
  return figure == nullptr ? unit : figure->unit;
}

std::string PerformanceRow::figures_line() const {
  return join(texts_of(figures,
                       [](const PrintedFigure& figure) {
                         return figure.metric + " " + figure.value.to_string() +
                                (figure.unit.empty() ? "" : " " + figure.unit);
                       }),
              ", ");
}

const Decimal* CasePerformance::comparable_reference(const PrintedFigure& figure) const {
  if (!reference || figure.metric == ambiguous_speed) return nullptr;
  return canonical_speed_unit(reference->unit_of(figure.metric)) == figure.unit
             ? reference->find(figure.metric)
             : nullptr;
}

const Decimal* CasePerformance::comparable_reference() const {
  return figures.empty() ? nullptr : comparable_reference(figures.front());
}

std::optional<std::int64_t> tokens_of_sequence(std::string_view text) {
  text = trim(text);
  const bool is_kilo = text.ends_with('K') || text.ends_with('k');
  if (is_kilo) text.remove_suffix(1);
  const auto number = parse_integer(text);
  const std::int64_t factor = is_kilo ? kilo : 1;
  if (!number || *number < 1 || *number > most_tokens / factor) return std::nullopt;
  return *number * factor;
}

std::string sequence_word(std::int64_t tokens) {
  return tokens % kilo == 0 ? std::to_string(tokens / kilo) + "K" : std::to_string(tokens);
}

bool is_published_speed(const Decimal& number) {
  return compare(number, least_speed) >= 0 && compare(number, largest_speed) <= 0;
}

std::string canonical_speed_unit(std::string_view text) {
  constexpr std::array<std::string_view, 6> of_device{"tokens/p/s",   "tokens/s/p",   "tokens/s/device",
                                                      "tokens/p/sec", "tokens/s/npu", "tokens/s/gpu"};
  const std::string lower = to_lower(trim(text));
  return std::ranges::find(of_device, lower) != of_device.end() ? "tokens/s/device" : std::string(trim(text));
}

}  // namespace gate
