// What the lines of an unknown log look like.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gate::extract {

// Counts lines that are the same but for their numbers, in bounded memory: where all places are taken, every
// count falls by one and a place at zero is free again, so what is common stays (Misra and Gries, 1982).
class LineShapes {
 public:
  void see(std::string_view line);

  // Return notes: the three commonest shapes, of lines with numbers where there are such; then a pattern that
  // was tried on the kept lines, with how many it reads, for gate.toml and as a command on `file`.
  std::vector<std::string> notes(const std::string& file) const;

 private:
  struct Shape {
    std::int64_t count = 0;
    std::string example;
    std::string header;  // the line of words above it, where it is a row of a table
  };
  using Shapes = std::map<std::string, Shape, std::less<>>;
  using Sorted = std::vector<Shapes::const_iterator>;

  Sorted by_count() const;
  void count(Shapes& shapes, std::string shape, std::string_view example);
  static void make_room(Shapes& shapes);
  void add_pattern(const Sorted& shapes, const std::string& file, std::vector<std::string>& notes) const;

  Shapes numbered_;
  Shapes plain_;
  std::string header_;
  std::int64_t numbered_lines_ = 0;
  bool exact_ = true;  // no shape has been let go of
};

// Return the line with each number, nan and inf as N, and blanks as one: `step N loss N`.
std::string fold_numbers(std::string_view line);

}  // namespace gate::extract
