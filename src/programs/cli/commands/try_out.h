// What the suite that gate init wrote is worth: the commands that a user would type next are tried on it.
#pragma once

#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/places/environment.h"
#include "gate/stored/init.h"

namespace gate::cli {

// What a command says of the suite that gate init wrote.
struct InitTrial {
  std::string command;         // `gate run --dry-run --platform nvidia-h100`
  Sentence said;               // `115 to run, 1 unjudged, 217 skipped`
  std::vector<Sentence> left;  // what is left to do, a line each
};

// Return what list, import and a dry run, on each platform that most cases name, say of what init wrote.
// Writes nothing.
std::vector<InitTrial> try_out(const app::Init& init, app::Environment& environment);

}  // namespace gate::cli
