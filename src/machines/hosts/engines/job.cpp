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

using Turn = launch::Waiting::Kind;

constexpr Duration shortest_interval{1000};  // between two questions to an engine
constexpr int rest_of_questions = 3;  // an engine that takes long to answer is asked as much less often
constexpr Duration longest_answer_lag{10000};
constexpr int silence_factor = 10;  // an engine may be silent for as many times as long as gate may
constexpr Duration hurried_cancel{1500};
constexpr Duration cancel_limit{10000};  // until a job that cannot be cancelled is told
constexpr std::size_t longest_answer = std::size_t{64} << 20;
constexpr Duration gone_within{10000};               // killed processes
constexpr const char* submitted_file = "submitted";  // in its folder
constexpr int lives = 5;  // how often gate shows that it is there before it counts as lost

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

}  // namespace

ToolAnswer JobEngine::ask(const std::vector<std::string>& words, const Cut& cut) const {
  return launch::ask_tool(words, cut.bounded(tool_limit_), longest_answer);
}

Known JobEngine::look(const JobId& job, const Cut& cut) {
  std::unique_lock lock(mutex_);
  Group& group = groups_[{job.program, job.run}];
  Known& known = group.jobs[job.id];
  if (group.is_asking || SteadyClock::now() < group.due) return known;
  group.is_asking = true;
  std::vector<JobId> jobs;
  for (const auto& [id, ignored] : group.jobs) jobs.push_back({job.program, job.run, id});
  const auto began = SteadyClock::now();
  lock.unlock();
  const auto states = row_.states(ask(row_.ask(jobs), cut));
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

EngineJob::EngineJob(JobEngine& engine, JobRequest request, Cut cut)
    : engine_(engine), request_(std::move(request)), cut_(std::move(cut)) {}

EngineJob::~EngineJob() {
  if (!is_closed_) close();
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

Status EngineJob::open() {
  GATE_TRY(const JobFolder folder, JobFolder::make(request_.folder));
  GATE_TRY_STATUS(
      fs::write_file(request_.folder / submitted_file, engine_.row().document(request_), fs::Survives::kill));
  if (!engine_.row().has_pods()) {
    GATE_TRY_STATUS(folder.write(JobCommand{request_.nodes, engine_.lost_after(), gone_within}));
    GATE_TRY_STATUS(fs::write_file(folder.alive(), "", fs::Survives::kill));
  }
  leave_will();
  is_open_ = true;
  return {};
}

// A program that cancels the job when gate is gone, however that came: even its guard may have been killed.
void EngineJob::leave_will() {
  std::vector<std::string> words{"sh", "-c", will_program, "gate-will"};
  for (std::string& word : engine_.row().cancel(engine_.row().unanswered(request_), true))
    words.push_back(std::move(word));
  if (auto will = launch::Dialogue::start(words, {{"GATE_LAUNCH", launch::last_will_cookie}}))
    last_will_.emplace(std::move(*will));
}

launch::Waiting EngineJob::wait() {
  if (!id_) return submit();
  show_life();
  if (has_begun()) return {.kind = Turn::ready};
  return judge(look());
}

launch::Waiting EngineJob::submit() {
  if (SteadyClock::now() < next_submission_) return {.kind = Turn::pending, .why = why_not_taken_};
  const std::string file = (request_.folder / submitted_file).string();
  const ToolAnswer answer = engine_.ask(engine_.row().submit(request_, file), cut_);
  const Result<JobId> id = engine_.row().submitted(request_, answer);
  if (id) {
    id_ = *id;
    submitted_at_ = SteadyClock::now();
    return {.kind = Turn::pending};
  }
  why_not_taken_ = id.error().message;
  next_submission_ = SteadyClock::now() + shortest_interval;
  if (passes_by_itself(answer) && since(began_) < engine_.lost_after())
    return {.kind = Turn::pending, .why = why_not_taken_};
  return {.kind = Turn::refused, .outcome = NotStarted{why_not_taken_}};
}

// As its folder says, before any question to the engine.
bool EngineJob::has_begun() const {
  const JobFolder folder(request_.folder);
  for (std::size_t node = 0; node < request_.nodes.size(); ++node)
    if (fs::exists(folder.state_file(node)) || fs::exists(folder.again(node))) return true;
  return false;
}

// Pods may start at different times: the clocks begin with the last one, unless one has ended before.
bool EngineJob::have_pods_started(const Known& known) const {
  if (!engine_.row().has_pods() || !known.state || known.state->pods.size() < request_.nodes.size())
    return false;
  const auto& pods = known.state->pods;
  if (std::ranges::any_of(pods, [](const auto& pod) { return pod.second.ended.has_value(); }))
    return known.state->phase == JobPhase::running;
  return std::ranges::all_of(pods, [](const auto& pod) { return pod.second.has_started; });
}

launch::Waiting EngineJob::judge(const Known& known) {
  if (have_pods_started(known)) return {.kind = Turn::ready};
  const bool has_pods = known.state && !known.state->pods.empty();
  had_pods_ |= has_pods;
  const bool is_pending = known.state && known.state->phase != JobPhase::ended && (has_pods || !had_pods_);
  launch::Waiting now{.kind = Turn::pending, .still = say({"{} was pending still", "{} 仍在排队"}, name())};
  if (!known.trouble.empty()) {
    now.why = as_is(name()) + colon + known.trouble;
    now.still += colon + known.trouble;
    if (since(std::max(submitted_at_, known.asked_at)) < engine_.lost_after() * silence_factor) return now;
    return {.kind = Turn::refused, .outcome = NotStarted{now.why}};
  }
  if (!known.is_known) return now;
  if (is_pending) {
    gone_.reset();
    if (known.state->phase != JobPhase::pending || known.state->why.empty()) return now;
    now.why = say({"{} is pending: {}", "{} 正在排队：{}"}, name(), known.state->why);
    now.still += colon + known.state->why;
    return now;
  }
  if (!gone_) gone_ = SteadyClock::now();
  const bool is_told = known.state && known.state->outcome;
  if (!is_told && since(*gone_) < engine_.lost_after()) return now;
  now = {.kind = Turn::refused, .outcome = refused(known.state)};
  if (is_told && !known.state->note.empty()) now.remarks.push_back(known.state->note);
  return now;
}

// How a job ended that never began on some node, where its engine tells of its end, or of it no more.
Outcome EngineJob::refused(const std::optional<JobStatus>& state) const {
  if (state && state->outcome && std::holds_alternative<NotStarted>(*state->outcome)) return *state->outcome;
  if (state && state->outcome) return NotStarted{state->note};
  const std::string said = fs::read_file(request_.folder / "slurm.out").value_or("");
  const std::string last = printable(last_line(said));
  const Sentence why = state
                           ? say({"{} ended before its script began", "{} 在脚本开始之前就结束了"}, name())
                           : say({"{} is gone before its script began", "{} 在脚本开始之前就不见了"}, name());
  return NotStarted{join(std::array{why, as_is(last)}, colon)};
}

std::unique_ptr<launch::Process> EngineJob::node(std::size_t node) {
  const Lag lag{engine_.lost_after(), std::min(engine_.lost_after(), longest_answer_lag),
                engine_.lost_after() * silence_factor};
  if (engine_.row().has_pods()) return node_in_pod(*this, engine_.row(), *id_, node, lag);
  return node_in_folder(*this, JobFolder(request_.folder), node, lag,
                        launch::setup_step(request_.nodes[node]));
}

// Returns why it may be left; "" where it is not.
Sentence EngineJob::try_to_cancel(bool now) {
  const ToolAnswer answer = engine_.ask(engine_.row().cancel(*id_, now), cut_of_cancelling());
  const auto says = [&](const char* words) { return answer.errors.find(words) != std::string::npos; };
  if (answer.exit_code == 0 || says("already complet") || says("Invalid job id") || says("not found"))
    return {};
  return as_is(name()) + colon + (answer.failure.empty() ? printable(trim(answer.errors)) : answer.failure);
}

void EngineJob::show_life() {
  if (engine_.row().has_pods()) return;  // they look at no folder
  const std::lock_guard lock(mutex_);
  if (since(shown_) < engine_.lost_after() / lives) return;
  shown_ = SteadyClock::now();
  ::utimensat(AT_FDCWD, JobFolder(request_.folder).alive().c_str(), nullptr, 0);
}

// Who is in a hurry still has the job cancelled, where the engine answers soon.
Cut EngineJob::cut_of_cancelling() const { return cut_.is_over() ? Cut{}.bounded(hurried_cancel) : cut_; }

void EngineJob::leave(bool is_clean) {
  const std::lock_guard lock(mutex_);
  if (is_clean) ++clean_;
}

Sentence EngineJob::close() {
  is_closed_ = true;
  if (!is_open_ || clean_ == request_.nodes.size()) return {};
  if (!id_) {
    engine_.ask(engine_.row().cancel(engine_.row().unanswered(request_), true), cut_of_cancelling());
    return {};
  }
  const auto began = SteadyClock::now();
  bool is_last = cut_.is_over();
  Sentence why = try_to_cancel(true);
  while (!why.empty() && !is_last && since(began) < cancel_limit) {
    is_last = cut_.is_over();
    if (!is_last) std::this_thread::sleep_for(shortest_interval);
    why = try_to_cancel(true);
  }
  return why;
}

}  // namespace gate::hosts
