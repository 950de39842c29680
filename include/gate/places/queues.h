// The queues that a run hands jobs to, each asked for all of its jobs at once.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "gate/config/host_settings.h"
#include "gate/hosts/job.h"
#include "gate/model/runs/backend.h"

namespace gate::app {

// Used by several threads at once.
class Queues {
 public:
  // The limit bounds each question to a queue's programs. A job ends when gate is silent for [hosts]
  // lost_after.
  explicit Queues(const config::HostSettings& settings = {}, Duration tool_limit = std::chrono::seconds(60))
      : lost_after_(settings.lost_after), tool_limit_(tool_limit) {}

  hosts::JobEngine& at(Backend backend) {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<hosts::JobEngine>& engine = engines_[backend];
    if (!engine)
      engine = std::make_unique<hosts::JobEngine>(hosts::engine_of(backend), lost_after_, tool_limit_);
    return *engine;
  }

 private:
  Duration lost_after_, tool_limit_;
  std::mutex mutex_;
  std::map<Backend, std::unique_ptr<hosts::JobEngine>> engines_;
};

}  // namespace gate::app
