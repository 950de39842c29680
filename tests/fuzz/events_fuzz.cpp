// Any bytes as an event file, and as the data of a record whose sums are right: no crash, and the same
// records, problems and notes whole and in pieces.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

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

std::string read_in_pieces(std::string_view bytes, std::size_t size) {
  std::string told;
  const gate::MetricTable metrics;
  ProblemLog problems;
  EventTally tally;
  EventReader reader({&tracker_kinds().front(), "", 0}, metrics, problems, tally,
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
  if (read_in_pieces(bytes, piece) == read_in_pieces(bytes, bytes.size())) return;
  std::fprintf(stderr, "pieces of %zu bytes give other records\n", piece);
  std::abort();
}

}  // namespace

int events_fuzz(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string record = framed(bytes) + std::string(bytes);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{data[0]} + 2}) {
    compare(bytes, piece);
    compare(record, piece);
  }
  return 0;
}
