// Words of a record to samples, and what is wrong with them to problems.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "extract/records/record.h"
#include "extract/scan/number_word.h"
#include "gate/base/sentence.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/numbers/sample.h"
#include "gate/model/runs/extraction.h"

namespace gate::extract {

// Problems of a log, bounded in memory.
class ProblemLog {
 public:
  static constexpr std::size_t most_of_a_kind = 1000;

  // Keep the problem, or only count it if there are many of its kind already. Of records that are cut off the
  // last one of each file is kept: it may be where the file ends.
  void add(ProblemKind kind, LinePlace place, Sentence text);

  // Set what a row of a rank counts through a file's steps, and tell whether it is another number than
  // before.
  bool count(const FieldRow& row, std::optional<int> rank, std::uint32_t file, const Decimal& number);

  // Add all problems of another log.
  void add(const ProblemLog& other);

  // Hand over the problems in the order of files and lines, and a note for each kind that had more than were
  // kept.
  void move_into(Extraction& extraction);

 private:
  struct LocatedProblem {
    LinePlace place;
    Problem problem;
  };
  void keep(LocatedProblem entry);

  static constexpr std::size_t kinds = static_cast<std::size_t>(ProblemKind::other) + 1;
  std::vector<LocatedProblem> entries_;
  std::map<std::uint32_t, LocatedProblem> last_cuts_;  // by file; beyond the many
  std::array<std::size_t, kinds> totals_{};
  std::map<std::tuple<const FieldRow*, std::optional<int>, std::uint32_t>, Decimal> counts_;
};

struct FieldReading {
  const FieldRow* row = nullptr;
  std::optional<int> rank;  // whose value it is; none: the run's
  SampleView sample;        // its word stands in the record
};

struct Readings {
  std::vector<FieldReading> values;
  std::vector<const FieldRow*> unreadable;  // what was printed with a word that is no number, or says so
};

// Tell whether a word of the row is the value itself, and a finite one is never a problem.
bool is_plain(const FieldRow& row);

// Set the sample's word and value to what the field says. Returns false if the word is no number, or there
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
  LinePlace place;
};

// Set the readings to what the record's words say, with that number, and the rank of those that are a rank's
// own. Words that are no numbers, NaN and infinity, and skipped steps become problems. Yes and no are numbers
// of some metrics alone.
void read_words(const Record& record, const Standing& standing, const MetricTable& metrics,
                ProblemLog& problems, Readings& readings);

}  // namespace gate::extract
