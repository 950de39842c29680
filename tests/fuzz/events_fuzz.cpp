// Any bytes as a file of scalars of each kind, as such with the beginning that tells it, and as the data of a
// record whose sums are right: no crash, and the same records, problems and notes whole and in pieces.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "extract/events/crc.h"
#include "extract/events/event_file.h"
#include "extract/events/event_reader.h"
#include "targets.h"

namespace {

using namespace gate::extract;

std::string bytes_of(std::uint64_t value, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

std::string framed(std::string_view data) {
  const std::string length = bytes_of(data.size(), 8);
  return length + bytes_of(masked_crc(length), 4) + std::string(data) + bytes_of(masked_crc(data), 4);
}

// What bytes are as a file of W&B: `:W&B`, and their data in one chunk behind a whole one.
std::string framed_by_wandb(std::string_view data) {
  data = data.substr(0, 30'000);
  Crc32 crc;
  crc.add("\x01");
  crc.add(data);
  return std::string(":W&B\xE1\xBE\0", 7) + bytes_of(crc.value(), 4) + bytes_of(data.size(), 2) + "\x01" +
         std::string(data);
}

std::string text_of(const Record& record, LinePlace place) {
  std::string text = std::to_string(place.line) + ' ' + std::to_string(*record.number);
  for (const Field& field : record.fields) {
    text += ' ';
    text += field.row->printed;
    text += '=';
    text += field.word;
  }
  return text + '\n';
}

std::string read_in_pieces(const TrackerKind& kind, std::string_view bytes, std::size_t size) {
  std::string told;
  const gate::MetricTable metrics;
  ProblemLog problems;
  EventTally tally;
  EventReader reader({&kind, "metrics/loss", 0}, metrics, problems, tally,
                     [&](const Record& record, LinePlace place) { told += text_of(record, place); });
  for (std::size_t at = 0; at < bytes.size(); at += size) reader.feed(bytes.substr(at, size));
  reader.finish();
  gate::Extraction extraction;
  problems.move_into(extraction);
  for (const gate::Problem& problem : extraction.problems) told += problem.text.english() + '\n';
  for (const gate::Sentence& note : tally.notes()) told += note.english() + '\n';
  return told;
}

void compare(std::string_view bytes, std::size_t piece) {
  for (const TrackerKind& kind : tracker_kinds()) {
    if (read_in_pieces(kind, bytes, piece) == read_in_pieces(kind, bytes, bytes.size())) continue;
    std::fprintf(stderr, "%s: pieces of %zu bytes give other records\n", kind.extractor.data(), piece);
    std::abort();
  }
}

}  // namespace

int events_fuzz(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string record = framed(bytes) + std::string(bytes);
  const std::string logged = framed_by_wandb(bytes) + std::string(bytes);
  const std::string line = "1700000000000 0.5 1\n" + std::string(bytes);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{data[0]} + 2}) {
    compare(bytes, piece);
    compare(record, piece);
    compare(logged, piece);
    compare(line, piece);
  }
  return 0;
}
