#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/text.h"
#include "gate/model/numbers/guessed_metric.h"
#include "schema/json/json_tape.h"
#include "schema/output/number_readers.h"

namespace gate::schema {

namespace {

constexpr std::size_t most_names = 1000;

std::optional<std::int64_t> whole_number(double number) {
  constexpr double largest = 1e15;
  const bool is_whole = std::abs(number) <= largest && std::floor(number) == number;
  return is_whole ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

// Takes the numbers that a key chooses out of one JSON text after another.
class NumberCollector {
 public:
  NumberCollector(const JsonTape& tape, std::string_view key) : tape_(tape), key_(key) {}

  // Take those of the text that the tape holds; returns their lengths.
  Result<Lengths> take() { return collect(0, key_, 0); }

  // Return the steps that the objects which the key leads through name beside what it chooses, one for each
  // of so many rows; nothing where not all do.
  std::vector<std::int64_t> steps(std::size_t rows) const {
    for (const auto& [depth, steps] : steps_)
      if (steps.size() == rows) return steps;
    return {};
  }

  std::vector<double> values() { return std::move(values_); }

 private:
  // `rest` is what is left of the key, `unnamed` how many objects were gone into without it.
  Result<Lengths> collect(std::uint32_t node, std::string_view rest, std::size_t unnamed) {
    const Json::Kind kind = tape_[node].kind;
    if (kind == Json::Kind::object) return collect_member(node, rest, unnamed);
    if (kind == Json::Kind::list) return collect_list(node, rest, unnamed);
    if (!rest.empty())
      return refuse(node,
                    std::string(to_string(kind)) + ", which has no member \"" + printable(rest, 80) + "\"");
    GATE_TRY(const double value, number(node));
    values_.push_back(value);
    return Lengths{};
  }

  Result<double> number(std::uint32_t node) const {
    switch (tape_[node].kind) {
      case Json::Kind::number:
        return tape_[node].number;
      case Json::Kind::null:
        return std::numeric_limits<double>::quiet_NaN();
      case Json::Kind::text:
        return quoted_number(node);
      default:
        return refuse(node, "true or false where a number should be; write 1 or 0");
    }
  }

  Result<double> quoted_number(std::uint32_t node) const {
    const std::string word = tape_.content(node);
    if (const auto value = non_finite_of_word(word)) return *value;
    if (number_of_word(word)) return refuse(node, "a number in quotes; write it without them");
    return refuse(node, why_no_number(word));
  }

  Result<Lengths> collect_list(std::uint32_t list, std::string_view rest, std::size_t unnamed) {
    const std::string_view first = rest.substr(0, rest.find('.'));
    if (const auto index = parse_integer(first); index && is_digit(first[0]))
      return collect_item(list, *index, rest.substr(std::min(first.size() + 1, rest.size())), unnamed);
    Lengths item_lengths;
    std::size_t count = 0;
    for (std::uint32_t item = list + 1; item < tape_[list].end; item = tape_[item].end, ++count) {
      GATE_TRY(Lengths lengths, collect(item, rest, unnamed));
      if (count > 0 && lengths != item_lengths)
        return refuse(item, "holds " + words_for(lengths) +
                                " where what stands before it in the list holds " + words_for(item_lengths) +
                                "; choose one of them with a key");
      item_lengths = std::move(lengths);
    }
    item_lengths.insert(item_lengths.begin(), count);
    return item_lengths;
  }

  static std::string words_for(const Lengths& lengths) {
    return lengths.empty() ? "a single number" : "numbers of shape " + shape_of(lengths);
  }

  Result<Lengths> collect_item(std::uint32_t list, std::int64_t index, std::string_view rest,
                               std::size_t unnamed) {
    std::int64_t count = 0;
    for (std::uint32_t item = list + 1; item < tape_[list].end; item = tape_[item].end)
      if (count++ == index) return collect(item, rest, unnamed);
    return refuse(list, "a list of " + count_of(count, "item") + ", which has none of index " +
                            std::to_string(index) + "; the first is 0");
  }

  Result<Lengths> collect_member(std::uint32_t object, std::string_view rest, std::size_t unnamed) {
    if (rest.empty()) return collect_only_member(object, unnamed);
    std::optional<std::uint32_t> chosen;
    std::size_t longest = 0;
    for (std::uint32_t member = object + 1; member < tape_[object].end; member = tape_[member].end) {
      const std::string name = tape_.key(member);
      const bool fits = rest == name || (rest.starts_with(name) && rest[name.size()] == '.');
      if (!fits || (chosen && name.size() <= longest)) continue;
      chosen = member;
      longest = name.size();
    }
    if (!chosen) return refuse_name(object, rest);
    take_steps(object, *chosen, rest.size());
    return collect(*chosen, rest.substr(std::min(longest + 1, rest.size())), unnamed);
  }

  // Take what a member beside the chosen one says of its steps, a number or a list of them.
  void take_steps(std::uint32_t object, std::uint32_t chosen, std::size_t rest) {
    for (std::uint32_t member = object + 1; member < tape_[object].end; member = tape_[member].end) {
      if (member == chosen || !names_step(tape_.key(member))) continue;
      std::vector<std::int64_t>& steps = steps_[rest];
      const bool is_list = tape_[member].kind == Json::Kind::list;
      const std::uint32_t first = is_list ? member + 1 : member;
      for (std::uint32_t item = first; item < tape_[member].end; item = tape_[item].end)
        if (const auto step = whole_number_at(item)) steps.push_back(*step);
      return;
    }
  }

  std::optional<std::int64_t> whole_number_at(std::uint32_t node) const {
    return tape_[node].kind == Json::Kind::number ? whole_number(tape_[node].number) : std::nullopt;
  }

  // Go into an object without being told the name: all that stand so deep have the same one.
  Result<Lengths> collect_only_member(std::uint32_t object, std::size_t unnamed) {
    const std::uint32_t member = object + 1;
    if (member == tape_[object].end)
      return refuse(object, "an object without members, which holds no numbers");
    const std::string name = tape_.key(member);
    if (unnamed == only_names_.size()) only_names_.push_back(name);
    if (tape_[member].end != tape_[object].end || only_names_[unnamed] != name)
      return refuse(object, "has several names: choose one with a key: " + names_of(object));
    return collect(member, "", unnamed + 1);
  }

  // Lists only the first keys of a large object.
  std::vector<std::string> first_names(std::uint32_t object) const {
    std::vector<std::string> names;
    for (std::uint32_t member = object + 1; member < tape_[object].end; member = tape_[member].end)
      if (names.size() < most_names) names.push_back(tape_.key(member));
    return names;
  }

  std::size_t count_members(std::uint32_t object) const {
    std::size_t count = 0;
    for (std::uint32_t member = object + 1; member < tape_[object].end; member = tape_[member].end) ++count;
    return count;
  }

  std::string names_of(std::uint32_t object) const {
    return some_names(first_names(object), count_members(object));
  }

  tl::unexpected<Error> refuse_name(std::uint32_t object, std::string_view rest) const {
    return refuse(object, "no member \"" + printable(rest, 80) + "\"" +
                              suggestion(rest, first_names(object)) + "; it has " + names_of(object));
  }

  tl::unexpected<Error> refuse(std::uint32_t node, std::string message) const {
    return tl::unexpected(tape_.error_at(tape_[node].at, std::move(message)));
  }

  const JsonTape& tape_;
  std::string_view key_;
  std::vector<double> values_;
  std::map<std::size_t, std::vector<std::int64_t>, std::greater<>> steps_;  // by what was left of the key
  std::vector<std::string> only_names_;
};

// Return the offset of the line's end.
std::size_t line_end(std::string_view text, std::size_t from) {
  return std::min(text.find('\n', from), text.size());
}

}  // namespace

Result<Numbers> read_json_numbers(std::string_view text, std::string_view key, const std::string& file) {
  GATE_TRY_STATUS(check_text(text, file, max_tape_bytes));
  JsonTape tape(text, file);
  GATE_TRY_STATUS(tape.read(0, text.size()));
  NumberCollector collector(tape, key);
  GATE_TRY(const Lengths lengths, collector.take());
  const std::size_t rows = lengths.empty() ? 1 : lengths.front();
  return Numbers{collector.values(), shape_of(lengths), collector.steps(rows), !key.empty()};
}

Result<Numbers> read_json_line_numbers(std::string_view text, std::string_view key, const std::string& file) {
  GATE_TRY_STATUS(check_text(text, file, max_tape_bytes));
  const std::size_t end = text.find_last_not_of(" \t\r\n") + 1;
  JsonTape tape(text, file);
  NumberCollector collector(tape, key);
  Lengths line_lengths;
  std::size_t lines = 0;
  for (std::size_t from = 0; from < end; from = line_end(text, from) + 1, ++lines) {
    const std::size_t to = std::min(line_end(text, from), end);
    if (trim(text.substr(from, to - from)).empty())
      return tl::unexpected(error_at(text, from, file, "a blank line before the end; remove it"));
    GATE_TRY_STATUS(tape.read(from, to));
    GATE_TRY(Lengths lengths, collector.take());
    if (lines > 0 && lengths != line_lengths)
      return tl::unexpected(error_at(text, from, file,
                                     "a line with another shape of numbers than the lines before it: \"" +
                                         shape_of(lengths) + "\" instead of \"" + shape_of(line_lengths) +
                                         "\""));
    line_lengths = std::move(lengths);
  }
  line_lengths.insert(line_lengths.begin(), lines);
  return Numbers{collector.values(), shape_of(line_lengths), collector.steps(lines), !key.empty()};
}

}  // namespace gate::schema
