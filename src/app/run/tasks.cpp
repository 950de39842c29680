#include "app/run/tasks.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "app/suite/shared_logs.h"
#include "gate/app/derived.h"
#include "gate/base/text.h"
#include "gate/devices/idle.h"
#include "gate/model/step_set.h"

namespace gate::app {

namespace {

constexpr std::size_t most_named = 8;

bool judges_speed(const PlannedCase& planned) {
  const config::Case& spec = *planned.spec;
  if (spec.settings.judge == config::JudgeMode::exit) return false;
  const Reference reference = with_derived(spec, planned.against.reference, {});
  return std::any_of(spec.rules.begin(), spec.rules.end(), [&](const Rule& rule) {
    const Metric& metric = spec.metrics.get(rule.metric);
    return metric.kind == MetricKind::speed && gates(rule, metric.numbered, reference);
  });
}

bool is_alone(const PlannedCase& planned) {
  const config::Settings& settings = planned.spec->settings;
  if (settings.exclusive) return *settings.exclusive;
  return settings.side_by_side ? !*settings.side_by_side : judges_speed(planned);
}

std::vector<DeviceId> read_devices(const std::vector<std::string>& words) {
  std::vector<DeviceId> devices;
  for (const std::string& word : words)
    devices.emplace_back(static_cast<int>(parse_integer(word).value_or(0)));
  return devices;
}

std::vector<const PlannedCase*> cases_that_run(const RunPlan& plan) {
  std::vector<const PlannedCase*> cases;
  for (const PlannedCase& planned : plan.cases)
    if (planned.placement.kind == Placement::Kind::run) cases.push_back(&planned);
  return cases;
}

SharedLogs logs_shared_by(const std::vector<const PlannedCase*>& cases, const fs::Path& cwd) {
  std::vector<std::vector<std::string>> globs;
  for (const PlannedCase* planned : cases) globs.push_back(planned->spec->settings.log);
  return shared_logs(globs, cwd);
}

}  // namespace

std::vector<schedule::Task> tasks_of(const std::vector<const PlannedCase*>& cases, const fs::Path& cwd,
                                     const RunHistory& memory, bool recording) {
  std::vector<schedule::Task> works;
  const SharedLogs shared = logs_shared_by(cases, cwd);
  for (const PlannedCase* planned : cases) {
    schedule::Task& work = works.emplace_back();
    work.shape = planned->placement.shape;
    if (!work.shape.is_on_cpu()) work.chosen = read_devices(planned->spec->settings.device_list);
    work.alone = recording || is_alone(*planned);
    work.port = planned->fixed_port;
    work.logs = shared.groups[works.size() - 1];
    work.expected = memory.expected(planned->spec->name, planned->placement.platform);
    const std::vector<std::string> partners = partners_of(*planned->spec);
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (std::binary_search(partners.begin(), partners.end(), cases[i]->spec->name)) work.after.push_back(i);
  }
  return works;
}

std::string numbers_of(const std::vector<DeviceId>& devices) {
  std::vector<std::int64_t> numbers;
  for (const DeviceId& device : devices) numbers.push_back(device.index);
  std::sort(numbers.begin(), numbers.end());
  return to_string(StepSet(numbers));
}

std::vector<std::size_t> order_of(const std::vector<schedule::Task>& works, const schedule::Pool& pool) {
  if (pool.jobs > 1) return schedule::order(works, pool);
  std::vector<std::size_t> order(works.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

std::vector<DeviceId> healthy(const std::vector<Device>& devices) {
  std::vector<DeviceId> ids;
  for (const Device& device : devices)
    if (!devices::sickness(device)) ids.push_back(device.id());
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::vector<std::string> notes_on_logs(const RunPlan& plan, const fs::Path& cwd) {
  const std::vector<const PlannedCase*> cases = cases_that_run(plan);
  const SharedLogs shared = logs_shared_by(cases, cwd);
  std::vector<std::vector<std::string>> names(shared.examples.size());
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (shared.groups[i]) names[*shared.groups[i]].push_back(cases[i]->spec->name);
  std::vector<std::string> notes;
  for (std::size_t group = 0; group < names.size(); ++group) {
    const auto& [one, other] = shared.examples[group];
    notes.push_back("never beside each other, for their scripts may write one log file (" + one +
                    (one == other ? "" : ", " + other) + "): " + some_of(names[group], most_named) +
                    "; {case} or a folder of its own in each log keeps them apart");
  }
  return notes;
}

std::vector<TimelineRow> timeline(const RunPlan& plan, const fs::Path& cwd, const RunHistory& memory,
                                  std::optional<int> jobs) {
  const std::vector<const PlannedCase*> cases = cases_that_run(plan);
  const std::vector<schedule::Task> works = tasks_of(cases, cwd, memory, false);
  if (std::ranges::all_of(works, [](const schedule::Task& work) { return work.expected == Duration{}; }))
    return {};
  const schedule::Pool pool = pool_of(healthy(plan.devices), jobs);
  std::vector<TimelineRow> turns;
  for (const schedule::PlannedSlot& turn : schedule::timeline(works, pool, order_of(works, pool)))
    turns.push_back({cases[turn.work]->spec->name, numbers_of(turn.devices), turn.begin, turn.end});
  return turns;
}

schedule::Pool pool_of(std::vector<DeviceId> devices, std::optional<int> jobs) {
  const std::size_t most = devices.empty() ? 1 : std::numeric_limits<std::size_t>::max();
  const std::size_t slots = static_cast<std::size_t>(jobs.value_or(1));
  return {std::move(devices), slots, jobs ? slots : most};
}

}  // namespace gate::app
