#include "gate/app/import_tree.h"

#include <map>
#include <set>

#include "app/candidate_stamp.h"
#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "gate/schema/golden_name.h"
#include "gate/schema/golden_steps.h"

namespace gate::app {

namespace {

bool is_wanted(const std::string& path) {
  return path.ends_with(".json") && !path.starts_with('.') && path.find("/.") == std::string::npos;
}

// Return the name of the folder, also of `.` and `x/`.
std::string name_of(const fs::Path& folder) {
  const fs::Path normal = (std::filesystem::absolute(folder) / "").lexically_normal();
  return normal.parent_path().filename().string();
}

// Messages stand beside the file's name.
std::string without_name(const std::string& message, const std::string& path) {
  const std::string name = path + ":";
  return std::string(trim(message.starts_with(name) ? message.substr(name.size()) : message));
}

class TreeImporter {
 public:
  TreeImporter(const Suite& suite, const TreeOptions& options, Moment now)
      : suite_(suite), options_(options), now_(now), tree_(name_of(options.folder)) {}

  void take(const std::string& path) {
    const Result<schema::GoldenName> name = schema::golden_name(path, tree_);
    if (!name) return refuse(path, name.error().message);
    const store::Place place{name->platform.empty() ? options_.platform : name->platform, name->case_name};
    if (!options_.cases.empty() && !glob_match(options_.cases, place.case_name)) return;
    Result<Baseline> candidate = candidate_of(path, place);
    if (!candidate) return refuse(path, without_name(candidate.error().message, path));
    places_.emplace(place, path);
    const bool has_script = suite_.find(place.case_name) != nullptr;
    import_.imported.push_back({path, has_script, std::move(*candidate)});
  }

  TreeImport result() && { return std::move(import_); }

 private:
  Result<Baseline> candidate_of(const std::string& path, const store::Place& place) {
    if (const auto taken = places_.find(place); taken != places_.end())
      return fail("case " + place.case_name + ", " + platform_name(place.platform) +
                  ", has been imported from " + taken->second + "; two files are for one place");
    const Result<std::string> text = fs::read_file(options_.folder / path);
    if (!text) return tl::unexpected(text.error());
    Result<Baseline> candidate = schema::read_baseline(*text, path);
    if (!candidate) return candidate;
    if (candidate->origin == "gate") return fail("is a baseline of gate's own, and no golden file");
    if (make_reference(*candidate, "").series.empty()) return fail("holds no value");
    if (!options_.steps.empty() && schema::has_positions(*candidate))
      if (const Status numbered = schema::number_positions(*candidate, options_.steps); !numbered)
        return tl::unexpected(numbered.error());
    stamp(*candidate, place, path, now_);
    const Status written = store::write_candidate(suite_.layout, *candidate, fs::Survives::kill);
    return written ? std::move(candidate) : tl::unexpected(written.error());
  }

  void refuse(const std::string& path, std::string why) { import_.refused.push_back({path, std::move(why)}); }

  const Suite& suite_;
  const TreeOptions& options_;
  Moment now_;
  std::string tree_;
  std::map<store::Place, std::string> places_;
  TreeImport import_;
};

// A case with several platforms has the margins of its first file.
void sort_cases(TreeImport& import) {
  std::set<std::string> seen;
  for (const ImportedFile& file : import.imported) {
    const std::string& name = file.candidate.case_name;
    if (!seen.insert(name).second) continue;
    if (file.has_script) import.margins.push_back({name, file.candidate.margins});
    if (!file.has_script) import.without_script.push_back(name);
  }
}

}  // namespace

Answer<TreeImport> import_tree(const Suite& suite, const TreeOptions& options, Moment now) {
  if (const Status listed = fs::check_folder(options.folder); !listed) return usage(listed.error());
  TreeImporter importer(suite, options, now);
  for (const std::string& path : fs::files_below(options.folder))
    if (is_wanted(path)) importer.take(path);
  TreeImport import = std::move(importer).result();
  sort_cases(import);
  return import;
}

}  // namespace gate::app
