#include "gate/judging/hardware.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace gate::app {

namespace {

struct ReadingRow {
  const char* metric;
  std::optional<double> Device::*value;
};
constexpr std::array<ReadingRow, 5> reading_rows{{{"device_memory", &Device::memory_used},
                                                  {"device_utilization", &Device::utilization},
                                                  {"device_power", &Device::power},
                                                  {"device_temperature", &Device::temperature},
                                                  {"device_clock", &Device::clock}}};

const Device* find_device(const std::vector<Device>& devices, const Device& wanted) {
  const auto it = std::ranges::find_if(devices, [&](const Device& d) { return is_same(d, wanted); });
  return it == devices.end() ? nullptr : &*it;
}

std::int64_t seconds(Sampler::Clock::time_point at, Sampler::Clock::time_point began) {
  return std::chrono::duration_cast<std::chrono::seconds>(at - began).count();
}

Sample reading_sample(std::int64_t number, double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return {number, parse_value(text).value_or(Value{}), text, 0, 0};
}

using ReadValue = std::function<std::optional<double>(const Snapshot&)>;

Series reading_series(const Metric& metric, int rank, const std::vector<Snapshot>& seen,
                      const ReadValue& read, Sampler::Clock::time_point began, Duration every) {
  Series series(metric.name, rank, metric.unit, metric.numbered);
  std::optional<Sampler::Clock::time_point> last;
  for (const Snapshot& snapshot : seen) {
    const std::optional<double> value = read(snapshot);
    if (!value || (last && snapshot.at - *last < every)) continue;
    const std::int64_t number = seconds(snapshot.at, began);
    if (last && number <= series.samples().last_number()) continue;
    series.append(reading_sample(number, *value));
    last = snapshot.at;
  }
  return series;
}

ReadValue reading_of(const Device& device, std::optional<double> Device::*value) {
  return [&device, value](const Snapshot& snapshot) {
    const Device* now = find_device(snapshot.devices, device);
    return now == nullptr ? std::nullopt : now->*value;
  };
}

struct HostReadingRow {
  const char* metric;
  std::optional<double> (*value)(const devices::HostUsage& before, const devices::HostUsage& now);
};
constexpr std::array<HostReadingRow, 3> host_reading_rows{
    {{"host_cpu", devices::busy_percent},
     {"host_memory",
      [](const devices::HostUsage&, const devices::HostUsage& now) { return now.memory_used; }},
     {"host_power", [](const devices::HostUsage&, const devices::HostUsage& now) { return now.power; }}}};

// The first moment has none before it, and tells nothing of what goes on.
ReadValue reading_of(int host, const HostReadingRow& row) {
  return [host, row, before = std::optional<devices::HostUsage>()](
             const Snapshot& snapshot) mutable -> std::optional<double> {
    const auto now = snapshot.hosts.find(host);
    if (now == snapshot.hosts.end()) return std::nullopt;
    const auto was = std::exchange(before, now->second);
    return was ? row.value(*was, now->second) : std::nullopt;
  };
}

// A stretch of readings below what the clock was at its best, while the device was at work.
struct Slow {
  Sampler::Clock::time_point begin, end;
  double clock = 0;
};

bool at_work(const Device& device) { return device.utilization.value_or(100) >= 50; }

double best_clock(const std::vector<Snapshot>& seen, const Device& device) {
  double best = 0;
  for (const Snapshot& snapshot : seen)
    if (const Device* now = find_device(snapshot.devices, device); now != nullptr && at_work(*now))
      best = std::max(best, now->clock.value_or(0));
  return best;
}

std::optional<Slow> slowest(const std::vector<Snapshot>& seen, const Device& device, double best) {
  constexpr double fallen = 0.9;
  std::optional<Slow> slow;
  for (const Snapshot& snapshot : seen) {
    const Device* now = find_device(snapshot.devices, device);
    if (now == nullptr || !at_work(*now) || !now->clock || *now->clock > fallen * best) continue;
    if (!slow) slow = Slow{snapshot.at, snapshot.at, *now->clock};
    slow->end = snapshot.at;
    slow->clock = std::min(slow->clock, *now->clock);
  }
  return slow;
}

Sentence steps_during(const Slow& slow, Sampler::Clock::time_point began,
                      const std::vector<Arrival>& arrivals) {
  std::vector<std::int64_t> steps;
  for (const Arrival& arrival : arrivals)
    if (began + arrival.at >= slow.begin && began + arrival.at <= slow.end) steps.push_back(arrival.step);
  if (!steps.empty())
    return say({"steps {}-{}", "第 {}-{} 步"}, std::ranges::min(steps), std::ranges::max(steps));
  return say({"seconds {}-{}", "第 {}-{} 秒"}, seconds(slow.begin, began), seconds(slow.end, began));
}

}  // namespace

Sampler::Sampler(std::function<Snapshot(const Cut&)> read, Duration every)
    : read_(std::move(read)), every_(every), thread_([this](const std::stop_token& stop) { sample(stop); }) {}

void Sampler::sample(const std::stop_token& stop) {
  const Cut cut{.stop = [&] { return std::string(stop.stop_requested() ? "nobody wants it" : ""); }};
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    lock.unlock();
    const Clock::time_point now = Clock::now();
    Snapshot snapshot = read_(cut);
    snapshot.at = now;
    lock.lock();
    if (!snapshot.devices.empty() || !snapshot.hosts.empty()) seen_.push_back(std::move(snapshot));
    stopped_.wait_for(lock, stop, every_, [] { return false; });
  }
}

std::vector<Snapshot> Sampler::snapshots_since(Sampler::Clock::time_point begin) const {
  const std::lock_guard lock(mutex_);
  return {std::ranges::find_if(seen_, [&](const Snapshot& one) { return one.at >= begin; }), seen_.end()};
}

void add_readings(Extraction& run, const std::vector<Snapshot>& seen, const CaseHardware& hardware,
                  Sampler::Clock::time_point began, Duration every, const MetricTable& metrics) {
  if (run.series.empty()) return;
  const auto add = [&](const char* metric, std::size_t rank, const ReadValue& read) {
    add_clock(run, reading_series(metrics.get(metric), static_cast<int>(rank), seen, read, began, every),
              metrics);
  };
  for (const ReadingRow& row : reading_rows)
    for (std::size_t rank = 0; rank < hardware.devices.size(); ++rank)
      add(row.metric, rank, reading_of(hardware.devices[rank], row.value));
  for (const HostReadingRow& row : host_reading_rows)
    for (std::size_t node = 0; node < hardware.hosts.size(); ++node)
      add(row.metric, node, reading_of(hardware.hosts[node], row));
}

std::vector<Sentence> clocked_down(const std::vector<Snapshot>& seen, const std::vector<Device>& devices,
                                   Sampler::Clock::time_point began, const std::vector<Arrival>& arrivals) {
  std::vector<Sentence> told;
  for (const Device& device : devices) {
    const double best = best_clock(seen, device);
    if (const std::optional<Slow> slow = slowest(seen, device, best))
      told.push_back(say({"device {}: clock {:.0f} -> {:.0f} MHz during {}",
                          "设备 {0}：在{3}期间频率 {1:.0f} -> {2:.0f} MHz"},
                         device.index, best, slow->clock, steps_during(*slow, began, arrivals)));
  }
  return told;
}

}  // namespace gate::app
