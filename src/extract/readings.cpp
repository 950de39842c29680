#include "extract/readings.h"

#include <optional>

#include "extract/number_word.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

std::string subject(const Record& record) {
  const std::string number = std::to_string(record.number.value_or(0));
  const std::string rank = record.rank ? "rank " + std::to_string(*record.rank) : "";
  if (record.role == Role::report) return rank + " after " + number + " iterations";
  return "step " + number + (rank.empty() ? "" : " " + rank);
}

std::optional<Value> read_value(const Field& field) {
  const std::optional<Value> value = parse_word(field.word);
  if (!value) return std::nullopt;
  const auto turn = field.row->turn == Turn::inverse ? inverted : scaled;
  return turn(*value, field.row->factor);
}

void tell_not_finite(const Record& record, const Reading& reading, Place place, ProblemLog& problems) {
  if (!reading.sample.value.is_finite())
    problems.add(ProblemKind::not_finite, place,
                 subject(record) + ": " + reading.printed + " " + reading.sample.text);
}

// Tell of the framework's own counts of steps that went wrong.
void tell_counts(const Record& record, const Reading& reading, Place place, ProblemLog& problems) {
  const Value& value = reading.sample.value;
  if (!value.is_finite() || value.number.is_zero()) return;
  const std::string count = subject(record) + ": " + reading.printed + " " + reading.sample.text;
  if (reading.metric == "skipped_iterations") problems.add(ProblemKind::skipped, place, count);
  if (reading.metric == "nan_iterations") problems.add(ProblemKind::not_finite, place, count);
}

}  // namespace

Readings read_words(const Record& record, Place place, ProblemLog& problems) {
  Readings readings;
  for (const Field& field : record.fields) {
    const bool own = field.row->whose == Whose::rank;
    Reading reading{std::string(field.row->metric),
                    std::string(field.row->printed),
                    own ? record.rank : std::nullopt,
                    {},
                    field.row->when};
    const std::optional<Value> value = read_value(field);
    if (!value) {
      problems.add(
          ProblemKind::malformed, place,
          subject(record) + ": " + reading.printed + " `" + printable(field.word, 60) + "` is no number");
      readings.unreadable.push_back(std::move(reading.metric));
      continue;
    }
    reading.sample = {record.number.value_or(0), *value, std::string(field.word), place.file, place.line};
    tell_not_finite(record, reading, place, problems);
    tell_counts(record, reading, place, problems);
    readings.values.push_back(std::move(reading));
  }
  return readings;
}

}  // namespace gate::extract
