// What golden files say of their own tolerances, as gate.toml has it.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace gate::config {

using Margins = std::map<std::string, std::string>;  // metric -> relative margin, as written: `0.02`

struct CaseMargins {
  std::string case_name;
  Margins margins;
  bool has_script = true;
};

// Return the tolerance that a relative margin of a metric means under profile gate: `±2%` where no side of
// the metric is better, else only its bad side is bounded, `-10%`, `+10%`; "" of a margin that is no number
// above 0 and at most 100.
std::string tolerance_of(std::string_view metric, std::string_view margin);

// Return a [case."NAME".rules] table for each case with margins, or one [case."**".rules] where all of the
// suite's cases, `in_suite` and more than one, have the same. A [case."NAME"] may stand beside it. What no
// block can say is a comment, and so is the block of a case without a script, which gate.toml may not name
// yet. "" without margins.
std::string margin_blocks(std::span<const CaseMargins> cases, std::size_t in_suite);

// Return the text as a basic string of TOML.
std::string toml_text(std::string_view text);

// Return the name as a key of TOML, in quotes if it needs them.
std::string toml_key(std::string_view name);

// Return the name of the table `[case."GLOB"]` whose glob is of just this case, `case."a"`.
std::string case_key(std::string_view case_name);

// Tell whether the name can stand in gate.toml: nothing unprintable.
bool is_plain_name(const std::string& case_name);

}  // namespace gate::config
