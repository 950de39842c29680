// The first gate.toml of a folder, as text.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/config/margins.h"

namespace gate::config {

struct ProposedCase {
  std::string name;
  std::string devices;  // of a node, as TOML has it: `8`, `"all"`, `[0, 1]`; "": unknown
  int nodes = 1;
  Margins margins;
  bool compares_accuracy = true;  // its golden file, where there is one, holds a loss or the like
};

struct ProposedGroup {
  std::string name;                // "": what [suite] says
  std::vector<std::string> cases;  // globs, one at least
  std::string baselines;           // path with {case} or {name}; "": built-in
  std::string launch;              // "": built-in
  std::string judge;               // "": by series
  std::string kind = {};           // "": scripts
  std::string cwd = {};            // "": built-in
};

// A table of gate.toml beyond those that are made of the cases.
struct ProposedTable {
  std::string name;                                              // as TOML has it: `case."gpt/*"`, `defaults`
  std::string comment = {};                                      // above it; "": none
  std::vector<std::pair<std::string, std::string>> values = {};  // key and value, both as TOML has them

  // Add a text, a list of texts, a number.
  void add(const std::string& key, const std::string& text);
  void add(const std::string& key, const std::vector<std::string>& texts);
  void add(const std::string& key, std::int64_t number);
};

// A command to give next, and what it is for.
struct NextCommand {
  std::string command;
  Sentence purpose = {};  // "": the command says it

  Sentence line() const;
};

// What is known of a folder. Empty texts are left out.
struct Proposal {
  Sentence kind;  // what the folder was taken for
  std::string name;
  std::vector<ProposedGroup> groups;
  std::string profile;          // whose golden files these are
  std::string profile_of = {};  // the first of these files; "": the kind of tree decides it
  std::string environment;      // that runs are of; "": none is told
  std::vector<ProposedCase> all;
  std::vector<std::string> formats;   // that logs are read as; none: found out from what they hold
  std::vector<ProposedTable> tables;  // in their order; those without a value are left out
  std::vector<Sentence> untold;       // what was not detected, a line each
  std::map<std::string, std::vector<Sentence>> unruly = {};  // by case: what its files are not to say
  std::vector<NextCommand> next;
  std::string golden;  // the folder of golden files to import; "": none
};

// The place, below the suite's folder, of the schema that the file's first line names to editors.
inline constexpr std::string_view schema_place = ".gate/schema.json";

// Return a gate.toml with comments that loads where the cases are there. The commonest number of devices is
// the default, or that of the groups of which any is known, with a block for each case that has another; what
// this version does not run (several nodes), what nobody can tell (platform) and margins of golden files are
// comments.
std::string gate_toml(const Proposal& proposal);

}  // namespace gate::config
