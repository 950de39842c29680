// `name: word | name: word |` pieces of a record.
#pragma once

#include <span>
#include <string_view>

#include "extract/record.h"

namespace gate::extract {

// Return the row of a printed name, or nullptr.
const FieldRow* find_field(std::span<const FieldRow> rows, std::string_view printed);

bool has_metric(const Record& record, std::string_view metric);

// Append the fields of the text whose names are in the rows. Several may stand between two bars (some builds
// forget one). Where two rows of one metric are printed the earlier row counts; a name printed twice is a
// fault.
void read_fields(std::string_view text, std::span<const FieldRow> rows, Record& record);

// Tell whether the text looks like the beginning of a field with one of these names: `lm lo`, `lm loss: 1.2`.
bool begins_field(std::string_view text, std::span<const FieldRow> rows);

}  // namespace gate::extract
