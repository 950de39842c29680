#include "gate/schema/golden_name.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate::schema {

namespace {

constexpr std::array<std::string_view, 2> extensions{".json", ".txt"};
constexpr std::string_view megatron = "golden_values";
constexpr std::string_view second_run = "_2nd";
constexpr std::array<std::string_view, 2> folders_of_names{"baseline_results/", "test_cases/"};
constexpr std::string_view folder_of_texts = "losses/";

// Remove the end from the text; tell whether it was there.
bool drop_end(std::string_view& text, std::string_view end) {
  const bool there = text.ends_with(end);
  if (there) text.remove_suffix(end.size());
  return there;
}

bool drop_start(std::string_view& text, std::string_view start) {
  const bool there = text.starts_with(start);
  if (there) text.remove_prefix(start.size());
  return there;
}

// Return where names of cases begin in the path.
std::size_t start_of_name(std::string_view path) {
  std::size_t start = 0;
  const auto begin_behind = [&](std::string_view folder) {
    const std::size_t at = path.rfind(folder);
    if (at != std::string_view::npos && (at == 0 || path[at - 1] == '/'))
      start = std::max(start, at + folder.size());
  };
  std::ranges::for_each(folders_of_names, begin_behind);
  if (path.ends_with(".txt")) begin_behind(folder_of_texts);
  return start;
}

// Tell whether the part is `2nd`, `3rd`, `11th`: it counts runs and is of no platform.
bool is_ordinal(std::string_view part) {
  const std::size_t digits = std::min(part.find_first_not_of("0123456789"), part.size());
  const std::string_view end = part.substr(digits);
  return digits > 0 && (end == "st" || end == "nd" || end == "rd" || end == "th");
}

tl::unexpected<Error> no_such_name(std::string_view file) {
  return fail(
      printable(file, 120) +
      ": golden values are called golden_values_ENVIRONMENT[_PLATFORM][_2nd].json, with dev or lts, and "
      "a platform such as dgx_h100; import it alone, with --case and --platform");
}

// `words` is what follows `golden_values` in the file's name.
Result<GoldenName> megatron_name(std::string_view words, std::string_view file, std::string case_name) {
  const bool is_second = drop_end(words, second_run);
  const bool lts = drop_start(words, "_lts");
  if (!lts && !drop_start(words, "_dev")) return no_such_name(file);
  const std::string environment = lts ? "lts" : "dev";
  if (words.empty()) return GoldenName{std::move(case_name), "", environment, is_second};
  const std::string platform = drop_start(words, "_") ? megatron_platform(words) : "";
  if (platform.empty()) return no_such_name(file);
  return GoldenName{std::move(case_name), platform, environment, is_second};
}

Result<GoldenName> name_in(std::string_view path, std::string_view tree) {
  const std::size_t slash = path.rfind('/');
  const std::string_view file = slash == std::string_view::npos ? path : path.substr(slash + 1);
  if (!file.starts_with(megatron)) return GoldenName{std::string(path), "", ""};
  const std::string_view folder = slash == std::string_view::npos ? tree : path.substr(0, slash);
  return megatron_name(file.substr(megatron.size()), file, std::string(folder));
}

}  // namespace

std::string megatron_platform(std::string_view words) {
  if (!drop_start(words, "dgx")) return "";
  drop_start(words, "_");
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyz0123456789_-";
  if (words.empty() || words.find_first_not_of(allowed) != std::string_view::npos) return "";
  if (std::ranges::any_of(split(words, '_'), is_ordinal)) return "";
  std::string platform = "nvidia-" + std::string(words);
  std::ranges::replace(platform, '_', '-');
  return platform;
}

bool lacks_chip(std::string_view path) {
  const Result<GoldenName> name = golden_name(path, "");
  return name && !name->environment.empty() && name->platform.empty();
}

Result<GoldenName> golden_name(std::string_view path, std::string_view tree) {
  path.remove_prefix(start_of_name(path));
  for (const std::string_view extension : extensions)
    if (drop_end(path, extension)) break;
  Result<GoldenName> name = name_in(path, tree);
  if (name && (name->case_name.starts_with('_') || name->case_name.find("/_") != std::string::npos))
    return fail(printable(name->case_name, 120) +
                ": names that begin with _ are no cases; rename it, or import it alone, with --case");
  return name;
}

}  // namespace gate::schema
