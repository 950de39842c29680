// What the path of another tool's golden file says of its case and platform.
#pragma once

#include <string>
#include <string_view>

#include "gate/base/result.h"

namespace gate::schema {

struct GoldenName {
  std::string case_name;
  std::string platform;        // gate's word; "": the path names none
  std::string environment;     // `dev`, `lts`; "": likewise
  bool is_second_run = false;  // what a run printed that went on from a checkpoint of the first one
};

// Return what the path of a golden file, relative to `tree`, says. The families:
//
//   llama/tp2.json                              case llama/tp2; ModelLink, MindSpeed
//   gpt/tp2/golden_values_dev_dgx_h100.json     case gpt/tp2 on nvidia-h100, environment dev; Megatron-LM
//   gpt/tp2/golden_values_lts_dgx_a100_2nd.json case gpt/tp2 on nvidia-a100, lts, the second run
//   gpt/tp2/golden_values_dev.json              case gpt/tp2, environment dev
//   tests/assets/losses/a10g/llama3.txt         case a10g/llama3; torchtitan
//
// Names of cases begin behind the last folder called `baseline_results` or `test_cases`, of texts also
// `losses`, if there is one on the way; a Megatron file in the tree's own folder is of the case that this
// folder is called. Fails on a `golden_values` name that is none of these (only `_2nd`, once and at the end,
// is a further file), and where a part of the case begins with `_`, which no case does.
Result<GoldenName> golden_name(std::string_view path, std::string_view tree);

// Return gate's word for a platform of Megatron's: `nvidia-h100` of `dgx_h100`, `nvidia-a100-dracooci-ord` of
// `dgxa100_dracooci-ord`; "" of anything else.
std::string megatron_platform(std::string_view words);

// Tell whether the file's name is one that says the chip (of Megatron-LM) and does not: what it holds of
// speed and memory is of a chip that nobody knows.
bool lacks_chip(std::string_view path);

}  // namespace gate::schema
