// Finds fields, a name and a word each, in a text.
//
// Each style is a regular expression with two groups, name and word, matched as Perl would: the leftmost
// field, then the one behind it. A name of several words has single blanks between them, so that `1196.22 /s
// learning rate: 1.9E-09` holds `learning rate`. What can stand in a name cannot end one, so there is
// nothing to go back to: where a name breaks off, none that began before does any better, and each byte is
// looked at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gate::extract {

//   colon            `a name: word`        ([A-Za-z_]\w*(?: [\w()/%.-]+)*) ?: *(\S*)
//   comma            `name: word, ...`     ([A-Za-z_][\w()/%.-]*): *([^,\s]*)
//   equals           `name=word`           ([A-Za-z_][\w()/%.-]*) ?= ?([^,\s|]*)
//   colon_or_equals  `[x]-a name = word`   ((?:\[\w+\]-)?[A-Za-z_]\w*(?: [\w()/%.-]+)*) ?[:=] *(\S*)
//   unit_colon       `a name(unit): word|` ([A-Za-z_][\w()/%.-]*(?: [\w()/%.-]+)*): *([^\s|]*)
enum class FieldStyle : std::uint8_t { colon, comma, equals, colon_or_equals, unit_colon };

struct PrintedField {
  std::string_view name;
  std::string_view word;  // may be empty
};

class FieldScanner {
 public:
  FieldScanner(FieldStyle style, std::string_view text);

  // Return the next field, views into the text, or nothing where there is none.
  std::optional<PrintedField> next();

 private:
  struct Style;
  static const Style& style_of(FieldStyle style);

  bool is(std::size_t at, std::uint8_t kinds) const;
  bool has(std::size_t at, char c) const { return at < text_.size() && text_[at] == c; }
  std::size_t run(std::size_t at, std::uint8_t kinds) const;
  bool find_name();
  bool skip_bracket();
  void skip_words();
  bool skip_mark();
  std::string_view take_word();

  const Style* style_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace gate::extract
