// stages.json: what the stages of a case have done so far, in the folder that they share.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/base/sentence.h"
#include "gate/model/runs/stage.h"

namespace gate::schema {

// An output of the test, as it was kept in the folder.
struct StagedOutput {
  std::string name;
  std::string file;    // seen from the folder
  std::string sha256;  // of it
  Sentence missing;    // why there is none
};

struct StagesFile {
  std::string case_name;
  std::string script_sha256;       // of the test
  std::string environment_sha256;  // of what it was told
  std::map<std::string, std::string> golden =
      {};                             // SHA-256 of golden files when the test began; "": not there
  std::vector<StageResult> stages;    // each once, in the order in which they were done
  std::vector<StagedOutput> outputs;  // of the test
  std::string log;                    // of the test, seen from the folder; "": it has not run

  // Return what is known of the stage, or nullptr.
  const StageResult* find(Stage stage) const;

  // Put the stage in the place of an earlier one, and leave out the stages behind it: they are to be done
  // anew.
  void put(StageResult result);
};

// Return the file: schema gate.stages/1.
std::string write_stages(const StagesFile& stages);

// Return what the file says, or its mistakes as `FILE:line:column: ...`.
Result<StagesFile> read_stages(std::string_view text, const std::string& file);

}  // namespace gate::schema
