// What format `megatron` prints, by name. See megatron.h.
#pragma once

#include <array>

#include "extract/record.h"

namespace gate::extract::megatron {

inline constexpr FieldRow lm_loss{"lm loss", "lm_loss"};

inline constexpr std::array step_fields{
    lm_loss,
    FieldRow{"loss", "lm_loss"},
    FieldRow{"grad norm", "grad_norm"},
    FieldRow{"params norm", "params_norm"},
    FieldRow{"num zeros", "num_zeros"},
    FieldRow{"throughput per GPU (TFLOP/s/GPU)", "throughput"},
    FieldRow{"TFLOPs", "throughput"},
    FieldRow{"tokens per gpu per second (tgs)", "tokens_per_second"},
    FieldRow{"tokens per gpu per second(tgs)", "tokens_per_second"},
    FieldRow{"samples per second", "samples_per_second"},
    FieldRow{"elapsed time per iteration (ms)", "iteration_time"},
    FieldRow{"elapsed time per iteration (s)", "iteration_time", {1, 3}},
    FieldRow{"learning rate", "learning_rate"},
    FieldRow{"loss scale", "loss_scale"},
    FieldRow{"global batch size", "global_batch_size"},
    FieldRow{"consumed samples", "consumed_samples"},
    FieldRow{"consumed tokens", "consumed_tokens"},
    FieldRow{"number of skipped iterations", "skipped_iterations"},
    FieldRow{"number of nan iterations", "nan_iterations"},
};

inline constexpr std::array memory_fields{
    FieldRow{"allocated", "memory_allocated", {1, 0}, Whose::rank},
    FieldRow{"max allocated", "memory_max_allocated", {1, 0}, Whose::rank},
    FieldRow{"reserved", "memory_reserved", {1, 0}, Whose::rank},
    FieldRow{"max reserved", "memory_max_reserved", {1, 0}, Whose::rank},
};

inline constexpr std::array validation_fields{FieldRow{"lm loss value", "validation_loss"}};

// What every iteration line should hold: where it is missing, it was left out.
inline constexpr std::array expected_fields{lm_loss};

}  // namespace gate::extract::megatron
