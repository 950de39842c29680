#include <csignal>
#include <thread>

#include "gate/base/text.h"
#include "gate/base/time.h"
#include "gate/launch/dialogue.h"
#include "hosts/engines/node.h"
#include "hosts/engines/pod_log.h"

namespace gate::hosts {

namespace {

constexpr Duration pod_look_interval{500};
constexpr Duration rest_limit{5000};   // for the rest of a log, once its pod has ended
constexpr Duration retry_pause{1000};  // before a log that was cut is followed again

using launch::Force;
using launch::More;
using launch::Woken;

class NodeInPod : public NodeProcess {
 public:
  NodeInPod(JobView& job, const EngineRow& engine, JobId id, std::size_t node, Lag lag)
      : NodeProcess(job, node, lag), engine_(engine), id_(std::move(id)) {}

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
  Sentence note() const override { return pod_.note; }
  bool is_clean() const override { return false; }  // the job is to be removed

 private:
  void look() {
    if (is_over_ || pod_.ended) return;
    const Known known = job_.look();
    const auto* const state = known.state ? &*known.state : nullptr;
    if (state != nullptr && state->pods.contains(node_))
      take(state->pods.at(node_));
    else if (known.is_known && known.asked_at > began_)
      vanish(state != nullptr ? say({"Kubernetes: its pod is gone", "Kubernetes：它的 pod 不见了"})
                              : say({"Kubernetes: its job was deleted", "Kubernetes：它的作业被删除"}));
    if (!pod_.ended && since(std::max(known.asked_at, began_)) >= lag_.silence)
      vanish(say({"Kubernetes: nobody says how its pod stands: {}", "Kubernetes：无法得知 pod 的状态：{}"},
                 known.trouble));
  }

  void take(const PodState& pod) {
    const bool is_another = !pod_.uid.empty() && pod.uid != pod_.uid;
    if (is_another) return vanish(say({"Kubernetes: its pod was made anew", "Kubernetes：它的 pod 被重建"}));
    pod_ = pod;
    if (is_stopped_ && pod_.ended) pod_.ended = Killed{SIGTERM};
  }

  // What gate itself has asked for is no loss.
  void vanish(const Sentence& why) {
    pod_.ended = is_stopped_ ? Outcome(Killed{SIGTERM}) : Outcome(Vanished{why});
  }

  enum class Follow { no, yes };

  Status follow(Follow how = Follow::yes) {
    if (pod_.name.empty()) return {};
    follower_.reset();
    GATE_TRY(auto follower,
             launch::Dialogue::start(engine_.log(id_, pod_.name, log_.since(), how == Follow::yes), {}));
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
    if (is_over_ || pod_.ended || SteadyClock::now() < next_follow_) return;
    if (const Status followed = follow(); !followed) next_follow_ = SteadyClock::now() + retry_pause;
  }

  // The pod has ended. Of one that gate stops what comes is all; else its log is read from the last second on
  // to its end, however its following went.
  void finish_log() {
    if (!ended_at_) ended_at_ = SteadyClock::now();
    if (is_stopped_ || pod_.name.empty()) {
      collect();
      is_over_ = !follower_ || since(*ended_at_) >= rest_limit;
      return;
    }
    if (SteadyClock::now() < next_rest_) return;
    const Sentence why = read_rest();
    next_rest_ = SteadyClock::now() + retry_pause;
    is_over_ = why.empty() || is_pod_gone_ || log_.has_gap() || since(*ended_at_) >= lag_.file;
    if (is_over_ && !why.empty() && ended_well(*pod_.ended))
      pod_.ended = Vanished{say(
          {"Kubernetes: its log could not be read to the end: {}", "Kubernetes：它的日志无法读到末尾：{}"},
          why)};
  }

  // Returns why the log was not read to its end; "" where it was.
  Sentence read_rest() {
    if (const Status begun = follow(Follow::no); !begun) return begun.error().message;
    std::string errors;
    const auto end = SteadyClock::now() + rest_limit;
    do {
      follower_->wait(-1, false, pod_look_interval);
      log_.feed(follower_->read_output(), output_);
      errors += follower_->read_errors();
    } while (!(follower_->is_silent() && follower_->ended()) && SteadyClock::now() < end);
    const std::optional<Outcome> outcome = follower_->ended();
    follower_.reset();
    if (!outcome) return say({"no end within {}", "在 {} 内没有结束"}, to_string(rest_limit));
    is_pod_gone_ = errors.find("not found") != std::string::npos;
    if (!ended_well(*outcome)) return errors.empty() ? text(*outcome) : as_is(printable(trim(errors)));
    log_.finish(output_);
    return log_.has_gap() ? say({"lines of it are missing", "缺少其中一些行"}) : Sentence();
  }

  const EngineRow& engine_;
  const JobId id_;
  PodState pod_;
  PodLog log_;
  std::optional<launch::Dialogue> follower_;
  SteadyClock::time_point next_follow_{}, next_rest_{};
  std::optional<SteadyClock::time_point> ended_at_;
  std::string output_;
  bool is_over_ = false, is_stopped_ = false, is_killed_ = false;
  bool is_pod_gone_ = false;  // so kubectl said of its log
};

}  // namespace

std::unique_ptr<NodeProcess> node_in_pod(JobView& job, const EngineRow& engine, JobId id, std::size_t node,
                                         Lag lag) {
  return std::make_unique<NodeInPod>(job, engine, std::move(id), node, lag);
}

}  // namespace gate::hosts
