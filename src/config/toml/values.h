// Words into values of a type. The errors say what was written and what to write; the caller knows the place.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/toml/raw_value.h"
#include "gate/base/result.h"
#include "gate/base/time.h"
#include "gate/model/decimal.h"

namespace gate::config {

// Return a text as it is written. Fails for other types, and for a text that holds a NUL byte.
Result<std::string> read_text(const RawValue& word);

// As read_text, for a text that must not be empty.
Result<std::string> read_filled_text(const RawValue& word);

// Return the items of a list; a TOML text is a list of one. Fails for an empty item, and for a TOML text that
// holds a comma, because only #GATE and --set separate by commas.
Result<std::vector<std::string>> read_list(const RawValue& word);

Result<bool> read_bool(const RawValue& word);
Result<Duration> read_duration(const RawValue& word);
Result<Duration> read_positive_duration(const RawValue& word);

// Return a whole number from `least` to a thousand million.
Result<int> read_count(const RawValue& word, int least);

Result<Decimal> read_number(const RawValue& word);

// Return an ISO date, `2026-12-31`, that is in the calendar.
Result<std::string> read_date(const RawValue& word);

// Return the index of the name that is written. The noun is for the message: `unknown wait "trea"; ...`.
Result<std::size_t> read_choice(const RawValue& word, std::string_view noun,
                                std::span<const std::string_view> names);

// Return the text of a scalar of any type, for grammars that have their own messages.
Result<std::string> read_scalar(const RawValue& word);

}  // namespace gate::config
