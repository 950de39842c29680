// Format `llama-factory`: trainer_log.jsonl, the line of LLaMA-Factory's own logger, and the dictionaries of
// the Trainer that it is built on. The latter two print no step and are counted. The logger rounds the
// learning rate that the dictionary of the same step holds in full: it is not read there. The speed
// (throughput) is the mean since the run began, and left unread. `null` in the file says that nothing was
// logged: of the last record, which marks the end, and of what a kind of training does not have.
//
//   {"current_steps": 10, "total_steps": 6750, "loss": 2.219, "lr": 1.3e-06, "epoch": 0.0044}
//   [INFO|2026-01-01 10:00:00] llamafactory.train.callbacks:143 >> {'loss': 1.1234, 'learning_rate':
//   5.0000e-06, 'epoch': 0.10, 'throughput': 3000.00}  (on one line)
#include <array>

#include "extract/formats/trainer_kinds.h"
#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

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
constexpr std::array<std::string_view, 3> superseded{"hf-trainer", "deepspeed", "jsonl"};

constexpr std::array kinds{
    RecordKind{.extractor = "llama-factory.line",
               .literal = "current_steps",
               .head = R"(\{)",
               .fields = fields,
               .body = Body::literal,
               .expected = expected,
               .needs = line_needs,
               .nulls = Nulls::not_logged},
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

}  // namespace
}  // namespace llama_factory

FormatSpec llama_factory_format() {
  return make_format({.row = {"llama-factory", "LLaMA-Factory: trainer_log.jsonl and its console"},
                      .kinds = llama_factory::kinds,
                      .supersedes = llama_factory::superseded,
                      .signature = R"("current_steps"|callbacks)",
                      .beside_bar = BesideBar::yes});
}

}  // namespace gate::extract
