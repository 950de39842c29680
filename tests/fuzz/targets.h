// The fuzz targets, all of them in one binary. Each is a function `<name>_fuzz` in a file of its name, which
// reads any bytes, aborts where what it found is wrong, and returns 0; targets.cpp has a row for it,
// corpus/<name>/ its seeds.
#pragma once

#include <cstddef>
#include <cstdint>

using FuzzTarget = int(const std::uint8_t* data, std::size_t size);

FuzzTarget accuracy_result_fuzz, baseline_fuzz, config_fuzz, devices_fuzz, engines_fuzz, events_fuzz,
    extract_fuzz, flagperf_fuzz, formula_fuzz, frames_fuzz, golden_lists_fuzz, golden_steps_fuzz,
    history_fuzz, history_rows_fuzz, hub_message_fuzz, job_folder_fuzz, json_lines_fuzz, mask_fuzz,
    matrix_fuzz, model_config_fuzz, number_word_fuzz, objects_fuzz, output_file_fuzz, packed_fuzz,
    performance_table_fuzz, pytest_file_fuzz, python_files_fuzz, records_fuzz, run_files_fuzz, scan_fuzz,
    status_fuzz, survey_fuzz, tensor_file_fuzz, tokenizers_fuzz, tolerance_fuzz, tool_answers_fuzz,
    training_flags_fuzz, words_fuzz, worker_files_fuzz;
