// What the heads of a published table say of its columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gate::schema {

enum class PerformanceColumn : std::uint8_t {
  model,
  parameters,
  sequence,
  implementation,
  cluster,
  precision,
  measured,
  reference,
  contributor,
  label,
  hardware,
  unit,
  link
};

inline constexpr std::size_t performance_columns = 13;

std::string_view to_string(PerformanceColumn column);

struct TableHead {
  PerformanceColumn column = PerformanceColumn::model;
  std::string unit;  // of numbers below it; "": not told
};

// Return what the head of a column says, nothing where it is none of those in performance_heads().
std::optional<TableHead> table_head(std::string_view text);

// Return the heads of the column: `模型, model`.
std::string_view heads_of(PerformanceColumn column);

}  // namespace gate::schema
