// One value of a metric.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gate/model/numbers/decimal.h"

namespace gate {

// `left_out`: the log printed the step, and left this value out of it.
enum class ValueKind : std::uint8_t { finite, nan, positive_infinity, negative_infinity, left_out };

struct Value {
  ValueKind kind = ValueKind::left_out;
  Decimal number;  // in the metric's unit; meaningful only where finite

  bool is_finite() const { return kind == ValueKind::finite; }
  bool operator==(const Value& other) const;  // NaN equals NaN here: "printed alike"
};

// Return the value of a whole word: a Decimal, or nan, inf, infinity with any case and sign; a number beyond
// a double's range, such as 9e999, is an infinity. Nothing if it is no number.
std::optional<Value> parse_value(std::string_view word);

// The same into a value that is at hand. Returns false, and leaves anything in it, where the word is no
// number.
bool parse_value(std::string_view word, Value& value);

inline bool is_finite(const std::optional<Value>& value) { return value && value->is_finite(); }

// One value of a metric.
struct Sample {
  std::int64_t number = 0;  // step, report or time, as the metric is numbered
  Value value;
  std::string text;        // the word as printed; "" where it was left out
  std::uint32_t file = 0;  // index into Extraction::files
  std::uint32_t line = 0;  // from 1; 0 where the sample does not come from a log
};

// Return the value as printed where that word is its number in the metric's unit, else the number; "" where
// the log left the value out.
std::string word_in_unit(const Sample& sample);

// A sample whose word stands elsewhere.
struct SampleView {
  SampleView(std::int64_t its_number, const Value& its_value, std::string_view its_text,
             std::uint32_t its_file = 0, std::uint32_t its_line = 0)
      : number(its_number), value(its_value), text(its_text), file(its_file), line(its_line) {}
  SampleView(const Sample& sample)
      : SampleView(sample.number, sample.value, sample.text, sample.file, sample.line) {}
  SampleView() = default;

  Sample copy() const { return {number, value, std::string(text), file, line}; }

  std::int64_t number = 0;
  Value value;
  std::string_view text;
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  bool is_said = false;  // parse_value(text) is known to be the value
};

}  // namespace gate
