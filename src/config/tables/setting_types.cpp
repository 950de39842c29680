#include "config/tables/setting_types.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "config/toml/values.h"
#include "config/toml/vocabulary.h"
#include "gate/base/text.h"
#include "gate/config/names.h"
#include "gate/extract/format.h"
#include "gate/judge/profile.h"

namespace gate::config {

namespace {

using Texts = std::vector<std::string>;

bool says(const RawValue& word, std::string_view name) {
  return (word.kind == RawValue::Kind::untyped || word.kind == RawValue::Kind::text) && word.text == name;
}

template <typename Enum, std::size_t n>
Result<Enum> choose_enum(const RawValue& word, std::string_view noun,
                         const std::array<std::string_view, n>& names) {
  return read_choice(word, noun, names).map([](std::size_t i) { return static_cast<Enum>(i); });
}

bool is_device_id(const std::string& id) {
  const std::optional<std::int64_t> number = parse_integer(id);
  return number && *number >= 0 && *number < 100'000;
}

Status set_device_list(Settings& settings, const Texts& ids) {
  if (ids.empty()) return fail("the list of devices is empty; write 0 for a case that runs on cpu");
  std::set<std::string> seen;
  for (const std::string& id : ids) {
    if (!is_device_id(id)) return fail("\"" + printable(id, 80) + "\" is no device number");
    if (!seen.insert(id).second) return fail("device " + id + " is listed twice");
  }
  settings.device_list = ids;
  settings.devices = static_cast<int>(ids.size());
  return {};
}

}  // namespace

bool is_variable_name(std::string_view name) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
  return !name.empty() && letters.find(name[0]) != std::string_view::npos &&
         std::all_of(name.begin(), name.end(), [&](char c) {
           return letters.find(c) != std::string_view::npos || (c >= '0' && c <= '9');
         });
}

Result<std::optional<int>> read_steps(const RawValue& word) {
  if (says(word, "auto")) return std::optional<int>();
  return read_count(word, 1).map([](int n) { return std::optional(n); });
}

Result<std::optional<bool>> read_bool_or_auto(const RawValue& word) {
  if (says(word, "auto")) return std::optional<bool>();
  return read_bool(word).map([](bool b) { return std::optional(b); });
}

Result<Texts> read_platforms(const RawValue& word) { return says(word, "any") ? Texts{} : read_list(word); }

Result<Texts> read_formats(const RawValue& word) {
  if (says(word, "auto")) return Texts{};
  const Result<Texts> names = read_list(word);
  if (!names) return names;
  if (*names == Texts{"auto"}) return Texts{};
  if (*names == Texts{std::string(extract::no_format)}) return names;
  if (std::find(names->begin(), names->end(), extract::no_format) != names->end())
    return fail(std::string(extract::none_stands_alone));
  const Texts known = extract::format_names();
  for (const std::string& name : *names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      return fail(unknown("format", name, known));
  return names;
}

Result<Texts> read_logs(const RawValue& word) {
  Result<Texts> globs = read_list(word);
  if (!globs) return globs;
  for (std::string& glob : *globs) {
    GATE_TRY_STATUS(expand(glob, {{"case", ""}, {"rank", ""}}));
    glob = std::filesystem::path(glob).lexically_normal().string();
    if (glob.starts_with("../") || glob == "..")
      return fail("\"" + printable(glob, 80) +
                  "\" leaves the folder that it is seen from; write the whole path");
  }
  return globs;
}

Result<JudgeMode> read_judge_mode(const RawValue& word) {
  return choose_enum<JudgeMode>(word, "judge", std::array<std::string_view, 2>{"series", "exit"});
}

Result<Wait> read_wait(const RawValue& word) {
  return choose_enum<Wait>(word, "wait", std::array<std::string_view, 2>{"tree", "script"});
}

Result<EarlyStop> read_early_stop(const RawValue& word) {
  return choose_enum<EarlyStop>(word, "early_stop", std::array<std::string_view, 3>{"auto", "on", "off"});
}

Result<std::string> read_profile(const RawValue& word) {
  std::vector<std::string_view> names;
  for (const judge::ProfileRow& row : judge::profiles()) names.push_back(row.name);
  return read_choice(word, "profile", names).map([&](std::size_t i) { return std::string(names[i]); });
}

Result<std::string> read_shadow(const RawValue& word) {
  return says(word, "none") ? Result<std::string>(std::string()) : read_profile(word);
}

Result<extract::AttemptChoice> read_attempt(const RawValue& word) {
  if (says(word, "auto")) return extract::AttemptChoice{};
  if (says(word, "last")) return extract::AttemptChoice{std::nullopt, true};
  if (says(word, "first")) return extract::AttemptChoice{1};
  const Result<int> number = read_count(word, 1);
  if (!number) return fail(shown(word) + " is no attempt; write auto, last, first or a number from 1 on");
  return extract::AttemptChoice{*number};
}

Result<extract::Sources> read_sources(const RawValue& word) {
  return choose_enum<extract::Sources>(word, "sources", std::array<std::string_view, 2>{"auto", "together"});
}

Status set_devices(Settings& settings, const RawValue& word) {
  const bool listed = word.kind == RawValue::Kind::list || word.items.size() > 1;
  if (listed) return set_device_list(settings, word.items);
  if (says(word, "auto")) return settings.devices.reset(), Status();
  if (says(word, "all")) return settings.devices = -1, Status();
  const Result<int> count = read_count(word, 0);
  if (!count) return fail(shown(word) + " is no number of devices; write a count, a list or all");
  settings.devices = *count;
  return {};
}

Status set_variable(Settings& settings, std::string_view name, const RawValue& word) {
  if (!is_variable_name(name)) return fail("\"" + printable(name, 80) + "\" is no name of a variable");
  const bool plain = word.kind == RawValue::Kind::boolean ||
                     (word.kind == RawValue::Kind::number && parse_integer(word.text).has_value());
  GATE_TRY(const std::string text, plain ? word.text : read_text(word));
  settings.env.insert_or_assign(std::string(name), text);
  return {};
}

}  // namespace gate::config
