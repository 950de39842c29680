#include "gate/launch/waiting.h"

#include <thread>
#include <utility>

#include "gate/base/time.h"

namespace gate::launch {

namespace {

constexpr Duration turn_pause{100};

// Returns how it ended; nothing where it goes on.
std::optional<Outcome> end_of(const Waiting& now, const Limits& limits, Duration waited,
                              const Listener& listener) {
  if (now.kind == Waiting::Kind::refused) return now.outcome;
  if (listener.interrupted)
    if (const auto interrupted = listener.interrupted()) return *interrupted;
  if (limits.rest && waited >= *limits.rest) return PastDeadline{limits.deadline};
  return std::nullopt;
}

}  // namespace

std::optional<Ending> wait_for_start(const std::function<Waiting()>& turn, Limits& limits,
                                     const Listener& listener) {
  const auto began = SteadyClock::now();
  const auto tell = [&](const std::string& why) {
    if (listener.on_waiting) listener.on_waiting(why);
  };
  std::string told;
  Waiting now = turn();
  for (; now.kind != Waiting::Kind::ready; now = turn()) {
    if (std::optional<Outcome> outcome = end_of(now, limits, since(began), listener)) {
      tell("");
      Ending ending;
      ending.outcome = std::move(*outcome);
      ending.duration = since(began);
      ending.remarks = std::move(now.remarks);
      if (std::holds_alternative<PastDeadline>(ending.outcome) && !now.still.empty())
        ending.remarks.push_back(now.still);
      return ending;
    }
    if (std::exchange(told, now.why) != now.why && !now.why.empty()) tell(now.why);
    std::this_thread::sleep_for(turn_pause);
  }
  tell("");
  if (limits.rest) *limits.rest -= since(began);
  return std::nullopt;
}

}  // namespace gate::launch
