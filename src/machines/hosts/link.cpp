// How a link works.
//
// One thread, the link's own, talks with ssh: it alone reads and writes. Whoever asks puts the message into
// `queue_`, and a copy of it, by its number, into `pending_`; then it waits for the number's answer. A case
// that looks for a file, while the script of another one prints:
//
//     gate  ask 7 exists /data/c4          queue_, and pending_[7]
//     host  output 1 4096 (bytes)          to the listener of job 1, which takes them when it likes
//     gate  ack 1 8192                     once it has: the agent may send as much more
//     host  reply 7 ok 1                   into pending_[7]; the one that waits is woken, and takes it
//
// The connection is cut between the question and the answer. `talk` returns, `run` makes another connection
// with the same session, and the agent is still there: it lives until it has not heard of gate for
// lost_after. Nobody knows what came through, so all that has no answer is said again (`ask 7 ...`), and for
// each job up to where its output came (`attach 1 8192`). The agent does nothing twice that may not be done
// twice: `start` of a job that is there answers, and starts none. Who waits for 7 notices nothing of it but
// the time.
//
// A host that answers slowly, or not at all, holds nobody:
//   - any byte says that it is there, for a large message on a slow link takes longer than three pings;
//   - who waits looks at its Cut every 50 ms, so a deadline, a limit and a stop end it, whatever the link's
//     thread does; what was asked stays asked, and a late answer is thrown away;
//   - who has left one question unanswered gets a second for each further one, until any answer comes: ten
//     questions at the end of a launch do not cost ten limits;
//   - blocks of files begin small, and grow while they come within a quarter of a second: a pong is behind
//     about a second of bytes at most.
//
// A host that lies costs no memory: a message has an end (longest_frame) and so many words (most_words),
// output no more than sent_ahead bytes that nobody has taken, leases a number; what is beyond, and answers to
// what was never asked, end the link.
//
// Locks: jobs_mutex_ before mutex_. No `stop` of a Cut is called with one of them held.
#include "gate/hosts/link.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "gate/base/fs.h"
#include "gate/base/text.h"
#include "gate/hosts/wake_up.h"
#include "gate/launch/dialogue.h"

namespace gate::hosts {

namespace {

using Time = SteadyClock::time_point;

constexpr Duration connect_limit = std::chrono::seconds(60);  // rc files may be slow
constexpr Duration first_retry{100}, longest_retry{2000};
constexpr Duration farewell{5000}, short_farewell{500};
constexpr Duration of_the_silent{1000};  // for an answer, while the one before is owed
constexpr std::int64_t slowest = 4;      // bytes in a millisecond, that an agent is sent with
constexpr std::size_t smallest_block = std::size_t{4} << 10, first_block = std::size_t{16} << 10;
constexpr Duration short_time{250}, long_time{1000};  // for a block
constexpr std::size_t most_displaced = 1000;
constexpr const char* too_much = ": its agent sends more than it was asked for";
constexpr const char* not_understood = ": what its agent says cannot be understood";
constexpr std::size_t most_noise = std::size_t{64} << 10;

enum class Opened { yes, no, gone };

class LinkSession : public Link {
 public:
  explicit LinkSession(LinkOptions options)
      : options_(std::move(options)),
        ping_every_(std::clamp(options_.lost_after / 6, Duration{100}, Duration{5000})) {}

  ~LinkSession() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.call();
    if (thread_.joinable()) thread_.join();
  }

  Status begin(const Cut& cut) {
    thread_ = std::thread([this] { run(); });
    std::unique_lock lock(mutex_);
    const std::string why =
        wait(lock, cut, options_.host + ": not connected", [this] { return has_hello_ || !lost_.empty(); });
    if (!lost_.empty()) return fail(lost_);
    return why.empty() ? Status() : fail(why);
  }

