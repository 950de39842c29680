#include "suite/trusted_source.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "gate/base/text.h"
#include "gate/config/settings.h"
#include "gate/model/rules/grammar.h"
#include "gate/suite/published.h"
#include "suite/policy_difference.h"

namespace gate::app {

namespace {

using enum PolicyShift;

// The values of settings of which one lets more pass than another, the strictest first.
struct OrderedValues {
  std::string_view key;
  std::array<std::string_view, 3> values;
};
constexpr std::array ordered_values{OrderedValues{"strict", {"true", "accuracy", "false"}},
                                    OrderedValues{"restarts", {"false", "true"}},
                                    OrderedValues{"judge", {"series", "pytest", "exit"}},
                                    OrderedValues{"recipe.nondeterministic", {"false", "true"}},
                                    OrderedValues{"required", {"true", "false"}}};

// What is no such value counts as the strictest.
std::size_t looseness(const OrderedValues& row, const std::string& value) {
  const auto* const place = std::ranges::find(row.values, value);
  return place == row.values.end() || value.empty() ? 0
                                                    : static_cast<std::size_t>(place - row.values.begin());
}

PolicyShift shift_of_order(bool is_more, bool is_less) {
  return is_more ? loosened : is_less ? tightened : changed;
}

// Return `tolerance` of `rules.a.b.tolerance`, `waive.until` of `rules.a.waive.until`; the key itself if it
// is none of a rule.
std::string rule_key_in(const std::string& key) {
  std::string best;
  if (key.starts_with("rules."))
    for (const config::SettingRow& row : config::rule_keys())
      if (key.ends_with("." + std::string(row.key)) && row.key.size() > best.size()) best = row.key;
  return best.empty() ? key : best;
}

PolicyShift shift_of_key(const std::string& key, const std::string& before, const std::string& after) {
  const std::string last = rule_key_in(key);
  if (last == "tolerance") {
    const Result<Tolerance> a = parse_tolerance(before), b = parse_tolerance(after);
    return a && b ? shift_of(*a, *b) : changed;
  }
  if (last == "profile")
    return shift_of_order(after == before + " nondeterministic", before == after + " nondeterministic");
  if (last == "waive.until" || last == "quarantine.until")
    return shift_of_order(before < after, after < before);
  const auto a = parse_integer(before), b = parse_integer(after);
  if (last == "max_misses" && a && b) return shift_of_order(*a < *b, *b < *a);
  const auto* const row = std::ranges::find(ordered_values, last, &OrderedValues::key);
  if (row == ordered_values.end()) return changed;
  const std::size_t from = looseness(*row, before), to = looseness(*row, after);
  return shift_of_order(to > from, to < from);
}

PolicyArea area_of_key(const std::string& key) {
  if (key.starts_with("rules.")) return PolicyArea::rule;
  return key.starts_with("metrics.") ? PolicyArea::metric : PolicyArea::setting;
}

// Return the rules of which a side has a tolerance, and so judges by.
std::set<std::string> rules_of_side(const std::vector<KeyDifference>& different,
                                    std::string KeyDifference::*side) {
  std::set<std::string> rules;
  for (const KeyDifference& one : different)
    if (rule_key_in(one.key) == "tolerance" && !(one.*side).empty())
      rules.insert(one.key.substr(0, one.key.size() - std::string_view(".tolerance").size()));
  return rules;
}

// Collects findings.
class FindingList {
 public:
  void add(PolicyFinding finding, const std::string& case_name = "") {
    if (!case_name.empty()) finding.cases.push_back(case_name);
    add_finding(all_, std::move(finding));
  }
  std::vector<PolicyFinding> take() { return std::move(all_); }

