// `name: word | name: word |` pieces of a record.
#pragma once

#include <span>
#include <string_view>

#include "extract/record.h"

namespace gate::extract {

// RE2 with two groups, name and word. Words of a name are parted by single blanks, so that `1196.22 /s
// learning rate: 1.9E-09` holds `learning rate`.
inline constexpr std::string_view colon_fields = R"(([A-Za-z_]\w*(?: [\w()/%.-]+)*) ?: *(\S*))";

// Return the row of a printed name, or nullptr.
const FieldRow* find_field(std::span<const FieldRow> rows, std::string_view printed);

bool has_metric(const Record& record, std::string_view metric);

// Put what was printed under the row's name into the record: its numbers where the row means one of these,
// else a field. Of two rows of one metric the earlier one counts; a name printed twice with other words is a
// fault.
void set_field(const FieldRow& row, std::string_view word, Record& record);

// Append the fields `name: word` and `name=word` of the text whose names are in the rows. Several may stand
// between two bars (some builds forget one).
void read_fields(std::string_view text, std::span<const FieldRow> rows, Record& record);

// Tell whether the text looks like the beginning of a field with one of these names: `lm lo`, `lm loss: 1.2`,
// `lm loss=1.2`.
bool begins_field(std::string_view text, std::span<const FieldRow> rows);

}  // namespace gate::extract
