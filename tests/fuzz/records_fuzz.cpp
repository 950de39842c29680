// The first byte chooses a format, or `auto`; the rest is a log, read whole and in pieces: no crash, the same
// extraction, and no step that the log does not print.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "../unit/extract/printed_steps.h"
#include "targets.h"

namespace {

using namespace gate::extract;

// The byte that chooses each format is its place in the table: a letter from `A` on, so that a seed is text.
std::string format_of(std::uint8_t byte) {
  const std::size_t index = (byte + 256U - 'A') % 256U;
  const auto formats = format_specs();
  return index < formats.size() ? std::string(formats[index].row.name) : "auto";
}

gate::Extraction read_records_in_pieces(const std::string& format, std::string_view log, std::size_t size) {
  Options options;
  options.formats = {format};
  Extractor extractor = make(std::move(options));
  extractor.begin_file("train.log");
  for (std::size_t at = 0; at < log.size(); at += size) extractor.feed(log.substr(at, size));
  return extractor.finish();
}

void fail_records(const std::string& format, const std::string& what) {
  std::fprintf(stderr, "%s: %s\n", format.c_str(), what.c_str());
  std::abort();
}

}  // namespace

int records_fuzz(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string format = format_of(data[0]);
  const std::string_view log(reinterpret_cast<const char*>(data) + 1, size - 1);
  const gate::Extraction whole = read_records_in_pieces(format, log, log.size());
  const std::vector<std::string> wrong = unprinted_steps(whole, log);
  if (!wrong.empty()) fail_records(format, wrong.front());
  const std::string told = dump(whole);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{data[1]} + 2})
    if (dump(read_records_in_pieces(format, log, piece)) != told)
      fail_records(format, "pieces of " + std::to_string(piece) + " bytes give another extraction");
  return 0;
}
