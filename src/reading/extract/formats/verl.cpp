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

// What launchers and collectors of logs put before a value on a line of its own: words of Ray, names with a
// colon, times.
constexpr std::string_view before_item =
    R"(^(?: |(?:\(\w+ pid=[^()]*\)|\[[^\]]*\]:?|std(?:out|err) F|[\w.-]+:|[^a-z\s]+) )*- )";

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
               .head = before_item,
               .fields = fields,
               .body = Body::fields,
               .role = Role::follower,
               .pattern = pattern,
               .marks = sections},
};

}  // namespace
}  // namespace verl

FormatSpec verl_format() {
  return make_format(
      {.row = {"verl", "verl: one line per step of the console logger, mostly with Ray's prefix"},
       .kinds = verl::kinds,
       .signature = R"((actor|critic|train|perf|timing_s)/)"});
}

}  // namespace gate::extract
