// What stands in the cells of published tables.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "gate/model/numbers/decimal.h"

namespace gate::schema {

inline constexpr std::size_t most_cell_bytes = 500;

struct TableCell {
  std::string text;     // printable, without markup and blanks around it
  std::string link;     // the first one in it
  std::size_t at = 0;   // offset in the file
  bool is_cut = false;  // text or link is longer than most_cell_bytes, and is not whole
};

// Collects a text of which runs of blanks, wide and unbreakable ones among them, are one blank.
class CellText {
 public:
  void add(std::string_view bytes);

  // Return what was collected, without blanks at its ends; what cannot be printed as `\xNN`.
  std::string text() const;
  bool is_cut() const { return is_cut_; }

 private:
  std::string text_;
  bool is_blank_open_ = false;
  bool is_cut_ = false;
};

// Return the text, made up as CellText does it.
std::string cell_text(std::string_view bytes);

// Return the text without 【】 around its parts: `昇腾, GTS` of `【昇腾】【GTS】`.
std::string without_brackets(std::string_view text);

// Tell whether the text stands for nothing: "", `--`, `N/A`.
bool says_nothing(std::string_view text);

// Return the number that the whole text is, `22,834` among them; nothing where it is none.
std::optional<Decimal> number_of_cell(std::string_view text);

}  // namespace gate::schema
