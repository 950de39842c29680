#include "runner/course/candidate.h"

#include "gate/base/fs.h"
#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/config/flagperf.h"
#include "gate/config/phases.h"
#include "gate/config/script_flags.h"
#include "gate/config/settings.h"
#include "gate/judging/read_logs.h"
#include "gate/judging/run_clocks.h"
#include "gate/schema/baseline_file.h"
#include "gate/suite/suite_masker.h"

namespace gate::app {

namespace {

// What was seen; what was not, as the host tells of it. In a container it does not know the toolkit.
Fingerprint fingerprint_of(const Fingerprint& seen, const launch::HostFacts& host,
                           const Container& container) {
  Fingerprint all = seen;
  const auto fill = [](std::string& fact, const std::string& of_host) {
    if (fact.empty()) fact = of_host;
  };
  fill(all.driver, host.driver);
  fill(all.firmware, host.firmware);
  fill(all.kernel, host.kernel);
  if (!container.is_used()) fill(all.toolkit, host.toolkit);
  all.image = container.image;
  return all;
}

// What the script's text, its words and the variables that it is started with set: those of the case and of
// the phase and, where it runs beside gate, gate's own.
std::map<std::string, std::string> script_switches(const PlannedCase& planned, bool is_beside) {
  const config::Case& spec = *planned.spec;
  const config::CasePhase& phase = config::phase_at(spec.settings, planned.phase);
  std::map<std::string, std::string> env = phase.env;
  env.insert(spec.settings.env.begin(), spec.settings.env.end());
  if (is_beside) env.merge(own_variables());
  std::string environ;
  for (const auto& [name, value] : env) environ += name + "=" + value + '\0';
  std::map<std::string, std::string> all;
  const std::string program = spec.kind == config::CaseKind::script ? "" : "train ";  // of a file's words
  if (spec.training_text != nullptr)
    all = config::read_script_switches(program + *spec.training_text + " " + join(phase.args, " "));
  all.merge(switches_in(environ, ""));
  return all;
}

// What FlagPerf's own files ask of the training, by their names: no script holds it.
std::map<std::string, std::string> flagperf_files(const Suite& suite, const PlannedCase& planned) {
  constexpr std::size_t enough = 12, longest = 1 << 20;
  const config::Case& spec = *planned.spec;
  const std::string* hardware = config::flagperf_hardware_of(spec.settings);
  const std::vector<std::string_view> words = split_words(spec.launch);
  const auto vendor = std::ranges::find(words, "--vendor");
  std::map<std::string, std::string> all;
  if (hardware == nullptr || vendor == words.end() || vendor + 1 == words.end()) return all;
  const fs::Path benchmark = fs::Path(spec.script).parent_path();
  const config::FlagPerfCase of{.key = "",
                                .model = benchmark.parent_path().filename().string(),
                                .framework = benchmark.filename().string(),
                                .version = "",
                                .hardware = *hardware,
                                .nodes = planned.placement.shape.nodes,
                                .devices = planned.placement.shape.devices,
                                .data_dir = "",
                                .at = {}};
  const config::FlagPerfPaths paths = config::flagperf_paths(of, std::string(vendor[1]));
  for (const std::string& path : {paths.base, paths.mutable_params, paths.vendor_config, paths.environment})
    if (const auto text = fs::read_regular(suite.root / "training" / path, longest))
      all[fs::name_of(path)] = fs::sha256(*text).substr(0, enough);
  return all;
}

void mask_fingerprint(Provenance& seen, const Masker& masker) {
  seen.image = masker.mask(seen.image);
  for (auto& [name, value] : seen.script_switches) value = masker.mask(value);
  if (!seen.switches) return;
  for (auto& [name, value] : *seen.switches) value = masker.mask(value);
}

}  // namespace

Provenance provenance_of(const LaunchContext& context, const PlannedCase& planned,
                         const LaunchResult& launched) {
  const launch::HostFacts& host = launched.facts;
  Provenance provenance;
  static_cast<Fingerprint&>(provenance) =
      fingerprint_of(launched.fingerprint, host, planned.spec->settings.container);
  const bool is_beside = launched.hosts.empty() && !planned.spec->settings.container.is_used();
  provenance.script_switches = script_switches(planned, is_beside);
  mask_fingerprint(provenance, context.masker);
  provenance.gate_version = GATE_VERSION;
  provenance.date = to_iso(context.environment.now());
  provenance.host = launched.hosts.empty() ? host.name : join(launched.hosts, ", ");
  provenance.device = planned.placement.platform;
  provenance.device_count = planned.placement.shape.all_devices();
  provenance.commit = context.commit;
  provenance.script_sha256 = planned.script_sha256;
  provenance.run = context.folder.id();
  provenance.args = planned.args;
  provenance.set = context.options.set;
  std::erase_if(provenance.set, config::is_limit);
  if (!context.suite.is_told(planned.spec->name))
    std::erase_if(provenance.set, [](const std::string& word) { return !word.starts_with("param."); });
  provenance.setup = launched.extraction.provenance.setup;
  provenance.setup.merge(flagperf_files(context.suite, planned));
  provenance.ended_well = launched.has_ended_well();
  mask(provenance.args, context.masker);
  mask(provenance.set, context.masker);
  return provenance;
}

Baseline candidate_of(const PlannedCase& planned, const LaunchResult& launched) {
  Baseline candidate = make_candidate(*planned.spec, planned.placement.platform, launched.extraction,
                                      launched.extraction.provenance);
  candidate.environment = planned.against.environment;
  return candidate;
}

Status keep_series(const Baseline& candidate, LaunchRecord& record, const std::string& log) {
  const auto beside = record.artifacts.find(log);
  if (beside == record.artifacts.end()) return {};
  const fs::Path path = fs::Path(beside->second).parent_path() / "series.json";
  GATE_TRY_STATUS(fs::write_file(path, schema::write_baseline(candidate)));
  record.artifacts["series" + log.substr(3)] = path.string();
  return {};
}

void add_kept_clocks(Extraction& run, const std::string& file, const MetricTable& metrics) {
  const Result<std::string> text = fs::read_file(file);
  const Result<Baseline> kept = text ? schema::read_baseline(*text, file) : tl::unexpected(text.error());
  if (!kept) return;
  add_recorded_clocks(run, *kept, metrics);
  run.provenance = kept->provenance;
}

}  // namespace gate::app
