#include "schema/performance/performance_rows.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"
#include "gate/model/numbers/guessed_metric.h"
#include "gate/schema/performance_import.h"
#include "schema/performance/cell_text.h"

namespace gate::schema {

namespace {

// In the order of PerformanceColumn.
constexpr std::array<PerformanceHeads, performance_columns> heads_table{{
    {"model", "模型, 模型名称, model, models, model name"},
    {"parameters", "参数, 参数量, params, parameters, param, size, model size"},
    {"sequence", "序列, 序列长度, seq, sequence, seq length, sequence length, seq len"},
    {"implementation", "实现, impl, implementation"},
    {"cluster", "集群, cluster"},
    {"precision", "模式, 精度, mode, precision, dtype"},
    {"measured", "性能, 实测性能, 吞吐, 吞吐量, measured, performance, throughput"},
    {"reference", "参考, 参考性能, reference"},
    {"contributor", "贡献方, contributor"},
    {"label", "认证, cert, certification, label"},
    {"hardware", "硬件, 硬件信息, hardware"},
    {"unit", "单位, unit"},
    {"link", "链接, link, url, params url"},
}};

// Return the head as the table spells it: small letters, a blank for `_` and `-`.
std::string spelled_head(std::string_view text) {
  std::string lower = to_lower(text);
  std::ranges::replace_if(
      lower, [](char c) { return c == '_' || c == '-'; }, ' ');
  return cell_text(lower);
}

bool is_of_numbers(PerformanceColumn column) {
  return column == PerformanceColumn::measured || column == PerformanceColumn::reference;
}

std::vector<std::string_view> parted_heads(PerformanceColumn column) {
  std::vector<std::string_view> heads = split(heads_of(column), ',');
  for (std::string_view& head : heads) head = trim(head);
  return heads;
}

bool has_head(PerformanceColumn column, std::string_view head) {
  const auto heads = parted_heads(column);
  return std::ranges::find(heads, head) != heads.end();
}

// Return the unit that the words are: `tokens/p/s` of itself and of `tokens per p per s`; "" where they are
// none.
std::string unit_in(std::string_view words) {
  std::string unit(trim(words));
  constexpr std::string_view per = " per ";
  for (std::size_t at = unit.find(per); at != std::string::npos; at = unit.find(per, at))
    unit.replace(at, per.size(), "/");
  const bool is_unit = unit.find('/') != std::string::npos && unit.find(' ') == std::string::npos;
  return is_unit ? unit : "";
}

// Return the unit that stands in brackets, `tokens/s/p`; with other words beside it all of them, for nobody
// knows what they make of the numbers; "" where no unit stands there.
std::string unit_or_words(std::string_view bracketed) {
  std::string unit = unit_in(bracketed);
  const std::vector<std::string_view> words = split_words(bracketed);
  const bool holds_one = std::ranges::any_of(
      words, [](std::string_view word) { return is_unit(word) || word.find('/') != std::string_view::npos; });
  return unit.empty() && holds_one ? std::string(trim(bracketed)) : unit;
}

// Split `性能 (tokens/s/p)` into the head and what stands in brackets.
std::pair<std::string_view, std::string_view> in_brackets(std::string_view text) {
  for (const auto& [open, close] :
       {std::pair<std::string_view, std::string_view>{"(", ")"}, {"（", "）"}, {"[", "]"}, {"【", "】"}}) {
    const std::size_t at = text.find(open);
    if (at == std::string_view::npos || at == 0) continue;
    const std::string_view inside = text.substr(at + open.size());
    return {trim(text.substr(0, at)), trim(inside.substr(0, inside.find(close)))};
  }
  return {text, ""};
}

// Return what a head such as `measured tokens per p per s` says: one of numbers, with its unit behind it.
std::optional<TableHead> head_with_unit(std::string_view head) {
  for (const PerformanceColumn column : {PerformanceColumn::measured, PerformanceColumn::reference})
    for (const std::string_view start : parted_heads(column)) {
      const bool is_start = head.starts_with(start) && head.substr(start.size()).starts_with(' ');
      const std::string found = is_start ? unit_in(head.substr(start.size())) : "";
      if (!found.empty()) return TableHead{column, found};
    }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(PerformanceColumn column) {
  return heads_table.at(static_cast<std::size_t>(column)).column;
}

std::optional<TableHead> table_head(std::string_view text) {
  const std::string whole = without_brackets(text);
  const auto [words, bracketed] = in_brackets(whole);
  const std::string head = spelled_head(words);
  for (std::size_t i = 0; i < performance_columns; ++i) {
    const auto column = static_cast<PerformanceColumn>(i);
    if (has_head(column, head))
      return TableHead{column, is_of_numbers(column) ? unit_or_words(bracketed) : ""};
  }
  return head_with_unit(head);
}

std::string_view heads_of(PerformanceColumn column) {
  return heads_table.at(static_cast<std::size_t>(column)).heads;
}

std::span<const PerformanceHeads> performance_heads() { return heads_table; }

}  // namespace gate::schema
