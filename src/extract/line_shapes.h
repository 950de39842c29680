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

  // Return notes: the three commonest shapes, and a pattern for gate.toml that was tried on a line of the
  // log.
  std::vector<std::string> notes() const;

 private:
  struct Shape {
    std::int64_t count = 0;
    std::string example;
  };
  using Shapes = std::map<std::string, Shape, std::less<>>;
  std::vector<Shapes::const_iterator> by_count() const;
  void make_room();

  Shapes shapes_;
};

// Return the line with each number as N: `step N loss N`.
std::string fold_numbers(std::string_view line);

// Return a pattern that reads a loss, and a step where the line has one, out of lines like this; "" if there
// is none.
std::string suggest_pattern(std::string_view line);

}  // namespace gate::extract
