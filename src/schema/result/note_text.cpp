#include "schema/result/note_text.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "gate/base/text.h"
#include "gate/words/remarks.h"
#include "schema/json/series_text.h"

namespace gate::schema {

namespace {

constexpr std::string_view comma = ", ", conjunction = " and ";

// `0-3, 7`, or `1 and 2`
std::optional<Ranks> parse_ranks(std::string text) {
  if (const std::size_t at = text.find(conjunction); at != std::string::npos)
    text.replace(at, conjunction.size(), comma);
  const std::optional<StepSet> numbers = StepSet::parse(text);
  if (!numbers || numbers->empty()) return std::nullopt;
  Ranks ranks;
  for (const std::int64_t number : numbers->numbers()) ranks.emplace_back(static_cast<int>(number));
  return ranks;
}

// `lm_loss`, or `memory_allocated ranks 0-3, 7`
std::optional<Note::Subject> parse_subject(const std::string& text) {
  const std::size_t ranks = text.find(" rank");
  if (ranks == std::string::npos) return Note::Subject{text, {}};
  const std::size_t numbers = text.find(' ', ranks + 1);
  if (numbers == std::string::npos) return std::nullopt;
  const std::optional<Ranks> parsed = parse_ranks(text.substr(numbers + 1));
  return parsed ? std::optional(Note::Subject{text.substr(0, ranks), *parsed}) : std::nullopt;
}

// Return the subjects' texts: what begins with a digit belongs to the ranks before it.
std::vector<std::string> split_subjects(std::string_view text) {
  std::vector<std::string> subjects;
  for (const std::string_view part : parts_of(text, comma)) {
    const bool goes_on = !subjects.empty() && !part.empty() && is_digit(part.front());
    if (goes_on) {
      subjects.back().append(comma).append(part);
    } else {
      subjects.emplace_back(part);
    }
  }
  return subjects;
}

}  // namespace

Note read_note(const std::string& text, const std::vector<Check>& checks) {
  constexpr std::string_view link = ": ";
  const std::size_t colon = text.find(link);
  if (colon == std::string::npos) return plain_note(text);
  Note note{{}, Numbering::step, remark::Text{text.substr(colon + link.size())}};
  for (const std::string& part : split_subjects(std::string_view(text).substr(0, colon))) {
    const std::optional<Note::Subject> subject = parse_subject(part);
    if (!subject || std::ranges::find(checks, subject->name, &Check::metric) == checks.end())
      return plain_note(text);
    note.subjects.push_back(*subject);
  }
  return words::text(note) == text ? note : plain_note(text);
}

}  // namespace gate::schema
