#include "extract/records/fields.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "extract/records/field_scanner.h"
#include "extract/scan/number_word.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

void set_rank(std::string_view word, Record& record) {
  const std::optional<std::int64_t> number = parse_integer(word);
  if (number && *number >= 0 && *number <= 1'000'000'000)
    record.rank = static_cast<int>(*number);
  else
    record.faults.push_back("the rank " + printable(word, 40) + " is none");
}

// Tell whether the digits of the number stand in the word: not those of 15 in `1.5e1`, or of 1 in `true`.
bool is_printed(std::int64_t number, std::string_view word) {
  std::string digits;
  for (const char c : word) {
    if (c >= '0' && c <= '9')
      digits += c;
    else if (c != ',' && parse_integer(std::exchange(digits, {})) == number)
      return true;
  }
  return parse_integer(digits) == number;
}

// Tell whether the word is nothing but digits, and few enough for any count.
bool is_short_count(std::string_view word) {
  return !word.empty() && word.size() <= 18 && std::all_of(word.begin(), word.end(), is_digit);
}

// Steps stand there in any way that numbers do: `10`, `'10'`, `1,000`, `10.00`, but not `1e3`, which may be
// rounded, `10.5`, or what makes another number of the digits: `1.5e1`, `1.024K`, `true`.
std::optional<std::int64_t> read_whole(std::string_view word, std::string_view what, Record& record) {
  if (is_short_count(word)) return parse_integer(word);
  const std::optional<Value> value = parse_word(word, Thousands::expected);
  const Decimal number = value && value->is_finite() ? value->number.without_zeros() : Decimal{-1, 0};
  const bool whole = number.exponent == 0 && !number.is_negative();
  const int128 most = std::numeric_limits<std::int64_t>::max();
  if (whole && number.coefficient <= most && is_printed(static_cast<std::int64_t>(number.coefficient), word))
    return static_cast<std::int64_t>(number.coefficient);
  record.faults.push_back("the " + std::string(what) + " " + printable(word, 40) + " is no whole number");
  return std::nullopt;
}

void set_step_of_total(std::string_view word, Record& record) {
  word = without_quotes(word);
  const std::size_t slash = word.find('/');
  record.number = read_whole(word.substr(0, slash), "step", record);
  if (slash != std::string_view::npos) record.total = read_whole(word.substr(slash + 1), "total", record);
}

void set_nth_epoch(std::string_view word, Record& record) {
  const std::optional<std::int64_t> nth = read_whole(word, "epoch", record);
  if (nth) record.epoch = *nth - 1;
  if (nth == 0) record.faults.push_back("epoch 0, where epochs count from 1");
}

void set_order(std::string_view word, Record& record) {
  const std::optional<Value> value = parse_word(word);
  if (value && value->is_finite()) record.order = value->number;
}

bool same_unit(const FieldRow& a, const FieldRow& b) {
  return a.turn == b.turn && a.factor.coefficient == b.factor.coefficient &&
         a.factor.exponent == b.factor.exponent;
}

bool same_value(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const std::optional<Value> x = parse_word(a), y = parse_word(b);
  return x && y && *x == *y;
}

// Where two names of a metric say different values both are kept: they are in conflict. In different units
// they may differ by their rounding: the earlier row counts.
void add_field(const FieldRow& row, std::string_view word, Record& record) {
  constexpr std::size_t usual = 16;
  if (record.fields.empty()) record.fields.reserve(usual);
  const auto it = std::find_if(record.fields.begin(), record.fields.end(),
                               [&](const Field& field) { return field.row->metric == row.metric; });
  if (it == record.fields.end()) return void(record.fields.push_back({&row, word}));
  const bool same = row.beside == Beside::same && it->row->beside == Beside::same;
  const bool differs = same && same_unit(row, *it->row) && !same_value(word, it->word);
  const Field other = *it;
  if (&row < it->row) *it = {&row, word};
  if (differs) record.fields.push_back(&row < other.row ? other : Field{&row, word});
}

}  // namespace

void set_field(const FieldRow& row, std::string_view word, Record& record) {
  if (is_metric(row)) return add_field(row, word, record);
  if (row.metric == the_step) record.number = read_whole(word, "step", record);
  if (row.metric == the_total) record.total = read_whole(word, "total", record);
  if (row.metric == step_of_total) set_step_of_total(word, record);
  if (row.metric == the_rank) set_rank(word, record);
  if (row.metric == the_order) set_order(word, record);
  if (row.metric == the_epoch) record.epoch = read_whole(word, "epoch", record);
  if (row.metric == the_nth_epoch) set_nth_epoch(word, record);
  if (row.metric == the_epochs) record.epochs = read_whole(word, "epochs", record);
  if (row.metric == steps_an_epoch) record.steps_an_epoch = read_whole(word, "steps an epoch", record);
}

const FieldRow* find_field(std::span<const FieldRow> rows, std::string_view printed) {
  const auto it =
      std::find_if(rows.begin(), rows.end(), [&](const FieldRow& row) { return row.printed == printed; });
  return it == rows.end() ? nullptr : &*it;
}

bool has_metric(const Record& record, std::string_view metric) {
  return std::any_of(record.fields.begin(), record.fields.end(),
                     [&](const Field& field) { return field.row->metric == metric; });
}

void read_fields(std::string_view text, const NameTable& names, Record& record) {
  FieldScanner scanner(FieldStyle::colon_or_equals, text);
  while (const std::optional<PrintedField> field = scanner.next())
    if (const NameTable::Name* name = names.find(field->name)) set_field(*name->row, field->word, record);
}

bool begins_field(std::string_view text, std::span<const FieldRow> rows) {
  const std::size_t colon = text.find_first_of(":=");
  if (colon != std::string_view::npos) return find_field(rows, trim(text.substr(0, colon))) != nullptr;
  text = trim(text);
  return std::any_of(rows.begin(), rows.end(),
                     [&](const FieldRow& row) { return !text.empty() && row.printed.starts_with(text); });
}

}  // namespace gate::extract
