#include <algorithm>
#include <csignal>
#include <functional>
#include <thread>

#include "gate/base/tail.h"
#include "hosts/engines/node.h"

namespace gate::hosts {

namespace {

constexpr Duration folder_look_interval{200};
constexpr Duration folder_pause{100};            // between two looks at the folder, which may be far
constexpr Duration folder_question_limit{3000};  // for an answer
constexpr Duration kill_patience{3000};          // until the engine is to kill what its agent does not

using launch::Force;
using launch::More;
using launch::Woken;

class NodeInFolder : public NodeProcess {
 public:
  NodeInFolder(JobView& job, JobFolder folder, std::size_t node, Lag lag, launch::SetupStep setup)
      : NodeProcess(job, node, lag), folder_(std::move(folder)), setup_(setup), tail_(folder_.log(node)) {}

  Status start() override { return {}; }  // it has begun

  Woken wait(Duration limit) override {
    const auto end = SteadyClock::now() + limit;
    do {
      job_.show_life();
      refresh();
      if (!output_.empty() && !has_ended()) return Woken::by_output;
      const bool is_news = has_ended() && !std::exchange(is_end_seen_, true);
      if (is_news || SteadyClock::now() >= end) return Woken::otherwise;
      std::this_thread::sleep_for(std::min(folder_pause, limit));
    } while (true);
  }

  void read(const std::function<More(std::string_view)>& take) override {
    refresh();
    const std::string output = std::exchange(output_, {});
    if (!output.empty()) take(output);
  }

  bool has_started() override { return state_.process.started; }

  std::optional<Outcome> ended() override {
    refresh();
    if (!final_) final_ = decide();
    return final_;
  }

  bool is_empty() override {
    refresh();
    if (state_.process.empty) return has_all_output();
    return is_lost_ && since(lost_at_) >= kill_patience;
  }

  void stop(Force force) override {
    const bool is_first = !order_.stop || *order_.stop != force;
    is_stopped_ = true;
    order_.stop = force;
    if (is_first) give_order();
    if (force != Force::kill) return;
    if (is_first) killed_at_ = SteadyClock::now();
    if (since(killed_at_) >= kill_patience && !std::exchange(is_cancelled_, true)) job_.cancel(true);
  }

  std::vector<std::string> left() override { return ask(), state_.left; }
  std::vector<std::string> evidence() override { return ask(), state_.evidence; }

  // What has not come in time, a later look finds.
  Fingerprint fingerprint() override {
    ++order_.looks;
    give_order();
    wait_for([this] { return state_.looks >= order_.looks; });
    return state_.fingerprint;
  }

  Duration look_interval() const override { return folder_look_interval; }

  launch::SetupStep setup() const override { return setup_; }

  std::string host() const override { return state_.host; }
  std::string devices() const override { return state_.devices; }
  Duration lasted() const override { return state_.lasted; }
  Sentence note() const override { return note_; }
  bool is_clean() const override { return state_.process.empty && !is_lost_; }

 private:
  void give_order() {
    if (const Status given = folder_.write(order_, node_); !given) note_ = given.error().message;
  }

  void refresh() {
    if (const FileState now = state_of(folder_.state_file(node_));
        now.written != state_file_.written || now.identity != state_file_.identity) {
      if (std::optional<NodeState> state = folder_.state(node_)) {
        state_ = std::move(*state);
        state_file_ = now;
      }
    }
    const Status read = tail_.read([&](std::string_view bytes) {
      output_ += bytes;
      received_ += static_cast<std::int64_t>(bytes.size());
    });
    if (!read) note_ = read.error().message;
  }

  void ask() {
    ++order_.questions;
    give_order();
    wait_for([this] { return state_.answers >= order_.questions; });
  }

  void wait_for(const std::function<bool()>& answered) {
    const auto end = SteadyClock::now() + folder_question_limit;
    while (!answered() && !state_.process.empty && SteadyClock::now() < end) {
      std::this_thread::sleep_for(folder_pause);
      refresh();
    }
  }

  bool has_all_output() const { return received_ >= state_.process.size; }
  bool has_ended() const { return final_.has_value() || (state_.process.ended && has_all_output()); }

