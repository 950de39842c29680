// One HTML file that needs nothing but itself: style, script and the chart library are inside, and its policy
// forbids every request.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/reports/chart.h"

namespace gate::render {

enum class Tone { plain, good, bad, warn };

// How much of something is used up: 1 is all of it.
struct Bar {
  std::string name;
  double used = 0;
};

// Of a table.
struct Cell {
  Sentence text;
  std::string link = {};  // id of a section; "": none
  Tone tone = Tone::plain;
  std::vector<Bar> bars = {};                  // below one another, before the text
  std::optional<Chart> spark = std::nullopt;   // of spark_of(): drawn as small as a word, before the text
  std::optional<double> order = std::nullopt;  // what it is sorted by; none: its text
};

// Return the id of a case's section: the same in each run.
inline std::string case_id(const std::string& name) { return "case-" + name; }

// A square of a heat map: a letter says what its colour does.
struct HeatSquare {
  char letter = '.';
  Tone tone = Tone::plain;
  std::string link = {};  // id of a section; "": none
  Sentence title = {};    // shown where the pointer rests
};

struct HeatRow {
  Cell name;
  std::vector<HeatSquare> squares;
};

// How many places a chart has at most: about as many as a screen has columns.
inline constexpr std::size_t most_places = 1'000;

// Shares out what a page may have: about twelve megabytes of charts. Each case has its share of what those
// before it left. In a case charts that a rule gates come first.
class ChartBudget {
 public:
  explicit ChartBudget(std::size_t cases) : left_(cases), cases_(cases) {}
  explicit ChartBudget(const std::vector<Chart>& charts) : ChartBudget(1) { next(charts); }

  // The charts of the next case: of them the rest is told.
  void next(const std::vector<Chart>& charts);

  // Return how many places a chart may have: most_places, or less on a large page.
  std::size_t places_of(const Chart& chart) const;

  // Tell whether the chart stands in the page as a drawing, too. Where there are many, gated ones alone do.
  bool is_sketched(const Chart& chart) const;

 private:
  std::size_t values_ = 1'900'000;  // of about six bytes each, for the cases that are left
  std::size_t left_, cases_;
  std::size_t gated_places_ = 0, other_places_ = 0, charts_ = 0;
};

// Whatever is put on it is shown in the language of the page, and kept as text from the end of its section
// on. It is never obeyed: control characters become `\xNN`, and markup is text. Commands and excerpts stay as
// they are.
class HtmlPage {
 public:
  enum class Shown { open, closed };

  explicit HtmlPage(const Sentence& title, Language language = Language::english);
  ~HtmlPage();

  void heading(const Sentence& text);
  void paragraph(const Sentence& text);
  void list(const std::vector<Sentence>& lines);
  void list(const std::vector<std::string>& lines) { list(sentences_of(lines)); }

  // The first line of the page, coloured.
  void banner(Tone tone, const Sentence& text);

  // Everything up to section_end() can be folded away. `id` is what links name.
  void section(std::string_view id, Tone tone, const Sentence& badge, const Sentence& title,
               const Sentence& rest, Shown shown);
  void section_end();

  // Folded away until it is asked for, up to fold_end().
  void fold(const Sentence& title, Shown shown = Shown::closed);
  void fold_end();

  // All tables up to filter_end() are searched together, those that are folded away among them.
  void filter();
  void filter_end();

  // The page's script lets it be sorted by a column and saved as CSV. The rows can be searched where `filter`
  // is yes.
  enum class Filter { no, yes };
  void table(const std::vector<Sentence>& head, const std::vector<std::vector<Cell>>& rows,
             Filter filter = Filter::no);

  // Rows of squares, and above them what some of the columns are called: there is room for one name in six
  // columns. Where the page is too narrow they are shown from the right.
  void heat_map(const std::vector<std::string>& columns, const std::vector<HeatRow>& rows);

  // A link to a file, whose path is as seen from the page.
  void link(const Sentence& text, const std::string& path);

  // Text as it is, with a button that copies it.
  void command(const Sentence& word, std::string_view text);

  void excerpt(const Excerpt& excerpt);

  // Charts beside one another. Each stands there as a drawing, as far as the budget allows, and becomes one
  // with a cursor when it is looked at. Those longer than their places are downsampled (see
  // render/words/downsample.h), and say so.
  void charts(const std::vector<Chart>& charts, const ChartBudget& budget);

  // Put all that is on the other page, which is in no section, on this one.
  void append(HtmlPage&& other);

  // Return the whole file.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gate::render
