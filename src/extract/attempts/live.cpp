#include "extract/attempts/live.h"

#include <algorithm>

namespace gate::extract {

void Live::see(const StoredRecord& posted) {
  if (posted.attempt < attempt_) return;
  if (posted.attempt > attempt_ && posted.lead == Lead::yes) begin(posted.attempt);
  if (posted.step) last_step_ = std::max(last_step_, *posted.step);
  if (posted.total) total_ = posted.total;
  if (!take_) return;
  for (const Reading& reading : posted.readings)
    tell(reading.row->metric, reading.rank, reading.sample, posted.step);
  if (posted.tape == nullptr) return;
  for (const Lacking& one : posted.tape->left_out()) tell(one.metric, one.rank, one.sample, posted.step);
}

void Live::begin(std::size_t attempt) {
  attempt_ = attempt;
  fresh_ = true;
  told_ = {};
  last_step_ = 0;
  total_.reset();
}

void Live::tell(std::string_view metric, std::optional<int> rank, const SampleView& sample,
                std::optional<std::int64_t> step) {
  std::optional<std::int64_t>& highest = told_[std::tuple(metric, rank)];
  if (highest && *highest >= sample.number) return;
  highest = sample.number;
  take_({metric, rank, sample.copy(), fresh_, attempt_, step});
  fresh_ = false;
}

}  // namespace gate::extract
