// What may stand at a place of a command line: for the shells' completion.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/syntax.h"

namespace gate::cli {

struct Candidate {
  std::string word;
  std::string doc;
};

struct Completion {
  std::vector<Candidate> candidates;
  bool takes_files = false, takes_folders = false;  // names of such, besides
};

// Return what the last of the words behind `gate` may become, whatever it begins with: shells choose by that
// themselves. The suite is looked for as the words say; without one, or with one that has mistakes, there are
// none of its names.
Completion complete(const std::vector<CommandSyntax>& syntax, const std::vector<std::string>& words);

// Return one line for each candidate, the word, a tab and its doc, and a line for files and for folders,
// without a word. What has a control character is left out: no shell could be told of it.
std::string completion_lines(const Completion& completion);

// Return the script that teaches a shell to complete, or nullptr for one that is not known. It asks the
// program for each word, so it stays true when the program becomes another.
const char* completion_script(std::string_view shell);

}  // namespace gate::cli
