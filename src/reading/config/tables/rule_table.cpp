#include "config/tables/policy_tables.h"

#include <array>

#include "config/tables/key_table.h"
#include "config/tables/setting_table.h"
#include "gate/model/rules/grammar.h"

namespace gate::config {

namespace {

// The grammars of judge have messages of their own for numbers and the like.
template <auto parse>
auto read_by(const RawValue& raw) -> decltype(parse(std::string_view())) {
  GATE_TRY(const std::string text, read_scalar(raw));
  return parse(text);
}

// Return the attempt as the rule keeps it.
Result<std::string> read_rule_attempt(const RawValue& raw) {
  return read_attempt(raw).map([](const extract::AttemptChoice& choice) {
    return choice.number ? std::to_string(*choice.number) : std::string(choice.said ? "last" : "");
  });
}

Status refuse_waiver(Rule&, const RawValue& raw) {
  if (raw.kind == RawValue::Kind::untyped)
    return fail("a waiver is two words here: waive.reason=TEXT and waive.until=2026-12-31");
  return fail(shown(raw) + " is no waiver such as { reason = \"...\", until = \"2026-12-31\" }");
}

template <auto member, auto read>
Status assign_waiver(Rule& rule, const RawValue& raw) {
  GATE_TRY(auto value, read(raw));
  if (!rule.waive) rule.waive.emplace();
  (*rule.waive).*member = std::move(value);
  return {};
}

template <auto member>
std::string show(const Rule& rule) {
  return std::string(to_string(rule.*member));
}

Status assign_deterministic(Rule& rule, const RawValue& raw) {
  GATE_TRY(rule.deterministic, read_by<parse_tolerance>(raw));
  return {};
}

struct RuleKeyRow {
  SettingRow row;
  Status (*assign)(Rule&, const RawValue&);
  std::string (*show)(const Rule&);
};

constexpr auto rule_table = std::to_array<RuleKeyRow>({
    {{"metric", "metric", "the rule's name", "rules", "metric to judge; several rules may judge one"},
     assign_member<&Rule::metric, read_filled_text>,
     [](const Rule& rule) { return rule.metric; }},
    {{"attempt", "auto, last, first or count from 1", "auto", "rules",
      "attempt to judge, if not that of the case"},
     assign_member<&Rule::attempt, read_rule_attempt>,
     [](const Rule& rule) { return rule.attempt; }},
    {{"window", "window", "all", "rules", "samples: all, first N, last N, A..B, after N, step N"},
     assign_member<&Rule::window, read_by<parse_window>>,
     show<&Rule::window>},
    {{"reduce", "reduce", "each", "rules",
      "compared value: each, mean, median, min, max, last, p90, harmonic_mean, trimmed_mean, "
      "mean_relative_error"},
     assign_member<&Rule::reduce, read_by<parse_reduce>>,
     show<&Rule::reduce>},
    {{"tolerance", "tolerance", "", "rules",
      "allowed difference: ±0.01, -5%, +10%, exact, >= 0.75, <= 2% for mean_relative_error, ..."},
     assign_member<&Rule::tolerance, read_by<parse_tolerance>>,
     [](const Rule& rule) { return rule.deterministic ? "" : to_string(rule.tolerance); }},
    {{"tolerance.deterministic", "tolerance", "", "rules",
      "tolerance of a run whose switches make it deterministic; else tolerance.otherwise"},
     assign_deterministic,
     [](const Rule& rule) { return rule.deterministic ? to_string(*rule.deterministic) : ""; }},
    {{"tolerance.otherwise", "tolerance", "", "rules", "tolerance of any other run"},
     assign_member<&Rule::tolerance, read_by<parse_tolerance>>,
     [](const Rule&) { return std::string(); }},
    {{"against", "baseline or reference", "baseline", "rules",
      "what to compare with; reference: the published figure named by the case's `reference`"},
     [](Rule& rule, const RawValue& raw) {
       return read_choice(raw, "against", std::vector<std::string_view>{"baseline", "reference"})
           .map([&](std::size_t i) { rule.is_against_reference = i == 1; });
     },
     [](const Rule& rule) { return std::string(rule.is_against_reference ? "reference" : "baseline"); }},
    {{"rank", "each, max, min or mean", "each", "rules", "how to combine the ranks' series first"},
     assign_member<&Rule::rank, read_by<parse_rank_mode>>,
     show<&Rule::rank>},
    {{"max_misses", "count", "0", "rules", "steps that may exceed the tolerance, with reduce each"},
     assign_member<&Rule::max_misses, read_count_from<0>>,
     [](const Rule& rule) { return std::to_string(rule.max_misses); }},
    {{"required", "bool", "false", "rules", "the case is unjudged if the rule checks nothing"},
     assign_member<&Rule::required, read_bool>,
     [](const Rule& rule) { return std::string(rule.required ? "true" : "false"); }},
    {{"waive", "table", "", "rules", "accept a known failure: { reason, until }"},
     refuse_waiver,
     [](const Rule&) { return std::string(); }},
    {{"waive.reason", "text", "", "rules", "why the failure is accepted"},
     assign_waiver<&Waiver::reason, read_filled_text>,
     [](const Rule& rule) { return rule.waive ? rule.waive->reason : ""; }},
    {{"waive.until", "date", "", "rules", "last day on which it is accepted, at most 90 days ahead"},
     assign_waiver<&Waiver::until, read_date>,
     [](const Rule& rule) { return rule.waive ? rule.waive->until : ""; }},
    {{"cap", "number", "", "rules", "bound that the metric never exceeds, for early stop"},
     assign_member<&Rule::cap, read_number>,
     [](const Rule& rule) { return rule.cap ? rule.cap->to_string() : ""; }},
});

constexpr auto rule_rows = rows_of(rule_table);

}  // namespace

std::span<const SettingRow> rule_keys() { return rule_rows; }

Status assign_rule_key(Rule& rule, std::string_view key, const RawValue& raw) {
  return row_of(rule_table, key).assign(rule, raw);
}

std::string show_rule_key(const Rule& rule, std::string_view key) {
  return row_of(rule_table, key).show(rule);
}

}  // namespace gate::config
