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

std::string told(const Record& record, const Reading& reading) {
  return subject(record) + ": " + std::string(reading.row->printed) + " " + std::string(reading.sample.text);
}

void tell_not_finite(const Record& record, const Reading& reading, Place place, ProblemLog& problems) {
  if (!reading.sample.value.is_finite()) problems.add(ProblemKind::not_finite, place, told(record, reading));
}

// Tell of the framework's own counts of steps that went wrong.
void tell_counts(const Record& record, const Reading& reading, Place place, ProblemLog& problems) {
  const Value& value = reading.sample.value;
  const bool skipped = reading.row->metric == "skipped_iterations";
  if (!skipped && reading.row->metric != "nan_iterations") return;
  if (!value.is_finite() || value.number.is_zero()) return;
  problems.add(skipped ? ProblemKind::skipped : ProblemKind::not_finite, place, told(record, reading));
}

void tell_unreadable(const Record& record, const Field& field, Place place, ProblemLog& problems) {
  problems.add(ProblemKind::malformed, place,
               subject(record) + ": " + std::string(field.row->printed) + " `" + printable(field.word, 60) +
                   "` is no number");
}

}  // namespace

void read_words(const Record& record, Place place, ProblemLog& problems, Readings& readings) {
  readings.values.clear();
  readings.unreadable.clear();
  for (const Field& field : record.fields) {
    const std::optional<Value> value = read_value(field);
    if (!value) {
      tell_unreadable(record, field, place, problems);
      readings.unreadable.push_back(field.row);
      continue;
    }
    const bool own = field.row->whose == Whose::rank;
    const Reading& reading = readings.values.emplace_back(
        Reading{field.row,
                own ? record.rank : std::nullopt,
                {record.number.value_or(0), *value, field.word, place.file, place.line}});
    tell_not_finite(record, reading, place, problems);
    tell_counts(record, reading, place, problems);
  }
}

}  // namespace gate::extract
