// What git prints, as values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "gate/suite/git_commit.h"

namespace gate::app {

// Return what `git ls-tree -r -z` tells, by its paths: `100644 blob OBJECT\tPATH\0`. What is none of that is
// passed over.
std::map<std::string, GitCommit::Entry> read_tree(std::string_view told);

// Take the next content off what `git cat-file --batch` tells, `OBJECT blob SIZE\nCONTENT\n`; nothing where
// it is not there.
std::optional<std::string> next_content(std::string_view& told);

}  // namespace gate::app
