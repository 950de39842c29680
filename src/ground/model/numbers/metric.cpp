#include "gate/model/numbers/metric.h"

#include <algorithm>
#include <array>

#include "gate/model/numbers/megatron_metric.h"

namespace gate {

namespace {

constexpr auto accuracy = MetricKind::accuracy;
constexpr auto speed = MetricKind::speed;
constexpr auto memory = MetricKind::memory;
constexpr auto other = MetricKind::other;
constexpr auto by_step = Numbering::step;
constexpr auto by_report = Numbering::report;
constexpr auto by_time = Numbering::time;
constexpr auto by_gate = MeasuredBy::gate;

const std::vector<Metric>& metric_table() {
  static const std::vector<Metric> metrics{
      {"lm_loss", "", accuracy, Better::none, by_step, Pick::none, "training loss"},
      {"mtp_1_loss", "", accuracy, Better::none, by_step, Pick::none,
       "loss of multi-token prediction, depth 1"},
      {"mtp_2_loss", "", accuracy, Better::none, by_step, Pick::none,
       "loss of multi-token prediction, depth 2"},
      {"total_loss", "", accuracy, Better::none, by_step, Pick::none, "training loss plus auxiliary losses"},
      {"load_balancing_loss", "", accuracy, Better::none, by_step, Pick::none,
       "auxiliary loss that balances the experts"},
      {"indexer_loss", "", accuracy, Better::none, by_step, Pick::none,
       "loss of the indexer of sparse attention"},
      {"discriminator_loss", "", accuracy, Better::none, by_step, Pick::none,
       "discriminator loss of adversarial training"},
      {"validation_loss", "", accuracy, Better::none, by_step, Pick::none, "loss on held-out data"},
      {"final_validation_loss", "", accuracy, Better::none, by_step, Pick::none,
       "loss on held-out data after the last step"},
      {"validation_perplexity", "", accuracy, Better::lower, by_report, Pick::none,
       "perplexity on held-out data, per evaluation"},
      {"test_loss", "", accuracy, Better::none, by_step, Pick::none, "loss on test data after the last step"},
      {"eval_accuracy", "", accuracy, Better::higher, by_step, Pick::none, "accuracy on held-out data"},
      {"converged", "", accuracy, Better::higher, by_report, Pick::none,
       "1 if the run reached its target, else 0"},
      {"final_loss", "", accuracy, Better::none, by_report, Pick::none, "final loss of the run"},
      {"final_accuracy", "", accuracy, Better::higher, by_report, Pick::none, "final accuracy of the run"},
      {"final_perplexity", "", accuracy, Better::lower, by_report, Pick::none, "final perplexity of the run"},
      {"final_map_bbox", "", accuracy, Better::higher, by_report, Pick::none,
       "final mean average precision of boxes"},
      {"final_map_segm", "", accuracy, Better::higher, by_report, Pick::none,
       "final mean average precision of masks"},
      {"final_auc", "", accuracy, Better::higher, by_report, Pick::none, "final area under the curve"},
      {"final_nuv", "", accuracy, Better::higher, by_report, Pick::none,
       "final share of new, unique and valid molecules"},
      {"final_rouge1", "", accuracy, Better::higher, by_report, Pick::none, "final ROUGE-1 of the run"},
      {"grad_norm", "", accuracy, Better::none, by_step, Pick::none, "global gradient norm before clipping"},
      {"params_norm", "", accuracy, Better::none, by_step, Pick::none, "global norm of the parameters"},
      {"num_zeros", "", accuracy, Better::none, by_step, Pick::none, "zeros in the gradient"},
      {"token_accuracy", "", accuracy, Better::higher, by_step, Pick::none,
       "share of correctly predicted tokens"},
      {"reward", "", accuracy, Better::higher, by_step, Pick::none, "mean reward of the generated text"},
      {"reward_margin", "", accuracy, Better::higher, by_step, Pick::none,
       "reward of the chosen minus the rejected answer"},
      {"kl", "", accuracy, Better::none, by_step, Pick::none,
       "KL divergence of the policy from its reference"},
      {"entropy", "", accuracy, Better::none, by_step, Pick::none, "entropy of the policy"},
      {"policy_loss", "", accuracy, Better::none, by_step, Pick::none,
       "loss of the policy in reinforcement learning"},
      {"critic_loss", "", accuracy, Better::none, by_step, Pick::none,
       "loss of the critic in reinforcement learning"},
      {"throughput", "TFLOP/s/device", speed, Better::higher, by_step, Pick::none,
       "model FLOPs per device and second"},
      {"tokens_per_second", "tokens/s", speed, Better::higher, by_step, Pick::none,
       "tokens trained per second"},
      {"tokens_per_second_per_device", "tokens/s/device", speed, Better::higher, by_step, Pick::none,
       "tokens trained per second and device"},
      {"samples_per_second", "samples/s", speed, Better::higher, by_step, Pick::none,
       "samples trained per second"},
      {"training_samples_per_second", "samples/s", speed, Better::higher, by_report, Pick::none,
       "samples trained per second over the whole run"},
      {"e2e_time", "s", speed, Better::lower, by_report, Pick::none, "time of the whole run"},
      {"raw_train_time", "s", speed, Better::lower, by_report, Pick::none, "training time alone"},
      {"init_time", "s", speed, Better::lower, by_report, Pick::none, "time until training starts"},
      {"train_no_eval_time", "s", speed, Better::lower, by_report, Pick::none,
       "training time without evaluations"},
      {"pure_training_computing_time", "s", speed, Better::lower, by_report, Pick::none,
       "compute time of training, without data and evaluations"},
      {"throughput_raw", "samples/s", speed, Better::higher, by_report, Pick::none,
       "samples per second of training time"},
      {"throughput_no_eval", "samples/s", speed, Better::higher, by_report, Pick::none,
       "the same, without evaluations"},
      {"throughput_pure_compute", "samples/s", speed, Better::higher, by_report, Pick::none,
       "the same, also without data loading"},
      {"mfu", "%", speed, Better::higher, by_step, Pick::none, "model FLOPs utilization of the device"},
      {"iteration_time", "ms", speed, Better::lower, by_step, Pick::none, "wall time of a step"},
      {"step_wall_time", "ms", speed, Better::lower, by_step, Pick::none,
       "by gate's clock: time since the previous step line of the attempt, per step; the first has none",
       by_gate},
      {"startup_time", "ms", speed, Better::lower, by_report, Pick::none,
       "by gate's clock: from the launch to the first step line", by_gate},
      {"wall_time", "ms", speed, Better::lower, by_report, Pick::none,
       "by gate's clock: from the launch to the end of the script", by_gate},
      {"recomputed_steps", "", other, Better::lower, by_report, Pick::none,
       "by gate, where a rule asks for it: steps that the script printed again behind a restart", by_gate},
      {"memory_allocated", "MiB", memory, Better::lower, by_report, Pick::none, "device memory in use"},
      {"memory_max_allocated", "MiB", memory, Better::lower, by_report, Pick::none,
       "peak device memory in use so far"},
      {"memory_reserved", "MiB", memory, Better::lower, by_report, Pick::none,
       "device memory held by the allocator"},
      {"memory_max_reserved", "MiB", memory, Better::lower, by_report, Pick::none,
       "peak device memory held so far"},
      {"device_memory", "MiB", other, Better::lower, by_time, Pick::none,
       "by the device's tool: memory in use, driver included", by_gate},
      {"device_utilization", "%", other, Better::higher, by_time, Pick::none,
       "by the device's tool: share of time spent computing", by_gate},
      {"device_power", "W", other, Better::lower, by_time, Pick::none, "by the device's tool", by_gate},
      {"device_temperature", "C", other, Better::lower, by_time, Pick::none, "by the device's tool", by_gate},
      {"device_clock", "MHz", other, Better::higher, by_time, Pick::none,
       "by the device's tool: of its compute units", by_gate},
      {"host_cpu", "%", other, Better::none, by_time, Pick::none,
       "of a node's host: CPU utilization, by all processes", by_gate},
      {"host_memory", "MiB", other, Better::lower, by_time, Pick::none,
       "of a node's host: memory that is not available", by_gate},
      {"host_power", "W", other, Better::lower, by_time, Pick::none,
       "of a node's host, by ipmitool if present and permitted", by_gate},
      {"learning_rate", "", other, Better::none, by_step, Pick::none, "learning rate of the step"},
      {"critic_learning_rate", "", other, Better::none, by_step, Pick::none,
       "learning rate of the critic's optimizer"},
      {"loss_scale", "", other, Better::none, by_step, Pick::none, "loss scale of mixed precision"},
      {"global_batch_size", "", other, Better::none, by_step, Pick::none, "samples per step over all ranks"},
      {"consumed_samples", "", other, Better::none, by_step, Pick::none, "samples trained so far"},
      {"consumed_tokens", "", other, Better::none, by_step, Pick::none, "tokens trained so far"},
      {"trained_samples", "", other, Better::none, by_report, Pick::none, "samples that the run trained on"},
      {"trained_steps", "", other, Better::none, by_report, Pick::none, "steps that the run took"},
      {"skipped_iterations", "", other, Better::none, by_step, Pick::none,
       "steps the framework skipped so far"},
      {"critic_skipped_iterations", "", other, Better::none, by_step, Pick::none,
       "steps the framework skipped for the critic so far"},
      {"nan_iterations", "", other, Better::none, by_step, Pick::none,
       "steps the framework saw as NaN so far"},
  };
  return metrics;
}

constexpr std::array better_names{"none", "higher", "lower"};
constexpr std::array kind_names{"accuracy", "speed", "memory", "other"};
constexpr std::array numbering_names{"step", "report", "time"};
constexpr std::array pick_names{"none", "first", "last", "min", "max"};

// Return the value that stands at the name's place.
template <class T, std::size_t count>
std::optional<T> named(const std::array<const char*, count>& names, std::string_view name) {
  for (std::size_t i = 0; i < count; ++i)
    if (names[i] == name) return static_cast<T>(i);
  return std::nullopt;
}

constexpr Decimal ms_of_a_second{1000, 0};
constexpr Decimal seconds_of_a_ms{1, -3};
constexpr Decimal mib_of_a_byte{95'367'431'640'625, -20};
constexpr Decimal bytes_of_a_mib{1'048'576, 0};

constexpr std::array<MegatronMetric, 8> megatron_table{{
    {"lm loss", "lm_loss"},
    {"mtp_1 loss", "mtp_1_loss"},
    {"mtp_2 loss", "mtp_2_loss"},
    {"total loss", "total_loss"},
    {"num-zeros", "num_zeros"},
    {"iteration-time", "iteration_time", ms_of_a_second, seconds_of_a_ms},
    {"mem-allocated-bytes", "memory_allocated", mib_of_a_byte, bytes_of_a_mib},
    {"mem-max-allocated-bytes", "memory_max_allocated", mib_of_a_byte, bytes_of_a_mib},
}};

}  // namespace

std::span<const Metric> built_in_metrics() { return metric_table(); }

MetricTable::MetricTable() {
  static const auto built_in = std::make_shared<std::vector<Metric>>(metric_table());
  metrics_ = built_in;
}

void MetricTable::put(Metric metric) {
  if (metrics_.use_count() > 1) metrics_ = std::make_shared<std::vector<Metric>>(*metrics_);
  const auto same = [&](const Metric& other_metric) { return other_metric.name == metric.name; };
  const auto it = std::find_if(metrics_->begin(), metrics_->end(), same);
  it == metrics_->end() ? metrics_->push_back(std::move(metric)) : void(*it = std::move(metric));
}

const Metric* MetricTable::find(std::string_view name) const {
  const auto it =
      std::find_if(metrics_->begin(), metrics_->end(), [&](const Metric& m) { return m.name == name; });
  return it == metrics_->end() ? nullptr : &*it;
}

std::size_t MetricTable::place_of(std::string_view name) const {
  const Metric* metric = find(name);
  return metric == nullptr ? metrics_->size() : static_cast<std::size_t>(metric - metrics_->data());
}

Metric MetricTable::get(std::string_view name) const {
  const Metric* found = find(name);
  if (found != nullptr) return *found;
  Metric metric;
  metric.name = name;
  return metric;
}

std::string_view to_string(Better better) { return better_names.at(static_cast<std::size_t>(better)); }
std::string_view to_string(MetricKind kind) { return kind_names.at(static_cast<std::size_t>(kind)); }
std::string_view to_string(Numbering numbered) {
  return numbering_names.at(static_cast<std::size_t>(numbered));
}
std::string_view to_string(Pick pick) { return pick_names.at(static_cast<std::size_t>(pick)); }

std::optional<MetricKind> parse_metric_kind(std::string_view name) {
  return named<MetricKind>(kind_names, name);
}

std::optional<Better> parse_better(std::string_view name) { return named<Better>(better_names, name); }

std::optional<Numbering> parse_numbering(std::string_view name) {
  return named<Numbering>(numbering_names, name);
}

std::span<const MegatronMetric> megatron_metrics() { return megatron_table; }

const MegatronMetric* find_megatron_metric(std::string_view name) {
  const auto it = std::ranges::find_if(
      megatron_table, [&](const MegatronMetric& row) { return row.key == name || row.metric == name; });
  return it == megatron_table.end() ? nullptr : &*it;
}

}  // namespace gate
