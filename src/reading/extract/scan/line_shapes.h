// What the lines of a log look like that no reader took, and a pattern for them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "extract/scan/literal_scan.h"
#include "gate/model/runs/extraction.h"

namespace gate::extract {

// Lines that are the same but for their numbers.
struct NumberedLines {
  std::string shape;
  std::string example;  // the first of them
  std::string header;   // the line of words above it, if it is a row of a table
  std::int64_t count = 0;
};

// Counts lines that are the same but for their holes, in bounded memory: if all places are taken, every count
// falls by one and a place at zero is free again, so what is common stays (Misra and Gries, 1982). Holes are
// numbers and dates, quoted words, paths and levels such as INFO.
class LineShapes {
 public:
  // Count a line. `readers` are the formats that took it: it is unread if none of them is meant.
  void add(std::string_view line, ReaderMask readers = 0);

  // Return notes: the three commonest shapes, of lines with numbers if there are such, those of a loss first;
  // then a pattern that
  // was tried on the kept lines, for gate.toml; how many it reads, and as a command on `file`; then how to
  // have all numbers.
  std::vector<Sentence> notes(const std::string& file) const;

  // Return the shapes of lines with numbers, the commonest first, 32 at most.
  std::vector<NumberedLines> numbered_lines() const;

  // Return the shapes of at least five lines that hold a name and a number behind it and that none of the
  // formats that are meant took: those of a loss first, then the commonest, 32 at most. The name tells an
  // accuracy, a time, a speed or memory; or it tells nothing, and the number has decimals and is not the same
  // in all lines. A number that counts (a step, an epoch, a rank), that tells how far the run is, or a time
  // of day does not make a line one of them.
  std::vector<UnreadLines> unread(ReaderMask meant) const;

 private:
  struct LineShape {
    std::int64_t count = 0;
    std::string example;
    std::string last;        // the latest one
    std::string header;      // the line of words above it, if it is a row of a table
    ReaderMask readers = 0;  // formats that took them
  };
  using Shapes = std::map<std::string, LineShape, std::less<>>;
  using Sorted = std::vector<Shapes::const_iterator>;

  static std::optional<UnreadLines> measured(const LineShape& shape);
  Sorted sort_by_count() const;
  void count(Shapes& shapes, std::string_view example, ReaderMask readers);
  void add_pattern(const Sorted& shapes, const std::string& file, std::vector<Sentence>& notes) const;

  std::string shape_;  // of the line at hand
  Shapes numbered_;
  Shapes plain_;
  std::string header_;
  std::int64_t numbered_lines_ = 0;
  bool exact_ = true;  // no shape has been let go of
};

// Set the shape of the line, whatever its launcher put before it: the same for lines that are the same but
// for their holes. Return whether it holds a number.
bool fold_shape(std::string_view line, std::string& shape);

// Return the line with each number, nan and inf as N, and blanks as one: `step N loss N`.
std::string fold_numbers(std::string_view line);

// A pattern for lines that no format knows.
struct PatternHint {
  std::string metric;   // `lm_loss` if the value is a loss, else its printed name; `value` without one
  std::string pattern;  // has the group value, and step if the line prints one
  int place = 0;        // how much the metric says of a training, the most first

  bool has_step() const { return pattern.find("(?P<step>") != std::string::npos; }
};

// Return a pattern that reads the number that says most of a training, a loss first, and the step out of
// lines like this one; nothing if it has no number with a name and is no row of a table. `header` is the line
// of words that stands above a table; "" if there is none.
std::optional<PatternHint> hint_for(std::string_view line, std::string_view header);

// Return what stands between blanks, bars, commas and semicolons.
std::vector<std::string> table_cells(std::string_view line);

// Return the names of so many columns: what stands between those marks, or, where these are not as many,
// between two blanks or more; "" each where neither fits.
std::vector<std::string> column_names(std::string_view header, std::size_t count);

// Tell whether the line holds nothing but numbers between blanks, bars, commas and semicolons, two at least.
bool is_row(std::string_view line);

// Tell whether the line holds two or more words between them, none of which is a number, and few that are
// marks.
bool is_header(std::string_view line);

}  // namespace gate::extract
