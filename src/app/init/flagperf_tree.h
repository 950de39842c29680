// A checkout of FlagPerf (training), as `gate init` finds it: test_conf.py says which benchmarks are run in
// which sizes on which hardware, cluster_conf.py on which hosts, and the layers of a case what it needs.
#pragma once

#include "gate/base/fs.h"
#include "gate/config/policy.h"
#include "gate/config/proposal.h"

namespace gate::app {

// Fill the proposal: a case for each benchmark of CASES, a matrix of its sizes, what it needs and is to
// reach, the hosts, and what is not told. Fails with all mistakes of test_conf.py and cluster_conf.py, among
// them cases whose benchmark is not there.
config::Parsed<void> propose_flagperf_tree(const fs::Path& folder, config::Proposal& proposal);

}  // namespace gate::app
