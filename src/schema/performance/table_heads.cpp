#include "schema/performance/table_heads.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"
#include "gate/schema/performance_import.h"
#include "schema/performance/cell_text.h"

namespace gate::schema {

namespace {

struct HeadsRow {
  PerformanceColumn column;
  std::string_view name;
  std::string_view heads;  // in small letters, by commas
};

using HeadsTable = std::array<HeadsRow, performance_columns>;

const HeadsTable& heads_table() {
  using enum PerformanceColumn;
  static constexpr HeadsTable table{{
      {model, "model", "模型,模型名称,model,models,model name"},
      {parameters, "parameters", "参数,参数量,params,parameters,param,size,model size"},
      {sequence, "sequence", "序列,序列长度,seq,sequence,seq length,sequence length,seq len"},
      {implementation, "implementation", "实现,impl,implementation"},
      {cluster, "cluster", "集群,cluster"},
      {precision, "precision", "模式,精度,mode,precision,dtype"},
      {measured, "measured", "性能,实测性能,吞吐,吞吐量,measured,performance,throughput"},
      {reference, "reference", "参考,参考性能,reference"},
      {contributor, "contributor", "贡献方,contributor"},
      {label, "label", "认证,cert,certification,label"},
      {hardware, "hardware", "硬件,硬件信息,hardware"},
      {unit, "unit", "单位,unit"},
      {link, "link", "链接,link,url,params url"},
  }};
  return table;
}

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

bool has_head(const HeadsRow& row, std::string_view head) {
  const auto heads = split(row.heads, ',');
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
  for (const HeadsRow& row : heads_table()) {
    if (!is_of_numbers(row.column)) continue;
    for (const std::string_view start : split(row.heads, ',')) {
      const bool is_start = head.starts_with(start) && head.substr(start.size()).starts_with(' ');
      const std::string found = is_start ? unit_in(head.substr(start.size())) : "";
      if (!found.empty()) return TableHead{row.column, found};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(PerformanceColumn column) {
  return heads_table().at(static_cast<std::size_t>(column)).name;
}

std::optional<TableHead> table_head(std::string_view text) {
  const std::string whole = without_brackets(text);
  const auto [words, bracketed] = in_brackets(whole);
  const std::string head = spelled_head(words);
  const auto row =
      std::ranges::find_if(heads_table(), [&](const HeadsRow& one) { return has_head(one, head); });
  if (row == heads_table().end()) return head_with_unit(head);
  return TableHead{row->column, is_of_numbers(row->column) ? unit_in(bracketed) : ""};
}

std::string heads_of(PerformanceColumn column) {
  std::string heads;
  for (const std::string_view head : split(heads_table().at(static_cast<std::size_t>(column)).heads, ','))
    heads += (heads.empty() ? "" : ", ") + std::string(head);
  return heads;
}

std::string performance_heads() {
  std::string lines;
  for (const HeadsRow& row : heads_table())
    lines += std::string(row.name) + ": " + heads_of(row.column) + "\n";
  return lines;
}

}  // namespace gate::schema
