#include "config/tables/part_tables.h"

#include <algorithm>
#include <set>

#include "config/tables/key_table.h"
#include "config/tables/setting_table.h"
#include "gate/base/text.h"
#include "gate/model/rules/grammar.h"

namespace gate::config {

namespace {

Result<std::optional<Window>> read_window(const RawValue& raw) {
  GATE_TRY(const std::string text, read_text(raw));
  return parse_window(text).map([](const Window& window) { return std::optional(window); });
}

Result<std::optional<CasePhase::Tolerance>> read_phase_tolerance(const RawValue& raw) {
  return read_enum<CasePhase::Tolerance>(raw, "tolerance of a phase", {"exact", "rules"})
      .map([](CasePhase::Tolerance tolerance) { return std::optional(tolerance); });
}

Result<std::optional<int>> read_step(const RawValue& raw) {
  return read_count(raw, 1).map([](int step) { return std::optional(step); });
}

constexpr std::string_view places = "defaults, #GATE, case";
constexpr auto phase_table = std::to_array<AssignRow<CasePhase>>({
    {{"args", "words", "", places, "script arguments, after all others"},
     assign_member<&CasePhase::args, read_words>},
    {{"env", "table", "", places, "variables of the phase; override the case's"},
     [](CasePhase&, const RawValue& raw) -> Status {
       return fail(shown(raw) + " is no table of variables such as { NAME = \"value\" }");
     }},
    {{"against", "phase or baseline", "the first phase", places,
      "judge against an earlier phase or, as for the first phase, the baseline"},
     assign_member<&CasePhase::against, read_filled_text>},
    {{"window", "window", "", places, "steps to judge, instead of the rules' windows"},
     assign_member<&CasePhase::window, read_window>},
    {{"tolerance", "exact or rules", "exact", places,
      "exact: accuracy metrics must equal the other phase's; rules: the case's rules judge (always so "
      "against the baseline)"},
     assign_member<&CasePhase::tolerance, read_phase_tolerance>},
    {{"from_step", "count from 1", "the newest", places,
      "step of the checkpoint to resume from; gate writes it to latest_checkpointed_iteration.txt"},
     assign_member<&CasePhase::from, read_step>},
});
constexpr auto phase_rows = rows_of(phase_table);

bool is_phase_name(std::string_view name) {
  return !name.empty() && name != against_baseline &&
         std::ranges::all_of(name, [](char c) { return is_letter_or_digit(c) || c == '_' || c == '-'; });
}

}  // namespace

std::span<const SettingRow> phase_keys() { return phase_rows; }

Result<std::vector<std::string>> read_phases(const RawValue& raw) {
  GATE_TRY(std::vector<std::string> names, read_list(raw));
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (!is_phase_name(name))
      return fail("\"" + printable(name, 80) +
                  "\" is no name of a phase; write letters, digits, `_` and `-`, and not baseline");
    if (!seen.insert(name).second) return fail("phase " + name + " is there twice");
  }
  return names;
}

Status assign_phase(Settings& settings, std::string_view part, const RawValue& raw) {
  const std::size_t dot = part.find('.');
  const std::string_view name = part.substr(0, dot);
  if (!is_phase_name(name)) return fail("\"" + printable(name, 80) + "\" is no name of a phase");
  if (dot == std::string_view::npos)
    return fail(shown(raw) + " is no table of a phase such as { args = \"--load\" }");
  const std::string_view key = part.substr(dot + 1);
  CasePhase& phase = settings.phase[std::string(name)];
  if (key.starts_with("env.")) return add_variable(phase.env, key.substr(4), raw);
  if (find_row(phase_rows, key) == nullptr) return fail(unknown("key of a phase", key, keys_of(phase_rows)));
  return row_of(phase_table, key).assign(phase, raw);
}

}  // namespace gate::config
