// What libFuzzer, or replay.cpp in its place, calls: the target by whose name the binary was started (the
// build makes a link `<name>_fuzz` for each).
#include "targets.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

struct TargetRow {
  std::string_view name;
  FuzzTarget* run;
};

constexpr std::array<TargetRow, 39> table{{
    {"accuracy_result_fuzz", accuracy_result_fuzz},
    {"baseline_fuzz", baseline_fuzz},
    {"config_fuzz", config_fuzz},
    {"devices_fuzz", devices_fuzz},
    {"engines_fuzz", engines_fuzz},
    {"events_fuzz", events_fuzz},
    {"extract_fuzz", extract_fuzz},
    {"flagperf_fuzz", flagperf_fuzz},
    {"formula_fuzz", formula_fuzz},
    {"frames_fuzz", frames_fuzz},
    {"golden_lists_fuzz", golden_lists_fuzz},
    {"golden_steps_fuzz", golden_steps_fuzz},
    {"history_fuzz", history_fuzz},
    {"history_rows_fuzz", history_rows_fuzz},
    {"hub_message_fuzz", hub_message_fuzz},
    {"job_folder_fuzz", job_folder_fuzz},
    {"json_lines_fuzz", json_lines_fuzz},
    {"mask_fuzz", mask_fuzz},
    {"matrix_fuzz", matrix_fuzz},
    {"model_config_fuzz", model_config_fuzz},
    {"number_word_fuzz", number_word_fuzz},
    {"objects_fuzz", objects_fuzz},
    {"output_file_fuzz", output_file_fuzz},
    {"packed_fuzz", packed_fuzz},
    {"performance_table_fuzz", performance_table_fuzz},
    {"pytest_file_fuzz", pytest_file_fuzz},
    {"python_files_fuzz", python_files_fuzz},
    {"records_fuzz", records_fuzz},
    {"run_files_fuzz", run_files_fuzz},
    {"scan_fuzz", scan_fuzz},
    {"status_fuzz", status_fuzz},
    {"survey_fuzz", survey_fuzz},
    {"tensor_file_fuzz", tensor_file_fuzz},
    {"tokenizers_fuzz", tokenizers_fuzz},
    {"tolerance_fuzz", tolerance_fuzz},
    {"tool_answers_fuzz", tool_answers_fuzz},
    {"training_flags_fuzz", training_flags_fuzz},
    {"words_fuzz", words_fuzz},
    {"worker_files_fuzz", worker_files_fuzz},
}};

FuzzTarget* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char*** argv) {
  const std::string_view path = (*argv)[0];
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const auto* row =
      std::find_if(table.begin(), table.end(), [&](const TargetRow& r) { return r.name == name; });
  if (row == table.end()) {
    std::fprintf(stderr, "%s: no fuzz target has this name: start one of the links <name>_fuzz\n",
                 (*argv)[0]);
    std::exit(2);
  }
  chosen = row->run;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return chosen(data, size);
}
