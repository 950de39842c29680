// A format as data: the kinds of lines that it prints, and how each is read. docs/formats.md explains it by
// example.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "extract/fields.h"
#include "extract/format_spec.h"

namespace gate::extract {

// What stands behind the head of a record.
//   none     nothing: the head holds all
//   fields   names and words, up to the end of the line or the next record; `None` and `null` are no values
//   barred   the same, and each field ends at a bar: what stands behind the last bar may have been cut off; a
//            record without all that is expected of it may go on in the launcher's next line
//   literal  a dictionary of Python or JSON, whose `{` is the head's last character
enum class Body : std::uint8_t { none, fields, barred, literal };

// printed: a leader without a step is none. counted: it is the k-th of its attempt, which begins where the
// field that means `the_order` falls. before: a follower is of the step that was printed before it, or of
// step 0 where none was.
enum class Steps : std::uint8_t { printed, counted, before };

inline constexpr std::string_view comma_fields = R"(([A-Za-z_][\w()/%.-]*): *([^,\s]*))";
inline constexpr std::string_view equals_fields = R"(([A-Za-z_][\w()/%.-]*) ?= ?([^,\s|]*))";

// One kind of line.
struct RecordKind {
  std::string_view extractor;  // `nemo.step`
  std::string_view literal;    // stands in every such line
  // RE2 that finds where a record begins. Its groups `step`, `total` and `rank` are the record's, and, where
  // steps begin anew in each epoch, `epoch`, from 0, or `nth_epoch`, from 1, and `each`, how many an epoch
  // has, and `epochs`; any other named group is a field of that name. A step at its end must be followed by
  // something: a number at the end of a line may be the first half of one.
  std::string_view head;
  std::span<const FieldRow> fields{};  // nested names of a literal are joined with points
  Body body = Body::none;
  Role role = Role::leader;
  Steps steps = Steps::printed;
  std::string_view pattern =
      colon_fields;            // of bodies `fields` and `barred`: RE2 with two groups, name and word
  std::string_view last = "";  // the name that ends every whole record; "": not known
  std::span<const FieldRow> expected{};       // what every such record should hold
  std::span<const std::string_view> needs{};  // it is no record unless all these names are printed in it
};

// A format as data.
struct FormatTable {
  FormatRow row;
  std::span<const RecordKind> kinds;
  std::vector<Specimen> (*specimens)();
  std::span<const std::string_view>
      over{};                  // formats that it contains: where it is found, they are not meant
  std::string_view sign = "";  // RE2: auto means this format only where a record with it was seen
  Ranks ranks = Ranks::printed;
  std::string_view begins = "";   // RE2 of a line that begins a record of several lines
  std::string_view goes_on = "";  // RE2 of a line that goes on with it; wanted where `begins` is given
  std::string_view bar = "";      // RE2 of a line that is drawn again and again, its group the step shown
};

// Return the format; what is wrong with the table stands in its faults.
FormatSpec make_format(const FormatTable& table);

}  // namespace gate::extract
