// What the use cases are handed to touch the world with.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gate/base/time.h"
#include "gate/launch/host.h"
#include "gate/launch/open_files.h"
#include "gate/launch/runner.h"
#include "gate/model/event.h"
#include "gate/model/tool_answer.h"

namespace gate::app {

// Time that never goes back, and a way to let some of it pass.
struct SteadyTime {
  using Point = std::chrono::steady_clock::time_point;

  std::function<Point()> now = [] { return std::chrono::steady_clock::now(); };
  std::function<void(Duration)> sleep = [](Duration duration) { std::this_thread::sleep_for(duration); };
};

struct Machine {
  launch::Runner& runner;
  launch::HostFacts host;
  AskTool ask;  // a vendor's tool, no longer than a limit
  // What other launches than that of the cookie are writing.
  std::function<std::vector<launch::OpenFile>(const std::string& cookie)> written_elsewhere;
  std::string user;                                 // who accepts baselines
  std::function<std::optional<int>()> interrupted;  // the signal that came, once there is one
  std::function<bool()> hurried;                    // true once a second signal came
  std::function<Moment()> now;
  Sink sink;
  SteadyTime time = {};
};

}  // namespace gate::app
