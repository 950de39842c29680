#include "places/plan/command_line.h"

#include <algorithm>
#include <array>
#include <set>

#include "gate/base/text.h"
#include "gate/config/case_names.h"
#include "gate/config/megatron.h"
#include "gate/devices/discover.h"
#include "gate/launch/script_environment.h"

namespace gate::app {

namespace {

using Variables = std::map<std::string, std::string>;

Result<std::string> put_in(const std::string& text, const Position& at, const Variables& env) {
  const auto expanded = config::expand_variables(text, at, {env.begin(), env.end()});
  if (expanded) return *expanded;
  const std::string mistake = to_string(expanded.error());
  return fail(mistake + (mistake.ends_with("env.DATA_PATH") ? ", or data_dir" : ""));
}

// Puts variables into one another, `A=${B}/a`, `B=${C}`.
class VariableExpansion {
 public:
  // `env` holds all; those of `own` may hold others.
  VariableExpansion(Variables& env, const Variables& own, const std::string& case_name)
      : env_(env), own_(own), case_name_(case_name) {}

  Status expand_all() {
    for (const auto& [name, value] : own_) GATE_TRY_STATUS(expand(name));
    return {};
  }

 private:
  Status expand(const std::string& name) {
    if (!own_.contains(name) || done_.contains(name)) return {};
    const Position at{case_name_ + ": env." + name};
    if (!begun_.insert(name).second)
      return fail(
          to_string(Diagnostic{at, "${" + name + "} means itself; set it in setup, or write its value"}));
    for (const std::string& other : config::variables_in(env_[name])) GATE_TRY_STATUS(expand(other));
    GATE_TRY(env_[name], put_in(env_[name], at, env_));
    done_.insert(name);
    return {};
  }

