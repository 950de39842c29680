#include "gate/app/list.h"

#include <algorithm>

#include "app/judging/case_judge.h"
#include "gate/app/derived.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

std::string needs(const config::Settings& settings) {
  std::vector<std::string> parts;
  if (!settings.devices) parts.emplace_back("whole host");
  if (settings.devices == -1) parts.emplace_back("all devices");
  if (settings.devices == 0) parts.emplace_back("cpu");
  if (settings.devices && *settings.devices > 0) parts.push_back(count_of(*settings.devices, "device"));
  if (settings.nodes > 1) parts.push_back(count_of(settings.nodes, "node"));
  for (const std::string& platform : settings.platform) parts.push_back(platform);
  return join(parts, ", ");
}

std::string baselines(std::vector<std::string> platforms) {
  for (std::string& platform : platforms) platform = platform_name(platform);
  return platforms.empty() ? "none" : join(platforms, ", ");
}

// A rule against a constant needs no baseline.
std::vector<std::string> at_least_general(std::vector<std::string> platforms) {
  if (platforms.empty()) platforms.emplace_back();
  return platforms;
}

void mark(CoverageRow& row, const config::Case& spec, const Reference& reference) {
  for (const Rule& rule : spec.rules) {
    const Metric& metric = spec.metrics.get(rule.metric);
    if (!gates(rule, metric.numbered, reference)) continue;
    switch (metric.kind) {
      case MetricKind::accuracy:
        row.accuracy = true;
        break;
      case MetricKind::speed:
        row.speed = true;
        break;
      case MetricKind::memory:
        row.memory = true;
        break;
      case MetricKind::other:
        break;
    }
  }
}

}  // namespace

std::vector<ListRow> list(const Suite& suite, const std::vector<const config::Case*>& cases) {
  auto platforms = store::platforms_by_case(suite.layout);
  std::vector<ListRow> rows;
  for (const config::Case* spec : cases)
    rows.push_back({spec->name, spec->script, needs(spec->settings), to_string(spec->settings.timeout),
                    join(spec->settings.tags, ","), baselines(platforms[spec->name])});
  return rows;
}

Answer<std::vector<CoverageRow>> coverage(const Suite& suite, const std::vector<const config::Case*>& cases) {
  auto platforms = store::platforms_by_case(suite.layout);
  std::vector<CoverageRow> rows;
  for (const config::Case* spec : cases) {
    CoverageRow row{spec->name, spec->script};
    for (const std::string& platform : at_least_general(platforms[spec->name])) {
      const auto files = store::read_baselines(suite.layout, spec->name, platform);
      if (!files) return usage(files.error());
      mark(row, *spec, with_derived(*spec, store::reference_of(*files), {}));
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace gate::app
