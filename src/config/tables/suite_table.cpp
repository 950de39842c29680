#include "config/tables/suite_table.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "config/toml/values.h"
#include "config/toml/vocabulary.h"
#include "gate/base/text.h"
#include "gate/config/names.h"

namespace gate::config {

namespace {

template <auto member, auto read>
Status put_suite(SuiteValues& suite, const RawValue& word) {
  GATE_TRY(auto value, read(word));
  suite.*member = std::move(value);
  return {};
}

bool leaves_suite(std::string_view path) {
  if (path.starts_with('/')) return true;
  for (const std::string_view part : split(path, '/'))
    if (part == "..") return true;
  return false;
}

Result<std::string> cases_glob(const RawValue& word) {
  Result<std::string> glob = read_filled_text(word);
  if (glob && leaves_suite(*glob))
    return fail("the cases lie below the suite's folder; write a path without ..");
  return glob;
}

Result<std::string> read_template(const RawValue& word,
                                  const std::map<std::string, std::string>& placeholders,
                                  std::string_view demanded) {
  Result<std::string> text = read_filled_text(word);
  if (!text) return text;
  GATE_TRY_STATUS(expand(*text, placeholders));
  if (text->find(demanded) == std::string::npos) return fail(shown(word) + " lacks " + std::string(demanded));
  return text;
}

Result<std::string> baselines_template(const RawValue& word) {
  return read_template(word, {{"case", ""}, {"platform", ""}}, "{case}");
}

Result<std::string> launch_template(const RawValue& word) {
  return read_template(word, {{"script", ""}, {"case", ""}}, "{script}");
}

Result<std::string> cwd_template(const RawValue& word) {
  return read_template(word, {{"git_root", ""}, {"suite", ""}}, "");
}

Result<int> runs(const RawValue& word) { return read_count(word, 0); }

// A slip here would leave a secret in the log without a word, so `$TOKEN` and `TOKEN=...` are mistakes.
bool is_variable_glob(std::string_view text) {
  constexpr std::string_view allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_*?[]!-";
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

Result<std::vector<std::string>> secret_variables(const RawValue& word) {
  Result<std::vector<std::string>> globs = read_list(word);
  if (globs && !std::all_of(globs->begin(), globs->end(), is_variable_glob))
    return fail("secrets are names or globs of variables such as [\"MY_VAR\", \"CORP_*\"], not their values");
  return globs;
}

struct SuiteSlot {
  SettingRow row;
  Status (*set)(SuiteValues&, const RawValue&);
};

using V = SuiteValues;
constexpr auto suite_slots = std::to_array<SuiteSlot>({
    {{"name", "text", "", "suite", "name of the suite in reports; else its folder's"},
     put_suite<&V::name, read_text>},
    {{"cases", "glob", "scripts/**.sh", "suite", "which files are cases"}, put_suite<&V::cases, cases_glob>},
    {{"baselines", "path", "baselines/{case}.json", "suite",
      "where baselines lie; {case}, and {platform} where it is part of the path"},
     put_suite<&V::baselines, baselines_template>},
    {{"launch", "text", "bash {script}", "suite", "how a script is started; {script} and {case}"},
     put_suite<&V::launch, launch_template>},
    {{"cwd", "path", "{git_root}", "suite", "where it is started; {git_root} and {suite}"},
     put_suite<&V::cwd, cwd_template>},
    {{"platform", "text", "", "suite", "the platform that runs are expected on"},
     put_suite<&V::platform, read_text>},
    {{"history", "path", "", "suite", "where the trend over runs is kept"},
     put_suite<&V::history, read_text>},
    {{"keep_runs", "count", "50", "suite", "run folders that are kept; 0 keeps all"},
     put_suite<&V::keep_runs, runs>},
    {{"shared", "bool", "false", "suite", ".gate is for all whom the umask lets in, not for its user alone"},
     put_suite<&V::shared, read_bool>},
    {{"secrets", "list of globs", "", "suite",
      "variables whose values are masked, beside those that look secret"},
     put_suite<&V::secrets, secret_variables>},
});

constexpr auto suite_rows = rows_of(suite_slots);

}  // namespace

std::span<const SettingRow> suite_keys() { return suite_rows; }

Status set_suite_key(SuiteValues& suite, std::string_view key, const RawValue& word) {
  return find_slot(suite_slots, key)->set(suite, word);
}

SuiteValues built_in_suite() {
  SuiteValues suite;
  for (const SuiteSlot& slot : suite_slots) {
    if (slot.row.built_in.empty()) continue;
    [[maybe_unused]] const Status done =
        slot.set(suite, untyped(std::string(slot.row.built_in), {}, "built-in"));
    assert(done);
  }
  return suite;
}

}  // namespace gate::config
