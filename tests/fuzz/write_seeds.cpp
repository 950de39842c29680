// Writes the specimens of all formats as seeds of records_fuzz: `write_seeds tests/fuzz/corpus/records`. Run
// it when a format is added or the table's order changes.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "extract/records/format_spec.h"
#include "specimens/formats.h"

namespace {

using namespace gate::extract;

void write(const std::filesystem::path& file, char first, std::string_view log) {
  std::ofstream out(file, std::ios::binary);
  out << first << log;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_seeds FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  char place = 'A';
  for (const FormatSpec& format : format_specs()) {
    int count = 0;
    for (const Specimen& specimen : specimens_of(format.row.name))
      write(folder / (std::string(format.row.name) + "-" + std::to_string(++count)), place, specimen.log);
    ++place;
  }
  return 0;
}
