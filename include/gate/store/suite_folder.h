// Where a suite keeps its baselines, and which of them a case is judged against.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/model/runs/baseline.h"

namespace gate::store {

class FolderLock;

// Whose numbers a file holds, and where they are valid.
struct BaselinePlace {
  std::string platform;  // or a group of platforms; "": any
  std::string case_name;
  std::string environment = {};  // "": any

  // Return `nvidia-a100@lts`; `general` where neither is named.
  std::string name() const { return platform_name(place_word(platform, environment)); }
  bool operator==(const BaselinePlace&) const = default;
  auto operator<=>(const BaselinePlace&) const = default;
};

// Return the place that a candidate says it is for.
BaselinePlace place_of(const Baseline& candidate);

// One baseline file that was found and read.
struct BaselineFile {
  std::string path;  // relative to the suite
  BaselinePlace place;
  std::string sha256;
  Baseline baseline;
};

// Where the files of some cases lie. `path_template` has {case} or {name}, and may have {platform}. Without
// it a platform is a folder in front of the path part with the case; with it, the general file lacks it and
// one separator beside it. An environment stands behind the platform: `<platform>@<environment>`, or
// `@<environment>` for any platform.
struct BaselineScheme {
  std::string path_template = "baselines/{case}.json";
  std::string prefix = {};  // of the cases' names: {case} is what follows it; {name} is their last part

