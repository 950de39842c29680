// Weaknesses of a baseline: what makes a gate that stands on it see less than it seems to.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/judge/noise.h"
#include "gate/judge/selftest.h"
#include "gate/model/rules/quarantine.h"
#include "gate/model/runs/baseline.h"

namespace gate::judge {

// `weak`: the gate is not what it seems. `note`: worth knowing.
enum class Weight : std::uint8_t { weak, note };

struct LintRow {
  std::string_view name;  // `stall`
  Weight weight = Weight::weak;
  TableText doc;
  TableText advice;  // what to do
};

// Return all rows, in the order in which findings are listed.
std::span<const LintRow> lints();

struct Finding {
  const LintRow* row = nullptr;
  Sentence subject;  // `throughput`, `memory_allocated ranks 0-7`; "" for the whole baseline
  Sentence text;
};

struct LintInput {
  GuardedCase guard;
  std::vector<const Baseline*> files;  // those that the reference was made of
  Sentence no_script;                  // what is to be said where no script has its name; "": one has
  std::string script_sha256;           // of the script as it is; "" is unknown
  std::string today;                   // ISO date; "" is unknown: nothing is old
  std::span<const Noise> noise = {};   // of every check, as assess() tells it
};

// One case on one platform.
struct LintCase {
  std::string name;
  std::string platform;  // "" is general
  Sentence why_not;      // why there was nothing to check
  std::vector<Finding> findings;
  std::vector<Noise> noise;
  std::optional<Quarantine> quarantine = {};  // of the case, whether its last day is over or not
  bool unreadable = false;                    // that is why not: nobody knows what guards it
  bool is_beside = false;                     // it is a script beside the cases, and none of them
};

struct Lint {
  std::vector<LintCase> cases;

  std::int64_t count(Weight weight) const;

  // Return the false-failure rate of a run of all cases; nothing where no case's noise is known.
  std::optional<double> false_red() const;

  // 1 where anything is weak; 3 where no case has a baseline, or one cannot be read; else 0.
  int exit_code() const;
};

// The row of a case that can leave its quarantine.
inline constexpr std::string_view can_go_row = "quarantine_can_go";

// Return what is to be said of a quarantine on that day (ISO date): that it is over, or will be within two
// weeks; and that it can go, where the case was green in so many runs (0: it cannot, or nobody knows).
std::vector<Finding> lint_quarantine(const Quarantine& quarantine, const std::string& today,
                                     std::size_t green = 0);

// Return a finding of that row, one of lints(), for each text: what the caller found in something else than
// the baselines, such as the case's name, its script, or files that gate.toml or its numbers were made of.
std::vector<Finding> findings_of(std::string_view row, const std::vector<Sentence>& texts);

// Return the findings in the order of the rows.
std::vector<Finding> lint(const LintInput& input);

}  // namespace gate::judge
