// The schema of gate.toml, for editors.
#pragma once

#include <string>

namespace gate::config {

// Return the JSON Schema (draft 7) of gate.toml, made from the tables of keys. gate refuses what it refuses,
// and more: texts with a grammar (tolerances, formulas, patterns, faults), names that stand elsewhere in the
// file, and keys that go together.
std::string toml_schema();

}  // namespace gate::config
