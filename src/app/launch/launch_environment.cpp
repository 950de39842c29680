#include "app/launch/launch_environment.h"

#include "app/host/git_tree.h"
#include "app/launch/stages.h"
#include "app/plan/command_line.h"
#include "app/tests/pytest_launch.h"
#include "gate/base/text.h"
#include "gate/launch/environment.h"

namespace gate::app {

namespace {

// Return the k-th word of a host's SSH_CONNECTION, from 0: the address of gate's host as it sees it, gate's
// port, its own address as gate sees it, its port.
std::string connection_word(const Host& host, std::size_t k) {
  const std::string connection = host.variable("SSH_CONNECTION").value_or("");
  const std::vector<std::string_view> words = split_words(connection);
  return k < words.size() ? std::string(words[k]) : "";
}

// Where the other nodes reach the first one.
std::string master_address(const LaunchContext& context, const std::vector<int>& hosts) {
  constexpr const char* only_node = "127.0.0.1";
  if (hosts.size() == 1) return only_node;
  const std::string address = hosts.front() == 0 ? connection_word(hosts_in(context).at(hosts[1]), 0)
                                                 : connection_word(hosts_in(context).at(hosts.front()), 2);
  return address.empty() ? hosts_in(context).name(hosts.front()) : address;
}

// As the host of the launch calls them.
std::map<std::string, std::string> folders_before(const LaunchContext& context, const LaunchAttempt& attempt,
                                                  const NodeFiles::Folders& there) {
  std::map<std::string, std::string> folders;
  for (const auto& [variable, folder] : attempt.before) {
    const auto below = path_below(folder, context.folder.path());
    folders[variable] =
        (below ? std::filesystem::absolute(there.run) / *below : folder).lexically_normal().string();
  }
  return folders;
}

}  // namespace

std::string data_dir(const PlannedCase& planned, const Host& host) {
  const std::string folder = config::data_dir_on(planned.spec->settings, planned.placement.platform);
  if (folder.empty()) return "";
  return host.path_there((fs::Path(planned.spec->cwd) / folder).lexically_normal()).string();
}

Result<std::map<std::string, std::string>> environment_of(const LaunchContext& context,
                                                          const PlannedCase& planned,
                                                          const LaunchAttempt& attempt,
                                                          const NodeFiles::Folders& folders,
                                                          const std::string& cookie, std::size_t node) {
  const std::vector<int>& hosts = attempt.reservation.hosts;
  const config::Settings& settings = planned.spec->settings;
  std::string variable;
  if (planned.placement.rehearsed)
    variable = devices::selection_variable(devices::vendor_of(planned.placement.platform));
  std::vector<std::string> indices;
  for (const Device& device : attempt.reservation.devices) {
    if (device.host != hosts[node]) continue;
    indices.push_back(std::to_string(device.index));
    variable = devices::selection_variable(device.vendor);
  }
  std::map<std::string, std::string> env = launch::script_environment(
      {.case_name = planned.spec->name,
       .run_id = context.folder.id(),
       .run_folder = folders.run.string(),
       .case_folder = folders.launch.string(),
       .before = folders_before(context, attempt, folders),
       .data_dir = data_dir(planned, hosts_in(context).at(hosts[node])),
       .scratch = folders.scratch.string(),
       .phase = config::phase_name(settings, planned.phase),
       .start = settings.fault ? attempt.start : 0,
       .checkpoints = folders.checkpoints.string(),
       .stages = has_stages(*planned.spec) ? stages_folder(context, *planned.spec).string() : "",
       .cookie = cookie,
       .device_variable = variable,
       .devices = planned.placement.told_devices(),
       .nodes = planned.placement.shape.nodes,
       .node_rank = static_cast<int>(node),
       .master_address = master_address(context, hosts),
       .device_list = join(indices, ","),
       .master_port = attempt.reservation.port,
       .has_ascend_log_path =
           hosts_in(context).at(hosts[node]).variable("ASCEND_PROCESS_LOG_PATH").has_value()});
  GATE_TRY_STATUS(add_variables(env, planned));
  const Host& host = hosts_in(context).at(hosts[node]);
  if (node == 0)
    ask_for_tests(env, settings,
                  settings.container.is_used() ? "" : host.variable("PYTEST_ADDOPTS").value_or(""), cookie);
  return env;
}

}  // namespace gate::app
