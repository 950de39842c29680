// What of a training's log must not differ between two runs.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace tinygpt {

inline std::vector<std::string> lines_of(const std::string& log) {
  std::vector<std::string> lines;
  std::istringstream in(log);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

inline void cut(std::string& line, std::size_t begin, std::size_t end) {
  if (begin != std::string::npos && end != std::string::npos) line.erase(begin, end - begin);
}

// Return all but times and speed, the lines sorted.
inline std::vector<std::string> timeless(const std::string& log) {
  std::vector<std::string> lines = lines_of(log);
  for (std::string& line : lines) {
    cut(line, line.find("elapsed time"), line.find("learning rate"));
    cut(line, line.find("[20"), line.find("] iteration"));
    cut(line, line.find("datetime:"), line.size());
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace tinygpt
