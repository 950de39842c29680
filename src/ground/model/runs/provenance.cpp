#include "gate/model/runs/provenance.h"

#include <algorithm>
#include <array>
#include <iterator>

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

// Facts whose names are words; the others are called as they call themselves.
constexpr std::array fact_words{
    TableText{"commit", "提交"}, TableText{"image", "镜像"},     TableText{"host", "主机"},
    TableText{"driver", "驱动"}, TableText{"firmware", "固件"},  TableText{"device", "设备"},
    TableText{"kernel", "内核"}, TableText{"devices", "设备数"},
};

constexpr std::string_view none = "none", arrow = " -> ";

const Sentence script_changed{"the script changed", "脚本有改动"};

Sentence fact_name(const std::string& name) {
  const auto* row = std::ranges::find(fact_words, name, &TableText::english);
  return row == fact_words.end() ? as_is(name) : row->said();
}

Sentence fact_value(const std::string& value) { return value == none ? say({"none", "无"}) : as_is(value); }

FactChange from_to(std::string_view name, const std::string& from, const std::string& to) {
  return {std::string(name), printable(short_commit(from), 60), printable(short_commit(to), 60)};
}

void add_fact(std::vector<FactChange>& all, std::string_view name, const std::string& from,
              const std::string& to) {
  if (!from.empty() && !to.empty() && from != to) all.push_back(from_to(name, from, to));
}

void add_words(std::vector<FactChange>& all, std::string_view name, const std::vector<std::string>& from,
               const std::vector<std::string>& to) {
  const auto joined_or_none = [](const auto& words) {
    return words.empty() ? std::string(none) : join(words, " ");
  };
  if (from != to) all.push_back(from_to(name, joined_or_none(from), joined_or_none(to)));
}

void add_packages(std::vector<FactChange>& all, const Provenance& baseline, const Provenance& run) {
  for (const std::string_view name : fingerprint_packages()) {
    const auto from = baseline.packages.find(std::string(name)), to = run.packages.find(std::string(name));
    if (from != baseline.packages.end() && to != run.packages.end())
      add_fact(all, name, from->second, to->second);
  }
}

}  // namespace

std::vector<FactChange> setup_differences(const Provenance& baseline, const Provenance& run) {
  return environment_changes(baseline.setup, run.setup);
}

std::vector<FactChange> differences(const Provenance& baseline, const Provenance& run) {
  std::vector<FactChange> all = setup_differences(baseline, run);
  if (baseline.host.empty() || run.host.empty()) return all;
  const bool scripts = !baseline.script_sha256.empty() && !run.script_sha256.empty();
  if (scripts && baseline.script_sha256 != run.script_sha256)
    all.push_back({std::string(script_fact), "", ""});
  add_words(all, args_fact, baseline.args, run.args);
  add_words(all, set_fact, baseline.set, run.set);
  if (baseline.device_count != run.device_count && baseline.device_count > 0)
    all.push_back(
        from_to("devices", std::to_string(baseline.device_count), std::to_string(run.device_count)));
  add_packages(all, baseline, run);
  for (const FactChange& change : changed_switches(known_switches(baseline), known_switches(run)))
    all.push_back(from_to(change.name, change.from, change.to));
  for (const FactRow& row : fact_rows) add_fact(all, row.name, baseline.*row.fact, run.*row.fact);
  return all;
}

Sentence text(const FactChange& change) {
  if (change.name == script_fact) return script_changed;
  const Sentence name = fact_name(change.name);
  if (change.from.empty() && change.to.empty()) return name;
  return name + as_is(" ") + fact_value(change.from) + as_is(std::string(arrow)) + fact_value(change.to);
}

std::string to_string(const FactChange& change) { return text(change).english(); }

FactChange parse_fact_change(std::string_view words) {
  if (words == script_changed.english()) return {std::string(script_fact), "", ""};
  const std::size_t blank = words.find(' '), at = words.find(arrow);
  if (at == std::string_view::npos || blank >= at) return {std::string(words), "", ""};
  return {std::string(words.substr(0, blank)), std::string(words.substr(blank + 1, at - blank - 1)),
          std::string(words.substr(at + arrow.size()))};
}

std::vector<Sentence> sentences_of(const std::vector<FactChange>& changes) {
  std::vector<Sentence> texts;
  for (const FactChange& change : changes) texts.push_back(text(change));
  return texts;
}

std::vector<std::string> to_strings(const std::vector<FactChange>& changes) {
  return texts_of(changes, [](const FactChange& change) { return to_string(change); });
}

KnownSwitches known_switches(const Provenance& provenance) {
  KnownSwitches known{provenance.switches, !provenance.python.empty()};
  if (!known.has_python && !provenance.script_switches.empty()) {
    if (!known.set) known.set.emplace();
    known.set->insert(provenance.script_switches.begin(), provenance.script_switches.end());
  }
  return known;
}

std::optional<std::int64_t> setup_count(const Provenance& provenance, const std::string& fact) {
  const auto told = provenance.setup.find(fact);
  const auto count = told == provenance.setup.end() ? std::nullopt : parse_integer(told->second);
  return count && *count > 0 ? count : std::nullopt;
}

std::optional<DeterminismTold> determinism_of(const Provenance& provenance) {
  const KnownSwitches known = known_switches(provenance);
  return known.set ? std::optional(determinism_of(known.set)) : std::nullopt;
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
    facts["switches"] = set.empty() ? std::string(none) : join(set, " ");
  }
  std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
  return facts;
}

std::vector<FactChange> environment_changes(const EnvironmentFacts& from, const EnvironmentFacts& to) {
  std::vector<FactChange> all;
  for (const auto& [name, value] : from)
    if (const auto now = to.find(name); now != to.end()) add_fact(all, name, value, now->second);
  return all;
}

}  // namespace gate
