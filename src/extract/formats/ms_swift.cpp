// Format `ms-swift`: the dictionaries that ms-swift and Megatron-SWIFT print behind a progress bar, and the
// same ones in logging.jsonl. Numbers are bare or quoted. Memory is the most that was reserved. Speeds
// (train_speed, tokens_per_gpu_per_sec) are means since the run began, and left unread. Without a step (GRPO
// of older versions) the dictionaries are counted. Evaluations are followers; the dictionary at the end of a
// run is not read.
//
//   {'loss': '1.922', 'grad_norm': '33.25', 'learning_rate': '3.33e-06', 'token_acc': '0.6417',
//    'global_step/max_steps': '1/30', 'memory(GiB)': '64.91', 'train_speed(s/it)': '7.711'}  (on one line)
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"
#include "extract/records/trainer_kinds.h"

namespace gate::extract {

namespace ms_swift {
namespace {

constexpr std::array fields{
    FieldRow{"global_step/max_steps", step_of_total},
    FieldRow{"steps[global_step/max_steps]", step_of_total},
    FieldRow{"iteration", step_of_total},
    FieldRow{"epoch", the_order},
    FieldRow{"loss", "lm_loss"},
    FieldRow{"grad_norm", "grad_norm"},
    FieldRow{"learning_rate", "learning_rate"},
    FieldRow{"token_acc", "token_accuracy"},
    FieldRow{"acc", "token_accuracy"},
    FieldRow{"reward", "reward"},
    FieldRow{"rewards/margins", "reward_margin"},
    FieldRow{"kl", "kl"},
    FieldRow{"memory(GiB)", "memory_max_reserved", mib_per_gib, Scope::rank},
};

constexpr std::array validation_fields{
    FieldRow{"global_step/max_steps", step_of_total},
    FieldRow{"steps[global_step/max_steps]", step_of_total},
    FieldRow{"iteration", step_of_total},
    FieldRow{"eval_loss", "validation_loss"},
};

constexpr std::array expected{FieldRow{"loss", "lm_loss"}};
constexpr std::array<std::string_view, 1> step_needs{"loss"};
constexpr std::array<std::string_view, 2> counted_needs{"loss", "memory(GiB)"};
constexpr std::array<std::string_view, 3> over{"hf-trainer", "deepspeed", "jsonl"};

constexpr std::array kinds{
    RecordKind{.extractor = "ms-swift.step",
               .literal = "loss",
               .head = R"(\{)",
               .fields = fields,
               .body = Body::literal,
               .expected = expected,
               .needs = step_needs,
               .marks = loss_names},
    RecordKind{.extractor = "ms-swift.counted",
               .literal = "memory(GiB)",
               .head = R"(\{)",
               .fields = fields,
               .body = Body::literal,
               .steps = Steps::counted_if_whole,
               .expected = expected,
               .needs = counted_needs},
    training_start("ms-swift.start"),
    evaluation("ms-swift.evaluation", validation_fields),
};

constexpr std::string_view quoted =
    "{'train_dataset': 'size=16', 'loss_scale': 'default'}\n"
    "\rTrain:   3%|3         | 1/30 [00:07<03:43,  7.71s/it]\r                         \r"
    "{'loss': '1.922', 'grad_norm': '33.25', 'learning_rate': '3.33e-06', 'token_acc': '0.6417', 'epoch': "
    "'0.0002125', 'global_step/max_steps': '1/30', 'elapsed_time': '8s', 'remaining_time': '3m 44s', "
    "'tokens_per_gpu_per_sec': '59.6', 'tokens_global_per_sec': '476.7', 'tokens_this_step': 919, "
    "'memory(GiB)': '64.5', 'train_speed(s/it)': '7.711'}\n"
    "{'eval_loss': '1.5', 'eval_runtime': '2.5', 'epoch': '0.0002125', 'global_step/max_steps': '1/30'}\n"
    "{'loss': nan, 'grad_norm': 'nan', 'global_step/max_steps': '2/30', 'memory(GiB)': '65', "
    "'train_speed(s/it)': '7.5'}\n"
    "{'train_runtime': '306.5', 'train_loss': '1.2', 'token_acc': '0.7', 'epoch': '1', "
    "'global_step/max_steps': '2/30', 'memory(GiB)': '65', 'train_speed(s/it)': '7.6'}\n"
    "{'loss': '1.5', 'memory(GiB)': '65', 'global_step/max_st";

constexpr std::string_view older =
    "{\"loss\": 1.4749825, \"acc\": 0.66827957, \"epoch\": 0.01, \"steps[global_step/max_steps]\": \"5/94\", "
    "\"memory(GiB)\": 16.75, \"train_speed(iter/s)\": 0.125}\n"
    "{\"loss\": 0.9, \"iteration\": \"10/94\", \"memory(GiB)\": 16.75, \"train_speed(s/it)\": 8.5}\n";

constexpr std::string_view counted =
    "***** Running training *****\n"
    "{'loss': 0.0034, 'grad_norm': 0.0256, 'learning_rate': 3.57e-06, 'memory(GiB)': 104.25, "
    "'train_speed(iter/s)': 0.002, 'completions/mean_length': 1988.125, 'reward': 1.03, 'kl': 0.5, "
    "'epoch': 0.1}\n";

std::vector<Specimen> specimens() {
  return {{"quoted numbers, an evaluation, the end of a run, a cut line",
           quoted,
           {{"lm_loss", -1, 1, "'1.922'"},
            {"grad_norm", -1, 1, "'33.25'"},
            {"learning_rate", -1, 1, "'3.33e-06'"},
            {"token_accuracy", -1, 1, "'0.6417'"},
            {"memory_max_reserved", -1, 1, "'64.5'"},
            {"validation_loss", -1, 1, "'1.5'"},
            {"lm_loss", -1, 2, "nan"},
            {"grad_norm", -1, 2, "'nan'"},
            {"learning_rate", -1, 2, ""},
            {"token_accuracy", -1, 2, ""},
            {"memory_max_reserved", -1, 2, "'65'"}}},
          {"JSON lines of older versions and of Megatron-SWIFT",
           older,
           {{"lm_loss", -1, 5, "1.4749825"},
            {"token_accuracy", -1, 5, "0.66827957"},
            {"memory_max_reserved", -1, 1, "16.75"},
            {"lm_loss", -1, 10, "0.9"},
            {"token_accuracy", -1, 10, ""},
            {"memory_max_reserved", -1, 2, "16.75"}}},
          {"without a step",
           counted,
           {{"lm_loss", -1, 1, "0.0034"},
            {"grad_norm", -1, 1, "0.0256"},
            {"learning_rate", -1, 1, "3.57e-06"},
            {"reward", -1, 1, "1.03"},
            {"kl", -1, 1, "0.5"},
            {"memory_max_reserved", -1, 1, "104.25"}}}};
}

}  // namespace
}  // namespace ms_swift

FormatSpec ms_swift_format() {
  return make_format({.row = {"ms-swift", "ms-swift and Megatron-SWIFT: dictionaries and logging.jsonl"},
                      .kinds = ms_swift::kinds,
                      .specimens = ms_swift::specimens,
                      .over = ms_swift::over,
                      .sign = R"(memory\(GiB\)|global_step/max_steps|train_speed\()"});
}

}  // namespace gate::extract
