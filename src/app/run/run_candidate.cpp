#include "app/run/run_candidate.h"

#include "app/run/differs.h"
#include "app/run/masking.h"
#include "app/series/run_clocks.h"
#include "gate/app/read_logs.h"
#include "gate/schema/baseline_file.h"

namespace gate::app {

namespace {

Provenance provenance_of(const LaunchContext& context, const PlannedCase& planned) {
  const launch::HostFacts& host = context.machine.host.facts();
  Provenance provenance;
  provenance.gate_version = GATE_VERSION;
  provenance.date = to_iso(context.machine.now());
  provenance.host = host.name;
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

}  // namespace

Baseline candidate_of(const LaunchContext& context, const PlannedCase& planned,
                      const LaunchResult& launched) {
  Provenance provenance = provenance_of(context, planned);
  provenance.ended_well = ended_well(launched.outcome);
  return make_candidate(planned.spec->name, planned.placement.platform, launched.extraction,
                        std::move(provenance));
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
  if (kept) take_clocks(run, *kept, metrics);
}

void add_differences(const LaunchContext& context, const PlannedCase& planned, CaseReport& report) {
  const Provenance& baseline = planned.against.provenance;
  if (is_failure(report.verdict) && !baseline.host.empty())
    report.differs = differences(baseline, provenance_of(context, planned));
}

}  // namespace gate::app
