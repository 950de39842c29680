#include "places/launch/output_monitor.h"

#include <algorithm>
#include <functional>

#include "gate/suite/profile_choice.h"
#include "gate/suite/published.h"

namespace gate::app {

namespace {

bool is_on_speed(const config::Case& spec, const Rule& rule) {
  return spec.metrics.get(rule.metric).kind == MetricKind::speed;
}

judge::Watch watch_of(const PlannedCase& planned, const std::function<bool(const Rule&)>& is_watched) {
  const config::Case& spec = *planned.spec;
  std::vector<Rule> rules = spec.rules;
  // Which of two tolerances holds is known at the end.
  tell_measured_elsewhere(rules, spec, planned.placement.platform);
  std::erase_if(rules, [&](const Rule& rule) {
    return rule.deterministic || !rule.measured_elsewhere.empty() || !is_watched(rule);
  });
  return {rules, spec.metrics, with_derived(spec, planned.against.reference, planned.placement.platform, {}),
          planned.placement.platform};
}

judge::Watch watch_on_speed(const PlannedCase& planned, Purpose purpose) {
  return watch_of(planned, [&](const Rule& rule) {
    return purpose != Purpose::confirming && is_on_speed(*planned.spec, rule);
  });
}

// Of the reference, what is shown while a script runs: loss and speed.
std::vector<const Series*> shown_of(const PlannedCase& planned) {
  std::vector<const Series*> shown;
  for (const ReferenceSeries& series : planned.against.reference.series) {
    const Series& first = series.runs.front();
    const Metric metric = planned.spec->metrics.get(first.metric());
    if (first.metric() == "lm_loss" || metric.kind == MetricKind::speed) shown.push_back(&first);
  }
  return shown;
}

// The switches that the references of speed were recorded with.
std::vector<KnownSwitches> switches_of_speed(const PlannedCase& planned) {
  std::vector<KnownSwitches> all;
  for (const ReferenceSeries& series : planned.against.reference.series)
    if (planned.spec->metrics.get(series.runs.front().metric()).kind == MetricKind::speed)
      all.push_back(series.switches);
  return all;
}

// A baseline is that of an undisturbed run, and what explains a red one is not judged; of a case's phases the
// first one has the fault.
std::optional<Fault> fault_of(const PlannedCase& planned, Purpose purpose) {
  const bool is_judged = purpose != Purpose::recording && purpose != Purpose::explaining;
  return is_judged && planned.phase == 0 ? planned.spec->settings.fault : std::nullopt;
}

// What both mean together.
launch::Pulse joined(const launch::Pulse& a, const launch::Pulse& b) {
  launch::Pulse both{.sample = a.sample || b.sample,
                     .restarted = a.restarted || b.restarted,
                     .complete = a.complete || b.complete,
                     .total_known = a.total_known || b.total_known,
                     .stop = b.stop ? b.stop : a.stop};
  both.fault = b.fault ? b.fault : a.fault;
  if (both.sample) both.samples = (a.sample ? a.samples : 0) + (b.sample ? b.samples : 0);
  return both;
}

}  // namespace

OutputMonitor::OutputMonitor(const PlannedCase& planned, Purpose purpose, LaunchBound bound,
                             extract::Extractor extractor, std::vector<store::LogFile> logs, ExtraLogs extra,
                             const Masker& masker, const Sink& sink, const Environment& environment)
    : planned_(planned),
      purpose_(purpose),
      bound_(std::move(bound)),
      extractor_(std::move(extractor)),
      masker_(masker),
      extra_(std::move(extra)),
      sink_(sink),
      shown_(shown_of(planned)),
      watch_(watch_of(planned, [&](const Rule& rule) { return !is_on_speed(*planned.spec, rule); })),
      speed_watch_(watch_on_speed(planned, purpose)),
      speed_counts_(std::ranges::none_of(switches_of_speed(planned),
                                         [](const KnownSwitches& known) { return known.set.has_value(); })),
      time_(environment.time),
      show_(environment.show),
      fault_(fault_of(planned, purpose)) {
  for (store::LogFile& log : logs) logs_.push_back({std::move(log), StreamMasker(masker)});
  extractor_.on_sample([this](const LiveSample& live) { on_sample(live); });
}

launch::Pulse OutputMonitor::on_output(std::size_t node, std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  pulse_ = {};
  now_ = time_.now();
  NodeLog& log = logs_[node];
  keep(log, log.masker.feed(bytes));
  if (!bytes.empty()) log.is_in_line = !bytes.ends_with('\n');
  const std::int64_t before = extractor_.last_step();
  if (logs_.size() > 1) extractor_.resume_file(node);
  extractor_.feed(bytes);
  update_pulse(before);
  tell_others(node);
  return pulse_;
}

launch::Pulse OutputMonitor::on_fingerprint(const Fingerprint& seen) {
  const std::lock_guard lock(mutex_);
  speed_counts_ |= std::ranges::none_of(switches_of_speed(planned_), [&](const KnownSwitches& known) {
    return changed_determinism(known, {seen.switches, !seen.python.empty()}).has_value();
  });
  take_certain_speed();
  launch::Pulse pulse;
  pulse.stop = wants_to_stop();
  return pulse;
}

launch::Pulse OutputMonitor::poll(std::size_t node) {
  const std::lock_guard lock(mutex_);
  if (node != 0) return std::exchange(logs_[node].of_others, {});
  pulse_ = {};
  now_ = time_.now();
  const std::int64_t before = extractor_.last_step();
  extra_.poll(extractor_);
  extractor_.resume_file(0);
  update_pulse(before);
  tell_others(node);
  return joined(std::exchange(logs_[node].of_others, {}), pulse_);
}

void OutputMonitor::keep(NodeLog& log, std::string_view masked) {
  log.file.append(masked);
  if (show_ && !masked.empty()) show_(masked);
}

void OutputMonitor::tell_others(std::size_t node) {
  for (std::size_t other = 0; other < logs_.size(); ++other)
    if (other != node) logs_[other].of_others = joined(logs_[other].of_others, pulse_);
}

Status OutputMonitor::log_status() const {
  for (const NodeLog& log : logs_)
    if (Status status = log.file.status(); !status) return status;
  return {};
}

Extraction OutputMonitor::finish() {
  for (NodeLog& log : logs_) {
    keep(log, log.masker.finish());
    static_cast<void>(log.file.close());  // log_status() tells
  }
  std::vector<Problem> problems = extra_.finish(extractor_);
  Extraction extraction = extractor_.finish();
  extraction.notes.insert(extraction.notes.end(), extra_.notes().begin(), extra_.notes().end());
  add_cuts(extraction, std::move(problems));
  return extraction;
}

void OutputMonitor::begin() {
  const std::lock_guard lock(mutex_);
  if (arrivals_.empty()) began_ = now_ = time_.now();
}

// What a killed script left of a line is no beginning of the next one's.
void OutputMonitor::begin_start(Duration away) {
  const std::lock_guard lock(mutex_);
  now_ = time_.now();
  extra_.poll(extractor_);
  for (std::size_t node = 0; node < logs_.size(); ++node) {
    NodeLog& log = logs_[node];
    log.file.append(log.masker.finish());
    log.masker = StreamMasker(masker_);
    if (std::exchange(log.is_in_line, false)) log.file.append("\n");
    log.of_others = {};
  }
  extractor_.begin_start();
  extractor_.resume_file(0);
  fault_.begin_start(away);
  start_ = elapsed();
  clock_ = {};
  begins_start_ = true;
}

std::optional<FaultStory> OutputMonitor::fault_story() {
  const std::lock_guard lock(mutex_);
  if (!fault_.is_there()) return std::nullopt;
  fault_.know(last_step_for_fault());
  return fault_.story();
}

void OutputMonitor::on_sample(const LiveSample& live) {
  note_arrival(live, elapsed(), arrivals_, start_);
  if (live.step) fault_.on_step(*live.step, live.new_attempt, now_);
  if (live.new_attempt) {
    pulse_.restarted = true;
    certain_.reset();
    certain_speed_.reset();
    watch_.restart();
    speed_watch_.restart();
  }
  if (is_watched(live.metric)) {
    if (!certain_) certain_ = watch_.on_sample(live.metric, live.rank, live.sample);
    if (!certain_speed_ && !extractor_.is_profiled())
      certain_speed_ = speed_watch_.on_sample(live.metric, live.rank, live.sample);
    take_certain_speed();
  }
  sink_(SampleSeen{planned_.spec->name, std::string(live.metric), live.rank, live.sample, baseline_of(live),
                   live.step, extractor_.total()});
}

std::optional<Sample> OutputMonitor::baseline_of(const LiveSample& live) const {
  for (const Series* series : shown_)
    if (series->metric() == live.metric && series->rank() == live.rank)
      return series->find(live.sample.number);
  return {};
}

void OutputMonitor::update_pulse(std::int64_t before) {
  const std::int64_t step = extractor_.last_step();
  if (step != before || pulse_.restarted) on_step(before, step);
  pulse_.total_known = demanded().has_value();
  pulse_.complete = demanded() && step >= *demanded();
  pulse_.stop = wants_to_stop();
  fault_.know(last_step_for_fault());
  pulse_.fault = fault_.take_due(step, now_);
}

void OutputMonitor::on_step(std::int64_t before, std::int64_t step) {
  constexpr std::int64_t most_steps_at_once = 1000;  // told to the clocks of the runner
  pulse_.sample = true;
  const std::int64_t steps = std::exchange(begins_start_, false) ? 1
                             : pulse_.restarted                  ? step
                                                                 : step - before;
  pulse_.samples = static_cast<int>(std::clamp<std::int64_t>(steps, 1, most_steps_at_once));
  if (clock_.last_step == 0 || pulse_.restarted) {
    first_at_ = now_;
    clock_.first_step = step;
  }
  clock_.last_step = step;
  clock_.since_first = std::chrono::duration_cast<Duration>(now_ - first_at_);
  if (!warned_) warn_of_the_end();
}

void OutputMonitor::warn_of_the_end() {
  const auto rest = expected_rest(clock_, demanded());
  const auto elapsed = std::chrono::duration_cast<Duration>(now_ - began_);
  if (!rest || elapsed + *rest <= bound_.limit) return;
  warned_ = true;
  sink_(Message{planned_.spec->name,
                say({"after step {} of {} it is expected to end after {}, and {} is up before that",
                     "已到第 {} 步（共 {} 步），预计用时 {} 结束，而 {} 在此之前就到"},
                    clock_.last_step, *demanded(), rough(elapsed + *rest), bound_.name)});
}

std::optional<Outcome> OutputMonitor::wants_to_stop() const {
  if (const Status written = log_status(); !written) return GateFailed{written.error().message};
  const config::EarlyStop setting = planned_.spec->settings.early_stop;
  const auto rest = expected_rest(clock_, demanded());
  if (certain_ && stops_now(setting, rest)) return StoppedEarly{certain_->reason, rest};
  return std::nullopt;
}

void OutputMonitor::take_certain_speed() {
  if (speed_counts_ && !certain_ && !extractor_.is_profiled()) certain_ = certain_speed_;
}

// What the log prints of a derived metric is not what is judged at the end.
bool OutputMonitor::is_watched(std::string_view metric) const {
  const config::Settings& settings = planned_.spec->settings;
  const std::vector<judge::Derivation>& derivations = planned_.spec->derivations;
  const bool is_derived =
      std::ranges::find(derivations, metric, &judge::Derivation::metric) != derivations.end();
  const bool may_be_judged = purpose_ == Purpose::judging || purpose_ == Purpose::confirming;
  return !is_derived && may_be_judged && may_stop_early(settings) &&
         settings.judge == config::JudgeMode::series && !settings.restarts && !settings.fault;
}

std::optional<std::int64_t> OutputMonitor::demanded() const {
  if (extractor_.total()) return extractor_.total();
  if (planned_.against.reference.last_step) return planned_.against.reference.last_step;
  if (planned_.spec->settings.steps) return *planned_.spec->settings.steps;
  return std::nullopt;
}

// What is said of the case comes before what a log announces.
std::optional<std::int64_t> OutputMonitor::last_step_for_fault() const {
  if (planned_.spec->settings.steps) return *planned_.spec->settings.steps;
  if (planned_.against.reference.last_step) return planned_.against.reference.last_step;
  return extractor_.total();
}

}  // namespace gate::app
