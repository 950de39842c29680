// The numbers in formulas that a case tells (decision 49).
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "config/layers/on_platform.h"
#include "gate/base/result.h"
#include "gate/base/text.h"
#include "gate/config/formulas.h"
#include "gate/config/peaks.h"
#include "gate/config/policy.h"
#include "gate/config/script_counts.h"
#include "gate/config/training.h"
#include "gate/config/training_flags.h"
#include "gate/model/runs/extraction.h"

namespace gate::config {

namespace {

// How many floating-point operations a token of a training takes, by the estimate of Megatron-LM.

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

// What an estimate needs, or why it is not told.
template <typename T>
using Estimated = tl::expected<T, Sentence>;

tl::unexpected<Sentence> untold(Sentence why) { return tl::unexpected(std::move(why)); }

// The numbers of a model, as its settings and else its flags tell them.
class ToldModel {
 public:
  ToldModel(const ModelFacts& model, const TrainingFlags& flags) : model_(model), flags_(flags) {}

  std::optional<std::int64_t> find(std::string_view name) const {
    if (const auto said = model_.numbers.find(name); said != model_.numbers.end()) return said->second;
    return flags_.number_of(flag_of(name));
  }

  Estimated<std::int64_t> get(std::string_view name) const {
    if (const auto number = find(name); number && *number <= most_of_number) return *number;
    return untold(say({"the script does not tell {}; say model.{}", "脚本没有写明 {}；请设 model.{}"},
                      flag_of(name), name));
  }

