// Problems of a log, bounded in memory.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "extract/records/record.h"
#include "gate/model/extraction.h"

namespace gate::extract {

class ProblemLog {
 public:
  static constexpr std::size_t most_of_a_kind = 1000;

  // Keep the problem, or only count it where there are many of its kind already.
  void add(ProblemKind kind, Place place, std::string text);

  // Add all problems of another log.
  void add(const ProblemLog& other);

  bool empty() const { return entries_.empty(); }

  // Hand over the problems in the order of files and lines, and a note for each kind that had more than were
  // kept.
  void move_into(Extraction& extraction);

 private:
  struct Entry {
    Place place;
    Problem problem;
  };
  static constexpr std::size_t kinds = static_cast<std::size_t>(ProblemKind::other) + 1;
  std::vector<Entry> entries_;
  std::array<std::size_t, kinds> counts_{};
};

}  // namespace gate::extract
