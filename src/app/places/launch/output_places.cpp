#include "gate/places/output_places.h"

#include "gate/base/log.h"
#include "gate/devices/leases.h"
#include "gate/places/node_files.h"
#include "gate/places/stage_commands.h"

namespace gate::app {

namespace {

fs::Path own_journal(const std::string& name) { return fs::Path(devices::lease_folder()) / name; }

// Golden files of all cases, and what this one needs.
std::vector<std::string> names_to_keep(const LaunchContext& context, const PlannedCase& planned,
                                       const Host& host) {
  std::vector<std::string> kept;
  const auto keep = [&](const fs::Path& path) { kept.push_back(host.path_there(path).string()); };
  for (const config::Case& spec : context.suite.cases)
    for (const auto& [name, output] : spec.settings.outputs)
      for (const fs::Path& golden : golden_files(output, stages_folder(context, spec))) keep(golden);
  for (const std::string& need : config::needs_on(planned.spec->settings, planned.placement.platform))
    keep(fs::Path(planned.spec->cwd) / need);
  keep(context.suite.root / planned.spec->script);
  return kept;
}

}  // namespace

OutputPlaces OutputPlaces::of(const LaunchContext& context, const PlannedCase& planned,
                              const LaunchFolders& folders, const NodeFiles& files, AsideBy by) {
  OutputPlaces places;
  const auto& outputs = planned.spec->settings.outputs;
  if (outputs.empty()) return places;
  Asides all;
  all.journal = journal_name(owner_of_asides() + folders.folder.string());
  const fs::Path stages = stages_folder(context, *planned.spec);
  for (const auto& [name, output] : outputs)
    for (const std::string& file : output_globs(in_stages(output.file, stages))) {
      const PlacedGlob glob = placed(file);
      all.places.push_back({files.folder_there(glob).string(), glob.below});
    }
  all.kept = names_to_keep(context, planned, files.host());
  if (by == AsideBy::agent) {
    places.of_agent_ = std::move(all);
  } else if (by == AsideBy::agent_of_job) {
    places.own_.journal = own_journal(all.journal);
    places.of_agent_ = std::move(all);
    places.of_agent_.journal = folders.folder / "outputs.aside";
    places.own_.see = places.of_agent_.journal;
  } else {
    places.own_ = std::move(all);
    places.own_.journal = own_journal(places.own_.journal);
  }
  return places;
}

Status OutputPlaces::set_aside() const {
  if (!own_.see.empty()) GATE_TRY_STATUS(gate::settle(own_.see).map([](const auto&) {}));  // of a killed gate
  if (own_.journal.empty()) return {};
  GATE_TRY_STATUS(devices::FolderLeases::open(devices::lease_folder()).map([](const auto&) {}));
  return set_outputs_aside(own_);
}

Result<std::set<std::string>> OutputPlaces::settle(const NodeFiles& files) const {
  const std::string& journal = own_.journal.empty() ? of_agent_.journal : own_.journal;
  if (journal.empty()) return std::set<std::string>();
  GATE_TRY(const std::vector<std::string> old, files.settle(journal));
  return std::set<std::string>(old.begin(), old.end());
}

void put_back_outputs(const std::string& owner) {
  for (const std::string& problem : settle_left(devices::lease_folder(), owner)) log::warn(problem);
}

}  // namespace gate::app
