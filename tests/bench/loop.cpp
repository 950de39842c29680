// A peer of gate extract: what one writes at first, a loop over lines with RE2. Prints how many values each
// pattern read.
//
//   bench_loop FILE PATTERN...       each pattern with one group, the value
#include <re2/re2.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace {

struct Series {
  explicit Series(const char* pattern) : regex(std::make_unique<RE2>(pattern)) {}

  std::unique_ptr<RE2> regex;
  std::vector<double> values;
};

void read(const std::string& line, Series& series, std::string& word) {
  if (RE2::PartialMatch(line, *series.regex, &word))
    series.values.push_back(std::strtod(word.c_str(), nullptr));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  std::vector<Series> all(argv + 2, argv + argc);
  std::ifstream file(argv[1], std::ios::binary);
  std::string word;
  for (std::string line; std::getline(file, line);)
    for (Series& series : all) read(line, series, word);
  for (const Series& series : all) std::printf("%zu\n", series.values.size());
  return file.eof() ? 0 : 1;
}
