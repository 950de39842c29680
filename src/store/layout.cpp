#include "store/layout.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate::store {

namespace {

constexpr std::string_view case_hole = "{case}";
constexpr std::string_view platform_hole = "{platform}";
constexpr std::array built_in_platforms{"cpu", "ascend-*", "nvidia-*", "amd-*"};

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

std::size_t part_start(std::string_view pattern, std::string_view hole) {
  return pattern.rfind('/', pattern.find(hole)) + 1;
}

// Return the pattern for one platform: where it has no hole for it, a folder in front of the case's part.
std::string specific(const BaselineLayout& layout) {
  std::string pattern = layout.path_template;
  if (pattern.find(platform_hole) == std::string::npos)
    pattern.insert(part_start(pattern, case_hole), std::string(platform_hole) + "/");
  return pattern;
}

// Return the pattern for any platform: the hole goes, with the separator that follows it, else the one before
// it.
std::string general(const BaselineLayout& layout) {
  std::string pattern = layout.path_template;
  const auto at = pattern.find(platform_hole);
  if (at == std::string::npos) return pattern;
  pattern.erase(at, platform_hole.size());
  constexpr std::string_view separators = "/.-_";
  const auto is_separator = [&](std::size_t i) {
    return i < pattern.size() && separators.find(pattern[i]) != std::string::npos;
  };
  if (at > 0 && is_separator(at - 1) && (pattern[at - 1] != '/' || pattern[at] == '.')) {
    pattern.erase(at - 1, 1);
  } else if (is_separator(at)) {
    pattern.erase(at, 1);
  }
  return pattern;
}

struct Matcher {
  const BaselineLayout& layout;
  Place place;

  // Take the value of a hole, if it is one.
  bool take(bool is_case, const std::string& value) {
    if (is_case) {
      place.case_name = value;
      return check_case_name(value).has_value();
    }
    const auto named = value == platform_name("") ? std::nullopt : parse_place(layout, value);
    if (!named) return false;
    place.platform = named->platform;
    place.environment = named->environment;
    return true;
  }

  // Tell whether the text is of the pattern; the values of its holes are then in `place`.
  bool match(std::string_view pattern, std::string_view text) {
    const auto hole = std::min(pattern.find(case_hole), pattern.find(platform_hole));
    if (hole == std::string_view::npos) return pattern == text;
    if (!text.starts_with(pattern.substr(0, hole))) return false;
    const bool is_case = pattern.substr(hole).starts_with(case_hole);
    const auto rest = pattern.substr(hole + (is_case ? case_hole : platform_hole).size());
    text.remove_prefix(hole);
    for (std::size_t end = 1; end <= text.size() && (is_case || text[end - 1] != '/'); ++end) {
      if (match(rest, text.substr(end)) && take(is_case, std::string(text.substr(0, end)))) return true;
    }
    return false;
  }
};

}  // namespace

bool is_hidden(const std::string& case_name) {
  return case_name.starts_with('.') || case_name.find("/.") != std::string::npos;
}

bool is_platform(const BaselineLayout& layout, const std::string& name) {
  const auto matches = [&](std::string_view pattern) { return glob_match(pattern, name); };
  if (std::ranges::any_of(built_in_platforms, matches)) return true;
  return std::ranges::any_of(layout.platforms, [&](const auto& group) {
    return group.first == name || std::ranges::any_of(group.second, matches);
  });
}

Status check_environment(const std::string& name) {
  constexpr std::size_t longest = 40;
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  const bool is_one = name.size() <= longest && !name.starts_with('.') && !name.starts_with('-') &&
                      name.find_first_not_of(allowed) == std::string::npos;
  if (is_one) return {};
  return fail("environment \"" + printable(name, 80) +
              "\": a name is letters, digits, `_`, and `.` or `-` inside, 40 at most, as `dev`, `lts`");
}

std::optional<Place> parse_place(const BaselineLayout& layout, std::string_view word) {
  if (word == platform_name("")) return Place{};
  const std::size_t at = std::min(word.find('@'), word.size());
  Place place{std::string(word.substr(0, at)), "", ""};
  if (at < word.size()) place.environment = word.substr(at + 1);
  if (place.environment.empty() && (at < word.size() || place.platform.empty())) return std::nullopt;
  const bool fits = (place.platform.empty() || is_platform(layout, place.platform)) &&
                    check_environment(place.environment).has_value();
  return fits ? std::optional(std::move(place)) : std::nullopt;
}

Place place_of(const Baseline& candidate) {
  return {candidate.platform, candidate.case_name, candidate.environment};
}

std::string baseline_path(const BaselineLayout& layout, const Place& place) {
  const std::string word = place_word(place.platform, place.environment);
  const std::string pattern =
      word.empty() ? general(layout) : replaced(specific(layout), platform_hole, word);
  return replaced(pattern, case_hole, place.case_name);
}

std::optional<Place> place_of(const BaselineLayout& layout, std::string_view path) {
  for (const std::string& pattern : {specific(layout), general(layout)}) {
    Matcher matcher{layout, {}};
    if (matcher.match(pattern, path) && baseline_path(layout, matcher.place) == path) return matcher.place;
  }
  return std::nullopt;
}

std::vector<PlacedFile> placed_files(const BaselineLayout& layout) {
  const std::string pattern = general(layout);
  const std::string folder = pattern.substr(0, part_start(pattern, case_hole));
  std::vector<PlacedFile> files;
  for (const std::string& below : fs::files_below(folder_of_files(layout) / folder)) {
    auto place = place_of(layout, folder + below);
    if (place && !is_hidden(place->case_name)) files.push_back({folder + below, std::move(*place)});
  }
  return files;
}

std::map<std::string, std::vector<Place>> places_by_case(const BaselineLayout& layout) {
  std::map<std::string, std::vector<Place>> places;
  for (PlacedFile& file : placed_files(layout)) places[file.place.case_name].push_back(std::move(file.place));
  for (auto& [name, own] : places) std::ranges::sort(own);
  return places;
}

std::vector<Place> baseline_places(const BaselineLayout& layout, const std::string& case_name) {
  return places_by_case(layout)[case_name];
}

std::vector<std::string> baseline_cases(const BaselineLayout& layout) {
  std::vector<std::string> cases;
  for (const auto& [name, places] : places_by_case(layout)) cases.push_back(name);
  return cases;
}

}  // namespace gate::store
