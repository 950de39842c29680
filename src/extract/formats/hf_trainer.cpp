// Format `hf-trainer`: the dictionaries that the Trainer of Hugging Face transformers, and those built on it
// (TRL, peft, axolotl), print at each logging step. Numbers are bare or quoted, NaN is bare. They hold no
// step: they are counted, and an attempt begins where the epoch falls. JSON lines that tell their step, such
// as LLaMA-Factory's, are read too. Speeds that are means since the run began (train_tokens_per_second,
// throughput) are left unread.
//
//   {'loss': 1.4749, 'grad_norm': 1.5961, 'learning_rate': 2e-05, 'epoch': 0.01}
//   {"current_steps": 10, "total_steps": 6750, "loss": 2.219, "lr": 1.3e-06, "epoch": 0.0044}
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"
#include "extract/records/trainer_kinds.h"

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
constexpr std::array<std::string_view, 2> over{"deepspeed", "jsonl"};

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

constexpr std::string_view dictionaries =
    "***** Running training *****\n"
    "{'loss': 1.4749, 'grad_norm': 1.5961, 'learning_rate': 2e-05, 'epoch': 0.01}\n"
    "  7%|7         | 2/30 [00:07<03:43,  7.71s/it]\r                   \r"
    "{'loss': '0.9', 'grad_norm': nan, 'learning_rate': '1e-05', 'epoch': '0.02'}\n"
    "{'eval_loss': 1.2, 'eval_runtime': 3.5, 'epoch': 0.02}\n"
    "{'train_runtime': 30.5, 'train_loss': 1.2, 'epoch': 0.02}\n";

constexpr std::string_view lines =
    "{\"current_steps\": 10, \"total_steps\": 20, \"loss\": 2.219, \"lr\": 1.3e-06, \"epoch\": 0.0044, "
    "\"elapsed_time\": \"0:00:32\"}\n"
    "{\"current_steps\": 20, \"total_steps\": 20, \"loss\": NaN, \"lr\": 1.2e-06, \"epoch\": 0.0088}\n";

constexpr std::string_view rewarded =
    "{'loss': 0.0034, 'grad_norm': np.float64(0.25), 'learning_rate': 1e-06, 'num_tokens': 3100.0, "
    "'completions/mean_length': 198.5, 'rewards/accuracy_reward/mean': 0.5, 'reward': 0.75, 'kl': 0.01, "
    "'entropy': 0.4, 'step_time': 12.5, 'epoch': 0.1}\n";

constexpr std::string_view preferred =
    "{'loss': 0.6931, 'grad_norm': 4.5, 'learning_rate': 1e-06, 'rewards/chosen': 0.25, 'rewards/margins': "
    "0.125, 'mean_token_accuracy': 0.7, 'epoch': 0.2, 'num_input_tokens_seen': 4096, "
    "'train_tokens_per_second': 512.5}\n";

std::vector<Specimen> specimens() {
  return {{"dictionaries",
           dictionaries,
           {{"lm_loss", -1, 1, "1.4749"},
            {"grad_norm", -1, 1, "1.5961"},
            {"learning_rate", -1, 1, "2e-05"},
            {"lm_loss", -1, 2, "'0.9'"},
            {"grad_norm", -1, 2, "nan"},
            {"learning_rate", -1, 2, "'1e-05'"},
            {"validation_loss", -1, 2, "1.2"}}},
          {"JSON lines",
           lines,
           {{"lm_loss", -1, 10, "2.219"},
            {"learning_rate", -1, 10, "1.3e-06"},
            {"lm_loss", -1, 20, "NaN"},
            {"learning_rate", -1, 20, "1.2e-06"}}},
          {"reinforcement learning",
           rewarded,
           {{"lm_loss", -1, 1, "0.0034"},
            {"grad_norm", -1, 1, "np.float64(0.25)"},
            {"learning_rate", -1, 1, "1e-06"},
            {"reward", -1, 1, "0.75"},
            {"kl", -1, 1, "0.01"},
            {"entropy", -1, 1, "0.4"},
            {"iteration_time", -1, 1, "12.5"}}},
          {"preference learning",
           preferred,
           {{"lm_loss", -1, 1, "0.6931"},
            {"grad_norm", -1, 1, "4.5"},
            {"learning_rate", -1, 1, "1e-06"},
            {"reward_margin", -1, 1, "0.125"},
            {"token_accuracy", -1, 1, "0.7"},
            {"consumed_tokens", -1, 1, "4096"}}}};
}

}  // namespace
}  // namespace hf_trainer

FormatSpec hf_trainer_format() {
  return make_format(
      {.row = {"hf-trainer", "Hugging Face transformers: dictionaries and JSON lines of the Trainer"},
       .kinds = hf_trainer::kinds,
       .specimens = hf_trainer::specimens,
       .over = hf_trainer::over,
       .sign = R"('epoch'|"current_steps")"});
}

}  // namespace gate::extract
