#include <csignal>
#include <thread>

#include "gate/base/text.h"
#include "gate/launch/dialogue.h"
#include "hosts/engines/node.h"
#include "hosts/engines/pod_log.h"

namespace gate::hosts {

namespace {

constexpr Duration pod_look_interval{500};
constexpr Duration retry_pause{1000};  // before a log that was cut is followed again

using launch::Force;
using launch::More;
using launch::Woken;

class NodeInPod : public NodeProcess {
 public:
  NodeInPod(JobView& job, const EngineRow& engine, JobId id, std::size_t node)
      : job_(job), engine_(engine), id_(std::move(id)), node_(node) {}

  Status start() override { return look(), follow(); }

  Woken wait(Duration limit) override {
    job_.show_life();
    if (follower_)
      follower_->wait(-1, false, limit);
    else
      std::this_thread::sleep_for(limit);
    collect();
    return !output_.empty() && !is_over_ ? Woken::by_output : Woken::otherwise;
  }

  void read(const std::function<More(std::string_view)>& take) override {
    collect();
    const std::string output = std::exchange(output_, {});
    if (!output.empty()) take(output);
  }

  bool has_started() override { return true; }  // its setup is part of the script

  // All that it wrote until then has been read: the log is followed to its end once more.
  std::optional<Outcome> ended() override {
    look();
    if (!pod_.ended || is_over_) return is_over_ ? pod_.ended : std::nullopt;
    finish_log();
    return is_over_ ? pod_.ended : std::nullopt;
  }

  bool is_empty() override { return is_over_ || ended().has_value(); }

  void stop(Force force) override {
    is_stopped_ = true;
    if (force == Force::ask) return job_.cancel(false);
    if (force == Force::kill && !std::exchange(is_killed_, true)) job_.cancel(true);
  }

  std::vector<std::string> left() override { return {"pod " + pod_.name}; }
  std::vector<std::string> evidence() override { return {}; }
  Duration look_interval() const override { return pod_look_interval; }

  std::string host() const override { return pod_.host; }
  std::string devices() const override { return ""; }
  Duration lasted() const override { return {}; }
  std::string note() const override { return pod_.note; }
  bool is_clean() const override { return false; }  // the job is to be removed

 private:
  void look() {
    if (is_over_ || pod_.ended) return;
    const Known known = job_.look();
    if (!known.is_known) return;
    if (!known.state) return vanish("Kubernetes: its job was deleted");
    if (const auto pod = known.state->pods.find(node_); pod != known.state->pods.end())
      pod_ = pod->second;
    else if (known.state->outcome && !is_stopped_)
      pod_.ended = known.state->outcome, pod_.note = known.state->note;
    else
      vanish("Kubernetes: its pod is gone");
  }

  // What gate itself has asked for is no loss.
  void vanish(const std::string& why) {
    pod_.ended = is_stopped_ ? Outcome(Killed{SIGTERM}) : Outcome(Vanished{why});
  }

  Status follow() {
    if (pod_.name.empty()) return {};
    GATE_TRY(auto follower, launch::Dialogue::start(engine_.log(id_, pod_.name, log_.since(), true), {}));
    log_.begin();
    follower_.emplace(std::move(follower));
    return {};
  }

  // Take what has come; a log that ended although the pod goes on is followed again, from where it was.
  void collect() {
    if (follower_) {
      log_.feed(follower_->read_output(), output_);
      follower_->read_errors();
      if (!follower_->is_silent()) return;
      follower_.reset();
      next_follow_ = SteadyClock::now() + retry_pause;
      return;
    }
    if (is_over_ || SteadyClock::now() < next_follow_) return;
    if (const Status followed = follow(); !followed) next_follow_ = SteadyClock::now() + retry_pause;
  }

  // The pod has ended. Read on what is followed, then all the rest at once.
  void finish_log() {
    collect();
    if (follower_ && follower_->is_silent()) collect();
    if (follower_ && !is_cut_off()) return;
    follower_.reset();
    if (!is_stopped_ && !pod_.name.empty()) {
      if (const Status rest = follow(); !rest) return;
      const auto end = SteadyClock::now() + rest_limit;
      while (!follower_->is_silent() && SteadyClock::now() < end) {
        follower_->wait(-1, false, look_interval());
        log_.feed(follower_->read_output(), output_);
        follower_->read_errors();
      }
      log_.finish(output_);
      follower_.reset();
    }
    is_over_ = true;
  }

  // Tell whether its log has not ended for too long after the pod has.
  bool is_cut_off() {
    if (!ended_at_) ended_at_ = SteadyClock::now();
    return since(*ended_at_) >= rest_limit;
  }

  static constexpr Duration rest_limit{5000};

  JobView& job_;
  const EngineRow& engine_;
  const JobId id_;
  const std::size_t node_;
  PodState pod_;
  PodLog log_;
  std::optional<launch::Dialogue> follower_;
  SteadyClock::time_point next_follow_{};
  std::optional<SteadyClock::time_point> ended_at_;
  std::string output_;
  bool is_over_ = false, is_stopped_ = false, is_killed_ = false;
};

}  // namespace

std::unique_ptr<NodeProcess> node_in_pod(JobView& job, const EngineRow& engine, JobId id, std::size_t node) {
  return std::make_unique<NodeInPod>(job, engine, std::move(id), node);
}

}  // namespace gate::hosts