  std::vector<Result<Frame>> ask_all(const std::vector<Frame>& questions, const Cut& cut) override {
    std::unique_lock lock(mutex_);
    std::vector<std::int64_t> ids;
    for (const Frame& words : questions) ids.push_back(put(words));
    const Cut bounded = owed_.empty() ? cut : cut.bounded(of_the_silent);
    std::vector<Result<Frame>> answers;
    for (const std::int64_t id : ids) answers.push_back(answer_to(id, bounded, lock));
    return answers;
  }

  std::int64_t begin_asking(const Frame& words) override {
    const std::lock_guard lock(mutex_);
    return put(words);
  }

  std::optional<Result<Frame>> answer(std::int64_t id) override {
    const std::lock_guard lock(mutex_);
    const auto pending = pending_.find(id);
    if (pending == pending_.end() || !pending->second.answer) return std::nullopt;
    const Frame answer = std::move(*pending->second.answer);
    pending_.erase(pending);
    return read_answer(answer);
  }

  std::size_t block() const override {
    const std::lock_guard lock(mutex_);
    return block_;
  }

  std::size_t bytes_per_second() const override {
    const std::lock_guard lock(mutex_);
    return bytes_per_second_;
  }

  void note_block(std::size_t bytes, Duration taken) override {
    const std::lock_guard lock(mutex_);
    const auto time = static_cast<std::size_t>(std::max<std::int64_t>(taken.count(), 1));
    if (bytes > 0) bytes_per_second_ = bytes * 1000 / time;
    if (taken > long_time) block_ = std::max(block_ / 2, smallest_block);
    if (taken < short_time && bytes >= block_) block_ = std::min(2 * block_, file_block);
  }

  void tell(const Frame& words) override {
    const std::lock_guard lock(mutex_);
    pending_.at(put(words)).is_heeded = false;
  }

  void acknowledge(const std::string& job, std::int64_t size) override {
    {
      const std::lock_guard lock(jobs_mutex_);
      if (const auto found = jobs_.find(job); found != jobs_.end()) found->second.taken = size;
    }
    const std::lock_guard lock(mutex_);
    queue_ += encode({"ack", job, std::to_string(size)});
    wake_.call();
  }

  void join(const std::string& job, JobListener listener) override {
    const std::lock_guard lock(jobs_mutex_);
    jobs_[job] = {std::move(listener)};
  }

  void leave(const std::string& job) override {
    const std::lock_guard lock(jobs_mutex_);
    jobs_.erase(job);
  }

  std::string new_job() override {
    const std::lock_guard lock(mutex_);
    return std::to_string(++last_job_);
  }

  bool is_up() const override {
    const std::lock_guard lock(mutex_);
    return lost_.empty() && since(heard_) < 3 * ping_every_;
  }

  Duration down_time() const override {
    const std::lock_guard lock(mutex_);
    return lost_.empty() ? down_ + beyond_usual(since(heard_)) : down_;  // of a lost host the clocks go on
  }

  std::string why_lost() const override {
    const std::lock_guard lock(mutex_);
    return lost_;
  }

  std::vector<devices::Leases::Displaced> displaced() override {
    const std::lock_guard lock(mutex_);
    return std::exchange(displaced_, {});
  }

  const std::string& host() const override { return options_.host; }
  const Hello& hello() const override { return hello_; }

 private:
  struct Pending {
    std::string bytes;      // of the message
    bool is_heeded = true;  // somebody waits for the answer
    std::optional<Frame> answer = std::nullopt;
  };
  struct JoinedJob {
    JobListener listener;
    std::int64_t received = 0;
    std::int64_t taken = 0;  // by who hears it
  };

  // --- by any thread; mutex_ is held

  std::int64_t put(const Frame& words) {
    const std::int64_t id = ++last_id_;
    Frame message{"ask", std::to_string(id)};
    message.insert(message.end(), words.begin(), words.end());
    queue_ += pending_[id].bytes = encode(message);
    wake_.call();
    return id;
  }

