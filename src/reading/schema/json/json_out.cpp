#include "schema/json/json_out.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gate/base/text.h"
#include "gate/model/numbers/decimal.h"

namespace gate::schema {

namespace {

constexpr std::size_t piece = std::size_t{1} << 16;

// Tell whether a word that Decimal reads is spelled as JSON wants it: no `+`, no leading zero, digits on both
// sides of the point.
bool spelled_as_json(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  if (word.empty() || !is_digit(word[0])) return false;
  if (word[0] == '0' && word.size() > 1 && is_digit(word[1])) return false;
  const auto point = word.find('.');
  return point == std::string_view::npos || (point + 1 < word.size() && is_digit(word[point + 1]));
}

}  // namespace

// Most texts are words of ASCII.
std::string quote(std::string_view text) {
  const auto is_as_written = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (std::ranges::all_of(text, is_as_written)) {
    std::string quoted(text.size() + 2, '"');
    std::ranges::copy(text, quoted.begin() + 1);
    return quoted;
  }
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<std::string> quoted(std::span<const std::string> texts) {
  return texts_of(texts, [&](const std::string& text) { return quote(text); });
}

std::string number_or_text(std::string_view word) {
  const auto number = Decimal::parse(word);
  return number && spelled_as_json(word) && std::isfinite(number->to_double()) ? std::string(word)
                                                                               : quote(word);
}

void JsonOut::line() { out_ += "\n" + std::string(2 * open_.size(), ' '); }

void JsonOut::begin(std::string_view name) {
  if (take_piece_ && out_.size() >= piece) {
    take_piece_(out_);
    out_.clear();
  }
  if (!first_) out_ += ',';
  if (!open_.empty()) line();
  if (open_.ends_with('{')) out_ += quote(name) + ": ";
  first_ = false;
}

void JsonOut::open(std::string_view name, char bracket) {
  begin(name);
  out_ += bracket;
  open_ += bracket;
  first_ = true;
}

void JsonOut::close(char bracket) {
  open_.pop_back();
  if (!first_) line();
  out_ += bracket;
  first_ = false;
}

void JsonOut::known_text(std::string_view name, std::string_view value) {
  if (!value.empty()) text(name, value);
}

void JsonOut::duration(std::string_view name, Duration value) {
  raw(name, Decimal{value.count(), -3}.to_string());
}

void JsonOut::raw(std::string_view name, std::string_view json) {
  begin(name);
  out_ += json;
}

void JsonOut::values(std::string_view name, std::span<const std::string> json, std::size_t per_line) {
  values(name, json.size(), per_line, [it = json.begin()]() mutable { return *it++; });
}

void JsonOut::values(std::string_view name, std::size_t count, std::size_t per_line,
                     const std::function<std::string()>& next) {
  begin(name);
  const bool one_line = count <= per_line;
  out_ += '[';
  open_ += '[';
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out_ += ',';
    if (!one_line && i % per_line == 0)
      line();
    else if (i > 0)
      out_ += ' ';
    out_ += next();
  }
  open_.pop_back();
  if (!one_line) line();
  out_ += ']';
}

void JsonOut::texts(std::string_view name, std::span<const std::string> list) {
  values(name, quoted(list), list.size());
}

// Texts hold no line break as such: what breaks a line is layout.
std::string flattened(const std::string& json) {
  std::string line;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] != '\n') {
      line += json[i];
      continue;
    }
    while (i + 1 < json.size() && json[i + 1] == ' ') ++i;
    if (line.ends_with(',')) line += ' ';
  }
  return line + "\n";
}

}  // namespace gate::schema