 private:
  std::vector<PolicyFinding> all_;
};

// A rule that is on or off on one side alone is one finding, whatever keys it has.
void add_keys(FindingList& list, const std::vector<KeyDifference>& different, const std::string& case_name) {
  const std::set<std::string> were = rules_of_side(different, &KeyDifference::before);
  const std::set<std::string> are = rules_of_side(different, &KeyDifference::after);
  const auto is_one_sided = [&](const std::string& rule) {
    return were.contains(rule) != are.contains(rule);
  };
  for (const KeyDifference& one : different) {
    const std::string last = rule_key_in(one.key);
    const std::string rule = last == one.key ? one.key : one.key.substr(0, one.key.size() - last.size() - 1);
    if (one.key.starts_with("rules.") && is_one_sided(rule)) {
      if (last == "tolerance")
        list.add({PolicyArea::rule,
                  one.after.empty() ? removed : added,
                  rule,
                  one.before,
                  one.after,
                  one.where,
                  {}},
                 case_name);
      continue;
    }
    list.add({area_of_key(one.key),
              shift_of_key(one.key, one.before, one.after),
              one.key,
              one.before,
              one.after,
              one.where,
              {}},
             case_name);
  }
}

// What a #GATE line says instead of nothing.
std::string built_in_of_key(const std::string& key) {
  const config::SettingRow* row = config::find_setting(key);
  return row == nullptr ? "" : std::string(row->built_in);
}

void add_header(FindingList& list, const KeyDifference& one, const std::string& case_name) {
  const std::string before = one.before.empty() ? built_in_of_key(one.key) : one.before;
  const std::string after = one.after.empty() ? built_in_of_key(one.key) : one.after;
  PolicyShift shift = shift_of_key(one.key, before, after);
  if (shift == changed && one.before.empty()) shift = added;
  if (shift == changed && one.after.empty()) shift = removed;
  const std::string where = one.where.substr(0, one.where.find(' '));
  const bool is_known = shift == loosened || shift == tightened;  // then what held instead says more
  list.add({PolicyArea::header,
            shift,
            one.key,
            is_known ? before : one.before,
            is_known ? after : one.after,
            where,
            {}},
           case_name);
}

Answer<void> add_case(FindingList& list, const Suite& at_ref, const Suite& tree, const std::string& name) {
  GATE_TRY(const auto header, header_differences(at_ref, tree, name));
  GATE_TRY(auto different, case_differences(at_ref, tree, name));
  std::erase_if(different, [&](const KeyDifference& one) {
    return std::ranges::find(header, one.key, &KeyDifference::key) != header.end();
  });
  add_keys(list, different, name);
  for (const KeyDifference& one : header) add_header(list, one, name);
  return {};
}

// A script that the ref does not have is judged by its own lines.
Answer<void> add_new_case(FindingList& list, const Suite& tree, const config::CaseScript& found) {
  list.add({PolicyArea::script, added, found.name, "", "", found.script, {}});
  GATE_TRY(const std::string text, or_usage(fs::read_file(tree.root / found.script)));
  for (const config::SettingOrigin& line :
       config::header_settings(tree.policy.groups()[found.group].kind, text, found.script))
    add_header(list, {line.key, "", line.value, line.origin.english()}, found.name);
  return {};
}

// Of the scripts that both have, variants that one side alone has. The ref's run.
void add_variants(FindingList& list, const std::vector<config::CaseScript>& of_tree,
                  const std::vector<config::CaseScript>& by_ref) {
  const auto add = [&](const std::vector<config::CaseScript>& from,
                       const std::vector<config::CaseScript>& other, PolicyShift shift) {
    for (const config::CaseScript& one : from) {
      const bool has_script =
          std::ranges::find(other, one.script, &config::CaseScript::script) != other.end();
      if (has_script && script_of(other, one.name) == nullptr)
        list.add({PolicyArea::script, shift, one.name, "", "", one.script, {}});
    }
  };
  add(by_ref, of_tree, removed);
  add(of_tree, by_ref, added);
}

void add_words(FindingList& list, const Suite& tree) {
  std::vector<config::Override> words = tree.overrides;
  if (tree.rehearsal) words.push_back(*tree.rehearsal);
  for (const config::Override& word : words) {
    const std::string origin = word.origin.empty() ? "--set" : word.origin;
    const bool is_plain_flag = origin != "--set" && origin != "--env";
    list.add({PolicyArea::command,
              added,
              is_plain_flag ? origin : origin + " " + word.key,
              "",
              word.value,
              "",
              {}});
  }
  if (tree.environment != tree.policy.environment())
    list.add({PolicyArea::command, added, "--environment", "", tree.environment, "", {}});
  for (const extract::UserPattern& pattern : tree.given_patterns)
    list.add({PolicyArea::command, added, "--pattern " + pattern.metric, "", "", "", {}});
}

// Return which part of the lines of two texts they have in common.
double likeness(const std::string& a, const std::string& b) {
  std::map<std::string_view, std::int64_t> counts;
  const auto lines = split(a, '\n'), others = split(b, '\n');
  for (const std::string_view line : lines) ++counts[line];
  std::int64_t common = 0;
  for (const std::string_view line : others) common += counts[line]-- > 0 ? 1 : 0;
  return 2.0 * static_cast<double>(common) / static_cast<double>(lines.size() + others.size());
}

// Return which of the new scripts the gone one became; "" if it is none.
std::string new_name_of(const TrustedSource& source, const config::CaseScript& gone,
                        const std::vector<config::CaseScript>& fresh) {
  const std::string text = fs::read_file(source.at_ref.root / gone.script).value_or("");
  std::string best;
  double most = 0.5;
  for (const config::CaseScript& found : fresh) {
    const double like = likeness(text, fs::read_file(source.tree.root / found.script).value_or(""));
    if (like > most) best = found.name;
    most = std::max(most, like);
  }
  return best;
}

std::string references_text(const Suite& suite) {
  return fs::read_file(suite.root / references_name).value_or("");
}

// Return the files of kubernetes.patch that say something else.
std::set<std::string> changed_patches(const Suite& before, const Suite& after) {
  std::set<std::string> paths;
  for (const config::Case& spec : after.cases) {
    const config::Case* was = before.find(spec.name);
    const Kubernetes& settings = spec.settings.kubernetes;
    if (was != nullptr && was->settings.kubernetes.patch == settings.patch &&
        was->settings.kubernetes.patched != settings.patched)
      paths.insert(settings.patch);
  }
  return paths;
}

}  // namespace

Answer<TrustedSource> trusted_source(Suite at_ref, Suite tree, const std::string& reference) {
  TrustedSource source{{reference, at_ref.commit, {}}, std::move(at_ref), std::move(tree), {}};
  const Suite &before = source.at_ref, &after = source.tree;
  FindingList list;
  if (before.policy_sha256 != after.policy_sha256)
    list.add({PolicyArea::gate_toml, changed, after.config.filename().string(), "", "", "", {}});
  for (const KeyDifference& one : suite_differences(before, after))
    list.add({PolicyArea::suite, changed, one.key, one.before, one.after, one.where, {}});
  // Which scripts are cases the ref says, too.
  GATE_TRY(const auto found, cases_by_policy(before.policy, after, config::Unmatched::allowed));
  std::vector<config::CaseScript> fresh;
  std::ranges::copy_if(found, std::back_inserter(fresh), [&](const config::CaseScript& one) {
    return script_of(before.found, one.name) == nullptr;
  });
  for (const config::CaseScript& one : after.found) GATE_TRY_STATUS(add_case(list, before, after, one.name));
  for (const BaselineDifference& one : baseline_differences(before, after))
    list.add({PolicyArea::baseline, one.shift, one.path, "", one.moved, "", {}}, one.case_name);
  for (const std::string& path : changed_patches(before, after))
    list.add({PolicyArea::setting, changed, path, "", "", "", {}});
  if (references_text(before) != references_text(after))
    list.add({PolicyArea::baseline, changed, std::string(references_name), "", "", "", {}});
  for (const config::CaseScript& one : before.found) {
    if (script_of(found, one.name) != nullptr) continue;
    const std::string new_name = new_name_of(source, one, fresh);
    source.gone.emplace(one.name, new_name);
    list.add(
        {PolicyArea::script, new_name.empty() ? removed : renamed, one.name, one.name, new_name, "", {}});
  }
  for (const config::CaseScript& one : fresh) GATE_TRY_STATUS(add_new_case(list, after, one));
  add_variants(list, after.found, found);
  add_words(list, after);
  source.policy.findings = list.take();
  return source;
}

}  // namespace gate::app
