// What the places of stages and golden files tell of a run.
#pragma once

#include <string>
#include <vector>

#include "gate/suite/suite.h"

namespace gate::app {

// Return the place with `{case}`, `{run}`, `{test_id}`, `{baseline_id}` and variables of the case, else of
// gate's own, `{env.NAME}`, told in it. Fails where nothing tells one of them - `run` is "" where there is no
// run yet -, and where a variable says what leads out of the place.
Result<std::string> told_in_place(const Suite& suite, const config::Case& spec, const std::string& run,
                                  std::string place);

// Return the path, or a text that begins with it, as people know it: seen from the suite, and `main:a/b.txt`
// of a git ref that judges it; what is elsewhere stays as it is.
std::string from_suite(const Suite& suite, std::string path);

// Return the places from which the case's download stage brings something, as far as that is told before a
// run; and of these the files and folders of this host, as whole paths.
std::vector<std::string> downloaded_places(const Suite& suite, const config::Case& spec);
std::vector<fs::Path> downloaded_paths(const Suite& suite, const config::Case& spec);

}  // namespace gate::app
