#include "gate/suite/accuracy_test.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <span>

#include "gate/base/object_place.h"
#include "gate/base/text.h"
#include "gate/config/accuracy_contract.h"
#include "gate/config/stores.h"
#include "gate/suite/predecessors.h"
#include "gate/suite/told_places.h"

namespace gate::app {

namespace {

using config::AccuracyContract;
using config::CaseOutput;

// An output that a case does not name itself: where the hub's scripts write it.
std::pair<std::string, CaseOutput> usual_output(const AccuracyContract& contract) {
  CaseOutput output;
  const bool trains = contract.model_test_type == ModelTestType::training;
  output.file = trains ? "test_output/loss.jsonl" : "test_output/output.txt";
  if (trains) output.key = {"loss"};
  return {"output", output};
}

constexpr std::array bound_variables{"METRIC", "THRESHOLD", "OPERATOR"};
constexpr std::array golden_variables{"OUTPUT_FILE_PATH", "OUTPUT_FILE_NAME"};

bool says_any(const config::ContractVariables& told, std::span<const char* const> names) {
  return std::ranges::any_of(names, [&](const char* name) { return told.contains(name); });
}

// What the case says of metric and bound, for what the hub does not say. Where the hub says nothing at all a
// case that says both is not looked at.
config::OwnBound own_bound(const config::Case& spec, const config::ContractVariables& told) {
  const auto& outputs = spec.settings.outputs;
  if (outputs.empty() || (outputs.begin()->second.tolerance && !says_any(told, bound_variables))) return {};
  const CaseOutput& output = outputs.begin()->second;
  config::OwnBound own{.metric = output.metric, .has_tolerance = output.tolerance.has_value()};
  if (!output.tolerance || !output.tolerance->tolerance) return own;
  const auto& any_of = output.tolerance->tolerance->any_of;
  const bool is_single = any_of.size() == 1 && any_of.front().size() == 1;
  if (is_single && !needs_baseline(*output.tolerance->tolerance)) own.bound = any_of.front().front();
  return own;
}

// What the hub says of metric and bound takes the place of what the case says. What becomes a baseline is
// not held against anything, and is what the case says that it is: a training has losses.
Status take_metric(CaseOutput& output, const AccuracyContract& contract,
                   const config::ContractVariables& told) {
  if (output.tolerance && !says_any(told, bound_variables)) return {};
  if (contract.keeps_tolerance) return {};
  if (!contract.is_comparison()) {
    const bool trains = contract.model_test_type == ModelTestType::training;
    const bool has_losses = trains && config::is_metric_of_text(contract.metric);
    if (output.metric.empty()) output.metric = has_losses ? "mean_relative_error" : contract.metric;
    return {};
  }
  const bool has_numbers = !output.metric.empty() && !config::is_metric_of_text(output.metric);
  if (has_numbers && config::is_metric_of_text(contract.metric))
    return fail(contract.metric + " is a metric of text, and the output has numbers (metric = \"" +
                output.metric + "\"): set METRIC to one of " + join(config::number_metrics(), ", "));
  if (output.metric != contract.metric) output.text = {.metric = contract.metric};
  output.metric = contract.metric;
  output.tolerance = config::OutputTolerance{
      Tolerance{{{{contract.comparison, Bound::Side::both, contract.threshold}}}}, {}};
  return {};
}

// The golden file of the variables, where they name one, takes the place of the case's own.
Status take_golden(CaseOutput& output, const AccuracyContract& contract,
                   const config::ContractVariables& told, const std::string& cwd) {
  if (says_any(told, golden_variables)) {
    GATE_TRY(const std::string file, config::golden_place(contract.golden_file));
    const bool is_told = file.starts_with(config::stages_hole) || is_object_place(file);
    output.golden = {is_told ? file : (fs::Path(cwd) / file).lexically_normal().string()};
  }
  return output.golden.empty()
             ? fail(
                   "has no golden file: name it by golden = \"baselines/{baseline_id}/output.txt\" in "
                   "gate.toml, or by OUTPUT_FILE_PATH (output_file_path in a hub's message)")
             : Status();
}

Status take_output(const std::string& name, CaseOutput& output, const AccuracyContract& contract,
                   const config::ContractVariables& told, const std::string& cwd) {
  GATE_TRY_STATUS(take_metric(output, contract, told));
  if (!contract.is_comparison()) return {};
  GATE_TRY_STATUS(take_golden(output, contract, told, cwd));
  return config::check_output(name, output);
}

// Tell what the places of golden files tell; of cases that are not chosen, as far as it is told.
Answer<void> tell_golden(Suite& suite, const std::function<bool(const config::Case&)>& is_chosen) {
  for (config::Case& spec : suite.cases)
    for (auto& [name, output] : spec.settings.outputs)
      for (std::string& golden : output.golden) {
        if (is_object_place(golden)) continue;
        Result<std::string> told = told_in_place(suite, spec, "", golden);
        if (!told && is_chosen(spec))
          return usage(spec.name + ": output " + name + ": golden file " +
                       from_suite(suite, told.error().message));
        if (told) golden = *std::move(told);
      }
  return {};
}

// The image that the hub asks for, checked as a name.
Answer<void> take_image(config::Case& spec, const AccuracyContract& contract) {
  std::string& image = spec.settings.container.image;
  const std::size_t at = image.find(config::image_hole);
  if (at == std::string::npos) return {};
  if (contract.image.empty())
    return usage(spec.name + ": container.image asks for IMAGE_NAME, which is not set");
  image.replace(at, config::image_hole.size(), contract.image);
  return {};
}

Answer<void> take_for_case(config::Case& spec, const AccuracyContract& contract,
                           const config::ContractVariables& told) {
  auto& outputs = spec.settings.outputs;
  if (outputs.size() > 1)
    return usage(spec.name + ": an accuracy test has one output, and this case has " +
                 std::to_string(outputs.size()));
  for (const auto& [name, output] : outputs) config::remove_rule(name, output.metric, spec.rules);
  if (outputs.empty()) outputs.insert(usual_output(contract));
  auto& [name, output] = *outputs.begin();
  GATE_TRY_STATUS(take_image(spec, contract));
  for (const auto& [variable, value] : told) spec.settings.env.try_emplace(variable, value);
  if (!spec.settings.devices && told.contains("NUM_COMPUTE_CARDS")) spec.settings.devices = contract.cards;
  if (!contract.is_comparison() && !contract.run_as_baseline) {
    outputs.clear();
    return {};
  }
  if (const Status taken = take_output(name, output, contract, told, spec.cwd); !taken)
    return usage(spec.name + ": output " + name + ": " + taken.error().message);
  if (!contract.is_comparison()) return {};
  config::add_outputs(outputs, spec.metrics, spec.rules);
  return {};
}

// A word that is neither a glob nor a name may be the script of any case.
bool may_select(const std::vector<std::string>& words, const config::Case& spec, const Suite& suite) {
  const auto means_it = [&](const std::string& word) {
    return is_glob(word) ? glob_match(word, spec.name) : word == spec.name || suite.find(word) == nullptr;
  };
  return suite.has_chosen(spec.name) && (words.empty() || std::ranges::any_of(words, means_it));
}

// Those that may be selected, and what they come after, whichever strategy has that.
std::set<std::string> chosen_by(const std::vector<std::string>& words, const Suite& suite) {
  std::set<std::string> chosen;
  for (const config::Case& spec : suite.cases)
    if (may_select(words, spec, suite)) chosen.insert(spec.name);
  add_predecessors(suite.cases, Bonds::all, chosen);
  return chosen;
}

}  // namespace

Answer<void> take_accuracy_contract(Suite& suite, const std::map<std::string, std::string>& variables,
                                    const std::vector<std::string>& words) {
  const std::set<std::string> chosen = chosen_by(words, suite);
  const auto is_chosen = [&](const config::Case& spec) { return chosen.contains(spec.name); };
  const auto is_one = [&](const config::Case& spec) {
    return spec.settings.accuracy_test && is_chosen(spec);
  };
  for (const config::Case& spec : suite.cases)
    if (!spec.settings.accuracy_test && is_chosen(spec) &&
        spec.settings.container.image.find(config::image_hole) != std::string::npos)
      return usage(spec.name +
                   ": container.image asks for IMAGE_NAME, which an accuracy test has: "
                   "set accuracy_test = true");
  if (std::ranges::none_of(suite.cases, is_one)) return tell_golden(suite, is_chosen);
  const config::ContractVariables told = config::contract_variables(variables);
  for (config::Case& spec : suite.cases) {
    if (!is_one(spec)) continue;
    auto contract = config::read_accuracy_contract(variables, own_bound(spec, told));
    if (!contract)
      return usage(spec.name + " is an accuracy test, of which the environment says what is tested:\n" +
                   to_string(contract.error()));
    GATE_TRY_STATUS(take_for_case(spec, *contract, told));
    suite.contract = std::move(*contract);
  }
  return tell_golden(suite, is_chosen);
}

void need_what_stage_needs(Suite& suite, Stage stage) {
  if (stage == Stage::test) return;
  for (config::Case& spec : suite.cases) {
    spec.settings.devices = 0;
    spec.settings.device_list.clear();
    spec.settings.devices_on.clear();
    spec.settings.platform.clear();
  }
}

}  // namespace gate::app
