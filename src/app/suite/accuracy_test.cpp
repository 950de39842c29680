#include "gate/suite/accuracy_test.h"

#include <algorithm>
#include <array>
#include <span>

#include "gate/base/object_place.h"
#include "gate/base/text.h"
#include "gate/config/accuracy_contract.h"
#include "gate/config/stores.h"

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

// What the hub says of metric and bound takes the place of what the case says.
void take_metric(CaseOutput& output, const AccuracyContract& contract,
                 const config::ContractVariables& told) {
  if (output.tolerance && !says_any(told, bound_variables)) return;
  if (output.metric != contract.metric) output.text = {.metric = contract.metric};
  output.metric = contract.metric;
  output.tolerance = config::OutputTolerance{
      Tolerance{{{{contract.comparison, Bound::Side::both, contract.threshold}}}}, {}};
}

// The golden file of the variables, where they name one, takes the place of the case's own.
void take_golden(CaseOutput& output, const AccuracyContract& contract, const config::ContractVariables& told,
                 const std::string& cwd) {
  if (!says_any(told, golden_variables)) return;
  const std::string& file = contract.golden_file;
  const bool is_told = file.starts_with('{') || is_object_place(file);
  output.golden = {is_told ? file : (fs::Path(cwd) / file).lexically_normal().string()};
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
  take_metric(output, contract, told);
  if (!contract.is_comparison()) return {};
  take_golden(output, contract, told, spec.cwd);
  for (const std::string& golden : output.golden)
    if (const Status is_one = config::check_golden(golden); !is_one) return usage(is_one.error());
  if (const Status checked = config::check_output(name, output); !checked)
    return usage(spec.name + ": output " + name + ": " + checked.error().message);
  config::add_outputs(outputs, spec.metrics, spec.rules);
  return {};
}

// A comparison has a golden file: where no variable names one, any that gate.toml names; each case keeps its
// own.
config::ContractVariables with_golden(config::ContractVariables variables, const Suite& suite) {
  if (says_any(config::contract_variables(variables), golden_variables)) return variables;
  for (const config::Case& spec : suite.cases)
    for (const auto& [name, output] : spec.settings.outputs)
      if (spec.settings.accuracy_test && !output.golden.empty())
        variables.insert_or_assign("OUTPUT_FILE_PATH", output.golden.front());
  return variables;
}

// A word that is neither a glob nor a name may be the script of any case.
bool may_select(const std::vector<std::string>& words, const config::Case& spec, const Suite& suite) {
  return words.empty() || std::ranges::any_of(words, [&](const std::string& word) {
           return is_glob(word) ? glob_match(word, spec.name)
                                : word == spec.name || suite.find(word) == nullptr;
         });
}

}  // namespace

Answer<void> take_accuracy_contract(Suite& suite, const std::map<std::string, std::string>& variables,
                                    const std::vector<std::string>& words) {
  const auto is_one = [&](const config::Case& spec) {
    return spec.settings.accuracy_test && may_select(words, spec, suite);
  };
  for (const config::Case& spec : suite.cases)
    if (!spec.settings.accuracy_test && may_select(words, spec, suite) &&
        spec.settings.container.image.find(config::image_hole) != std::string::npos)
      return usage(spec.name +
                   ": container.image asks for IMAGE_NAME, which an accuracy test has: "
                   "set accuracy_test = true");
  if (std::ranges::none_of(suite.cases, is_one)) return {};
  auto contract = config::read_accuracy_contract(with_golden(variables, suite));
  const auto first = std::ranges::find_if(suite.cases, is_one);
  if (!contract)
    return usage(first->name + " is an accuracy test, of which the environment says what is tested:\n" +
                 to_string(contract.error()));
  const config::ContractVariables told = config::contract_variables(variables);
  for (config::Case& spec : suite.cases) {
    if (!is_one(spec)) continue;
    GATE_TRY_STATUS(take_for_case(spec, *contract, told));
  }
  suite.contract = std::move(*contract);
  return {};
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
