#include "config/toml/values.h"

#include <algorithm>
#include <chrono>

#include "config/toml/vocabulary.h"
#include "gate/base/text.h"

namespace gate::config {

namespace {

constexpr std::int64_t most = 1'000'000'000;

bool is_free(const RawValue& word, RawValue::Kind typed) {
  return word.kind == RawValue::Kind::untyped || word.kind == typed;
}

bool is_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto year = parse_integer(text.substr(0, 4));
  const auto month = parse_integer(text.substr(5, 2)), day = parse_integer(text.substr(8, 2));
  if (!year || !month || !day || *year < 0 || *month < 0 || *day < 0) return false;
  return std::chrono::year_month_day(std::chrono::year(static_cast<int>(*year)),
                                     std::chrono::month(static_cast<unsigned>(*month)),
                                     std::chrono::day(static_cast<unsigned>(*day)))
      .ok();
}

}  // namespace

Result<std::string> read_text(const RawValue& word) {
  if (!is_free(word, RawValue::Kind::text)) return fail(shown(word) + " is no text; write it in quotes");
  if (word.text.find('\0') != std::string::npos) return fail("the text holds a NUL byte");
  return word.text;
}

Result<std::string> read_filled_text(const RawValue& word) {
  Result<std::string> text = read_text(word);
  if (text && trim(*text).empty()) return fail("the text is empty");
  return text;
}

Result<std::vector<std::string>> read_list(const RawValue& word) {
  if (word.kind == RawValue::Kind::text && word.text.find(',') != std::string::npos)
    return fail(shown(word) + " is one text; write a list such as [\"a\", \"b\"]");
  if (!is_free(word, RawValue::Kind::list) && word.kind != RawValue::Kind::text)
    return fail(shown(word) + " is no list of texts such as [\"a\", \"b\"]");
  std::vector<std::string> items = word.kind == RawValue::Kind::text ? std::vector{word.text} : word.items;
  for (const std::string& item : items) {
    if (trim(item).empty()) return fail("an item of the list is empty");
    if (item.find('\0') != std::string::npos) return fail("an item of the list holds a NUL byte");
  }
  return items;
}

Result<bool> read_bool(const RawValue& word) {
  if (is_free(word, RawValue::Kind::boolean) && word.text == "true") return true;
  if (is_free(word, RawValue::Kind::boolean) && word.text == "false") return false;
  return fail(shown(word) + " is neither true nor false");
}

Result<Duration> read_duration(const RawValue& word) {
  const std::optional<Duration> duration =
      is_free(word, RawValue::Kind::text) ? parse_duration(word.text) : std::nullopt;
  if (!duration) return fail(shown(word) + " is no duration such as \"30s\", \"30m\", \"2h\" or \"1h30m\"");
  return *duration;
}

Result<Duration> read_positive_duration(const RawValue& word) {
  Result<Duration> duration = read_duration(word);
  if (duration && duration->count() == 0) return fail("the duration must be above 0");
  return duration;
}

Result<int> read_count(const RawValue& word, int least) {
  const std::optional<std::int64_t> count =
      is_free(word, RawValue::Kind::number) ? parse_integer(word.text) : std::nullopt;
  if (!count) return fail(shown(word) + " is no count, a whole number from " + std::to_string(least) + " on");
  if (*count < least) return fail(shown(word) + " is below " + std::to_string(least));
  if (*count > most) return fail(shown(word) + " is above " + std::to_string(most));
  return static_cast<int>(*count);
}

Result<Decimal> read_number(const RawValue& word) {
  const Result<std::string> text = read_scalar(word);
  const std::optional<Decimal> number = text ? Decimal::parse(trim(*text)) : std::nullopt;
  if (!number) return fail(shown(word) + " is no number");
  return *number;
}

Result<std::string> read_date(const RawValue& word) {
  const bool fits = is_free(word, RawValue::Kind::text) || word.kind == RawValue::Kind::date;
  if (!fits || !is_day(word.text)) return fail(shown(word) + " is no date such as \"2026-12-31\"");
  return word.text;
}

Result<std::size_t> read_choice(const RawValue& word, std::string_view noun,
                                std::span<const std::string_view> names) {
  const auto found = std::find(names.begin(), names.end(), word.text);
  if (is_free(word, RawValue::Kind::text) && found != names.end())
    return static_cast<std::size_t>(found - names.begin());
  return fail(unknown(noun, word, std::vector<std::string>(names.begin(), names.end())));
}

Result<std::string> read_scalar(const RawValue& word) {
  if (word.kind == RawValue::Kind::list || word.kind == RawValue::Kind::table ||
      word.kind == RawValue::Kind::other)
    return fail(shown(word) + " is no single value");
  return word.text;
}

}  // namespace gate::config
