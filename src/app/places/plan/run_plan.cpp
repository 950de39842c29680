#include "gate/places/run_plan.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <tuple>

#include "gate/base/in_parallel.h"
#include "gate/base/natural.h"
#include "gate/base/object_place.h"
#include "gate/base/text.h"
#include "gate/config/script_counts.h"
#include "gate/extract/extractor.h"
#include "gate/judging/case_outputs.h"
#include "gate/launch/needs.h"
#include "gate/places/devices.h"
#include "gate/places/further_case.h"
#include "gate/places/shared_folders.h"
#include "gate/places/written_places.h"
#include "gate/suite/changed_since.h"
#include "gate/suite/chosen_cases.h"
#include "gate/suite/git.h"
#include "gate/suite/git_commit.h"
#include "gate/suite/predecessors.h"
#include "gate/suite/profile_choice.h"
#include "gate/suite/renames.h"
#include "gate/suite/shards.h"
#include "gate/suite/suite_masker.h"
#include "gate/suite/told_places.h"
#include "places/plan/case_files.h"
#include "places/plan/command_line.h"
#include "places/plan/upload_folder.h"

namespace gate::app {

namespace {

void add_input(std::string& text, const std::string& key, const std::string& value) {
  text.append(std::to_string(key.size())).append(":").append(key).append("=");
  text.append(std::to_string(value.size())).append(":").append(value).append("\n");
}

void add_strategy(std::string& text, const StrategyChoice& choice, const config::Case& spec) {
  for (const auto& [name, output] : spec.settings.outputs) add_input(text, "output", name);
  for (const Stage stage : all_stages)
    if (choice.strategy.has_stage(stage)) add_input(text, "stage", std::string(to_string(stage)));
}

// Return under which name of inputs_of() the setting of that key counts.
std::string name_of_input(const std::string& key) {
  if (key.starts_with("rules.") || key.starts_with("metrics.")) return "rules";
  return key.starts_with("env.") ? "environment" : "settings";
}

// Golden files, and what the environment asks of an accuracy test.
void add_outputs_to(std::map<std::string, std::string>& texts, const config::Settings& settings) {
  for (const auto& [name, output] : settings.outputs)
    for (const std::string& golden : output.golden) add_input(texts["baseline"], golden, golden_hash(golden));
  if (!settings.accuracy_test) return;
  for (const auto& [name, value] : settings.env) add_input(texts["environment"], name, value);
}

// Return the published figure that the case is bound to, as text; "" where it is bound to none.
std::string published_text(const config::Case& spec) {
  const PerformanceRow* const row = spec.reference.get();
  return row ? row->name + " " + (row->reference ? row->reference->to_string() : "") + " " + row->unit : "";
}

// What a plan asks of a script, however many variants it has.
struct PlannedScript {
  std::string text, sha256;
  std::string sourced;  // files that it reads in: see sourced_text
  config::ScriptCounts counts;
  std::string trouble;  // why it cannot be read
};

// Return the hashes of what the result of the case hangs on: its script and what that sources, what it
// downloads, its baseline, platform, settings (those of the suite too), rules, ARGS, environment (`env`
// alone) and gate's version. Values of secrets count for nothing. Fails if the settings cannot be read.
Answer<std::map<std::string, std::string>> inputs_of(const Suite& suite, const PlannedCase& planned,
                                                     const PlannedScript& script, const Masker& masker) {
  GATE_TRY(const std::vector<config::SettingOrigin> lines, origins(suite, *planned.spec));
  std::map<std::string, std::string> texts{
      {"ARGS", ""}, {"baseline", ""}, {"environment", ""}, {"rules", ""}};
  for (const config::SettingOrigin& line : lines)
    add_input(texts[name_of_input(line.key)], line.key, line.value);
  for (const config::PlatformVariable& one : planned.spec->on_platforms)
    add_input(texts["environment"], one.platform + " " + one.name, one.value);
  std::string& settings = texts["settings"];
  if (suite.strategy) add_strategy(settings, *suite.strategy, *planned.spec);
  add_input(settings, "launch", planned.spec->launch);
  add_input(settings, "cwd", planned.spec->cwd);
  const extract::JsonNames& json = planned.spec->json;
  if (const std::string& patched = planned.spec->settings.kubernetes.patched; !patched.empty())
    add_input(settings, "kubernetes.patch", patched);
  for (const std::string* name : {&json.step, &json.total, &json.rank}) add_input(settings, "json", *name);
  for (const extract::JsonMetric& metric : json.metrics)
    add_input(settings, metric.metric, metric.key + " " + metric.scale.to_string());
  for (const BaselineUsed& file : planned.against.files) add_input(texts["baseline"], file.path, file.sha256);
  add_input(texts["baseline"], "reference", published_text(*planned.spec));
  add_outputs_to(texts, planned.spec->settings);
  for (const std::string& word : planned.args) add_input(texts["ARGS"], "", word);
  texts["gate"] = GATE_VERSION;
  texts["platform"] = place_word(planned.placement.platform, suite.environment);
  if (planned.placement.rehearsed) texts["platform"] += " rehearsed";
  texts["script"] = script.text;
  texts["sourced files"] = script.sourced;
  texts["downloads"] = downloaded_text(suite, *planned.spec);
  for (auto& [name, text] : texts) text = fs::sha256(masker.mask(text));
  return texts;
}

// What says where a case runs, and nothing of what is measured there.
constexpr std::array<std::string_view, 3> places{"hosts", "backend", "device_list"};

// Return the hash of all baseline and golden files: shards that were judged against others are no run of one
// suite.
std::string baselines_sha256(const Suite& suite) {
  std::string text;
  for (const auto& [name, places] : store::places_by_case(suite.layout))
    for (const store::BaselinePlace& place : places) {
      const std::string path = store::baseline_path(suite.layout, place);
      add_input(text, path,
                fs::sha256(fs::read_file(store::folder_of_files(suite.layout) / path).value_or("")));
    }
  for (const config::Case& spec : suite.cases)
    for (const auto& [name, output] : spec.settings.outputs)
      for (const std::string& golden : output.golden) add_input(text, golden, golden_hash(golden));
  return fs::sha256(text);
}

// Return the hash of gate.toml and of what the command line says of all cases alike, but for where they run.
std::string settings_sha256(const Suite& suite, const RunOptions& options) {
  std::string text;
  add_input(text, "gate.toml", suite.policy_sha256);
  for (const config::Override& one : suite.overrides)
    if (std::ranges::find(places, one.key) == places.end()) add_input(text, one.key, one.value);
  for (const config::Case& spec : suite.cases)
    if (spec.reference) add_input(text, spec.name, published_text(spec));
  if (suite.rehearsal) add_input(text, "rehearsal", "");
  for (const std::string& word : options.args) add_input(text, "ARGS", word);
  add_input(text, "confirm", std::to_string(options.confirm));
  if (options.determinism > 1) add_input(text, "determinism", std::to_string(options.determinism));
  add_input(text, "no-skip", options.skipping == Skipping::refused ? "true" : "");
  return fs::sha256(masker_for(suite).mask(text));
}

// What a script says itself that would be wrong on some of its nodes; "" if there is nothing.
Sentence contradiction(int nodes, const config::ScriptCounts& counts) {
  if (nodes == 1) return {};
  if (counts.nodes && *counts.nodes != nodes)
    return say({"sets NNODES to {}", "把 NNODES 设为 {}"}, *counts.nodes);
  if (counts.node_rank) return say({"sets NODE_RANK to {}", "把 NODE_RANK 设为 {}"}, *counts.node_rank);
  if (counts.has_local_master)
    return say({"sets MASTER_ADDR to its own host", "把 MASTER_ADDR 设为自己的主机"});
  return {};
}

// What a case says that its queue cannot give it; "" if there is nothing.
std::string unfit_for_queue(const config::Settings& settings, const std::string& platform) {
  const PlaceTraits traits = traits_of(settings.backend);
  if (!traits.queues) return "";
  const std::string engine(hosts::engine_of(settings.backend).name);
  const bool is_pod = !traits.has_agent;
  if (settings.fault)
    return "fault: the processes of a job are " + engine +
           "'s, and gate can send them no signal; run the case by backend local or ssh";
  if (!settings.container.exec.empty())
    return "container.exec names a container, and " + engine + " makes its own";
  if (!is_pod && settings.container.is_used())
    return "container.image is of a container engine; what starts containers in Slurm is said by "
           "slurm.options";
  if (is_pod && settings.container.image.empty())
    return "Kubernetes runs images: say which by container.image";
  if (is_pod && !(settings.container.mounts.empty() && settings.container.options.empty()))
    return "container.mounts and container.options are of a container engine; what a pod has beside its "
           "image is said by kubernetes.patch";
  if (const auto& list = config::size_on(settings, platform).device_list; !list.empty())
    return engine + " chooses the devices: say how many, as devices = " + std::to_string(list.size());
  return "";
}

std::map<std::string, PlannedScript> scripts_of(const Suite& suite,
                                                const std::vector<const config::Case*>& cases) {
  std::map<std::string, PlannedScript> facts;
  for (const config::Case* spec : cases) {
    const auto [one, is_new] = facts.try_emplace(spec->script);
    if (!is_new) continue;
    const fs::Path file = suite.root / spec->script;
    const Result<std::string> text = fs::read_file(file);
    one->second.text = text.value_or("");
    if (!text && !spec->script.empty() && !fs::is_missing(file)) one->second.trouble = text.error().message;
    one->second.sha256 = fs::sha256(one->second.text);
    one->second.sourced = sourced_text(suite, *spec, one->second.text);
    one->second.counts = config::read_script_counts(one->second.text);
  }
  return facts;
}

// Return which ways to judge several runs exclude one another where both are asked for; "" where none do.
std::string runs_mistake(const config::Settings& settings, const RunOptions& options) {
  struct RunsAsked {
    std::string words;
    bool is_asked;
  };
  const RunsAsked determinism{"--determinism", options.determinism > 1},
      confirm{"--confirm", options.confirm > 1}, repeat{"repeat", settings.repeat > 1},
      profile{"profile " + settings.profile, settings.profile != "gate"};
  const std::tuple<RunsAsked, RunsAsked, const char*> exclusions[] = {
      {confirm, profile, "the profile judges single runs"},
      {confirm, determinism, "what differs is no noise"},
      {repeat, determinism, "--determinism judges the first run alone"}};
  for (const auto& [one, other, why] : exclusions)
    if (one.is_asked && other.is_asked)
      return one.words + " and " + other.words + " exclude one another: " + why + "; leave one of them out";
  return "";
}

std::string fault_mistake(const config::Settings& settings) {
  const std::optional<Fault>& fault = settings.fault;
  if (!fault || fault->action != FaultAction::pause || fault->pause < settings.timeout) return "";
  return "fault = \"" + to_string(*fault) + "\" has no end: timeout " + to_string(settings.timeout) +
         " is up before; make the pause shorter, or timeout longer";
}

// The folders of a case's phases lie where those of cases below it would.
std::string folder_mistake(const Suite& suite, const config::Case& spec) {
  if (!config::has_checkpoints(spec.settings)) return "";
  std::vector<std::string> folders{spec.name + "/checkpoints"};
  for (const std::string& phase : spec.settings.phases) folders.push_back(spec.name + "/phase-" + phase);
  for (const config::Case& other : suite.cases)
    for (const std::string& folder : folders)
      if (other.name == folder || other.name.starts_with(folder + "/"))
        return other.name + ": its folder in a run is one of case " + spec.name + "; rename one of them";
  return "";
}

// Return why the run skips the case, whatever its host has; "" where it does not.
Sentence why_skipped_on(const Suite& suite, const config::Case& spec, const std::string& platform) {
  if (const Sentence why = config::skip_words(spec); !why.empty()) return why;
  const std::vector<std::string> globs = config::environments_on(spec.settings, platform);
  const bool is_for =
      suite.environment.empty() || globs.empty() || std::ranges::any_of(globs, [&](const std::string& glob) {
        return glob_match(glob, suite.environment);
      });
  return is_for ? Sentence()
                : say({"needs environment {}; this run's environment is {} (--environment)",
                       "需要环境 {}；这次运行的环境是 {}（--environment）"},
                      join(globs, ", "), suite.environment);
}

// Of a folder of the run's own nothing is to be said before the run.
std::string upload_mistake(const Suite& suite, const PlannedCase& planned) {
  const auto upload = planned.spec->settings.stages.find(std::string(to_string(Stage::upload)));
  const bool is_left_out = suite.strategy && !suite.strategy->strategy.has_stage(Stage::upload);
  if (upload == planned.spec->settings.stages.end() || is_left_out || planned.placement.rehearsed) return "";
  const auto told = [&](const char* run) {
    return told_in_place(suite, *planned.spec, run, upload->second.to).value_or("");
  };
  const std::string place = told("-");
  if (place.empty() || place != told("RUN") || is_object_place(place)) return "";
  const Status usable = config::path_of_place(place).and_then(
      [&](const std::string& path) { return check_upload_folder((suite.root / path).lexically_normal()); });
  return usable ? "" : usable.error().message;
}

Answer<PlannedCase> plan_case(const Suite& suite, const config::Case& spec, const PlannedScript& script,
                              const RunOptions& options, const HostGroup& group, const Masker& masker) {
  if (const std::string why = runs_mistake(spec.settings, options); !why.empty()) return usage(why);
  if (const std::string why = folder_mistake(suite, spec); !why.empty()) return usage(why);
  for (const std::string& why :
       {unfit_for_queue(spec.settings, group.platform.platform), fault_mistake(spec.settings)})
    if (!why.empty()) return usage(spec.name + ": " + why);
  if (const Status shared = check_shared_folders(suite.root, options, spec); !shared)
    return usage(spec.name + ": " + shared.error().message);
  PlannedCase planned{&spec, group.place(spec.settings), {}, "", {}, {}, group.planned_place()};
  // What is wrong with one case alone is no reason to run none.
  const auto unjudged = [&](Sentence why) {
    if (planned.placement.kind == Placement::Kind::skipped) return planned;
    planned.placement.kind = Placement::Kind::unjudged;
    planned.placement.reason = std::move(why);
    return planned;
  };
  const Sentence why_skipped = why_skipped_on(suite, spec, planned.placement.platform);
  if (!why_skipped.empty()) {
    planned.placement.kind = Placement::Kind::skipped;
    planned.placement.reason = why_skipped;
  }
  if (!spec.file.unreadable.empty()) return unjudged(config::unreadable_words(spec));
  if (!script.trouble.empty()) return unjudged(script.trouble);
  auto against = judged_at(suite.layout, {planned.placement.platform, spec.name, suite.environment});
  if (!against) return unjudged(first_and_count(against.error().message));
  planned.against = *std::move(against);
  const auto reader = extract::Extractor::make(extract_options(spec, planned.against.reference));
  if (!reader) return unjudged(reader.error().message);
  planned.script_sha256 = script.sha256;
  if (suite.is_told(spec.name)) planned.args = options.args;
  GATE_TRY(planned.inputs, inputs_of(suite, planned, script, masker));
  const config::ScriptCounts& counts = script.counts;
  if (planned.place.reserves) planned.fixed_port = counts.port;
  if (!why_skipped.empty()) return planned;
  if (const std::string why = upload_mistake(suite, planned); !why.empty())
    return usage(spec.name + ": stages.upload.to: " + why);
  if (const Status fits = check_command(planned); !fits) return unjudged(fits.error().message);
  if (const Status more = check_further_run(planned); !more)
    return usage(spec.name + ": " + more.error().message);
  const int nodes = planned.placement.shape.nodes;
  if (const Sentence why = contradiction(nodes, counts); !why.empty())
    return unjudged(
        say({"{} {}, and nodes = {}; take it from the environment", "{} {}，而 nodes = {}；请从环境变量取得"},
            spec.script, why, nodes));
  return planned;
}

// Return the cases without a script that the run is about: of the whole suite, or those that the ref that
// judges has, and that are chosen.
Answer<std::vector<std::string>> orphans_of(const Suite& suite, const RunOptions& options) {
  std::vector<std::string> orphans;
  const bool is_whole = options.words.empty() && options.tags.empty() && !suite.strategy;
  if (is_whole) orphans = find_orphans(suite);
  if (!suite.trusted) return orphans;
  const auto selected = select_names(suite, options.words, with_gone(suite), options.folder);
  if (!selected) return usage(selected.error());
  for (const auto& [name, new_name] : suite.trusted->gone) {
    const config::Case* spec = suite.trusted->at_ref.find(name);
    const bool is_selected = std::ranges::find(*selected, name) != selected->end();
    const bool is_new = std::ranges::find(orphans, name) == orphans.end();
    if (is_selected && is_new && suite.has_chosen(name) && spec != nullptr && has_tag(*spec, options.tags))
      orphans.push_back(name);
  }
  return orphans;
}

// Keep the cases that the change touched, and those whose predecessors they are.
Answer<void> keep_touched(const Suite& suite, const RunOptions& options,
                          std::vector<const config::Case*>& chosen, std::vector<std::string>& orphans) {
  GATE_TRY(std::set<std::string> touched, touched_since(suite, options.changed_since));
  std::erase_if(orphans, [&](const std::string& name) { return !touched.contains(name); });
  add_successors(suite.cases, touched);
  std::erase_if(chosen, [&](const config::Case* spec) { return !touched.contains(spec->name); });
  return {};
}

// Add the predecessors of the chosen cases by these bonds. Returns those that were added; both sorted by
// name.
std::vector<const config::Case*> take_along(const Suite& suite, Bonds bonds,
                                            std::vector<const config::Case*>& chosen) {
  std::set<std::string> before, all;
  for (const config::Case* spec : chosen) before.insert(spec->name);
  all = before;
  add_predecessors(suite.cases, bonds, all);
  std::vector<const config::Case*> added;
  for (const std::string& name : all)
    if (const config::Case* spec = suite.find(name); spec != nullptr && !before.contains(name))
      added.push_back(spec);
  chosen.insert(chosen.end(), added.begin(), added.end());
  std::ranges::sort(chosen, natural_less, &config::Case::name);
  return added;
}

// Which of the cases take it along, directly, and why.
void note_along(const config::Case& taken, Bonds bonds, const std::vector<const config::Case*>& cases,
                std::vector<Sentence>& notes) {
  for (const Bond& bond : all_of(bonds)) {
    std::vector<std::string> successors;
    for (const config::Case* spec : cases)
      if (const auto names = bond.names(*spec); std::ranges::find(names, taken.name) != names.end())
        successors.push_back(spec->name);
    if (!successors.empty())
      notes.push_back(say({"takes {} along: {}{}", "连带 {}：{} {}"}, taken.name, listed(successors, 5),
                          successors.size() == 1 ? bond.of_one : bond.of_several));
  }
}

bool waits_for(const PlannedCase& planned, const std::vector<PlannedCase>& cases) {
  const std::vector<std::string> predecessors = predecessors_of(*planned.spec);
  return std::ranges::any_of(cases, [&](const PlannedCase& other) {
    return std::ranges::binary_search(predecessors, other.spec->name);
  });
}

// Put the cases behind their predecessors; the order stays otherwise. That no circle is of the setting
// `after` alone was seen to when the suite was opened.
Answer<void> put_in_order(std::vector<PlannedCase>& cases) {
  std::vector<PlannedCase> waiting;
  const auto has_predecessors = [](const PlannedCase& planned) {
    return !predecessors_of(*planned.spec).empty();
  };
  std::ranges::copy_if(cases, std::back_inserter(waiting), has_predecessors);
  std::erase_if(cases, has_predecessors);
  while (!waiting.empty()) {
    const auto next = std::ranges::find_if(
        waiting, [&](const PlannedCase& planned) { return !waits_for(planned, waiting); });
    if (next == waiting.end()) {
      return usage(
          "each of these cases is judged beside the run of another of them, or comes after it: " +
          join(texts_of(waiting, [&](const PlannedCase& planned) { return planned.spec->name; }), ", ") +
          "; a formula names them: keep the rule on its metric in the "
          "[case.\"NAME\"] of one case");
    }
    cases.push_back(std::move(*next));
    waiting.erase(next);
  }
  return {};
}

// What the report of the run names, and what its cases may have.
void add_hosts(RunPlan& plan, const Suite& suite, const HostGroups& groups,
               const std::vector<const config::Case*>& cases) {
  plan.platform = groups.at(cases.empty() ? Whereabouts{} : whereabouts(suite, cases.front()->settings))
                      .platform.platform;
  std::map<DeviceId, Device> devices;
  std::set<std::string> missing;
  std::set<Whereabouts> named;
  for (const config::Case* spec : cases) named.insert(whereabouts(suite, spec->settings));
  for (const Whereabouts& where : named) {
    const HostGroup& group = groups.at(where);
    for (const Device& device : group.platform.devices) devices.emplace(device.id(), device);
    if (!group.hosts.empty()) missing.insert(group.missing.begin(), group.missing.end());
  }
  for (auto& [id, device] : devices) plan.devices.push_back(std::move(device));
  for (const std::string& why : missing) plan.notes.push_back(say({"runs without {}", "运行时没有 {}"}, why));
}

// What is said of a case of the ref that judges and that the tree has no more; "" of any other.
Sentence gone_words(const Suite& suite, const std::string& name) {
  if (!suite.trusted) return {};
  const auto gone = suite.trusted->gone.find(name);
  if (gone == suite.trusted->gone.end()) return {};
  const Sentence words =
      say({"{} has this case, and the tree has no script of it", "{} 有这个用例，工作区里却没有它的脚本"},
          suite.trusted->policy.reference);
  if (gone->second.empty()) return words;
  return words + say({"; case {} has most of its script", "；用例 {} 含有其脚本的大部分"}, gone->second);
}

CaseReport orphan_report(const Suite& suite, const std::string& name, const std::vector<Rename>& renames) {
  CaseReport report;
  report.name = name;
  report.verdict = Verdict::unjudged;
  report.reason = gone_words(suite, name);
  if (report.reason.empty())
    report.reason = say({"it has a baseline, and {}; restore the script, or remove the baseline: {}",
                         "它有基线，但{}；请恢复脚本，或删除基线：{}"},
                        no_script_words(renames, name), removal_of(suite, name));
  return report;
}

CaseReport planned_case_report(const PlannedCase& planned, const RunOptions& options,
                               const std::string& today) {
  CaseReport report;
  report.name = planned.spec->name;
  report.platform = planned.placement.platform;
  report.devices = planned.placement.devices;
  report.profile = profile_of(planned.spec->settings).name;
  report.owner = planned.spec->settings.owner;
  report.environment = planned.against.environment;
  report.quarantine = quarantine_on(*planned.spec, today);
  report.baselines = planned.against.files;
  report.chain = planned.against.chain;
  report.total = planned.against.reference.last_step;
  report.args = planned.args;
  report.inputs = planned.inputs;
  const Placement::Kind kind = planned.placement.kind;
  report.reason = kind == Placement::Kind::run ? say({"not run", "未运行"}) : planned.placement.reason;
  if (kind == Placement::Kind::skipped && options.skipping == Skipping::allowed)
    report.verdict = Verdict::skipped;
  else if (kind == Placement::Kind::unjudged)
    report.verdict = Verdict::unjudged;
  else if (kind != Placement::Kind::run)
    report.verdict = Verdict::infra;
  return report;
}

}  // namespace

bool RunPlan::is_rehearsal() const {
  return std::ranges::any_of(cases,
                             [](const PlannedCase& one) { return one.placement.rehearsed.has_value(); });
}

Answer<RunPlan> make_plan(const Suite& suite, const RunOptions& options, Environment& environment,
                          Sending sending, Bonds bonds) {
  GATE_TRY_STATUS(check_out(suite, options.out));
  GATE_TRY(auto of_all_shards, choose(suite, options.words, options.tags, options.folder));
  RunPlan plan;
  GATE_TRY(plan.orphans, orphans_of(suite, options));
  if (!options.changed_since.empty()) {
    GATE_TRY(const GitCommit since, GitCommit::find(suite.root, options.changed_since));
    plan.changed_since_commit = since.id();
    GATE_TRY_STATUS(keep_touched(suite, options, of_all_shards, plan.orphans));
  }
  const std::vector<const config::Case*> taken_along = take_along(suite, bonds, of_all_shards);
  auto chosen = of_all_shards;
  if (options.shard) plan.split = take_shard(suite, *options.shard, chosen, plan.orphans);
  GATE_TRY(const HostGroups groups,
           find_hosts(suite, chosen, of_all_shards, options.platform, sending, environment));
  add_hosts(plan, suite, groups, chosen);
  std::set<std::string> mistakes;
  const Masker masker = masker_for(suite);
  const std::map<std::string, PlannedScript> scripts = scripts_of(suite, chosen);
  std::vector<std::optional<Answer<PlannedCase>>> all(chosen.size());
  in_parallel(all.size(), worthwhile_threads(all.size()), [&](std::size_t i) {
    const HostGroup& group = groups.at(whereabouts(suite, chosen[i]->settings));
    all[i] = plan_case(suite, *chosen[i], scripts.at(chosen[i]->script), options, group, masker);
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    Answer<PlannedCase>& planned = *all[i];
    if (!planned) {
      mistakes.insert(planned.error().message);
      continue;
    }
    planned->is_taken_along = std::ranges::find(taken_along, chosen[i]) != taken_along.end();
    if (planned->is_taken_along) note_along(*chosen[i], bonds, chosen, plan.notes);
    plan.cases.push_back(std::move(*planned));
  }
  if (!mistakes.empty()) return usage(join(std::vector<std::string>(mistakes.begin(), mistakes.end()), "\n"));
  GATE_TRY_STATUS(put_in_order(plan.cases));
  const bool lacks_baseline = std::ranges::any_of(
      plan.cases, [](const PlannedCase& one) { return one.against.reference.series.empty(); });
  if (Sentence unknown = unknown_environment(suite, lacks_baseline); !unknown.empty())
    plan.notes.push_back(std::move(unknown));
  if (suite.strategy) std::ranges::copy(suite.strategy->notes, std::back_inserter(plan.notes));
  if (plan.is_rehearsal())
    plan.notes.push_back(
        say({"a rehearsal: cases that want devices have none, and the run is kept out of the history and of "
             "baselines",
             "预演：需要设备的用例没有设备，这次运行不进入历史，也不能成为基线"}));
  plan.named = exact_names(suite, options.words, with_gone(suite), options.folder);
  return plan;
}

Result<Sentence> lacking_on(Host& host, const PlannedCase& planned, const Cut& cut) {
  const std::string data = config::data_dir_on(planned.spec->settings, planned.placement.platform);
  std::vector<std::string> lacking;
  for (std::string& need : config::needs_on(planned.spec->settings, planned.placement.platform)) {
    GATE_TRY(const bool is_there, host.exists(host.path_there(fs::Path(planned.spec->cwd) / need), cut));
    if (!is_there) lacking.push_back(std::move(need));
  }
  if (lacking.empty()) return Sentence();
  const bool is_data = !data.empty() && std::ranges::find(lacking, data) != lacking.end();
  return launch::lacking_words(lacking) +
         (is_data ? say({" (data_dir = \"{}\")", "（data_dir = \"{}\"）"}, data) : Sentence());
}

Report planned_report(const Suite& suite, const RunOptions& options, const RunPlan& plan,
                      const launch::HostFacts& host, Moment now) {
  Report report;
  report.gate_version = GATE_VERSION;
  report.suite = suite.name;
  report.command = "run";
  report.host = host.name;
  report.platform = plan.platform;
  report.environment = suite.environment;
  report.commit = git_commit(suite.root);
  report.started = report.finished = to_iso(now);
  // The words as they mean the same from every folder: scripts by the names of their cases.
  report.words = exact_names(suite, options.words, with_gone(suite), options.folder);
  std::ranges::copy_if(options.words, std::back_inserter(report.words), is_glob);
  report.tags = options.tags;
  if (suite.strategy) report.strategy = suite.strategy->strategy.name;
  report.set = options.set;
  report.command_line = options.command_line;
  report.where = options.where;
  report.shard = options.shard;
  report.split = plan.split;
  if (options.shard) report.baselines = baselines_sha256(suite);
  report.settings = settings_sha256(suite, options);
  if (suite.trusted) report.policy = suite.trusted->policy;
  report.changed_since = options.changed_since;
  report.changed_since_commit = plan.changed_since_commit;
  report.nothing_ok = options.nothing_ok;
  report.rehearsal = plan.is_rehearsal();
  report.only = options.only;
  if (options.determinism > 1) report.determinism = options.determinism;
  report.notes = plan.notes;
  const auto renames = plan.orphans.empty() ? std::vector<Rename>{} : find_renames(suite);
  for (const std::string& name : plan.orphans) report.cases.push_back(orphan_report(suite, name, renames));
  for (const PlannedCase& planned : plan.cases)
    report.cases.push_back(planned_case_report(planned, options, report.started.substr(0, 10)));
  std::ranges::stable_sort(report.cases, natural_less, &CaseReport::name);
  report.exit_code = exit_code_of(report, plan.named);
  return report;
}

}  // namespace gate::app
