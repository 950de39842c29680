// Lines on their way to a terminal.
#pragma once

#include <string>
#include <string_view>

#include "gate/render/reporters.h"

namespace gate::render {

enum class TextColor { plain, red, green, yellow };

// Collects lines that keep to the width of a style. Everything put on it becomes `safe` and `inert` here,
// so that no caller can forget it.
class TextPage {
 public:
  explicit TextPage(const Style& style);

  // Add a text, broken at blanks into as many lines as it needs; lines but the first are indented by `hang`.
  void wrapped(std::string_view text, int hang = 0);

  // Add `WORD rest` likewise, the word in a colour where the style has colours.
  void titled(TextColor hue, std::string_view word, std::string_view rest, int hang = 2);

  // Add `WORD middle  tail` as one line; the middle is cut where it does not fit.
  void one_line(TextColor hue, std::string_view word, std::string_view middle, std::string_view tail);

  // Add a line as it is, however long: what is to be read by programs must stay whole.
  void kept(std::string_view text);

  // Add `WORD command`: a command for a shell, continued by `\` before an option where it is too long; or a
  // path.
  void command(std::string_view word, std::string_view text);

  const std::string& text() const { return text_; }

 private:
  std::string painted(TextColor hue, std::string_view word, const std::string& line) const;
  std::string shown(std::string_view text) const;

  Color color_;
  int width_;
  std::string folder_;  // ends with a slash; "" where paths are shown whole
  std::string text_;
};

// Return the columns that a style allows: 0 is no limit, less than 40 is 40.
int usable_width(const Style& style);

}  // namespace gate::render
