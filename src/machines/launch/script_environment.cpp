#include "gate/launch/script_environment.h"

#include <algorithm>

namespace gate::launch {

std::map<std::string, std::string> script_environment(const ScriptFacts& facts) {
  const std::string per_node = std::to_string(std::max(1, facts.devices));
  std::map<std::string, std::string> env{
      {"NNODES", std::to_string(facts.nodes)},
      {"NODE_RANK", std::to_string(facts.node_rank)},
      {"MASTER_ADDR", facts.master_address},
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
      {"GATE_LAUNCH_DIR", facts.case_folder},
  };
  if (!facts.data_dir.empty()) env["GATE_DATA_DIR"] = facts.data_dir;
  if (!facts.phase.empty()) env["GATE_PHASE"] = facts.phase;
  if (facts.start > 0) env["GATE_START"] = std::to_string(facts.start);
  if (!facts.checkpoints.empty()) env["GATE_CHECKPOINT_DIR"] = facts.checkpoints;
  if (!facts.stages.empty()) env["GATE_STAGES_DIR"] = facts.stages;
  if (!facts.stage.empty()) env["GATE_STAGE"] = facts.stage;
  env.insert(facts.before.begin(), facts.before.end());
  if (!facts.has_ascend_log_path) env["ASCEND_PROCESS_LOG_PATH"] = facts.case_folder + "/ascend";
  if (!facts.device_variable.empty()) env[facts.device_variable] = facts.device_list;
  // Else CUDA counts otherwise than nvidia-smi does (decision 13).
  if (facts.device_variable == "CUDA_VISIBLE_DEVICES") env["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID";
  return env;
}

}  // namespace gate::launch
