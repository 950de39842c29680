// A man page as it is written: the macros of man(7), and text that means itself. All bytes are ASCII.
#pragma once

#include <string>
#include <string_view>

namespace gate::cli {

class Roff {
 public:
  // Begin the page. It has no date, so that the same program always writes the same page.
  Roff(std::string_view name, int section);

  void section(std::string_view head);
  void paragraph(std::string_view text);
  void line(std::string_view markup);  // as it is: what bold, italic and plain return

  // An entry of a list: what it is about, in markup, and text about it.
  void entry(std::string_view label, std::string_view text);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Return the text as markup that prints it, in one line.
std::string plain(std::string_view text);
std::string bold(std::string_view text);
std::string italic(std::string_view text);

}  // namespace gate::cli
