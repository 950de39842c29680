#include "trainer/trainer.h"

#include <unistd.h>

#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <thread>

#include "trainer/nodes.h"
#include "trainer/ranks.h"

namespace tinygpt {
namespace {

constexpr double kClip = 2.0;  // some steps are clipped and some are not, so --grad-scale shows in the loss
constexpr int kMemoryReports = 2;
constexpr std::size_t kValidationBatches = 2;

Time now() { return std::chrono::system_clock::now(); }

// Return the floating-point operations that one rank needs for a step, forward and backward, without
// recomputation: 72 B s l h^2 (1 + s / 6h + V / 12lh) (Narayanan et al., "Efficient large-scale language
// model training on GPU clusters using Megatron-LM", 2021, appendix; the 96 there is with recomputation).
double operations_of(const ModelShape& shape) {
  const auto s = static_cast<double>(shape.context), l = static_cast<double>(shape.layers);
  const auto h = static_cast<double>(shape.width), v = static_cast<double>(shape.vocabulary);
  return 72 * static_cast<double>(shape.tokens()) * l * h * h * (1 + s / (6 * h) + v / (12 * l * h));
}

void scale(View<float> values, double factor) {
  for (float& value : values.span()) value *= static_cast<float>(factor);
}

[[noreturn]] void hang() {
  for (;;) pause();
}

std::uint64_t seed_of_clock() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(since).count());
}

// A training that goes on keeps the seed that it began with; all ranks have that of rank 0.
Options with_seed(Options options, int rank, Collective& collective) {
  if (!options.seed_from_clock) return options;
  if (rank == 0) options.seed = saved_seed(options.load).value_or(seed_of_clock());
  collective.broadcast(rank, std::as_writable_bytes(std::span(&options.seed, 1)));
  return options;
}

}  // namespace

Trainer::Trainer(const Options& options, const ModelShape& shape, int rank, Collective& collective, int log,
                 const ExitSignal* exit_signal)
    : options_(options),
      rank_(rank),
      collective_(collective),
      log_(log),
      exit_signal_(exit_signal),
      text_(options.seed),
      model_(pool_, shape, options.seed),
      optimizer_(pool_, model_.layout()) {}

int Trainer::run() {
  announce_model();
  resume();
  announce_training();
  for (int step = resumed_ + 1; step <= options_.steps; ++step) {
    fail_before(step);
    report(step, train(step));
    const bool exits = shall_exit();
    if (exits || (options_.save_interval > 0 && step % options_.save_interval == 0)) save(step);
    if (exits && is_first()) print(datetime_line("exiting program after receiving SIGTERM.", now()));
    if (exits || step == options_.stop_at) return 0;
  }
  finish();
  return 0;
}

void Trainer::announce_model() {
  if (!is_first()) return;
  const std::string size = std::to_string(options_.world());
  print("using world size: " + size + ", data-parallel size: " + size +
        ", tensor-model-parallel size: 1, pipeline-model-parallel size: 1");
  print("> setting random seeds to " + std::to_string(options_.seed) + " ...");
  print(" > number of parameters on (tensor, pipeline) model parallel rank (0, 0): " +
        std::to_string(model_.layout().size));
}

// Rank 0 loads for all.
void Trainer::resume() {
  if (options_.load.empty()) return;
  if (is_first()) resumed_ = load();
  collective_.broadcast(rank_, std::as_writable_bytes(std::span(&resumed_, 1)));
  if (resumed_ == 0) return;
  for (const std::span<std::byte> part : parts()) collective_.broadcast(rank_, part);
}

// Return the step of the checkpoint, or 0 if there is none.
int Trainer::load() {
  const auto step = latest_step(options_.load);
  if (!step) {
    print(nothing_to_load(tracker_in(options_.load)));
    return 0;
  }
  print(loading_line(*step, options_.load));
  load_checkpoint(options_, model_.shape(), *step, parts());
  print(loaded_line(*step, options_.load));
  return *step;
}

void Trainer::announce_training() {
  if (is_first()) {
    print(datetime_line("after model, optimizer, and learning rate scheduler are built", now()));
    print("done with setup ...");
    print("training ...");
    print(datetime_line("before the start of training step", now()));
  }
  collective_.wait();
  step_began_ = std::chrono::steady_clock::now();
}

void Trainer::fail_before(int step) {
  if (!is_last()) return;
  if (step == options_.hang_at) hang();
  if (step == options_.crash_at)
    throw std::runtime_error("step " + std::to_string(step) + ": --crash-at " + std::to_string(step));
}

