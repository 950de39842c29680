#include "extract/records/fields.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "extract/scan/number_word.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

// --- where fields stand --------------------------------------------------------------------------

// What a byte may be.
enum ByteKind : std::uint8_t {
  letter = 1,
  digit = 2,
  symbol = 4,
  blank = 8,
  comma = 16,
  bar = 32,
  bracket = 64
};

constexpr std::uint8_t in_word = letter | digit;           // \w
constexpr std::uint8_t in_name = letter | digit | symbol;  // [\w()/%.-]

constexpr std::array<std::uint8_t, 256> kinds_of_bytes = [] {
  std::array<std::uint8_t, 256> kinds{};
  const auto mark = [&](std::string_view bytes, std::uint8_t kind) {
    for (const char c : bytes) kinds[static_cast<unsigned char>(c)] = kind;
  };
  mark("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_", letter);
  mark("0123456789", digit);
  mark("()/%.-", symbol);
  mark("\t\n\f\r ", blank);
  mark(",", comma);
  mark("|", bar);
  mark("[", bracket);
  return kinds;
}();

// --- what their words say ------------------------------------------------------------------------

void set_rank(std::string_view word, Record& record) {
  const std::optional<std::int64_t> number = parse_integer(word);
  if (number && *number >= 0 && *number <= 1'000'000'000)
    record.rank = static_cast<int>(*number);
  else
    record.faults.push_back(say({"the rank {} is none", "rank {} 不是 rank"}, printable(word, 40)));
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

// Steps stand there in any way that numbers do: `10`, `'10'`, `1,000`, `10.00`, but not `1e3`, which may be
// rounded, `10.5`, or what makes another number of the digits: `1.5e1`, `1.024K`, `true`.
std::optional<std::int64_t> read_whole(std::string_view word, std::string_view what, Record& record) {
  const bool is_short_count = !word.empty() && word.size() <= 18 && std::ranges::all_of(word, is_digit);
  if (is_short_count) return parse_integer(word);
  const std::optional<Value> value = parse_word(word, Thousands::expected);
  const Decimal number = value && value->is_finite() ? value->number.without_zeros() : Decimal{-1, 0};
  const bool whole = number.exponent == 0 && !number.is_negative();
  const int128 most = std::numeric_limits<std::int64_t>::max();
  if (whole && number.coefficient <= most && is_printed(static_cast<std::int64_t>(number.coefficient), word))
    return static_cast<std::int64_t>(number.coefficient);
  record.faults.push_back(say({"the {} {} is no whole number", "{} {} 不是整数"}, what, printable(word, 40)));
  return std::nullopt;
}

std::optional<std::int64_t> product_of(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  std::int64_t result = 0;
  return a && b && !__builtin_mul_overflow(*a, *b, &result) ? std::optional(result) : std::nullopt;
}

void set_step_of_total(std::string_view word, Record& record) {
  word = without_quotes(word);
  const std::size_t slash = word.find('/');
  record.number = read_whole(word.substr(0, slash), "step", record);
  if (slash != std::string_view::npos) record.total = read_whole(word.substr(slash + 1), "total", record);
}

void set_nth_epoch(std::string_view word, Record& record) {
  record.epoch = read_whole(word, "epoch", record);
  count_epoch_from_zero(record);
}

bool is_same_value(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const std::optional<Value> x = parse_word(a), y = parse_word(b);
  return x && y && *x == *y;
}

// Where two names of a metric say different values both are kept: they are in conflict. In different units
// they may differ by their rounding: the earlier row counts.
void add_field(const FieldRow& row, std::string_view word, Record& record) {
  constexpr std::size_t usual = 16;
  if (record.fields.empty()) record.fields.reserve(usual);
  const auto it =
      std::ranges::find(record.fields, row.metric, [](const Field& field) { return field.row->metric; });
  if (it == record.fields.end()) {
    record.fields.push_back({&row, word});
    return;
  }
  const bool same_unit = row.conversion == it->row->conversion &&
                         row.factor.coefficient == it->row->factor.coefficient &&
                         row.factor.exponent == it->row->factor.exponent;
  const bool same = row.beside == Beside::same && it->row->beside == Beside::same && same_unit;
  const bool differs = same && !is_same_value(word, it->word);
  const Field other = *it;
  if (&row < it->row) *it = {&row, word};
  if (differs) record.fields.push_back(&row < other.row ? other : Field{&row, word});
}

}  // namespace

struct FieldScanner::Style {
  std::uint8_t begins = letter;       // what a name begins with
  std::uint8_t first_word = in_name;  // what its first word goes on with
  bool more_words = false;
  bool blank_before_mark = true;
  std::string_view marks = ":";
  bool one_blank_behind = false;
  std::uint8_t word_ends = blank;
};

const FieldScanner::Style& FieldScanner::style_of(FieldStyle style) {
  static constexpr std::array<Style, 5> styles{
      Style{.first_word = in_word, .more_words = true},
      Style{.blank_before_mark = false, .word_ends = blank | comma},
      Style{.marks = "=", .one_blank_behind = true, .word_ends = blank | comma | bar},
      Style{.begins = letter | bracket, .first_word = in_word, .more_words = true, .marks = ":="},
      Style{.more_words = true, .blank_before_mark = false, .word_ends = blank | bar},
  };
  return styles.at(static_cast<std::size_t>(style));
}

FieldScanner::FieldScanner(FieldStyle style, std::string_view text) : style_(&style_of(style)), text_(text) {}

bool FieldScanner::is(std::size_t at, std::uint8_t kinds) const {
  return at < text_.size() && (kinds_of_bytes[static_cast<unsigned char>(text_[at])] & kinds) != 0;
}

std::size_t FieldScanner::run(std::size_t at, std::uint8_t kinds) const {
  while (is(at, kinds)) ++at;
  return at;
}

std::optional<PrintedField> FieldScanner::next() {
  while (true) {
    while (at_ < text_.size() && !is(at_, style_->begins)) ++at_;
    if (at_ == text_.size()) return std::nullopt;
    const std::size_t begin = at_;
    if (!skip_bracket()) continue;
    at_ = run(at_, style_->first_word);
    while (style_->more_words && has(at_, ' ') && is(at_ + 1, in_name)) at_ = run(at_ + 1, in_name);
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (skip_mark()) return PrintedField{name, take_word()};
  }
}

// Go behind `[x]-`, if it stands there, to the letter that must follow it.
bool FieldScanner::skip_bracket() {
  if (text_[at_] != '[') return true;
  const std::size_t end = run(++at_, in_word);
  if (end == at_ || !has(end, ']') || !has(end + 1, '-') || !is(end + 2, letter)) return false;
  at_ = end + 2;
  return true;
}

bool FieldScanner::skip_mark() {
  const std::size_t at = at_ + (style_->blank_before_mark && has(at_, ' ') ? 1 : 0);
  if (at >= text_.size() || style_->marks.find(text_[at]) == std::string_view::npos) return false;
  at_ = at + 1;
  return true;
}

std::string_view FieldScanner::take_word() {
  if (style_->one_blank_behind)
    at_ += has(at_, ' ') ? 1 : 0;
  else
    while (has(at_, ' ')) ++at_;
  const std::size_t begin = at_;
  while (at_ < text_.size() && !is(at_, style_->word_ends)) ++at_;
  return text_.substr(begin, at_ - begin);
}

NameTable::NameTable(std::span<const FieldRow> rows, std::span<const std::string_view> needs,
                     std::span<const std::string_view> one_of) {
  for (const FieldRow& row : rows)
    if (Name& name = add(row.printed); name.row == nullptr) name.row = &row;
  for (const std::string_view need : needs) {
    Name& name = add(need);
    if (name.need == 0) name.need = needs_ + 1;
    needs_ |= name.need;
  }
  for (const std::string_view one : one_of) add(one).one = true;
  std::ranges::stable_sort(names_, {}, [](const Name& name) { return name.printed.size(); });
  for (std::uint32_t i = 0; i < names_.size(); ++i)
    while (begins_.size() <= names_[i].printed.size()) begins_.push_back(i);
  begins_.push_back(static_cast<std::uint32_t>(names_.size()));
}

NameTable::Name& NameTable::add(std::string_view printed) {
  const auto it = std::ranges::find(names_, printed, &Name::printed);
  return it == names_.end() ? names_.emplace_back(Name{printed}) : *it;
}

const NameTable::Name* NameTable::find(std::string_view printed) const {
  if (printed.size() + 1 >= begins_.size()) return nullptr;
  const Name* const end = names_.data() + begins_[printed.size() + 1];
  for (const Name* name = names_.data() + begins_[printed.size()]; name != end; ++name)
    if (name->printed == printed) return name;
  return nullptr;
}

void set_field(const FieldRow& row, std::string_view word, Record& record) {
  if (is_metric(row)) return add_field(row, word, record);
  if (row.metric == the_step) record.number = read_whole(word, "step", record);
  if (row.metric == the_total) record.total = read_whole(word, "total", record);
  if (row.metric == step_of_total) set_step_of_total(word, record);
  if (row.metric == the_rank) set_rank(word, record);
  if (row.metric == the_order)
    if (const auto value = parse_word(word); value && value->is_finite()) record.order = value->number;
  if (row.metric == the_epoch) record.epoch = read_whole(word, "epoch", record);
  if (row.metric == the_nth_epoch) set_nth_epoch(word, record);
  if (row.metric == the_epochs) record.epochs = read_whole(word, "epochs", record);
  if (row.metric == steps_an_epoch) record.steps_an_epoch = read_whole(word, "steps an epoch", record);
}

const FieldRow* find_field(std::span<const FieldRow> rows, std::string_view printed) {
  const auto it = std::ranges::find(rows, printed, &FieldRow::printed);
  return it == rows.end() ? nullptr : &*it;
}

bool has_metric(const Record& record, std::string_view metric) {
  return std::ranges::any_of(record.fields, [&](const Field& f) { return f.row->metric == metric; });
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
  return !text.empty() &&
         std::ranges::any_of(rows, [&](const FieldRow& row) { return row.printed.starts_with(text); });
}

void count_epoch_from_zero(Record& record) {
  if (!record.epoch) return;
  const std::int64_t nth = *record.epoch;
  record.epoch = std::max<std::int64_t>(nth, 0) - 1;
  if (nth < 1)
    record.faults.push_back(
        say({"epoch {}, where epochs count from 1", "epoch {}，而 epoch 从 1 数起"}, nth));
}

void number_in_epoch(Record& record) {
  if (const auto total = product_of(record.epochs, record.steps_an_epoch)) record.total = total;
  if (record.epoch && *record.epoch >= 0 && *record.epoch < std::numeric_limits<std::int64_t>::max())
    record.epoch_end = product_of(*record.epoch + 1, record.steps_an_epoch);
  if (!record.number || !record.epoch || *record.epoch == 0) return;
  if (*record.epoch < 0) return record.number.reset();
  const bool counted = record.steps_an_epoch.has_value();
  std::optional<std::int64_t> number = product_of(record.epoch, record.steps_an_epoch);
  if (number && __builtin_add_overflow(*number, *record.number, &*number)) number.reset();
  if (counted && !number)
    record.faults.push_back(
        say({"step {} of an epoch cannot be numbered through", "epoch 中的第 {} 步无法连续编号"},
            *record.number));
  record.number = number;
}

}  // namespace gate::extract
