#include "config/tables/document_tables.h"

#include <algorithm>
#include <array>
#include <map>

#include "config/tables/key_table.h"
#include "gate/base/text.h"

namespace gate::config {

namespace {

Status read_cases_globs(CaseGroup& group, const RawValue& raw) {
  GATE_TRY(const std::vector<std::string> globs, read_list(raw));
  std::vector<std::string> cases, left_out;
  for (std::string glob : globs) {
    const bool leaves_out = glob.starts_with('!');
    if (leaves_out) glob.erase(0, 1);
    if (glob.empty() || glob.starts_with('/') || std::ranges::count(split(glob, '/'), "..") > 0)
      return fail("the cases lie below the suite's folder; write a path without ..");
    (leaves_out ? left_out : cases).push_back(std::move(glob));
  }
  if (cases.empty()) return fail("no cases; write a glob of files, or a list of them");
  group.cases = std::move(cases);
  group.left_out = std::move(left_out);
  return {};
}

using Holes = std::span<const std::string_view>;

Status check_holes(std::string_view text, Holes holes) {
  std::map<std::string, std::string> values;
  for (const std::string_view name : holes) values[std::string(name)] = "";
  return expand(text, values).map([](const std::string&) {});
}

Result<std::string> read_template(const RawValue& raw, Holes holes) {
  GATE_TRY(std::string text, read_filled_text(raw));
  GATE_TRY_STATUS(check_holes(text, holes));
  return text;
}

constexpr auto launch_holes = std::to_array<std::string_view>(
    {"script", "folder", "case", "name", "group", "devices", "nodes", "node_rank", "args", "env.NAME"});
constexpr auto cwd_holes = std::to_array<std::string_view>({"git_root", "suite"});
constexpr auto naming_holes = std::to_array<std::string_view>({"model", "parallelism"});
constexpr auto baseline_holes = std::to_array<std::string_view>({"case", "name", "platform"});

// Holes that tell one case from another.
constexpr auto case_holes = std::to_array<std::string_view>({"script", "folder", "case", "name", "args"});

// `{env.NAME}` may stand for any variable of the script, `{args}` for several words.
Result<std::string> read_launch(const RawValue& raw) {
  GATE_TRY(std::string text, read_filled_text(raw));
  const std::vector<std::string> used = holes_of(text);
  std::vector<std::string_view> known(launch_holes.begin(), launch_holes.end());
  for (const std::string& hole : used)
    if (!variable_of_hole(hole).empty()) known.push_back(hole);
  GATE_TRY_STATUS(check_holes(text, known));
  for (const std::string_view word : split_words(text))
    if (word.find("{args}") != word.npos && word != "{args}")
      return fail("{args} of \"" + printable(word, 80) +
                  "\" is several words; write it as a word of its own");
  if (std::ranges::find_first_of(used, case_holes) == used.end()) return fail(shown(raw) + " lacks {script}");
  return text;
}

Result<CaseKind> read_case_kind(const RawValue& raw) {
  return read_enum<CaseKind>(raw, "kind", {"script", "megatron"});
}

// Whose name is in the path: else all cases had the same file.
Result<std::vector<std::string>> read_baseline_paths(const RawValue& raw) {
  GATE_TRY(std::vector<std::string> paths, read_list(raw));
  for (const std::string& path : paths) {
    GATE_TRY_STATUS(check_holes(path, baseline_holes));
    const bool has_case = path.find("{case}") != std::string::npos;
    const bool has_name = path.find("{name}") != std::string::npos;
    if (!has_case && !has_name) return fail("\"" + printable(path, 120) + "\" lacks {case} or {name}");
    if (has_case && has_name)
      return fail("\"" + printable(path, 120) +
                  "\" has {case} and {name}; write the one that tells cases apart");
  }
  return paths;
}

// How cases are named, for lint.
Result<std::string> read_naming(const RawValue& raw) {
  GATE_TRY(std::string naming, read_template(raw, naming_holes));
  if (naming.find("{parallelism}") == std::string::npos) return fail(shown(raw) + " lacks {parallelism}");
  if (is_glob(naming) || naming.find('/') != std::string::npos)
    return fail(shown(raw) +
                " is about a name without its folders; write letters, digits, - _ . and the holes");
  return naming;
}

// A slip here would leave a secret in the log without a word, so `$TOKEN` and `TOKEN=...` are mistakes.
Result<std::vector<std::string>> read_secrets(const RawValue& raw) {
  Result<std::vector<std::string>> globs = read_list(raw);
  const auto may_stand_in_glob = [](char c) {
    return is_letter_or_digit(c) || std::string_view("_*?[]!-").find(c) != std::string_view::npos;
  };
  if (globs && !std::ranges::all_of(join(*globs, ""), may_stand_in_glob))
    return fail("secrets are names or globs of variables such as [\"MY_VAR\", \"CORP_*\"], not their values");
  return globs;
}

using G = CaseGroup;
constexpr auto group_table = std::to_array<AssignRow<CaseGroup>>({
    {{"cases", "list of globs", "scripts/**.sh", "suite, group",
      "globs of the case files; one that ends in a file name, e.g. */config.yaml, finds folders; one that "
      "starts with ! excludes files"},
     read_cases_globs},
    {{"baselines", "list of paths", "baselines/{case}.json", "suite, group",
      "baseline files, one pattern or one per glob; {case}: name in the group, {name}: its last part, "
      "{platform}"},
     assign_member<&G::baselines, read_baseline_paths>},
    {{"launch", "text", "bash {script}", "suite, group",
      "command that starts a script; {script} {folder} {case} {name} {group} {devices} {nodes} {node_rank}; "
      "{env.NAME}: a variable of the script; {args}: arguments of a case that is not a script"},
     assign_member<&G::launch, read_launch>},
    {{"cwd", "path", "{git_root}", "suite, group", "working directory; {git_root} and {suite}"},
     [](G& g, const RawValue& raw) { return assign(g.cwd, read_template(raw, cwd_holes)); }},
    {{"kind", "script or megatron", "script", "suite, group",
      "type of the case files; megatron: model_config.yaml of Megatron-LM's functional tests"},
     assign_member<&G::kind, read_case_kind>},
    {{"naming", "text", "", "suite, group",
      "pattern of case names, e.g. {model}_{parallelism}; lint compares their parts with the script's flags "
      "(default of a group: that of [suite])"},
     assign_member<&G::naming, read_naming>},
});

constexpr auto group_rows = rows_of(group_table);

template <std::size_t i>
constexpr AssignRow<SuiteValues> row_of_group() {
  return {group_table[i].row,
          [](SuiteValues& v, const RawValue& raw) { return group_table[i].assign(v.group, raw); }};
}

using V = SuiteValues;
constexpr auto suite_table = std::to_array<AssignRow<SuiteValues>>({
    {{"name", "text", "", "suite", "name of the suite in reports (default: its folder's)"},
     assign_member<&V::name, read_text>},
    row_of_group<0>(),
    row_of_group<1>(),
    row_of_group<2>(),
    row_of_group<3>(),
    row_of_group<4>(),
    row_of_group<5>(),
    {{"platform", "text", "", "suite", "expected platform of the runs"},
     assign_member<&V::platform, read_text>},
    {{"environment", "text", "", "suite",
      "software environment of runs, e.g. dev or lts; selects the baselines, with the platform"},
     assign_member<&V::environment, read_text>},
    {{"history", "path", "", "suite", "file with the history of runs"},
     assign_member<&V::history, read_text>},
    {{"keep_runs", "count", "50", "suite", "run folders to keep; 0: all"},
     assign_member<&V::keep_runs, read_count_from<0>>},
    {{"shared", "bool", "false", "suite", "share .gate with other users, as the umask allows"},
     assign_member<&V::shared, read_bool>},
    {{"secrets", "list of globs", "", "suite", "variables to mask, besides those that look secret"},
     assign_member<&V::secrets, read_secrets>},
});

constexpr auto suite_rows = rows_of(suite_table);

}  // namespace

std::span<const SettingRow> suite_keys() { return suite_rows; }

std::span<const SettingRow> group_keys() { return group_rows; }

Status assign_group_key(CaseGroup& group, std::string_view key, const RawValue& raw) {
  return row_of(group_table, key).assign(group, raw);
}

Status assign_suite_key(SuiteValues& suite, std::string_view key, const RawValue& raw) {
  suite.says_cases |= key == "cases";
  return row_of(suite_table, key).assign(suite, raw);
}

SuiteValues built_in_suite() { return built_in_of<SuiteValues>(suite_table); }

}  // namespace gate::config
