#include "gate/store/suite_folder.h"

#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "store/folder_lock.h"
#include "store/layout.h"
#include "store/path_names.h"

namespace gate::store {

namespace {

// Return the platform and its groups from the smallest on; none where it is not known.
std::vector<std::string> with_groups(const BaselineLayout& layout, const std::string& platform) {
  if (platform.empty()) return {};
  std::vector<std::string> groups;
  for (const auto& [group, members] : layout.platforms)
    if (group != platform && is_in_group(layout, group, platform)) groups.push_back(group);
  std::ranges::stable_sort(groups, {},
                           [&](const std::string& group) { return layout.platforms.at(group).size(); });
  groups.insert(groups.begin(), platform);
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
  const std::string& of_place = file.place.platform;
  if (of_place.empty()) return;
  if (!baseline.platform.empty() && baseline.platform != of_place && baseline.platform != platform)
    baseline.notes.push_back(file.path + " says that it is of platform " + printable(baseline.platform, 120));
  baseline.platform = platform;
}

void note_environment(BaselineFile& file) {
  Baseline& baseline = file.baseline;
  const std::string& of_place = file.place.environment;
  if (of_place.empty() || baseline.environment == of_place) return;
  if (!baseline.environment.empty())
    baseline.notes.push_back(file.path + " says that it is of environment " +
                             printable(baseline.environment, 120));
  baseline.environment = of_place;
}

Result<BaselineFile> read_one(const BaselineLayout& layout, const std::string& path) {
  GATE_TRY(const auto text, fs::read_file(folder_of_files(layout) / path));
  GATE_TRY(auto baseline, schema::read_baseline(text, path));
  return BaselineFile{path, {}, fs::sha256(text), std::move(baseline)};
}

// Return the file of the place, nothing where there is none.
Result<std::optional<BaselineFile>> read_at(const BaselineLayout& layout, const BaselinePlace& place) {
  const std::string path = baseline_path(layout, place);
  if (place_of(layout, path) != place || fs::is_missing(folder_of_files(layout) / path)) return std::nullopt;
  GATE_TRY(auto file, read_one(layout, path));
  file.place = place;
  return file;
}

// What an older gate imported for platform and environment.
Result<std::optional<BaselineFile>> read_old_lts(const BaselineLayout& layout, const BaselinePlace& place) {
  const BaselinePlace old{old_platform_of(place), place.case_name, ""};
  if (old.platform.empty()) return std::nullopt;
  GATE_TRY(auto file, read_at(layout, old));
  if (!file) return file;
  file->place = place;
  file->baseline.platform = place.platform;
  file->baseline.notes.push_back(file->path +
                                 " lies where older gates put baselines of lts; move it: gate baseline mv " +
                                 shell_quote(old.name() + "/") + " " + shell_quote(place.name() + "/"));
  return file;
}

BaselineLayout layout_of_candidates(const BaselineLayout& layout) {
  return {layout.root, {{".gate/candidates/{case}.json"}}, layout.platforms, layout.shared};
}

Status check_platform(const BaselineLayout& layout, const std::string& name) {
  if (name.empty() || is_platform(layout, name)) return {};
  return fail("platform \"" + printable(name, 120) +
              "\" is none of cpu, ascend-*, nvidia-*, amd-*; declare it under [platforms] in gate.toml");
}

tl::unexpected<Error> no_candidate(const BaselineLayout& layout, const BaselinePlace& place) {
  const auto others = candidates(layout).value_or(std::vector<BaselinePlace>());
  const auto cases = texts_of(others, &BaselinePlace::case_name);
  const std::string where = place_word(place.platform, place.environment);
  return fail("no candidate of case " + printable(place.case_name, 120) +
              (where.empty() ? "" : " for " + printable(where, 120)) + did_you_mean(place.case_name, cases) +
              "; make one with gate baseline record " + shell_quote(place.case_name));
}

}  // namespace

bool is_in_group(const BaselineLayout& layout, const std::string& group, const std::string& platform) {
  const auto members = layout.platforms.find(group);
  return members != layout.platforms.end() &&
         std::ranges::any_of(members->second, [&](const auto& one) { return glob_match(one, platform); });
}

std::string old_platform_of(const BaselinePlace& place) {
  return place.environment == "lts" && !place.platform.empty() ? place.platform + "-lts" : "";
}

std::vector<std::string> names_of(const std::vector<BaselinePlace>& places) {
  return texts_of(places, &BaselinePlace::name);
}

std::vector<BaselinePlace> baseline_chain(const BaselineLayout& layout, const BaselinePlace& run) {
  std::vector<BaselinePlace> chain;
  std::vector<std::string> environments{run.environment};
  if (!run.environment.empty()) environments.emplace_back();
  const std::vector<std::string> platforms = with_groups(layout, run.platform);
  for (const std::string& environment : environments)
    for (const std::string& platform : platforms) chain.push_back({platform, run.case_name, environment});
  for (const std::string& environment : environments) chain.push_back({"", run.case_name, environment});
  return chain;
}

Result<std::vector<BaselineFile>> read_baselines(const BaselineLayout& layout, const BaselinePlace& run) {
  GATE_TRY_STATUS(check_case_name(run.case_name));
  GATE_TRY_STATUS(check_environment(run.environment));
  std::vector<BaselineFile> files;
  for (const BaselinePlace& place : baseline_chain(layout, run)) {
    GATE_TRY(auto file, read_at(layout, place));
    if (!file) {
      GATE_TRY(file, read_old_lts(layout, place));
    }
    if (!file) continue;
    note_names(*file, run.case_name);
    note_platform(*file, run.platform);
    note_environment(*file);
    files.push_back(std::move(*file));
  }
  return files;
}

Reference reference_of(const std::vector<BaselineFile>& files) {
  std::vector<Reference> references;
  for (const BaselineFile& file : files) references.push_back(make_reference(file.baseline, file.path));
  return merge_references(references);
}

Result<std::string> check_place(const BaselineLayout& layout, const BaselinePlace& place) {
  GATE_TRY_STATUS(check_platform(layout, place.platform));
  GATE_TRY_STATUS(check_case_name(place.case_name));
  GATE_TRY_STATUS(check_environment(place.environment));
  if (is_hidden(place.case_name))
    return fail("case " + printable(place.case_name, 120) +
                ": names with a part that begins with a dot are hidden");
  const std::string path = baseline_path(layout, place);
  const auto held = place_of(layout, path);
  if (!held) return fail(path + ": cannot hold a baseline; rename case " + printable(place.case_name, 120));
  if (*held != place)
    return fail(path + " is the place of case " + held->case_name + " on platform " + held->name() +
                "; rename case " + place.case_name + ", or accept it for a platform");
  return path;
}

Result<std::string> write_placed(const BaselineLayout& layout, const Baseline& baseline,
                                 const BaselinePlace& place, fs::Survives what) {
  if (baseline.platform != unknown_platform) {
    GATE_TRY_STATUS(check_platform(layout, baseline.platform));
  }
  GATE_TRY(const std::string path, check_place(layout, place));
  GATE_TRY(const fs::Path target, fs::end_of_links(layout.root / path));
  GATE_TRY_STATUS(fs::write_file(target, schema::write_baseline(baseline), what));
  return path;
}

Status make_gate_folder(const BaselineLayout& layout) {
  constexpr mode_t for_its_user = 0700, for_all = 0777;
  const fs::Path folder = layout.root / ".gate";
  if (::mkdir(folder.c_str(), layout.shared ? for_all : for_its_user) != 0)
    return errno == EEXIST ? Status()
                           : fail(folder.string() + ": cannot create the folder: " + std::strerror(errno));
  Status hidden = fs::write_file(folder / ".gitignore", "*\n");
  if (!hidden) ::rmdir(folder.c_str());  // the next one makes it whole
  return hidden;
}

Result<std::string> write_baseline(const BaselineLayout& layout, const Baseline& baseline,
                                   const BaselinePlace& place) {
  return write_placed(layout, baseline, place, fs::Survives::power_loss);
}

Result<std::shared_ptr<FolderLock>> lock_baselines(const BaselineLayout& layout) {
  constexpr Duration longest = std::chrono::minutes(5);
  const fs::Path folder = layout.root / fs::folder_before_hole(layout.schemes.front().path_template);
  const fs::Path spare = layout.root / ".gate" / "candidates";
  GATE_TRY_STATUS(make_gate_folder(layout));
  for (const fs::Path& one : {folder, spare}) {
    GATE_TRY_STATUS(fs::make_folder(one));
  }
  GATE_TRY(auto lock, FolderLock::wait(folder, spare, longest));
  return std::make_shared<FolderLock>(std::move(lock));
}

fs::Path candidate_path(const BaselineLayout& layout, const BaselinePlace& place) {
  return layout.root / baseline_path(layout_of_candidates(layout), place);
}

fs::Path removed_path(const BaselineLayout& layout, const BaselinePlace& place, const std::string& sha256) {
  constexpr std::size_t shown = 12;
  const BaselinePlace named{place.platform, place.case_name + "." + sha256.substr(0, shown),
                            place.environment};
  const BaselineLayout removed{layout.root, {{".gate/removed/{case}.json"}}, layout.platforms, layout.shared};
  return layout.root / baseline_path(removed, named);
}

Status write_candidate(const BaselineLayout& layout, const Baseline& candidate, fs::Survives what) {
  GATE_TRY_STATUS(check_case_name(candidate.case_name));
  GATE_TRY_STATUS(make_gate_folder(layout));
  const auto path = write_placed(layout_of_candidates(layout), candidate, place_of(candidate), what);
  return path ? Status() : tl::unexpected(path.error());
}

Status remove_candidate(const BaselineLayout& layout, const Baseline& candidate) {
  const fs::Path path = candidate_path(layout, place_of(candidate));
  if (fs::is_missing(path)) return {};
  GATE_TRY(const std::string text, fs::read_file(path));
  const std::string written = schema::write_baseline(candidate);
  if (text == written) return fs::remove_file(path);
  const auto standing = schema::read_baseline(text, path.string());  // in other words it may say the same
  if (!standing || schema::write_baseline(*standing) != written) return {};
  return fs::remove_file(path);
}

Result<Baseline> read_candidate(const BaselineLayout& layout, const BaselinePlace& place) {
  GATE_TRY_STATUS(check_case_name(place.case_name));
  const fs::Path path = candidate_path(layout, place);
  if (fs::is_missing(path)) return no_candidate(layout, place);
  GATE_TRY(const auto text, fs::read_file(path));
  auto candidate = schema::read_baseline(text, path.string());
  if (candidate && place_of(*candidate).name() != place.name())
    return fail(path.string() + ": says that it is of platform " +
                printable(place_of(*candidate).name(), 120) + " and lies where those of " + place.name() +
                " do; record or import it again");
  return candidate;
}

Result<std::vector<BaselinePlace>> candidates(const BaselineLayout& layout) {
  GATE_TRY(std::vector<PlacedFile> files, placed_files(layout_of_candidates(layout)));
  std::vector<BaselinePlace> places;
  for (PlacedFile& file : files) places.push_back(std::move(file.place));
  std::ranges::sort(places, [](const BaselinePlace& a, const BaselinePlace& b) {
    return std::tie(a.case_name, a.platform, a.environment) <
           std::tie(b.case_name, b.platform, b.environment);
  });
  return places;
}

}  // namespace gate::store
