#include <algorithm>
#include <array>

#include "gate/base/text.h"
#include "gate/hosts/job_engine.h"

namespace gate::hosts::slurm_words {

namespace {

constexpr Duration minute = std::chrono::minutes(1);

// It is the same for all jobs: what differs are its arguments. Slurm itself gets no path to write to, in
// which it would replace %j and the like.
constexpr const char* batch_script = R"(#!/bin/bash
# $1: the folder with gate-agent, $2: the folder of the job, $3: how many nodes it has
exec >>"$2/slurm.out" 2>&1
agent=$1/gate-agent-$(uname -m)
[ "$3" -gt 1 ] || exec "$agent" job "$2"
exec srun --nodes="$3" --ntasks="$3" --ntasks-per-node=1 --kill-on-bad-exit=0 --wait=0 \
  ${SLURM_CPUS_PER_TASK:+--cpus-per-task="$SLURM_CPUS_PER_TASK"} "$agent" job "$2"
)";

// The caller's own choice of options, and his own job, if he has one, for all of Slurm's programs.
bool is_of_caller(std::string_view variable) {
  constexpr auto prefixes = std::to_array<std::string_view>({"SBATCH_", "SQUEUE_", "SCANCEL_", "SLURM_"});
  return variable != "SLURM_CONF" &&
         std::ranges::any_of(prefixes, [&](std::string_view prefix) { return variable.starts_with(prefix); });
}

// Words in front of a program.
std::vector<std::string> clean(const JobRequest& request) {
  std::vector<std::string> words{"env"};
  for (const std::string& variable : request.variables)
    if (is_of_caller(variable)) words.insert(words.end(), {"-u", variable});
  return words;
}

std::string job_name(const JobRequest& request) {
  constexpr std::size_t longest = 40, digits = 12;
  std::string name = request.name.substr(0, longest);
  std::ranges::replace_if(
      name, [](char c) { return !is_letter_or_digit(c) && c != '_' && c != '-' && c != '.'; }, '_');
  return "gate-" + name + "-" + fs::sha256(request.launch).substr(0, digits);
}

std::vector<std::string> submit(const JobRequest& request, const std::string& file) {
  std::vector<std::string> words = clean(request);
  const auto nodes = std::to_string(request.nodes.size());
  const auto minutes = (request.time + minute - Duration{1}) / minute;
  words.insert(words.end(), {"sbatch", "--parsable", "--job-name=" + job_name(request), "--nodes=" + nodes,
                             "--ntasks-per-node=1", "--time=" + std::to_string(minutes), "--no-requeue",
                             "--export=ALL", "--chdir=/", "--output=/dev/null"});
  const Slurm& slurm = request.slurm;
  if (request.devices > 0 && !slurm.gres.empty()) words.push_back("--gres=" + slurm.gres);
  words.insert(words.end(), slurm.options.begin(), slurm.options.end());
  words.insert(words.end(), {file, request.agents.string(), request.folder.string(), nodes});
  return words;
}

std::string first_line(const std::string& text) {
  return printable(trim(std::string_view(text).substr(0, text.find('\n'))));
}

std::string words_of(const ToolAnswer& answer) {
  return answer.failure.empty() ? first_line(answer.errors) : answer.failure;
}

// The jobs of a run that are of one cluster, if there are several, are asked for together. `71`, or
// `71;cluster`.
Result<JobId> submitted(const JobRequest& request, const ToolAnswer& answer) {
  const std::vector<std::string_view> parts = split(trim(answer.output), ';');
  const bool is_id = parts.size() <= 2 && parse_integer(trim(parts[0])).has_value();
  if (answer.exit_code == 0 && is_id)
    return JobId{clean(request), parts.size() > 1 ? std::string(trim(parts[1])) : "",
                 std::string(trim(parts[0]))};
  if (answer.missing || answer.exit_code == 127)
    return fail("there is no sbatch: Slurm's programs are not on the PATH of this host");
  return fail("sbatch takes no job: " + (words_of(answer).empty() ? "it said no id" : words_of(answer)));
}

JobId unanswered(const JobRequest& request) { return {clean(request), "", "--name=" + job_name(request)}; }

// A program of Slurm's for the job.
std::vector<std::string> asked_of(const JobId& job, std::initializer_list<std::string> program) {
  std::vector<std::string> words = job.program;
  words.insert(words.end(), program);
  if (!job.run.empty()) words.push_back("--clusters=" + job.run);
  return words;
}

std::vector<std::string> ask(const std::vector<JobId>& jobs) {
  return asked_of(jobs.front(),
                  {"squeue", "--noheader", "--states=all", "--jobs=" + join(texts_of(jobs, &JobId::id), ","),
                   "--Format=JobID:|,State:|,Reason:|"});
}

struct SlurmEnd {
  std::string_view state;
  Outcome (*outcome)();  // none: what it ran says how it ended
  const char *note, *in_chinese;
};

Outcome by_engine() { return Vanished{}; }

// The states of a job that has ended (squeue(1), JOB STATE CODES).
constexpr auto slurm_ends = std::to_array<SlurmEnd>({
    {"COMPLETED", nullptr, "", ""},
    {"FAILED", nullptr, "", ""},
    {"TIMEOUT", [] { return Outcome(TimedOut{}); }, "by Slurm's own time limit, which came before gate's",
     "因 Slurm 自己的时限，它早于 gate 的时限"},
    {"OUT_OF_MEMORY", [] { return Outcome(Killed{9}); }, "it took more memory than its job was given",
     "使用的内存超过了作业的限额"},
    {"CANCELLED", by_engine, "it was cancelled from outside of gate", "它在 gate 之外被取消"},
    {"NODE_FAIL", by_engine, "a node of it failed", "它的一个节点故障"},
    {"BOOT_FAIL", by_engine, "a node of it could not be booted", "它的一个节点无法启动"},
    {"PREEMPTED", by_engine, "another job took its place", "被另一个作业抢占"},
    {"DEADLINE", by_engine, "its deadline in Slurm was up", "它在 Slurm 里的期限已到"},
    {"REVOKED", by_engine, "another cluster runs it", "由另一个集群运行"},
    {"SUSPENDED", by_engine, "it was suspended, and its clocks with it", "它被挂起，计时随之暂停"},
    {"STOPPED", by_engine, "it was stopped, and its clocks with it", "它被暂停，计时随之暂停"},
});

// Their job waits, has not its nodes yet, or lost them to be run once more.
constexpr auto pending_states = std::to_array<std::string_view>(
    {"PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD"});

JobStatus status_of(const std::string& state, const std::string& reason) {
  if (std::ranges::find(pending_states, state) != pending_states.end())
    return {JobPhase::pending, state != "PENDING" ? state + ", " + reason : reason == "None" ? "" : reason};
  const auto* const end = std::ranges::find(slurm_ends, state, &SlurmEnd::state);
  if (end == slurm_ends.end()) return {JobPhase::running};
  JobStatus ended{JobPhase::ended};
  if (end->outcome == nullptr) return ended;
  ended.outcome = end->outcome();
  ended.note = say({"Slurm: {}, {}", "Slurm：{}，{}"}, state, Sentence(end->note, end->in_chinese));
  return ended;
}

Result<std::map<std::string, JobStatus>> states(const ToolAnswer& answer) {
  std::map<std::string, JobStatus> states;
  if (answer.exit_code != 0) {
    const bool is_forgotten = answer.errors.find("Invalid job id") != std::string::npos;
    return is_forgotten ? Result<std::map<std::string, JobStatus>>(states)
                        : fail("squeue does not say how its jobs stand: " + words_of(answer));
  }
  for (const std::string_view line : split(answer.output, '\n')) {
    const std::vector<std::string_view> columns = split(line, '|');
    if (columns.size() < 3) continue;
    states[std::string(trim(columns[0]))] =
        status_of(std::string(trim(columns[1])), printable(trim(columns[2])));
  }
  return states;
}

// TERM, and KILL after Slurm's KillWait.
std::vector<std::string> cancel(const JobId& job, bool) { return asked_of(job, {"scancel", job.id}); }

}  // namespace

}  // namespace gate::hosts::slurm_words

namespace gate::hosts {

const EngineRow& slurm() {
  using namespace slurm_words;
  static constexpr EngineRow row{"Slurm",    [](const JobRequest&) { return std::string(batch_script); },
                                 submit,     submitted,
                                 unanswered, ask,
                                 states,     cancel,
                                 nullptr};
  return row;
}

}  // namespace gate::hosts
