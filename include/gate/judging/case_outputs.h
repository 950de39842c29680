// The outputs of a case: what they are worth, and what that means for how the case is judged.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/sentence.h"
#include "gate/config/policy.h"
#include "gate/model/rules/rule.h"
#include "gate/model/runs/baseline.h"
#include "gate/model/runs/extraction.h"
#include "gate/model/runs/remark.h"
#include "gate/suite/suite.h"

namespace gate::app {

// An output of a launch: the copy that was kept of it, or why there is none.
struct KeptOutput {
  std::string name;
  fs::Path file;
  Sentence missing;
  Sentence unjudged = {};             // why the golden file is none
  std::vector<fs::Path> golden = {};  // what was kept of the golden files; empty: they are where they are
};

// Return the golden files of the output, of a folder of weights its index or its only file. `{stages}/` is
// the folder that the stages of the case share; what is an object of a store lies below `golden/` there, once
// it was fetched.
std::vector<fs::Path> golden_files(const config::CaseOutput& output, const fs::Path& stages);

// Return the file, and behind it the shards that it names where it is an index of weights: those that lie
// beside it, each once.
std::vector<fs::Path> files_of_output(const fs::Path& file);

// Return the globs of what the output may be made of: its own, and that of the shards where it is an index of
// weights, `out/model*.safetensors` of `out/model.safetensors.index.json`.
std::vector<std::string> output_globs(const std::string& file);

// Return the path with the folder that the stages of the case share in place of `{stages}`.
std::string in_stages(const std::string& file, const fs::Path& stages);

// SHA-256 of golden files by their paths; "" of one that is not there.
using GoldenHashes = std::map<std::string, std::string>;

// Return those of all outputs as they are now.
GoldenHashes golden_hashes(const config::Settings& settings, const fs::Path& stages);

// Return the first of the files that is there, and was not the same before; "" if there is none.
std::string changed_golden(const std::vector<fs::Path>& golden, const GoldenHashes& before);

// Score what was kept, and put it into the run: each score as a series of one report, the rest as results. An
// output that is not there makes the run one that does not show what its case is about.
void add_outputs(Extraction& run, const config::Case& spec, const std::vector<KeptOutput>& kept,
                 const fs::Path& stages);

// Return that there is nothing of the output, and why: `output eval: the script wrote no out/eval.json`.
Sentence missing_output_words(const OutputResult& output);

// What the outputs of a run add to how its case is judged.
struct OutputRules {
  std::vector<Rule> rules;                 // of results: one for each score
  std::vector<Metric> metrics;             // of them
  std::vector<ReferenceSeries> golden;     // their golden scores
  std::map<std::string, Remark> withheld;  // metrics that cannot be judged, and why
};
OutputRules rules_of_outputs(const config::Case& spec, const Extraction& run);

// Return what the file is worth: of results one score for each that the golden file, or where there is none
// the file, has; none of an output without a golden file. `missing` says what is wrong with the file - empty,
// no such file, fewer lines than the golden one, the golden file itself -, `unjudged` what is wrong with the
// golden one; there are no scores then. Lines are read as they come: memory is bounded by the longest one.
OutputResult score_output(const std::string& name, const config::CaseOutput& output, const fs::Path& file,
                          const std::vector<fs::Path>& golden);

// Return why an output can be held against no such file: there is none, or nothing of the output's metric in
// it that can be read; "": it can, or it is too large to look into. Whether numbers are finite is not asked.
Sentence why_no_golden(const config::CaseOutput& output, const fs::Path& file);

// Return of each golden file of a run that compares, but objects, why it cannot be used, where gate.toml
// names it, and what to do. `stages` is the folder of stages that are done: what is missing in it the script
// may make. "": none is done, and of a case that downloads nothing is said.
std::vector<Sentence> lacking_golden(const Suite& suite, const config::Case& spec,
                                     const fs::Path& stages = {});

// Return the SHA-256 of an output or a golden file, of an index of weights that of all its shards, too; ""
// where there is no plain file. What is large is read once as long as nothing changes it.
std::string golden_hash(const fs::Path& path);

// Tell whether both paths lead to one file.
bool is_same_file(const fs::Path& a, const fs::Path& b);

}  // namespace gate::app