  Variables& env_;
  const Variables& own_;
  const std::string& case_name_;
  std::set<std::string> begun_, done_;
};

// What tests/functional_tests/shell_test_utils/run_ci_test.sh is given for a case, each in the case's own
// folders. A test that is no resume, and the first run of one, begins where no checkpoint is.
void add_runner_variables(Variables& env, const config::Case& spec, std::size_t phase) {
  const std::string scratch = env["GATE_SCRATCH"];
  const auto data = env.find("GATE_DATA_DIR");
  env["REPEAT"] = "1";
  env["RUN_NUMBER"] = std::to_string(phase + 1);
  env["OUTPUT_PATH"] = scratch + "/output";
  env["TENSORBOARD_PATH"] = scratch + "/tensorboard";
  env["CHECKPOINT_SAVE_PATH"] = env["CHECKPOINT_LOAD_PATH"] = scratch + "/checkpoints";
  env["DATA_CACHE_PATH"] = scratch + "/cache";
  if (config::has_checkpoints(spec.settings))
    env[phase == 0 ? "CHECKPOINT_SAVE_PATH" : "CHECKPOINT_LOAD_PATH"] = env["GATE_CHECKPOINT_DIR"];
  if (data == env.end()) return;
  env["DATA_PATH"] = data->second;
  if (!spec.file.begins_from_scratch || (phase > 0 && spec.file.goes_on_from_data))
    env["CHECKPOINT_LOAD_PATH"] = data->second;
}

// A link to another tracker is replaced, and not written through.
std::string make_newest(int step) {
  const std::string tracker = "\"$GATE_CHECKPOINT_DIR/latest_checkpointed_iteration.txt\"";
  return "rm -f " + tracker + " && echo " + std::to_string(step) + " >" + tracker + " || false\n";
}

// Of the holes, those that an engine's nodes fill each with its own.
bool is_told_on_node(const std::string& hole, const PlannedCase& planned) {
  const std::string_view name = config::variable_of_hole(hole);
  const std::span<const char* const> there = variables_of_nodes(planned);
  if (hole == "node_rank") return there.size() > 2;
  return std::ranges::find(there, name) != there.end();
}

std::string unknown_hole(const std::string& hole, const PlannedCase& planned) {
  const std::string name(config::variable_of_hole(hole));
  return "launch has {" + hole + "}, and " +
         (is_told_on_node(hole, planned)
              ? "what runs on the nodes alone knows it: take it from the environment there"
              : "the case has no such variable: set env." + name);
}

// The holes of `launch` but {args}.
std::map<std::string, std::string> hole_values(const PlannedCase& planned, const fs::Path& script,
                                               std::size_t node, const Variables& env) {
  const config::Case& spec = *planned.spec;
  const std::string& base = spec.variant ? spec.variant->base : spec.name;
  std::map<std::string, std::string> values{{"script", script.string()},
                                            {"folder", script.parent_path().string()},
                                            {"case", spec.name},
                                            {"name", fs::name_of(base)},
                                            {"group", spec.group},
                                            {"devices", std::to_string(planned.placement.told_devices())},
                                            {"nodes", std::to_string(planned.placement.shape.nodes)},
                                            {"node_rank", std::to_string(node)}};
  for (const auto& [name, value] : env) values["env." + name] = value;
  return values;
}

}  // namespace

std::span<const char* const> variables_of_nodes(const PlannedCase& planned) {
  static constexpr std::array names{"MASTER_ADDR", "MASTER_PORT", "NODE_RANK"};
  const PlaceTraits traits = traits_of(planned.spec->settings.backend);
  if (!traits.queues) return {};
  if (!traits.sets_rank) return std::span(names).first(2);
  return std::span(names).first(planned.placement.shape.nodes > 1 ? names.size() : 0);
}

std::string setup_of(const PlannedCase& planned) {
  const config::Settings& settings = planned.spec->settings;
  const std::optional<int> from = config::phase_at(settings, planned.phase).from;
  return (from ? make_newest(*from) : "") + settings.setup;
}

Status add_variables(Variables& env, const PlannedCase& planned) {
  const config::Case& spec = *planned.spec;
  Variables own = config::variables_on(spec, planned.placement.platform);
  for (const auto& [name, value] : config::phase_at(spec.settings, planned.phase).env) own[name] = value;
  if (spec.kind == config::CaseKind::script) {
    for (const auto& [name, value] : own) env[name] = value;
    return {};
  }
  add_runner_variables(env, spec, planned.phase);
  for (const auto& [name, value] : own) env[name] = value;
  return VariableExpansion(env, own, spec.name).expand_all();
}

Result<std::vector<std::string>> command_line(const PlannedCase& planned, const fs::Path& script,
                                              std::size_t node, const Variables& env) {
  const config::Case& spec = *planned.spec;
  for (const std::string& hole : config::holes_of(spec.launch)) {
    const std::string name(config::variable_of_hole(hole));
    const bool is_unknown = name.empty() ? is_told_on_node(hole, planned) : !env.contains(name);
    if (is_unknown) return fail(unknown_hole(hole, planned));
  }
  const auto values = hole_values(planned, script, node, env);
  std::vector<std::string> argv;
  for (const std::string_view word : split_words(spec.launch)) {
    if (word == "{args}") {
      for (const config::CaseWord& arg : config::args_of_phase(spec.file, planned.phase)) {
        GATE_TRY(std::string expanded, put_in(arg.text, arg.at, env));
        argv.push_back(std::move(expanded));
      }
      continue;
    }
    GATE_TRY(std::string expanded, config::expand(word, values));
    argv.push_back(std::move(expanded));
  }
  const std::vector<std::string>& of_phase = config::phase_at(spec.settings, planned.phase).args;
  for (const std::vector<std::string>* words : {&planned.args, &of_phase, &planned.further_words})
    argv.insert(argv.end(), words->begin(), words->end());
  return argv;
}

Status check_command(const PlannedCase& planned) {
  const config::Case& spec = *planned.spec;
  const bool needs_variables =
      spec.kind != config::CaseKind::script || spec.launch.find("{env.") != std::string::npos;
  if (!needs_variables) return {};
  launch::ScriptFacts facts;
  if (!traits_of(spec.settings.backend).queues) {
    facts.device_variable = devices::selection_variable(devices::vendor_of(planned.placement.platform));
    facts.device_list = "0";
  }
  facts.has_ascend_log_path = true;  // it may be there already
  facts.phase = config::phase_name(spec.settings, 0);
  if (config::has_checkpoints(spec.settings)) facts.checkpoints = "checkpoints";
  facts.data_dir = config::data_dir_on(spec.settings, planned.placement.platform);
  for (const std::string& name : spec.settings.after) facts.before[config::variable_after(name)] = "";
  Variables env = launch::script_environment(facts);
  for (const char* name : variables_of_nodes(planned)) env.erase(name);
  for (PlannedCase start = planned; start.phase < config::count_starts(spec.settings); ++start.phase) {
    Variables own = env;
    GATE_TRY_STATUS(add_variables(own, start));
    GATE_TRY_STATUS(command_line(start, spec.script, 0, own).map([](const auto&) {}));
  }
  return {};
}

}  // namespace gate::app
