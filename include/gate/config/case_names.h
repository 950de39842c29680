// Names of cases: which files are cases, what their variants are called, which cases the words of a command
// line mean, where a path template points.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/diagnostics.h"
#include "gate/base/result.h"

namespace gate::config {

// What the file of a case is.
enum class CaseKind {
  script,    // it may say settings in #GATE lines
  megatron,  // model_config.yaml of Megatron-LM's functional tests
};

// Cases that are found, launched and judged alike: those of [suite], or of one [group.NAME].
struct CaseGroup {
  std::string name = {};                    // "": that of [suite]
  std::vector<std::string> cases = {};      // globs of files, one at least
  std::vector<std::string> left_out = {};   // of these files, which are no cases: globs without their `!`
  std::vector<std::string> baselines = {};  // paths: one for all globs, or one for each; none: the built-in
  std::string launch = {};                  // words, with {script} and other holes
  std::string cwd = {};
  CaseKind kind = CaseKind::script;
  std::string naming = {};  // how its cases are named, holds {parallelism}; "": as [suite] says

  // Return what stands in front of the names of its cases: `st/`; "" where it has no name.
  std::string prefix() const { return name.empty() ? "" : name + "/"; }
};

// The one axis that gate understands: NODESxDEVICES.
constexpr std::string_view size_axis = "size";

// A value of one axis of a matrix, and where it is written.
struct AxisValue {
  std::string axis, value;  // `size` and `1x8`, `TP` and `2`
  Position at = {};
  std::string origin = {};  // as `gate list --explain` prints it
};

// One choice of a value for each axis of the matrix of a case.
struct Variant {
  std::size_t matrix = 0;         // among the policy's
  std::string base;               // the case: `glm/pretrain`
  std::vector<AxisValue> values;  // size first

  // Return what the variant is called: `glm/pretrain@1x8,TP=2`; a value of the size stands for itself.
  std::string name() const;
};

// Whether a matrix that is of no case is a mistake.
enum class Unmatched { mistake, allowed };

struct CaseScript {
  std::string name;       // of the case: GROUP/, the path of the script as case_path() has it, @VARIANT
  std::string script;     // relative to the suite
  std::size_t group = 0;  // among the policy's groups
  std::size_t glob = 0;   // among the group's
  std::shared_ptr<const Variant> variant = {};  // none: of no matrix

  // Return the name of the case, whatever its variants are.
  const std::string& base() const { return variant ? variant->base : name; }
};

// Return the name of the case that a name of a variant holds, `glm` of `glm@1x8`; any other name as it is.
std::string base_in(std::string_view name);

// Return what a file that the glob selects is called within its group: its path without the glob's fixed
// folder and `.sh`; where the glob ends in the name of another file, as `cases/*/config.yaml`, the folder of
// that file.
std::string case_path(std::string_view cases_glob, std::string_view file);

// Return that no case matches the glob of gate.toml, with the name that is most like it, and of a name the
// files that would be its script.
std::string no_case_matches(std::string_view glob, std::span<const CaseGroup> groups,
                            std::span<const std::string> names);

// Return the cases among the files (relative to the suite, sorted) that the glob selects, sorted by name. A
// path with a part that begins with `_` or `.` is none.
std::vector<CaseScript> find_cases(std::string_view cases_glob, std::span<const std::string> files);

// Return the names that the words select, in the order of `scripts`, each once: exact names, the name of a
// case for all its variants, globs, a script's path (`scripts/foo.sh`, with or without `./`), or, where
// nothing is called so, a key of FlagPerf's as `glm:pytorch:A100:1:8:1` (is_flagperf_case). Every word must
// select something: else an error with a suggestion. No words select all.
Result<std::vector<std::string>> select(std::span<const std::string> words,
                                        std::span<const CaseScript> scripts);

// Return the variable that tells a script the folder of a case that it comes after: GATE_AFTER_ and the name
// in upper case, what is no letter and no digit as `_`.
std::string variable_after(std::string_view case_name);

// Tell whether the text can name a variable of the environment.
bool is_variable_name(std::string_view name);

// Return the keys of the template's holes, in their order; what is not closed is none.
std::vector<std::string> holes_of(std::string_view text);

// Return the variable of the script that a hole is, NAME of `env.NAME`; "" of any other key.
std::string_view variable_of_hole(std::string_view key);

// Return the template with `{key}` replaced; an unknown key is an error with a suggestion.
Result<std::string> expand(std::string_view text, const std::map<std::string, std::string>& values);

}  // namespace gate::config