  // Return the number, or the other one where nothing speaks of it.
  Estimated<std::int64_t> get_or(std::string_view name, std::int64_t other) const {
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

Estimated<void> check_estimate(const TrainingFlags& flags) {
  if (!flags.further().empty())
    return untold(
        say({"the script does not tell all flags: {}", "脚本没有写明全部参数：{}"}, flags.further()));
  for (const std::string_view flag : unknown_to_estimate)
    if (flags.has(flag) != Told::off)
      return untold(
          say({"the estimate of Megatron-LM does not know {}", "Megatron-LM 的估算不支持 {}"}, flag));
  return {};
}

Estimated<bool> tells(const TrainingFlags& flags, std::string_view flag) {
  const Told told = flags.has(flag);
  if (told == Told::not_told)
    return untold(say({"the script does not tell whether it has {}", "脚本没有写明是否使用 {}"}, flag));
  return told == Told::on;
}

std::int64_t built_in_ffn(std::int64_t hidden, bool is_gated) {
  return is_gated ? 8 * hidden / 3 / ffn_multiple * ffn_multiple : 4 * hidden;
}

// Megatron-LM rounds it up to a multiple of what all ranks of tensor parallelism share.
Estimated<std::int64_t> vocabulary(const ToldModel& told, const TrainingFlags& flags) {
  const auto size = flags.number_of("--vocab-size");
  if (told.find("vocab_size") || !size) return told.get("vocab_size");
  const auto number_or = [&](const char* flag, std::int64_t other) -> Estimated<std::int64_t> {
    if (flags.has(flag) == Told::off) return other;
    if (const auto number = flags.number_of(flag)) return *number;
    return untold(say({"the script does not tell {}", "脚本没有写明 {}"}, flag));
  };
  GATE_TRY(const std::int64_t parts, number_or("--tensor-model-parallel-size", 1));
  GATE_TRY(const std::int64_t multiple, number_or("--make-vocab-size-divisible-by", built_in_vocab_multiple));
  if (multiple > most_of_number / parts)
    return untold(say({"the multiple of its vocabulary is out of range", "词表大小的倍数超出范围"}));
  return (*size + multiple * parts - 1) / (multiple * parts) * (multiple * parts);
}

// Of one token in the feed-forward networks of a layer, without the factor of a gated one.
Estimated<std::int64_t> ffn_width(const ToldModel& told, const TrainingFlags& flags, std::int64_t ffn) {
  if (flags.has("--num-experts") == Told::off || flags.value_of("--num-experts") == "0") return ffn;
  GATE_TRY(const std::int64_t topk, told.get_or("moe_router_topk", built_in_topk));
  GATE_TRY(const std::int64_t of_expert, told.get_or("moe_ffn_hidden_size", ffn));
  GATE_TRY(const std::int64_t shared, told.get_or("moe_shared_expert_intermediate_size", 0));
  if (of_expert > most_of_number / topk)
    return untold(say({"its experts are out of range", "专家的大小超出范围"}));
  return of_expert * topk + shared;
}

// Return the operations of forward and backward pass for one token, without recomputation:
//
//   12 l (h (a k + g k + m f t + m f') + a k s) + 6 V h
//
// with l layers, h hidden size, a attention heads, k channels of a head, g query groups, f hidden size of the
// feed-forward network (of an expert), f' that of shared experts, t experts that a token is routed to, m 3/2
// for a gated network (SwiGLU) and 1 else, s tokens of a sample, V the padded vocabulary. Source:
// num_floating_point_operations() of Megatron-LM (megatron/training/training.py, core 0.8), divided by the
// tokens of a batch; its attention counts the whole square of a sample, not the causal half. For a = g, a k =
// h, f = 4 h, t = m = 1 it is equation 3 of Narayanan et al. 2021 (arXiv:2104.04473) without activation
// recomputation.
//
// Fails with the number that is not told, and for what the estimate does not know: layers that differ from
// one another, latent attention, prediction of several tokens.
Estimated<Decimal> megatron_flops_per_token(const ModelFacts& model, const TrainingFlags& flags,
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

// Return 6 N: Kaplan et al. 2020 (arXiv:2001.08361), table 1, for N parameters, without attention over the
// sample. Fails where `model.parameters` is not said.
Estimated<Decimal> six_n_flops_per_token(const ModelFacts& model) {
  if (!model.parameters)
    return untold(say({"the case does not say how many parameters the model has; say model.parameters",
                       "用例没有写明模型的参数量；请设 model.parameters"}));
  const std::optional<Decimal> flops = multiply({6, 0}, *model.parameters);
  if (!flops) return untold(say({"model.parameters is out of range", "model.parameters 超出范围"}));
  return *flops;
}

// Who is asked for a number.
struct TellingCase {
  const Case& spec;
  const std::string& platform;
};

// The numbers that the script gives, where one is not what the case says: nobody knows then which one holds.
struct OtherCounts {
  std::string devices;  // of a node: `4, 8`; "": no other
  std::string nodes;
};

std::string other_numbers(const TellingCase& asked, const std::vector<GivenCount>& given,
                          std::optional<int> of_case) {
  const auto variables = variables_on(asked.spec, asked.platform);
  std::set<std::int64_t> numbers;
  for (const GivenCount& one : given) {
    const auto set = variables.find(one.variable);
    if (const auto number = set == variables.end() ? one.number : parse_integer(set->second))
      numbers.insert(*number);
  }
  const bool is_same = numbers.empty() || (numbers.size() == 1 && *numbers.begin() == of_case);
  return is_same ? "" : join(texts_of(numbers, [](std::int64_t one) { return std::to_string(one); }), ", ");
}

OtherCounts other_counts(const TellingCase& asked) {
  if (!asked.spec.training_text) return {};
  const Size size = size_on(asked.spec.settings, asked.platform);
  const ScriptCounts said = read_script_counts(*asked.spec.training_text);
  return {size.devices.value_or(0) > 0 ? other_numbers(asked, said.all_devices, size.devices) : "",
          other_numbers(asked, said.all_nodes, size.nodes)};
}

Decimal devices_told(const TellingCase& asked, const judge::Term&) {
  const OtherCounts other = other_counts(asked);
  if (!other.devices.empty() || !other.nodes.empty()) return {};
  const Size size = size_on(asked.spec.settings, asked.platform);
  return {int128{std::max(size.devices.value_or(0), 0)} * size.nodes, 0};
}

// What to do where the script, or its log, is of another size.
Sentence way_out(std::string_view key, std::string_view variable, std::optional<std::int64_t> used) {
  return say({"set {}, or let the script take ${} from gate", "请设 {}，或让脚本使用 gate 设置的 ${}"},
             used ? fmt::format("{} = {}", key, *used) : std::string(key), variable);
}

Sentence other_nodes_words(const TellingCase& asked, const OtherCounts& other) {
  return say({"the script uses {} nodes, and the case has nodes = {}: {}",
              "脚本用 {} 个节点，而用例写的是 nodes = {}：{}"},
             other.nodes, size_on(asked.spec.settings, asked.platform).nodes,
             way_out("nodes", "NNODES", parse_integer(other.nodes)));
}

Sentence other_devices_words(const TellingCase& asked, const OtherCounts& other) {
  return say({"the script uses {} devices a node, and the case has devices = {}: {}",
              "脚本每个节点用 {} 个设备，而用例写的是 devices = {}：{}"},
             other.devices, *size_on(asked.spec.settings, asked.platform).devices,
             way_out("devices", "NPUS_PER_NODE", parse_integer(other.devices)));
}

Sentence no_nodes(const TellingCase& asked, const judge::Term&) {
  if (const OtherCounts other = other_counts(asked); !other.nodes.empty())
    return other_nodes_words(asked, other);
  return say({"the case does not say how many nodes it uses: nodes", "用例没有写明用多少个节点：nodes"});
}

Sentence no_devices(const TellingCase& asked, const judge::Term& term) {
  const OtherCounts other = other_counts(asked);
  if (!other.devices.empty()) return other_devices_words(asked, other);
  if (!other.nodes.empty()) return no_nodes(asked, term);
  return say(
      {"the case does not say how many devices it uses: devices", "用例没有写明用多少个设备：devices"});
}

Decimal nodes_told(const TellingCase& asked, const judge::Term&) {
  if (!other_counts(asked).nodes.empty()) return {};
  return {size_on(asked.spec.settings, asked.platform).nodes, 0};
}

Decimal length_told(const TellingCase& asked, const SequenceLength& told) {
  const auto variables = variables_on(asked.spec, asked.platform);
  const auto variable = variables.find(told.variable);
  if (variable == variables.end()) return {told.number.value_or(0), 0};
  const std::int64_t number = sequence_length_of(variable->second).value_or(0);
  return {told.number.value_or(number) == number ? number : 0, 0};  // of two nobody knows which one holds
}

Decimal seq_length_told(const TellingCase& asked, const judge::Term&) {
  return asked.spec.seq_length ? length_told(asked, *asked.spec.seq_length) : Decimal{};
}

Sentence no_seq_length(const TellingCase& asked, const judge::Term&) {
  if (asked.spec.script.empty())
    return say({"there is no script that tells its sequence length", "没有写明序列长度的脚本"});
  const std::string text = asked.spec.seq_length ? asked.spec.seq_length->text : "";
  return say({"the script does not tell its sequence length: {}", "脚本没有写明序列长度：{}"},
             text.empty() ? "--seq-length" : printable(text, 160));
}

// The type of number of a peak: that of the training where it says so.
std::string type_of_peak(const TellingCase& asked, const judge::Term& term) {
  if (term.type != auto_peak) return term.type;
  return to_lower(precision_of(asked.spec, training_flags(asked.spec, asked.platform)));
}

std::optional<Decimal> published_peak(std::string_view platform, std::string_view type) {
  for (const PublishedPeak& peak : published_peaks())
    if (peak.type == type && glob_match(peak.platform, platform))
      return multiply(*Decimal::parse(fmt::format("{}", peak.tera)), {1, 12});
  return std::nullopt;
}

Decimal peak_told(const TellingCase& asked, const judge::Term& term) {
  const std::string type = type_of_peak(asked, term);
  const auto of_type = asked.spec.peaks.find(type);
  const Peak* peak =
      of_type == asked.spec.peaks.end() ? nullptr : most_specific(of_type->second, asked.platform);
  return peak == nullptr ? published_peak(asked.platform, type).value_or(Decimal{}) : peak->number;
}

Sentence no_peak(const TellingCase& asked, const judge::Term& term) {
  const std::string type = type_of_peak(asked, term);
  if (type.empty())
    return say({"the script does not tell its precision: --bf16, --fp16; say model.precision",
                "脚本没有写明精度：--bf16, --fp16；请设 model.precision"});
  if (asked.platform.empty())
    return say(
        {"no peak {} of a platform that is not known: --platform", "平台未知，没有它的 {} 峰值：--platform"},
        type);
  return say({"no peak {} of {} in [peaks]", "[peaks] 里没有 {1} 的 {0} 峰值"}, type, asked.platform);
}

Estimated<Decimal> estimate_flops(const TellingCase& asked, const judge::Term& term) {
  const ModelFacts& model = asked.spec.settings.model;
  if (term.type == six_n_estimate) return six_n_flops_per_token(model);
  const Decimal length = seq_length_told(asked, term);
  if (length.is_zero()) return untold(no_seq_length(asked, term));
  return megatron_flops_per_token(model, training_flags(asked.spec, asked.platform),
                                  static_cast<std::int64_t>(length.coefficient));
}

Decimal flops_told(const TellingCase& asked, const judge::Term& term) {
  return estimate_flops(asked, term).value_or(Decimal{});
}

Sentence no_flops(const TellingCase& asked, const judge::Term& term) {
  const Estimated<Decimal> flops = estimate_flops(asked, term);
  return say({"no flops_per_token(\"{}\"): {}", "没有 flops_per_token(\"{}\")：{}"}, term.type,
             flops ? say({"it is 0", "它是 0"}) : flops.error());
}

struct NumberRow {
  std::string_view name;
  Decimal (*told)(const TellingCase&, const judge::Term&);  // 0 where it is not known
  Sentence (*why_not)(const TellingCase&, const judge::Term&);
};
constexpr std::array told_numbers{
    NumberRow{"devices", devices_told, no_devices},          NumberRow{"nodes", nodes_told, no_nodes},
    NumberRow{"seq_length", seq_length_told, no_seq_length}, NumberRow{"peak", peak_told, no_peak},
    NumberRow{"flops_per_token", flops_told, no_flops},
};

const NumberRow& row_of_number(const judge::Term& term) {
  return *std::ranges::find(told_numbers, term.metric, &NumberRow::name);
}

// Return that a log's number of ranks is not what the case has; "" where it is, or either is not told.
Sentence other_world(const Case& spec, const std::string& platform, std::optional<std::int64_t> ranks) {
  const Size size = size_on(spec.settings, platform);
  const std::int64_t wanted = std::int64_t{size.devices.value_or(0)} * size.nodes;
  if (!ranks || wanted <= 0 || *ranks == wanted) return {};
  const bool is_even = *ranks % size.nodes == 0;
  return say({"its log says world size {}, and the case has devices = {}, nodes = {}: {}",
              "日志里 world size 是 {}，而用例写的是 devices = {}，nodes = {}：{}"},
             *ranks, *size.devices, size.nodes,
             way_out(is_even ? "devices" : "devices and nodes", "NPUS_PER_NODE",
                     is_even ? std::optional(*ranks / size.nodes) : std::nullopt));
}

// Return that a metric of memory is not of all ranks that print it, one of each replica of the data, as far
// as the log says how many these are; "" where it is, or one rank alone prints it.
Sentence silent_ranks(const Extraction& log) {
  const auto world = setup_count(log.provenance, "world_size");
  const auto replicas = setup_count(log.provenance, "data_parallel_size");
  if (!world || !replicas || *world % *replicas != 0) return {};
  for (const auto& [metric, printed] : ranks_by_metric(log.series)) {
    const auto count = std::ssize(printed);
    if (!metric.starts_with("memory_") || count < 2 || count >= *world / *replicas) continue;
    std::vector<std::string> silent;
    for (int rank = 0; *replicas == 1 && rank < *world; ++rank)
      if (!printed.contains(rank)) silent.push_back(std::to_string(rank));
    const Sentence which =
        silent.size() > 1 ? say({"; ranks {} do not print it", "；rank {} 没有打印它"}, listed(silent, 8))
        : silent.empty() ? Sentence()
                         : say({"; rank {} does not print it", "；rank {} 没有打印它"}, listed(silent, 8));
    return say({"{} is of {} ranks, and by its log's sizes (world {}, data-parallel {}) {} print it",
                "{} 有 {} 个 rank 的值，而按日志里的规模（world {}，data-parallel {}）应有 {} 个打印它"},
               metric, count, *world, *replicas, *world / *replicas) +
           which;
  }
  return {};
}

// Return which features the script asks for by a flag, and the arguments of its log say that they are off.
std::vector<Sentence> asked_in_vain(const Case& spec, const std::string& platform,
                                    const std::set<std::string>& off_arguments) {
  std::vector<Sentence> found;
  if (off_arguments.empty() || !spec.training_text) return found;
  const TrainingFlags flags = training_flags(spec, platform);
  for (const FeatureRow& row : features()) {
    const FeatureUse use = flags.use_of(feature_of(row));
    for (const std::string_view flag : row.flags) {
      std::string argument(flag.substr(std::min<std::size_t>(flag.size(), 2)));
      std::ranges::replace(argument, '-', '_');
      if (use.told != Told::on || flag.empty() || split_words(use.text).front() != flag ||
          !off_arguments.contains(argument))
        continue;
      found.push_back(say({"the script asks for {} ({}), and the log's arguments say {} {}",
                           "脚本要求 {}（{}），而日志里的参数写的是 {} {}"},
                          row.title.said(), use.text, argument,
                          row.kind == FeatureKind::size ? "1" : "False"));
    }
  }
  return found;
}

}  // namespace

judge::Formula formula_on(const Case& spec, judge::Formula formula, const std::string& platform) {
  const TellingCase asked{spec, platform};
  judge::bind_numbers(formula,
                      [&](const judge::Term& term) { return row_of_number(term).told(asked, term); });
  return formula;
}

Sentence why_open(const Case& spec, const judge::Formula& formula, const std::string& platform) {
  const judge::Term* open = formula.open_term();
  return open == nullptr ? Sentence() : row_of_number(*open).why_not({spec, platform}, *open);
}

Sentence why_doubtful(const Case& spec, const judge::Formula& formula, const std::string& platform,
                      const Extraction& log) {
  const auto uses = [&](std::string_view number) {
    return std::ranges::any_of(formula.terms, [&](const judge::Term& term) {
      return term.kind == judge::TermKind::number && term.metric == number;
    });
  };
  if (uses("devices"))
    if (Sentence other = other_world(spec, platform, setup_count(log.provenance, "world_size"));
        !other.empty())
      return other;
  const auto length = setup_count(log.provenance, "seq_length");
  const Decimal told = seq_length_told({spec, platform}, {});
  const bool is_other = length && !told.is_zero() && told != Decimal{*length, 0};
  if (!is_other || !(uses("seq_length") || uses("flops_per_token"))) return {};
  return say({"its log says sequence length {}, and its script {}", "日志里的序列长度是 {}，而脚本写的是 {}"},
             *length, told.to_string());
}

std::vector<Sentence> contradictions_of(const Case& spec, const std::string& platform) {
  const TellingCase asked{spec, platform};
  const OtherCounts other = other_counts(asked);
  std::vector<Sentence> found;
  if (!other.devices.empty()) found.push_back(other_devices_words(asked, other));
  if (!other.nodes.empty()) found.push_back(other_nodes_words(asked, other));
  for (const Overruled& one : spec.overruled)
    found.push_back(say({"{} = {} of {} is overruled by {} of {}: remove one of them",
                         "{2} 的 {0} = {1} 被 {4} 的 {3} 覆盖：请删除其中一个"},
                        printable(one.said.key, 80), printable(one.said.value, 80), one.said.origin,
                        printable(one.holds.value, 80), one.holds.origin));
  return found;
}

std::vector<Sentence> contradictions_of(const Case& spec, const std::string& platform,
                                        const Extraction& log) {
  std::vector<Sentence> found = contradictions_of(spec, platform);
  const Sentence other = other_world(spec, platform, setup_count(log.provenance, "world_size"));
  if (!other.empty()) found.push_back(other);
  if (const Sentence silent = silent_ranks(log); !silent.empty()) found.push_back(silent);
  std::ranges::move(asked_in_vain(spec, platform, log.off_arguments), std::back_inserter(found));
  return found;
}

std::optional<std::int64_t> sequence_length_on(const Case& spec, const std::string& platform) {
  if (!spec.training_text) return std::nullopt;
  const SequenceLength told = spec.seq_length ? *spec.seq_length : read_sequence_length(*spec.training_text);
  const auto length = static_cast<std::int64_t>(length_told({spec, platform}, told).coefficient);
  return length > 0 ? std::optional(length) : std::nullopt;
}

bool needs_seq_length(const Case& spec) {
  return std::ranges::any_of(spec.derivations, [](const judge::Derivation& derivation) {
    return std::ranges::any_of(derivation.formula.terms, [](const judge::Term& term) {
      return term.is_told() && (term.metric == "seq_length" || term.metric == "flops_per_token");
    });
  });
}

}  // namespace gate::config
