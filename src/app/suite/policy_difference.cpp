#include "suite/policy_difference.h"

#include <algorithm>
#include <set>
#include <utility>

#include "gate/model/rules/grammar.h"
#include "gate/schema/baseline_file.h"
#include "suite/golden_files.h"
#include "suite/moved_values.h"

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
      different.push_back({key, a.value, b.value, b.origin.english()});
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

// By path and case.
using ContentsOfFiles = std::map<std::pair<std::string, std::string>, std::string>;

std::string content_of(const fs::Path& file) {
  std::error_code unknown;
  if (std::filesystem::is_symlink(file, unknown)) return "a link";
  return fs::sha256(fs::read_file(file).value_or(""));
}

// Return the hash of each baseline file and of each golden file of an output that lies in the suite; of a
// link, that it is one.
ContentsOfFiles baseline_files(const Suite& suite) {
  const fs::Path& folder = store::folder_of_files(suite.layout);
  ContentsOfFiles contents;
  std::map<std::string, std::string> golden;  // by path: several cases may have one
  for (const auto& [name, places] : store::places_by_case(suite.layout))
    for (const store::BaselinePlace& place : places) {
      const std::string path = store::baseline_path(suite.layout, place);
      contents[{path, name}] = content_of(folder / path);
    }
  for (const config::Case& spec : suite.cases)
    for (const std::string& path : golden_files_in(spec, folder)) {
      const auto [known, is_new] = golden.try_emplace(path);
      if (is_new) known->second = content_of(folder / path);
      contents[{path, spec.name}] = known->second;
    }
  return contents;
}

// "" of what is no baseline, such as a golden file of an output.
std::string moved_in_file(const Suite& before, const Suite& after, const std::string& path) {
  const auto baseline = [&](const Suite& suite) {
    const auto text = fs::read_file(store::folder_of_files(suite.layout) / path);
    return schema::read_baseline(text.value_or(""), path);
  };
  const Result<Baseline> was = baseline(before), is = baseline(after);
  return was && is ? moved_values(*was, *is) : "";
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
  const ContentsOfFiles was = baseline_files(before), is = baseline_files(after);
  ContentsOfFiles all = was;
  all.insert(is.begin(), is.end());
  std::vector<BaselineDifference> different;
  for (const auto& [file, content] : all) {
    const auto old = was.find(file), now = is.find(file);
    if (old != was.end() && now != is.end() && old->second == now->second) continue;
    const PolicyShift shift = old == was.end()  ? PolicyShift::added
                              : now == is.end() ? PolicyShift::removed
                                                : PolicyShift::changed;
    different.push_back({file.first, file.second, shift,
                         shift == PolicyShift::changed ? moved_in_file(before, after, file.first) : ""});
  }
  return different;
}

}  // namespace gate::app
