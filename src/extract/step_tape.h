// The training steps that one source prints with one extractor, attempt by attempt.
//
// A step number that falls starts a new attempt. So does the first step of an attempt when it is printed
// again with other words and nothing came between: the run died after one step and began anew. Printed again
// with the very same words it is one line that was written twice.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "extract/format_reader.h"
#include "extract/readings.h"

namespace gate::extract {

struct StepLine {
  std::int64_t number = 0;
  Place place;
  Whole whole = Whole::whole;
};

// One attempt of one source: its steps never fall.
struct StepTape {
  std::size_t attempt = 0;  // from 0
  std::size_t reader = 0;
  std::uint32_t file = 0;
  std::string source;
  std::optional<int> rank;
  bool counted = false;  // its numbers are the places of its records
  std::vector<StepLine> lines;
  std::int64_t steps = 0;                                           // lines that do not repeat the one before
  std::map<std::string, std::vector<Sample>, std::less<>> columns;  // by metric
  std::map<std::string, std::string, std::less<>> expected;         // metric -> printed name
  std::set<std::string, std::less<>> own;                           // metrics that are the rank's own
  std::set<std::pair<std::int64_t, std::string>> unreadable;        // step and metric printed with no number
  std::optional<std::int64_t> total;
  std::size_t end = 0;  // how many step lines of its file had come when its last one had

  std::int64_t first_step() const { return lines.front().number; }
  std::int64_t last_step() const { return lines.back().number; }

  // Return whose the metric's values are: the rank's, or nothing where they are the run's.
  std::optional<int> rank_of(std::string_view metric) const;

  // Add a left-out sample wherever a whole line lacks a metric that the tape has or is expected to have.
  void fill_left_out();
};

class StepTapes {
 public:
  struct Added {
    std::size_t attempt = 0;
    bool begins = false;      // an attempt that no source had begun before
    std::int64_t before = 0;  // begins: the step before the fall
    bool repeats = false;     // the source printed that step just before
    std::int64_t line = 0;    // it is the k-th step of its attempt
    std::vector<Reading> left_out;
  };

  // Append a step; `reader` tells apart the formats that read one source. The record has a number.
  Added add(std::size_t reader, const Record& record, const Origin& origin, const Readings& readings,
            std::span<const FieldRow> expected);

  // Return the newest tape of that source, else the newest of its file, else nullptr.
  const StepTape* newest(std::uint32_t file, std::string_view source) const;

  std::vector<StepTape>& all() { return tapes_; }
  const std::vector<StepTape>& all() const { return tapes_; }

  // Return the tapes of one attempt, in the order in which they began.
  std::vector<const StepTape*> of_attempt(std::size_t attempt) const;

  std::size_t attempts() const { return by_attempt_.size(); }

  // Return how many step lines of the file have come.
  std::size_t lines(std::uint32_t file) const;

 private:
  using Key = std::tuple<std::uint32_t, std::string, std::size_t, std::size_t>;  // with reader and extractor

  StepTape& tape_for(const Key& key, const Record& record, const Readings& readings);
  StepTape& begin_tape(const Key& key, std::size_t attempt);

  std::vector<StepTape> tapes_;
  std::vector<std::vector<std::size_t>> by_attempt_;
  std::map<Key, std::size_t> newest_;
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> newest_of_source_;
  std::map<std::uint32_t, std::size_t> newest_of_file_;
  std::map<std::uint32_t, std::size_t> lines_;  // by file
  std::size_t latest_ = 0;                      // the tape that the last line went to
};

}  // namespace gate::extract
