#include "gate/hosts/job.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <thread>
#include <utility>

#include "gate/base/text.h"
#include "gate/launch/guard.h"
#include "gate/launch/tool.h"
#include "hosts/engines/node.h"

namespace gate::hosts {

namespace {

constexpr Duration shortest_interval{1000};  // between two questions to an engine
constexpr int rest_of_questions = 3;     // an engine that takes long to answer is asked as much less often
constexpr Duration start_pause{100};     // between two looks at a job that has not begun
constexpr Duration poll_interval{1000};  // as of a script that runs
constexpr Duration longest_answer_lag{10000};
constexpr int silence_factor = 10;       // an engine may be silent for as many times as long as gate may
constexpr Duration cancel_limit{10000};  // until a job that cannot be cancelled is told
constexpr std::size_t longest_answer = std::size_t{64} << 20;
constexpr Duration gone_within{10000};  // killed processes
constexpr int lives = 5;                // how often gate shows that it is there before it counts as lost

// Whoever reads it to its end is alone: gate is gone. `done` comes before, where all went well. The engine's
// server may be away for a while.
constexpr const char* will_program =
    "trap '' TERM INT HUP; while read -r line; do [ \"$line\" != done ] || exit 0; done; "
    "for try in 1 2 3 4 5 6 7 8 9 10; do \"$@\" >/dev/null 2>&1 && exit; sleep 3; done";

// What passes by itself: the engine's server is away for a while, and has not taken the job.
bool passes_by_itself(const ToolAnswer& answer) {
  constexpr auto passing = std::to_array<std::string_view>(
      {"Unable to contact slurm controller", "connection to the server", "Unable to connect to the server",
       "connection refused", "TLS handshake timeout", "ServiceUnavailable"});
  return answer.exit_code != 0 && std::ranges::any_of(passing, [&](std::string_view words) {
           return answer.errors.find(words) != std::string::npos;
         });
}

// A limit of an engine's own is as long as it lasted.
Outcome with_time(Outcome outcome, Duration lasted) {
  if (auto* timed_out = std::get_if<TimedOut>(&outcome);
      timed_out != nullptr && timed_out->limit == Duration{})
    timed_out->limit = std::chrono::ceil<std::chrono::seconds>(lasted);
  return outcome;
}

launch::Patience patience_of(Duration lost_after) {
  launch::Patience patience;
  patience.kill = std::max(patience.kill, lost_after);  // an order may come as late
  return patience;
}

}  // namespace

ToolAnswer JobEngine::ask(const std::vector<std::string>& words) const {
  return launch::ask_tool(words, tool_limit_, longest_answer);
}

Known JobEngine::look(const JobId& job) {
  std::unique_lock lock(mutex_);
  Group& group = groups_[{job.program, job.run}];
  Known& known = group.jobs[job.id];
  if (group.is_asking || SteadyClock::now() < group.due) return known;
  group.is_asking = true;
  std::vector<JobId> jobs;
  for (const auto& [id, ignored] : group.jobs) jobs.push_back({job.program, job.run, id});
  const auto began = SteadyClock::now();
  lock.unlock();
  const auto states = row_.states(ask(row_.ask(jobs)));
  lock.lock();
  group.is_asking = false;
  group.due = SteadyClock::now() + std::max(shortest_interval, since(began) * rest_of_questions);
  if (!states) {
    for (auto& [id, one] : group.jobs) one.trouble = states.error().message;
    return group.jobs[job.id];
  }
  for (const JobId& asked : jobs) {
    const auto there = group.jobs.find(asked.id);
    if (there == group.jobs.end()) continue;
    const auto state = states->find(asked.id);
    there->second = {true, state == states->end() ? std::nullopt : std::optional(state->second), began, ""};
  }
  return group.jobs[job.id];
}

void JobEngine::leave(const JobId& job) {
  const std::lock_guard lock(mutex_);
  groups_[{job.program, job.run}].jobs.erase(job.id);
}

class EngineJob::View : public JobView {
 public:
  explicit View(EngineJob& job) : job_(job) {}
  Known look() override { return job_.look(); }
  void cancel(bool now) override { job_.cancel(now); }
  void show_life() override { job_.show_life(); }

