// The features of Megatron-LM, MindSpeed-LLM and ModelLink, by their flags.
#include "gate/config/script_flags.h"

namespace gate::config {

namespace {

constexpr auto size = FeatureKind::size;
constexpr auto on_off = FeatureKind::on_off;
constexpr auto value = FeatureKind::value;
constexpr bool mcore_only = true;

constexpr std::array feature_table{
    FeatureRow{"tp", size, {"--tensor-model-parallel-size"}, "TP", "parallelism"},
    FeatureRow{"pp", size, {"--pipeline-model-parallel-size"}, "PP", "parallelism"},
    FeatureRow{
        "vpp", size, {"--num-virtual-stages-per-pipeline-rank", layers_of_stage_flag}, "VPP", "parallelism"},
    FeatureRow{"", value, {"--num-layer-list"}, "uneven PP", "parallelism"},
    FeatureRow{"ep", size, {"--expert-model-parallel-size"}, "EP", "MoE", mcore_only},
    FeatureRow{"cp", size, {"--context-parallel-size"}, "CP", "long sequence", mcore_only},
    FeatureRow{"sp", on_off, {"--sequence-parallel"}, "SP", "parallelism"},
    FeatureRow{"dist_opt", on_off, {"--use-distributed-optimizer"}, "distributed optimizer", "parallelism"},
    FeatureRow{
        "recompute", value, {"--recompute-granularity", "--recompute-activations"}, "recompute", "memory"},
    FeatureRow{"recompute", value, {"--recompute-method"}, "recompute method", "memory"},
    FeatureRow{
        "recompute", on_off, {"--recompute-activation-function"}, "recompute activation function", "memory"},
    FeatureRow{"", value, {"--recompute-num-layers"}, "recompute layers", "memory"},
    FeatureRow{"", on_off, {"--enable-recompute-layers-per-pp-rank"}, "recompute per PP rank", "memory"},
    FeatureRow{"", on_off, {"--reuse-fp32-param"}, "reuse FP32 parameters", "memory"},
    FeatureRow{"", value, {"--context-parallel-algo"}, "CP algorithm", "long sequence", mcore_only},
    FeatureRow{
        "", on_off, {"--cp-send-recv-overlap"}, "CP send-receive overlap", "long sequence", mcore_only},
    FeatureRow{"", on_off, {"--moe-permutation-async-comm"}, "MoE permutation overlap", "MoE", mcore_only},
    FeatureRow{"", on_off, {"--use-flash-attn"}, "flash attention", "fused operators"},
    FeatureRow{"", on_off, {"--use-fused-rmsnorm"}, "fused RMSNorm", "fused operators"},
    FeatureRow{"", on_off, {"--use-fused-swiglu"}, "fused SwiGLU", "fused operators"},
    FeatureRow{"", on_off, {"--use-fused-rotary-pos-emb"}, "fused RoPE", "fused operators"},
    FeatureRow{"", value, {"--sliding-window"}, "sliding window attention", "fused operators"},
    FeatureRow{"", on_off, {"--overlap-grad-reduce"}, "overlap grad reduce", "communication"},
    FeatureRow{"", on_off, {"--overlap-param-gather"}, "overlap param gather", "communication", mcore_only},
    FeatureRow{"", on_off, {"--use-mc2"}, "MC2", "communication"},
    FeatureRow{"", on_off, {"--profile"}, "profiling", "profiling"},
    FeatureRow{"", value, {"--profile-step-start"}, "profiling from a step", "profiling"},
    FeatureRow{"", value, {"--profile-step-end"}, "profiling to a step", "profiling"},
    FeatureRow{"", value, {"--profile-ranks"}, "profiling of ranks", "profiling"},
    FeatureRow{"", value, {"--profile-level"}, "profiling level", "profiling"},
    FeatureRow{"", on_off, {"--profile-with-cpu"}, "profiling of the CPU", "profiling"},
    FeatureRow{"", on_off, {"--profile-with-stack"}, "profiling of stacks", "profiling"},
    FeatureRow{"", on_off, {"--profile-with-memory"}, "profiling of memory", "profiling"},
    FeatureRow{"", on_off, {"--profile-record-shapes"}, "profiling of shapes", "profiling"},
    FeatureRow{"", value, {"--profile-save-path"}, "profiling folder", "profiling"},
    FeatureRow{"", on_off, {"--use-deter-comp"}, "deterministic computing", "determinism"},
    FeatureRow{"", on_off, {}, "deterministic communication", "determinism", false, "HCCL_DETERMINISTIC"},
    FeatureRow{"", on_off, {"--enable-high-availability"}, "high availability", "high availability"},
    FeatureRow{"",
               on_off,
               {"--enable-optimizer-state-local-copy"},
               "local copy of the optimizer",
               "high availability"},
    FeatureRow{"", value, {"--target-tensor-parallel-size"}, "conversion to TP", "weight conversion"},
    FeatureRow{"", value, {"--target-pipeline-parallel-size"}, "conversion to PP", "weight conversion"},
    FeatureRow{"", value, {"--lora-target-modules"}, "LoRA modules", "LoRA"},
    FeatureRow{"", value, {"--lora-load"}, "LoRA weights", "LoRA"},
    FeatureRow{"", value, {"--lora-r"}, "LoRA rank", "LoRA"},
    FeatureRow{"", value, {"--lora-alpha"}, "LoRA alpha", "LoRA"},
};

}  // namespace

std::span<const FeatureRow> features() { return feature_table; }

}  // namespace gate::config
