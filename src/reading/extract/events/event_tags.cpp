#include "extract/events/event_tags.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "gate/model/numbers/guessed_metric.h"

namespace gate::extract {

namespace {

constexpr Decimal ms_of_a_second{1, 3};

constexpr std::array tag_rows{
    // Megatron-LM
    FieldRow{"lm loss", "lm_loss"},
    FieldRow{"mtp_1 loss", "mtp_1_loss"},
    FieldRow{"mtp_2 loss", "mtp_2_loss"},
    FieldRow{"total loss", "total_loss"},
    FieldRow{"lm loss validation", "validation_loss"},
    FieldRow{"grad-norm", "grad_norm"},
    FieldRow{"params-norm", "params_norm"},
    FieldRow{"num-zeros", "num_zeros"},
    FieldRow{"throughput", "throughput"},
    FieldRow{"iteration-time", "iteration_time", ms_of_a_second},
    FieldRow{"mem-allocated-bytes", "memory_allocated", mib_per_byte},
    FieldRow{"mem-max-allocated-bytes", "memory_max_allocated", mib_per_byte},
    FieldRow{"mem-reserved-bytes", "memory_reserved", mib_per_byte},
    FieldRow{"mem-max-reserved-bytes", "memory_max_reserved", mib_per_byte},
    FieldRow{"learning-rate", "learning_rate"},
    FieldRow{"loss-scale", "loss_scale"},
    FieldRow{"batch-size", "global_batch_size"},

    // Megatron-DeepSpeed
    FieldRow{"lm-loss-training/lm loss", "lm_loss"},
    FieldRow{"lm-loss-validation/lm loss validation", "validation_loss"},
    FieldRow{"grad-norm/grad-norm", "grad_norm"},
    FieldRow{"params-norm/params-norm", "params_norm"},
    FieldRow{"num-zeros/num-zeros", "num_zeros"},
    FieldRow{"iteration-time/iteration-time", "iteration_time", ms_of_a_second},
    FieldRow{"learning-rate/learning-rate", "learning_rate"},
    FieldRow{"loss-scale/loss-scale", "loss_scale"},
    FieldRow{"batch-size/batch-size", "global_batch_size"},

    // Hugging Face Trainer, ms-swift, LLaMA-Factory; the SFT trainer of verl
    FieldRow{"train/loss", "lm_loss"},
    FieldRow{"eval/loss", "validation_loss"},
    FieldRow{"train/grad_norm", "grad_norm"},
    FieldRow{"train/learning_rate", "learning_rate"},
    FieldRow{"train/lr", "learning_rate"},

    // Lightning, NeMo
    FieldRow{"reduced_train_loss", "lm_loss"},
    FieldRow{"train_loss_step", "lm_loss"},
    FieldRow{"val_loss", "validation_loss"},
    FieldRow{"train_step_timing in s", "iteration_time", ms_of_a_second},
    FieldRow{"tflops_per_sec_per_gpu", "throughput"},
    FieldRow{"TFLOPS_per_GPU", "throughput"},
    FieldRow{"consumed_samples", "consumed_samples"},

    // torchtitan; its peak of active bytes is what the allocator has given out and not yet taken back
    FieldRow{"loss_metrics/global_avg_loss", "lm_loss"},
    FieldRow{"validation_metrics/loss", "validation_loss"},
    FieldRow{"tflops", "throughput"},
    FieldRow{"throughput(tps)", "tokens_per_second"},
    FieldRow{"time_metrics/end_to_end(s)", "iteration_time", ms_of_a_second},
    FieldRow{"memory/max_active(GiB)", "memory_max_allocated", mib_per_gib},
    FieldRow{"memory/max_reserved(GiB)", "memory_max_reserved", mib_per_gib},
    FieldRow{"n_tokens_seen", "consumed_tokens"},
    FieldRow{"ntokens_seen", "consumed_tokens"},

    // nanotron
    FieldRow{"lm_loss", "lm_loss"},
    FieldRow{"model_tflops_per_gpu", "throughput"},
    FieldRow{"tokens_per_sec", "tokens_per_second"},
    FieldRow{"elapsed_time_per_iteration_ms", "iteration_time"},
    FieldRow{"time_per_iteration_ms", "iteration_time"},
    FieldRow{"cuda_memory_allocated", "memory_allocated", mib_per_byte},
    FieldRow{"cuda_max_memory_reserved", "memory_max_reserved", mib_per_byte},
    FieldRow{"consumed_tokens", "consumed_tokens"},

    // verl; what it calls GB is GiB
    FieldRow{"actor/grad_norm", "grad_norm"},
    FieldRow{"actor/lr", "learning_rate"},
    FieldRow{"perf/throughput", "tokens_per_second"},
    FieldRow{"perf/time_per_step", "iteration_time", ms_of_a_second},
    FieldRow{"timing_s/step", "iteration_time", ms_of_a_second},
    FieldRow{"perf/max_memory_allocated_gb", "memory_max_allocated", mib_per_gib},
    FieldRow{"perf/max_memory_reserved_gb", "memory_max_reserved", mib_per_gib},

    // OLMo, Composer
    FieldRow{"train/CrossEntropyLoss", "lm_loss"},
    FieldRow{"loss/train/total", "lm_loss"},
    FieldRow{"optim/total_grad_norm", "grad_norm"},
    FieldRow{"throughput/tokens_per_sec", "tokens_per_second"},
    FieldRow{"throughput/samples_per_sec", "samples_per_second"},

    // names that a custom training loop gives them
    FieldRow{"loss", "lm_loss"},
    FieldRow{"Loss", "lm_loss"},
    FieldRow{"train_loss", "lm_loss"},
    FieldRow{"training_loss", "lm_loss"},
    FieldRow{"loss/train", "lm_loss"},
    FieldRow{"Loss/train", "lm_loss"},
    FieldRow{"Train/Loss", "lm_loss"},
    FieldRow{"Train/loss", "lm_loss"},
    FieldRow{"eval_loss", "validation_loss"},
    FieldRow{"valid_loss", "validation_loss"},
    FieldRow{"validation_loss", "validation_loss"},
    FieldRow{"loss/val", "validation_loss"},
    FieldRow{"Loss/val", "validation_loss"},
    FieldRow{"val/loss", "validation_loss"},
    FieldRow{"valid/loss", "validation_loss"},
    FieldRow{"validation/loss", "validation_loss"},
    FieldRow{"grad_norm", "grad_norm"},
    FieldRow{"tokens_per_second", "tokens_per_second"},
    FieldRow{"train/tokens_per_second", "tokens_per_second"},
    FieldRow{"samples_per_second", "samples_per_second"},
    FieldRow{"train/samples_per_second", "samples_per_second"},
    FieldRow{"lr", "learning_rate"},
    FieldRow{"learning_rate", "learning_rate"},
    FieldRow{"Train/lr", "learning_rate"},
    FieldRow{"loss_scale", "loss_scale"},
    FieldRow{"global_batch_size", "global_batch_size"},
};

// DeepSpeed's monitor numbers all of its tags by samples.
constexpr std::array<std::string_view, 3> other_folders{"Train/Samples/", "Train/Tokens/",
                                                        "Train/Eigenvalues/"};

constexpr std::array<std::string_view, 5> against{"vs", "versus", "against", "by", "x"};
constexpr std::array<std::string_view, 4> how_counted{"consumed", "seen", "trained", "num"};
constexpr std::array<std::string_view, 4> other_numbers{"samples", "tokens", "sequences", "examples"};

template <class List>
bool is_one_of(const List& list, const std::string& word) {
  return std::ranges::find(list, word) != list.end();
}

// Tell whether the word at that place says what values are drawn over. `normalized by tokens` tells how they
// are computed.
bool says_over(const std::vector<std::string>& words, std::size_t at) {
  if (!is_one_of(against, words[at])) return false;
  return words[at] != "by" || at == 0 || !words[at - 1].ends_with("ed");
}

}  // namespace

std::span<const FieldRow> event_tags() { return tag_rows; }

const FieldRow* find_event_tag(std::string_view tag) {
  const auto it = std::ranges::find(tag_rows, tag, &FieldRow::printed);
  return it == tag_rows.end() ? nullptr : &*it;
}

bool is_numbered_otherwise(std::string_view tag) {
  if (std::ranges::any_of(other_folders, [&](std::string_view folder) { return tag.starts_with(folder); }))
    return true;
  // Most tags hold none of the words, whatever their first letter.
  if (std::ranges::none_of(other_numbers, [&](std::string_view number) {
        return tag.find(number.substr(1)) != std::string_view::npos;
      }))
    return false;
  const std::vector<std::string> words = name_words(tag);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (!says_over(words, i)) continue;
    std::size_t number = i + 1;
    while (number + 1 < words.size() && is_one_of(how_counted, words[number])) ++number;
    if (is_one_of(other_numbers, words[number])) return true;
  }
  return false;
}

}  // namespace gate::extract