  // Returns why it waits no more; "" where what it waited for is so.
  template <class IsSo>
  std::string wait(std::unique_lock<std::mutex>& lock, const Cut& cut, const std::string& what,
                   const IsSo& is_so) {
    while (!is_so()) {
      lock.unlock();
      std::string why = cut.why(what);
      const Duration pause = cut.next_look();
      lock.lock();
      if (!why.empty() && !is_so()) return why;
      changed_.wait_for(lock, pause, is_so);
    }
    return "";
  }

  Result<Frame> answer_to(std::int64_t id, const Cut& cut, std::unique_lock<std::mutex>& lock) {
    const std::string why = wait(lock, cut, options_.host + " did not answer", [&] {
      return !lost_.empty() || stopping_ || pending_.at(id).answer.has_value();
    });
    const Pending pending = std::move(pending_.at(id));
    pending_.erase(id);
    if (!pending.answer) owed_.insert(id);
    if (pending.answer) return read_answer(*pending.answer);
    if (!lost_.empty()) return fail(lost_);
    return fail(why.empty() ? options_.host + " did not answer" : why);
  }

  static Result<Frame> read_answer(const Frame& answer) {
    WordReader words(answer, 2);
    const bool is_good = words.text() == "ok";
    Frame rest = words.rest();
    if (is_good) return rest;
    constexpr std::size_t longest = 1000;
    return fail(rest.empty() ? "refused" : printable(rest.front(), longest));
  }

  // Of a silence, what pings do not explain.
  Duration beyond_usual(Duration silence) const {
    return silence > 2 * ping_every_ ? silence - ping_every_ : Duration{};
  }

  // --- by the link's own thread

  void run() {
    Duration pause = first_retry;
    while (!is_stopping() && why_lost().empty()) {
      const bool was_open = connect_and_talk();
      if (was_open) pause = first_retry;
      if (is_stopping() || !why_lost().empty()) break;
      if (since(last_heard()) >= options_.lost_after) {
        lose(options_.host + " has not been heard for " + to_string(options_.lost_after) +
             (last_failure_.empty() ? "" : ": " + last_failure_));
        break;
      }
      rest_for(pause);
      pause = std::min(2 * pause, longest_retry);
    }
  }

  // Returns whether the agent was reached.
  bool connect_and_talk() {
    Result<launch::Dialogue> ssh = launch::Dialogue::start(
        ssh_words(options_.ssh, options_.host, {options_.session, options_.lost_after, !has_hello_},
                  options_.agents),
        {{"LC_ALL", "C"}});
    if (!ssh) {
      lose(ssh.error().message);
      return false;
    }
    reader_ = {};
    const Opened opened = reach_agent(*ssh);
    if (opened == Opened::gone)
      lose(options_.host + ": its agent has ended there: it was killed, or the host was started anew");
    if (opened != Opened::yes) return false;
    ask_again();
    talk(*ssh);
    return true;
  }

  // Pass over what rc files print, send the agent where it is wanted, and come to its first word.
  Opened reach_agent(launch::Dialogue& ssh) {
    const Time began = SteadyClock::now();
    Duration limit = has_hello_ ? std::min(connect_limit, options_.lost_after) : connect_limit;
    Heard heard{.host = options_.host, .architecture = "", .errors = "", .waited = limit};
    OpeningReader opening(options_.session);
    std::string agent;
    std::string_view to_send;  // what is left of it
    while (!is_stopping()) {
      to_send.remove_prefix(ssh.write(to_send));
      heard.ended = ssh.ended();
      opening.feed(ssh.read_output());
      heard.errors += ssh.read_errors();
      if (heard.errors.size() > most_noise) heard.errors.erase(0, heard.errors.size() - most_noise);
      while (const std::optional<OpeningWord> word = opening.next()) {
        heard.architecture = opening.architecture();
        if (word == OpeningWord::gone) return Opened::gone;
        if (word == OpeningWord::agent) return begin_with(opening.rest());
        if (word != OpeningWord::need) continue;
        if (!read_agent(heard, agent)) return refuse(heard);
        to_send = agent;
        heard.waited = limit += Duration{static_cast<std::int64_t>(to_send.size()) / slowest};
      }
      if (heard.ended || since(began) >= limit) break;
      ssh.wait(wake_.fd(), !to_send.empty(), std::min(limit - since(began), Duration{1000}));
      wake_.answer();
    }
    return refuse(heard);
  }

