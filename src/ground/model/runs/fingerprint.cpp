#include "gate/model/runs/fingerprint.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate {

namespace {

constexpr std::size_t longest_value = 80;
constexpr std::string_view unset = "unset";

constexpr SwitchKind determinism = SwitchKind::determinism;
constexpr SwitchKind fused = SwitchKind::fused;
constexpr SwitchKind availability = SwitchKind::availability;

constexpr std::array switch_table{
    SwitchRow{"HCCL_DETERMINISTIC", determinism, SwitchSays::deterministic},
    SwitchRow{"LCCL_DETERMINISTIC", determinism, SwitchSays::deterministic},
    SwitchRow{"ATB_MATMUL_SHUFFLE_K_ENABLE", determinism},
    SwitchRow{"CLOSE_MATMUL_K_SHIFT", determinism},
    SwitchRow{"NCCL_ALGO", determinism},
    SwitchRow{"NCCL_PROTO", determinism},
    SwitchRow{"CUBLAS_WORKSPACE_CONFIG", determinism},
    SwitchRow{"NVTE_ALLOW_NONDETERMINISTIC_ALGO", determinism, SwitchSays::nondeterministic},
    SwitchRow{"FLASH_ATTENTION_DETERMINISTIC", determinism, SwitchSays::deterministic},
    SwitchRow{"--use-deterministic-algorithms", determinism, SwitchSays::deterministic},
    SwitchRow{"--deterministic-mode", determinism, SwitchSays::deterministic},
    SwitchRow{"--npu-deterministic", determinism, SwitchSays::deterministic},
    SwitchRow{"--use-deter-comp", determinism, SwitchSays::deterministic},
    SwitchRow{"--full-determinism", determinism, SwitchSays::deterministic},
    SwitchRow{"--training.deterministic", determinism, SwitchSays::deterministic},
    SwitchRow{"NVTE_FUSED_ATTN", fused},
    SwitchRow{"NVTE_FLASH_ATTN", fused},
    SwitchRow{"NVTE_UNFUSED_ATTN", fused},
    SwitchRow{"CUDA_DEVICE_MAX_CONNECTIONS", fused},
    SwitchRow{"--use-flash-attn", fused},
    SwitchRow{"--use-fusion-attn-v2", fused},
    SwitchRow{"--use-fused-rmsnorm", fused},
    SwitchRow{"--use-fused-swiglu", fused},
    SwitchRow{"--use-fused-rotary-pos-emb", fused},
    SwitchRow{"--use-fused-ring-attention-update", fused},
    SwitchRow{"--use-fused-moe-token-permute-and-unpermute", fused},
    SwitchRow{"--use-ascend-mc2", fused},
    SwitchRow{"--use-mc2", fused},
    SwitchRow{"--defer-embedding-wgrad-compute", fused},
    SwitchRow{"--no-masked-softmax-fusion", fused},
    SwitchRow{"--no-bias-gelu-fusion", fused},
    SwitchRow{"--no-bias-swiglu-fusion", fused},
    SwitchRow{"--no-bias-dropout-fusion", fused},
    SwitchRow{"--no-rope-fusion", fused},
    SwitchRow{"--no-gradient-accumulation-fusion", fused},
    SwitchRow{"--cross-entropy-loss-fusion", fused},
    SwitchRow{"--moe-permute-fusion", fused},
    SwitchRow{"--moe-grouped-gemm", fused},
    SwitchRow{"--attention-backend", fused},
    SwitchRow{"--transformer-impl", fused},
    SwitchRow{"--enable-high-availability", availability},
    SwitchRow{"--enable-optimizer-state-local-copy", availability},
    SwitchRow{"--enable-hbmfault-repair", availability},
    SwitchRow{"--enable-worker-reboot", availability},
    SwitchRow{"--enable-elastic-training", availability},
    SwitchRow{"--distributed-optimizer-no-replica", availability},
};

constexpr std::array<std::string_view, 31> package_table{
    "torch",
    "torch_npu",
    "mindspeed",
    "mindspeed_llm",
    "mindspeed_mm",
    "megatron_core",
    "transformer_engine",
    "apex",
    "flash_attn",
    "triton",
    "triton_ascend",
    "deepspeed",
    "xformers",
    "liger_kernel",
    "bitsandbytes",
    "nvidia-nccl-cu12",
    "nvidia-cudnn-cu12",
    "nvidia-cublas-cu12",
    "mindspore",
    "tensorflow",
    "jax",
    "jaxlib",
    "paddlepaddle",
    "transformers",
    "accelerate",
    "peft",
    "trl",
    "vllm",
    "vllm_ascend",
    "torchtitan",
    "numpy",
};

bool is_flag(std::string_view name) { return name.starts_with("--"); }

// `--use_flash_attn` and `--use-flash-attn` are one flag to many trainers.
std::string spelled_alike(std::string_view flag) {
  std::string name(flag);
  std::ranges::replace(name, '_', '-');
  return name;
}

const SwitchRow* find_switch(std::string_view name) { return row_in(switch_table, name, &SwitchRow::name); }

void add_variable(std::map<std::string, std::string>& found, std::string_view variable) {
  const std::size_t equals = variable.find('=');
  const SwitchRow* row = find_switch(variable.substr(0, equals));
  if (row == nullptr || is_flag(row->name) || equals >= variable.size() - 1) return;
  found.emplace(row->name, printable(variable.substr(equals + 1), longest_value));
}

// The value stands behind a `=`, or is the next word unless that is a flag.
void add_flag(std::map<std::string, std::string>& found, std::string_view word, std::string_view next) {
  const std::size_t equals = word.find('=');
  const SwitchRow* row = is_flag(word) ? find_switch(spelled_alike(word.substr(0, equals))) : nullptr;
  if (row == nullptr) return;
  if (equals != std::string_view::npos) next = word.substr(equals + 1);
  const bool has_value = !next.empty() && !next.starts_with('-');
  found.insert_or_assign(std::string(row->name), has_value ? printable(next, longest_value) : "set");
}

// A word may hold those of a further command: `sh -c "A=1 train --flag"`, and so may that of ssh.
std::vector<std::string_view> words_of(std::string_view cmdline) {
  constexpr std::string_view between("\0 \t\n;'\"", 7);
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < cmdline.size();) {
    const std::size_t end = std::min(cmdline.find_first_of(between, at), cmdline.size());
    if (end > at || cmdline[end] == '\0') words.push_back(cmdline.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

bool is_on(std::string_view value) {
  constexpr std::array<std::string_view, 5> off{"0", "false", "off", "no", "none"};
  return std::ranges::find(off, to_lower(value)) == off.end();
}

std::string value_of(const KnownSwitches& known, const KnownSwitches& other, std::string_view name) {
  const auto found = known.set->find(std::string(name));
  if (found != known.set->end()) return found->second;
  return std::string(other.has_python && !known.has_python ? not_read : unset);
}

// A switch of which only the side that was read tells nothing, either, has not changed.
std::vector<FactChange> differing_switches(const KnownSwitches& from, const KnownSwitches& to) {
  std::vector<FactChange> changes;
  if (!from.set || !to.set) return changes;
  for (const SwitchRow& row : switch_table) {
    FactChange change{std::string(row.name), value_of(from, to, row.name), value_of(to, from, row.name)};
    const bool is_absent = !from.set->contains(change.name) && !to.set->contains(change.name);
    if (!is_absent && to_lower(change.from) != to_lower(change.to)) changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace

std::span<const SwitchRow> switch_rows() { return switch_table; }
std::span<const std::string_view> fingerprint_packages() { return package_table; }

std::string package_key(std::string_view name) {
  std::string key = to_lower(name);
  std::ranges::replace_if(
      key, [](char c) { return c == '_' || c == '.'; }, '-');
  return key;
}

int knowledge_of(const Fingerprint& seen) {
  if (!seen.python.empty()) return seen.packages.empty() ? 2 : 3;
  return seen.switches ? 1 : 0;
}

DeterminismTold determinism_of(const Switches& switches) {
  DeterminismTold told;
  if (!switches) return told;
  for (const SwitchRow& row : switch_table) {
    const auto set = switches->find(std::string(row.name));
    if (row.says == SwitchSays::nothing || set == switches->end()) continue;
    const std::string by = set->first + (set->second == "set" ? "" : "=" + set->second);
    const bool on = is_on(set->second);
    if (row.says == SwitchSays::nondeterministic && on) return {false, by};
    const bool says_so = on != (row.says == SwitchSays::nondeterministic);
    if (!told.is_deterministic && (says_so || told.by.empty())) told = {says_so, by};
  }
  return told;
}

std::map<std::string, std::string> switches_in(std::string_view environ, std::string_view cmdline) {
  std::map<std::string, std::string> found;
  for (const std::string_view variable : split(environ, '\0')) add_variable(found, variable);
  const std::vector<std::string_view> words = words_of(cmdline);
  for (std::size_t i = 0; i < words.size(); ++i) {
    add_flag(found, words[i], i + 1 < words.size() ? words[i + 1] : "");
    if (i > 0) add_variable(found, words[i]);  // the first is the program
  }
  return found;
}

std::vector<FactChange> changed_switches(const KnownSwitches& from, const KnownSwitches& to) {
  std::vector<FactChange> changes = differing_switches(from, to);
  std::erase_if(changes, [](const FactChange& one) { return one.from == not_read || one.to == not_read; });
  return changes;
}

std::optional<FactChange> changed_determinism(const KnownSwitches& from, const KnownSwitches& to) {
  for (FactChange& change : differing_switches(from, to))
    if (find_switch(change.name)->kind == determinism) return std::move(change);
  return std::nullopt;
}

}  // namespace gate
