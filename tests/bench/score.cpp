// What gate score does with two files of text, line by line. Prints the value, seconds and peak memory in
// MiB.
//
//   bench_score METRIC TOKENIZER ACTUAL GOLDEN
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

#include "gate/score/text_score.h"

namespace {

double peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const auto tokenizer = gate::score::parse_tokenizer(argv[2]);
  if (!tokenizer) return 2;
  const auto scorer = gate::score::make_text_scorer({.metric = argv[1], .tokenizer = *tokenizer}, 1);
  if (!scorer) return 2;
  const std::clock_t begin = std::clock();
  std::ifstream actual_file(argv[3], std::ios::binary), golden_file(argv[4], std::ios::binary);
  for (std::string actual, golden; std::getline(actual_file, actual) && std::getline(golden_file, golden);)
    (*scorer)->add(actual, std::array<std::string_view, 1>{golden});
  const double value = (*scorer)->score().value;
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::printf("%.12f %.4f %.1f\n", value, seconds, peak_memory());
  return 0;
}
