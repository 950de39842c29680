// What trees and logs that exist say of a first gate.toml.
//
// Of Megatron-LM cases are folders with a model_config.yaml, and its recipes say which of them run where. Of
// FlagPerf test_conf.py says which benchmarks are run in which sizes on which hardware, cluster_conf.py on
// which hosts, and the layers of a case what it needs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/fs.h"
#include "gate/config/policy.h"
#include "gate/config/proposal.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

// What comes next after each gate.toml that has cases.
inline config::NextCommand list_next() {
  return {"gate list", say({"the cases, what they need, their baselines", "用例、所需资源、基线"})};
}
inline config::NextCommand dry_run_next() {
  return {"gate run --dry-run", say({"what would run", "将会运行什么"})};
}

// Add to the proposal metrics and rules for the numbers that the log's commonest step line prints, or that a
// format reads, and what to do next. `has_cases` tells whether there are scripts beside it. Fails (2) as
// read_logs does, and (3) where no line has a number with a name.
Answer<void> propose_own_log(const std::string& log, bool has_cases, config::Proposal& proposal);

// Put into the proposal what the recipes say of the cases: nodes and devices, or a matrix where a case has
// several sizes; platforms, runs, time limit; environment, scope and cadence as tags; the training script and
// the folder of data. What no recipe says, and which cases gate does not run, is among what is not told.
void complete_megatron_tree(const fs::Path& folder, std::span<const std::string> cases,
                            config::Proposal& proposal);

// Where FlagPerf says which cases there are.
inline constexpr std::string_view flagperf_test_conf = "training/run_benchmarks/config/test_conf.py";

// What the files that gate init read say of a case now.
struct SourceFindings {
  std::string case_name;            // as gate init would call it
  std::string new_key{};            // the tool's name of one that gate.toml has not; "": it has it
  std::vector<Sentence> changed{};  // where gate.toml asks less
  std::vector<Sentence> other{};    // where it says something else, which may be meant
  std::vector<Sentence> lacking{};  // what the tool's rules for cases ask for, and it has not
};

// Return what the files of the tree say of the cases of a suite that was made of them; none of another suite.
std::vector<SourceFindings> flagperf_source_findings(const Suite& suite);
std::vector<SourceFindings> megatron_source_findings(const Suite& suite);
std::vector<SourceFindings> source_findings(const Suite& suite);

// Fill the proposal: a case for each benchmark of CASES, a matrix of its sizes, what it needs and is to
// reach, the hosts, and what is not told. Fails with all mistakes of test_conf.py and cluster_conf.py, among
// them cases whose benchmark is not there.
config::Parsed<void> propose_flagperf_tree(const fs::Path& folder, config::Proposal& proposal);

}  // namespace gate::app
