// What a log gave before its attempts are told apart.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "extract/attempts/report_tape.h"
#include "extract/attempts/step_tape.h"

namespace gate::extract {

using SeriesKey = std::pair<std::string, std::optional<int>>;  // metric and rank

// Samples by metric and rank, in the order of the log.
using SamplesByKey = std::map<SeriesKey, SampleTape>;

// The samples of one attempt, by the reader that read them: of readers that read the same metric the first
// one counts.
using SamplesByReader = std::map<std::size_t, SamplesByKey>;

// What numbers values: a reader's extractor.
using Numberer = std::pair<std::size_t, std::size_t>;

// A run of the records, other than steps and reports, that one reader found in a source: it ends where their
// own numbers fall, and where the steps beside them do.
struct Segment {
  std::size_t source = 0;   // who prints it, with which extractor
  std::string prefix = {};  // of a launcher
  std::size_t reader = 0;
  std::size_t extractor = 0;
  std::size_t stream_id = 0;
  std::size_t nth = 0;                  // of its source, from 0
  std::optional<std::size_t> led = {};  // the tape of the steps beside it
  bool falls = false;                   // it began where its own numbers fell
  Extent order = {};                    // of its records among all
  std::optional<Extent> steps = {};     // of those with a number of their own
  std::optional<std::int64_t> began = {};
  TimeHead head = {};  // of its last line
  std::int64_t values = 0;
  bool is_noted = false;      // its restart is
  bool is_head = false;       // it stands before the first step of its attempt, and not of the first one
  std::size_t forgotten = 0;  // attempts before it of which only a count is left

  std::optional<Extent> times() const { return printed_extent(began, head); }
  Numberer numberer() const { return {reader, extractor}; }

  // Tell whether it stands wholly behind the steps of its tape, and began again: it is of another piece.
  bool begins_behind(const StepTape& tape) const { return falls && order.first > tape.order.last; }
};

// The samples of one metric and rank in a segment, in the order of the log.
struct FollowerTape {
  std::size_t segment = 0;
  SeriesKey key;
  SampleTape samples = {};
  bool by_step =
      false;  // of a metric that is numbered by report, and numbered by the steps printed beside it
};

// Where an attempt began again.
struct Restart {
  LinePlace place;
  std::int64_t step = 0;
  std::int64_t after = 0;      // the last step of the attempt before
  std::size_t attempt = 0;     // from 1
  bool is_recomputed = false;  // see StepTape
};

// What a log gave before its attempts are told apart.
struct AttemptBuffers {
  StepTapes steps;
  std::map<std::tuple<std::size_t, std::uint32_t, int>, RankReports> reports = {};  // by reader, file, rank
  std::vector<Segment> segments = {};
  std::vector<FollowerTape> followers = {};
  std::vector<Restart> restarts =
      {};  // the first of attempts that were forgotten, and of some that were kept then
  std::size_t more_restarts = 0;
  std::size_t forgotten = 0;                  // attempts that failed early, of which only this count is left
  std::optional<Numberer> forgotten_by = {};  // whose numbers told them, where no training steps did
  std::map<Numberer, std::int64_t> values_forgotten = {};
  std::set<std::pair<std::uint32_t, std::uint32_t>> repeats =
      {};  // lines on which a source printed a number again
  std::map<std::string, std::string, std::less<>> filled =
      {};  // metrics that a rank has none of, and what it prints
};

}  // namespace gate::extract
