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

// What to do about a row without a reference: what a project reached on its own devices is none.
std::string instead_of_reference(const PerformanceRow& row) {
  if (!row.measured) return "; give the rule a constant in the place of against: tolerance = \">= N\"";
  const std::string number = row.measured->to_string();
  return ", but measured " + number + (row.unit.empty() ? "" : " " + row.unit) +
         "; give the rule that as a constant in the place of against: tolerance = \">= " + number + "\"";
}

// Why the rule cannot be held against the row; "" where it can.
std::string why_not_against(const Rule& rule, const config::Case& spec, const PerformanceRow& row) {
  const Decimal* const number = row.find(rule.metric);
  if (number == nullptr && row.figures.empty())
    return row.name + " has no reference" + instead_of_reference(row);
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

// Return the devices that the words name, as their platforms begin; "" where they name none. The first
// row that fits counts: a generation goes before its vendor.
std::string_view family_in(std::string_view words) {
  struct FamilyWord {
    std::string_view word, family;
  };
  constexpr std::array family_words{
      FamilyWord{"900 a2", "ascend-910b"},
      FamilyWord{"800t a2", "ascend-910b"},
      FamilyWord{"800i a2", "ascend-910b"},
      FamilyWord{"910b", "ascend-910b"},
      FamilyWord{"900 a3", "ascend-910c"},
      FamilyWord{"800t a3", "ascend-910c"},
      FamilyWord{"910c", "ascend-910c"},
      FamilyWord{"910_93", "ascend-910c"},
      FamilyWord{"310p", "ascend-310p"},
      FamilyWord{"ascend", "ascend"},
      FamilyWord{"atlas", "ascend"},
      FamilyWord{"910", "ascend"},
      FamilyWord{"npu", "ascend"},
      FamilyWord{"昇腾", "ascend"},
      FamilyWord{"a100", "nvidia-a100"},
      FamilyWord{"a800", "nvidia-a800"},
      FamilyWord{"h100", "nvidia-h100"},
      FamilyWord{"h200", "nvidia-h200"},
      FamilyWord{"h800", "nvidia-h800"},
      FamilyWord{"gb200", "nvidia-gb200"},
      FamilyWord{"b200", "nvidia-b200"},
      FamilyWord{"h20", "nvidia-h20"},
      FamilyWord{"v100", "nvidia-v100"},
      FamilyWord{"l40s", "nvidia-l40s"},
      FamilyWord{"nvidia", "nvidia"},
      FamilyWord{"dgx", "nvidia"},
      FamilyWord{"mi250", "amd-mi250"},
      FamilyWord{"mi300", "amd-mi300"},
      FamilyWord{"instinct", "amd"},
      FamilyWord{"epyc", "cpu"},
      FamilyWord{"amd", "amd"},
      FamilyWord{"cpu", "cpu"},
  };
  const std::string lower = to_lower(words);
  for (const FamilyWord& one : family_words)
    if (lower.find(one.word) != std::string::npos) return one.family;
  return "";
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

Sentence other_hardware(const PerformanceRow& row, const std::string& platform) {
  const std::string_view published = family_in(row.hardware);
  std::string_view own = family_in(platform);
  if (!own.empty() && platform.starts_with(own) && own.find('-') == own.npos) own = platform;
  const bool is_told = !published.empty() && !own.empty();  // one may say no more than the vendor
  if (!is_told || own.starts_with(published) || published.starts_with(own)) return {};
  return say({"{} was measured on {}, and this run is of {}: its figures say nothing of this device",
              "{} 是在 {} 上测得的，而这次运行属于 {}：它的数字不能说明这种设备"},
             row.name, printable(row.hardware, 80), platform);
}

void tell_measured_elsewhere(std::vector<Rule>& rules, const config::Case& spec,
                             const std::string& platform) {
  for (Rule& rule : rules)
    if (!rule.published.empty() && spec.metrics.get(rule.metric).kind != MetricKind::accuracy)
      rule.measured_elsewhere = other_hardware(*spec.reference, platform);
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
    if (row == nullptr && table.rows.empty())
      return {{at(), "unknown reference \"" + printable(name, 80) + "\": " + std::string(references_name) +
                         " is missing beside gate.toml, or has no row; gate reference FILE imports a "
                         "published table into it"}};
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
