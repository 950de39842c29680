// Names of cases: which files are cases, which cases the words of a command line mean, where a path template
// points.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"

namespace gate::config {

struct CaseScript {
  std::string name;    // the path of the script without the glob's fixed folder and `.sh`
  std::string script;  // relative to the suite
};

// Return the cases among the files (relative to the suite, sorted) that the glob selects, sorted by name. A
// path with a part that begins with `_` or `.` is none.
std::vector<CaseScript> find_cases(std::string_view cases_glob, std::span<const std::string> files);

// Return the names that the words select, in the order of `scripts`, each once: exact names, globs, or a
// script's path (`scripts/foo.sh`, with or without `./`). Every word must select something: else an error
// with a suggestion. No words select all.
Result<std::vector<std::string>> select(std::span<const std::string> words,
                                        std::span<const CaseScript> scripts);

// Return the variable that tells a script the folder of a case that it comes after: GATE_AFTER_ and the name
// in upper case, what is no letter and no digit as `_`.
std::string variable_after(std::string_view case_name);

// Return the template with `{key}` replaced; an unknown key is an error with a suggestion.
Result<std::string> expand(std::string_view text, const std::map<std::string, std::string>& values);

}  // namespace gate::config
