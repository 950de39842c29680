// The lines of a log by their shapes, for a survey: all of them, not only one example of each.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gate::extract {

// A line, or one drawing of a progress bar.
struct SurveyedLine {
  std::string_view text;  // without escape sequences
  bool is_drawn = false;  // a later drawing stands on the same line, or an earlier one
};

// Lines that are the same but for their numbers.
struct LinesOfShape {
  std::string_view header;         // the line of words above the first one
  std::vector<std::size_t> lines;  // their places, rising
  std::size_t drawn = 0;           // how many of them are drawings
};

class LogLines {
 public:
  // Of a long log the first 8 MiB are taken, and 512 shapes. The log outlives the object.
  explicit LogLines(std::string_view log);

  const std::vector<SurveyedLine>& lines() const { return lines_; }
  std::string_view text(std::size_t line) const { return lines_[line].text; }

  // Return the shapes of lines with numbers, in the order in which they begin.
  const std::vector<LinesOfShape>& shapes() const { return shapes_; }

  // Return the place of the line's shape among shapes(); SIZE_MAX of a line that has none.
  std::size_t shape_of(std::size_t line) const { return shape_of_[line]; }

 private:
  void add(std::string_view text, bool is_drawn);

  std::vector<SurveyedLine> lines_;
  std::vector<std::size_t> shape_of_;
  std::vector<LinesOfShape> shapes_;
  std::map<std::string, std::size_t, std::less<>> places_;  // of the shapes
  std::deque<std::string> cleaned_;                         // lines that had escape sequences
  std::string_view header_;
  std::string shape_;
};

}  // namespace gate::extract
