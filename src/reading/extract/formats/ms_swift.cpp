// Format `ms-swift`: the dictionaries that ms-swift and Megatron-SWIFT print behind a progress bar, and the
// same ones in logging.jsonl. Numbers are bare or quoted. Memory is the most that was reserved. Speeds
// (train_speed, tokens_per_gpu_per_sec) are means since the run began, and left unread. Without a step (GRPO
// of older versions) the dictionaries are counted. Evaluations are followers; the dictionary at the end of a
// run is not read.
//
//   {'loss': '1.922', 'grad_norm': '33.25', 'learning_rate': '3.33e-06', 'token_acc': '0.6417',
//    'global_step/max_steps': '1/30', 'memory(GiB)': '64.91', 'train_speed(s/it)': '7.711'}  (on one line)
#include <array>

#include "extract/formats/trainer_kinds.h"
#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

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
constexpr std::array<std::string_view, 3> superseded{"hf-trainer", "deepspeed", "jsonl"};

constexpr std::array kinds{
    RecordKind{.extractor = "ms-swift.step",
               .literal = "loss",
               .head = R"(\{)",
               .fields = fields,
               .body = Body::literal,
               .expected = expected,
               .needs = step_needs,
               .marks = loss_names,
               .nulls = Nulls::not_logged},
    RecordKind{.extractor = "ms-swift.counted",
               .literal = "memory(GiB)",
               .head = R"(\{)",
               .fields = fields,
               .body = Body::literal,
               .steps = Steps::counted_if_whole,
               .expected = expected,
               .needs = counted_needs,
               .nulls = Nulls::not_logged},
    training_start("ms-swift.start"),
    evaluation("ms-swift.evaluation", validation_fields),
};

}  // namespace
}  // namespace ms_swift

FormatSpec ms_swift_format() {
  return make_format({.row = {"ms-swift", "ms-swift and Megatron-SWIFT: dictionaries and logging.jsonl"},
                      .kinds = ms_swift::kinds,
                      .supersedes = ms_swift::superseded,
                      .signature = R"(memory\(GiB\)|global_step/max_steps|train_speed\()",
                      .beside_bar = BesideBar::yes});
}

}  // namespace gate::extract