  // The engine tells all processes to end: what runs there may be gone before its agent hears of it.
  bool may_be_told_to_end() const {
    return state_.told_to_end || state_.process.ended == Outcome(Killed{SIGTERM}) ||
           state_.process.ended == Outcome(Killed{SIGKILL});
  }

  static bool is_gone(const Known& job) {
    return job.is_known && (!job.state || job.state->phase != JobPhase::running);
  }

  // How it ended; nothing while that is open: it runs, or what says how has not come yet.
  std::optional<Outcome> decide() {
    // Its log would hold both: decision 40.
    if (fs::exists(folder_.again(node_)))
      return lose(say({"Slurm began it a second time", "Slurm 第二次启动了它"}));
    if (!state_.trouble.empty())
      return Vanished{say({"gate-agent on {}: {}", "{} 上的 gate-agent：{}"}, state_.host, state_.trouble)};
    if (state_.process.ended && has_all_output() && (is_stopped_ || !may_be_told_to_end()))
      return state_.process.ended;
    const Known job = job_.look();
    const bool is_over = is_gone(job) && job.asked_at > began_;
    const bool has_ended = state_.process.ended.has_value();
    if (!is_over && !has_ended) return gone_.reset(), std::nullopt;
    if (is_over && job.state && job.state->phase == JobPhase::pending)
      return lose(say(
          {"Slurm took it off its nodes, to run it once more", "Slurm 把它从节点上撤下，准备再运行一次"}));
    const bool has_all = has_ended ? has_all_output() : waited(lag_.answer);
    if (is_over && job.state && job.state->outcome && (has_all || waited(lag_.file)))
      return by_engine(*job.state);
    if (has_all && has_ended && !state_.told_to_end && (is_over || waited(lag_.answer)))
      return state_.process.ended;
    if (!waited(has_ended && has_all_output() && is_over ? lag_.answer : lag_.file)) return std::nullopt;
    if (has_ended && has_all_output())
      return lose(
          say({"it was told to end, and Slurm does not say why", "它被要求结束，Slurm 没有说明原因"}));
    if (has_ended) return lost_output();
    return lose(job.state ? say({"its job ended, and nothing says how", "它的作业结束了，没有说明方式"})
                          : say({"Slurm does not know its job any more", "Slurm 已不认识它的作业"}));
  }

  Outcome by_engine(const JobStatus& state) {
    note_ = state.note;
    if (!state_.process.empty) give_up();
    job_.cancel(false);
    Outcome outcome = *state.outcome;
    if (auto* vanished = std::get_if<Vanished>(&outcome)) vanished->why = note_;
    return outcome;
  }

  // Tell whether so much time has gone by since the node or its job was first seen to be over.
  bool waited(Duration limit) {
    if (!gone_) gone_ = SteadyClock::now();
    return since(*gone_) >= limit;
  }

  Outcome lose(const Sentence& why) {
    give_up();
    job_.cancel(false);
    return Vanished{why};
  }

  // Whoever runs there still is to end, if it hears of it.
  void give_up() {
    is_lost_ = true;
    lost_at_ = SteadyClock::now();
    order_.stop = Force::kill;
    give_order();
  }

  Outcome lost_output() {
    return lose(say({"its log has not come: {} of {} bytes", "它的日志没有传到：{1} 字节中的 {0}"}, received_,
                    state_.process.size));
  }

  const JobFolder folder_;
  const launch::SetupStep setup_;
  Tail tail_;
  NodeState state_;
  FileState state_file_;  // that was read last
  JobOrder order_;
  std::string output_;
  std::int64_t received_ = 0;
  Sentence note_;
  std::optional<Outcome> final_;
  std::optional<SteadyClock::time_point> gone_;
  SteadyClock::time_point killed_at_{}, lost_at_{};
  bool is_end_seen_ = false, is_stopped_ = false, is_cancelled_ = false, is_lost_ = false;
};

}  // namespace

std::unique_ptr<NodeProcess> node_in_folder(JobView& job, JobFolder folder, std::size_t node, Lag lag,
                                            launch::SetupStep setup) {
  return std::make_unique<NodeInFolder>(job, std::move(folder), node, lag, setup);
}

}  // namespace gate::hosts
