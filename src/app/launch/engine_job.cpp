#include "app/launch/engine_job.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "app/plan/command_line.h"
#include "app/plan/shared_folders.h"
#include "app/tests/pytest_launch.h"
#include "gate/app/secrets.h"
#include "gate/base/secrets.h"
#include "gate/base/text.h"
#include "gate/config/names.h"
#include "gate/launch/environment.h"

extern char** environ;

namespace gate::app {

namespace {

constexpr Duration margin = std::chrono::minutes(5);  // the engine's limit is to come behind gate's own

std::vector<std::string> names_of_variables() {
  std::vector<std::string> names;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    names.emplace_back(text.substr(0, text.find('=')));
  }
  std::ranges::sort(names);
  return names;
}

// Where a node of Slurm's is reached its agent says, unless the case does: nobody here knows which it will
// be.
Result<std::map<std::string, std::string>> node_environment(const PlannedCase& planned, const JobPlace& place,
                                                            const std::string& data_dir,
                                                            const std::string& cookie, int node) {
  const config::Settings& settings = planned.spec->settings;
  std::map<std::string, std::string> env =
      launch::script_environment({.case_name = planned.spec->name,
                                  .run_id = place.run,
                                  .run_folder = place.run_folder.string(),
                                  .case_folder = place.folder.string(),
                                  .before = place.before,
                                  .data_dir = data_dir,
                                  .scratch = (place.folder / "scratch").string(),
                                  .phase = config::phase_name(settings, planned.phase),
                                  .checkpoints = place.checkpoints,
                                  .stages = place.stages,
                                  .cookie = cookie,
                                  .device_variable = "",
                                  .devices = planned.placement.told_devices(),
                                  .nodes = planned.placement.shape.nodes,
                                  .node_rank = node,
                                  .device_list = "",
                                  .has_ascend_log_path = std::getenv("ASCEND_PROCESS_LOG_PATH") != nullptr});
  if (settings.backend == Backend::slurm)
    for (const char* name : variables_of_nodes(planned)) env.erase(name);
  GATE_TRY_STATUS(add_variables(env, planned));
  const char* const inherited = std::getenv("PYTEST_ADDOPTS");
  const bool inherits = settings.backend == Backend::slurm && !settings.container.is_used();
  if (node == 0) ask_for_tests(env, settings, inherits && inherited != nullptr ? inherited : "", cookie);
  return env;
}

// As they are where each is launched once.
std::map<std::string, std::string> planned_folders(const config::Case& spec, const fs::Path& run) {
  std::map<std::string, std::string> folders;
  for (const std::string& name : spec.settings.after)
    folders[config::variable_after(name)] = (run / name).string();
  return folders;
}

// Before values are quoted: they could not be found any more then.
void mask_values(hosts::JobRequest& request, const Masker& masker) {
  for (launch::Command& node : request.nodes) {
    for (auto& [name, value] : node.env) value = masker.mask(value);
    for (std::string& word : node.argv) word = masker.mask(word);
    node.setup = masker.mask(node.setup);
  }
  for (std::string& word : request.slurm.options) word = masker.mask(word);
}

// What all jobs of the case have in common.
hosts::JobRequest request_of(const config::Case& spec, const JobPlace& place, Duration timeout) {
  const config::Settings& settings = spec.settings;
  hosts::JobRequest request;
  request.name = spec.name;
  request.run = place.run;
  request.launch = place.cookie;
  request.folder = place.folder / ("job-" + fs::sha256(place.cookie).substr(0, 12));
  request.agents = place.agents;
  request.time = timeout + settings.grace + margin;
  request.grace = settings.grace;
  request.slurm = settings.slurm;
  request.kubernetes = settings.kubernetes;
  request.container = settings.container;
  request.variables = names_of_variables();
  return request;
}

// Tell whether the word of sbatch asks for devices, or for nodes with all that they have.
bool asks_for_devices(std::string_view word) {
  constexpr auto options =
      std::to_array<std::string_view>({"--gres", "--gpu", "--cpus-per-gpu", "--mem-per-gpu", "--tres",
                                       "--ntasks-per-gpu", "--exclusive", "-G"});
  return std::ranges::any_of(options, [&](std::string_view option) { return word.starts_with(option); });
}

// `--gres gpu:8` is two words; `--exclusive` never takes a second one.
std::vector<std::string> without_devices(const std::vector<std::string>& options) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& word = options[i];
    if (!asks_for_devices(word)) {
      kept.push_back(word);
      continue;
    }
    const bool is_whole = word.find('=') != std::string::npos || word.starts_with("--exclusive") ||
                          (word.starts_with("-G") && word.size() > 2);
    if (!is_whole) ++i;
  }
  return kept;
}

bool does_stage(const Suite& suite, const RunOptions& options, Stage stage) {
  return (!options.only || *options.only == stage) &&
         (!suite.strategy || suite.strategy->strategy.has_stage(stage));
}

