// The specimens of all formats, by name.
#pragma once

#include <string_view>
#include <vector>

#include "specimens/deepspeed.h"
#include "specimens/flagperf.h"
#include "specimens/hf_trainer.h"
#include "specimens/internlm.h"
#include "specimens/jsonl.h"
#include "specimens/lightning.h"
#include "specimens/llama_factory.h"
#include "specimens/llm_c.h"
#include "specimens/megatron.h"
#include "specimens/mindformers.h"
#include "specimens/mindspeed_fsdp2.h"
#include "specimens/mindspeed_mm.h"
#include "specimens/mindspeed_rl.h"
#include "specimens/mllog.h"
#include "specimens/modded_nanogpt.h"
#include "specimens/ms_swift.h"
#include "specimens/nanogpt.h"
#include "specimens/nanotron.h"
#include "specimens/nemo.h"
#include "specimens/olmo.h"
#include "specimens/paddlenlp.h"
#include "specimens/torchtitan.h"
#include "specimens/verl.h"

namespace gate::extract {

struct FormatSpecimens {
  std::string_view format;
  std::vector<Specimen> (*specimens)();
};

// One row for each format, in the order of the reference.
inline constexpr FormatSpecimens format_specimens[] = {
    {"megatron", megatron_log::specimens},
    {"mindspeed-fsdp2", mindspeed_fsdp2_log::specimens},
    {"mindspeed-mm", mindspeed_mm_log::specimens},
    {"mindspeed-rl", mindspeed_rl_log::specimens},
    {"mindformers", mindformers_log::specimens},
    {"deepspeed", deepspeed_log::specimens},
    {"hf-trainer", hf_trainer_log::specimens},
    {"ms-swift", ms_swift_log::specimens},
    {"llama-factory", llama_factory_log::specimens},
    {"nemo", nemo_log::specimens},
    {"verl", verl_log::specimens},
    {"torchtitan", torchtitan_log::specimens},
    {"nanotron", nanotron_log::specimens},
    {"internlm", internlm_log::specimens},
    {"paddlenlp", paddlenlp_log::specimens},
    {"olmo", olmo_log::specimens},
    {"lightning", lightning_log::specimens},
    {"nanogpt", nanogpt_log::specimens},
    {"modded-nanogpt", modded_nanogpt_log::specimens},
    {"llm.c", llm_c_log::specimens},
    {"flagperf", flagperf_log::specimens},
    {"mllog", mllog_log::specimens},
    {"jsonl", jsonl_log::specimens},
};

// Return the specimens of the format of that name; none: it has no row.
inline std::vector<Specimen> specimens_of(std::string_view format) {
  for (const FormatSpecimens& row : format_specimens)
    if (row.format == format) return row.specimens();
  return {};
}

}  // namespace gate::extract
