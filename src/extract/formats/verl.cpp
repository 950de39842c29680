// Format `verl`: the line that verl's console logger prints a step, mostly behind a prefix of Ray. PPO and
// GRPO print no loss of a language model; their `policy_loss` is actor/pg_loss, `reward` the score before the
// penalty on divergence (else critic/rewards/mean), `tokens_per_second` a device's. A line of another step
// that holds validations alone is not read, but for the loss of the SFT trainer. A copy of such a line that
// was laid out with a value a line, as dashboards and people do, is read too.
//
//   (TaskRunner pid=12647) step:295 - actor/pg_loss:0.0 - actor/grad_norm:np.float64(0.37) - ...
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace verl {
namespace {

constexpr Decimal percent_per_share{100, 0};

constexpr std::array fields{
    FieldRow{"train/loss", "lm_loss"},
    FieldRow{"actor/pg_loss", "policy_loss"},
    FieldRow{"critic/score/mean", "reward"},
    other_quantity({"critic/rewards/mean", "reward"}),
    FieldRow{"actor/kl_loss", "kl"},
    other_quantity({"actor/ppo_kl", "kl"}),
    FieldRow{"actor/entropy", "entropy"},
    other_quantity({"actor/entropy_loss", "entropy"}),
    FieldRow{"actor/grad_norm", "grad_norm"},
    FieldRow{"train/grad_norm", "grad_norm"},
    FieldRow{"actor/lr", "learning_rate"},
    FieldRow{"train/lr", "learning_rate"},
    FieldRow{"train/lr(1e-3)", "learning_rate", {1, -3}},
    FieldRow{"perf/throughput", "tokens_per_second"},
    FieldRow{"timing_s/step", "iteration_time", ms_per_s},
    other_quantity({"perf/time_per_step", "iteration_time", ms_per_s}),
    other_quantity({"train/time(s)", "iteration_time", ms_per_s}),
    FieldRow{"perf/mfu/actor", "mfu", percent_per_share},
    FieldRow{"perf/max_memory_allocated_gb", "memory_max_allocated", mib_per_gib},
    other_quantity({"actor/perf/max_memory_allocated_gb", "memory_max_allocated", mib_per_gib}),
    FieldRow{"perf/max_memory_reserved_gb", "memory_max_reserved", mib_per_gib},
    other_quantity({"actor/perf/max_memory_reserved_gb", "memory_max_reserved", mib_per_gib}),
};

constexpr std::array validation_fields{FieldRow{"val/loss", "validation_loss"}};

// One of these stands in every line of a training step.
constexpr std::array<std::string_view, 7> training{
    "train/loss",         "actor/pg_loss", "critic/score/mean", "critic/rewards/mean",
    "actor/entropy_loss", "timing_s/step", "perf/throughput"};

// One of these begins each field of a line with one value.
constexpr std::array<std::string_view, 5> sections{"actor/", "critic/", "train/", "timing_s/", "perf/"};

constexpr std::string_view head = R"((?:^|[^\w/])step:(?P<step>\d+) - )";
constexpr std::string_view pattern = R"(([A-Za-z_][\w@/.()+-]*):(\S+))";

constexpr std::array kinds{
    RecordKind{.extractor = "verl.step",
               .literal = "step:",
               .head = head,
               .fields = fields,
               .body = Body::fields,
               .pattern = pattern,
               .one_of = training},
    RecordKind{.extractor = "verl.validation",
               .literal = "val/loss:",
               .head = head,
               .fields = validation_fields,
               .body = Body::fields,
               .role = Role::follower,
               .pattern = pattern},
    RecordKind{.extractor = "verl.title", .literal = "step:", .head = R"((?:^|[^\w/])step:(?P<step>\d+)$)"},
    RecordKind{.extractor = "verl.item",
               .literal = "- ",
               .head = R"(^(?:\(\w+ pid=[^()]*\))? *- )",
               .fields = fields,
               .body = Body::fields,
               .role = Role::follower,
               .pattern = pattern,
               .marks = sections},
};

constexpr std::string_view lines =
    "\x1b[36m(TaskRunner pid=12647)\x1b[0m step:0 - val-core/openai/gsm8k/reward/mean@1:0.25\n"
    "\x1b[36m(TaskRunner pid=12647)\x1b[0m step:1 - training/epoch:0 - training/global_step:1 - "
    "actor/entropy:0.438 - actor/pg_loss:np.float64(-0.02) - actor/ppo_kl:-0.001 - actor/grad_norm:0.25 - "
    "actor/lr:1e-06 - critic/rewards/mean:0.5 - critic/score/mean:0.625 - perf/mfu/actor:0.37 - "
    "perf/max_memory_allocated_gb:80.5 - perf/max_memory_reserved_gb:94.5 - timing_s/step:93.5 - "
    "perf/time_per_step:93.5 - perf/throughput:2932.5\n"
    "(TaskRunner pid=12647) step:2 - training/global_step:2 - actor/entropy:0.4 - actor/pg_loss:nan - "
    "actor/ppo_kl:0.0 - actor/grad_norm:inf - actor/lr:1e-06 - critic/score/mean:0.5 - perf/mfu/actor:0.37 - "
    "perf/max_memory_allocated_gb:80.5 - perf/max_memory_reserved_gb:94.5 - timing_s/step:90 - "
    "perf/throughput:2900\n";

constexpr std::string_view finetuning =
    "Epoch 1/1:  50%|#####     | 1/2 [00:07<00:07,  7.1s/it]step:1 - train/loss:0.30185 - "
    "train/lr(1e-3):0.01 "
    "- train/time(s):7.5\n"
    "step:1 - val/loss:0.5\n";

constexpr std::string_view laid_out =
    "(TaskRunner pid=15930, ip=10.4.1.33) step:1\n"
    " - actor/pg_loss:0.054\n"
    " - training/global_step:1\n"
    " - critic/score/mean:0.576\n"
    "(TaskRunner pid=15930, ip=10.4.1.33) step:2\n"
    "(TaskRunner pid=15930, ip=10.4.1.33)  - actor/pg_loss:0.051\n"
    "(TaskRunner pid=15930, ip=10.4.1.33) step:12";

std::vector<Specimen> specimens() {
  return {{"two steps behind a validation",
           lines,
           {{"policy_loss", -1, 1, "np.float64(-0.02)"},
            {"reward", -1, 1, "0.625"},
            {"kl", -1, 1, "-0.001"},
            {"entropy", -1, 1, "0.438"},
            {"grad_norm", -1, 1, "0.25"},
            {"learning_rate", -1, 1, "1e-06"},
            {"tokens_per_second", -1, 1, "2932.5"},
            {"iteration_time", -1, 1, "93.5"},
            {"mfu", -1, 1, "0.37"},
            {"memory_max_allocated", -1, 1, "80.5"},
            {"memory_max_reserved", -1, 1, "94.5"},
            {"policy_loss", -1, 2, "nan"},
            {"reward", -1, 2, "0.5"},
            {"kl", -1, 2, "0.0"},
            {"entropy", -1, 2, "0.4"},
            {"grad_norm", -1, 2, "inf"},
            {"learning_rate", -1, 2, "1e-06"},
            {"tokens_per_second", -1, 2, "2900"},
            {"iteration_time", -1, 2, "90"},
            {"mfu", -1, 2, "0.37"},
            {"memory_max_allocated", -1, 2, "80.5"},
            {"memory_max_reserved", -1, 2, "94.5"}}},
          {"the SFT trainer",
           finetuning,
           {{"lm_loss", -1, 1, "0.30185"},
            {"learning_rate", -1, 1, "0.01"},
            {"iteration_time", -1, 1, "7.5"},
            {"validation_loss", -1, 1, "0.5"}}},
          {"a value a line, cut off",
           laid_out,
           {{"policy_loss", -1, 1, "0.054"}, {"reward", -1, 1, "0.576"}, {"policy_loss", -1, 2, "0.051"}}}};
}

}  // namespace
}  // namespace verl

FormatSpec verl_format() {
  return make_format(
      {.row = {"verl", "verl: a line a step of the console logger, mostly behind Ray's prefix"},
       .kinds = verl::kinds,
       .specimens = verl::specimens,
       .sign = R"((actor|critic|train|perf|timing_s)/)"});
}

}  // namespace gate::extract
