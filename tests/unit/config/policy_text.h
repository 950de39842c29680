// Words for tests of gate.toml: texts in, values or full error texts out.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "gate/config/policy.h"

namespace gate::config {

// Return the policy of a gate.toml that must be well.
inline Policy policy(std::string_view toml) {
  Parsed<Policy> parsed = Policy::parse(toml, "gate.toml");
  if (!parsed) ADD_FAILURE() << to_string(parsed.error());
  return parsed ? *parsed : *Policy::parse("", "gate.toml");
}

// Return every mistake of the gate.toml, one a line; "" where there is none.
inline std::string mistakes(std::string_view toml) {
  const Parsed<Policy> parsed = Policy::parse(toml, "gate.toml");
  return parsed ? "" : to_string(parsed.error());
}

// What stands on the command line as `--set KEY=VALUE`.
inline Override set(std::string key, std::string value) {
  return {std::move(key), std::move(value), "--set"};
}

// What a case is made of.
struct Suite {
  std::string toml = {};
  std::string script_text = {};
  std::vector<Override> overrides = {};
  std::string case_name = "a";
};

inline ResolveRequest subject(const Suite& suite) {
  return {suite.case_name, "scripts/" + suite.case_name + ".sh", suite.script_text, suite.overrides};
}

inline Parsed<Case> try_resolve(const Suite& suite) { return policy(suite.toml).resolve(subject(suite)); }

// A case, and where its values come from.
struct ExplainedCase : Case {
  std::vector<SettingOrigin> origins;
};

// Return the case, which must resolve.
inline ExplainedCase resolve(const Suite& suite) {
  Parsed<Case> resolved = try_resolve(suite);
  if (!resolved) ADD_FAILURE() << to_string(resolved.error());
  if (!resolved) return {};
  return {std::move(*resolved), *policy(suite.toml).explain(subject(suite))};
}

// Return every mistake in the script's header and in the overrides, one a line; "" where there is none.
inline std::string case_mistakes(const Suite& suite) {
  const Parsed<Case> resolved = try_resolve(suite);
  return resolved ? "" : to_string(resolved.error());
}

inline Settings settings_of(const Suite& suite) { return resolve(suite).settings; }
inline Settings header(const std::string& line) { return settings_of({.toml = "", .script_text = line}); }
inline std::string header_mistakes(const std::string& text) {
  return case_mistakes({.toml = "", .script_text = text});
}

// Return the rule as one line, `lm_loss first 15 each ±0.01`; "off" where the case has none of that name.
inline std::string rule(const Case& spec, std::string_view name) {
  for (const Rule& rule : spec.rules)
    if (rule.name == name)
      return rule.metric + " " + to_string(rule.window) + " " + std::string(to_string(rule.reduce)) + " " +
             to_string(rule.tolerance);
  return "off";
}

// Return the line of `--explain` for the key, `timeout = 2h (built-in)`.
inline std::string explain(const ExplainedCase& spec, std::string_view key) {
  for (const SettingOrigin& line : spec.origins)
    if (line.key == key) return line.key + " = " + line.value + " (" + line.origin.english() + ")";
  return "";
}

}  // namespace gate::config