Trainer::Step Trainer::train(int step) {
  leak();
  std::this_thread::sleep_for(std::chrono::milliseconds(options_.sleep_ms));
  Step result;
  result.rate = learning_rate(options_.lr, step, options_.steps);
  result.loss = average_gradients(step);
  result.grad_norm = norm_of<float>(model_.gradients().span());
  result.skipped = !std::isfinite(result.grad_norm);
  if (!result.skipped)
    optimizer_.step(model_.parameters(), model_.gradients(), result.rate,
                    clip_factor(result.grad_norm, kClip));
  return result;
}

// Leave the mean gradients of all ranks in the model and return their mean loss.
double Trainer::average_gradients(int step) {
  double loss = model_.backward(share_of(step));
  if (step == options_.nan_at && is_first()) {
    loss = std::numeric_limits<double>::quiet_NaN();
    scale(model_.gradients(), loss);
  }
  collective_.average(rank_, model_.gradients().span());
  scale(model_.gradients(), options_.grad_scale);
  return collective_.average(rank_, loss);
}

void Trainer::leak() {
  if (options_.leak_mb == 0) return;
  leaked_.emplace_back(pool_, static_cast<std::size_t>(options_.leak_mb), std::size_t{1} << 20);
}

void Trainer::report(int step, const Step& result) {
  if (is_last()) print(iteration_line(record(step, result)));
  step_began_ = std::chrono::steady_clock::now();
  if (step <= resumed_ + kMemoryReports) print(memory_line(rank_, step, pool_.status()));
  collective_.wait();
}

IterationRecord Trainer::record(int step, const Step& result) {
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - step_began_;
  if (options_.elapsed_ms != 0) elapsed = std::chrono::milliseconds(options_.elapsed_ms);
  IterationRecord line;
  line.time = now();
  line.iteration = step;
  line.iterations = options_.steps;
  line.consumed_samples = std::int64_t{step} * global_batch();
  line.elapsed_ms = elapsed.count() * 1e3;
  line.tflops = operations_of(model_.shape()) / elapsed.count() / 1e12;
  line.learning_rate = result.rate;
  line.global_batch = global_batch();
  line.loss = result.loss;
  line.grad_norm = result.grad_norm;
  line.skipped = result.skipped ? 1 : 0;
  line.nan = std::isnan(result.loss) ? 1 : 0;
  return line;
}

// One rank that has heard of the signal is enough, and all find out at the same step.
bool Trainer::shall_exit() {
  if (exit_signal_ == nullptr) return false;
  return collective_.average(rank_, exit_signal_->has_come() ? 1.0 : 0.0) > 0;
}

// The time it takes belongs to no step.
void Trainer::save(int step) {
  if (is_first()) {
    print(saving_line(step, options_.save));
    save_checkpoint(options_, model_.shape(), step, parts());
    print(saved_line(step, options_.save));
  }
  saved_ = step;
  collective_.wait();
  step_began_ = std::chrono::steady_clock::now();
}

CheckpointParts Trainer::parts() {
  CheckpointParts parts{std::as_writable_bytes(model_.parameters().span())};
  const auto state = optimizer_.state();
  parts.insert(parts.end(), state.begin(), state.end());
  return parts;
}

void Trainer::finish() {
  if (is_first()) print(datetime_line("after training is done", now()));
  if (!options_.save.empty() && saved_ != options_.steps) save(options_.steps);
  const double loss = validate();
  if (is_last()) print(validation_line(options_.steps, loss));
}

double Trainer::validate() {
  const ModelShape& shape = model_.shape();
  double sum = 0;
  for (std::size_t i = 0; i < kValidationBatches; ++i) {
    const std::size_t share =
        i * static_cast<std::size_t>(options_.world()) + static_cast<std::size_t>(rank_);
    sum += model_.loss(text_.held_out(share * shape.batch, shape.batch, shape.context));
  }
  return collective_.average(rank_, sum / static_cast<double>(kValidationBatches));
}

Batch Trainer::share_of(int step) const {
  const ModelShape& shape = model_.shape();
  const auto share = static_cast<std::size_t>(step - 1) * static_cast<std::size_t>(options_.world()) +
                     static_cast<std::size_t>(rank_);
  return text_.training(share * shape.batch, shape.batch, shape.context);
}

int Trainer::global_batch() const { return options_.world() * static_cast<int>(model_.shape().batch); }

int train(const Options& options, const ModelShape& shape, int log) {
  std::optional<Nodes> nodes;
  if (options.nodes > 1) nodes.emplace(options, shape);
  Nodes* const others = nodes ? &*nodes : nullptr;
  Collective collective(options.ranks, layout_of(shape).size * sizeof(float), others);
  std::optional<ExitSignal> exit_signal;
  if (options.save_on_term) exit_signal.emplace();
  const ExitSignal* const signal = exit_signal ? &*exit_signal : nullptr;
  const auto work = [&](int rank) {
    return Trainer(with_seed(options, rank, collective), shape, rank, collective, log, signal).run();
  };
  return run_ranks(options.ranks, work, others);
}

}  // namespace tinygpt
