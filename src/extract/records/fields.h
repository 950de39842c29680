// `name: word | name: word |` pieces of a record.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "extract/records/name_table.h"
#include "extract/records/record.h"

namespace gate::extract {

// Tell whether the row's words are values of a metric, and not one of the record's own numbers.
inline bool is_metric(const FieldRow& row) { return !row.metric.starts_with('@'); }

// Return the row of a printed name, or nullptr.
const FieldRow* find_field(std::span<const FieldRow> rows, std::string_view printed);

bool has_metric(const Record& record, std::string_view metric);

// Put what was printed under the row's name into the record: its numbers where the row means one of these,
// else a field. Of two rows of one metric the earlier one counts; where they say different values in one
// unit, as a name printed twice with other words does, the record has both.
void set_field(const FieldRow& row, std::string_view word, Record& record);

// Append the fields `name: word` and `name=word` of the text whose names are in the table. Several may stand
// between two bars (some builds forget one).
void read_fields(std::string_view text, const NameTable& names, Record& record);

// Hand over each piece of the text that ends at a bar. Return what stands behind the last bar.
template <typename Take>
std::string_view read_barred(std::string_view text, Take take) {
  for (std::size_t bar = 0; (bar = text.find('|')) != std::string_view::npos; text.remove_prefix(bar + 1))
    take(text.substr(0, bar));
  return text;
}

// Tell whether the text looks like the beginning of a field with one of these names: `lm lo`, `lm loss: 1.2`,
// `lm loss=1.2`.
bool begins_field(std::string_view text, std::span<const FieldRow> rows);

}  // namespace gate::extract
