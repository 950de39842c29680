// One value that a person wrote, before the type of its key has a say, and as a value of a type. The errors
// say what was written and what to write; the caller knows the place.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/diagnostics.h"
#include "gate/base/result.h"
#include "gate/base/time.h"
#include "gate/model/numbers/decimal.h"

namespace gate::config {

struct RawMember;

struct RawValue {
  // `untyped` comes from #GATE and --set, where the key's type alone tells what is meant; the others from
  // TOML.
  enum class Kind : std::uint8_t { untyped, text, number, boolean, list, date, table, other };
  Kind kind = Kind::untyped;
  std::string text;                // as it would follow `--set KEY=`
  std::vector<std::string> items;  // of a list; of an untyped value its parts between commas
  Position at;                     // of the value
  std::string origin;              // as `gate list --explain` prints it
  std::vector<RawMember> members;  // of a table that is one value (table_value)
};

struct RawMember {
  std::string key;
  RawValue value;
};

// Return the untyped value of a text; its items are the parts between commas, none for the empty text.
RawValue untyped(std::string text, Position at, std::string origin);

// Return the value as messages show it: `"30"`, `8`, `a list`.
std::string shown(const RawValue& raw);

// Tell whether it is that word.
bool says(const RawValue& raw, std::string_view word);

// Return `unknown wait "trea"; did you mean "tree"?`, or with the names to choose from if none is near.
std::string unknown(std::string_view noun, const RawValue& raw, std::span<const std::string> names);
std::string unknown(std::string_view noun, std::string_view text, std::span<const std::string> names);

// Return the words of a script: those between the blanks of a text, or the items of a list, each a word
// whatever stands in it. An untyped value may be a list as TOML has it, `["--load", "none"]`; so may that of
// read_list.
Result<std::vector<std::string>> read_words(const RawValue& raw);

// Return a text as it is written. Fails for other types, and for a text that holds a NUL byte.
Result<std::string> read_text(const RawValue& raw);

// As read_text, for a text that must not be empty.
Result<std::string> read_filled_text(const RawValue& raw);

// Return the items of a list; a TOML text is a list of one. Fails for an empty item, and for a TOML text that
// holds a comma, because only #GATE and --set separate by commas.
Result<std::vector<std::string>> read_list(const RawValue& raw);

Result<bool> read_bool(const RawValue& raw);
Result<Duration> read_duration(const RawValue& raw);
Result<Duration> read_positive_duration(const RawValue& raw);

// Return a whole number from `least` to a thousand million.
Result<int> read_count(const RawValue& raw, int least);

template <int least>
Result<int> read_count_from(const RawValue& raw) {
  return read_count(raw, least);
}

Result<Decimal> read_number(const RawValue& raw);

// Return an ISO date, `2026-12-31`, that is in the calendar.
Result<std::string> read_date(const RawValue& raw);

// Return the index of the name that is written. The noun is for the message: `unknown wait "trea"; ...`.
Result<std::size_t> read_choice(const RawValue& raw, std::string_view noun,
                                std::span<const std::string_view> names);

// Return the enumerator whose name is written. The names stand in the order of the enumerators.
template <typename Enum>
Result<Enum> read_enum(const RawValue& raw, std::string_view noun,
                       std::initializer_list<std::string_view> names) {
  return read_choice(raw, noun, {names.begin(), names.size()}).map([](std::size_t i) {
    return static_cast<Enum>(i);
  });
}

// Return the text of a scalar of any type, for grammars that have their own messages.
Result<std::string> read_scalar(const RawValue& raw);

}  // namespace gate::config
