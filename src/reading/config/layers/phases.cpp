#include "config/layers/layers.h"

#include <algorithm>

#include "config/tables/part_tables.h"
#include "gate/base/text.h"

namespace gate::config {

namespace {

constexpr std::string_view prefix = "phase.";

// The place of a phase in `phases`; its length where it is none of them.
std::ptrdiff_t index_in(const std::vector<std::string>& phases, std::string_view name) {
  return std::ranges::find(phases, name) - phases.begin();
}

void check_entry(const std::vector<std::string>& phases, const std::string& key, const TableEntry& entry,
                 Diagnostics& mistakes) {
  const std::string_view part = std::string_view(key).substr(prefix.size());
  const std::string_view name = part.substr(0, part.find('.'));
  const std::ptrdiff_t place = index_in(phases, name);
  const std::string_view said = part.substr(std::min(part.size(), name.size() + 1));
  const auto report = [&](std::string words) { mistakes.push_back({entry.raw.at, std::move(words)}); };
  if (place == std::ssize(phases))
    return report("the case has no phase " + std::string(name) +
                  (phases.empty() ? "; write phases = [\"full\", \"resume\"]"
                                  : "; its phases are " + join(phases, ", ")));
  if (place == 0 && (said == "tolerance" || said == "window" || said == "from"))
    return report("the first phase is judged as a case without phases is: it has no " + std::string(said));
  if (said != "against" || entry.raw.text == against_baseline) return;
  if (place == 0)
    report("the first phase is judged against the baseline: there is none before it");
  else if (index_in(phases, entry.raw.text) >= place)
    report("\"" + printable(entry.raw.text, 80) + "\" is no phase before " + std::string(name) +
           "; write one of these, or baseline");
}

}  // namespace

void check_phases(const Merged& merged, Diagnostics& mistakes) {
  const auto said = merged.settings.find("phases");
  const std::vector<std::string> phases =
      said == merged.settings.end() ? std::vector<std::string>{}
                                    : read_phases(said->second->raw).value_or(std::vector<std::string>{});
  for (auto entry = merged.settings.lower_bound(std::string(prefix));
       entry != merged.settings.end() && entry->first.starts_with(prefix); ++entry)
    check_entry(phases, entry->first, *entry->second, mistakes);
}

std::size_t count_starts(const Settings& settings) {
  return std::max<std::size_t>(1, settings.phases.size());
}

std::string phase_name(const Settings& settings, std::size_t phase) {
  return phase < settings.phases.size() ? settings.phases[phase] : "";
}

const CasePhase& phase_at(const Settings& settings, std::size_t phase) {
  static const CasePhase nothing_said;
  const auto said = settings.phase.find(phase_name(settings, phase));
  return said == settings.phase.end() ? nothing_said : said->second;
}

std::optional<std::size_t> phase_against(const Settings& settings, std::size_t phase) {
  const std::string& against = phase_at(settings, phase).against;
  if (phase == 0 || against == against_baseline) return std::nullopt;
  return against.empty() ? 0 : static_cast<std::size_t>(index_in(settings.phases, against));
}

bool has_checkpoints(const Settings& settings) {
  return !settings.phases.empty() || settings.fault.has_value();
}

bool keeps_checkpoints(const Settings& settings) {
  return std::ranges::find(settings.artifacts, all_checkpoints) != settings.artifacts.end();
}

}  // namespace gate::config
