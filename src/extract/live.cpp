#include "extract/live.h"

#include <algorithm>

namespace gate::extract {

void Live::see(const Posted& posted) {
  if (posted.attempt < attempt_) return;
  if (posted.attempt > attempt_ && posted.lead == Lead::yes) begin(posted.attempt);
  if (posted.step) last_step_ = std::max(last_step_, *posted.step);
  if (posted.total) total_ = posted.total;
  for (const Reading& reading : posted.readings) tell(posted, reading);
}

void Live::begin(std::size_t attempt) {
  attempt_ = attempt;
  fresh_ = true;
  told_.clear();
  last_step_ = 0;
  total_.reset();
}

void Live::tell(const Posted& posted, const Reading& reading) {
  const auto [it, first] = told_.try_emplace({reading.metric, posted.rank}, reading.sample.number);
  if (!first && it->second >= reading.sample.number) return;
  it->second = reading.sample.number;
  if (take_) take_({reading.metric, posted.rank, reading.sample, fresh_, attempt_, posted.step});
  fresh_ = false;
}

}  // namespace gate::extract
