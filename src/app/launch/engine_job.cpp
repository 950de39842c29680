#include "app/launch/engine_job.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/plan/command_line.h"
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
                                  .cookie = cookie,
                                  .device_variable = "",
                                  .devices = planned.placement.shape.devices,
                                  .nodes = settings.nodes,
                                  .node_rank = node,
                                  .device_list = "",
                                  .has_ascend_log_path = std::getenv("ASCEND_PROCESS_LOG_PATH") != nullptr});
  if (settings.backend == Backend::slurm)
    for (const char* name : variables_of_nodes(settings)) env.erase(name);
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

}  // namespace

Result<hosts::JobRequest> job_request(const Suite& suite, const PlannedCase& planned,
                                      const RunOptions& options, const JobPlace& place) {
  const config::Settings& settings = planned.spec->settings;
  hosts::JobRequest request;
  request.name = planned.spec->name;
  request.run = place.run;
  request.launch = place.cookie;
  request.folder = place.folder / ("job-" + fs::sha256(place.cookie).substr(0, 12));
  request.agents = place.agents;
  request.devices = planned.placement.shape.devices;
  request.time = settings.timeout + settings.grace + margin;
  request.grace = settings.grace;
  request.slurm = settings.slurm;
  GATE_TRY(request.slurm.gres,
           config::expand(settings.slurm.gres, {{"devices", std::to_string(request.devices)}}));
  request.kubernetes = settings.kubernetes;
  request.container = settings.container;
  request.variables = names_of_variables();
  launch::Command command;
  command.cwd = planned.spec->cwd;
  command.setup = setup_of(planned);
  const std::string& platform = planned.placement.platform;
  for (const std::string& need : config::needs_on(settings, platform))
    command.needs.push_back((fs::Path(planned.spec->cwd) / need).lexically_normal().string());
  std::string data_dir = config::data_dir_on(settings, platform);
  if (!data_dir.empty()) data_dir = (fs::Path(planned.spec->cwd) / data_dir).lexically_normal().string();
  for (int node = 0; node < settings.nodes; ++node) {
    command.cookie = place.cookie + (node == 0 ? "" : "." + std::to_string(node));
    GATE_TRY(command.env, node_environment(planned, place, data_dir, command.cookie, node));
    std::map<std::string, std::string> known = command.env;
    for (const char* name : variables_of_nodes(settings))
      if (!settings.env.contains(name)) known.erase(name);
    GATE_TRY(command.argv, command_line(planned, options, suite.root / planned.spec->script,
                                        static_cast<std::size_t>(node), known));
    request.nodes.push_back(command);
  }
  return request;
}

std::string planned_job(const Suite& suite, const PlannedCase& planned, const RunOptions& options) {
  if (!is_engine(planned.spec->settings.backend)) return "";
  const fs::Path own = std::filesystem::absolute(suite.root / ".gate").lexically_normal();
  const fs::Path run = own / "runs" / "RUN";
  const JobPlace place{"RUN",
                       run,
                       run / planned.spec->name,
                       "RUN." + planned.spec->name + ".1",
                       own / "agents",
                       planned_folders(*planned.spec, run),
                       config::has_checkpoints(planned.spec->settings)
                           ? (run / planned.spec->name / "checkpoints").string()
                           : ""};
  Result<hosts::JobRequest> request = job_request(suite, planned, options, place);
  if (!request) return request.error().message;
  mask_values(*request, masker_for(suite));
  return hosts::dry_run(hosts::engine_of(planned.spec->settings.backend), *request);
}

}  // namespace gate::app
