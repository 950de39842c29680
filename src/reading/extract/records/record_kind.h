// A format as data: the kinds of lines that it prints, and how each is read. docs/formats.md explains it by
// example.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "extract/records/fields.h"
#include "extract/records/format_spec.h"

namespace gate::extract {

// What stands behind the head of a record.
//   none     nothing: the head holds all
//   fields   names and words, up to the end of the line or the next record; `None` and `null` are no values
//   barred   the same, and each field ends at a bar: what stands behind the last bar may have been cut off; a
//            record without all that is expected of it may go on in the launcher's next line
//   literal  a dictionary of Python or JSON, whose `{` is the head's last character
enum class Body : std::uint8_t { none, fields, barred, literal };

// printed: a leader without a step is none. counted: it is the k-th of its attempt, which begins where the
// field that means `the_order` falls. counted_if_whole: the same, but one that is cut off is none: its step
// may stand in what was lost. counted_beside: counted, beside lines of other kinds that print steps of their
// own. before: a follower is of the step that was printed before it, or of step 0 where none was. by_order:
// where no step is printed, the field that means `the_order` is it; from where that repeats or is a fraction
// on, each number is one more than the one before.
enum class Steps : std::uint8_t { printed, counted, counted_if_whole, counted_beside, before, by_order };

// What `null` and `None` of a literal say. left_out: the value is missing where it should stand. not_logged:
// `null` says that nothing was logged here, as a mark of progress does: it is as if the name did not stand
// there, and nothing is missing.
enum class Nulls : std::uint8_t { left_out, not_logged };

// One kind of line. A follower that holds none of its fields is no record; one whose head begins where that
// of a step does reads the same text, for what in it is not of every step. Of two names of one number of the
// record (its step, say) the one whose row stands first counts.
struct RecordKind {
  std::string_view extractor;  // `nemo.step`
  std::string_view literal;    // stands in every such line
  // RE2 that finds where a record begins. Its groups `step`, `total` and `rank` are the record's. Where steps
  // begin anew in each epoch, `epoch` (from 0) or `nth_epoch` (from 1), `epochs` and `each`, the steps of an
  // epoch, make them and the total the run's. Any other named group is a field of that name. A step at its
  // end must be followed by something: a number at the end of a line may be the first half of one.
  std::string_view head;
  std::span<const FieldRow> fields{};  // nested names of a literal are joined with points
  Body body = Body::none;
  Role role = Role::leader;
  Steps steps = Steps::printed;
  FieldStyle style = FieldStyle::colon;  // of bodies `fields` and `barred`: how these are printed
  // Where no style fits: RE2 with two groups, name and word, in its place. The word may have blanks around it
  // and a bar behind it, which are none of it.
  std::string_view pattern = "";
  std::string_view last = "";                  // the name that ends every whole record; "": not known
  std::span<const FieldRow> expected{};        // what every such record should hold
  std::span<const std::string_view> needs{};   // it is no record unless all these names are printed in it
  std::span<const std::string_view> one_of{};  // nor unless one of these is; empty: nothing is asked
  std::string_view told_by = "";               // the name whose word tells the kind,
  std::span<const std::string_view> tells{};   // which is one of these; empty: nothing is asked
  // One of these stands in every such line, too: where the literal stands in lines of all kinds.
  std::span<const std::string_view> marks{};
  Nulls nulls = Nulls::left_out;
};

// A format as data.
struct FormatTable {
  FormatRow row;
  std::span<const RecordKind> kinds;
  std::span<const std::string_view> supersedes{};  // formats that are not meant if this one is found
  std::string_view signature = "";  // RE2: auto means this format only if a record with it was seen
  RankSource ranks = RankSource::printed;
  std::string_view begins = "";  // RE2 of a line that begins a record of several lines
  // RE2 of a line that goes on with it, whose group is what goes on; wanted where `begins` is given.
  std::string_view goes_on = "";
  BesideBar beside_bar = BesideBar::no;
  std::string_view bar = "";  // RE2 of a line that is drawn again and again, its group the step shown
  CsvColumns csv{};           // of the files that the framework writes beside its lines
  NextEngine next_engine{};
};

// Return the format; what is wrong with the table is told by its faults().
FormatSpec make_format(const FormatTable& table);

}  // namespace gate::extract
