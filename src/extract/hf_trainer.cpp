// Format `hf-trainer`: the dictionaries that the Trainer of Hugging Face transformers, and those built on it,
// print at each logging step. Numbers are bare or quoted, NaN is bare. They hold no step: they are counted,
// and an attempt begins where the epoch falls. JSON lines of the same names, which tell their step, are read
// too.
//
//   {'loss': 1.4749, 'grad_norm': 1.5961, 'learning_rate': 2e-05, 'epoch': 0.01}
//   {"current_steps": 10, "total_steps": 6750, "loss": 2.219, "lr": 1.3e-06, "epoch": 0.0044}
#include <array>

#include "extract/record_kind.h"
#include "extract/table_formats.h"

namespace gate::extract {

namespace {

constexpr std::array fields{
    FieldRow{"step", the_step},         FieldRow{"current_steps", the_step},
    FieldRow{"total_steps", the_total}, FieldRow{"max_steps", the_total},
    FieldRow{"epoch", the_order},       FieldRow{"loss", "lm_loss"},
    FieldRow{"grad_norm", "grad_norm"}, FieldRow{"learning_rate", "learning_rate"},
    FieldRow{"lr", "learning_rate"},
};

constexpr std::array validation_fields{
    FieldRow{"step", the_step},
    FieldRow{"current_steps", the_step},
    FieldRow{"eval_loss", "validation_loss"},
};

constexpr std::array expected{FieldRow{"loss", "lm_loss"}};
constexpr std::array<std::string_view, 2> step_needs{"loss", "epoch"};

constexpr std::array<std::string_view, 1> evaluation_needs{"eval_loss"};

constexpr std::array kinds{
    RecordKind{.extractor = "hf-trainer.line",
               .literal = "loss",
               .head = R"(\{)",
               .fields = fields,
               .body = Body::literal,
               .expected = expected,
               .needs = step_needs},
    RecordKind{.extractor = "hf-trainer.step",
               .literal = "loss",
               .head = R"(\{)",
               .fields = fields,
               .body = Body::literal,
               .steps = Steps::counted,
               .expected = expected,
               .needs = step_needs},
    RecordKind{.extractor = "hf-trainer.evaluation",
               .literal = "eval_loss",
               .head = R"(\{)",
               .fields = validation_fields,
               .body = Body::literal,
               .role = Role::follower,
               .needs = evaluation_needs},
};

constexpr std::string_view dictionaries =
    "{'loss': 1.4749, 'grad_norm': 1.5961, 'learning_rate': 2e-05, 'epoch': 0.01}\n"
    "  7%|7         | 2/30 [00:07<03:43,  7.71s/it]\r                   \r"
    "{'loss': '0.9', 'grad_norm': nan, 'learning_rate': '1e-05', 'epoch': '0.02'}\n"
    "{'eval_loss': 1.2, 'eval_runtime': 3.5, 'epoch': 0.02}\n"
    "{'train_runtime': 30.5, 'train_loss': 1.2, 'epoch': 0.02}\n";

constexpr std::string_view lines =
    "{\"current_steps\": 10, \"total_steps\": 20, \"loss\": 2.219, \"lr\": 1.3e-06, \"epoch\": 0.0044, "
    "\"elapsed_time\": \"0:00:32\"}\n"
    "{\"current_steps\": 20, \"total_steps\": 20, \"loss\": NaN, \"lr\": 1.2e-06, \"epoch\": 0.0088}\n";

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
            {"learning_rate", -1, 20, "1.2e-06"}}}};
}

}  // namespace

FormatSpec hf_trainer_format() {
  return make_format(
      {.row = {"hf-trainer", "Hugging Face transformers: dictionaries and JSON lines of the Trainer"},
       .kinds = kinds,
       .specimens = specimens});
}

}  // namespace gate::extract
