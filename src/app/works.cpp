#include "app/works.h"

#include <algorithm>
#include <limits>

#include "gate/app/derived.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

bool judges_speed(const PlannedCase& planned) {
  const config::Case& the_case = *planned.the_case;
  if (the_case.settings.judge == config::JudgeMode::exit) return false;
  const Reference reference = with_derived(the_case, planned.against.reference, {});
  return std::any_of(the_case.rules.begin(), the_case.rules.end(), [&](const Rule& rule) {
    const Metric& metric = the_case.metrics.get(rule.metric);
    return metric.kind == MetricKind::speed && gates(rule, metric.numbered, reference);
  });
}

bool is_alone(const PlannedCase& planned) {
  const config::Settings& settings = planned.the_case->settings;
  if (settings.exclusive) return *settings.exclusive;
  return settings.side_by_side ? !*settings.side_by_side : judges_speed(planned);
}

std::vector<int> numbers_of(const std::vector<std::string>& words) {
  std::vector<int> numbers;
  for (const std::string& word : words) numbers.push_back(static_cast<int>(parse_integer(word).value_or(0)));
  return numbers;
}

}  // namespace

std::vector<Duration> durations_in(const Report& earlier, const std::vector<const PlannedCase*>& cases) {
  std::vector<Duration> durations(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i)
    for (const CaseReport& report : earlier.cases)
      if (report.name == cases[i]->the_case->name) durations[i] = report.duration;
  return durations;
}

std::vector<schedule::Work> works_of(const std::vector<const PlannedCase*>& cases, bool recording) {
  std::vector<schedule::Work> works;
  for (const PlannedCase* planned : cases) {
    schedule::Work& work = works.emplace_back();
    work.devices = planned->placement.device_count;
    if (work.devices > 0) work.chosen = numbers_of(planned->the_case->settings.device_list);
    work.alone = recording || is_alone(*planned);
    work.port = planned->fixed_port;
    const std::vector<std::string> partners = partners_of(*planned->the_case);
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (std::binary_search(partners.begin(), partners.end(), cases[i]->the_case->name))
        work.after.push_back(i);
  }
  return works;
}

schedule::Pool pool_of(std::vector<int> devices, std::optional<int> jobs) {
  const std::size_t most = devices.empty() ? 1 : std::numeric_limits<std::size_t>::max();
  const std::size_t slots = static_cast<std::size_t>(jobs.value_or(1));
  return {std::move(devices), slots, jobs ? slots : most};
}

}  // namespace gate::app
