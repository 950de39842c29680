#include "hosts/engines/node.h"

#include <algorithm>

namespace gate::hosts {

namespace {

// A limit of an engine's own is as long as it lasted.
void set_limit(Outcome& outcome, Duration lasted) {
  if (auto* timed_out = std::get_if<TimedOut>(&outcome);
      timed_out != nullptr && timed_out->limit == Duration{})
    timed_out->limit = std::chrono::ceil<std::chrono::seconds>(lasted);
}

}  // namespace

// An order may come as late as a file is seen.
launch::Patience NodeProcess::patience() const {
  launch::Patience patience;
  patience.kill = std::max(patience.kill, lag_.file);
  return patience;
}

void NodeProcess::complete(launch::Ending& ending) {
  set_limit(ending.outcome, elapsed());
  ending.host = host();
  ending.devices = devices();
  if (lasted() > Duration{} && ending.script_time > Duration{}) {
    ending.script_time = lasted();
    ending.duration = std::max(ending.duration, lasted());
  }
  if (const Sentence words = note(); !words.empty()) ending.remarks.push_back(words);
  job_.leave(is_clean() && ending.survivors.empty());
}

}  // namespace gate::hosts
