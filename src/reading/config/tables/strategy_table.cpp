#include "config/tables/document_tables.h"

#include <algorithm>

#include "config/tables/key_table.h"
#include "gate/base/text.h"
#include "gate/config/settings.h"

namespace gate::config {

namespace {

Result<std::vector<std::string>> read_some(const RawValue& raw) {
  GATE_TRY(std::vector<std::string> items, read_list(raw));
  if (items.empty()) return fail("it is empty, and would choose nothing; leave the key out for all");
  return items;
}

Result<std::vector<Stage>> read_stages(const RawValue& raw) {
  GATE_TRY(const std::vector<std::string> words, read_some(raw));
  const auto known = texts_of(all_stages, [&](const Stage one) { return to_string(one); });
  std::vector<Stage> stages;
  for (const std::string& word : words) {
    const std::optional<Stage> stage = parse_stage(word);
    if (!stage) return fail(unknown("stage", word, known));
    stages.push_back(*stage);
  }
  for (const Stage always : {Stage::test, Stage::compare})
    if (std::ranges::find(stages, always) == stages.end())
      return fail("stage " + std::string(to_string(always)) +
                  " is not among them, and a case is not judged without it; add it");
  return stages;
}

constexpr std::string_view where_strategies = "strategy";
constexpr auto strategy_table = std::to_array<AssignRow<Strategy>>({
    {{"cases", "list of cases", "", where_strategies,
      "cases: names, globs or scripts, as in gate run (default: all)"},
     assign_member<&Strategy::cases, read_some>},
    {{"tags", "list", "", where_strategies, "only cases with one of these tags (default: all)"},
     assign_member<&Strategy::tags, read_some>},
    {{"outputs", "list of globs", "", where_strategies, "names of the outputs to judge (default: all)"},
     assign_member<&Strategy::outputs, read_some>},
    {{"stages", "list of stages", "", where_strategies,
      "stages to run: init, download, test, compare, report, upload; test and compare always (default: all)"},
     assign_member<&Strategy::stages, read_stages>},
});
constexpr auto strategy_rows = rows_of(strategy_table);

void check_strategy_name(const Branch& branch, Diagnostics& mistakes) {
  const bool is_name = !branch.key.empty() && std::ranges::all_of(branch.key, [](char c) {
    return is_letter_or_digit(c) || c == '_' || c == '-' || c == '.';
  });
  if (is_name && branch.key.front() != '-') return;
  mistakes.push_back({branch.at, "\"" + printable(branch.key, 80) +
                                     "\" is no name of a strategy; write letters, digits, `_`, `-` and `.`, "
                                     "and no `-` first"});
}

Strategy read_strategy(const Branch& branch, Diagnostics& mistakes) {
  Strategy strategy{branch.key, {}, {}, {}, {}, branch.at};
  check_strategy_name(branch, mistakes);
  for (const Branch& key : branch.tree.branches) {
    strategy.places[key.key] = key.tree.raw.at;
    assign_key(strategy_table, strategy_rows, key, strategy, mistakes);
  }
  return strategy;
}

}  // namespace

std::span<const SettingRow> strategy_keys() { return strategy_rows; }

std::vector<Strategy> read_strategies(const TomlTree& table, Diagnostics& mistakes) {
  std::vector<Strategy> strategies;
  for (const Branch& branch : table.branches) {
    if (branch.tree.is_table())
      strategies.push_back(read_strategy(branch, mistakes));
    else
      mistakes.push_back(
          {branch.at, "[strategy] holds tables named by strategies, such as [strategy.nightly]"});
  }
  return strategies;
}

bool Strategy::has_stage(Stage stage) const {
  return stages.empty() || std::ranges::find(stages, stage) != stages.end();
}

bool Strategy::has_output(std::string_view output) const {
  return outputs.empty() ||
         std::ranges::any_of(outputs, [&](const std::string& glob) { return glob_match(glob, output); });
}

std::string Strategy::place_of(std::string_view key) const {
  const auto place = places.find(key);
  const std::string table = ": [strategy." + name + "]";
  return place == places.end() ? to_string(at) + table
                               : to_string(place->second) + table + " " + std::string(key);
}

Result<Strategy> find_strategy(const std::vector<Strategy>& strategies, std::string_view name) {
  const auto found = std::ranges::find(strategies, name, &Strategy::name);
  if (found != strategies.end()) return *found;
  const auto names = texts_of(strategies, &Strategy::name);
  if (names.empty())
    return fail("no strategy \"" + printable(name, 80) + "\": gate.toml has no [strategy.NAME]");
  return fail("no strategy \"" + printable(name, 80) + "\"" + did_you_mean(name, names) +
              "; known: " + join(names, ", "));
}

}  // namespace gate::config
