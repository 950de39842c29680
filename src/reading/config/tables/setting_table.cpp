#include "config/tables/setting_table.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "config/tables/key_table.h"
#include "config/tables/part_tables.h"
#include "config/tables/setting_words.h"
#include "gate/base/text.h"
#include "gate/config/accuracy_contract.h"
#include "gate/config/case_names.h"
#include "gate/extract/format.h"
#include "gate/judge/profile.h"

namespace gate::config {

namespace {

Result<judge::Strict> read_strict(const RawValue& raw) {
  if (says(raw, "accuracy")) return judge::Strict::accuracy;
  const Result<bool> yes = read_bool(raw);
  if (!yes) return fail(shown(raw) + " is none of false, accuracy and true");
  return *yes ? judge::Strict::yes : judge::Strict::no;
}

// `auto`, or what `read` makes of the value.
template <typename T, Result<T> (*read)(const RawValue&)>
Result<std::optional<T>> read_or_auto(const RawValue& raw) {
  if (says(raw, "auto")) return std::optional<T>();
  return read(raw).map([](T value) { return std::optional(value); });
}

// `auto`, or names of formats that gate knows.
Result<std::vector<std::string>> read_formats(const RawValue& raw) {
  if (says(raw, "auto")) return std::vector<std::string>();
  const Result<std::vector<std::string>> names = read_list(raw);
  if (!names) return names;
  if (*names == std::vector<std::string>{"auto"}) return std::vector<std::string>();
  if (*names == std::vector{std::string(extract::no_format)}) return names;
  if (std::ranges::count(*names, extract::no_format) > 0)
    return fail(std::string(extract::none_stands_alone));
  const std::vector<std::string> known = extract::format_names();
  for (const std::string& name : *names)
    if (std::ranges::count(known, name) == 0) return fail(unknown("format", name, known));
  return names;
}

// Globs, in which {rank} may stand, and {scratch} in front.
Result<std::vector<std::string>> read_logs(const RawValue& raw) {
  Result<std::vector<std::string>> globs = read_list(raw);
  if (!globs) return globs;
  for (std::string& glob : *globs) {
    constexpr std::string_view scratch = "{scratch}/";
    const std::string front(glob.starts_with(scratch) ? scratch : "");
    std::string below = glob.substr(front.size());
    GATE_TRY_STATUS(expand(below, {{"case", ""}, {"rank", ""}}));
    below = std::filesystem::path(below).lexically_normal().string();
    if (below.starts_with("../") || below == ".." || (!front.empty() && below.starts_with('/')))
      return fail("\"" + printable(glob, 80) +
                  "\" leaves the folder that it is seen from; write the whole path");
    glob = front + below;
  }
  return globs;
}

// Of the folder of checkpoints all stays, or nothing.
Result<std::vector<std::string>> read_artifacts(const RawValue& raw) {
  Result<std::vector<std::string>> globs = read_list(raw);
  if (!globs) return globs;
  for (const std::string& glob : *globs)
    if (to_lower(glob).starts_with("{checkpoint") && glob != all_checkpoints)
      return fail("\"" + printable(glob, 80) + "\": the folder of checkpoints is kept whole; write " +
                  std::string(all_checkpoints));
  return globs;
}

// Places, by commas; what has no `/` goes on with the place before it. Parts of one may be empty, or left out
// at the end.
Result<std::vector<GuardPlace>> read_guards(const RawValue& raw) {
  GATE_TRY(const std::string all, read_text(raw));
  std::vector<std::string> texts;
  for (const std::string_view text : split(all, ','))
    if (texts.empty() || text.find('/') != std::string_view::npos)
      texts.emplace_back(text);
    else
      texts.back() += "," + std::string(text);
  std::vector<GuardPlace> places;
  for (const std::string& text : texts) {
    std::vector<std::string_view> parts = split(text, '/');
    if (parts.size() > 3)
      return fail(shown(raw) + " has more than three parts; write TESTS/MODULE/SUBMODULE, several by commas");
    parts.resize(3);
    places.push_back({std::string(trim(parts[0])), std::string(trim(parts[1])), std::string(trim(parts[2]))});
  }
  return places;
}

// The name of a profile, and what is chosen of it.
Result<std::string> read_profile(const RawValue& raw) {
  GATE_TRY(const std::string text, read_filled_text(raw));
  const std::vector<std::string_view> said = split_words(text);
  const std::vector<std::string> words(said.begin(), said.end());
  const auto names = texts_of(judge::profiles(), &judge::ProfileRow::name);
  const std::string name = words.empty() ? "" : words.front();
  if (std::ranges::find(names, name) == names.end()) return fail(unknown("profile", name, names));
  GATE_TRY_STATUS(judge::parse_profile(text).map([](const judge::Profile&) {}));
  return join(words, " ");
}

Status assign_devices(Settings& settings, const RawValue& raw) {
  GATE_TRY(const ChosenDevices devices, read_devices(raw));
  settings.devices = devices.count;
  settings.devices_variable = devices.variable;
  settings.device_list = devices.list;
  return {};
}

Status assign_variable(Settings& settings, std::string_view name, const RawValue& raw) {
  return add_variable(settings.env, name, raw);
}

Status assign_further_member(FurtherRun& further, const RawMember& member) {
  if (member.key == "on")
    return assign(further.on, read_enum<FurtherOn>(member.value, "on", {"red", "slow"}));
  if (member.key == "args") return assign(further.words, read_words(member.value));
  if (member.key == "artifacts") return assign(further.artifacts, read_artifacts(member.value));
  if (member.key != "env")
    return fail(unknown("key", member.key, std::vector<std::string>{"on", "args", "env", "artifacts"}));
  if (member.value.kind != RawValue::Kind::table)
    return fail(shown(member.value) + " is no table of variables such as { NAME = \"value\" }");
  for (const RawMember& one : member.value.members)
    GATE_TRY_STATUS(add_variable(further.env, one.key, one.value));
  return {};
}

// Words, or { on = "slow", args = WORDS, env = { NAME = VALUE }, artifacts = GLOBS }.
Result<FurtherRun> read_further_run(const RawValue& raw) {
  FurtherRun further;
  if (raw.kind != RawValue::Kind::table) {
    GATE_TRY_STATUS(assign(further.words, read_words(raw)));
    return further;
  }
  for (const RawMember& member : raw.members) GATE_TRY_STATUS(assign_further_member(further, member));
  return further;
}

// Of the letters that names of images and containers have, and no option of the engine's. In an image the
// variable that tells an accuracy test's may stand.
template <std::string Container::*member>
Status assign_container(Settings& settings, const RawValue& raw) {
  GATE_TRY(const std::string text, read_text(raw));
  const auto may_stand = [](char c) {
    return is_letter_or_digit(c) || std::string_view("._-/:@+").find(c) != std::string_view::npos;
  };
  std::string plain = text;
  if (const std::size_t at = plain.find(image_hole); member == &Container::image && at != std::string::npos)
    plain.erase(at, image_hole.size());
  if (text.starts_with('-') || !std::ranges::all_of(plain, may_stand))
    return fail(shown(raw) +
                " is no such name: write letters, digits and . _ / : @ + - alone, no dash first");
  settings.container.*member = text;
  return {};
}

Result<std::string> read_engine(const RawValue& raw) {
  static const std::vector<std::string_view> engines{"podman", "docker"};
  return read_choice(raw, "engine", engines).map([](std::size_t i) { return std::string(engines[i]); });
}

// PATH, OUTSIDE:INSIDE or OUTSIDE:INSIDE:ro.
Result<std::vector<std::string>> read_mounts(const RawValue& raw) {
  GATE_TRY(const std::vector<std::string> mounts, read_list(raw));
  for (const std::string& mount : mounts) {
    const std::vector<std::string_view> parts = split(mount, ':');
    const bool is_absolute =
        std::ranges::all_of(parts.begin(), parts.begin() + std::min<std::ptrdiff_t>(2, std::ssize(parts)),
                            [](std::string_view part) { return part.starts_with('/'); });
    const bool has_mode = parts.size() < 3 || parts[2] == "ro" || parts[2] == "rw";
    if (!is_absolute || !has_mode || parts.size() > 3)
      return fail("\"" + printable(mount, 120) +
                  "\" is no mount; write /PATH, /OUTSIDE:/INSIDE or /OUTSIDE:/INSIDE:ro");
  }
  return mounts;
}

// Words that go to an engine: no NUL can.
Status check_word(const std::string& word) {
  return word.find('\0') == std::string::npos ? Status()
                                              : fail(shown(untyped(word, {}, "")) + " holds a NUL");
}

template <auto part, auto member>
Status assign_engine_text(Settings& settings, const RawValue& raw) {
  GATE_TRY(const std::string text, read_text(raw));
  GATE_TRY_STATUS(check_word(text));
  settings.*part.*member = text;
  return {};
}

template <auto part, auto member>
Status assign_engine_list(Settings& settings, const RawValue& raw) {
  GATE_TRY(const std::vector<std::string> words, read_list(raw));
  for (const std::string& word : words) GATE_TRY_STATUS(check_word(word));
  settings.*part.*member = words;
  return {};
}

// In which {devices} is the number of devices of a node.
Status assign_gres(Settings& settings, const RawValue& raw) {
  GATE_TRY(const std::string text, read_text(raw));
  GATE_TRY_STATUS(expand(text, {{"devices", "1"}}));
  return assign_engine_text<&Settings::slurm, &Slurm::gres>(settings, raw);
}

// A part of a setting that is told by platforms.
template <auto member, auto read>
Status assign_for_platform(Settings& settings, std::string_view glob, const RawValue& raw) {
  if (!is_name(glob))
    return fail("\"" + printable(glob, 80) + "\" is no platform; write one, a glob such as ascend-*, or any");
  return assign((settings.*member)[std::string(glob)], read(raw));
}

template <auto member, auto read>
Status assign_for_any(Settings& settings, const RawValue& raw) {
  return assign_for_platform<member, read>(settings, any_platform, raw);
}

// Globs, or `any`.
Result<std::vector<std::string>> read_globs(const RawValue& raw) {
  return says(raw, any_platform) ? std::vector<std::string>() : read_list(raw);
}

struct PartsRow {
  std::string_view setting;
  Status (*assign)(Settings&, std::string_view part, const RawValue&);
};
constexpr std::array parts_table{
    PartsRow{"env", assign_variable},
    PartsRow{"devices", assign_for_platform<&Settings::devices_on, read_device_count>},
    PartsRow{"nodes", assign_for_platform<&Settings::nodes_on, read_nodes>},
    PartsRow{"environment", assign_for_platform<&Settings::environment, read_globs>},
    PartsRow{"needs", assign_for_platform<&Settings::needs, read_list>},
    PartsRow{"data_dir", assign_for_platform<&Settings::data_dir, read_text>},
    PartsRow{"phase", assign_phase},
    PartsRow{"model", assign_model},
    PartsRow{"outputs", assign_output},
    PartsRow{"stages", assign_stage},
};

// Names of cases, each once, whose variables differ.
Result<std::vector<std::string>> read_after(const RawValue& raw) {
  GATE_TRY(const std::vector<std::string> names, read_list(raw));
  std::map<std::string, std::string> by_variable;
  std::vector<std::string> unique;
  for (const std::string& name : names) {
    if (is_glob(name))
      return fail("\"" + printable(name, 80) + "\" is a glob; write the name of each case in full");
    const auto [first, fresh] = by_variable.emplace(variable_after(name), name);
    if (fresh)
      unique.push_back(name);
    else if (first->second != name)
      return fail(printable(first->second, 80) + " and " + printable(name, 80) + " would both be told as " +
                  first->first + "; rename one of them");
  }
  return unique;
}

// Globs of files as git names them: from the top of its tree.
Result<std::vector<std::string>> read_depends(const RawValue& raw) {
  GATE_TRY(const std::vector<std::string> globs, read_list(raw));
  for (const std::string& glob : globs)
    if (glob.starts_with('/') || glob.starts_with("./") || glob.starts_with("../"))
      return fail("\"" + printable(glob, 80) +
                  "\" matches no file: depends is seen from the top of the git tree, as src/model/**.py");
  return globs;
}

template <auto member, auto read>
Status assign_quarantine(Settings& settings, const RawValue& raw) {
  GATE_TRY(const std::string text, read(raw));
  if (!settings.quarantine) settings.quarantine.emplace();
  (*settings.quarantine).*member = text;
  return {};
}

constexpr std::string_view words_or_table = "words or table";
constexpr std::string_view all = "defaults, #GATE, case";
constexpr std::string_view where_recipe = "model_config.yaml";
constexpr std::string_view all_and_flag = "defaults, #GATE, case, flag";

using S = Settings;
constexpr auto setting_table = std::to_array<AssignRow<Settings>>({
    {{"devices", "count, list or all", "auto", all_and_flag,
      "devices per node: a count, their numbers, all, 0 for cpu, or {env.NAME}: what that variable says, "
      "from "
      "1; 2x8: 2 nodes with 8 each; per platform: devices.GLOB"},
     assign_devices},
    {{"nodes", "count from 1", "1", "#GATE, case",
      "number of hosts of the script; 2x8: 2 with 8 devices each; per platform: nodes.GLOB"},
     assign_member<&S::nodes, read_nodes>},
    {{"platform", "list of globs", "any", "#GATE, case", "platforms that the case is for; skipped elsewhere"},
     assign_member<&S::platform, read_globs>},
    {{"environment", "list of globs", "any", "#GATE, case",
      "environments that the case is for, e.g. dev or lts; skipped elsewhere; per platform: "
      "environment.GLOB"},
     assign_for_any<&S::environment, read_globs>},
    {{"skip", "text", "", "case", "reason to skip the case; each run reports it"},
     assign_member<&S::skip, read_text>},
    {{"hosts", "list of hosts", "", all_and_flag,
      "where to run: hosts or groups of [hosts], or local (default: the host of gate)"},
     assign_member<&S::hosts, read_list>},
    {{"backend", "auto, local, ssh, slurm or kubernetes", "auto", all_and_flag,
      "what runs the script; auto: ssh if the case has hosts, else local"},
     [](S& s, const RawValue& raw) {
       return assign(s.backend,
                     read_enum<Backend>(raw, "backend", {"auto", "local", "ssh", "slurm", "kubernetes"}));
     }},
    {{"tags", "list", "", "#GATE, case", "tags, for --tag"}, assign_member<&S::tags, read_list>},
    {{"after", "list of cases", "", "#GATE, case",
      "cases that must pass in the run before this one starts; it gets their folders"},
     assign_member<&S::after, read_after>},
    {{"owner", "text", "", "#GATE, case", "whom to ask if the case is red"},
     assign_member<&S::owner, read_text>},
    {{"guards", "TESTS/MODULE/SUBMODULE", "", all,
      "what the case covers, for gate list --coverage: test kind (default: group name), module (default: "
      "tags) and submodule, e.g. ST/Pretrain/TP; several by commas"},
     assign_member<&S::guards, read_guards>},
    {{"reference", "text", "", all, "row of references.json to compare its speed with"},
     assign_member<&S::reference, read_text>},
    {{"model", "table", "", all,
      "the model, if the script's flags do not say: model.name, size, implementation, precision, parameters, "
      "and numbers named as Megatron-LM's flags, e.g. num_layers"},
     [](S&, const RawValue& raw) -> Status {
       return fail(shown(raw) +
                   " is no table of what is trained such as { name = \"LLaMA2\", size = \"7B\" }");
     }},
    {{"quarantine.until", "date", "", "case",
      "last day on which the exit code ignores the case, at most 90 days ahead"},
     assign_quarantine<&Quarantine::until, read_date>},
    {{"quarantine.reason", "text", "", "case", "reason for the quarantine"},
     assign_quarantine<&Quarantine::reason, read_filled_text>},
    {{"quarantine.owner", "text", "", "case", "who ends the quarantine"},
     assign_quarantine<&Quarantine::owner, read_filled_text>},
    {{"formats", "list of formats or auto", "auto", all,
      "log formats; auto: detected from the content; none: only patterns"},
     assign_member<&S::formats, read_formats>},
    {{"log", "list of globs", "", all,
      "more log files of the script; {case}: its name, {rank}: any number, {scratch}/: GATE_SCRATCH"},
     assign_member<&S::log, read_logs>},
    {{"judge", "series, exit or pytest", "series", all,
      "what to check; series: metrics; exit: only that the script exits 0; pytest: the tests that it runs"},
     [](S& s, const RawValue& raw) {
       return assign(s.judge, read_enum<JudgeMode>(raw, "judge", {"series", "exit", "pytest"}));
     }},
    {{"steps", "count from 1 or auto", "auto", all,
      "steps to reach if no baseline says so; auto: what the log announces"},
     assign_member<&S::steps, read_or_auto<int, read_count_from<1>>>},
    {{"repeat", "count from 1", "1", "case", "runs of the case per gate run; a [matrix] may also set it"},
     assign_member<&S::repeat, read_count_from<1>>},
    {{"phases", "list of names", "", all,
      "names of the phases; the script is started once per phase with GATE_PHASE set"},
     assign_member<&S::phases, read_phases>},
    {{"phase", "table", "", all, "keys of one phase, as phase.NAME.KEY"},
     [](S&, const RawValue& raw) -> Status {
       return fail(shown(raw) + " is no table of phases such as { resume = { args = \"--load\" } }");
     }},
    {{"outputs", "table", "", all, "files of the script to judge: outputs.NAME.KEY"},
     [](S&, const RawValue& raw) -> Status {
       return fail(shown(raw) + " is no table of outputs such as { answer = { file = \"answer.txt\" } }");
     }},
    {{"stages", "table", "", all, "stages before and after the script: stages.NAME.KEY"},
     [](S&, const RawValue& raw) -> Status {
       return fail(shown(raw) +
                   " is no table of stages such as { download = { command = \"bash get.sh\" } }");
     }},
    {{"accuracy_test", "bool", "false", all,
      "read the test of a model hub from the environment: MODEL_NAME, METRIC, THRESHOLD, ..."},
     assign_member<&S::accuracy_test, read_bool>},
    {{"further", words_or_table, "", all,
      "run a red case once more, unjudged, with these words after ARGS, or { on, args, env, artifacts }; on "
      "= slow: only after a speed regression"},
     assign_member<&S::further, read_further_run>},
    {{"timeout", "duration", "2h", all_and_flag, "wall-clock limit of the whole run"},
     assign_member<&S::timeout, read_positive_duration>},
    {{"startup", "duration", "30m", all, "longest silence before the second sample and after the last step"},
     assign_member<&S::startup, read_positive_duration>},
    {{"hang", "duration", "15m", all_and_flag, "longest silence since the last sample"},
     assign_member<&S::hang, read_positive_duration>},
    {{"grace", "duration", "30s", all, "time between TERM and KILL"},
     assign_member<&S::grace, read_duration>},
    {{"idle_wait", "duration", "10m", all, "how long to wait for busy devices before the case is infra"},
     assign_member<&S::idle_wait, read_duration>},
    {{"wait", "tree or script", "tree", all, "wait for all processes (tree) or only the script"},
     [](S& s, const RawValue& raw) {
       return assign(s.wait, read_enum<Wait>(raw, "wait", {"tree", "script"}));
     }},
    {{"early_stop", "auto, on or off", "auto", all,
      "stop a run that is certain to fail; auto: if it saves minutes"},
     [](S& s, const RawValue& raw) {
       return assign(s.early_stop, read_enum<EarlyStop>(raw, "early_stop", {"auto", "on", "off"}));
     }},
    {{"share_host", "auto, yes or no", "auto", all,
      "let other cases run on the host meanwhile; auto: if its speed is not judged"},
     [](S& s, const RawValue& raw) {
       return assign(s.share_host, read_enum<ShareHost>(raw, "share_host", {"auto", "yes", "no"}));
     }},
    {{"setup", "text", "", all, "shell code to run before the script; a failure is infra"},
     assign_member<&S::setup, read_text>},
    {{"env", "table", "", all_and_flag, "environment variables of the script, NAME = \"value\""},
     [](S&, const RawValue& raw) -> Status {
       return fail(shown(raw) + " is no table of variables such as { NAME = \"value\" }");
     }},
    {{"data_dir", "path", "", all,
      "data folder on the host of the case, passed as GATE_DATA_DIR; per platform: data_dir.GLOB"},
     assign_for_any<&S::data_dir, read_text>},
    {{"needs", "list of paths", "", all,
      "paths that must exist before the launch, below data_dir if set, ./PATH below the script's folder; per "
      "platform: needs.GLOB"},
     assign_for_any<&S::needs, read_list>},
    {{"depends", "list of globs", "", all,
      "files that the case depends on, for --changed-since; relative to the git root"},
     assign_member<&S::depends, read_depends>},
    {{"artifacts", "list of globs", "", all,
      "files to keep after the run; {scratch}/: GATE_SCRATCH; {checkpoints}/**: GATE_CHECKPOINT_DIR, kept in "
      "place"},
     assign_member<&S::artifacts, read_artifacts>},
    {{"restarts", "bool", "false", all, "the script itself restarts a failed training"},
     assign_member<&S::restarts, read_bool>},
    {{"fault", "ACTION@WHEN", "none", all,
      "inject a fault and restart the script: kill@15, term@20%, pause@15 for 30s, kill@15 rank 1; with "
      "scratch at the end, the second start may begin at the first step"},
     assign_member<&S::fault, read_fault>},
    {{"attempt", "auto, last, first or count from 1", "auto", all,
      "attempt in the log to judge; auto: the last, if it is unambiguous"},
     assign_member<&S::attempt, read_attempt>},
    {{"sources", "auto or together", "auto", all,
      "together: the k-th runs of all sources (ranks, hosts, files) in the log form one attempt"},
     [](S& s, const RawValue& raw) {
       return assign(s.sources, read_enum<extract::Sources>(raw, "sources", {"auto", "together"}));
     }},
    {{"sample", "seconds", "5", all, "seconds between hardware readings; 0: off"},
     assign_member<&S::sample, read_count_from<0>>},
    {{"strict", "false, accuracy or true", "accuracy", "suite, group, case, flag",
      "treat a case as unjudged; accuracy: if its log has a loss or reward and no accuracy metric is "
      "compared; true: also if any metric is ungated"},
     assign_member<&S::strict, read_strict>},
    {{"profile", "profile", "gate", "suite, flag",
      "judging profile; after megatron, the metrics to compare (default: lm_loss and num_zeros), and "
      "nondeterministic to skip exact comparisons"},
     assign_member<&S::profile, read_profile>},
    {{"shadow", "profile or none", "none", "suite, flag",
      "second profile, written as profile, judged for information only"},
     [](S& s, const RawValue& raw) {
       return assign(s.shadow, says(raw, "none") ? std::string() : read_profile(raw));
     }},
    {{"container.image", "text", "", all,
      "image of the script's own container; must exist, nothing is pulled; {env.IMAGE_NAME}: that of an "
      "accuracy test"},
     assign_container<&Container::image>},
    {{"container.exec", "text", "", all, "name of a running container to run the script in"},
     assign_container<&Container::exec>},
    {{"container.engine", "podman or docker", "podman", all, "the container engine"},
     [](S& s, const RawValue& raw) { return assign(s.container.engine, read_engine(raw)); }},
    {{"container.mounts", "list of paths", "", all,
      "mounts besides the suite and the run folder: PATH, OUTSIDE:INSIDE or OUTSIDE:INSIDE:ro"},
     [](S& s, const RawValue& raw) { return assign(s.container.mounts, read_mounts(raw)); }},
    {{"container.options", "list", "", all,
      "more options of the engine's run or exec, e.g. --shm-size=16g; the network is the host's by default"},
     [](S& s, const RawValue& raw) { return assign(s.container.options, read_list(raw)); }},
    {{"slurm.gres", "text", "gpu:{devices}", all,
      "sbatch --gres of a case with devices; {devices}: devices per node"},
     assign_gres},
    {{"slurm.options", "list", "", all, "more sbatch options, after gate's own, e.g. --partition=npu"},
     assign_engine_list<&S::slurm, &Slurm::options>},
    {{"kubernetes.kubectl", "text", "kubectl", all, "kubectl and its options, e.g. kubectl --context lab"},
     assign_engine_text<&S::kubernetes, &Kubernetes::kubectl>},
    {{"kubernetes.namespace", "text", "", all, "namespace of the job (default: kubectl's context)"},
     assign_engine_text<&S::kubernetes, &Kubernetes::name_space>},
    {{"kubernetes.resource", "text", "nvidia.com/gpu", all,
      "resource name of a device, e.g. huawei.com/Ascend910"},
     assign_engine_text<&S::kubernetes, &Kubernetes::resource>},
    {{"kubernetes.patch", "path", "", all,
      "YAML or JSON file, relative to the suite, to merge into the job: volumes, nodeSelector, tolerations, "
      "...; with apiVersion: batch.volcano.sh/v1alpha1 it is a Volcano job"},
     assign_engine_text<&S::kubernetes, &Kubernetes::patch>},
    {{"recipe.metrics", "list of metrics", "", where_recipe,
      "METRICS: what the profile megatron compares of the case, unless its words say it"},
     assign_member<&S::recipe_metrics, read_list>},
    {{"recipe.nondeterministic", "bool", "false", where_recipe,
      "NVTE_ALLOW_NONDETERMINISTIC_ALGO: the profile megatron leaves out its exact comparisons of the case"},
     assign_member<&S::recipe_nondeterministic, read_bool>},
});

constexpr auto setting_rows = rows_of(setting_table);

}  // namespace

// What a recipe of Megatron-LM says stands last: nobody else can say it.
std::span<const SettingRow> settings() {
  constexpr std::ptrdiff_t written =
      std::ranges::find(setting_rows, where_recipe, &SettingRow::where) - setting_rows.begin();
  return std::span(setting_rows).first(written);
}

const SettingRow* find_setting(std::string_view key) { return find_row(setting_rows, key); }

bool is_limit(std::string_view word) {
  constexpr auto limits =
      std::to_array<std::string_view>({"timeout", "startup", "hang", "grace", "idle_wait", "early_stop"});
  return std::ranges::find(limits, word.substr(0, word.find('='))) != limits.end();
}

Result<extract::AttemptChoice> read_attempt(const RawValue& raw) {
  if (says(raw, "auto")) return extract::AttemptChoice{};
  if (says(raw, "last")) return extract::AttemptChoice{std::nullopt, true};
  if (says(raw, "first")) return extract::AttemptChoice{1};
  const Result<int> number = read_count(raw, 1);
  if (!number) return fail(shown(raw) + " is no attempt; write auto, last, first or a number from 1 on");
  return extract::AttemptChoice{*number};
}

Status add_variable(std::map<std::string, std::string>& env, std::string_view name, const RawValue& raw) {
  if (!is_variable_name(name)) return fail("\"" + printable(name, 80) + "\" is no name of a variable");
  const bool plain = raw.kind == RawValue::Kind::boolean ||
                     (raw.kind == RawValue::Kind::number && parse_integer(raw.text).has_value());
  GATE_TRY(const std::string text, plain ? raw.text : read_text(raw));
  env.insert_or_assign(std::string(name), text);
  return {};
}

Status assign_setting(Settings& settings, std::string_view key, const RawValue& raw) {
  const std::string_view setting = setting_of(key);
  if (setting == key) return row_of(setting_table, key).assign(settings, raw);
  const auto* const parts = std::ranges::find(parts_table, setting, &PartsRow::setting);
  return parts->assign(settings, key.substr(setting.size() + 1), raw);
}

bool is_told_in_parts(std::string_view setting) {
  return std::ranges::find(parts_table, setting, &PartsRow::setting) != parts_table.end();
}

std::string_view setting_of(std::string_view key) {
  const std::string_view setting = key.substr(0, key.find('.'));
  return setting.size() < key.size() && is_told_in_parts(setting) ? setting : key;
}

std::string canonical_key(std::string_view key) {
  const std::string_view setting = setting_of(key);
  const bool is_whole = setting != key && setting != "env" && key.substr(setting.size() + 1) == any_platform;
  return std::string(is_whole ? setting : key);
}

bool is_one_value(std::string_view setting) {
  const SettingRow* row = find_setting(setting);
  return row != nullptr && row->type == words_or_table;
}

bool says_both(std::string_view key, const RawValue& raw) {
  const std::string_view setting = setting_of(key);
  return (setting == "nodes" || setting == "devices") && is_grid(raw);
}

Settings built_in_settings() {
  static const Settings settings = built_in_of<Settings>(setting_table);
  return settings;
}

}  // namespace gate::config
