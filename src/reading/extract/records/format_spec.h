// A format as this room knows it: one row of the table in formats.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extract/records/csv_lines.h"
#include "extract/records/line_joiner.h"
#include "extract/records/record.h"
#include "gate/extract/format.h"

namespace gate::extract {

// Whether a launcher's prefix `[rank3]:` tells the rank of a record that prints none.
enum class RankSource : std::uint8_t { printed, prefix };

// Who says what the format reads: a format that a person described is not contained by any that gate knows.
enum class Author : std::uint8_t { gate, person };

// Whether records that print no step take that of the training's progress bar: see bar_steps.h.
enum class BesideBar : std::uint8_t { no, yes };

// What the second engine of a process reports of a step, right behind the first one's report of it.
struct NextEngine {
  std::string_view extractor;               // its own; "": the format knows of none
  std::string_view of;                      // that of the first one
  std::span<const FieldRow> fields{};       // of the first one
  std::span<const FieldRow> next_fields{};  // what these are of the second one, in their order
};

struct ExtractorSpec {
  std::string_view name;               // `megatron.iteration`
  std::span<const FieldRow> expected;  // what every whole record of it should hold
};

struct FormatSpec {
  FormatRow row;
  std::vector<ExtractorSpec> extractors;
  std::vector<std::string_view> literals;  // one of them stands in every record
  // Of what cut_head looks for, one of these stands behind a line that holds none of the literals; line ends
  // count.
  std::vector<std::string> cut_heads{};
  // One of these stands in each line with a record, too, unless a launcher's prefix stands before it, which
  // may be of half a record; none: nothing is known.
  std::vector<std::string> marks{};
  std::span<const std::string_view> supersedes;                         // names of formats that it contains
  std::function<bool(std::string_view record)> is_signature = nullptr;  // none: every record is one
  // Tell whether the line may hold a signature, or a record that the first of those formats does not read;
  // none: each may.
  bool (*may_differ)(std::string_view line) = nullptr;
  RankSource ranks = RankSource::printed;
  JoinRules join_rules{};
  BesideBar beside_bar = BesideBar::no;
  CsvColumns csv{};
  NextEngine next_engine{};
  Author author = Author::gate;

  // Return the place of the extractor of that name, which is one of them.
  std::size_t extractor(std::string_view name) const;

  // Return the records that begin in the text, in order.
  std::function<std::vector<Record>(std::string_view text)> scan;

  // Return where the head of a record begins that the end of the text cuts off, or npos.
  std::size_t (*cut_head)(std::string_view text);

  // Tell whether the record that is the text may have been put together at the seam.
  bool (*joins)(std::string_view text, std::size_t seam);

  // Return what is wrong with the format itself, one line each; none: nothing can be.
  std::function<std::vector<std::string>()> faults = nullptr;
};

// Tell whether one of the literals stands in the text: most lines hold none, and need no closer look.
bool holds_literal(std::span<const std::string_view> literals, std::string_view text);

std::span<const FormatSpec> format_specs();
const FormatSpec* find_format(std::string_view name);

}  // namespace gate::extract
