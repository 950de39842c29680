#include "gate/suite/renames.h"

#include <algorithm>
#include <map>
#include <set>

#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "gate/suite/chosen_cases.h"

namespace gate::app {

namespace {

std::string folded(std::string name) {
  name = to_lower(name);
  std::ranges::replace(name, '_', '-');
  return name;
}

// A baseline of a case that no script has.
struct OrphanFile {
  store::BaselinePlace place;
  Result<Baseline> baseline;
};

// Tell whether gate wrote it, and removes it, too.
bool is_of_gate(const OrphanFile& file) { return file.baseline && file.baseline->origin == "gate"; }

std::vector<OrphanFile> orphan_files(const Suite& suite, const std::vector<store::BaselinePlace>& places) {
  std::vector<OrphanFile> files;
  for (const store::BaselinePlace& place : places) {
    const std::string path = store::baseline_path(suite.layout, place);
    const auto text = fs::read_file(store::folder_of_files(suite.layout) / path);
    files.push_back(
        {place, text.and_then([&](const std::string& it) { return schema::read_baseline(it, path); })});
  }
  return files;
}

// The hashes of the scripts that the baselines were recorded from.
std::set<std::string> recorded_scripts(const std::vector<OrphanFile>& files) {
  std::set<std::string> hashes;
  for (const OrphanFile& file : files)
    if (file.baseline) hashes.insert(file.baseline->provenance.script_sha256);
  hashes.erase("");
  return hashes;
}

// Return the command that gives the files a case's name; "" where it would be refused.
std::string move_of(const Suite& suite, const std::vector<OrphanFile>& files, const std::string& name) {
  const auto is_moved = [&](const OrphanFile& file) {
    store::BaselinePlace to = file.place;
    to.case_name = name;
    const Result<std::string> path = store::check_place(suite.layout, to);
    return file.baseline && path && !fs::is_taken(store::folder_of_files(suite.layout) / *path);
  };
  return std::ranges::all_of(files, is_moved)
             ? "gate baseline mv " + shell_quote(files.front().place.case_name) + " " + shell_quote(name)
             : "";
}

// Tell whether the text ends with `/end`.
bool ends_with_part(const std::string& text, const std::string& end) { return text.ends_with("/" + end); }

class RenameFinder {
 public:
  explicit RenameFinder(const Suite& suite) : suite_(suite), places_(store::places_by_case(suite.layout)) {
    for (const config::CaseScript& found : suite.found) {
      if (places_.contains(found.name)) continue;
      by_hash_.emplace(fs::sha256(fs::read_file(suite.root / found.script).value_or("")), &found);
      by_folded_name_.emplace(folded(found.name), &found);
    }
  }

  Rename find(const std::string& name) {
    const std::vector<OrphanFile> files = orphan_files(suite_, places_.at(name));
    Rename found = named_anew(name, recorded_scripts(files));
    if (found.new_name.empty() || !taken_.insert(found.new_name).second) return found;
    found.command = move_of(suite_, files, found.new_name);
    return found;
  }

 private:
  Rename named_anew(const std::string& name, const std::set<std::string>& hashes) const {
    for (const std::string& hash : hashes)
      if (const auto same = by_hash_.find(hash); same != by_hash_.end())
        return {
            name, same->second->name,
            say({"{} is the script that it was recorded from", " {} 正是录制它的脚本"}, same->second->script),
            ""};
    if (const auto like = by_folded_name_.find(folded(name)); like != by_folded_name_.end())
      return {name, like->second->name,
              say({"the name of case {} is nearly the same", "用例 {} 的名字几乎相同"}, like->second->name),
              ""};
    if (const config::CaseScript* like = begins_likewise(folded(name)))
      return {name, like->name,
              say({"the name of case {} begins likewise", "用例 {} 的名字开头相同"}, like->name), ""};
    return {name, "", suspicion(name), ""};
  }

  // Return the only case whose name is the beginning of this one, or begins with it; none where it is not
  // one.
  const config::CaseScript* begins_likewise(const std::string& name) const {
    const config::CaseScript* found = nullptr;
    for (const auto& [other, script] : by_folded_name_) {
      if (!other.starts_with(name + "-") && !name.starts_with(other + "-")) continue;
      if (found != nullptr) return nullptr;
      found = script;
    }
    return found;
  }

  Sentence suspicion(const std::string& name) const {
    const std::size_t slash = name.find('/');
    const std::string first = name.substr(0, slash);
    const std::string rest = slash == std::string::npos ? "" : name.substr(slash + 1);
    if (suite_.find(rest) != nullptr)
      return say({"{}/ may be a platform, and {} the case: declare it under [platforms] in gate.toml",
                  "{}/ 可能是平台，而 {} 是用例：请在 gate.toml 的 [platforms] 下声明它"},
                 first, rest);
    for (const config::CaseScript& found : suite_.found)
      if (ends_with_part(found.name, name) || ends_with_part(name, found.name))
        return say({"case {} is called likewise: look at [suite] cases and baselines in gate.toml",
                    "用例 {} 的名字与它相似：请检查 gate.toml 里 [suite] 的 cases 和 baselines"},
                   found.name);
    return {};
  }

  const Suite& suite_;
  std::map<std::string, std::vector<store::BaselinePlace>> places_;
  std::map<std::string, const config::CaseScript*> by_hash_,
      by_folded_name_;           // of scripts without a baseline
  std::set<std::string> taken_;  // to which an earlier command goes
};

}  // namespace

std::vector<Rename> find_renames(const Suite& suite) {
  std::vector<Rename> renames;
  const std::vector<std::string> orphans = find_orphans(suite);
  if (orphans.empty()) return renames;
  RenameFinder finder(suite);
  for (const std::string& name : orphans) renames.push_back(finder.find(name));
  return renames;
}

Sentence no_script_words(const std::vector<Rename>& renames, const std::string& case_name) {
  const auto found = std::ranges::find(renames, case_name, &Rename::old_name);
  const Sentence none{"no script has its name", "没有同名的脚本"};
  if (found == renames.end()) return none;
  if (found->command.empty()) return found->why.empty() ? none : none + semicolon + found->why;
  return say({"no script has its name, and {}: {}", "没有同名的脚本，而{}：{}"}, found->why, found->command);
}

std::string removal_of(const Suite& suite, const std::string& case_name) {
  const auto places = store::places_by_case(suite.layout);
  const auto own = places.find(case_name);
  const auto files = own == places.end() ? std::vector<OrphanFile>() : orphan_files(suite, own->second);
  if (std::ranges::all_of(files, is_of_gate))
    return "gate baseline rm " + shell_quote(case_name) + " --reason \"...\"";
  return "rm " + join(texts_of(files,
                               [&](const OrphanFile& file) {
                                 return shell_quote(store::baseline_path(suite.layout, file.place));
                               }),
                      " ");
}

}  // namespace gate::app