  // That it was reached says nothing of the agent itself, which may hang: only its own bytes do.
  Opened begin_with(std::string_view bytes) {
    if (!bytes.empty()) note_heard();
    reader_.feed(bytes);
    return Opened::yes;
  }

  bool read_agent(const Heard& heard, std::string& sized) const {
    const auto agent = options_.agents.find(heard.architecture);
    if (agent == options_.agents.end()) return false;
    const Result<std::string> content = fs::read_file(agent->second.path);
    if (!content || content->size() != agent->second.size) return false;
    sized = std::to_string(content->size()) + "\n" + *content;
    return true;
  }

  Opened refuse(const Heard& heard) {
    const bool is_cut = has_hello_ && !heard.ended;
    last_failure_ = is_cut ? "ssh does not get through" : why_no_agent(heard, options_.agents);
    if (!has_hello_ || !may_pass(heard)) lose(last_failure_);
    return Opened::no;
  }

  // What has no answer yet may not have been heard.
  void ask_again() {
    const std::lock_guard jobs_lock(jobs_mutex_);
    const std::lock_guard lock(mutex_);
    queue_.clear();
    needless_ = 0;
    for (const auto& [id, pending] : pending_)
      if (!pending.answer) queue_ += pending.bytes;
    for (const auto& [name, job] : jobs_) queue_ += encode({"attach", name, std::to_string(job.received)});
  }

  // Until the connection is cut.
  void talk(launch::Dialogue& ssh) {
    const Time began = SteadyClock::now();
    Time next_ping{};
    std::string sending;
    std::optional<Time> left;  // since when it is being closed
    for (;;) {
      const bool ended = ssh.ended().has_value();
      const std::string said = ssh.read_output();
      if (!said.empty()) note_heard();
      reader_.feed(said);
      ssh.read_errors();
      while (const std::optional<Frame> message = reader_.next())
        if (const std::string why = take(*message); !why.empty()) return lose(options_.host + why);
      if (reader_.is_broken()) return lose(options_.host + not_understood);
      if (ended || ssh.is_silent()) return;
      if (SteadyClock::now() >= next_ping) {
        sending += encode({"ping"});
        next_ping = SteadyClock::now() + ping_every_;
      }
      sending += take_queue();
      if (is_stopping() && !left) {
        sending += encode({"bye"});
        left = SteadyClock::now();
      }
      sending.erase(0, ssh.write(sending));
      if (left && since(*left) >= farewell_limit()) return;
      if (since(std::max(last_heard(), began)) >= 3 * ping_every_ + Duration{1000}) return;
      if (!has_hello_ && since(began) >= connect_limit)
        return lose(options_.host + ": its agent said nothing of itself within " + to_string(connect_limit));
      ssh.wait(wake_.fd(), !sending.empty(), std::max(Duration{1}, ping_every_ / 2));
      wake_.answer();
    }
  }

