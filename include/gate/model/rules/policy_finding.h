// A run by a trusted policy: what a tree, or a command, would change of what it is judged by. A finding is
// for who reviews the change: the run was judged without it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/model/rules/rule.h"

namespace gate {

// What a finding is about.
enum class PolicyArea : std::uint8_t {
  gate_toml,  // the file as a whole
  suite,      // a key of [suite], [platforms] or [jsonl]
  rule,       // a key of a rule, or a whole one
  metric,
  setting,
  header,    // a #GATE line
  baseline,  // a file
  script,    // a case
  command,   // a word of the command line
};

enum class PolicyShift : std::uint8_t { loosened, tightened, changed, added, removed, renamed };

// File and line that show a finding. Line 0 is unknown, and so is a file that is "".
struct FindingPlace {
  std::string file;
  std::int64_t line = 0;
};

struct PolicyFinding {
  PolicyArea area = PolicyArea::gate_toml;
  PolicyShift shift = PolicyShift::changed;
  std::string subject;             // a key, a path, the name of a case
  std::string before, after;       // as it is written; "" where there is none
  std::string where;               // of what is new: `gate.toml:14:13`
  std::vector<std::string> cases;  // that it is about; none: the whole suite

  FindingPlace place() const;
};

struct TrustedPolicy {
  std::string reference;  // the git ref as it was named
  std::string commit;
  std::vector<PolicyFinding> findings;
};

// Add a finding. What is said of several cases alike is one finding, of all of them.
void add_finding(std::vector<PolicyFinding>& all, PolicyFinding finding);

std::string_view to_string(PolicyArea area);
std::optional<PolicyArea> parse_policy_area(std::string_view name);
std::string_view to_string(PolicyShift shift);
std::optional<PolicyShift> parse_policy_shift(std::string_view name);

// Return which way a tolerance moved: loosened if whatever passes before passes after and more does,
// tightened the other way round, as far as the bounds alone can tell; else changed.
PolicyShift shift_of(const Tolerance& before, const Tolerance& after);

}  // namespace gate
