// `gate report --merge`: one report of several runs, such as the shards of one suite.
#pragma once

#include <string>
#include <vector>

#include "gate/model/reports/report.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

// Return the report that one run of all these cases would have made, with its exit code. The runs are named
// as store::read_run takes them. Of two runs of one shard the one that started later counts, and a note says
// so; a shard that none of them is of is named, and the report is not green.
//
// Fails (2) where the runs do not belong together: of another suite, commit, gate, platform or settings, of
// other cases or tags, of suites that were split otherwise; where one is named twice, a case is in two of
// them, or the cases of all shards are not those that the suite was split into; and for what is no run.
//
// Paths of a case lead into the folder that its run has now. What is not there is no artifact any more, and
// the place of a value in it is told from the case's folder on.
Answer<Report> merge_runs(const Suite& suite, const std::vector<std::string>& runs);

}  // namespace gate::app