  // Returns why it cannot be what an agent says; "" where it can.
  std::string take(const Frame& message) {
    WordReader words(message);
    const std::string verb = words.text();
    if (verb == "hello") {
      const std::lock_guard lock(mutex_);
      if (!has_hello_) hello_ = read_hello(words);
      has_hello_ = true;
    } else if (verb == "reply") {
      const std::lock_guard lock(mutex_);
      const std::int64_t id = words.number();
      if (id > last_id_) return too_much;
      const auto pending = pending_.find(id);
      if (pending == pending_.end() && ++needless_ > 2 * last_id_) return too_much;
      if (pending != pending_.end() || owed_.contains(id)) owed_.clear();
      if (pending != pending_.end() && pending->second.is_heeded)
        pending->second.answer = message;
      else if (pending != pending_.end())
        pending_.erase(pending);
    } else if (verb == "lease") {
      const std::lock_guard lock(mutex_);
      if (displaced_.size() == most_displaced) return too_much;
      displaced_.push_back(read_displaced(words));
    } else if ((verb == "output" || verb == "state") && !take_from_job(verb, words)) {
      return too_much;
    }
    changed_.notify_all();
    return words.is_good() ? "" : not_understood;
  }

  // Returns false where it would have to be kept, and is more than was asked for.
  bool take_from_job(const std::string& verb, WordReader& words) {
    const std::lock_guard lock(jobs_mutex_);
    const auto found = jobs_.find(words.text());
    if (found == jobs_.end()) return true;
    JoinedJob& job = found->second;
    if (verb == "state") {
      const ProcessState state = read_state(words);
      if (words.is_good()) job.listener.on_state(state);
      return true;
    }
    const std::int64_t offset = words.number();
    const std::string bytes = words.text();
    const std::int64_t known = job.received - offset;  // of these bytes: they came before the cut
    if (known < 0 || known >= static_cast<std::int64_t>(bytes.size())) return true;
    job.listener.on_output(std::string_view(bytes).substr(static_cast<std::size_t>(known)));
    job.received = offset + static_cast<std::int64_t>(bytes.size());
    return job.received - job.taken <= static_cast<std::int64_t>(sent_ahead);
  }

  // Who owes an answer will not say goodbye either.
  Duration farewell_limit() const {
    if (options_.must_hurry && options_.must_hurry()) return short_farewell;
    const std::lock_guard lock(mutex_);
    return owed_.empty() ? farewell : of_the_silent;
  }

  void note_heard() {
    const std::lock_guard lock(mutex_);
    down_ += beyond_usual(since(heard_));
    heard_ = SteadyClock::now();
  }

  Time last_heard() const {
    const std::lock_guard lock(mutex_);
    return heard_;
  }

  void lose(const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (lost_.empty()) {
      lost_ = why;
      down_ += beyond_usual(since(heard_));
    }
    changed_.notify_all();
  }

  bool is_stopping() const {
    const std::lock_guard lock(mutex_);
    return stopping_;
  }

  std::string take_queue() {
    const std::lock_guard lock(mutex_);
    return std::exchange(queue_, {});
  }

  void rest_for(Duration pause) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, pause, [this] { return stopping_; });
  }

  const LinkOptions options_;
  const Duration ping_every_;
  const WakeUp wake_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string queue_;  // bytes to be sent
  std::map<std::int64_t, Pending> pending_;
  std::int64_t last_id_ = 0, last_job_ = 0;
  std::vector<devices::Leases::Displaced> displaced_;
  Hello hello_;
  bool has_hello_ = false;  // written by the link's thread alone
  bool stopping_ = false;
  std::int64_t needless_ = 0;    // answers of this connection that nobody waits for: to what was asked again
  std::set<std::int64_t> owed_;  // questions that nobody waits for any longer, since the last answer came
  std::size_t block_ = first_block, bytes_per_second_ = 0;
  std::string lost_;
  Time heard_ = SteadyClock::now();
  Duration down_{};

  std::mutex jobs_mutex_;  // taken before mutex_
  std::map<std::string, JoinedJob> jobs_;

  // of the link's thread
  FrameReader reader_;
  std::string last_failure_;
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<Link>> Link::open(LinkOptions options, const Cut& cut) {
  auto session = std::make_unique<LinkSession>(std::move(options));
  GATE_TRY_STATUS(session->begin(cut));
  return session;
}

}  // namespace gate::hosts
