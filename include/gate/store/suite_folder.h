// Where a suite keeps its baselines, and which of them a case is judged against.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/model/baseline.h"

namespace gate::store {

// One baseline file that was found and read.
struct BaselineFile {
  std::string path;      // relative to the suite
  std::string platform;  // platform, group, or "" for the general one
  std::string sha256;
  Baseline baseline;
};

// The folder scheme of baselines. `path_template` has {case} and may have {platform}; the default is
// `baselines/{case}.json` for any platform and `baselines/<platform>/{case}.json` for one.
struct BaselineLayout {
  fs::Path root;
  std::string path_template = "baselines/{case}.json";
  std::map<std::string, std::vector<std::string>> platforms;  // group -> members, declared in gate.toml
};

// Tell whether the first folder below `baselines/` is a platform: cpu, ascend-*, nvidia-*, amd-*, or declared.
bool is_platform(const BaselineLayout& layout, const std::string& name);

// Return the path (relative to the suite) of a case's baseline for a platform ("" is general).
std::string baseline_path(const BaselineLayout& layout, const std::string& case_name, const std::string& platform);

// Return the platforms for which the case has a baseline file, "" for the general one, sorted.
std::vector<std::string> baseline_platforms(const BaselineLayout& layout, const std::string& case_name);

// Return the names of all cases that have a baseline file, sorted.
std::vector<std::string> baseline_cases(const BaselineLayout& layout);

// Return the files that apply to the case on the platform, most specific first: platform, groups that contain it,
// general. Empty where there is none. Fails if one cannot be read or understood.
Result<std::vector<BaselineFile>> read_baselines(const BaselineLayout& layout, const std::string& case_name,
                                                 const std::string& platform);

// Return the reference that the files make together: per metric the most specific file that has it.
Reference reference_of(const std::vector<BaselineFile>& files);

// Candidates: recorded, not yet accepted. At .gate/candidates/<case>.json.
fs::Path candidate_path(const fs::Path& root, const std::string& case_name);
Status write_candidate(const fs::Path& root, const Baseline& candidate);
Result<Baseline> read_candidate(const fs::Path& root, const std::string& case_name);
std::vector<std::string> candidate_cases(const fs::Path& root);

// Write the baseline to its place, atomically. Returns the path relative to the suite.
Result<std::string> write_baseline(const BaselineLayout& layout, const Baseline& baseline);

}  // namespace gate::store
