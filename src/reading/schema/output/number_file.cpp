#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "gate/base/diagnostics.h"
#include "gate/base/text.h"
#include "gate/model/numbers/sample.h"
#include "gate/schema/output_file.h"
#include "schema/json/json_in.h"
#include "schema/output/number_readers.h"

namespace gate::schema {

namespace {

constexpr std::size_t most_shown_names = 8;
constexpr std::size_t most_suggested_names = 1000;
constexpr std::size_t longest_suggested_name = 200;

struct NumberFormatRow {
  NumberFormat format;
  std::string_view end;  // of a file's name
  Result<Numbers> (*read)(std::string_view bytes, std::string_view key, const std::string& file);
};

constexpr std::array number_format_rows{
    NumberFormatRow{NumberFormat::json, ".json", read_json_numbers},
    NumberFormatRow{NumberFormat::jsonl, ".jsonl", read_json_line_numbers},
    NumberFormatRow{NumberFormat::csv, ".csv", read_csv_numbers},
    NumberFormatRow{NumberFormat::npy, ".npy", read_npy_numbers},
};

}  // namespace

std::optional<NumberFormat> number_format_of(std::string_view file_name) {
  const std::string name = to_lower(file_name);
  for (const NumberFormatRow& row : number_format_rows)
    if (name.ends_with(row.end)) return row.format;
  return std::nullopt;
}

Result<Numbers> read_numbers(std::string_view bytes, NumberFormat format, std::string_view key,
                             const std::string& file) {
  return std::ranges::find(number_format_rows, format, &NumberFormatRow::format)->read(bytes, key, file);
}

std::string shape_of(const Lengths& lengths) {
  std::string shape;
  for (const std::size_t length : lengths) shape += (shape.empty() ? "" : "x") + std::to_string(length);
  return shape;
}

std::optional<double> non_finite_of_word(std::string_view word) {
  const auto value = parse_value(word);
  if (!value || value->is_finite() || is_digit(word.back())) return std::nullopt;
  if (value->kind == ValueKind::nan) return std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  return value->kind == ValueKind::negative_infinity ? -infinity : infinity;
}

std::optional<double> number_of_word(std::string_view word) {
  double number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && end == word.data() + word.size() && std::isfinite(number)) return number;
  const auto value = parse_value(word);
  if (!value) return std::nullopt;
  return value->is_finite() ? value->number.to_double() : non_finite_of_word(word);
}

std::string why_no_number(std::string_view word) {
  if (trim(word).empty()) return "nothing where a number should be; write nan where there is none";
  const std::string shown = "\"" + printable(word, 40) + "\" ";
  const auto value = parse_value(word);
  if (value && !value->is_finite() && is_digit(word.back()))
    return shown + "is beyond the range of a double; write inf where that is meant";
  return shown + "is no number";
}

std::string some_names(std::span<const std::string> names, std::size_t count) {
  const auto shown = texts_of(names.first(std::min(names.size(), most_shown_names)),
                              [&](const std::string& name) { return printable(name, 80); });
  const std::size_t more = count - shown.size();
  return join(shown, ", ") + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

std::string suggestion(std::string_view name, std::span<const std::string> names) {
  std::vector<std::string> short_names;
  for (const std::string& one : names.first(std::min(names.size(), most_suggested_names)))
    if (one.size() <= longest_suggested_name) short_names.push_back(printable(one));
  return did_you_mean(name, short_names);
}

Error error_at(std::string_view text, std::size_t offset, const std::string& file, std::string message) {
  return {gate::to_string(Diagnostic{position_of(text, offset, file), std::move(message)})};
}

}  // namespace gate::schema
