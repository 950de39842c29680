#include "gate/judge/profile.h"

#include <array>

namespace gate::judge {

namespace {

constexpr std::array<ProfileRow, 5> table{{
    {"gate", "gate's own rules"},
    {"modellink", "ModelLink, 2024: loss 1 % a step, mean throughput -5 %, memory +10 %"},
    {"mindspeed-llm",
     "MindSpeed-LLM, 2026: loss 2 % and gradient norm 10 % a step, mean time +5 %, memory +10 %, or "
     "the file's margins"},
    {"mindspeed-mm", "MindSpeed-MM: loss 1 % a step, mean time +5 %, memory +10 %"},
    {"megatron", "Megatron-LM's golden values: exact, or within 5 or 20 %, with its allowed misses"},
}};

}  // namespace

std::span<const ProfileRow> profiles() { return table; }

}  // namespace gate::judge
