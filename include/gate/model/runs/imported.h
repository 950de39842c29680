// What golden files became, and what was accepted.
#pragma once

#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/runs/baseline.h"

namespace gate {

struct ImportedFile {
  std::string path;  // below the folder
  bool has_script = false;
  Baseline candidate;
};

struct RefusedFile {
  std::string path;  // of a folder that could not be listed, with a slash at its end
  std::string why;
};

struct TreeImport {
  std::vector<ImportedFile> imported;  // by path
  std::vector<RefusedFile> refused;
  std::string gate_toml;                    // the margins of all cases as rules, to paste; "" without any
  std::vector<std::string> without_script;  // cases, each once
  std::vector<std::string> second_runs;     // files of Megatron-LM's second runs, which are no baselines
};

struct Accepted {
  std::string case_name;
  std::string path;                  // of the baseline, relative to the suite; "": it was left out
  std::vector<Sentence> warnings;    // why it was left out; what was red or drifted, for people
  std::vector<Sentence> lines = {};  // what it holds, for people
};

}  // namespace gate
