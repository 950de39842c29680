// Format `llama-factory`: trainer_log.jsonl, the line of LLaMA-Factory's own logger, and the dictionaries of
// the Trainer that it is built on. The latter two print no step and are counted. The logger rounds the
// learning rate that the dictionary of the same step holds in full: it is not read there. The speed
// (throughput) is the mean since the run began, and left unread.
//
//   {"current_steps": 10, "total_steps": 6750, "loss": 2.219, "lr": 1.3e-06, "epoch": 0.0044}
//   [INFO|2026-01-01 10:00:00] llamafactory.train.callbacks:143 >> {'loss': 1.1234, 'learning_rate':
//   5.0000e-06, 'epoch': 0.10, 'throughput': 3000.00}  (on one line)
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"
#include "extract/records/trainer_kinds.h"

namespace gate::extract {

namespace llama_factory {
namespace {

constexpr std::array fields{
    FieldRow{"current_steps", the_step},
    FieldRow{"total_steps", the_total},
    FieldRow{"loss", "lm_loss"},
    FieldRow{"lr", "learning_rate"},
    FieldRow{"reward", "reward"},
    FieldRow{"total_tokens", "consumed_tokens"},
    FieldRow{"vram_allocated", "memory_max_allocated", mib_per_gib, Scope::rank},
    FieldRow{"vram_reserved", "memory_max_reserved", mib_per_gib, Scope::rank},
};

constexpr std::array logger_fields{
    FieldRow{"epoch", the_order},
    FieldRow{"loss", "lm_loss"},
    FieldRow{"reward", "reward"},
};

constexpr std::array trainer_fields{
    FieldRow{"epoch", the_order},
    FieldRow{"loss", "lm_loss"},
    FieldRow{"grad_norm", "grad_norm"},
    FieldRow{"learning_rate", "learning_rate"},
    FieldRow{"rewards/margins", "reward_margin"},
    FieldRow{"num_input_tokens_seen", "consumed_tokens"},
};

constexpr std::array validation_fields{
    FieldRow{"current_steps", the_step},
    FieldRow{"eval_loss", "validation_loss"},
};

constexpr std::array expected{FieldRow{"loss", "lm_loss"}};
constexpr std::array<std::string_view, 2> line_needs{"loss", "current_steps"};
constexpr std::array<std::string_view, 1> logger_needs{"loss"};
constexpr std::array<std::string_view, 2> trainer_needs{"loss", "epoch"};
constexpr std::array<std::string_view, 3> over{"hf-trainer", "deepspeed", "jsonl"};

constexpr std::array kinds{
    RecordKind{.extractor = "llama-factory.line",
               .literal = "current_steps",
               .head = R"(\{)",
               .fields = fields,
               .body = Body::literal,
               .expected = expected,
               .needs = line_needs},
    RecordKind{.extractor = "llama-factory.logger",
               .literal = "callbacks",
               .head = R"((?:llamafactory\.train\.callbacks:\d+|\|callbacks\.py:\d+\][ \d:,-]*) >> \{)",
               .fields = logger_fields,
               .body = Body::literal,
               .steps = Steps::counted,
               .expected = expected,
               .needs = logger_needs},
    RecordKind{.extractor = "llama-factory.trainer",
               .literal = "'epoch'",
               .head = R"(\{)",
               .fields = trainer_fields,
               .body = Body::literal,
               .steps = Steps::counted,
               .expected = expected,
               .needs = trainer_needs},
    training_start("llama-factory.start"),
    evaluation("llama-factory.evaluation", validation_fields),
};

constexpr std::string_view lines =
    "{\"current_steps\": 10, \"total_steps\": 20, \"loss\": 2.219, \"lr\": 1.3e-06, \"epoch\": 0.0044, "
    "\"percentage\": 50.0, \"elapsed_time\": \"0:00:32\", \"throughput\": 3000.5, \"total_tokens\": 4096, "
    "\"vram_allocated\": 10.5, \"vram_reserved\": 12.25}\n"
    "{\"current_steps\": 10, \"total_steps\": 20, \"eval_loss\": 2.5, \"epoch\": 0.0044}\n"
    "{\"current_steps\": 20, \"total_steps\": 20, \"loss\": NaN, \"lr\": 1.2e-06, \"epoch\": 0.0088, "
    "\"throughput\": 3001, \"total_tokens\": 8192, \"vram_allocated\": 10.5, \"vram_reserved\": 12.25}\n"
    "{\"current_steps\": 20, \"total_steps\": 20, \"epoch\": 1.0, \"percentage\": 100.0}\n";

constexpr std::string_view console =
    "***** Running training *****\n"
    "  2%|2   | 5/300 [00:26<25:00,  5.09s/it][INFO|2026-01-01 10:00:00] llamafactory.train.callbacks:143 >> "
    "{'loss': 3.2370, 'learning_rate': 9.8746e-06, 'epoch': 0.37, 'throughput': 82.25}\n"
    "{'loss': 3.237, 'grad_norm': 12.05, 'learning_rate': 9.874639560909118e-06, 'epoch': 0.37, "
    "'num_input_tokens_seen': 30240, 'train_runtime': 367.6, 'train_tokens_per_second': 82.249}\n"
    "[INFO|callbacks.py:310] 2026-01-01 10:01:00,000 >> {'loss': 2.2260, 'learning_rate': 9.3761e-06, "
    "'epoch': 0.75, 'throughput': 80.66}\n"
    "{'loss': 2.226, 'grad_norm': nan, 'learning_rate': 9.376e-06, 'epoch': 0.75, "
    "'num_input_tokens_seen': 60480}\n";

std::vector<Specimen> specimens() {
  return {{"trainer_log.jsonl",
           lines,
           {{"lm_loss", -1, 10, "2.219"},
            {"learning_rate", -1, 10, "1.3e-06"},
            {"consumed_tokens", -1, 10, "4096"},
            {"memory_max_allocated", -1, 1, "10.5"},
            {"memory_max_reserved", -1, 1, "12.25"},
            {"validation_loss", -1, 10, "2.5"},
            {"lm_loss", -1, 20, "NaN"},
            {"learning_rate", -1, 20, "1.2e-06"},
            {"consumed_tokens", -1, 20, "8192"},
            {"memory_max_allocated", -1, 2, "10.5"},
            {"memory_max_reserved", -1, 2, "12.25"}}},
          {"the console, where the logger and the Trainer print each step",
           console,
           {{"lm_loss", -1, 1, "3.2370"},
            {"grad_norm", -1, 1, "12.05"},
            {"learning_rate", -1, 1, "9.874639560909118e-06"},
            {"consumed_tokens", -1, 1, "30240"},
            {"lm_loss", -1, 2, "2.2260"},
            {"grad_norm", -1, 2, "nan"},
            {"learning_rate", -1, 2, "9.376e-06"},
            {"consumed_tokens", -1, 2, "60480"}}}};
}

}  // namespace
}  // namespace llama_factory

FormatSpec llama_factory_format() {
  return make_format({.row = {"llama-factory", "LLaMA-Factory: trainer_log.jsonl and its console"},
                      .kinds = llama_factory::kinds,
                      .specimens = llama_factory::specimens,
                      .over = llama_factory::over,
                      .sign = R"("current_steps"|callbacks)"});
}

}  // namespace gate::extract
