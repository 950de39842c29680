#include "config/layers/flops.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate::config {

namespace {

constexpr std::array<std::string_view, 11> unknown_to_estimate{"--multi-head-latent-attention",
                                                               "--moe-intermediate-size",
                                                               "--n-shared-experts",
                                                               "--kv-lora-rank",
                                                               "--multi-latent-attention",
                                                               "--hybrid-attention-ratio",
                                                               "--hybrid-override-pattern",
                                                               "--moe-layer-freq",
                                                               "--first-k-dense-replace",
                                                               "--num-nextn-predict-layers",
                                                               "--mtp-num-layers"};
constexpr std::int64_t most_of_number = 10'000'000;  // so that no product is beyond 128 bits
constexpr std::int64_t ffn_multiple = 64, built_in_topk = 2, built_in_vocab_multiple = 128;

// The numbers of a model, as its settings and else its flags tell them.
class ToldModel {
 public:
  ToldModel(const ModelFacts& model, const TrainingFlags& flags) : model_(model), flags_(flags) {}

  std::optional<std::int64_t> find(std::string_view name) const {
    if (const auto said = model_.numbers.find(name); said != model_.numbers.end()) return said->second;
    return flags_.number_of(flag_of(name));
  }

  Result<std::int64_t> get(std::string_view name) const {
    if (const auto number = find(name); number && *number <= most_of_number) return *number;
    return fail("the script does not tell " + std::string(flag_of(name)) + "; say model." +
                std::string(name));
  }

  // Return the number, or the other one where nothing speaks of it.
  Result<std::int64_t> get_or(std::string_view name, std::int64_t other) const {
    const bool is_said = model_.numbers.contains(name) || flags_.has(flag_of(name)) != Told::off;
    return is_said ? get(name) : other;
  }

 private:
  static std::string_view flag_of(std::string_view name) {
    return std::ranges::find(model_numbers(), name, &ModelNumberRow::name)->flag;
  }

  const ModelFacts& model_;
  const TrainingFlags& flags_;
};

Status check_estimate(const TrainingFlags& flags) {
  if (!flags.further().empty())
    return fail("the script does not tell all flags: " + printable(flags.further(), 80));
  for (const std::string_view flag : unknown_to_estimate)
    if (flags.has(flag) != Told::off)
      return fail("the estimate of Megatron-LM does not know " + std::string(flag));
  return {};
}

Result<bool> tells(const TrainingFlags& flags, std::string_view flag) {
  const Told told = flags.has(flag);
  if (told == Told::not_told) return fail("the script does not tell whether it has " + std::string(flag));
  return told == Told::on;
}

std::int64_t built_in_ffn(std::int64_t hidden, bool is_gated) {
  return is_gated ? 8 * hidden / 3 / ffn_multiple * ffn_multiple : 4 * hidden;
}

// Megatron-LM rounds it up to a multiple of what all ranks of tensor parallelism share.
Result<std::int64_t> vocabulary(const ToldModel& told, const TrainingFlags& flags) {
  const auto size = flags.number_of("--vocab-size");
  if (told.find("vocab_size") || !size) return told.get("vocab_size");
  const auto number_or = [&](const char* flag, std::int64_t other) -> Result<std::int64_t> {
    if (flags.has(flag) == Told::off) return other;
    if (const auto number = flags.number_of(flag)) return *number;
    return fail("the script does not tell " + std::string(flag));
  };
  GATE_TRY(const std::int64_t parts, number_or("--tensor-model-parallel-size", 1));
  GATE_TRY(const std::int64_t multiple, number_or("--make-vocab-size-divisible-by", built_in_vocab_multiple));
  if (multiple > most_of_number / parts) return fail("the multiple of its vocabulary is out of range");
  return (*size + multiple * parts - 1) / (multiple * parts) * (multiple * parts);
}

// Of one token in the feed-forward networks of a layer, without the factor of a gated one.
Result<std::int64_t> ffn_width(const ToldModel& told, const TrainingFlags& flags, std::int64_t ffn) {
  if (flags.has("--num-experts") == Told::off || flags.value_of("--num-experts") == "0") return ffn;
  GATE_TRY(const std::int64_t topk, told.get_or("moe_router_topk", built_in_topk));
  GATE_TRY(const std::int64_t of_expert, told.get_or("moe_ffn_hidden_size", ffn));
  GATE_TRY(const std::int64_t shared, told.get_or("moe_shared_expert_intermediate_size", 0));
  if (of_expert > most_of_number / topk) return fail("its experts are out of range");
  return of_expert * topk + shared;
}

}  // namespace

Result<Decimal> megatron_flops_per_token(const ModelFacts& model, const TrainingFlags& flags,
                                         std::int64_t sequence_length) {
  GATE_TRY_STATUS(check_estimate(flags));
  const ToldModel told(model, flags);
  GATE_TRY(const std::int64_t layers, told.get("num_layers"));
  GATE_TRY(const std::int64_t hidden, told.get("hidden_size"));
  GATE_TRY(const std::int64_t heads, told.get("num_attention_heads"));
  GATE_TRY(const std::int64_t channels,
           told.get_or("kv_channels", std::max<std::int64_t>(1, hidden / heads)));
  GATE_TRY(const bool is_grouped, tells(flags, "--group-query-attention"));
  GATE_TRY(const std::int64_t groups,
           is_grouped || model.numbers.contains("num_query_groups") ? told.get("num_query_groups") : heads);
  GATE_TRY(const bool is_gated, tells(flags, "--swiglu"));
  GATE_TRY(const std::int64_t ffn, told.get_or("ffn_hidden_size", built_in_ffn(hidden, is_gated)));
  GATE_TRY(const std::int64_t width, ffn_width(told, flags, ffn));
  GATE_TRY(const std::int64_t vocab, vocabulary(told, flags));
  const int128 attention = int128{2} * (heads + groups) * channels,
               network = int128{is_gated ? 3 : 2} * width;  // twice, for the half of a gated one
  const int128 of_layer = hidden * (attention + network) + int128{2} * heads * channels * sequence_length;
  return Decimal{int128{6} * layers * of_layer + int128{6} * vocab * hidden, 0};
}

Result<Decimal> six_n_flops_per_token(const ModelFacts& model) {
  if (!model.parameters)
    return fail("the case does not say how many parameters the model has; say model.parameters");
  const std::optional<Decimal> flops = multiply({6, 0}, *model.parameters);
  return flops ? Result<Decimal>(*flops) : fail("model.parameters is out of range");
}

}  // namespace gate::config
