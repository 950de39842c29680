#include "gate/model/runs/provenance.h"

#include <array>

#include "gate/base/text.h"

namespace gate {

namespace {

struct FactRow {
  std::string_view name;
  std::string Provenance::*fact;
};

constexpr std::array<FactRow, 10> fact_rows{{{"toolkit", &Provenance::toolkit},
                                             {"driver", &Provenance::driver},
                                             {"firmware", &Provenance::firmware},
                                             {"device", &Provenance::device},
                                             {"Python", &Provenance::python},
                                             {"image", &Provenance::image},
                                             {"kernel", &Provenance::kernel},
                                             {"host", &Provenance::host},
                                             {"commit", &Provenance::commit},
                                             {"gate", &Provenance::gate_version}}};

std::string from_to(std::string_view name, const std::string& from, const std::string& to) {
  return std::string(name) + " " + printable(short_commit(from), 60) + " -> " +
         printable(short_commit(to), 60);
}

void add_fact(std::vector<std::string>& all, std::string_view name, const std::string& from,
              const std::string& to) {
  if (!from.empty() && !to.empty() && from != to) all.push_back(from_to(name, from, to));
}

void add_words(std::vector<std::string>& all, std::string_view name, const std::vector<std::string>& from,
               const std::vector<std::string>& to) {
  const auto joined_or_none = [](const auto& words) { return words.empty() ? "none" : join(words, " "); };
  if (from != to) all.push_back(from_to(name, joined_or_none(from), joined_or_none(to)));
}

void add_packages(std::vector<std::string>& all, const Provenance& baseline, const Provenance& run) {
  for (const std::string_view name : fingerprint_packages()) {
    const auto from = baseline.packages.find(std::string(name)), to = run.packages.find(std::string(name));
    if (from != baseline.packages.end() && to != run.packages.end())
      add_fact(all, name, from->second, to->second);
  }
}

}  // namespace

std::vector<std::string> setup_differences(const Provenance& baseline, const Provenance& run) {
  return environment_changes(baseline.setup, run.setup);
}

std::vector<std::string> differences(const Provenance& baseline, const Provenance& run) {
  std::vector<std::string> all = setup_differences(baseline, run);
  if (baseline.host.empty() || run.host.empty()) return all;
  const bool scripts = !baseline.script_sha256.empty() && !run.script_sha256.empty();
  if (scripts && baseline.script_sha256 != run.script_sha256) all.emplace_back(script_changed);
  add_words(all, "ARGS", baseline.args, run.args);
  add_words(all, "--set", baseline.set, run.set);
  if (baseline.device_count != run.device_count && baseline.device_count > 0)
    all.push_back(
        from_to("devices", std::to_string(baseline.device_count), std::to_string(run.device_count)));
  add_packages(all, baseline, run);
  for (const SwitchChange& change : changed_switches(baseline.switches, run.switches))
    all.push_back(from_to(change.name, change.from, change.to));
  for (const FactRow& row : fact_rows) add_fact(all, row.name, baseline.*row.fact, run.*row.fact);
  return all;
}

std::optional<DeterminismTold> determinism_of(const Provenance& provenance) {
  Switches all = provenance.switches;
  if (provenance.python.empty() && !provenance.script_switches.empty()) {
    if (!all) all.emplace();
    all->insert(provenance.script_switches.begin(), provenance.script_switches.end());
  }
  return all ? std::optional(determinism_of(all)) : std::nullopt;
}

EnvironmentFacts environment_facts(const Provenance& provenance) {
  EnvironmentFacts facts = provenance.packages;
  for (const FactRow& row : fact_rows)
    if (row.fact != &Provenance::host && row.fact != &Provenance::commit)
      facts[std::string(row.name)] = provenance.*row.fact;
  if (provenance.device_count > 0) facts["devices"] = std::to_string(provenance.device_count);
  // Of a short script without Python it is chance whether its processes were seen.
  if (provenance.switches && (!provenance.python.empty() || !provenance.switches->empty())) {
    std::vector<std::string> set;
    for (const auto& [name, value] : *provenance.switches) set.push_back(name + "=" + value);
    facts["switches"] = set.empty() ? "none" : join(set, " ");
  }
  std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
  return facts;
}

std::vector<std::string> environment_changes(const EnvironmentFacts& from, const EnvironmentFacts& to) {
  std::vector<std::string> all;
  for (const auto& [name, value] : from)
    if (const auto now = to.find(name); now != to.end()) add_fact(all, name, value, now->second);
  return all;
}

}  // namespace gate
