// Fields of a record, a name and a word each: `name: word | name: word |`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "extract/records/record.h"

namespace gate::extract {

//   colon            `a name: word`        ([A-Za-z_]\w*(?: [\w()/%.-]+)*) ?: *(\S*)
//   comma            `name: word, ...`     ([A-Za-z_][\w()/%.-]*): *([^,\s]*)
//   equals           `name=word`           ([A-Za-z_][\w()/%.-]*) ?= ?([^,\s|]*)
//   colon_or_equals  `[x]-a name = word`   ((?:\[\w+\]-)?[A-Za-z_]\w*(?: [\w()/%.-]+)*) ?[:=] *(\S*)
//   unit_colon       `a name(unit): word|` ([A-Za-z_][\w()/%.-]*(?: [\w()/%.-]+)*): *([^\s|]*)
enum class FieldStyle : std::uint8_t { colon, comma, equals, colon_or_equals, unit_colon };

struct PrintedField {
  std::string_view name;
  std::string_view word;  // may be empty
};

// Finds fields, a name and a word each, in a text.
//
// Each style is a regular expression with two groups, name and word, matched as Perl would: the leftmost
// field, then the one behind it. A name of several words has single blanks between them, so that `1196.22 /s
// learning rate: 1.9E-09` holds `learning rate`. What can stand in a name cannot end one, so there is
// nothing to go back to: where a name breaks off, none that began before does any better, and each byte is
// looked at once.
class FieldScanner {
 public:
  FieldScanner(FieldStyle style, std::string_view text);

  // Return the next field, views into the text, or nothing if there is none.
  std::optional<PrintedField> next();

 private:
  struct Style;
  static const Style& style_of(FieldStyle style);

  bool is(std::size_t at, std::uint8_t kinds) const;
  bool has(std::size_t at, char c) const { return at < text_.size() && text_[at] == c; }
  std::size_t run(std::size_t at, std::uint8_t kinds) const;
  bool skip_bracket();
  bool skip_mark();
  std::string_view take_word();

  const Style* style_;
  std::string_view text_;
  std::size_t at_ = 0;
};

// The names that records of one kind may hold, for finding one in no time.
class NameTable {
 public:
  struct Name {
    std::string_view printed;
    const FieldRow* row = nullptr;  // the first one of that name; none: it is only asked for
    std::uint64_t need = 0;         // one bit for each name that is needed
    bool one = false;               // one of those of which one is needed
  };

  // The views and rows outlive the object. At most 64 names may be needed.
  explicit NameTable(std::span<const FieldRow> rows, std::span<const std::string_view> needs = {},
                     std::span<const std::string_view> one_of = {});

  // Return what is known of a printed name, or nullptr.
  const Name* find(std::string_view printed) const;

  // Return the bits of all names that are needed.
  std::uint64_t needs() const { return needs_; }

 private:
  Name& add(std::string_view printed);

  std::vector<Name> names_;            // by length
  std::vector<std::uint32_t> begins_;  // where those of each length begin, and where the longest end
  std::uint64_t needs_ = 0;
};

// Tell whether the row's words are values of a metric, and not one of the record's own numbers.
inline bool is_metric(const FieldRow& row) { return !row.metric.starts_with('@'); }

// Return the row of a printed name, or nullptr.
const FieldRow* find_field(std::span<const FieldRow> rows, std::string_view printed);

bool has_metric(const Record& record, std::string_view metric);

// Put what was printed under the row's name into the record: its numbers if the row means one of these,
// else a field. Of two rows of one metric the earlier one counts; if they say different values in one
// unit, as a name printed twice with other words does, the record has both.
void set_field(const FieldRow& row, std::string_view word, Record& record);

// Make of the record's epoch, which counts from 1, one that counts from 0; a fault of one below 1, and -1.
void count_epoch_from_zero(Record& record);

// Number the step of a record that is one within an epoch: count the steps of the epochs before. In a later
// epoch of unknown length a step has no number.
void number_in_epoch(Record& record);

// Append the fields `name: word` and `name=word` of the text whose names are in the table. Several may stand
// between two bars (some builds forget one).
void read_fields(std::string_view text, const NameTable& names, Record& record);

// Call on_piece(piece) for each piece of the text that ends at a bar. Return what stands behind the last bar.
template <typename OnPiece>
std::string_view read_barred(std::string_view text, OnPiece on_piece) {
  for (std::size_t bar = 0; (bar = text.find('|')) != std::string_view::npos; text.remove_prefix(bar + 1))
    on_piece(text.substr(0, bar));
  return text;
}

// Tell whether the text looks like the beginning of a field with one of these names: `lm lo`, `lm loss: 1.2`,
// `lm loss=1.2`.
bool begins_field(std::string_view text, std::span<const FieldRow> rows);

}  // namespace gate::extract
