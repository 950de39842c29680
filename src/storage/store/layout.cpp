#include "store/layout.h"

#include <algorithm>
#include <array>
#include <set>

#include "gate/base/text.h"

namespace gate::store {

namespace {

constexpr std::string_view case_hole = "{case}";
constexpr std::string_view name_hole = "{name}";
constexpr std::string_view platform_hole = "{platform}";
constexpr std::array built_in_platforms{"cpu", "ascend-*", "nvidia-*", "amd-*"};

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

bool has_name(std::string_view pattern) { return pattern.find(name_hole) != std::string_view::npos; }

std::string_view hole_of_case(std::string_view pattern) { return has_name(pattern) ? name_hole : case_hole; }

std::string_view last_part_of(std::string_view case_name) {
  return case_name.substr(case_name.rfind('/') + 1);
}

// Return where the part of the path begins that has the case.
std::size_t part_start(std::string_view pattern) {
  return pattern.rfind('/', pattern.find(hole_of_case(pattern))) + 1;
}

// Return the pattern for one platform: where it has no hole for it, a folder in front of the case's part.
std::string specific(const BaselineScheme& scheme) {
  std::string pattern = scheme.path_template;
  if (pattern.find(platform_hole) == std::string::npos)
    pattern.insert(part_start(pattern), std::string(platform_hole) + "/");
  return pattern;
}

// Return the pattern for any platform: the hole goes, with the separator that follows it, else the one before
// it.
std::string general(const BaselineScheme& scheme) {
  std::string pattern = scheme.path_template;
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

// Return which scheme the case has.
std::size_t scheme_of_case(const BaselineLayout& layout, std::string_view case_name) {
  if (layout.schemes.size() == 1) return 0;
  if (const auto known = layout.scheme_of.find(case_name); known != layout.scheme_of.end())
    return known->second;
  std::size_t best = 0;
  for (std::size_t i = 1; i < layout.schemes.size(); ++i)
    if (case_name.starts_with(layout.schemes[i].prefix) &&
        layout.schemes[i].prefix.size() > layout.schemes[best].prefix.size())
      best = i;
  return best;
}

struct Matcher {
  const BaselineLayout& layout;
  std::size_t scheme;
  BaselinePlace place;

  // Take the value of a hole, if it is one.
  bool take(std::string_view hole, const std::string& value) {
    if (hole != platform_hole) {
      place.case_name = case_of(hole, value);
      return check_case_name(value).has_value();
    }
    const auto named = value == platform_name("") ? std::nullopt : parse_place(layout, value);
    if (!named) return false;
    place.platform = named->platform;
    place.environment = named->environment;
    return true;
  }

  std::string case_of(std::string_view hole, const std::string& value) const {
    const BaselineScheme& own = layout.schemes[scheme];
    const auto known = hole == name_hole ? layout.case_of_path.find(replaced(general(own), hole, value))
                                         : layout.case_of_path.end();
    return known == layout.case_of_path.end() ? own.prefix + value : known->second;
  }

  // Tell whether the text is of the pattern; the values of its holes are then in `place`.
  bool match(std::string_view pattern, std::string_view text) {
    const auto at = std::min({pattern.find(case_hole), pattern.find(name_hole), pattern.find(platform_hole)});
    if (at == std::string_view::npos) return pattern == text;
    if (!text.starts_with(pattern.substr(0, at))) return false;
    const std::string_view hole =
        pattern.substr(at).starts_with(platform_hole) ? platform_hole : hole_of_case(pattern);
    const auto rest = pattern.substr(at + hole.size());
    const bool is_last = rest.find('{') == std::string_view::npos;
    text.remove_prefix(at);
    const auto value_up_to = [&](std::size_t end) { return std::string(text.substr(0, end)); };
    const std::size_t longest = hole == case_hole ? text.size() : std::min(text.find('/'), text.size());
    if (is_last) {
      if (!text.ends_with(rest)) return false;
      const std::size_t end = text.size() - rest.size();
      return end > 0 && end <= longest && take(hole, value_up_to(end));
    }
    const auto may_follow = [&](std::string_view behind) {
      return rest.starts_with('{') || rest.substr(0, 1) == behind.substr(0, 1);
    };
    for (std::size_t end = 1; end <= longest; ++end) {
      const std::string_view behind = text.substr(end);
      if (may_follow(behind) && match(rest, behind) && take(hole, value_up_to(end))) return true;
    }
    return false;
  }
};

// Return whose baseline the path holds by that scheme; nothing where it is none of it.
std::optional<BaselinePlace> place_in(const BaselineLayout& layout, std::size_t scheme,
                                      std::string_view path) {
  for (const std::string& pattern : {specific(layout.schemes[scheme]), general(layout.schemes[scheme])}) {
    Matcher matcher{layout, scheme, {}};
    if (matcher.match(pattern, path)) return matcher.place;
  }
  return std::nullopt;
}

// Return the folder that all files of the scheme lie below, with a slash at its end.
std::string folder_of(const BaselineScheme& scheme) {
  const std::string pattern = general(scheme);
  return pattern.substr(0, part_start(pattern));
}

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

std::optional<BaselinePlace> parse_place(const BaselineLayout& layout, std::string_view word) {
  if (word == platform_name("")) return BaselinePlace{};
  const std::size_t at = std::min(word.find('@'), word.size());
  BaselinePlace place{std::string(word.substr(0, at)), "", ""};
  if (at < word.size()) place.environment = word.substr(at + 1);
  if (place.environment.empty() && (at < word.size() || place.platform.empty())) return std::nullopt;
  const bool fits = (place.platform.empty() || is_platform(layout, place.platform)) &&
                    check_environment(place.environment).has_value();
  return fits ? std::optional(std::move(place)) : std::nullopt;
}

BaselinePlace place_of(const Baseline& candidate) {
  return {candidate.platform == unknown_platform ? "" : candidate.platform, candidate.case_name,
          candidate.environment};
}

Status add_case(BaselineLayout& layout, const std::string& case_name, std::size_t scheme) {
  layout.scheme_of[case_name] = scheme;
  const std::string path = baseline_path(layout, {"", case_name});
  const auto [known, is_new] = layout.case_of_path.emplace(path, case_name);
  if (is_new || known->second == case_name) return {};
  return fail("cases " + printable(known->second, 120) + " and " + printable(case_name, 120) +
              " have one baseline, " + path + ": write {case} in baselines, or a path for each group");
}

void add_orphans(BaselineLayout& layout) {
  for (std::size_t i = 0; i < layout.schemes.size(); ++i) {
    if (!has_name(layout.schemes[i].path_template)) continue;
    const std::string folder = folder_of(layout.schemes[i]);
    for (const std::string& below : fs::files_below(folder_of_files(layout) / folder))
      if (const auto place = place_in(layout, i, folder + below))
        layout.scheme_of.emplace(place->case_name, i);
  }
}

std::string baseline_path(const BaselineLayout& layout, const BaselinePlace& place) {
  const std::string word = place_word(place.platform, place.environment);
  const BaselineScheme& scheme = layout.schemes[scheme_of_case(layout, place.case_name)];
  const std::string pattern =
      word.empty() ? general(scheme) : replaced(specific(scheme), platform_hole, word);
  const std::string_view name = place.case_name;
  if (has_name(pattern)) return replaced(pattern, name_hole, last_part_of(name));
  return replaced(pattern, case_hole,
                  name.starts_with(scheme.prefix) ? name.substr(scheme.prefix.size()) : name);
}

std::optional<BaselinePlace> place_of(const BaselineLayout& layout, std::string_view path) {
  for (std::size_t i = 0; i < layout.schemes.size(); ++i)
    for (const std::string& pattern : {specific(layout.schemes[i]), general(layout.schemes[i])}) {
      Matcher matcher{layout, i, {}};
      if (matcher.match(pattern, path) && baseline_path(layout, matcher.place) == path) return matcher.place;
    }
  return std::nullopt;
}

Result<std::vector<PlacedFile>> placed_files(const BaselineLayout& layout) {
  std::set<std::string> folders;
  for (const BaselineScheme& scheme : layout.schemes) folders.insert(folder_of(scheme));
  std::vector<PlacedFile> files;
  for (const std::string& folder : folders) {
    GATE_TRY(const auto all, fs::all_files_below(folder_of_files(layout) / folder));
    for (const std::string& below : all) {
      auto place = place_of(layout, folder + below);
      if (place && !is_hidden(place->case_name)) files.push_back({folder + below, std::move(*place)});
    }
  }
  if (folders.size() < 2) return files;
  std::set<std::string> seen;
  std::erase_if(files, [&](const PlacedFile& file) { return !seen.insert(file.path).second; });
  return files;
}

Result<std::map<std::string, std::vector<BaselinePlace>>> read_places(const BaselineLayout& layout) {
  std::map<std::string, std::vector<BaselinePlace>> places;
  GATE_TRY(std::vector<PlacedFile> files, placed_files(layout));
  for (PlacedFile& file : files) places[file.place.case_name].push_back(std::move(file.place));
  for (auto& [name, own] : places) std::ranges::sort(own);
  return places;
}

std::map<std::string, std::vector<BaselinePlace>> places_by_case(const BaselineLayout& layout) {
  return read_places(layout).value_or(std::map<std::string, std::vector<BaselinePlace>>());
}

std::vector<BaselinePlace> baseline_places(const BaselineLayout& layout, const std::string& case_name) {
  return places_by_case(layout)[case_name];
}

std::vector<std::string> baseline_cases(const BaselineLayout& layout) {
  return keys_in(places_by_case(layout));
}

}  // namespace gate::store