 private:
  EngineJob& job_;
};

EngineJob::EngineJob(JobEngine& engine, JobRequest request)
    : engine_(engine), request_(std::move(request)), left_(request_.nodes.size()) {}

EngineJob::~EngineJob() {
  if (id_ && left_ > 0) cancel(true);
  if (id_) engine_.leave(*id_);
  if (last_will_) last_will_->write("done\n");
  remove_folder();
}

// A node that is about to end may write its last word meanwhile.
void EngineJob::remove_folder() const {
  constexpr int most_tries = 20;
  constexpr Duration pause{50};
  for (int tries = 0; tries < most_tries && fs::is_taken(request_.folder); ++tries) {
    if (tries > 0) std::this_thread::sleep_for(pause);
    std::error_code ignored;
    std::filesystem::remove_all(request_.folder, ignored);
  }
}

std::string EngineJob::name() const { return std::string(engine_.row().name) + " job " + id_->id; }

Result<launch::Ending> EngineJob::run(std::size_t node, const launch::Limits& limits,
                                      const launch::Listener& listener) {
  const auto began = SteadyClock::now();
  launch::Ending ending;
  std::optional<Outcome> failed = node == 0 ? submit(listener) : wait_for_submission();
  const bool is_submitted = !failed;
  if (is_submitted) failed = wait_for_start(node, {limits, listener, began}, ending);
  if (listener.on_waiting) listener.on_waiting("");
  if (!failed) return follow(node, limits, listener, began);
  if (const std::string why = finish_node(!is_submitted); !why.empty()) ending.survivors.push_back(why);
  ending.outcome = *failed;
  ending.duration = since(began);
  return ending;
}

// The node has begun.
Result<launch::Ending> EngineJob::follow(std::size_t node, launch::Limits limits,
                                         const launch::Listener& listener, SteadyClock::time_point began) {
  const auto started = SteadyClock::now();
  if (limits.rest) *limits.rest -= since(began);
  View view(*this);
  const bool is_pod = engine_.row().has_pods();
  const Lag lag{engine_.lost_after(), std::min(engine_.lost_after(), longest_answer_lag),
                engine_.lost_after() * silence_factor};
  const auto process = is_pod ? node_in_pod(view, engine_.row(), *id_, node, lag)
                              : node_in_folder(view, JobFolder(request_.folder), node, lag);
  const bool has_setup = !is_pod && !request_.nodes[node].setup.empty();
  Result<launch::Ending> ending =
      launch::supervise(*process, limits, has_setup ? launch::SetupStep::first : launch::SetupStep::none,
                        patience_of(engine_.lost_after()), listener, [started] { return since(started); });
  const std::string left = finish_node(ending && process->is_clean() && ending->survivors.empty());
  if (!ending) return ending;
  if (!left.empty()) ending->survivors.push_back(left);
  ending->outcome = with_time(std::move(ending->outcome), since(started));
  ending->host = process->host();
  ending->devices = process->devices();
  if (const Duration lasted = process->lasted(); lasted > Duration{} && ending->script_time > Duration{}) {
    ending->script_time = lasted;
    ending->duration = std::max(ending->duration, lasted);
  }
  if (const std::string words = process->note(); !words.empty()) ending->remarks.push_back(words);
  return ending;
}

Status EngineJob::prepare(const fs::Path& file) const {
  GATE_TRY(const JobFolder folder, JobFolder::make(request_.folder));
  GATE_TRY_STATUS(fs::write_file(file, engine_.row().document(request_), fs::Survives::kill));
  if (engine_.row().has_pods()) return {};
  GATE_TRY_STATUS(folder.write(JobCommand{request_.nodes, engine_.lost_after(), gone_within}));
  return fs::write_file(folder.alive(), "", fs::Survives::kill);
}

// Returns how it ended, if it could not be submitted.
std::optional<Outcome> EngineJob::submit(const launch::Listener& listener) {
  const fs::Path file = request_.folder / "submitted";
  std::optional<Outcome> failed;
  if (const Status prepared = prepare(file); !prepared) failed = NotStarted{prepared.error().message};
  if (!failed) leave_will();
  for (const auto began = SteadyClock::now(); !failed && !id_;) {
    const ToolAnswer answer = engine_.ask(engine_.row().submit(request_, file.string()));
    const Result<JobId> id = engine_.row().submitted(request_, answer);
    if (id) {
      const std::lock_guard lock(mutex_);
      id_ = *id;
    } else if (const auto interrupted = listener.interrupted()) {
      failed = *interrupted;
    } else if (passes_by_itself(answer) && since(began) < engine_.lost_after()) {
      if (listener.on_waiting) listener.on_waiting(id.error().message);
      std::this_thread::sleep_for(shortest_interval);
    } else {
      failed = NotStarted{id.error().message};
    }
  }
  if (failed && last_will_) engine_.ask(engine_.row().cancel(engine_.row().unanswered(request_), true));
  const std::lock_guard lock(mutex_);
  failure_ = failed;
  changed_.notify_all();
  return failed;
}

std::optional<Outcome> EngineJob::wait_for_submission() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return id_ || failure_; });
  return failure_;
}

// A program that cancels the job when gate is gone, however that came: even its guard may have been killed.
void EngineJob::leave_will() {
  std::vector<std::string> words{"sh", "-c", will_program, "gate-will"};
  for (std::string& word : engine_.row().cancel(engine_.row().unanswered(request_), true))
    words.push_back(std::move(word));
  if (auto will = launch::Dialogue::start(words, {{"GATE_LAUNCH", launch::last_will_cookie}}))
    last_will_.emplace(std::move(*will));
}

