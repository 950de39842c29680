// Lines that the tests of attempts write into their logs, and the patterns that read some of them.
#pragma once

#include <string>

#include "gate/extract/extractor.h"

namespace gate::extract::attempts_test {

inline std::string step(int number, const std::string& loss, int total = 9) {
  return " iteration " + std::to_string(number) + "/ " + std::to_string(total) + " | lm loss: " + loss +
         " |\n";
}

inline std::string report(int rank, int after, const std::string& allocated) {
  return "[Rank " + std::to_string(rank) + "] (after " + std::to_string(after) +
         " iterations) memory (MB) | allocated: " + allocated +
         " | max allocated: 2.0 | reserved: 3.0 | max reserved: 4.0\n";
}

// Two patterns, the second of which numbers what it reads as it likes: `at N speed=V`, `eval N loss=V`.
inline Options speed_and_evaluation(bool all_attempts = false) {
  Options options;
  options.formats = {"none"};
  options.patterns = {{"speed", R"(at (?P<step>\d+) speed=(?P<value>\S+))"},
                      {"loss", R"(eval (?P<step>\d+) loss=(?P<value>\S+))"}};
  options.all_attempts = all_attempts;
  return options;
}

inline std::string speeds(int first, int last) {
  std::string log;
  for (int number = first; number <= last; ++number)
    log += "at " + std::to_string(number) + " speed=" + std::to_string(number) + ".5\n";
  return log;
}

inline std::string evaluation(int number, const std::string& loss) {
  return "eval " + std::to_string(number) + " loss=" + loss + "\n";
}

}  // namespace gate::extract::attempts_test
