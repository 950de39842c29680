#include "config/tables/rule_table.h"

#include <array>

#include "config/tables/setting_types.h"
#include "config/toml/values.h"
#include "config/toml/vocabulary.h"
#include "gate/model/grammar.h"

namespace gate::config {

namespace {

// The grammars of judge have messages of their own for numbers and the like.
template <auto member, auto parse>
Status put_parsed(Rule& rule, const RawValue& word) {
  GATE_TRY(const std::string text, read_scalar(word));
  GATE_TRY(auto value, parse(text));
  rule.*member = std::move(value);
  return {};
}

template <auto member, auto read>
Status put_rule(Rule& rule, const RawValue& word) {
  GATE_TRY(auto value, read(word));
  rule.*member = std::move(value);
  return {};
}

Result<int> misses(const RawValue& word) { return read_count(word, 0); }

Result<std::string> read_rule_attempt(const RawValue& word) {
  return read_attempt(word).map([](const extract::AttemptChoice& choice) {
    return choice.number ? std::to_string(*choice.number) : std::string(choice.said ? "last" : "");
  });
}

Status set_waiver(Rule&, const RawValue& word) {
  if (word.kind == RawValue::Kind::untyped)
    return fail("a waiver is two words here: waive.reason=TEXT and waive.until=2026-12-31");
  return fail(shown(word) + " is no waiver such as { reason = \"...\", until = \"2026-12-31\" }");
}

template <auto member, auto read>
Status put_waiver(Rule& rule, const RawValue& word) {
  GATE_TRY(auto value, read(word));
  if (!rule.waive) rule.waive.emplace();
  (*rule.waive).*member = std::move(value);
  return {};
}

template <auto member>
std::string show(const Rule& rule) {
  return std::string(to_string(rule.*member));
}

struct RuleSlot {
  SettingRow row;
  Status (*set)(Rule&, const RawValue&);
  std::string (*show)(const Rule&);
};

constexpr auto rule_slots = std::to_array<RuleSlot>({
    {{"metric", "metric", "the rule's name", "rules", "what is judged; several rules may judge one metric"},
     put_rule<&Rule::metric, read_filled_text>,
     [](const Rule& rule) { return rule.metric; }},
    {{"attempt", "auto, last, first or N", "auto", "rules",
      "whose values are judged, where that is not the attempt that is judged otherwise"},
     put_rule<&Rule::attempt, read_rule_attempt>,
     [](const Rule& rule) { return rule.attempt; }},
    {{"window", "window", "all", "rules", "which samples: all, first N, last N, A..B, after N, step N"},
     put_parsed<&Rule::window, parse_window>,
     show<&Rule::window>},
    {{"reduce", "reduce", "each", "rules",
      "what is compared: each, mean, median, min, max, last, p90, harmonic_mean, trimmed_mean"},
     put_parsed<&Rule::reduce, parse_reduce>,
     show<&Rule::reduce>},
    {{"tolerance", "tolerance", "", "rules",
      "how far apart is well: \u00b10.01, -5%, +10%, exact, >= 0.75, ..."},
     put_parsed<&Rule::tolerance, parse_tolerance>,
     show<&Rule::tolerance>},
    {{"rank", "each, max, min or mean", "each", "rules", "how the ranks' series are combined first"},
     put_parsed<&Rule::rank, parse_rank_mode>,
     show<&Rule::rank>},
    {{"max_misses", "count", "0", "rules", "steps that may be out of bounds, with reduce each"},
     put_rule<&Rule::max_misses, misses>,
     [](const Rule& rule) { return std::to_string(rule.max_misses); }},
    {{"required", "bool", "false", "rules", "whether the case is unjudged where the rule makes no check"},
     put_rule<&Rule::required, read_bool>,
     [](const Rule& rule) { return std::string(rule.required ? "true" : "false"); }},
    {{"waive", "table", "", "rules", "a known failure that is accepted: { reason, until }"},
     set_waiver,
     [](const Rule&) { return std::string(); }},
    {{"waive.reason", "text", "", "rules", "why the failure is accepted"},
     put_waiver<&Waiver::reason, read_filled_text>,
     [](const Rule& rule) { return rule.waive ? rule.waive->reason : ""; }},
    {{"waive.until", "date", "", "rules", "the last day on which it is accepted"},
     put_waiver<&Waiver::until, read_date>,
     [](const Rule& rule) { return rule.waive ? rule.waive->until : ""; }},
    {{"cap", "number", "", "rules", "a bound that the metric never exceeds, for early stop"},
     put_rule<&Rule::cap, read_number>,
     [](const Rule& rule) { return rule.cap ? rule.cap->to_string() : ""; }},
});

constexpr auto rule_rows = rows_of(rule_slots);

}  // namespace

std::span<const SettingRow> rule_keys() { return rule_rows; }

Status set_rule_key(Rule& rule, std::string_view key, const RawValue& word) {
  return find_slot(rule_slots, key)->set(rule, word);
}

std::string show_rule_key(const Rule& rule, std::string_view key) {
  return find_slot(rule_slots, key)->show(rule);
}

}  // namespace gate::config
