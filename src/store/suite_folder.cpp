#include "gate/store/suite_folder.h"

#include <sys/stat.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "store/folder_lock.h"
#include "store/layout.h"
#include "store/names.h"

namespace gate::store {

namespace {

// Return the platform, its groups from the smallest on, and "" for the general file.
std::vector<std::string> most_specific_first(const BaselineLayout& layout, const std::string& platform) {
  if (platform.empty()) return {""};
  std::vector<std::string> groups;
  for (const auto& [group, members] : layout.platforms)
    if (group != platform &&
        std::ranges::any_of(members, [&](const auto& m) { return glob_match(m, platform); }))
      groups.push_back(group);
  std::ranges::stable_sort(groups, {},
                           [&](const std::string& group) { return layout.platforms.at(group).size(); });
  groups.insert(groups.begin(), platform);
  groups.emplace_back();
  return groups;
}

void note_names(BaselineFile& file, const std::string& case_name) {
  Baseline& baseline = file.baseline;
  if (baseline.case_name.empty()) baseline.case_name = case_name;
  if (baseline.case_name != case_name)
    baseline.notes.push_back(file.path + " says that it is of case " + printable(baseline.case_name, 120));
}

// A file in a platform's or group's folder is a reference for that platform, whatever it says of itself.
void note_platform(BaselineFile& file, const std::string& platform) {
  Baseline& baseline = file.baseline;
  if (file.platform.empty()) return;
  if (!baseline.platform.empty() && baseline.platform != file.platform && baseline.platform != platform)
    baseline.notes.push_back(file.path + " says that it is of platform " + printable(baseline.platform, 120));
  baseline.platform = platform;
}

Result<BaselineFile> read_one(const BaselineLayout& layout, const std::string& path) {
  GATE_TRY(const auto text, fs::read_file(folder_of_files(layout) / path));
  GATE_TRY(auto baseline, schema::read_baseline(text, path));
  return BaselineFile{path, "", fs::sha256(text), std::move(baseline)};
}

BaselineLayout layout_of_candidates(const BaselineLayout& layout) {
  return {layout.root, ".gate/candidates/{case}.json", layout.platforms, layout.shared};
}

tl::unexpected<Error> no_candidate(const BaselineLayout& layout, const Place& place) {
  std::vector<std::string> cases;
  for (const Place& other : candidates(layout)) cases.push_back(other.case_name);
  return fail("no candidate of case " + printable(place.case_name, 120) +
              (place.platform.empty() ? "" : " for " + printable(place.platform, 120)) +
              did_you_mean(place.case_name, cases) + "; make one with gate baseline record " +
              shell_quote(place.case_name));
}

}  // namespace

Result<std::vector<BaselineFile>> read_baselines(const BaselineLayout& layout, const std::string& case_name,
                                                 const std::string& platform) {
  GATE_TRY_STATUS(check_case_name(case_name));
  std::vector<BaselineFile> files;
  for (const std::string& level : most_specific_first(layout, platform)) {
    const std::string path = baseline_path(layout, case_name, level);
    if (place_of(layout, path) != Place{level, case_name} || !fs::exists(folder_of_files(layout) / path))
      continue;
    GATE_TRY(auto file, read_one(layout, path));
    file.platform = level;
    note_names(file, case_name);
    note_platform(file, platform);
    files.push_back(std::move(file));
  }
  return files;
}

Reference reference_of(const std::vector<BaselineFile>& files) {
  std::vector<Reference> references;
  for (const BaselineFile& file : files) references.push_back(make_reference(file.baseline, file.path));
  return merge_references(references);
}

Result<std::string> write_placed(const BaselineLayout& layout, const Baseline& baseline,
                                 const std::string& platform, fs::Survives what) {
  GATE_TRY_STATUS(check_case_name(baseline.case_name));
  for (const std::string& named : {platform, baseline.platform})
    if (!named.empty() && !is_platform(layout, named))
      return fail("platform \"" + printable(named, 120) +
                  "\" is none of cpu, ascend-*, nvidia-*, amd-*; declare it under [platforms] in gate.toml");
  const std::string path = baseline_path(layout, baseline.case_name, platform);
  const auto place = place_of(layout, path);
  if (!place)
    return fail(path + ": cannot hold a baseline; rename case " + printable(baseline.case_name, 120));
  if (*place != Place{platform, baseline.case_name})
    return fail(path + " is the place of case " + place->case_name + " on platform " + place->platform +
                "; rename case " + baseline.case_name + ", or accept it for a platform");
  GATE_TRY(const fs::Path target, fs::end_of_links(layout.root / path));
  GATE_TRY_STATUS(fs::write_file(target, schema::write_baseline(baseline), what));
  return path;
}

Status make_gate_folder(const BaselineLayout& layout) {
  constexpr mode_t for_its_user = 0700, for_all = 0777;
  const fs::Path folder = layout.root / ".gate";
  if (::mkdir(folder.c_str(), layout.shared ? for_all : for_its_user) == 0 || errno == EEXIST) return {};
  return fail(folder.string() + ": cannot create the folder: " + std::strerror(errno));
}

Result<std::string> write_baseline(const BaselineLayout& layout, const Baseline& baseline,
                                   const std::string& platform) {
  return write_placed(layout, baseline, platform, fs::Survives::power_loss);
}

Result<std::shared_ptr<FolderLock>> lock_baselines(const BaselineLayout& layout) {
  constexpr Duration longest = std::chrono::minutes(5);
  const std::string fixed = layout.path_template.substr(0, layout.path_template.find('{'));
  const fs::Path folder = layout.root / fixed.substr(0, fixed.rfind('/') + 1);
  const fs::Path spare = layout.root / ".gate" / "candidates";
  GATE_TRY_STATUS(make_gate_folder(layout));
  for (const fs::Path& one : {folder, spare}) {
    GATE_TRY_STATUS(fs::make_folder(one));
  }
  GATE_TRY(auto lock, FolderLock::wait(folder, spare, longest));
  return std::make_shared<FolderLock>(std::move(lock));
}

fs::Path candidate_path(const BaselineLayout& layout, const Place& place) {
  return layout.root / baseline_path(layout_of_candidates(layout), place.case_name, place.platform);
}

Status write_candidate(const BaselineLayout& layout, const Baseline& candidate, fs::Survives what) {
  GATE_TRY_STATUS(check_case_name(candidate.case_name));
  GATE_TRY_STATUS(make_gate_folder(layout));
  const auto path = write_placed(layout_of_candidates(layout), candidate, candidate.platform, what);
  return path ? Status() : tl::unexpected(path.error());
}

Status remove_candidate(const BaselineLayout& layout, const Baseline& candidate) {
  const fs::Path path = candidate_path(layout, {candidate.platform, candidate.case_name});
  const auto text = fs::read_file(path);
  const auto standing = text ? schema::read_baseline(*text, path.string()) : tl::unexpected(text.error());
  if (!standing || schema::write_baseline(*standing) != schema::write_baseline(candidate)) return {};
  return fs::remove_file(path);
}

Result<Baseline> read_candidate(const BaselineLayout& layout, const Place& place) {
  GATE_TRY_STATUS(check_case_name(place.case_name));
  const fs::Path path = candidate_path(layout, place);
  if (!fs::exists(path)) return no_candidate(layout, place);
  GATE_TRY(const auto text, fs::read_file(path));
  auto candidate = schema::read_baseline(text, path.string());
  if (candidate && candidate->platform != place.platform)
    return fail(path.string() + ": says that it is of platform " +
                printable(platform_name(candidate->platform), 120) + " and lies where those of " +
                platform_name(place.platform) + " do; record or import it again");
  return candidate;
}

std::vector<Place> candidates(const BaselineLayout& layout) {
  std::vector<Place> places;
  for (PlacedFile& file : placed_files(layout_of_candidates(layout))) places.push_back(std::move(file.place));
  std::ranges::sort(places, [](const Place& a, const Place& b) {
    return std::tie(a.case_name, a.platform) < std::tie(b.case_name, b.platform);
  });
  return places;
}

}  // namespace gate::store
