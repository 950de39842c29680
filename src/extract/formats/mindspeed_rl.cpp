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

// A word has the four decimals that it is printed with, so that none is taken that was cut off.
constexpr std::string_view colon_between_blanks =
    R"(([A-Za-z_][\w()/%.-]*) : *(-?(?:\d+\.\d{4}|\d\.\d+[eE][-+]\d\d|nan|inf))\b)";

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

constexpr std::string_view grpo =
    "[2025-05-06 07:08:09] INFO start training\n"
    "[2025-05-06 07:09:11] iteration: 1 / 10 | timing/all : 61.5000 | timing/update : 20.2500 | "
    "actor/pg_loss : -0.0125 | actor/kl_loss : 0.0003 | actor/ppo_kl : 0.0000 | grad_norm : 0.1250 | "
    "grpo/score/mean : 0.3000 | grpo/rewards/mean : 0.2500 | grpo/rewards/max : 1.0000 | "
    "response_length/mean : 512.0000 | actor/lr : 1.0000e-06 | e2e_tps : 220.5000 | update_tps : 660.0000 \n"
    "\x1b[36m(RayGRPOTrainer pid=4242)\x1b[0m [2025-05-06 07:10:11] iteration: 2 / 10 | timing/all : 60.0000 "
    "| "
    "actor/pg_loss : nan | actor/kl_loss : 0.0004 | grad_norm : nan | grpo/rewards/mean : 0.2750 | "
    "actor/lr : 1.0000e-06 | e2e_tps : 221.50";

std::vector<Specimen> specimens() {
  return {{"two iterations, the second cut off",
           grpo,
           {{"iteration_time", -1, 1, "61.5000"},
            {"policy_loss", -1, 1, "-0.0125"},
            {"kl", -1, 1, "0.0003"},
            {"grad_norm", -1, 1, "0.1250"},
            {"reward", -1, 1, "0.2500"},
            {"learning_rate", -1, 1, "1.0000e-06"},
            {"tokens_per_second", -1, 1, "220.5000"},
            {"iteration_time", -1, 2, "60.0000"},
            {"policy_loss", -1, 2, "nan"},
            {"kl", -1, 2, "0.0004"},
            {"grad_norm", -1, 2, "nan"},
            {"reward", -1, 2, "0.2750"},
            {"learning_rate", -1, 2, "1.0000e-06"}}}};
}

}  // namespace
}  // namespace mindspeed_rl

FormatSpec mindspeed_rl_format() {
  return make_format({.row = {"mindspeed-rl", "MindSpeed-RL: iteration lines of GRPO, DAPO and PPO"},
                      .kinds = mindspeed_rl::kinds,
                      .specimens = mindspeed_rl::specimens,
                      .sign = R"(iteration: \d+ / \d+ \| +[\w()/%.-]+ : )"});
}

}  // namespace gate::extract
