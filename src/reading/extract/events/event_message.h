// One event of TensorBoard: a step, a time, and values under tags.
//
//   Event { wall_time(1) step(2) file_version(3) summary(5) }    Summary { value(1) ... }
//   Value { tag(1) simple_value(2) tensor(8) metadata(9) ... }   metadata: plugin_data(1) { plugin_name(1) }
//
// A scalar is a simple_value, as torch writes it, or a tensor of one number whose plugin is `scalars` or not
// named, as TensorFlow 2 does: a float, double, half, bfloat16 or integer type, of no dimensions or all of
// them 1, whose value stands in tensor_content or in the field of its type. Histograms, images, texts are
// other values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace gate::extract {

// number: the word says it. other: something else than one number. malformed: no message at all.
enum class ScalarKind : std::uint8_t { number, other, malformed };

struct ScalarRead {
  ScalarKind kind = ScalarKind::other;
  std::string
      word;  // the shortest decimal that reads back as the value; from 1e-4 up to 1e16 without an exponent
};

struct EventHead {
  double wall_time = 0;   // seconds since 1970
  std::int64_t step = 0;  // 0 where the event does not say
};

struct EventValue {
  std::string_view tag;
  ScalarRead scalar;
};

// Return the head of the event; nothing where anything in it is malformed, down to its values.
std::optional<EventHead> read_event(std::string_view message);

// Hand over the event's values in their order, up to where it is malformed.
void for_each_value(std::string_view message, const std::function<void(const EventValue&)>& on_value);

}  // namespace gate::extract
