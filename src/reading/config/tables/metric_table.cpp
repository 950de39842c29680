#include "config/tables/policy_tables.h"

#include <algorithm>
#include <array>

#include "config/tables/key_table.h"

namespace gate::config {

namespace {

Status assign_scale(Declared& declared, const RawValue& raw) {
  GATE_TRY(const Decimal scale, read_number(raw));
  if (scale.is_zero()) return fail("a scale of 0 leaves nothing to judge");
  declared.pattern.scale = scale;
  return {};
}

constexpr std::array formula_table{
    NamedFormula{"tokens_per_second_per_device", "megatron",
                 "global_batch_size * seq_length * 1000 / iteration_time / devices",
                 "tokens of a global batch per step time and device"},
    NamedFormula{"tokens_per_second_per_device", "total", "tokens_per_second / devices",
                 "for a log that prints the tokens of all devices"},
    NamedFormula{"tokens_per_second_per_device", "per_device", "1 * tokens_per_second",
                 "for a log that prints the tokens of one device, e.g. tgs"},
    NamedFormula{"mfu", "megatron",
                 "100 * global_batch_size * seq_length * 1000 / iteration_time / devices * "
                 "flops_per_token(\"megatron\") / peak(\"auto\")",
                 "Megatron-LM, num_floating_point_operations() in megatron/training/training.py, core 0.8"},
    NamedFormula{"mfu", "6N",
                 "100 * global_batch_size * seq_length * 1000 / iteration_time / devices * "
                 "flops_per_token(\"6N\") / peak(\"auto\")",
                 "Kaplan et al. 2020, arXiv:2001.08361: 6 operations per token and parameter"},
};

// A formula, or the name of one that the metric has.
Status assign_formula(Declared& declared, const RawValue& raw) {
  GATE_TRY(const std::string text, read_filled_text(raw));
  const auto* const named = std::ranges::find_if(formula_table, [&](const NamedFormula& row) {
    return row.metric == declared.metric.name && row.name == text;
  });
  return judge::parse_formula(named == formula_table.end() ? text : named->text)
      .map([&](judge::Formula formula) { declared.formula = std::move(formula); });
}

using D = Declared;
constexpr auto metric_table = std::to_array<AssignRow<Declared>>({
    {{"pattern", "regex", "", "metrics",
      "RE2 with group value, and step and rank if printed; epoch (from 0) or nth_epoch (from 1) and each, "
      "the "
      "steps of one, where steps begin anew; every other named group is a metric"},
     [](D& d, const RawValue& raw) { return assign(d.pattern.regex, read_filled_text(raw)); }},
    {{"key", "text", "", "metrics", "name of the value in JSON lines; a.b for nested names"},
     [](D& d, const RawValue& raw) { return assign(d.key, read_filled_text(raw)); }},
    {{"formula", "formula", "", "metrics",
      "computes the metric from others with + - * / ( ): a name, name(\"case\") of another case's run; "
      "devices, nodes, seq_length, peak(\"fp16\") of [peaks], flops_per_token(\"megatron\"); or the name of "
      "a built-in formula"},
     assign_formula},
    {{"unit", "text", "", "metrics",
      "unit of the values after scaling (default for a formula: that of its result)"},
     [](D& d, const RawValue& raw) { return assign(d.metric.unit, read_text(raw)); }},
    {{"scale", "nonzero number", "1", "metrics", "multiplies the printed value"}, assign_scale},
    {{"thousands", "true or false", "false", "metrics",
      "a single comma separates thousands: 7,282 is not 7.282"},
     [](D& d, const RawValue& raw) { return assign(d.pattern.thousands, read_bool(raw)); }},
    {{"better", "higher, lower or none", "none", "metrics", "which direction is better"},
     [](D& d, const RawValue& raw) {
       return assign(d.metric.better, read_enum<Better>(raw, "better", {"none", "higher", "lower"}));
     }},
    {{"kind", "accuracy, speed, memory or other", "other", "metrics",
      "speed and memory are compared on one platform only"},
     [](D& d, const RawValue& raw) {
       return assign(d.metric.kind,
                     read_enum<MetricKind>(raw, "kind", {"accuracy", "speed", "memory", "other"}));
     }},
    {{"numbered", "step, report or time", "step", "metrics", "what the samples are numbered by"},
     [](D& d, const RawValue& raw) {
       return assign(d.metric.numbered, read_enum<Numbering>(raw, "numbered", {"step", "report", "time"}));
     }},
    {{"pick", "first, last, min, max or none", "none", "metrics",
      "value to take if a step has several; none: a conflict"},
     [](D& d, const RawValue& raw) {
       return assign(d.metric.pick, read_enum<Pick>(raw, "pick", {"none", "first", "last", "min", "max"}));
     }},
});

using N = extract::JsonNames;
constexpr auto json_table = std::to_array<AssignRow<N>>({
    {{"step", "text", "", "jsonl", "name of the step in JSON lines; a.b for nested names"},
     assign_member<&N::step, read_filled_text>},
    {{"total", "text", "", "jsonl", "name of the last planned step"},
     assign_member<&N::total, read_filled_text>},
    {{"rank", "text", "", "jsonl", "name of the rank that wrote the line"},
     assign_member<&N::rank, read_filled_text>},
});

constexpr auto metric_rows = rows_of(metric_table);
constexpr auto json_rows = rows_of(json_table);

}  // namespace

std::span<const SettingRow> metric_keys() { return metric_rows; }

std::span<const NamedFormula> named_formulas() { return formula_table; }

std::span<const SettingRow> json_keys() { return json_rows; }

Status assign_metric_key(Declared& declared, std::string_view key, const RawValue& raw) {
  return row_of(metric_table, key).assign(declared, raw);
}

Status assign_json_key(extract::JsonNames& names, std::string_view key, const RawValue& raw) {
  return row_of(json_table, key).assign(names, raw);
}

}  // namespace gate::config
