// Writes JSON with stable layout: two blanks per level, one member a line, short lists in one line. It is for
// what is stored (decision 31).
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gate/base/time.h"

namespace gate::schema {

// Return the text as a JSON string in its quotes; bytes that are no UTF-8 become U+FFFD.
std::string quote(std::string_view text);

std::vector<std::string> quoted(std::span<const std::string> texts);

// Return the word as it is where it is a finite JSON number, else as a JSON string.
std::string number_or_text(std::string_view word);

class JsonOut {
 public:
  JsonOut() = default;

  // Hand on what is written piece by piece; take() returns only what is left.
  explicit JsonOut(std::function<void(std::string_view)> take_piece) : take_piece_(std::move(take_piece)) {}

  // Write an object or a list whose members the body writes. Without a name: an element of a list, or the
  // document.
  template <std::invocable Body>
  void object(std::string_view name, Body body) {
    open(name, '{');
    body();
    close('}');
  }
  template <std::invocable Body>
  void list(std::string_view name, Body body) {
    open(name, '[');
    body();
    close(']');
  }

  void text(std::string_view name, std::string_view value) { raw(name, quote(value)); }
  void known_text(std::string_view name, std::string_view value);  // nothing where it is ""
  void word(std::string_view name, std::string_view value) { raw(name, number_or_text(value)); }
  void known_word(std::string_view name, std::string_view value) {
    if (!value.empty()) word(name, value);
  }
  void number(std::string_view name, std::int64_t value) { raw(name, std::to_string(value)); }
  void flag(std::string_view name, bool value) { raw(name, value ? "true" : "false"); }

  // Write decimal seconds with three places.
  void duration(std::string_view name, Duration value);

  template <std::integral Number>
  void known_number(std::string_view name, const std::optional<Number>& value) {
    if (value) number(name, *value);
  }

  // Write a member, or an element where the name is "", whose value is JSON already.
  void raw(std::string_view name, std::string_view json);

  // Write a list of values that are JSON already, `per_line` a line; in one line where they fit into one.
  void values(std::string_view name, std::span<const std::string> json, std::size_t per_line);

  // The same of so many values, which `next` returns one after the other.
  void values(std::string_view name, std::size_t count, std::size_t per_line,
              const std::function<std::string()>& next);

  // Write a list of texts in one line.
  void texts(std::string_view name, std::span<const std::string> values);

  // Return what was written, with a final newline.
  std::string take() { return std::move(out_) + "\n"; }

 private:
  void begin(std::string_view name);
  void open(std::string_view name, char bracket);
  void close(char bracket);
  void line();

  std::function<void(std::string_view)> take_piece_;
  std::string out_;
  std::string open_;  // the brackets that are open
  bool first_ = true;
};

// Return what was written as one line, with its newline.
std::string flattened(const std::string& json);

}  // namespace gate::schema
