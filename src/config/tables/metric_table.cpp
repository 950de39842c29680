#include "config/tables/metric_table.h"

#include <array>

#include "config/toml/values.h"
#include "config/toml/vocabulary.h"

namespace gate::config {

namespace {

Status set_pattern(Declared& declared, const RawValue& word) {
  return read_filled_text(word).map([&](std::string regex) { declared.pattern.regex = std::move(regex); });
}

Status set_key(Declared& declared, const RawValue& word) {
  return read_filled_text(word).map([&](std::string key) { declared.key = std::move(key); });
}

Status set_formula(Declared& declared, const RawValue& word) {
  GATE_TRY(const std::string text, read_filled_text(word));
  return judge::parse_formula(text).map(
      [&](judge::Formula formula) { declared.formula = std::move(formula); });
}

Status set_unit(Declared& declared, const RawValue& word) {
  return read_text(word).map([&](std::string unit) { declared.metric.unit = std::move(unit); });
}

Status set_scale(Declared& declared, const RawValue& word) {
  GATE_TRY(const Decimal scale, read_number(word));
  if (scale.is_zero()) return fail("a scale of 0 leaves nothing to judge");
  declared.pattern.scale = scale;
  return {};
}

Status set_thousands(Declared& declared, const RawValue& word) {
  return read_bool(word).map([&](bool thousands) { declared.pattern.thousands = thousands; });
}

// The names stand in the order of the enumerators.
template <auto member, typename Enum, std::size_t n>
Status choose_declared(Declared& declared, const RawValue& word, std::string_view noun,
                       const std::array<std::string_view, n>& names) {
  return read_choice(word, noun, names).map([&](std::size_t i) {
    declared.metric.*member = static_cast<Enum>(i);
  });
}

Status set_better(Declared& declared, const RawValue& word) {
  return choose_declared<&Metric::better, Better>(declared, word, "better",
                                                  std::array<std::string_view, 3>{"none", "higher", "lower"});
}

Status set_kind(Declared& declared, const RawValue& word) {
  return choose_declared<&Metric::kind, MetricKind>(
      declared, word, "kind", std::array<std::string_view, 4>{"accuracy", "speed", "memory", "other"});
}

Status set_numbered(Declared& declared, const RawValue& word) {
  return choose_declared<&Metric::numbered, Numbering>(
      declared, word, "numbered", std::array<std::string_view, 3>{"step", "report", "time"});
}

Status set_pick(Declared& declared, const RawValue& word) {
  return choose_declared<&Metric::pick, Pick>(
      declared, word, "pick", std::array<std::string_view, 5>{"none", "first", "last", "min", "max"});
}

struct MetricSlot {
  SettingRow row;
  Status (*set)(Declared&, const RawValue&);
};

constexpr auto metric_slots = std::to_array<MetricSlot>({
    {{"pattern", "regex", "", "metrics",
      "RE2 with the group value, and step and rank where they are printed"},
     set_pattern},
    {{"key", "text", "", "metrics", "name of the value in JSON lines; nested names with points"}, set_key},
    {{"formula", "formula", "", "metrics",
      "computes the metric from others with + - * / ( ): a name, or name(\"case\") of another case's run"},
     set_formula},
    {{"unit", "text", "", "metrics",
      "unit of the values, after scaling; of a formula, where it is not given, what it gives"},
     set_unit},
    {{"scale", "number", "1", "metrics", "factor on the printed value"}, set_scale},
    {{"thousands", "true or false", "false", "metrics",
      "a single comma in what the pattern reads parts thousands: 7,282 is no 7.282"},
     set_thousands},
    {{"better", "higher, lower or none", "none", "metrics", "the good direction"}, set_better},
    {{"kind", "accuracy, speed, memory or other", "other", "metrics",
      "speed and memory are compared on one platform only"},
     set_kind},
    {{"numbered", "step, report or time", "step", "metrics", "what the samples are numbered by"},
     set_numbered},
    {{"pick", "first, last, min, max or none", "none", "metrics",
      "which of different values printed for one step is meant; none: a conflict"},
     set_pick},
});

constexpr auto metric_rows = rows_of(metric_slots);

}  // namespace

std::span<const SettingRow> metric_keys() { return metric_rows; }

Status set_metric_key(Declared& declared, std::string_view key, const RawValue& word) {
  return find_slot(metric_slots, key)->set(declared, word);
}

Status compile(const Declared& declared) { return extract::check_pattern(declared.pattern); }

}  // namespace gate::config
