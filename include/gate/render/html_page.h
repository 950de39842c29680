// One HTML file that needs nothing but itself: style, script and the chart library are inside, and its policy
// forbids every request.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gate/model/chart.h"

namespace gate::render {

enum class Tone { plain, good, bad, warn };

// Of a table.
struct Cell {
  std::string text;
  std::string link = {};  // id of a section; "": none
  Tone tone = Tone::plain;
};

// A square of a heat map: a letter says what its colour does.
struct HeatSquare {
  char letter = '.';
  Tone tone = Tone::plain;
  std::string link = {};   // id of a section; "": none
  std::string title = {};  // shown where the pointer rests
};

struct HeatRow {
  Cell name;
  std::vector<HeatSquare> squares;
};

// How many places a chart has at most: more than a screen has columns.
inline constexpr std::size_t most_places = 2'000;

// Return how many places each of the charts of a page may have, so that the file has about ten megabytes at
// most.
std::size_t places_of_each(std::size_t charts);

// Whatever is put on it is shown, never obeyed: control characters become `\xNN`, and markup is text.
class HtmlPage {
 public:
  enum class Shown { open, closed };

  explicit HtmlPage(std::string_view title);
  HtmlPage(const HtmlPage&) = delete;
  HtmlPage& operator=(const HtmlPage&) = delete;
  ~HtmlPage();

  void heading(std::string_view text);
  void paragraph(std::string_view text);
  void list(const std::vector<std::string>& lines);

  // The first line of the page, coloured.
  void banner(Tone tone, std::string_view text);

  // Everything up to section_end() can be folded away. `id` is what links name.
  void section(std::string_view id, Tone tone, std::string_view badge, std::string_view title,
               std::string_view rest, Shown shown);
  void section_end();

  // Folded away until it is asked for, up to fold_end().
  void fold(std::string_view title);
  void fold_end();

  // The rows can be searched where `filter` is yes.
  enum class Filter { no, yes };
  void table(const std::vector<std::string>& head, const std::vector<std::vector<Cell>>& rows,
             Filter filter = Filter::no);

  // Rows of squares; where the page is too narrow they are shown from the right.
  void heat_map(const std::vector<HeatRow>& rows);

  // Text as it is, with a button that copies it.
  void command(std::string_view word, std::string_view text);

  void excerpt(const Excerpt& excerpt);

  // Charts beside one another. Each is drawn when it is looked at. Longer ones than `most` are
  // downsampled (see render/words/downsample.h), and say so.
  void charts(const std::vector<Chart>& charts, std::size_t most);

  // Return the whole file.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gate::render
