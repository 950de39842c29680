// One record of a log, as a format reads it out of a line: still words, not yet numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/model/decimal.h"

namespace gate::extract {

// What a record does to its source.
//   leader    a training step: begins and continues attempts, and is expected to hold certain metrics
//   report    the k-th report of a rank, matched to attempts by order
//   follower  belongs to the attempt that its source is in
enum class Role : std::uint8_t { leader, report, follower };

// whole: nothing is missing. open: it may be whole, unless the next line of its launcher continues it. torn:
// cut off.
enum class Whole : std::uint8_t { whole, open, torn };

// A printed name, the metric that it means, and the exact factor into the metric's unit.
struct FieldRow {
  std::string_view printed;
  std::string_view metric;
  Decimal factor{1, 0};
};

struct Field {
  const FieldRow* row = nullptr;  // into a format's table
  std::string_view word;
};

// Where something stands.
struct Place {
  std::uint32_t file = 0;  // index into Extraction::files
  std::uint32_t line = 0;
};

struct Record {
  std::size_t extractor = 0;  // index into the format's extractors
  Role role = Role::leader;
  Whole whole = Whole::whole;
  std::size_t begin = 0;  // in the scanned text
  std::size_t end = 0;
  std::optional<std::int64_t> number;  // the printed step; nothing where it is too large or not printed
  std::optional<std::int64_t> total;
  std::optional<int> rank;
  std::vector<Field> fields;
  std::string_view rest;            // torn: what stands where it was cut off
  std::vector<std::string> faults;  // what could not be read, for people
};

}  // namespace gate::extract
