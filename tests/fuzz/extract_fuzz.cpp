// Any bytes, read whole and in pieces: no crash, and the same extraction.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "../unit/extract/reading.h"
#include "targets.h"

namespace {

using gate::extract::Extractor;

gate::extract::Options options() {
  gate::extract::Options given;
  given.patterns = {{"reward", R"(reward (?P<value>\S+))"},
                    {"score", R"(rank(?P<rank>\S+) step(?P<step>\S+) score(?P<value>\S+))"}};
  return given;
}

std::string read_log_in_pieces(std::string_view bytes, std::size_t size) {
  Extractor extractor = gate::extract::make(options());
  extractor.begin_file("train.log");
  for (std::size_t at = 0; at < bytes.size(); at += size) extractor.feed(bytes.substr(at, size));
  return gate::extract::dump(extractor.finish());
}

}  // namespace

int extract_fuzz(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = read_log_in_pieces(bytes, size);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{data[0]} + 2}) {
    if (read_log_in_pieces(bytes, piece) == whole) continue;
    std::fprintf(stderr, "pieces of %zu bytes give another extraction\n", piece);
    std::abort();
  }
  return 0;
}
