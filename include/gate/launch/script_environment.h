// What a script is told through its environment. A pure function; a script that assigns a variable itself
// keeps its own.
#pragma once

#include <map>
#include <string>

namespace gate::launch {

struct ScriptFacts {
  std::string case_name;
  std::string run_id;
  std::string run_folder;                          // of the run
  std::string case_folder;                         // of the launch in it
  std::map<std::string, std::string> before = {};  // variables: the folders of cases that passed before
  std::string data_dir = {};                       // of the case; "": none
  std::string scratch;                             // a folder of the script's own, gone after it
  std::string phase = {};                          // "": the script is started once
  int start = 0;                                   // which start of the script it is; 0: there is but one
  std::string checkpoints = {};                    // the folder that all starts in one run share; "": none
  std::string stages = {};  // the folder that the stages of the case share; "": it has none
  std::string stage = {};   // which one it is; "": the script itself
  std::string cookie;
  std::string device_variable;  // by which the vendor's devices are selected; "" for a case that uses none
  int devices = 0;              // of a node
  int nodes = 1;
  int node_rank = 0;
  std::string master_address = "127.0.0.1";
  std::string device_list;  // `0,1,4`; "": none at all
  int master_port = 29500;
  bool has_ascend_log_path = false;  // ASCEND_PROCESS_LOG_PATH is set already
};

// Return NNODES NODE_RANK MASTER_ADDR MASTER_PORT NPROC_PER_NODE WORLD_SIZE GPUS_PER_NODE NPUS_PER_NODE, the
// vendor's device selection where the case uses devices, CUDA_DEVICE_ORDER=PCI_BUS_ID for NVIDIA's (CUDA
// counts otherwise than nvidia-smi), PYTHONUNBUFFERED, ASCEND_PROCESS_LOG_PATH, and
// GATE_CASE GATE_RUN_ID GATE_RUN_DIR GATE_LAUNCH GATE_LAUNCH_DIR GATE_DATA_DIR GATE_PHASE
// GATE_START GATE_CHECKPOINT_DIR GATE_STAGES_DIR GATE_STAGE, and the folders of cases before it.
std::map<std::string, std::string> script_environment(const ScriptFacts& facts);

}  // namespace gate::launch