// What a run would submit for the case, in its order.
Result<std::vector<hosts::JobRequest>> requests_of(const Suite& suite, const PlannedCase& planned,
                                                   const RunOptions& options, const JobPlace& place) {
  std::vector<hosts::JobRequest> requests;
  const config::CaseStages& stages = planned.spec->settings.stages;
  for (const Stage stage : {Stage::init, Stage::download}) {
    const std::string name(to_string(stage));
    if (!does_stage(suite, options, stage) || !stages.contains(name) || stages.at(name).command.empty())
      continue;
    JobPlace own = place;
    own.cookie = place.run + "." + planned.spec->name + "." + name;
    GATE_TRY(hosts::JobRequest request, stage_job_request(planned, own, stage));
    requests.push_back(std::move(request));
  }
  if (!has_stages(*planned.spec) || does_stage(suite, options, Stage::test)) {
    GATE_TRY(hosts::JobRequest request, job_request(suite, planned, options, place));
    requests.push_back(std::move(request));
  }
  return requests;
}

}  // namespace

Result<std::map<std::string, std::string>> stage_environment(const PlannedCase& planned,
                                                             const JobPlace& place, Stage stage) {
  std::map<std::string, std::string> env =
      launch::script_environment({.case_name = planned.spec->name,
                                  .run_id = place.run,
                                  .run_folder = place.run_folder.string(),
                                  .case_folder = place.stages,
                                  .scratch = place.stages,
                                  .stages = place.stages,
                                  .stage = std::string(to_string(stage)),
                                  .cookie = place.cookie,
                                  .device_variable = "",
                                  .device_list = "",
                                  .has_ascend_log_path = true});
  GATE_TRY_STATUS(add_variables(env, planned));
  return env;
}

Result<hosts::JobRequest> stage_job_request(const PlannedCase& planned, const JobPlace& place, Stage stage) {
  const std::string name(to_string(stage));
  const config::CaseStage& said = planned.spec->settings.stages.at(name);
  hosts::JobRequest request = request_of(*planned.spec, place, said.timeout);
  request.name += "." + name;
  request.slurm.options = without_devices(request.slurm.options);
  launch::Command command;
  command.cwd = planned.spec->cwd;
  command.argv = said.command;
  command.cookie = place.cookie;
  command.needs = {place.stages};
  GATE_TRY(command.env, stage_environment(planned, place, stage));
  request.nodes.push_back(std::move(command));
  return request;
}

Result<hosts::JobRequest> job_request(const Suite& suite, const PlannedCase& planned,
                                      const RunOptions& options, const JobPlace& place) {
  const config::Settings& settings = planned.spec->settings;
  hosts::JobRequest request = request_of(*planned.spec, place, settings.timeout);
  request.devices = planned.placement.shape.devices;
  GATE_TRY(request.slurm.gres,
           config::expand(settings.slurm.gres, {{"devices", std::to_string(request.devices)}}));
  launch::Command command;
  command.cwd = planned.spec->cwd;
  command.setup = setup_of(planned);
  command.script = suite.root / planned.spec->script;
  command.script_sha256 = planned.script_sha256;
  const std::string& platform = planned.placement.platform;
  for (const std::string& need : config::needs_on(settings, platform))
    command.needs.push_back((fs::Path(planned.spec->cwd) / need).lexically_normal().string());
  std::string data_dir = config::data_dir_on(settings, platform);
  if (!data_dir.empty()) data_dir = (fs::Path(planned.spec->cwd) / data_dir).lexically_normal().string();
  for (int node = 0; node < planned.placement.shape.nodes; ++node) {
    command.cookie = place.cookie + (node == 0 ? "" : "." + std::to_string(node));
    GATE_TRY(command.env, node_environment(planned, place, data_dir, command.cookie, node));
    std::map<std::string, std::string> known = command.env;
    for (const char* name : variables_of_nodes(planned))
      if (!settings.env.contains(name)) known.erase(name);
    GATE_TRY(command.argv, command_line(planned, options, suite.root / planned.spec->script,
                                        static_cast<std::size_t>(node), known));
    if (settings.judge == config::JudgeMode::pytest && node == 0)
      command.watched = place.folder / "scratch" / pytest_files(command.cookie);
    request.nodes.push_back(command);
    command.watched.clear();
  }
  return request;
}

std::string planned_job(const Suite& suite, const PlannedCase& planned, const RunOptions& options) {
  if (!is_engine(planned.spec->settings.backend)) return "";
  const fs::Path own = std::filesystem::absolute(suite.root / ".gate").lexically_normal();
  const fs::Path run = own / "runs" / "RUN";
  const JobPlace place{
      "RUN",
      run,
      run / planned.spec->name,
      "RUN." + planned.spec->name + ".1",
      own / "agents",
      planned_folders(*planned.spec, run),
      config::has_checkpoints(planned.spec->settings) ? (run / planned.spec->name / "checkpoints").string()
                                                      : "",
      has_stages(*planned.spec) ? stages_folder(options, run, planned.spec->name).string() : ""};
  Result<std::vector<hosts::JobRequest>> requests = requests_of(suite, planned, options, place);
  if (!requests) return requests.error().message;
  const Masker masker = masker_for(suite);
  std::string text;
  for (hosts::JobRequest& request : *requests) {
    mask_values(request, masker);
    text += hosts::dry_run(hosts::engine_of(planned.spec->settings.backend), request);
  }
  return text;
}

}  // namespace gate::app
