// What the use cases are handed to touch the world with.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "gate/base/cut.h"
#include "gate/base/time.h"
#include "gate/model/reports/event.h"
#include "gate/places/host.h"
#include "gate/places/hosts.h"
#include "gate/places/object_places.h"
#include "gate/places/queues.h"

namespace gate::app {

// Time that never goes back, and a way to let some of it pass.
struct SteadyTime {
  using Point = SteadyClock::time_point;

  std::function<Point()> now = [] { return SteadyClock::now(); };
  std::function<void(Duration)> sleep = [](Duration duration) { std::this_thread::sleep_for(duration); };
};

struct Environment {
  Host& host;
  std::string user;                                 // who accepts baselines
  std::function<std::optional<int>()> interrupted;  // the signal that came, once there is one
  std::function<bool()> second_signal;              // true once a second signal came
  std::function<Moment()> now;
  Sink sink;
  SteadyTime time = {};
  std::function<void(std::string_view)> show =
      nullptr;  // what scripts print, masked, as it comes; none: no one
  std::shared_ptr<Hosts> hosts = std::make_shared<Hosts>(host);  // on which cases run; the first is `host`
  std::shared_ptr<Queues> queues = std::make_shared<Queues>();
  std::shared_ptr<ObjectPlaces> objects = nullptr;  // none: no store is reached

  // How a process that is launched is seen to its end.
  std::function<Result<launch::Ending>(launch::Process&, const launch::Limits&, const launch::Listener&)>
      supervise = launch::supervise;

  // Return the signal that came; nothing if none did.
  std::optional<int> signal() const { return interrupted ? interrupted() : std::nullopt; }

  // Return the same as how a script ends by it.
  std::optional<Interrupted> interruption() const {
    const std::optional<int> came = signal();
    return came ? std::optional(Interrupted{*came}) : std::nullopt;
  }

  // Return what ends a question that is asked for no case: the signal that came.
  Cut cut() const {
    return {.stop = [asked = interrupted] {
      const std::optional<int> came = asked ? asked() : std::nullopt;
      return came ? text(Outcome(Interrupted{*came})).english() : std::string();
    }};
  }
};

}  // namespace gate::app
