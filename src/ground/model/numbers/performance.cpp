#include "gate/model/numbers/performance.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate {

namespace {

constexpr Decimal least_speed{1, -9}, largest_speed{1, 15};
constexpr std::int64_t kilo = 1024, most_tokens = 1'000'000'000;

}  // namespace

std::string source_file_of(const PerformanceRow& row) { return row.source.substr(0, row.source.rfind(':')); }

std::string TrainingShape::name() const {
  std::vector<std::string> parts{model, parameters, sequence, implementation, cluster};
  std::erase(parts, "");
  return join(parts, " ");
}

const PerformanceRow* PerformanceTable::find(std::string_view name) const {
  return row_in(rows, name, &PerformanceRow::name);
}

const Decimal* CasePerformance::comparable_reference() const {
  if (figures.empty() || !reference || !reference->reference) return nullptr;
  if (figures.front().metric == ambiguous_speed) return nullptr;
  return canonical_speed_unit(reference->unit) == figures.front().unit ? &*reference->reference : nullptr;
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
