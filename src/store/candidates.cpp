#include <algorithm>

#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "gate/store/suite_folder.h"
#include "store/layout.h"

namespace gate::store {

namespace {

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
  if (Status status = check_case_name(place.case_name); !status) return tl::unexpected(status.error());
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
