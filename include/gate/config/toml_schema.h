// What an editor needs to know of gate.toml.
#pragma once

#include <string>

namespace gate::config {

// Return the JSON Schema (draft 7) of gate.toml, made from the tables of keys: what it refuses gate refuses.
// Of what it takes gate may refuse what is no matter of one value's shape: words of a grammar of their own
// (tolerances, formulas, patterns, faults), names that stand elsewhere in the file, and keys that go
// together.
std::string toml_schema();

}  // namespace gate::config
