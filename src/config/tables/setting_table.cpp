#include "config/tables/setting_table.h"

#include <array>
#include <cassert>

#include "config/tables/setting_types.h"
#include "config/toml/values.h"
#include "config/toml/vocabulary.h"

namespace gate::config {

namespace {

template <auto member, auto read>
Status put_setting(Settings& settings, const RawValue& word) {
  GATE_TRY(auto value, read(word));
  settings.*member = std::move(value);
  return {};
}

template <int least>
Result<int> count_from(const RawValue& word) {
  return read_count(word, least);
}

Status set_environment(Settings&, const RawValue& word) {
  return fail(shown(word) + " is no table of variables such as { NAME = \"value\" }");
}

struct SettingSlot {
  SettingRow row;
  Status (*set)(Settings&, const RawValue&);
};

constexpr std::string_view all = "defaults, #GATE, case";
constexpr std::string_view all_and_flag = "defaults, #GATE, case, flag";

using S = Settings;
constexpr auto setting_slots = std::to_array<SettingSlot>({
    {{"devices", "count, list or all", "auto", "#GATE, case, flag",
      "devices of a node: a count, their numbers, all, or 0 for a case that runs on cpu"},
     set_devices},
    {{"nodes", "count", "1", "#GATE, case, flag", "hosts that the script runs on"},
     put_setting<&S::nodes, count_from<1>>},
    {{"platform", "list of globs", "any", "#GATE, case", "platforms that the case is for; elsewhere skipped"},
     put_setting<&S::platform, read_platforms>},
    {{"tags", "list", "", "#GATE, case", "words to choose cases by, with --tag"},
     put_setting<&S::tags, read_list>},
    {{"owner", "text", "", "#GATE, case", "who is asked when the case is red"},
     put_setting<&S::owner, read_text>},
    {{"formats", "list", "auto", all,
      "log formats to read; auto decides by the content, none leaves it to patterns"},
     put_setting<&S::formats, read_formats>},
    {{"log", "list of globs", "", all,
      "further log files that the script writes; {case} is its name, {rank} any number"},
     put_setting<&S::log, read_logs>},
    {{"judge", "series or exit", "series", all, "exit: the only check is that the script ends with 0"},
     put_setting<&S::judge, read_judge_mode>},
    {{"steps", "count or auto", "auto", all,
      "steps to reach where no baseline says it; auto is what the log announces"},
     put_setting<&S::steps, read_steps>},
    {{"timeout", "duration", "2h", all_and_flag, "limit of the whole run, wall clock"},
     put_setting<&S::timeout, read_positive_duration>},
    {{"startup", "duration", "30m", all_and_flag,
      "limit of silence before the second sample and after the last step"},
     put_setting<&S::startup, read_positive_duration>},
    {{"hang", "duration", "15m", all_and_flag, "limit of silence since the last sample"},
     put_setting<&S::hang, read_positive_duration>},
    {{"grace", "duration", "30s", all_and_flag, "time to end between TERM and KILL"},
     put_setting<&S::grace, read_duration>},
    {{"idle_wait", "duration", "10m", all_and_flag,
      "how long the case waits for devices that somebody uses before it is infra"},
     put_setting<&S::idle_wait, read_duration>},
    {{"wait", "tree or script", "tree", all, "whose end is waited for: all processes or the script alone"},
     put_setting<&S::wait, read_wait>},
    {{"early_stop", "auto, on or off", "auto", all_and_flag,
      "stop a run whose failure is certain; auto: where minutes are saved"},
     put_setting<&S::early_stop, read_early_stop>},
    {{"exclusive", "bool or auto", "auto", all, "whether the case has its host for itself"},
     put_setting<&S::exclusive, read_bool_or_auto>},
    {{"side_by_side", "bool or auto", "auto", all, "whether other cases may run on the host meanwhile"},
     put_setting<&S::side_by_side, read_bool_or_auto>},
    {{"setup", "text", "", all, "shell text that is run before the script; its failure is infra"},
     put_setting<&S::setup, read_text>},
    {{"env", "table", "", all_and_flag, "variables of the script's environment, NAME = \"value\""},
     set_environment},
    {{"needs", "list of paths", "", all, "paths that must exist before the launch"},
     put_setting<&S::needs, read_list>},
    {{"artifacts", "list of globs", "", all, "files that are kept after the run"},
     put_setting<&S::artifacts, read_list>},
    {{"restarts", "bool", "false", all, "whether the script itself starts a failed training again"},
     put_setting<&S::restarts, read_bool>},
    {{"attempt", "auto, last, first or N", "auto", all,
      "which attempt in the log is judged; auto: the last, where nobody can doubt which that is"},
     put_setting<&S::attempt, read_attempt>},
    {{"sources", "auto or together", "auto", all,
      "together: the k-th runs of all sources (ranks, hosts, files) in the log are one attempt"},
     put_setting<&S::sources, read_sources>},
    {{"sample", "seconds", "5", all, "seconds between hardware readings; 0 is off"},
     put_setting<&S::sample, count_from<0>>},
    {{"strict", "bool", "false", "suite, flag", "whether an ungated metric makes a case unjudged"},
     put_setting<&S::strict, read_bool>},
    {{"profile", "profile", "gate", "suite, flag", "whose way of judging is used"},
     put_setting<&S::profile, read_profile>},
    {{"shadow", "profile or none", "none", "suite, flag", "a second profile, judged for information"},
     put_setting<&S::shadow, read_shadow>},
    {{"compare", "list of metrics", "", all_and_flag,
      "metrics that the profile megatron compares; none: lm_loss and num_zeros; as a flag --metrics"},
     put_setting<&S::compare, read_list>},
    {{"allow_nondeterministic", "bool", "false", all_and_flag,
      "whether the profile megatron leaves out its exact comparisons"},
     put_setting<&S::allow_nondeterministic, read_bool>},
});

constexpr auto setting_rows = rows_of(setting_slots);

}  // namespace

std::span<const SettingRow> settings() { return setting_rows; }

const SettingRow* find_setting(std::string_view key) { return find_row(setting_rows, key); }

Status set_setting(Settings& settings, std::string_view key, const RawValue& word) {
  if (key.starts_with("env.")) return set_variable(settings, key.substr(4), word);
  return find_slot(setting_slots, key)->set(settings, word);
}

namespace {

Settings read_built_in() {
  Settings settings;
  for (const SettingSlot& slot : setting_slots) {
    if (slot.row.built_in.empty()) continue;
    [[maybe_unused]] const Status done =
        slot.set(settings, untyped(std::string(slot.row.built_in), {}, "built-in"));
    assert(done);
  }
  return settings;
}

}  // namespace

Settings built_in_settings() {
  static const Settings settings = read_built_in();
  return settings;
}

}  // namespace gate::config
