#include "config/layers/layers.h"

#include <algorithm>

#include "config/tables/part_tables.h"
#include "gate/base/text.h"
#include "gate/config/accuracy_contract.h"
#include "gate/model/numbers/tensor.h"
#include "gate/model/rules/grammar.h"
#include "gate/score/score_metric.h"
#include "gate/score/tensors.h"

namespace gate::config {

namespace {

constexpr std::string_view outputs_prefix = "outputs.";

// What the layers say of one output, and where they say it first.
struct SaidOutput {
  CaseOutput output;
  Position at;
  bool is_valid = true;
};

std::map<std::string, SaidOutput> said_outputs(const Merged& merged) {
  std::map<std::string, SaidOutput> said;
  Settings settings;
  for (auto entry = merged.settings.lower_bound(std::string(outputs_prefix));
       entry != merged.settings.end() && entry->first.starts_with(outputs_prefix); ++entry) {
    const std::string part = entry->first.substr(outputs_prefix.size());
    const std::string name = part.substr(0, part.find('.'));
    SaidOutput& one = said.try_emplace(name, SaidOutput{{}, entry->second->raw.at}).first->second;
    one.is_valid &= assign_output(settings, part, entry->second->raw).has_value();
    one.output = settings.outputs[name];
  }
  return said;
}

bool needs_golden(const CaseOutput& output) {
  return output.metric != results_metric || !output.tolerance || !output.tolerance->tolerance ||
         needs_baseline(*output.tolerance->tolerance);
}

std::string lacking(const CaseOutput& output) {
  if (output.file.empty()) return "file";
  if (output.metric.empty()) return "metric";
  return output.golden.empty() && needs_golden(output) ? "golden" : "";
}

// Files whose names tell that they hold weights, and those that nobody reads.
Status check_weights(const CaseOutput& output) {
  const bool is_text = is_metric_of_text(output.metric);
  for (const std::string& file : {output.file, output.golden.empty() ? "" : output.golden.front()})
    if (!is_text && names_pickle(file)) return fail(why_pickle(file));
  const std::vector<std::string> metrics = score::tensor_metrics();
  if (!names_weights(output.file) || std::ranges::find(metrics, output.metric) != metrics.end()) return {};
  return fail(output.metric + " is no metric of weights; those are " + join(metrics, ", "));
}

Status check_output_metric(const CaseOutput& output) {
  if (output.metric == results_metric)
    return output.golden.size() > 1 ? fail("results have one golden file") : Status();
  GATE_TRY_STATUS(check_weights(output));
  const bool is_of_text = is_metric_of_text(output.metric);
  if (is_of_text && !output.key.empty())
    return fail(output.metric + " is a metric of text, and key names numbers; their metrics are " +
                join(number_metrics(), ", "));
  if (is_of_text) return {};
  if (output.golden.size() > 1) return fail("numbers have one golden file");
  if (names_weights(output.file)) return {};
  return output.key.size() > 1 ? fail("numbers have one key; of results key is a list of globs") : Status();
}

// Whether there are as many golden files as the signature tells of.
Status check_references(const CaseOutput& output) {
  if (!is_metric_of_text(output.metric)) return {};
  return score::make_text_scorer(output.text, std::max<std::size_t>(1, output.golden.size()))
      .map([](const auto&) {});
}

Status check_output_tolerance(const std::string& name, const CaseOutput& output) {
  if (output.metric == results_metric || !output.tolerance) return {};
  if (!output.tolerance->tolerance)
    return fail(output.metric + " has no standard error; write a tolerance such as >= 0.75");
  const score::MetricRow& row = *score::find_metric(output.metric);
  const Metric metric = output_metric(metric_of_output(name, row.name), row.better);
  GATE_TRY_STATUS(check_can_fail(*output.tolerance->tolerance, row.name, {row.least, row.most}));
  return check_direction(*output.tolerance->tolerance, metric);
}

// `-2 standard errors` without its unit; nothing where it has another one.
std::optional<std::string_view> amount_of_errors(std::string_view text) {
  for (const std::string_view unit : {"standard errors", "standard error", "stderr"})
    if (text.ends_with(unit)) return trim(text.substr(0, text.size() - unit.size()));
  return std::nullopt;
}

// Report a setting that says anything else than the only word under which outputs are judged.
void check_only_word(const Merged& merged, const std::string& key, std::string_view only,
                     std::string_view why, Diagnostics& mistakes) {
  const auto said = merged.settings.find(key);
  if (said == merged.settings.end() || said->second->raw.text == only) return;
  mistakes.push_back({said->second->raw.at, std::string(why)});
}

void check_together(const Merged& merged, Diagnostics& mistakes) {
  const auto said = said_outputs(merged);
  if (said.empty()) return;
  check_only_word(merged, "judge", "series", "a case with outputs is judged by them: remove `judge`",
                  mistakes);
  check_only_word(merged, "profile", "gate",
                  "no other profile than gate knows of outputs, and the case has output " +
                      said.begin()->first +
                      ": give that case profile = \"gate\" in gate.toml, or name others",
                  mistakes);
  check_only_word(merged, "phases", "", "a case with outputs has no phases: make two cases of it", mistakes);
}

}  // namespace

void check_outputs(const Merged& merged, Diagnostics& mistakes) {
  for (const auto& [name, said] : said_outputs(merged)) {
    if (!said.is_valid) continue;
    const Status checked = said.output.tolerance
                               ? check_output(name, said.output)
                               : fail("it has no tolerance; write one such as tolerance = \">= 0.75\"");
    if (!checked) mistakes.push_back({said.at, "output " + name + ": " + checked.error().message});
  }
  check_together(merged, mistakes);
}

Status check_output(const std::string& name, const CaseOutput& output) {
  if (const std::string lacks = lacking(output); !lacks.empty()) return fail("it has no " + lacks);
  GATE_TRY_STATUS(check_output_metric(output));
  GATE_TRY_STATUS(check_references(output));
  return check_output_tolerance(name, output);
}

void remove_rule(const std::string& output, std::string_view metric, RuleList& rules) {
  std::vector<Rule> kept = rules;
  std::erase_if(kept,
                [name = metric_of_output(output, metric)](const Rule& rule) { return rule.metric == name; });
  rules = std::move(kept);
}

void add_outputs(const std::map<std::string, CaseOutput>& outputs, MetricTable& metrics, RuleList& rules) {
  if (outputs.empty()) return;
  std::vector<Rule> all = rules;
  for (const auto& [name, output] : outputs) {
    if (output.metric == results_metric) continue;
    const std::string metric = metric_of_output(name, output.metric);
    metrics.put(output_metric(metric, score::find_metric(output.metric)->better));
    all.push_back(output_rule(metric, *output.tolerance->tolerance));
  }
  rules = std::move(all);
}

Result<OutputTolerance> parse_output_tolerance(std::string_view text) {
  const std::optional<std::string_view> amount = amount_of_errors(trim(text));
  if (!amount)
    return parse_tolerance(text).map([](Tolerance tolerance) {
      return OutputTolerance{std::move(tolerance), {}};
    });
  constexpr std::string_view within = "within ";
  const bool says_within = amount->starts_with(within);
  // Distances in standard errors are written as absolute ones are.
  const Result<Tolerance> distance =
      parse_tolerance(says_within ? "±" + std::string(amount->substr(within.size())) : std::string(*amount));
  const bool is_one = distance && distance->any_of.size() == 1 && distance->any_of[0].size() == 1 &&
                      distance->any_of[0][0].kind == Bound::Kind::absolute;
  if (!is_one)
    return fail("\"" + printable(text, 80) +
                "\" is no distance in standard errors; write within 2 standard errors, or "
                "-2 standard errors for the worse side alone");
  const Bound& bound = distance->any_of[0][0];
  constexpr double most_standard_errors = 10;
  if (bound.amount.to_double() > most_standard_errors)
    return fail("\"" + printable(text, 80) + "\": more than 10 standard errors is no bound");
  return OutputTolerance{std::nullopt, bound.amount, bound.side};
}

std::string to_string(const OutputTolerance& tolerance) {
  if (tolerance.tolerance) return to_string(*tolerance.tolerance);
  return to_string(Bound{Bound::Kind::absolute, tolerance.side, tolerance.standard_errors}) +
         " standard errors";
}

std::string metric_of_output(std::string_view output, std::string_view metric) {
  return (output.empty() ? "" : std::string(output) + ".") + std::string(metric);
}

Metric output_metric(std::string name, Better better) {
  return {.name = std::move(name),
          .unit = "",
          .kind = MetricKind::accuracy,
          .better = better,
          .numbered = Numbering::report,
          .pick = Pick::none,
          .doc = "",
          .measured_by = MeasuredBy::log};
}

Rule output_rule(std::string metric, Tolerance tolerance) {
  Rule rule;
  rule.name = metric;
  rule.metric = std::move(metric);
  rule.reduce = Reduce::last;
  rule.tolerance = std::move(tolerance);
  rule.required = true;
  return rule;
}

}  // namespace gate::config
