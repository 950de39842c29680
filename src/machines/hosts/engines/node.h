// What runs on one node of a job, as a process that is supervised.
#pragma once

#include <memory>
#include <string>

#include "gate/base/sentence.h"
#include "gate/hosts/job.h"
#include "gate/hosts/job_folder.h"
#include "gate/launch/process.h"

namespace gate::hosts {

// How long a file or an answer may lag behind.
struct Lag {
  Duration file{};     // what a node has written is seen by then
  Duration answer{};   // what the engine did to a job is known by then
  Duration silence{};  // the engine answers by then
};

// A node of a job that has begun.
class NodeProcess : public launch::Process {
 public:
  NodeProcess(JobView& job, std::size_t node, Lag lag) : job_(job), node_(node), lag_(lag) {}

  Duration elapsed() override { return since(began_); }
  launch::Patience patience() const override;
  void complete(launch::Ending& ending) override;

  virtual std::string host() const = 0;     // its name in the engine; "" while it is not known
  virtual std::string devices() const = 0;  // see NodeState
  virtual Duration lasted() const = 0;      // by its own clock; 0: not told
  virtual Sentence note() const = 0;        // what is to be said of its end; "" for nothing

  // Tell whether the engine need not be told to end it.
  virtual bool is_clean() const = 0;

 protected:
  JobView& job_;
  const std::size_t node_;
  const Lag lag_;
  const SteadyClock::time_point began_ = SteadyClock::now();  // what was known before is too old
};

// A node whose agent speaks through the job's folder.
std::unique_ptr<NodeProcess> node_in_folder(JobView& job, JobFolder folder, std::size_t node, Lag lag,
                                            launch::SetupStep setup = launch::SetupStep::none);

// A node that is a pod.
std::unique_ptr<NodeProcess> node_in_pod(JobView& job, const EngineRow& engine, JobId id, std::size_t node,
                                         Lag lag);

}  // namespace gate::hosts
