// Format `hf-trainer`: the dictionaries that the Trainer of Hugging Face transformers, and those built on it
// (TRL, peft, axolotl), print at each logging step. Numbers are bare or quoted, NaN is bare. They hold no
// step: they are counted, and an attempt begins where the epoch falls. JSON lines that tell their step, such
// as LLaMA-Factory's, are read too. Speeds that are means since the run began (train_tokens_per_second,
// throughput) are left unread.
//
//   {'loss': 1.4749, 'grad_norm': 1.5961, 'learning_rate': 2e-05, 'epoch': 0.01}
//   {"current_steps": 10, "total_steps": 6750, "loss": 2.219, "lr": 1.3e-06, "epoch": 0.0044}
#include <array>

#include "extract/formats/trainer_kinds.h"
#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace hf_trainer {
namespace {

constexpr std::array fields{
    FieldRow{"current_steps", the_step},
    FieldRow{"step", the_step},
    FieldRow{"total_steps", the_total},
    FieldRow{"max_steps", the_total},
    FieldRow{"epoch", the_order},
    FieldRow{"loss", "lm_loss"},
    FieldRow{"grad_norm", "grad_norm"},
    FieldRow{"learning_rate", "learning_rate"},
    FieldRow{"lr", "learning_rate"},
    FieldRow{"mean_token_accuracy", "token_accuracy"},
    FieldRow{"reward", "reward"},
    FieldRow{"rewards/margins", "reward_margin"},
    FieldRow{"kl", "kl"},
    FieldRow{"entropy", "entropy"},
    FieldRow{"step_time", "iteration_time", ms_per_s},
    FieldRow{"num_input_tokens_seen", "consumed_tokens"},
    FieldRow{"total_tokens", "consumed_tokens"},
};

constexpr std::array validation_fields{
    FieldRow{"current_steps", the_step},
    FieldRow{"step", the_step},
    FieldRow{"eval_loss", "validation_loss"},
};

constexpr std::array expected{FieldRow{"loss", "lm_loss"}};
constexpr std::array<std::string_view, 2> step_needs{"loss", "epoch"};
constexpr std::array<std::string_view, 2> superseded{"deepspeed", "jsonl"};

constexpr std::array kinds{
    RecordKind{.extractor = "hf-trainer.line",
               .literal = "loss",
               .head = R"(\{)",
               .fields = fields,
               .body = Body::literal,
               .expected = expected,
               .needs = step_needs,
               .marks = loss_names},
    RecordKind{.extractor = "hf-trainer.step",
               .literal = "loss",
               .head = R"(\{)",
               .fields = fields,
               .body = Body::literal,
               .steps = Steps::counted,
               .expected = expected,
               .needs = step_needs,
               .marks = loss_names},
    training_start("hf-trainer.start"),
    evaluation("hf-trainer.evaluation", validation_fields),
};

}  // namespace
}  // namespace hf_trainer

FormatSpec hf_trainer_format() {
  return make_format(
      {.row = {"hf-trainer", "Hugging Face transformers: dictionaries and JSON lines of the Trainer"},
       .kinds = hf_trainer::kinds,
       .supersedes = hf_trainer::superseded,
       .signature = R"('epoch'|"current_steps")",
       .beside_bar = BesideBar::yes});
}

}  // namespace gate::extract
