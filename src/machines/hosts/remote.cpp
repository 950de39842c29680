#include "gate/hosts/remote.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace gate::hosts {

namespace {

constexpr Duration question_limit{10000};
constexpr Duration lease_limit{5000};
constexpr Duration job_limit{3000};   // the script is not watched meanwhile
constexpr Duration kill_limit{2000};  // until an agent that is told to kill says that it heard it
constexpr Duration longest_kill{5000};
constexpr Duration look_interval{100};
constexpr Duration tool_overhead{5000};  // of the way there and back

using launch::Force;
using launch::More;
using launch::Woken;

// What `read` makes of the answer's words; fails where they are none of that kind.
template <class Read>
auto read_answer(const Link& link, const Result<Frame>& answer, const Read& read)
    -> Result<decltype(read(std::declval<WordReader&>()))> {
  if (!answer) return tl::unexpected(answer.error());
  WordReader words(*answer);
  auto value = read(words);
  if (!words.is_good()) return fail(link.host() + ": what its agent says cannot be understood");
  return value;
}

Result<bool> is_yes(const Link& link, const Result<Frame>& answer) {
  return read_answer(link, answer, [](WordReader& words) { return words.flag(); });
}

class RemoteProcess : public launch::Process {
 public:
  RemoteProcess(Link& link, launch::Command command, Cut cut)
      : link_(link), job_(link.new_job()), command_(std::move(command)), cut_(std::move(cut)) {}

  ~RemoteProcess() override {
    link_.leave(job_);
    link_.tell({"forget", job_});
  }

  Status start() override {
    began_ = SteadyClock::now();
    down_before_ = link_.down_time();
    link_.join(job_, {[this](std::string_view bytes) { on_output(bytes); },
                      [this](const ProcessState& state) { on_state(state); }});
    Frame words{"start", job_, std::to_string(launch::Patience{}.kill.count())};
    add(words, command_);
    started_ = link_.begin_asking(words);
    return {};
  }

  Woken wait(Duration limit) override {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, limit, [this] { return !output_.empty() || has_news_; });
    has_news_ = false;
    return !output_.empty() && !has_ended() ? Woken::by_output : Woken::otherwise;
  }

  void read(const std::function<More(std::string_view)>& take) override {
    std::string output;
    std::int64_t taken = 0;
    {
      const std::lock_guard lock(mutex_);
      output = std::exchange(output_, {});
      taken = received_;
    }
    if (output.empty()) return;
    take(output);
    link_.acknowledge(job_, taken);
  }

  bool has_started() override {
    const std::lock_guard lock(mutex_);
    return state_.started;
  }

  // Once it is lost, nothing more is known of it.
  std::optional<Outcome> ended() override {
    if (const std::string lost = link_.why_lost(); !lost.empty()) return Vanished{lost};
    if (const auto answer = link_.answer(started_); answer && !*answer)
      refused_ = NotStarted{answer->error().message};
    if (refused_) return refused_;
    const std::lock_guard lock(mutex_);
    return has_ended() ? state_.ended : std::nullopt;
  }

  bool is_empty() override {
    if (!link_.why_lost().empty() || refused_ || is_left_to_agent()) return true;
    return has_gone();
  }

  // The agent kills on until nothing is left.
  void stop(Force force) override {
    Frame words{"stop", job_};
    add(words, force);
    if (force != Force::kill) return link_.tell(words);
    if (killed_) return;
    killed_ = link_.begin_asking(words);
    killed_at_ = SteadyClock::now();
  }

  // Tell whether it was to be killed and is waited for no longer, for nobody said that it will be, or
  // somebody is in a hurry.
  bool is_left_to_agent() {
    if (!killed_ || has_gone()) return false;
    if (!is_heard_) is_heard_ = link_.answer(*killed_).has_value();
    const Duration limit = cut_.is_over() ? kill_limit / 2 : kill_limit;
    return (!is_heard_ || cut_.is_over()) && since(killed_at_) >= limit;
  }

  std::size_t signal(launch::Signal signal, std::optional<int> rank) override {
    Frame question{"signal", job_};
    add(question, signal);
    question.push_back(rank ? std::to_string(*rank) : "all");
    const Result<Frame> answer = link_.ask(question, cut_.bounded(job_limit));
    return answer ? static_cast<std::size_t>(std::max<std::int64_t>(0, WordReader(*answer).number())) : 0;
  }

  std::vector<std::string> left() override { return list("left"); }
  std::vector<std::string> evidence() override { return list("evidence"); }

  Fingerprint fingerprint() override {
    return read_answer(link_, link_.ask({"fingerprint", job_}, cut_.bounded(job_limit)),
                       [](WordReader& words) { return read_fingerprint(words); })
        .value_or(Fingerprint{});
  }

  Duration look_interval() const override { return hosts::look_interval; }

  // It never goes back.
  Duration elapsed() override { return latest_ = std::max(latest_, since(began_) - down_time()); }

  launch::SetupStep setup() const override { return launch::setup_step(command_); }

  // Its agent is waited for no longer than that.
  launch::Patience patience() const override {
    launch::Patience patience;
    patience.kill = std::min(patience.kill, longest_kill);
    return patience;
  }

