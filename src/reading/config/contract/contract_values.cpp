#include "config/contract/contract_values.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate::config {

namespace {

// The job of a container, `job_id` of some scripts, is no test, which may have several: it is no alias.
constexpr std::array contract_table{
    ContractRow{"MODEL_OWNER", "OWNER owner", "owner of the model; required"},
    ContractRow{"MODEL_NAME", "model_name", "the model; required"},
    ContractRow{"COMMIT_ID", "commit_version_id", "commit of the model (default: the newest)"},
    ContractRow{"MODEL_TEMPLATE", "", "the model's template: qwen, internal, ..."},
    ContractRow{"TEST_TYPE", "testType", "accuracy_test, or usability_test, which compares nothing"},
    ContractRow{"MODEL_TEST_TYPE", "", "inference or training (default: training if DATASET_INFO is set)"},
    ContractRow{"RUN_AS_BASELINE", "",
                "true or 1: make the output a baseline; false or 0: compare it with one"},
    ContractRow{"BASELINE_NAME", "NEW_BASELINE_NAME", "1 to 32 letters, digits, _, - and ., no . first"},
    ContractRow{"BASELINE_ID", "", "id of the baseline"},
    ContractRow{"METRIC", "", "the metric: BLEU, mean_relative_error, 绝对误差, ..."},
    ContractRow{"THRESHOLD", "", "the threshold: 0.75 for BLEU, 0.02 for mean_relative_error"},
    ContractRow{"OPERATOR", "", ">=, >, <=, < or ==; must let the better values pass"},
    ContractRow{"BUCKET_NAME", "OBS_BUCKET", "the bucket of the object store"},
    ContractRow{"ENDPOINT", "OBS_ENDPOINT", "the address of the object store"},
    ContractRow{"ACCURACY_TEST_ID", "TEST_ID", "id of the test"},
    ContractRow{"INPUT_FILE_NAME", "", "the last part of INPUT_FILE_PATH"},
    ContractRow{"INPUT_FILE_PATH", "", "input file of the model; optional"},
    ContractRow{"OUTPUT_FILE_NAME", "", "the last part of OUTPUT_FILE_PATH"},
    ContractRow{"OUTPUT_FILE_PATH", "BASELINE_OUTPUT_FILE BASELINE_LOSS_FILE",
                "golden file, never written; of a comparison required where gate.toml names none"},
    ContractRow{"NUM_COMPUTE_CARDS", "", "1, 2, 4 or 8 (default: as many as devices of gate.toml says)"},
    ContractRow{"DATASET_INFO", "", "training dataset"},
    ContractRow{"IMAGE_NAME", "", "the image that the test is for: container.image = \"{env.IMAGE_NAME}\""},
    ContractRow{"GIT_URL", "", "where the model's repository is: https://, ssh:// or git@HOST:PATH"},
    ContractRow{"FRAMEWORK", "", "the framework that the test is for: pytorch, mindspore, ..."},
    ContractRow{"FRAMEWORK_VERSION", "", "its version; the report says if the run had another one"},
    ContractRow{"CANN_VERSION", "", "the version of CANN; likewise"},
};

std::vector<std::string_view> names_of(const ContractRow& row) {
  std::vector<std::string_view> names = split_words(row.aliases);
  names.insert(names.begin(), row.name);
  return names;
}

std::size_t place_of_row(std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(contract_table, name, &ContractRow::name) -
                                  contract_table.begin());
}

}  // namespace

std::span<const ContractRow> contract_rows() { return contract_table; }

std::vector<ContractValue> values_of(const ContractRow& row, const ContractVariables& variables) {
  std::vector<ContractValue> values;
  for (const std::string_view name : names_of(row)) {
    const auto found = variables.find(std::string(name));
    if (found == variables.end()) continue;
    const std::string_view value = trim(found->second);
    if (!value.empty()) values.push_back({std::string(name), std::string(value)});
  }
  return values;
}

ContractVariables contract_variables(const ContractVariables& variables) {
  ContractVariables all;
  for (const ContractRow& row : contract_table)
    if (const auto values = values_of(row, variables); !values.empty())
      for (const std::string_view name : names_of(row)) all.emplace(name, values.front().value);
  return all;
}

void ContractMistakes::add(std::string_view name, std::string message) {
  mistakes_.emplace_back(place_of_row(name), std::move(message));
}

bool ContractMistakes::is_sound(std::string_view name) const {
  return std::ranges::none_of(mistakes_,
                              [&](const auto& mistake) { return mistake.first == place_of_row(name); });
}

Diagnostics ContractMistakes::take() {
  std::stable_sort(mistakes_.begin(), mistakes_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Diagnostics all;
  for (auto& [place, message] : mistakes_) all.push_back({{}, std::move(message)});
  return all;
}

}  // namespace gate::config
