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

#include "extract/records/clean_line.h"
#include "extract/records/format_spec.h"
#include "extract/records/line_joiner.h"
#include "extract/records/problem_log.h"

namespace gate::extract {

// Where a record stands, under which prefix, and which rank printed it, as far as that is known without the
// record itself.
struct Origin {
  Place place;
  std::string_view source;
  std::string_view head = {};  // how its line begins
  std::optional<int> rank = std::nullopt;
  std::optional<std::uint32_t> lane =
      std::nullopt;  // the first of the files that are read as one; none: its own
};

class FormatReader {
 public:
  using Take = std::function<void(const Record&, const Origin&)>;

  FormatReader(const FormatSpec& format, ProblemLog& problems, Take take);
  FormatReader(const FormatReader&) = delete;
  FormatReader& operator=(const FormatReader&) = delete;

  void read(const CleanLine& line);

  // Tell whether something is held, for which each further line matters; else a line without any of the
  // format's literals changes nothing.
  bool awake() const { return !held_.empty() || gather_.awake(); }

  // Let go of what is held of a file: it ends.
  void end_file(std::uint32_t file);

  const FormatSpec& format() const { return *format_; }
  const std::vector<std::int64_t>& matches() const { return matches_; }

  // Return how many training steps, and how many other records were read.
  std::int64_t steps() const { return steps_; }
  std::int64_t others() const { return others_; }

  // Tell whether a record was seen that only this format prints.
  bool sign_seen() const { return sign_seen_; }

 private:
  enum class Half : std::uint8_t { record, head };  // head: so little that it may be no record at all

  struct Held {
    std::string text;
    std::string source;
    Place place;
    std::optional<int> rank;
    bool ended = true;
    Half half = Half::record;
    int tries = 0;
  };

  using Key = std::pair<std::uint32_t, std::string>;  // file and outer prefix

  void read_gathered(const CleanLine& line);
  std::vector<Record> scan(const CleanLine& line) const;
  std::optional<int> rank_of(const CleanLine& line) const;
  Origin origin(const CleanLine& line, const Record& record);
  bool continue_held(const CleanLine& line);
  bool try_half(std::string_view outer, std::string_view half, const CleanLine& line);
  bool try_lost_half(const CleanLine& line);
  std::optional<std::vector<Record>> join(const Held& held, std::string_view half, const CleanLine& line);
  void take_half(std::map<Key, Held>::iterator it, std::span<const Record> records, const CleanLine& line);
  bool makes_whole(const std::vector<Record>& records, std::string_view joined, std::size_t seam) const;
  void take_all(std::span<const Record> records, const CleanLine& line);
  void hold_head(const CleanLine& line);
  void hold(Held held, std::string_view outer);
  void let_go(const Key& key);
  void let_go_of(const Held& held);
  void take(const Record& record, const Origin& origin, std::string_view text);
  void take_joined(std::span<const Record> records, std::string_view joined, const Held& held,
                   const CleanLine& line);
  void add_torn(std::string_view text, Place place);
  void add_merged(std::span<const Record> records, Place place);

  const FormatSpec* format_;
  ProblemLog* problems_;
  Take take_;
  std::vector<std::int64_t> matches_;
  std::int64_t steps_ = 0;
  std::int64_t others_ = 0;
  bool sign_seen_ = false;
  std::map<Key, Held> held_;
  std::set<std::string, std::less<>> outers_;  // under which records stood
  std::string joined_;                         // the halves that were tried last
  LineJoiner gather_;
  std::string source_;  // what an origin refers to
};

}  // namespace gate::extract
