#include "extract/live.h"

#include <algorithm>

namespace gate::extract {

void Live::see(const Posted& posted) {
  if (posted.attempt < attempt_) return;
  if (posted.attempt > attempt_ && posted.lead == Lead::yes) begin(posted.attempt);
  if (posted.step) last_step_ = std::max(last_step_, *posted.step);
  if (posted.total) total_ = posted.total;
  for (const Reading& reading : posted.readings) tell(reading, posted.step);
}

void Live::begin(std::size_t attempt) {
  attempt_ = attempt;
  fresh_ = true;
  told_.clear();
  last_step_ = 0;
  total_.reset();
}

void Live::tell(const Reading& reading, std::optional<std::int64_t> step) {
  const auto [it, first] = told_.try_emplace({reading.metric, reading.rank}, reading.sample.number);
  if (!first && it->second >= reading.sample.number) return;
  it->second = reading.sample.number;
  if (take_) take_({reading.metric, reading.rank, reading.sample, fresh_, attempt_, step});
  fresh_ = false;
}

}  // namespace gate::extract
