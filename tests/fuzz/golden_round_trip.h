// The property of all readers of golden files.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gate/schema/baseline_file.h"

namespace gate::fuzz {

inline bool same_series(const Series& a, const Series& b) {
  const auto same_sample = [](const Sample& x, const Sample& y) {
    return x.number == y.number && x.value == y.value;
  };
  return a.metric() == b.metric() && a.rank() == b.rank() && a.unit() == b.unit() &&
         a.numbered() == b.numbered() && a.assumed() == b.assumed() &&
         std::ranges::equal(a.samples(), b.samples(), same_sample) &&
         std::ranges::equal(a.unrecorded(), b.unrecorded());
}

// Any bytes are a baseline or an error; and what was read of a golden file, written as gate's own and read
// back, is the same series. Aborts otherwise.
inline void golden_round_trip(std::string_view text) {
  (void)schema::looks_like_golden(text);
  auto golden = schema::read_baseline(text, "fuzz.json");
  if (!golden || golden->origin == "gate") return;
  golden->case_name = "fuzz";
  const auto again = schema::read_baseline(schema::write_baseline(*golden), "again.json");
  if (!again || again->runs.size() != 1) std::abort();
  if (!std::ranges::equal(golden->runs.front().series, again->runs.front().series, same_series)) std::abort();
}

}  // namespace gate::fuzz
