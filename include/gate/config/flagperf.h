// FlagPerf's own files as values: its cases, its hosts, and the layers of a case's parameters. Text in,
// values out; nothing is executed (python_literals.h).
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/diagnostics.h"
#include "gate/base/result.h"
#include "gate/config/policy.h"
#include "gate/config/python_literals.h"

namespace gate::config {

// A case of test_conf.py: `"model:framework[_version]:hardware:nodes:devices:repeat": "data folder"`.
struct FlagPerfCase {
  std::string key;  // as written
  std::string model, framework, version, hardware;
  int nodes = 1, devices = 1, repeat = 1;  // devices of a node
  std::string data_dir;
  Position at;  // of the key

  // Return what gate calls the case, and its size: `glm/pytorch`, `1x8`.
  std::string name() const { return model + "/" + framework; }
  std::string size() const { return std::to_string(nodes) + "x" + std::to_string(devices); }
};

// The variable of a case's script that says its hardware, and the axis of a matrix that does.
constexpr std::string_view flagperf_hardware = "FLAGPERF_HARDWARE";

// Return the hardware that the variable says; nullptr of a case that FlagPerf does not start.
const std::string* flagperf_hardware_of(const Settings& settings);

// Return the case that the text is as a key of CASES, with neither folder nor place; else fail with why it is
// none.
Result<FlagPerfCase> read_flagperf_key(std::string_view key);

// Tell whether a case of that name is what the key says: MODEL/FRAMEWORK@SIZE, whatever stands before it, and
// where it has an axis of hardware, the key's. Version and repeat are no part of a name.
bool is_flagperf_case(const FlagPerfCase& key, std::string_view case_name);

// A key of CASES that stands there again: the first one counts.
struct FlagPerfTwin {
  std::string key;
  Position at;
  int first_line = 0;
};

// What test_conf.py says. A text that is missing, None or no literal is none.
struct FlagPerfTests {
  std::string vendor;
  Position vendor_at;
  std::optional<std::string> container_options, visible_devices, path, pip_source, shm_size;
  bool clears_caches = false;
  std::vector<FlagPerfCase> cases;
  std::vector<FlagPerfTwin> twins;
};

// Return what test_conf.py sets. Mistakes are: no VENDOR, no CASES, one of them that is no literal, a key
// that is not of the form above (each word one of letters, digits and `_.-`, for they become paths; 1 to 4096
// nodes and devices, 1 to 1000 repeats), and a folder that is no text or one that a
// shell would not take as it stands, which FlagPerf's own scripts have it do: of letters, digits and
// `/._-+=,:@%`, without a dash in front.
Parsed<FlagPerfTests> read_flagperf_tests(std::string_view text, const std::string& file);

struct FlagPerfHost {
  std::string name;
  Position at;
};

// What cluster_conf.py says; without HOSTS there are none.
struct FlagPerfCluster {
  std::vector<FlagPerfHost> hosts;
  std::vector<std::string> host_ports;
  std::optional<int> master_port, ssh_port;
};

// Mistakes are HOSTS that are no list of names, a name that is no host's, one that stands twice, and a port
// that is none.
Parsed<FlagPerfCluster> read_flagperf_cluster(std::string_view text, const std::string& file);

// The files of a case, from FlagPerf's folder `training` on.
struct FlagPerfPaths {
  std::string base, mutable_params;       // of the benchmark
  std::string vendor_config;              // config_HARDWAREx1x8.py
  std::string environment, requirements;  // beside it; found, not read
};

FlagPerfPaths flagperf_paths(const FlagPerfCase& of_case, std::string_view vendor);

// Return the names that a vendor may set, `vendor` among them. A list that is missing or no list of texts is
// a mistake.
Parsed<std::vector<std::string>> read_mutable_params(std::string_view text, const std::string& file);

struct FlagPerfParameter {
  std::string name;
  std::string text;  // of a text what it says, else as Python writes it; "" where it is not told
  bool is_told = true;
  bool is_number = false, is_text = false;
  Position at;                        // of the layer that holds
  std::optional<Position> overrides;  // where the layer below sets it
};

// A parameter that the vendor's file sets although it is not mutable.
struct FlagPerfOverreach {
  std::string name;
  Position vendor_at;
  std::optional<Position> base_at;
};

struct FlagPerfLayers {
  // In the order of _base.py, then what only the vendor sets. What the vendor sets over _base.py although it
  // is not mutable does not hold here.
  std::vector<FlagPerfParameter> parameters;
  std::vector<FlagPerfOverreach> not_mutable;
  std::vector<StarImport> imports;  // of both files: names from elsewhere that are not among these

  const FlagPerfParameter* find(std::string_view name) const;
};

// Return the parameters of a case: those of _base.py under the vendor's config file, whose None sets nothing,
// as in FlagPerf. Without a list of what is mutable all is.
FlagPerfLayers flagperf_layers(const PythonFile& base, const PythonFile& vendor,
                               const std::optional<std::vector<std::string>>& mutable_params);

// What a case is to reach.
struct FlagPerfTarget {
  std::string parameter;  // target_acc
  std::string metric;     // final_accuracy
  std::string bound;      // `>=`, `<=`
  std::string value;      // as written, a number
  Position at;
};

// Return the targets that the layers name (target_acc, target_bleu, target_ppl ...), one for each metric;
// None is none. One that is no number as it is written is a mistake.
Parsed<std::vector<FlagPerfTarget>> flagperf_targets(const FlagPerfLayers& layers);

// Tell whether the text of run_pretraining.py has a key for the metric in its finished_info; nothing where it
// has no such thing itself.
std::optional<bool> flagperf_says(std::string_view script, std::string_view metric);

// A number that finished_info says, and how it is judged. Where a run does not say it, the case is not green.
struct FlagPerfDemand {
  std::string_view metric, tolerance;
  bool is_of_all = false;  // FlagPerf's rules for cases ask every case for it
};

std::span<const FlagPerfDemand> flagperf_demands();

// Return the keys that FlagPerf's rules for cases ask for and the script's finished_info does not have; none
// where it has no such thing itself.
std::vector<std::string> flagperf_unsaid(std::string_view script);

// Return what the layers want below the folder of data: train_data, eval_data and init_checkpoint, as far as
// they are relative paths of plain characters that stay below it. Each once.
std::vector<std::string> flagperf_needs(const FlagPerfLayers& layers);

// Return those of the three that are told, and no path that stays below the folder of data.
std::vector<const FlagPerfParameter*> flagperf_outside(const FlagPerfLayers& layers);

// Tell of each `import` of a package that no standard case has, of one vendor's devices: the package, and the
// lines; comments and texts of several lines are passed over.
std::map<std::string, std::vector<int>> flagperf_foreign_imports(std::string_view python);

// Return globs of gate's platforms that the vendor's hardware is: `nvidia-a100` and `nvidia-a100-*` of nvidia
// and A100; `weird-*` of a vendor whose devices gate does not select; none for a word that is no model of a
// device.
std::vector<std::string> flagperf_platforms(std::string_view vendor, std::string_view hardware);

// Tell whether gate leases and selects the vendor's devices.
bool selects_devices_of(std::string_view vendor);

// Return what requirements.txt names, a line each, without comments and options.
std::vector<std::string> read_requirements(std::string_view text);

}  // namespace gate::config
