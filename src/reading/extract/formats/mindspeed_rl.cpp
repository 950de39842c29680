// Format `mindspeed-rl`: the iteration lines of MindSpeed-RL's GRPO, DAPO and PPO trainers, printed by the
// last rank, or behind Ray's prefix. `timing/all` is in seconds; `e2e_tps`, tokens a second and device over
// the whole iteration, is its speed: those of updates and of generation alone are not read.
// `grpo/rewards/mean` goes before `grpo/score/mean`, which is the reward model's before normalisation.
//
//   [2025-05-06 07:08:09] iteration: 1 / 10 | timing/all : 61.5000 | ... | grpo/rewards/mean : 0.2500 |
//   actor/pg_loss : 0.0125 | e2e_tps : 220.5000
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace mindspeed_rl {
namespace {

// A number has the four decimals that it is printed with, so that none is taken that was cut off; any other
// word is what it is where a blank stands behind it.
constexpr std::string_view colon_between_blanks =
    R"(([A-Za-z_][\w()/%.-]*) : *(-?(?:\d+\.\d{4}|\d\.\d+[eE][-+]\d\d|nan|inf)\b|[^\s|]+\s|[^-+.\d\s|]\S*$| *\|))";

constexpr std::array fields{
    FieldRow{"actor/pg_loss", "policy_loss"},
    FieldRow{"grad_norm", "grad_norm"},
    other_quantity({"actor/grad_norm", "grad_norm"}),
    FieldRow{"actor/kl_loss", "kl"},
    FieldRow{"grpo/rewards/mean", "reward"},
    other_quantity({"critic/rewards/mean", "reward"}),
    other_quantity({"grpo/score/mean", "reward"}),
    other_quantity({"critic/score/mean", "reward"}),
    FieldRow{"e2e_tps", "tokens_per_second"},
    FieldRow{"timing/all", "iteration_time", ms_per_s},
    FieldRow{"actor/lr", "learning_rate"},
    other_quantity({"grpo/lr", "learning_rate"}),
};

constexpr std::array expected{FieldRow{"actor/pg_loss", "policy_loss"}};

constexpr std::array kinds{
    RecordKind{.extractor = "mindspeed-rl.iteration",
               .literal = "iteration: ",
               .head = R"(\biteration: (?P<step>\d+) / (?P<total>\d+) \|)",
               .fields = fields,
               .body = Body::fields,
               .pattern = colon_between_blanks,
               .expected = expected},
};

}  // namespace
}  // namespace mindspeed_rl

FormatSpec mindspeed_rl_format() {
  return make_format({.row = {"mindspeed-rl", "MindSpeed-RL: iteration lines of GRPO, DAPO and PPO"},
                      .kinds = mindspeed_rl::kinds,
                      .signature = R"(iteration: \d+ / \d+ \| +[\w()/%.-]+ : )"});
}

}  // namespace gate::extract