  bool operator==(const BaselineScheme&) const = default;
};

// Where baselines lie: by default `baselines/{case}.json` for any platform and
// `baselines/<platform>/{case}.json` for one.
struct BaselineLayout {
  fs::Path root;
  std::vector<BaselineScheme> schemes{1};                     // one at least
  std::map<std::string, std::vector<std::string>> platforms;  // group -> members, declared in gate.toml
  bool shared = false;                                        // .gate is as the umask says
  fs::Path files = {};  // where baselines are read in place of `root`: those of a git ref; "": nowhere else
  // Of the cases that are known: which scheme each has. Others have the first whose prefix is the longest of
  // theirs.
  std::map<std::string, std::size_t, std::less<>> scheme_of = {};
  std::map<std::string, std::string, std::less<>> case_of_path = {};  // whose the general file is
};

// Tell the layout of a case. Fails where another case has the same file.
Status add_case(BaselineLayout& layout, const std::string& case_name, std::size_t scheme);

// Add the cases of files that no case of a scheme with {name} has: each is called prefix and name.
void add_orphans(BaselineLayout& layout);

// Return the folder below which the files of baselines are read.
inline const fs::Path& folder_of_files(const BaselineLayout& layout) {
  return layout.files.empty() ? layout.root : layout.files;
}

// Make .gate, where runs, candidates and the history lie, for this user alone, unless it is shared, and hide
// what is in it from git. One that is there stays as it is.
Status make_gate_folder(const BaselineLayout& layout);

// Fail unless the name is a path below a folder: not empty or absolute, no part empty, `.` or `..`, no
// control character.
Status check_case_name(const std::string& case_name);

// Tell whether the first folder below `baselines/` is a platform: cpu, ascend-*, nvidia-*, amd-*, or declared
// (a group, or a member, which may be a glob).
bool is_platform(const BaselineLayout& layout, const std::string& name);

// Fail unless the name is one of an environment: letters, digits, `.`, `_`, `-`, the first one no `.` or `-`,
// 40 characters at most. "" is none, and right.
Status check_environment(const std::string& name);

// Return platform and environment of the word (see place_word()), case name left out; nothing if it is none.
// `general` is of any.
std::optional<BaselinePlace> parse_place(const BaselineLayout& layout, std::string_view word);

// Return the path (relative to the suite) of a baseline.
std::string baseline_path(const BaselineLayout& layout, const BaselinePlace& place);

// Return that path. Fails unless the file would be read as the baseline of that very place: a name that is
// not safe, or hidden, or a path that is another place's.
Result<std::string> check_place(const BaselineLayout& layout, const BaselinePlace& place);

// Return the places at which each case has a baseline file, sorted. The folder of baselines is listed once:
// for many cases ask this.
std::map<std::string, std::vector<BaselinePlace>> places_by_case(const BaselineLayout& layout);

// Likewise, for who must know all of them: fails where a folder could not be listed.
Result<std::map<std::string, std::vector<BaselinePlace>>> read_places(const BaselineLayout& layout);

// Return those of one case, none where it has no baseline file.
std::vector<BaselinePlace> baseline_places(const BaselineLayout& layout, const std::string& case_name);

// Return the names of all cases that have a baseline file, sorted.
std::vector<std::string> baseline_cases(const BaselineLayout& layout);

// Tell whether the platform is a member of that group of [platforms].
bool is_in_group(const BaselineLayout& layout, const std::string& group, const std::string& platform);

// Return what older gates called the platform of baselines at such a place: `nvidia-a100-lts` of
// `nvidia-a100@lts`; "" where they had none.
std::string old_platform_of(const BaselinePlace& place);

// Return the names of the places, in their order.
std::vector<std::string> names_of(const std::vector<BaselinePlace>& places);

// Return the places whose files hold for a run of the case there, most specific first: platform and groups
// with the environment, platform and groups without, the environment alone, general. Groups come from the
// smallest on. A run without an environment has those without.
std::vector<BaselinePlace> baseline_chain(const BaselineLayout& layout, const BaselinePlace& run);

// Return the files of that chain that are there. A file from a platform's or group's folder is of the given
// platform; one that says otherwise of itself, or names another case, gets a note. Where there is none for
// platform and `lts`, one of the platform `<platform>-lts` is read in its place, with a note: older gates
// wrote such. Fails if one cannot be read or understood, or the case's name or the environment's is not safe.
Result<std::vector<BaselineFile>> read_baselines(const BaselineLayout& layout, const BaselinePlace& run);

// Return the reference that the files make together: per metric the most specific file that has it.
Reference reference_of(const std::vector<BaselineFile>& files);

// Candidates: recorded or imported, not yet accepted. They lie below .gate/candidates as baselines do by
// default: <case>.json for any platform, <platform>/<case>.json for one, with the environment as there.
fs::Path candidate_path(const BaselineLayout& layout, const BaselinePlace& place);

// Write the candidate to the place that it names. Fails as write_baseline does.
Status write_candidate(const BaselineLayout& layout, const Baseline& candidate,
                       fs::Survives what = fs::Survives::power_loss);

// Remove the candidate unless another one stands in its place by now.
Status remove_candidate(const BaselineLayout& layout, const Baseline& candidate);

// Fails, with what to do, where there is none, and on one that says it is of another platform or environment.
Result<Baseline> read_candidate(const BaselineLayout& layout, const BaselinePlace& place);

// Return the places that hold a candidate, sorted by case, then platform. Fails where a folder cannot be
// listed.
Result<std::vector<BaselinePlace>> candidates(const BaselineLayout& layout);

// Write the baseline to the place, atomically, or to what a link that stands there leads to. What the file
// says of its own platform stays: a general one of `cpu` gates accuracy alone elsewhere. Returns the path
// relative to the suite. Fails if a name is not safe, the platform none, or the place another case's (case
// `cpu/a` has no general baseline: baselines/cpu/a.json is case `a` on cpu).
Result<std::string> write_baseline(const BaselineLayout& layout, const Baseline& baseline,
                                   const BaselinePlace& place);

// Return where a removed baseline with that hash is kept: `a.1f2e3d4c5b6a.json`.
fs::Path removed_path(const BaselineLayout& layout, const BaselinePlace& place, const std::string& sha256);

// Hold the folder of baselines, also where several suites share it, for this process, until the last copy is
// gone; wait for another one that has it. Fails where that takes minutes, or nothing can be locked.
Result<std::shared_ptr<FolderLock>> lock_baselines(const BaselineLayout& layout);

}  // namespace gate::store
