// Lines to records of one format.
//
// A launcher that copies a script's output through a buffer of its own breaks a long line in two, and puts
// its prefix before both:
//
//   0: [default0]:[Rank 0] (after 1 iterations) memory (MB) | allocated: 1.00 | max allocated: 2.00 | reserv
//   0: ed: 3.00 | max reserved: 3.00
//
// So a record that the end of its line cuts off is held, and a few of the next lines of the same launcher
// prefix are tried as its other half. Only a half that makes the record whole is taken; a held record whose
// other half does not come counts as far as it goes.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extract/records/bar_steps.h"
#include "extract/records/format_spec.h"
#include "extract/records/line_joiner.h"
#include "extract/records/readings.h"
#include "extract/records/record.h"
#include "extract/records/turn_table.h"
#include "extract/records/usual_ending.h"

namespace gate::extract {

// Where a record stands, under which prefix, and which rank printed it, as far as that is known without the
// record itself.
struct RecordOrigin {
  LinePlace place;
  std::string_view source;
  std::string_view head = {};  // how its line begins
  std::optional<int> rank = std::nullopt;
  // The first of the files that are read as one; none: its own.
  std::optional<std::uint32_t> stream = std::nullopt;
};

class FormatReader {
 public:
  using OnRecord = std::function<void(const Record&, const RecordOrigin&)>;

  FormatReader(const FormatSpec& format, ProblemLog& problems, OnRecord on_record,
               StepsOf steps_of = StepsOf::bar);
  FormatReader(const FormatReader&) = delete;
  FormatReader& operator=(const FormatReader&) = delete;

  void read(const CleanLine& line);

  // Tell whether the other one reads the same records, under another name.
  bool is_like(const FormatReader& other) const { return matches_.size() == other.matches_.size(); }

  // Go on from what the reader of a format that this one contains holds of lines, and from what it counted.
  void hold_with(const FormatReader& other);
  void count_with(const FormatReader& other);

  // Tell whether something is held, for which each further line matters; else a line without any of the
  // format's literals changes nothing.
  bool has_pending() const {
    return !held_.empty() || joiner_.has_pending() || bar_steps_.has_pending() || rows_.has_head();
  }

  // Let go of what is held of a file: it ends.
  void end_file(std::uint32_t file);

  const FormatSpec& format() const { return *format_; }
  const std::vector<std::int64_t>& matches() const { return matches_; }

  // Return what the training's progress bar showed last, of a format that is read beside one.
  std::optional<ShownStep> shown() const { return bar_steps_.shown(); }

  // Return how many training steps, and how many other records were read.
  std::int64_t steps() const { return steps_; }
  std::int64_t others() const { return others_; }

  // Tell whether a record was seen that only this format prints.
  bool signature_seen() const { return signature_seen_; }

 private:
  enum class Half : std::uint8_t { record, head };  // head: so little that it may be no record at all

  struct HeldRecord {
    std::string text;
    std::string source;
    LinePlace place;
    std::optional<int> rank;
    bool ended = true;
    std::optional<std::int64_t> shown = std::nullopt;
    Half half = Half::record;
    int tries = 0;
  };

  // The last report of a source's first engine.
  struct EngineReport {
    std::optional<std::int64_t> step = {};
    std::uint32_t line = 0;
    std::string text = {};
  };

  using Key = std::pair<std::uint32_t, std::string>;  // file and outer prefix

  void read_joined(const CleanLine& line);
  LineContent look(std::string_view line) const;
  bool read_row(const CleanLine& line);
  std::vector<Record> scan(const CleanLine& line);
  void cut_off(std::string_view text, Record& last);
  std::optional<int> rank_of(const CleanLine& line) const;
  RecordOrigin origin_of(const CleanLine& line, const Record& record);
  bool continue_held(const CleanLine& line);
  bool try_half(std::string_view outer, std::string_view half, const CleanLine& line);
  bool try_lost_half(const CleanLine& line);
  std::optional<std::vector<Record>> join(const HeldRecord& held, std::string_view half,
                                          const CleanLine& line);
  void add_joined(std::map<Key, HeldRecord>::iterator it, std::span<const Record> records,
                  const CleanLine& line);
  void add_all(std::span<const Record> records, const CleanLine& line);
  bool keep_head(const CleanLine& line);
  void keep(HeldRecord held, std::string_view outer);
  void let_go(const Key& key);
  void add(const Record& record, const RecordOrigin& origin, std::string_view text);
  bool is_of_next_engine(const Record& record, const RecordOrigin& origin, std::string_view text);
  Record of_next_engine(const Record& record) const;
  bool begins_record(std::string_view text) const;
  void add_torn(std::string_view text, LinePlace place);
  void add_merged(std::span<const Record> records, LinePlace place);

  const FormatSpec* format_;
  ProblemLog* problems_;
  OnRecord on_record_;
  std::vector<std::int64_t> matches_;
  std::int64_t steps_ = 0;
  std::int64_t others_ = 0;
  bool signature_seen_ = false;
  std::map<Key, HeldRecord> held_;
  std::set<std::string, std::less<>> outers_;  // under which records stood
  std::string joined_;                         // the halves that were tried last
  LineJoiner joiner_;
  BarSteps bar_steps_;
  CsvLines rows_;
  std::map<Key, EngineReport> reports_;              // by file and source
  TurnTable<const FieldRow*, UsualEnding> endings_;  // of the last words of records
  std::string beginning_;                            // of the first step's record
  std::string source_;                               // what an origin refers to
};

}  // namespace gate::extract
