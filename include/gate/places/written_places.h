// Where a run may write: nowhere over what is the suite's, nor where it would be taken for that.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

// Fail if the folder that --out names cannot be the run's: it lies among scripts or baselines, holds several
// runs, or what no run left. "" is none.
Answer<void> check_out(const Suite& suite, const std::string& out);

// Return what is the same for two places of object stores that are one object.
using IdentityOfObject = std::function<std::string(const std::string& place)>;

// Fail if a report would be written over what is the suite's: its scripts and baselines, gate.toml, golden
// objects, and what runs write, in .gate and in `out`; and where two would become one object.
Answer<void> check_reports(const Suite& suite, const std::vector<std::string>& paths, const std::string& out,
                           const IdentityOfObject& identity);

}  // namespace gate::app
