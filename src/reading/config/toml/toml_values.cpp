#include "config/toml/toml_values.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "gate/base/text.h"
#include "gate/config/old_words.h"

namespace gate::config {

namespace {

constexpr std::int64_t most = 1'000'000'000;

bool is_free(const RawValue& raw, RawValue::Kind typed) {
  return raw.kind == RawValue::Kind::untyped || raw.kind == typed;
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

// Return the texts of an untyped list as TOML has it, `["a", 'b']`; nothing of any other value.
std::optional<std::vector<std::string>> listed_texts(const RawValue& raw) {
  std::string_view text = trim(raw.text);
  if (raw.kind != RawValue::Kind::untyped || !text.starts_with('[') || !text.ends_with(']'))
    return std::nullopt;
  std::vector<std::string> texts;
  for (text = trim(text.substr(1, text.size() - 2)); !text.empty();) {
    const std::size_t end = text.find(text.front(), 1);
    if ((text.front() != '"' && text.front() != '\'') || end == text.npos) return std::nullopt;
    texts.emplace_back(text.substr(1, end - 1));
    if (text.front() == '"' && texts.back().find('\\') != std::string::npos) return std::nullopt;
    text = trim(text.substr(end + 1));
    if (!text.empty() && text.front() != ',') return std::nullopt;
    if (!text.empty()) text = trim(text.substr(1));
  }
  return texts;
}

}  // namespace

bool says(const RawValue& raw, std::string_view word) {
  return (raw.kind == RawValue::Kind::untyped || raw.kind == RawValue::Kind::text) && raw.text == word;
}

RawValue untyped(std::string text, Position at, std::string origin) {
  RawValue raw{RawValue::Kind::untyped, std::move(text), {}, std::move(at), std::move(origin), {}};
  if (raw.text.empty()) return raw;
  for (const std::string_view item : split(raw.text, ',')) raw.items.emplace_back(trim(item));
  return raw;
}

std::string shown(const RawValue& raw) {
  switch (raw.kind) {
    case RawValue::Kind::untyped:
    case RawValue::Kind::text:
      return "\"" + printable(raw.text, 80) + "\"";
    case RawValue::Kind::number:
    case RawValue::Kind::boolean:
    case RawValue::Kind::date:
      return printable(raw.text, 80);
    case RawValue::Kind::list:
      return "a list";
    case RawValue::Kind::table:
      return "a table";
    case RawValue::Kind::other:
      break;
  }
  return "a list of tables or lists";
}

std::string unknown(std::string_view noun, const RawValue& raw, std::span<const std::string> names) {
  if (is_free(raw, RawValue::Kind::text)) return unknown(noun, raw.text, names);
  return shown(raw) + " is no " + std::string(noun) + "; write one of: " + join(names, ", ");
}

std::string unknown(std::string_view noun, std::string_view text, std::span<const std::string> names) {
  if (const std::string_view now = now_written(std::string(noun) + " " + std::string(text)); !now.empty())
    return "\"" + printable(text, 80) + "\" is an old word; write " + std::string(now);
  const std::string hint = did_you_mean(text, names);
  return "unknown " + std::string(noun) + " \"" + printable(text, 80) + "\"" +
         (hint.empty() && !names.empty() ? "; known: " + join(names, ", ") : hint);
}

Result<std::vector<std::string>> read_words(const RawValue& raw) {
  if (raw.kind == RawValue::Kind::list || listed_texts(raw)) return read_list(raw);
  GATE_TRY(const std::string text, read_text(raw));
  const std::vector<std::string_view> words = split_words(text);
  return std::vector<std::string>(words.begin(), words.end());
}

Result<std::string> read_text(const RawValue& raw) {
  if (!is_free(raw, RawValue::Kind::text)) return fail(shown(raw) + " is no text; write it in quotes");
  if (raw.text.find('\0') != std::string::npos) return fail("the text holds a NUL byte");
  return raw.text;
}

Result<std::string> read_filled_text(const RawValue& raw) {
  Result<std::string> text = read_text(raw);
  if (text && trim(*text).empty()) return fail("the text is empty");
  return text;
}

Result<std::vector<std::string>> read_list(const RawValue& raw) {
  if (raw.kind == RawValue::Kind::text && raw.text.find(',') != std::string::npos)
    return fail(shown(raw) + " is one text; write a list such as [\"a\", \"b\"]");
  if (!is_free(raw, RawValue::Kind::list) && raw.kind != RawValue::Kind::text)
    return fail(shown(raw) + " is no list of texts such as [\"a\", \"b\"]");
  std::vector<std::string> items =
      raw.kind == RawValue::Kind::text ? std::vector{raw.text} : listed_texts(raw).value_or(raw.items);
  for (const std::string& item : items) {
    if (trim(item).empty()) return fail("an item of the list is empty");
    if (item.find('\0') != std::string::npos) return fail("an item of the list holds a NUL byte");
  }
  return items;
}

Result<bool> read_bool(const RawValue& raw) {
  if (is_free(raw, RawValue::Kind::boolean) && raw.text == "true") return true;
  if (is_free(raw, RawValue::Kind::boolean) && raw.text == "false") return false;
  return fail(shown(raw) + " is neither true nor false");
}

Result<Duration> read_duration(const RawValue& raw) {
  const std::optional<Duration> duration =
      is_free(raw, RawValue::Kind::text) ? parse_duration(raw.text) : std::nullopt;
  if (!duration) return fail(shown(raw) + " is no duration such as \"30s\", \"30m\", \"2h\" or \"1h30m\"");
  return *duration;
}

Result<Duration> read_positive_duration(const RawValue& raw) {
  Result<Duration> duration = read_duration(raw);
  if (duration && duration->count() == 0) return fail("the duration must be above 0");
  return duration;
}

Result<int> read_count(const RawValue& raw, int least) {
  const std::optional<std::int64_t> count =
      is_free(raw, RawValue::Kind::number) ? parse_integer(raw.text) : std::nullopt;
  if (!count) return fail(shown(raw) + " is no count, a whole number from " + std::to_string(least) + " on");
  if (*count < least) return fail(shown(raw) + " is below " + std::to_string(least));
  if (*count > most) return fail(shown(raw) + " is above " + std::to_string(most));
  return static_cast<int>(*count);
}

Result<Decimal> read_number(const RawValue& raw) {
  const Result<std::string> text = read_scalar(raw);
  const std::optional<Decimal> number = text ? Decimal::parse(trim(*text)) : std::nullopt;
  if (!number) return fail(shown(raw) + " is no number");
  return *number;
}

Result<std::string> read_date(const RawValue& raw) {
  const bool fits = is_free(raw, RawValue::Kind::text) || raw.kind == RawValue::Kind::date;
  if (!fits || !is_day(raw.text)) return fail(shown(raw) + " is no date such as \"2026-12-31\"");
  return raw.text;
}

Result<std::size_t> read_choice(const RawValue& raw, std::string_view noun,
                                std::span<const std::string_view> names) {
  const auto found = std::ranges::find(names, raw.text);
  if (is_free(raw, RawValue::Kind::text) && found != names.end())
    return static_cast<std::size_t>(found - names.begin());
  return fail(unknown(noun, raw, std::vector<std::string>(names.begin(), names.end())));
}

Result<std::string> read_scalar(const RawValue& raw) {
  if (raw.kind == RawValue::Kind::list || raw.kind == RawValue::Kind::table ||
      raw.kind == RawValue::Kind::other)
    return fail(shown(raw) + " is no single value");
  return raw.text;
}

}  // namespace gate::config
