#include "config/tables/suite_table.h"

#include <algorithm>
#include <array>
#include <map>

#include "config/tables/key_table.h"
#include "gate/base/text.h"
#include "gate/config/names.h"

namespace gate::config {

namespace {

Result<std::string> read_cases_glob(const RawValue& raw) {
  Result<std::string> glob = read_filled_text(raw);
  if (glob && (glob->starts_with('/') || std::ranges::count(split(*glob, '/'), "..") > 0))
    return fail("the cases lie below the suite's folder; write a path without ..");
  return glob;
}

Result<std::string> read_template(const RawValue& raw, std::initializer_list<const char*> placeholders,
                                  std::string_view demanded) {
  Result<std::string> text = read_filled_text(raw);
  if (!text) return text;
  std::map<std::string, std::string> values;
  for (const char* name : placeholders) values[name] = "";
  GATE_TRY_STATUS(expand(*text, values));
  if (text->find(demanded) == std::string::npos) return fail(shown(raw) + " lacks " + std::string(demanded));
  return text;
}

// How cases are named, for lint.
Result<std::string> read_naming(const RawValue& raw) {
  GATE_TRY(std::string naming, read_template(raw, {"model", "parallelism"}, "{parallelism}"));
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

using V = SuiteValues;
constexpr auto suite_table = std::to_array<AssignRow<SuiteValues>>({
    {{"name", "text", "", "suite", "name of the suite in reports; else its folder's"},
     assign_member<&V::name, read_text>},
    {{"cases", "glob", "scripts/**.sh", "suite", "which files are cases"},
     assign_member<&V::cases, read_cases_glob>},
    {{"baselines", "path", "baselines/{case}.json", "suite",
      "where baselines lie; {case}, and {platform} where it is part of the path"},
     [](V& v, const RawValue& raw) {
       return assign(v.baselines, read_template(raw, {"case", "platform"}, "{case}"));
     }},
    {{"launch", "text", "bash {script}", "suite", "how a script is started; {script} and {case}"},
     [](V& v, const RawValue& raw) {
       return assign(v.launch, read_template(raw, {"script", "case"}, "{script}"));
     }},
    {{"cwd", "path", "{git_root}", "suite", "where it is started; {git_root} and {suite}"},
     [](V& v, const RawValue& raw) {
       return assign(v.cwd, read_template(raw, {"git_root", "suite"}, ""));
     }},
    {{"platform", "text", "", "suite", "the platform that runs are expected on"},
     assign_member<&V::platform, read_text>},
    {{"environment", "text", "", "suite",
      "the software that runs are of, as dev or lts: which baselines they have, beside the platform"},
     assign_member<&V::environment, read_text>},
    {{"naming", "text", "", "suite",
      "how cases are named, for lint, as {model}_{parallelism}; their words are compared with the script's "
      "flags"},
     [](V& v, const RawValue& raw) { return assign(v.naming, read_naming(raw)); }},
    {{"history", "path", "", "suite", "where the trend over runs is kept"},
     assign_member<&V::history, read_text>},
    {{"keep_runs", "count", "50", "suite", "run folders that are kept; 0 keeps all"},
     assign_member<&V::keep_runs, read_count_from<0>>},
    {{"shared", "bool", "false", "suite", ".gate is for all whom the umask lets in, not for its user alone"},
     assign_member<&V::shared, read_bool>},
    {{"secrets", "list of globs", "", "suite",
      "variables whose values are masked, beside those that look secret"},
     assign_member<&V::secrets, read_secrets>},
});

constexpr auto suite_rows = rows_of(suite_table);

}  // namespace

std::span<const SettingRow> suite_keys() { return suite_rows; }

Status assign_suite_key(SuiteValues& suite, std::string_view key, const RawValue& raw) {
  return row_of(suite_table, key).assign(suite, raw);
}

SuiteValues built_in_suite() { return built_in_of<SuiteValues>(suite_table); }

}  // namespace gate::config
