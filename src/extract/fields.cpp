#include "extract/fields.h"

#include <algorithm>

#include "extract/pattern.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

// Words of a name are parted by single blanks, so that `1196.22 /s  learning rate: 1.9E-09` holds `learning
// rate`.
const RE2& field_pattern() {
  static const RE2 pattern(R"(([A-Za-z_]\w*(?: [\w()/%.-]+)*) ?: *(\S*))", pattern_options());
  return pattern;
}

void add_field(const FieldRow& row, std::string_view word, Record& record) {
  const auto same = [&](const Field& field) { return field.row->metric == row.metric; };
  const auto it = std::find_if(record.fields.begin(), record.fields.end(), same);
  if (it == record.fields.end()) {
    record.fields.push_back({&row, word});
  } else if (&row < it->row) {
    *it = {&row, word};
  } else if (it->row == &row && it->word != word) {
    record.faults.push_back(std::string(row.printed) + " stands twice in one record");
  }
}

}  // namespace

const FieldRow* find_field(std::span<const FieldRow> rows, std::string_view printed) {
  const auto it =
      std::find_if(rows.begin(), rows.end(), [&](const FieldRow& row) { return row.printed == printed; });
  return it == rows.end() ? nullptr : &*it;
}

bool has_metric(const Record& record, std::string_view metric) {
  return std::any_of(record.fields.begin(), record.fields.end(),
                     [&](const Field& field) { return field.row->metric == metric; });
}

void read_fields(std::string_view text, std::span<const FieldRow> rows, Record& record) {
  re2::StringPiece rest = piece(text);
  re2::StringPiece name, word;
  while (RE2::FindAndConsume(&rest, field_pattern(), &name, &word))
    if (const FieldRow* row = find_field(rows, view(name))) add_field(*row, view(word), record);
}

bool begins_field(std::string_view text, std::span<const FieldRow> rows) {
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos) return find_field(rows, trim(text.substr(0, colon))) != nullptr;
  text = trim(text);
  return std::any_of(rows.begin(), rows.end(),
                     [&](const FieldRow& row) { return !text.empty() && row.printed.starts_with(text); });
}

}  // namespace gate::extract
