#include "app/suite/policy_difference.h"

#include <algorithm>
#include <set>

#include "gate/model/grammar.h"

namespace gate::app {

namespace {

using OriginByKey = std::map<std::string, config::SettingOrigin>;

OriginByKey by_key(const std::vector<config::SettingOrigin>& lines) {
  OriginByKey keyed;
  for (const config::SettingOrigin& line : lines) keyed.emplace(line.key, line);
  return keyed;
}

// Two spellings of one tolerance are no difference.
bool is_same_value(const std::string& key, const std::string& before, const std::string& after) {
  if (before == after || !key.starts_with("rules.") || !key.ends_with(".tolerance")) return before == after;
  const Result<Tolerance> a = parse_tolerance(before), b = parse_tolerance(after);
  return a && b && *a == *b;
}

std::vector<KeyDifference> key_differences(const OriginByKey& before, const OriginByKey& after) {
  std::set<std::string> keys;
  for (const OriginByKey* side : {&before, &after})
    for (const auto& [key, line] : *side) keys.insert(key);
  const config::SettingOrigin none;
  std::vector<KeyDifference> different;
  for (const std::string& key : keys) {
    const auto was = before.find(key), is = after.find(key);
    const config::SettingOrigin& a = was == before.end() ? none : was->second;
    const config::SettingOrigin& b = is == after.end() ? none : is->second;
    const bool both = was != before.end() && is != after.end();
    if (!both || !is_same_value(key, a.value, b.value))
      different.push_back({key, a.value, b.value, b.origin});
  }
  return different;
}

Answer<std::string> script_text(const Suite& suite, const config::CaseScript& found) {
  return or_usage(fs::read_file(suite.root / found.script));
}

Answer<OriginByKey> origins_by_key(const Suite& suite, const config::ResolveRequest& request) {
  const auto lines = suite.policy.explain(request);
  if (!lines) return usage(to_string(lines.error()));
  return by_key(*lines);
}

Answer<OriginByKey> header_by_key(const Suite& suite, const config::CaseScript& found) {
  GATE_TRY(const std::string text, script_text(suite, found));
  return by_key(config::header_settings(suite.policy.groups()[found.group].kind, text, found.script));
}

// Return the case that one policy does not find as it would have it: in its group of that name.
config::CaseScript as_if_found_by(const config::Policy& policy, const config::CaseScript& found,
                                  const config::Policy& finder) {
  const std::string& name = finder.groups()[found.group].name;
  const auto group = std::ranges::find(policy.groups(), name, &config::CaseGroup::name);
  config::CaseScript own{found.name, found.script};
  if (group != policy.groups().end()) own.group = static_cast<std::size_t>(group - policy.groups().begin());
  return own;
}

// Return the hash of each baseline file; of a link, that it is one.
std::map<std::string, BaselineDifference> baseline_files(const Suite& suite,
                                                         std::map<std::string, std::string>& contents) {
  std::map<std::string, BaselineDifference> files;
  for (const auto& [name, places] : store::places_by_case(suite.layout))
    for (const store::BaselinePlace& place : places) {
      const std::string path = store::baseline_path(suite.layout, place);
      const fs::Path file = store::folder_of_files(suite.layout) / path;
      std::error_code unknown;
      const bool is_link = std::filesystem::is_symlink(file, unknown);
      contents[path] = is_link ? "a link" : fs::sha256(fs::read_file(file).value_or(""));
      files[path] = {path, name, PolicyShift::changed};
    }
  return files;
}

}  // namespace

const config::CaseScript* script_of(const std::vector<config::CaseScript>& found,
                                    const std::string& case_name) {
  const auto script = std::ranges::find(found, case_name, &config::CaseScript::name);
  return script == found.end() ? nullptr : &*script;
}

std::vector<KeyDifference> suite_differences(const Suite& before, const Suite& after) {
  return key_differences(by_key(before.policy.explain_suite()), by_key(after.policy.explain_suite()));
}

Answer<std::vector<KeyDifference>> header_differences(const Suite& before, const Suite& after,
                                                      const std::string& case_name) {
  const config::CaseScript* was = script_of(before.found, case_name);
  const config::CaseScript* is = script_of(after.found, case_name);
  if (was == nullptr || is == nullptr) return std::vector<KeyDifference>{};
  GATE_TRY(const OriginByKey old_lines, header_by_key(before, *was));
  GATE_TRY(const OriginByKey new_lines, header_by_key(after, *is));
  return key_differences(old_lines, new_lines);
}

Answer<std::vector<KeyDifference>> case_differences(const Suite& before, const Suite& after,
                                                    const std::string& case_name) {
  const config::CaseScript* was = script_of(before.found, case_name);
  const config::CaseScript* is = script_of(after.found, case_name);
  if (is == nullptr) return std::vector<KeyDifference>{};
  GATE_TRY(const std::string new_text, script_text(after, *is));
  GATE_TRY(const std::string old_text,
           was == nullptr ? Answer<std::string>(new_text) : script_text(before, *was));
  const config::CaseScript old_found =
      was != nullptr ? *was : as_if_found_by(before.policy, *is, after.policy);
  GATE_TRY(const OriginByKey old_lines,
           origins_by_key(before, {case_name, is->script, old_text, {}, old_found.group, old_found.variant}));
  GATE_TRY(const OriginByKey new_lines,
           origins_by_key(after, {case_name, is->script, new_text, {}, is->group, is->variant}));
  return key_differences(old_lines, new_lines);
}

std::vector<BaselineDifference> baseline_differences(const Suite& before, const Suite& after) {
  std::map<std::string, std::string> was, is;
  std::map<std::string, BaselineDifference> files = baseline_files(before, was);
  files.merge(baseline_files(after, is));
  std::vector<BaselineDifference> different;
  for (auto& [path, file] : files) {
    if (was.contains(path) && is.contains(path) && was[path] == is[path]) continue;
    file.shift = !was.contains(path)  ? PolicyShift::added
                 : !is.contains(path) ? PolicyShift::removed
                                      : PolicyShift::changed;
    different.push_back(std::move(file));
  }
  return different;
}

}  // namespace gate::app
