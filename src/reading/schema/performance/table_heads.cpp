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
    {"label", "认证, cert, certification, label, fix hp"},
    {"hardware", "硬件, 硬件信息, hardware"},
    {"unit", "单位, unit"},
    {"link", "链接, link, url, params url"},
    {"parallel", "parallel, parallel strategy, 并行策略"},
    {"configuration", "配置, 配置文件, configuration, config"},
    {"e2e_time", "e2e time, 端到端时间, 运行时长"},
    {"throughput_raw", "p whole, 总吞吐量"},
    {"throughput_no_eval", "p train, 训练吞吐量"},
    {"throughput_pure_compute", "p core, 计算吞吐量"},
    {"final_accuracy",
     "acc, accuracy, final acc, final accuracy, acc1, final acc1, map, final map, mlm acc, mlm accuracy, "
     "bleu, final bleu, 收敛精度"},
    {"final_loss", "val loss, final loss, 收敛val loss"},
    {"final_perplexity", "ppl, final ppl"},
    {"final_auc", "auc, final auc"},
    {"final_nuv", "nuv, final nuv"},
    {"final_rouge1", "rouge1"},
    {"tokens_per_second_per_device", "token/p/s, tokens/p/s"},
    {"mfu", "mfu"},
    {"device_memory", "mem, memory"},
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

// By which figures are multiplied whose unit the head tells, `mem (MiB)`: those of a row are in the unit of
// their metric.
struct FigureUnit {
  std::string_view metric, told;
  std::int64_t factor;
};
constexpr std::int64_t mebi = 1, gibi = 1024;
constexpr std::array figure_units{
    FigureUnit{"device_memory", "", gibi},
    FigureUnit{"device_memory", "actual/total", gibi},
    FigureUnit{"device_memory", "gib", gibi},
    FigureUnit{"device_memory", "gb", gibi},
    FigureUnit{"device_memory", "mib", mebi},
    FigureUnit{"device_memory", "mb", mebi},
    FigureUnit{"e2e_time", "", 1},
    FigureUnit{"e2e_time", "s", 1},
    FigureUnit{"e2e_time", "min", 60},
    FigureUnit{"e2e_time", "h", 3600},
};

std::vector<std::string_view> parted_heads(PerformanceColumn column) {
  std::vector<std::string_view> heads = split(heads_of(column), ',');
  for (std::string_view& head : heads) head = trim(head);
  return heads;
}

bool has_head(PerformanceColumn column, std::string_view head) {
  const std::string_view heads = heads_of(column);
  for (std::size_t at = heads.find(head); at != std::string_view::npos; at = heads.find(head, at + 1)) {
    const std::string_view behind = heads.substr(at + head.size());
    const bool begins = at == 0 || heads.substr(0, at).ends_with(", ");
    if (begins && (behind.empty() || behind.starts_with(','))) return !head.empty();
  }
  return false;
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
    if (!has_head(column, head)) continue;
    const std::string unit = is_of_numbers(column) ? unit_or_words(bracketed) : to_lower(bracketed);
    const bool is_known = i < first_figure || figure_factor(to_string(column), unit).has_value();
    return is_known ? std::optional(TableHead{column, unit}) : std::nullopt;
  }
  return head_with_unit(head);
}

std::optional<std::int64_t> figure_factor(std::string_view metric, std::string_view unit) {
  bool is_free = true;  // of units: its numbers have one alone
  for (const FigureUnit& row : figure_units) {
    if (row.metric == metric && row.told == unit) return row.factor;
    is_free = is_free && row.metric != metric;
  }
  return is_free ? std::optional<std::int64_t>(1) : std::nullopt;
}

std::string_view heads_of(PerformanceColumn column) {
  return heads_table.at(static_cast<std::size_t>(column)).heads;
}

std::span<const PerformanceHeads> performance_heads() { return heads_table; }

}  // namespace gate::schema