  void complete(launch::Ending& ending) override {
    if (is_left_to_agent())
      ending.remarks.push_back(say({"{} did not say that the script has ended: its agent there stops it",
                                    "{} 没有说脚本已结束：那里的 agent 会停止它"},
                                   link_.host()));
    if (const Duration down = down_time(); down > Duration{})
      ending.remarks.push_back(
          say({"{} could not be heard for {}; what gate clocks itself is wrong by as much",
               "{1} 收不到 {0} 的消息；gate 自己计的时间有同样的误差"},
              link_.host(), rough(down)));
  }

 private:
  void on_output(std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    output_ += bytes;
    received_ += static_cast<std::int64_t>(bytes.size());
    changed_.notify_all();
  }

  void on_state(const ProcessState& state) {
    const std::lock_guard lock(mutex_);
    state_ = state;
    has_news_ = true;
    changed_.notify_all();
  }

  Duration down_time() const { return link_.down_time() - down_before_; }

  bool has_gone() {
    const std::lock_guard lock(mutex_);
    return state_.empty && received_ >= state_.size;
  }

  // All that it wrote until then has come.
  bool has_ended() const { return state_.ended && received_ >= state_.size; }

  std::vector<std::string> list(const char* verb) {
    constexpr std::size_t most = 10000;  // processes and threads
    Result<Frame> answer = link_.ask({verb, job_}, cut_.bounded(job_limit));
    if (!answer) return {};
    answer->resize(std::min(answer->size(), most));
    return std::move(*answer);
  }

  Link& link_;
  const std::string job_;
  const launch::Command command_;
  const Cut cut_;  // of what is asked of it
  SteadyClock::time_point began_{};
  Duration down_before_{}, latest_{};
  std::int64_t started_ = 0;            // the question
  std::optional<Outcome> refused_;      // it was not started
  std::optional<std::int64_t> killed_;  // likewise
  SteadyClock::time_point killed_at_{};
  bool is_heard_ = false;  // that it was killed
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string output_;
  std::int64_t received_ = 0;
  ProcessState state_;
  bool has_news_ = false;
};

class RemoteLeases : public devices::Leases {
 public:
  RemoteLeases(Link& link, Cut cut)
      : link_(link), cut_(std::move(cut)), folder_(link.host() + ":" + link.hello().lease_folder) {}

  const std::string& folder() const override { return folder_; }

  Result<std::optional<devices::Holder>> take(const std::string& name, const devices::Holder& me) override {
    Frame words{"take", name};
    add(words, me);
    return holder_in(link_.ask(words, cut_.bounded(lease_limit)));
  }

  std::vector<Result<std::optional<devices::Holder>>> take_each(const std::vector<std::string>& names,
                                                                const devices::Holder& me) override {
    std::vector<Frame> questions;
    for (const std::string& name : names) add(questions.emplace_back(Frame{"take", name}), me);
    std::vector<Result<std::optional<devices::Holder>>> taken;
    for (const Result<Frame>& answer : link_.ask_all(questions, cut_.bounded(lease_limit)))
      taken.push_back(holder_in(answer));
    return taken;
  }

  void give_back(const std::string& name) override { link_.tell({"give", name}); }

  std::vector<Displaced> retake() override { return link_.displaced(); }

  std::optional<devices::Holder> holder(const std::string& name) const override {
    return holder_in(link_.ask({"holder", name}, cut_.bounded(lease_limit))).value_or(std::nullopt);
  }

 private:
  Result<std::optional<devices::Holder>> holder_in(const Result<Frame>& answer) const {
    return read_answer(link_, answer, [](WordReader& words) {
      return words.flag() ? std::optional(read_holder(words)) : std::nullopt;
    });
  }

  Link& link_;
  const Cut cut_;
  std::string folder_;
};

}  // namespace

std::unique_ptr<launch::Process> remote_process(Link& link, launch::Command command, Cut cut) {
  return std::make_unique<RemoteProcess>(link, std::move(command), std::move(cut));
}

ToolAnswer ask_tool(Link& link, const std::vector<std::string>& words, Duration limit, const Cut& cut) {
  Frame question{"tool", std::to_string(limit.count())};
  question.insert(question.end(), words.begin(), words.end());
  Result<ToolAnswer> said = read_answer(link, link.ask(question, cut.bounded(limit + tool_overhead)),
                                        [](WordReader& said_words) { return read_tool_answer(said_words); });
  if (said) return std::move(*said);
  ToolAnswer none;
  none.failure = said.error().message;
  return none;
}

std::unique_ptr<devices::Leases> leases_of(Link& link, const Cut& cut) {
  return std::make_unique<RemoteLeases>(link, cut);
}

Result<bool> is_port_free(Link& link, int port, const Cut& cut) {
  return is_yes(link, link.ask({"port", std::to_string(port)}, cut.bounded(question_limit)));
}

Result<bool> exists(Link& link, const std::string& path, const Cut& cut) {
  return is_yes(link, link.ask({"exists", path}, cut.bounded(question_limit)));
}

}  // namespace gate::hosts
