// Words of a record to samples.
#pragma once

#include <optional>
#include <vector>

#include "extract/records/problem_log.h"
#include "extract/records/record.h"
#include "extract/scan/number_word.h"
#include "gate/model/sample.h"

namespace gate::extract {

struct Reading {
  const FieldRow* row = nullptr;
  std::optional<int> rank;  // whose value it is; none: the run's
  SampleView sample;        // its word stands in the record
};

struct Readings {
  std::vector<Reading> values;
  std::vector<const FieldRow*> unreadable;  // what was printed with a word that is no number
};

// Tell whether a word of the row is the value itself, and a finite one never odd.
bool is_plain(const FieldRow& row);

// Set the sample's word and value to what the field says. Returns false where the word is no number, or there
// is something to tell of it: then read_words() must read the record.
bool read_plain(const Field& field, SampleView& sample);

// The same for a word of a plain row.
inline bool read_plain(std::string_view word, SampleView& sample) {
  sample.text = word;
  sample.is_said = true;
  return word.size() <= longest_word && parse_value(word, sample.value) && sample.value.is_finite();
}

// Which number and rank a record was found to have, and where it stands.
struct Standing {
  std::int64_t number = 0;
  std::optional<int> rank;
  Place place;
};

// Set the readings to what the record's words say, with that number, and the rank of those that are a rank's
// own. Words that are no numbers, NaN and infinity, and skipped steps become problems.
void read_words(const Record& record, const Standing& standing, ProblemLog& problems, Readings& readings);

}  // namespace gate::extract