// Pods may start at different times: the clocks begin with the last one, unless one has ended before.
bool EngineJob::has_started(std::size_t node) {
  if (!engine_.row().has_pods()) {
    const JobFolder folder(request_.folder);
    return fs::exists(folder.state_file(node)) || fs::exists(folder.again(node));
  }
  const Known known = look();
  if (!known.state || !known.state->pods.contains(node)) return false;
  const auto& pods = known.state->pods;
  const auto all = static_cast<std::ptrdiff_t>(request_.nodes.size());
  if (std::ranges::any_of(pods, [](const auto& pod) { return pod.second.ended.has_value(); }))
    return known.state->phase == JobPhase::running;
  return std::ranges::count_if(pods, [](const auto& pod) { return pod.second.has_started; }) == all;
}

// Returns how it ended, if it does not come to a start.
std::optional<Outcome> EngineJob::wait_for_start(std::size_t node, const Waiting& waiting,
                                                 launch::Ending& ending) {
  const auto& [limits, listener, began] = waiting;
  std::optional<SteadyClock::time_point> gone;
  std::string told;
  for (auto next_poll = began; !has_started(node); std::this_thread::sleep_for(start_pause)) {
    show_life();
    if (const auto interrupted = listener.interrupted()) return *interrupted;
    if (limits.rest && since(began) >= *limits.rest) {
      ending.remarks.push_back(name() + " was pending still" + (told.empty() ? "" : ": " + told));
      return PastDeadline{limits.deadline};
    }
    if (listener.on_poll && SteadyClock::now() >= next_poll) {
      next_poll = SteadyClock::now() + poll_interval;
      if (const launch::Pulse pulse = listener.on_poll(); pulse.stop) return *pulse.stop;
    }
    const Known known = look();
    if (!known.trouble.empty()) {
      if (std::exchange(told, known.trouble) != known.trouble && listener.on_waiting)
        listener.on_waiting(name() + ": " + known.trouble);
      if (since(std::max(began, known.asked_at)) >= engine_.lost_after() * silence_factor)
        return NotStarted{name() + ": " + known.trouble};
      continue;
    }
    if (!known.is_known) continue;
    if (known.state && known.state->phase != JobPhase::ended) {
      gone.reset();
      const std::string why = known.state->phase == JobPhase::pending ? known.state->why : "";
      if (std::exchange(told, why) != why && !why.empty() && listener.on_waiting)
        listener.on_waiting(name() + " is pending: " + why);
      continue;
    }
    if (!gone) gone = SteadyClock::now();
    const bool is_told = known.state && known.state->outcome;
    if (!is_told && since(*gone) < engine_.lost_after()) continue;
    if (is_told && !known.state->note.empty()) ending.remarks.push_back(known.state->note);
    return refused(known.state);
  }
  return std::nullopt;
}

// How a job ended that never began on some node, where its engine tells of its end, or of it no more.
Outcome EngineJob::refused(const std::optional<JobStatus>& state) const {
  if (state && state->outcome && std::holds_alternative<NotStarted>(*state->outcome)) return *state->outcome;
  if (state && state->outcome) return NotStarted{state->note};
  const std::string said = fs::read_file(request_.folder / "slurm.out").value_or("");
  const std::string last = printable(last_line(said));
  return NotStarted{name() + (state ? " ended" : " is gone") + " before its script began" +
                    (last.empty() ? "" : ": " + last)};
}

Known EngineJob::look() { return engine_.look(*id_); }

// Returns why it may be left; "" where it is not.
std::string EngineJob::cancel(bool now) {
  const ToolAnswer answer = engine_.ask(engine_.row().cancel(*id_, now));
  const auto says = [&](const char* words) { return answer.errors.find(words) != std::string::npos; };
  if (answer.exit_code == 0 || says("already complet") || says("Invalid job id") || says("not found"))
    return "";
  return name() + ": " + (answer.failure.empty() ? printable(trim(answer.errors)) : answer.failure);
}

void EngineJob::show_life() {
  if (engine_.row().has_pods()) return;  // they look at no folder
  const std::lock_guard lock(mutex_);
  if (since(shown_) < engine_.lost_after() / lives) return;
  shown_ = SteadyClock::now();
  ::utimensat(AT_FDCWD, JobFolder(request_.folder).alive().c_str(), nullptr, 0);
}

// The last node removes the job, where anything of it may be left. Returns why something is.
std::string EngineJob::finish_node(bool is_clean) {
  {
    const std::lock_guard lock(mutex_);
    is_clean_ = is_clean_ && is_clean;
    if (--left_ > 0 || is_clean_ || !id_) return "";
  }
  const auto began = SteadyClock::now();
  std::string why = cancel(true);
  while (!why.empty() && since(began) < cancel_limit) {
    std::this_thread::sleep_for(shortest_interval);
    why = cancel(true);
  }
  return why;
}

}  // namespace gate::hosts
