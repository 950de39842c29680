#include "app/run/run_candidate.h"

#include <array>

#include "app/series/run_clocks.h"
#include "gate/app/read_logs.h"
#include "gate/app/secrets.h"
#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"

namespace gate::app {

namespace {

// Of the first of these hosts, by their names behind ssh; none: of the one that gate runs on.
const launch::HostFacts& facts_of(const Environment& environment, const std::vector<std::string>& names) {
  const Hosts& hosts = *environment.hosts;
  for (int number = 1; number < hosts.count() && !names.empty(); ++number)
    if (hosts.name(number) == names.front()) return hosts.at(number).facts();
  return environment.host.facts();
}

// `hosts` are those on which it ran, as LaunchResult has them.
Provenance provenance_of(const LaunchContext& context, const PlannedCase& planned,
                         const std::vector<std::string>& hosts) {
  const launch::HostFacts& host = facts_of(context.environment, hosts);
  Provenance provenance;
  provenance.gate_version = GATE_VERSION;
  provenance.date = to_iso(context.environment.now());
  provenance.host = hosts.empty() ? host.name : join(hosts, ", ");
  provenance.device = planned.placement.platform;
  provenance.device_count = planned.placement.shape.all_devices();
  provenance.driver = host.driver;
  provenance.toolkit = host.toolkit;
  provenance.commit = context.commit;
  provenance.script_sha256 = planned.script_sha256;
  provenance.run = context.folder.id();
  provenance.args = context.options.args;
  provenance.set = context.options.set;
  mask(provenance.args, context.masker);
  mask(provenance.set, context.masker);
  return provenance;
}

struct FactRow {
  std::string_view name;
  std::string Provenance::*fact;
};

// What is likeliest to move numbers comes first.
constexpr std::array<FactRow, 6> fact_rows{{{"toolkit", &Provenance::toolkit},
                                            {"driver", &Provenance::driver},
                                            {"device", &Provenance::device},
                                            {"host", &Provenance::host},
                                            {"commit", &Provenance::commit},
                                            {"gate", &Provenance::gate_version}}};

std::string from_to(std::string_view name, const std::string& from, const std::string& to) {
  return std::string(name) + " " + printable(short_commit(from), 60) + " -> " +
         printable(short_commit(to), 60);
}

std::string joined_or_none(const std::vector<std::string>& words) {
  return words.empty() ? "none" : join(words, " ");
}

}  // namespace

Baseline candidate_of(const LaunchContext& context, const PlannedCase& planned,
                      const LaunchResult& launched) {
  Provenance provenance = provenance_of(context, planned, launched.hosts);
  provenance.ended_well = ended_well(launched.outcome);
  Baseline candidate = make_candidate(planned.spec->name, planned.placement.platform, launched.extraction,
                                      std::move(provenance));
  candidate.environment = planned.against.environment;
  return candidate;
}

Status keep_series(const Baseline& candidate, LaunchResult& launched) {
  const auto log = launched.artifacts.find("log");
  if (log == launched.artifacts.end() || launched.extraction.series.empty()) return {};
  const fs::Path path = fs::Path(log->second).parent_path() / "series.json";
  GATE_TRY_STATUS(fs::write_file(path, schema::write_baseline(candidate)));
  launched.artifacts["series"] = path.string();
  return {};
}

void add_kept_clocks(Extraction& run, const std::string& file, const MetricTable& metrics) {
  const Result<std::string> text = fs::read_file(file);
  const Result<Baseline> kept = text ? schema::read_baseline(*text, file) : tl::unexpected(text.error());
  if (kept) add_recorded_clocks(run, *kept, metrics);
}

std::vector<std::string> differences(const Provenance& baseline, const Provenance& run) {
  std::vector<std::string> all;
  const bool scripts = !baseline.script_sha256.empty() && !run.script_sha256.empty();
  if (scripts && baseline.script_sha256 != run.script_sha256) all.emplace_back("the script changed");
  if (baseline.args != run.args)
    all.push_back(from_to("ARGS", joined_or_none(baseline.args), joined_or_none(run.args)));
  if (baseline.set != run.set)
    all.push_back(from_to("--set", joined_or_none(baseline.set), joined_or_none(run.set)));
  if (baseline.device_count != run.device_count && baseline.device_count > 0)
    all.push_back(
        from_to("devices", std::to_string(baseline.device_count), std::to_string(run.device_count)));
  for (const FactRow& row : fact_rows) {
    const std::string &from = baseline.*row.fact, &to = run.*row.fact;
    if (!from.empty() && !to.empty() && from != to) all.push_back(from_to(row.name, from, to));
  }
  return all;
}

void add_differences(const LaunchContext& context, const PlannedCase& planned, CaseReport& report) {
  const Provenance& baseline = planned.against.provenance;
  if (is_failure(report.verdict) && !baseline.host.empty())
    report.differs = differences(baseline, provenance_of(context, planned, report.hosts));
}

}  // namespace gate::app
