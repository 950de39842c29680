// Remarks on many series in few notes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gate/model/runs/remark.h"

namespace gate::judge {

// A remark and the series that it is about.
struct SeriesRemark {
  std::string metric;
  std::optional<int> rank;
  Numbering numbered = Numbering::step;
  Remark remark;
};

// Return the remarks as notes: metrics and ranks with the same one share a note, in the order in which the
// remarks first appear.
std::vector<Note> fold(std::span<const SeriesRemark> remarks);

}  // namespace gate::judge
