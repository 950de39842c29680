// What format `megatron` prints, by name. See megatron.h.
#pragma once

#include <array>
#include <string_view>

#include "extract/records/name_table.h"
#include "extract/records/record.h"

namespace gate::extract::megatron {

inline constexpr FieldRow lm_loss{"lm loss", "lm_loss"};

inline constexpr std::array step_fields{
    lm_loss,
    FieldRow{"loss", "lm_loss"},
    FieldRow{"mtp_1 loss", "mtp_1_loss"},
    FieldRow{"mtp_2 loss", "mtp_2_loss"},
    FieldRow{"load_balancing_loss", "load_balancing_loss"},
    other_quantity({"seq_load_balancing_loss", "load_balancing_loss"}),
    other_quantity({"global_load_balancing_loss", "load_balancing_loss"}),
    FieldRow{"indexer loss", "indexer_loss"},
    FieldRow{"discriminator loss", "discriminator_loss"},
    FieldRow{"grad norm", "grad_norm"},
    FieldRow{"params norm", "params_norm"},
    FieldRow{"num zeros", "num_zeros"},
    FieldRow{"throughput per GPU (TFLOP/s/GPU)", "throughput"},
    other_quantity({"TFLOPs", "throughput"}),
    FieldRow{"tokens per gpu per second (tgs)", "tokens_per_second"},
    FieldRow{"tokens per gpu per second(tgs)", "tokens_per_second"},
    other_quantity({"chip_throughput", "tokens_per_second"}),
    FieldRow{"samples per second", "samples_per_second"},
    FieldRow{"mfu", "mfu"},
    FieldRow{"elapsed time per iteration (ms)", "iteration_time"},
    FieldRow{"elapsed time per iteration (s)", "iteration_time", {1, 3}},
    FieldRow{"learning rate", "learning_rate"},
    FieldRow{"loss scale", "loss_scale"},
    FieldRow{"global batch size", "global_batch_size"},
    FieldRow{"consumed samples", "consumed_samples"},
    FieldRow{"consumed tokens", "consumed_tokens"},
    FieldRow{"number of skipped iterations", "skipped_iterations"},
    FieldRow{"number of nan iterations", "nan_iterations"},
    // `name=word`, as newer forks of Megatron-DeepSpeed print
    FieldRow{"grad_norm", "grad_norm"},
    FieldRow{"params_norm", "params_norm"},
    FieldRow{"num_zeros", "num_zeros"},
    other_quantity({"[LM]-TFLOPs", "throughput"}),
    FieldRow{"tokens_per_gpu_per_second_tgs", "tokens_per_second"},
    FieldRow{"samples_per_second", "samples_per_second"},
    FieldRow{"elapsed_time_per_iteration_ms", "iteration_time"},
    FieldRow{"learning_rate", "learning_rate"},
    FieldRow{"loss_scale", "loss_scale"},
    FieldRow{"global_batch_size", "global_batch_size"},
    FieldRow{"consumed_samples", "consumed_samples"},
    FieldRow{"consumed_tokens", "consumed_tokens"},
    FieldRow{"number_of_skipped_iterations", "skipped_iterations"},
    FieldRow{"number_of_nan_iterations", "nan_iterations"},
};

inline constexpr std::array memory_fields{
    FieldRow{"allocated", "memory_allocated", {1, 0}, Scope::rank},
    FieldRow{"max allocated", "memory_max_allocated", {1, 0}, Scope::rank},
    FieldRow{"reserved", "memory_reserved", {1, 0}, Scope::rank},
    FieldRow{"max reserved", "memory_max_reserved", {1, 0}, Scope::rank},
};

inline constexpr std::array validation_fields{FieldRow{"lm loss value", "validation_loss"},
                                              FieldRow{"loss value", "validation_loss"}};

// Evaluations after the last step see other samples than the one at that step.
inline constexpr std::array final_validation_fields{FieldRow{"lm loss value", "final_validation_loss"},
                                                    FieldRow{"loss value", "final_validation_loss"}};
inline constexpr std::array test_fields{FieldRow{"lm loss value", "test_loss"},
                                        FieldRow{"loss value", "test_loss"}};

// What may stand behind the last bar of a whole line, unread: a mean since the start, in milliseconds, and
// the tokens a second since then (MindSpeed-MM, DeepSeek-OCR).
inline constexpr std::array<std::string_view, 2> line_ends{"elapsed time per iteration", "tokens per sample"};

// What every iteration line should hold: where it is missing, it was left out.
inline constexpr std::array expected_fields{lm_loss};

// The names of step_fields and memory_fields.
inline const NameTable& step_names() {
  static const NameTable names(step_fields);
  return names;
}

inline const NameTable& memory_names() {
  static const NameTable names(memory_fields);
  return names;
}

}  // namespace gate::extract::megatron
