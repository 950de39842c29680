#include "gate/launch/environment.h"

#include <algorithm>

namespace gate::launch {

namespace {

std::string selection_variable(const std::string& platform) {
  if (platform.starts_with("ascend")) return "ASCEND_RT_VISIBLE_DEVICES";
  if (platform.starts_with("nvidia")) return "CUDA_VISIBLE_DEVICES";
  if (platform.starts_with("amd")) return "HIP_VISIBLE_DEVICES";
  return "";
}

}  // namespace

std::map<std::string, std::string> script_environment(const ScriptFacts& facts) {
  const std::string per_node = std::to_string(std::max(1, facts.devices));
  std::map<std::string, std::string> env{
      {"NNODES", std::to_string(facts.nodes)},
      {"NODE_RANK", "0"},
      {"MASTER_ADDR", "127.0.0.1"},
      {"MASTER_PORT", std::to_string(facts.master_port)},
      {"NPROC_PER_NODE", per_node},
      {"WORLD_SIZE", std::to_string(std::max(1, facts.devices) * facts.nodes)},
      {"GPUS_PER_NODE", per_node},
      {"NPUS_PER_NODE", per_node},
      {"PYTHONUNBUFFERED", "1"},
      {"GATE_CASE", facts.case_name},
      {"GATE_RUN_ID", facts.run_id},
      {"GATE_RUN_DIR", facts.run_folder},
      {"GATE_SCRATCH", facts.scratch},
      {"GATE_LAUNCH", facts.cookie},
  };
  if (!facts.has_ascend_log_path) env["ASCEND_PROCESS_LOG_PATH"] = facts.case_folder + "/ascend";
  const std::string variable = selection_variable(facts.platform);
  if (!variable.empty() && !facts.device_list.empty()) env[variable] = facts.device_list;
  return env;
}

}  // namespace gate::launch
