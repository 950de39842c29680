#include "extract/records/readings.h"

#include <optional>

#include "extract/scan/number_word.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

std::string subject(const Record& record, const Standing& standing) {
  const std::string number = std::to_string(standing.number);
  const std::string rank = standing.rank ? "rank " + std::to_string(*standing.rank) : "";
  if (record.role == Role::report) return rank + " after " + number + " iterations";
  return "step " + number + (rank.empty() ? "" : " " + rank);
}

bool is_in_unit(const FieldRow& row) {
  return row.turn == Turn::times && row.factor.coefficient == 1 && row.factor.exponent == 0;
}

bool read_odd_word(const Field& field, SampleView& sample) {
  std::optional<Value> value = parse_word(field.word, field.row->thousands);
  if (value) value = (field.row->turn == Turn::inverse ? inverted : scaled)(*value, field.row->factor);
  if (value) sample.value = *value;
  return value.has_value();
}

// Set the sample's word and value. Most words say it themselves.
bool read_word(const Field& field, SampleView& sample) {
  sample.text = field.word;
  sample.is_said =
      is_in_unit(*field.row) && field.word.size() <= longest_word && parse_value(field.word, sample.value);
  return sample.is_said || read_odd_word(field, sample);
}

// Tell whether the framework counts steps that went wrong there.
bool counts_what_went_wrong(const FieldRow& row) {
  return row.metric == "skipped_iterations" || row.metric == "nan_iterations";
}

// Return of which kind a value's problem is, if it has one: the framework's own counts of steps that went
// wrong have, too.
std::optional<ProblemKind> oddness(const FieldRow& row, const Value& value) {
  if (!value.is_finite()) return ProblemKind::not_finite;
  if (value.number.is_zero()) return std::nullopt;
  if (!counts_what_went_wrong(row)) return std::nullopt;
  return row.metric == "skipped_iterations" ? ProblemKind::skipped : ProblemKind::not_finite;
}

// Tells what is odd about the values of a record.
class Teller {
 public:
  Teller(const Record& record, const Standing& standing, ProblemLog& problems)
      : record_(record), standing_(standing), problems_(problems) {}

  void see(const Reading& reading) {
    if (const auto kind = oddness(*reading.row, reading.sample.value)) tell(*kind, reading);
  }

  void tell_unreadable(const Field& field) {
    const bool two = has_two_readings(field.word);
    problems_.add(two ? ProblemKind::ambiguous : ProblemKind::malformed, standing_.place,
                  subject(record_, standing_) + ": " + std::string(field.row->printed) + " `" +
                      printable(field.word, 60) +
                      (two ? "` has two readings: thousands, or a decimal comma" : "` is no number"));
  }

 private:
  void tell(ProblemKind kind, const Reading& reading) {
    problems_.add(kind, standing_.place,
                  subject(record_, standing_) + ": " + std::string(reading.row->printed) + " " +
                      std::string(reading.sample.text));
  }

  const Record& record_;
  const Standing& standing_;
  ProblemLog& problems_;
};

}  // namespace

bool is_plain(const FieldRow& row) { return is_in_unit(row) && !counts_what_went_wrong(row); }

bool read_plain(const Field& field, SampleView& sample) {
  return read_word(field, sample) && !oddness(*field.row, sample.value);
}

void read_words(const Record& record, const Standing& standing, ProblemLog& problems, Readings& readings) {
  Teller teller(record, standing, problems);
  readings.values.clear();
  readings.unreadable.clear();
  for (const Field& field : record.fields) {
    const bool own = field.row->whose == Scope::rank;
    Reading& reading = readings.values.emplace_back();
    reading.row = field.row;
    reading.rank = own ? standing.rank : std::nullopt;
    reading.sample.number = standing.number;
    reading.sample.file = standing.place.file;
    reading.sample.line = standing.place.line;
    if (read_word(field, reading.sample)) {
      teller.see(reading);
      continue;
    }
    readings.values.pop_back();
    readings.unreadable.push_back(field.row);
    teller.tell_unreadable(field);
  }
}

}  // namespace gate::extract
