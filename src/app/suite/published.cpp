#include "gate/suite/published.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"
#include "gate/config/training.h"
#include "gate/schema/performance_file.h"

namespace gate::app {

namespace {

// Tell whether some alternative has no lower limit above 0.
bool lets_all_pass(const Tolerance& tolerance) {
  return std::ranges::any_of(tolerance.any_of, [](const std::vector<Bound>& all_of) {
    return std::ranges::all_of(all_of, [](const Bound& bound) {
      const bool is_lower = bound.kind == Bound::Kind::at_least || bound.kind == Bound::Kind::above;
      return is_lower && !(bound.amount > Decimal{});
    });
  });
}

// Why the rule cannot be held against the row; "" where it can.
std::string why_not_against(const Rule& rule, const config::Case& spec, const PerformanceRow& row) {
  const Decimal* const number = row.find(rule.metric);
  if (number == nullptr && row.figures.empty()) return row.name + " has no reference";
  if (number == nullptr) return row.name + " has no " + rule.metric + "; it has " + row.figures_line();
  const std::string unit = spec.metrics.get(rule.metric).unit,
                    published = canonical_speed_unit(row.unit_of(rule.metric));
  if (unit != published)
    return "the reference is in " + row.unit_of(rule.metric) + ", and " + rule.metric + " in " +
           (unit.empty() ? "no unit" : unit) +
           "; give the rule metric = \"tokens_per_second_per_device\" or another one in this unit";
  if (rule.metric == ambiguous_speed)
    return rule.metric +
           " is of one device in some logs and of all in others; declare tokens_per_second_per_device by "
           "its formula \"per_device\" or \"total\", and give the rule that metric";
  for (const Tolerance& tolerance : {rule.tolerance, rule.deterministic.value_or(rule.tolerance)}) {
    const std::optional<Tolerance> beside = beside_constant(tolerance, *number);
    if (!beside) return "its tolerance has no limit beside one number";
    if (lets_all_pass(*beside)) return "its tolerance lets a speed of 0 pass; write one below 100 %";
  }
  return "";
}

struct ShapePart {
  const char* name;
  std::string TrainingShape::*member;
};
constexpr std::array shape_parts{
    ShapePart{"model", &TrainingShape::model},
    ShapePart{"size", &TrainingShape::parameters},
    ShapePart{"sequence", &TrainingShape::sequence},
    ShapePart{"implementation", &TrainingShape::implementation},
    ShapePart{"cluster", &TrainingShape::cluster},
    ShapePart{"precision", &TrainingShape::precision},
};

// `the case has sequence 8K, and the reference 4K`; "" where all that both tell is the same.
std::string difference(const TrainingShape& own, const TrainingShape& published) {
  for (const ShapePart& part : shape_parts) {
    std::string a = own.*part.member, b = published.*part.member;
    if (a.empty() || b.empty() || to_lower(a) == to_lower(b)) continue;
    const auto tokens = tokens_of_sequence(a);
    if (part.member == &TrainingShape::sequence && tokens && tokens == tokens_of_sequence(b)) continue;
    return std::string("the case has ") + part.name + " " + printable(a, 40) + ", and the reference " +
           printable(b, 40);
  }
  return "";
}

// What the case does not tell the reference does: the case is bound to it for being the same training.
void complete(TrainingShape& shape, const TrainingShape& published) {
  for (const ShapePart& part : shape_parts)
    if ((shape.*part.member).empty()) shape.*part.member = published.*part.member;
}

void bind_rule(Rule& rule, const PerformanceRow& row) {
  const Decimal& number = *row.find(rule.metric);
  const std::string unit = row.unit_of(rule.metric);
  rule.tolerance = *beside_constant(rule.tolerance, number);
  if (rule.deterministic) rule.deterministic = beside_constant(*rule.deterministic, number);
  rule.required = true;
  rule.published = number.to_string() + (unit.empty() ? "" : " " + unit) + " (" + row.name + ")";
}

}  // namespace

Answer<PerformanceTable> references_in(const fs::Path& folder) {
  const fs::Path path = folder / references_name;
  if (!fs::is_replaceable(path))
    return usage(path.string() + ": is no regular file; put the file itself there");
  if (!fs::is_taken(path)) return PerformanceTable{};
  if (fs::size_of(path) > schema::most_performance_bytes)
    return usage(path.string() + ": is larger than " + std::to_string(schema::most_performance_bytes >> 20) +
                 " MiB");
  GATE_TRY(const auto text, or_usage(fs::read_file(path)));
  return or_usage(schema::read_performance(text, path.string()));
}

std::optional<CasePerformance> published_training(const config::Case& spec, const std::string& platform) {
  CasePerformance performance{config::training_shape(spec, platform)};
  TrainingShape& shape = performance.shape;
  if (spec.reference) {
    performance.reference = *spec.reference;
    complete(shape, spec.reference->shape);
  }
  if (shape.model.empty()) shape.model = config::model_in_path(spec.script);
  if (shape.model.empty() && shape.sequence.empty() && shape.implementation.empty()) return std::nullopt;
  return performance;
}

std::string_view published_metric(const config::Case& spec) {
  const auto against =
      std::ranges::find_if(spec.rules, [](const Rule& rule) { return !rule.published.empty(); });
  return against == spec.rules.end() ? "" : std::string_view(against->metric);
}

Diagnostics bind_reference(config::Case& spec, const PerformanceTable& table,
                           const std::function<Position()>& at) {
  const std::string& name = spec.settings.reference;
  if (!name.empty()) {
    const PerformanceRow* row = table.find(name);
    if (row == nullptr) {
      return {{at(), "unknown reference \"" + printable(name, 80) + "\"" +
                         did_you_mean(name, texts_of(table.rows, &PerformanceRow::name)) +
                         "; gate reference names those that there are"}};
    }
    if (const std::string other = difference(config::training_shape(spec, ""), row->shape); !other.empty())
      return {{at(), "reference \"" + printable(name, 80) + "\" is of another training: " + other}};
    spec.reference = std::make_shared<const PerformanceRow>(*row);
  }
  Diagnostics mistakes;
  if (std::ranges::none_of(spec.rules, &Rule::is_against_reference)) return mistakes;
  std::vector<Rule> rules = spec.rules;
  std::erase_if(rules, [&](Rule& rule) {
    if (!rule.is_against_reference) return false;
    const std::string why =
        spec.reference ? why_not_against(rule, spec, *spec.reference) : "the case is bound to no reference";
    if (why.empty()) return bind_rule(rule, *spec.reference), false;
    if (spec.reference || rule.required || spec.settings.strict == judge::Strict::yes)
      mistakes.push_back(
          {at(), "case " + spec.name + ": rules." + rule.name + " is against a reference: " + why});
    spec.unbound.push_back({rule.name, rule.metric, why});
    return true;
  });
  spec.rules = std::move(rules);
  return mistakes;
}

}  // namespace gate::app
