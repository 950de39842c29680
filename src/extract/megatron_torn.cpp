#include "extract/megatron_torn.h"

#include <algorithm>

#include "extract/fields.h"
#include "extract/megatron_fields.h"
#include "extract/number_word.h"
#include "extract/pattern.h"
#include "gate/base/text.h"

namespace gate::extract::megatron {

Whole iteration_wholeness(const Record& record) {
  const bool last_field = has_metric(record, "nan_iterations");
  if (trim(record.rest).empty())
    return last_field || has_metric(record, "lm_loss") ? Whole::whole : Whole::open;
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

std::size_t cut_head(std::string_view text) {
  constexpr std::size_t longest_head = 96;
  static const RE2 pattern(
      R"((?:\[(?:R(?:a(?:n(?:k[^|]*)?)?)?)?)"
      R"(|(?:\[\d[\d :.-]*\]\s*)?\bi(?:t(?:e(?:r(?:a(?:t(?:i(?:o(?:n\s*\d*\s*/?\s*\d*\s*)?)?)?)?)?)?)?)?)$)",
      pattern_options());
  const std::size_t from = text.size() < longest_head ? 0 : text.size() - longest_head;
  re2::StringPiece head;
  if (!pattern.Match(piece(text), from, text.size(), RE2::UNANCHORED, &head, 1))
    return std::string_view::npos;
  return static_cast<std::size_t>(head.data() - text.data());
}

bool joins(std::string_view text, std::size_t seam) {
  static const RE2 field(R"(\s*[A-Za-z_][\w ()/%.-]*: *\S+\s*)", pattern_options());
  const std::size_t bar = text.substr(0, seam).rfind('|');
  if (bar == std::string_view::npos) return true;
  const std::size_t end = std::min(text.find('|', seam), text.size());
  return RE2::FullMatch(piece(text.substr(bar + 1, end - bar - 1)), field);
}

}  // namespace gate::extract::megatron
