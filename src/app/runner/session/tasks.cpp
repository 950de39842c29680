#include "runner/session/tasks.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "gate/base/text.h"
#include "gate/config/case_names.h"
#include "gate/devices/idle.h"
#include "gate/judging/derived.h"
#include "gate/model/numbers/step_set.h"
#include "gate/places/post_launch.h"
#include "gate/suite/joined.h"
#include "gate/suite/predecessors.h"

namespace gate::app {

namespace {

struct LogGlob {
  std::string glob;  // from the root on
  std::string shown;
  std::size_t index = 0;  // of the case

  // Everything that the glob matches begins and ends with these.
  std::string_view head() const { return std::string_view(glob).substr(0, glob.find_first_of("*?[")); }
  std::string_view tail() const {
    const std::size_t last = glob.find_last_of("*?]");
    return last == std::string::npos ? std::string_view(glob) : std::string_view(glob).substr(last + 1);
  }
};

// The folder that the glob names without a glob character may be reached through links.
std::string without_links(const fs::Path& glob) {
  const std::string text = glob.string();
  const std::size_t end = text.rfind('/', text.find_first_of("*?["));
  return (fs::whole_path(text.substr(0, end)) / text.substr(end + 1)).string();
}

std::vector<LogGlob> sorted_globs(const std::vector<LogGlobs>& cases) {
  std::vector<LogGlob> all;
  for (std::size_t i = 0; i < cases.size(); ++i)
    for (const std::string& glob : cases[i].globs) {
      if (placed(glob).base == &ArtifactSource::scratch) continue;  // each launch has its own
      const fs::Path any_rank = cases[i].cwd / config::expand(glob, {{"rank", "*"}}).value_or(glob);
      all.push_back({without_links(std::filesystem::absolute(any_rank).lexically_normal()), glob, i});
    }
  std::ranges::sort(all, {}, &LogGlob::head);
  return all;
}

// Speed is judged if a rule guards it, with the reference that the case has.
bool judges_speed(const PlannedCase& planned) {
  const config::Case& spec = *planned.spec;
  if (spec.settings.judge != config::JudgeMode::series) return false;
  const Reference reference = with_derived(spec, planned.against.reference, planned.placement.platform, {});
  return std::ranges::any_of(spec.rules, [&](const Rule& rule) {
    const Metric& metric = spec.metrics.get(rule.metric);
    return metric.kind == MetricKind::speed && gates(rule, metric.numbered, reference);
  });
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

SharedLogs logs_shared_by(const std::vector<const PlannedCase*>& cases) {
  std::vector<LogGlobs> logs;
  for (const PlannedCase* planned : cases) {
    logs.push_back({planned->spec->settings.log, planned->spec->cwd});
    for (const auto& [name, output] : planned->spec->settings.outputs)
      if (!output.file.starts_with("{stages}/")) logs.back().globs.push_back(output.file);
  }
  return shared_logs(logs);
}

}  // namespace

SharedLogs shared_logs(const std::vector<LogGlobs>& cases) {
  const std::vector<LogGlob> all = sorted_globs(cases);
  Joined joined(cases.size());
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size() && all[j].head().starts_with(all[i].head()); ++j) {
      const LogGlob &a = all[i], &b = all[j];
      const bool same_end = a.tail().ends_with(b.tail()) || b.tail().ends_with(a.tail());
      if (joined.root(a.index) == joined.root(b.index) || !same_end || !globs_overlap(a.glob, b.glob))
        continue;
      joined.join(a.index, b.index);
      pairs.emplace_back(i, j);
    }
  SharedLogs shared{std::vector<std::optional<std::size_t>>(cases.size()), {}};
  std::vector<std::optional<std::size_t>> group_of(cases.size());  // by root
  for (const auto& [i, j] : pairs) {
    std::optional<std::size_t>& group = group_of[joined.root(all[i].index)];
    if (group) continue;
    group = shared.examples.size();
    shared.examples.emplace_back(all[i].shown, all[j].shown);
  }
  for (std::size_t i = 0; i < cases.size(); ++i) shared.groups[i] = group_of[joined.root(i)];
  return shared;
}

std::vector<schedule::Task> tasks_of(const std::vector<const PlannedCase*>& cases, const RunHistory& history,
                                     bool recording) {
  std::vector<schedule::Task> tasks;
  const SharedLogs shared = logs_shared_by(cases);
  for (const PlannedCase* planned : cases) {
    schedule::Task& task = tasks.emplace_back();
    if (planned->place.reserves) task.shape = planned->placement.shape;  // else it is the queue's business
    if (!task.shape.is_on_cpu())
      task.chosen =
          read_devices(config::size_on(planned->spec->settings, planned->placement.platform).device_list);
    const config::Settings& settings = planned->spec->settings;
    const bool is_alone = recording || settings.share_host == config::ShareHost::no ||
                          (settings.share_host == config::ShareHost::automatic && judges_speed(*planned));
    task.exclusive = planned->place.reserves && is_alone;
    task.port = planned->fixed_port;
    task.hosts = planned->place.lanes;
    task.logs = shared.groups[tasks.size() - 1];
    task.expected = history.expected(planned->spec->name,
                                     place_word(planned->placement.platform, planned->against.environment));
    const std::vector<std::string> predecessors = predecessors_of(*planned->spec);
    for (std::size_t i = 0; !predecessors.empty() && i < cases.size(); ++i)
      if (std::ranges::binary_search(predecessors, cases[i]->spec->name)) task.after.push_back(i);
  }
  return tasks;
}

std::vector<int> hosts_among(std::vector<int> lanes) {
  std::erase_if(lanes, [](int number) { return number < 0; });
  return lanes;
}

std::string numbers_of(const std::vector<DeviceId>& devices) {
  std::map<int, std::vector<std::int64_t>> numbers;
  for (const DeviceId& device : devices) numbers[device.host].push_back(device.index);
  std::vector<std::string> words;
  for (auto& [host, of_host] : numbers) {
    std::ranges::sort(of_host);
    words.push_back(to_string(StepSet(of_host)));
  }
  if (std::ranges::adjacent_find(words, std::not_equal_to<>()) == words.end()) words.resize(1);
  return join(words, " + ");
}

std::vector<std::size_t> order_of(const std::vector<schedule::Task>& tasks,
                                  const schedule::Resources& resources) {
  if (resources.jobs > 1 || resources.hosts.size() > 1 || !resources.engines.empty())
    return schedule::order(tasks, resources);
  std::vector<std::size_t> order(tasks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

std::vector<DeviceId> healthy(const std::vector<Device>& devices) {
  std::vector<DeviceId> ids;
  for (const Device& device : devices)
    if (!devices::sickness(device)) ids.push_back(device.id());
  std::ranges::sort(ids);
  return ids;
}

std::vector<Sentence> notes_on_logs(const RunPlan& plan) {
  const std::vector<const PlannedCase*> cases = cases_that_run(plan);
  const SharedLogs shared = logs_shared_by(cases);
  std::vector<std::vector<std::string>> names(shared.examples.size());
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (shared.groups[i]) names[*shared.groups[i]].push_back(cases[i]->spec->name);
  std::vector<Sentence> notes;
  for (std::size_t group = 0; group < names.size(); ++group) {
    const auto& [one, other] = shared.examples[group];
    notes.push_back(
        say({"never beside each other, for their scripts may write one log file ({}): {}; {{case}} or a "
             "folder of its own in each log keeps them apart",
             "从不同时运行，因为它们的脚本可能写同一个日志文件（{}）：{}；在各自的 log 里用 {{case}} "
             "或各自的目录可把它们分开"},
            one + (one == other ? "" : ", " + other), listed(names[group], 8)));
  }
  return notes;
}

std::vector<TimelineRow> timeline(const RunPlan& plan, const RunHistory& history, std::optional<int> jobs) {
  const std::vector<const PlannedCase*> cases = cases_that_run(plan);
  const std::vector<schedule::Task> tasks = tasks_of(cases, history, false);
  if (std::ranges::all_of(tasks, [](const schedule::Task& task) { return task.expected == Duration{}; }))
    return {};
  const schedule::Resources resources = resources_of(plan, jobs);
  std::vector<TimelineRow> rows;
  for (const schedule::PlannedSlot& slot : schedule::timeline(tasks, resources, order_of(tasks, resources)))
    rows.push_back({cases[slot.task]->spec->name, numbers_of(slot.devices), slot.begin, slot.end});
  return rows;
}

schedule::Resources resources_of(const RunPlan& plan, std::optional<int> jobs) {
  constexpr int usual_engine_jobs = 64;
  std::set<int> hosts, queues;
  for (const PlannedCase* planned : cases_that_run(plan)) {
    for (const int lane : planned->place.lanes) (lane < 0 ? queues : hosts).insert(lane);
  }
  hosts.insert(queues.begin(), queues.end());
  std::vector<DeviceId> devices = healthy(plan.devices);
  const std::size_t most = devices.empty() ? 1 : std::numeric_limits<std::size_t>::max();
  const std::size_t slots = static_cast<std::size_t>(jobs.value_or(1));
  return {.devices = std::move(devices),
          .hosts = {hosts.begin(), hosts.end()},
          .cpu_slots = slots,
          .jobs = jobs ? slots : most,
          .engines = {queues.begin(), queues.end()},
          .engine_jobs = static_cast<std::size_t>(jobs.value_or(usual_engine_jobs))};
}

}  // namespace gate::app
