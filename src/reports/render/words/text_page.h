// Lines on their way to a terminal, or to a reader that refuses what is too long.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/base/columns.h"
#include "gate/base/sentence.h"
#include "gate/model/reports/report.h"
#include "gate/render/reporters.h"

namespace gate::render {

// Return the text if it fits, else as much of it as fits with `...` at the end.
std::string cut(std::string_view text, int width);

// Return the text with ASCII letters in upper case.
std::string upper(std::string_view text);

// Return the text filled with blanks up to the width.
std::string pad(std::string_view text, int width);
Sentence padded(const Sentence& text, int width);

// Return the text as lines of at most `width` columns, broken at blanks, inside a word only where the word
// alone is too long. Lines but the first are indented by `hang`, which is below `width`. Never empty. Chinese
// is broken between its characters, too.
std::vector<std::string> wrap(std::string_view text, int width, int hang,
                              Language language = Language::english);

// Return the lines, which are `safe`, each cut after 2000 columns. Only as many first ones as fit are
// returned if they take more than `most` bytes, with `and 12 lines more: WHERE` below them if there is room.
std::string bounded(std::string_view lines, std::size_t most, std::string_view where);

// Return those of the lines that fit into `most` bytes, each whole: what is to be pasted is no use in part.
std::string whole_lines(std::string_view lines, std::size_t most);

// Return how to see all of the report, `gate -v report 1121-0203`.
Sentence where_all_is(const Report& report);

enum class TextColor { plain, red, green, yellow };

// Collects lines that keep to the width of a style, in its language. Everything put on it becomes `safe` and
// `inert` here, so that no caller can forget it.
class TextPage {
 public:
  explicit TextPage(const Style& style);

  // Add a text, broken at blanks into as many lines as it needs; lines but the first are indented by `hang`.
  void wrapped(const Sentence& text, int hang = 0);

  // Add `WORD rest` likewise, the word in a colour where the style has colours.
  void titled(TextColor color, const Sentence& word, const Sentence& rest, int hang = 2);

  // Add a line likewise that begins with the title, which has the colour.
  void begun(TextColor color, const Sentence& title, const Sentence& line);

  // Add `  LABEL   text`, the label filled up to a width; the other lines of the text stand below its first
  // one.
  void labelled(const Sentence& label, int label_width, const Sentence& text);

  // Add `WORD middle  tail` as one line; the middle is cut where it does not fit.
  void one_line(TextColor color, const Sentence& word, const Sentence& middle, const Sentence& tail);

  // Add a line as it is, in any language and however long: what is to be read by programs must stay whole.
  void kept(std::string_view text);

  // Add `WORD command`: a command for a shell, continued by `\` before an option where it is too long; or a
  // path.
  void command(const Sentence& word, std::string_view text);

  const std::string& text() const { return text_; }

 private:
  std::string painted(TextColor color, std::string_view word, const std::string& line) const;
  static std::string in_columns(std::string text, int width);
  std::string without_folder(std::string_view text) const;
  std::string shown(const Sentence& text) const;

  Color color_;
  int width_;
  Language language_;
  std::string folder_;  // ends with a slash; "" where paths are shown whole
  std::string text_;
};

// Return the columns that a style allows: 0 is no limit, less than 40 is 40.
int usable_width(const Style& style);

}  // namespace gate::render
