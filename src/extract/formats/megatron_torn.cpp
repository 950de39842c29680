#include "extract/formats/megatron_torn.h"

#include <algorithm>
#include <vector>

#include "extract/formats/megatron_fields.h"
#include "extract/records/fields.h"
#include "extract/scan/number_word.h"
#include "extract/scan/pattern.h"
#include "gate/base/text.h"

namespace gate::extract::megatron {

namespace {

// Tell whether the text names the count that ends every common record.
bool has_last_name(std::string_view text) {
  static const RE2 pattern(R"(number[ _]of[ _]nan[ _]iterations *[:=])", pattern_options());
  return RE2::PartialMatch(piece(text), pattern);
}

// Names and words of one piece between bars.
std::vector<Field> known_fields(std::string_view text) {
  Record record;
  read_fields(text, step_names(), record);
  read_fields(text, memory_names(), record);
  return record.fields;
}

bool is_known(std::string_view text) { return !known_fields(text).empty(); }

bool is_field(std::string_view text) {
  static const RE2 pattern(R"(\s*(?:\[\w+\]-)?[A-Za-z_][\w ()/%.-]*[:=] *\S.*)", pattern_options());
  const std::vector<Field> fields = known_fields(text);
  return RE2::FullMatch(piece(text), pattern) &&
         std::all_of(fields.begin(), fields.end(),
                     [](const Field& field) { return parse_word(field.word).has_value(); });
}

bool ends_line(std::string_view rest) {
  const std::string_view name = trim(rest.substr(0, rest.find(':')));
  return std::find(line_ends.begin(), line_ends.end(), name) != line_ends.end();
}

}  // namespace

Whole iteration_wholeness(const Record& record) {
  const bool last_field = has_metric(record, "nan_iterations");
  if (trim(record.rest).empty())
    return last_field || has_metric(record, "lm_loss") ? Whole::whole : Whole::open;
  if (has_metric(record, "lm_loss") && ends_line(record.rest)) return Whole::whole;
  return last_field && !begins_field(record.rest, step_fields) ? Whole::whole : Whole::torn;
}

// It was, if it has decimals, or if the numbers before it have none either. What is no number at all was not
// cut: something else is wrong with it.
bool is_ended(std::string_view word, const Record& record) {
  if (!parse_word(word)) return !word.empty();
  const std::size_t point = word.find('.');
  if (point != std::string_view::npos) return point + 1 < word.size();
  return record.fields.empty() || record.fields[0].word.find('.') == std::string_view::npos;
}

std::vector<std::string> cut_heads() {
  std::vector<std::string> heads{"[Rank"};
  for (const std::string_view whole : {"[Ran", "iteratio"})
    for (std::size_t size = 1; size <= whole.size(); ++size)
      for (const char end : {'\n', '\r'}) heads.push_back(std::string(whole.substr(0, size)) + end);
  return heads;
}

std::size_t cut_head(std::string_view text) {
  constexpr std::size_t longest_head = 96;
  static const RE2 pattern(
      R"((?:\[(?:R(?:a(?:n(?:k[^|]*)?)?)?)?)"
      R"(|(?:\[\d[\d :.-]*\]\s*)?\bi(?:t(?:e(?:r(?:a(?:t(?:i(?:o(?:n(?:\s|=)*\d*\s*/?\s*\d*\s*)?)?)?)?)?)?)?)?)$)",
      pattern_options());
  const std::size_t from = text.size() < longest_head ? 0 : text.size() - longest_head;
  re2::StringPiece head;
  if (!pattern.Match(piece(text), from, text.size(), RE2::UNANCHORED, &head, 1))
    return std::string_view::npos;
  return static_cast<std::size_t>(head.data() - text.data());
}

// The field at the seam must be one, with a number if its name is known; what follows between bars must be
// fields too, at least one of them known. Where nothing follows, the record must hold what ends every common
// one: a line that merely has a bar is no other half.
bool joins(std::string_view text, std::size_t seam) {
  const std::size_t bar = text.substr(0, seam).rfind('|');
  if (bar == std::string_view::npos) return true;
  const std::vector<std::string_view> pieces = split(text.substr(bar + 1), '|');
  if (!is_field(pieces[0])) return false;
  for (std::size_t i = 1; i + 1 < pieces.size(); ++i)
    if (!is_field(pieces[i])) return false;
  if (std::any_of(pieces.begin() + 1, pieces.end(), is_known)) return true;
  return pieces.size() == 1 || (trim(pieces.back()).empty() && has_last_name(text));
}

}  // namespace gate::extract::megatron
