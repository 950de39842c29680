// One value that a person wrote, before the type of its key has a say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/base/diagnostics.h"

namespace gate::config {

struct RawValue {
  // `untyped` comes from #GATE and --set, where the key's type alone tells what is meant; the others from
  // TOML.
  enum class Kind : std::uint8_t { untyped, text, number, boolean, list, date, table, other };
  Kind kind = Kind::untyped;
  std::string text;                // as it would follow `--set KEY=`
  std::vector<std::string> items;  // of a list; of an untyped word its parts between commas
  Position at;                     // of the value
  std::string origin;              // as `gate list --explain` prints it
};

// Return the untyped word of a text; its items are the parts between commas, none for the empty text.
RawValue untyped(std::string text, Position at, std::string origin);

// Return the word as messages show it: `"30"`, `8`, `a list`.
std::string shown(const RawValue& word);

// Return `gate.toml:14:13`.
std::string to_string(const Position& at);

}  // namespace gate::config
