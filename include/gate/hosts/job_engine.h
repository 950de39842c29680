// Engines that run jobs on machines of their own: Slurm, Kubernetes. gate says what a job needs, follows it
// and judges what it prints; where and when it runs is the engine's business.
//
// An engine is a row of pure functions: words for its programs, and what their answers mean. What is done
// with them is the same for all (job.h).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/base/sentence.h"
#include "gate/base/time.h"
#include "gate/launch/runner.h"
#include "gate/model/runs/backend.h"
#include "gate/model/runs/tool_answer.h"

namespace gate::hosts {

// One launch of a case.
struct JobRequest {
  std::string name;                    // the case's; of a stage `CASE.STAGE`
  std::string run;                     // the run's id
  std::string launch;                  // nobody else's: the cookie
  fs::Path folder;                     // of the job, absolute
  fs::Path agents;                     // where gate-agent is for every architecture, absolute
  std::vector<launch::Command> nodes;  // what each node runs; one at least
  int devices = 0;                     // of a node
  Duration time{};                     // that the engine gives it: more than gate does
  Duration grace{};                    // between TERM and KILL
  Slurm slurm = {};
  Kubernetes kubernetes = {};
  Container container = {};
  std::vector<std::string> variables = {};  // names of those in gate's own environment
};

// A job, as the words that ask for it take it.
struct JobId {
  std::vector<std::string> program;  // of Kubernetes: kubectl, its words and the namespace
  std::string run;                   // what all jobs of the run have in common; "" where nothing does
  std::string id;
  auto operator<=>(const JobId&) const = default;
};

enum class JobPhase { pending, running, ended };

// How a pod stands.
struct PodState {
  std::string name;
  std::string host;
  std::string uid = {};  // another one is another pod
  bool has_started = false;
  std::optional<Outcome> ended = std::nullopt;
  Sentence note = {};  // what is to be said of its end: `OOMKilled`
};

// How a job stands, as its engine says.
struct JobStatus {
  JobPhase phase = JobPhase::pending;
  Sentence why = {};                    // it is still pending: `Resources`
  std::optional<Outcome> outcome = {};  // the engine ended it, or cannot begin it; none: it ended by itself
  Sentence note = {};                   // what is to be said of that, for people
  std::map<std::size_t, PodState> pods = {};  // by node, where the engine tells of each
};

struct EngineRow {
  std::string_view name;  // for people
  // What is submitted: a script, a manifest.
  std::string (*document)(const JobRequest& request);
  // The words that submit it, once it is a file, and what they answer: the id of the job.
  std::vector<std::string> (*submit)(const JobRequest& request, const std::string& file);
  Result<JobId> (*submitted)(const JobRequest& request, const ToolAnswer& answer);
  // The id under which it is cancelled although nothing is known of what was submitted.
  JobId (*unanswered)(const JobRequest& request);
  // The words that ask how these jobs stand, all of one program and run, and what they answer: a job that is
  // missing is not there (any more). Fails where nothing is known.
  std::vector<std::string> (*ask)(const std::vector<JobId>& jobs);
  Result<std::map<std::string, JobStatus>> (*states)(const ToolAnswer& answer);
  // The words that end the job and remove it; `now`: without any patience.
  std::vector<std::string> (*cancel)(const JobId& job, bool now);
  // The words that print what the pod has printed since then, each line behind its time; nothing where output
  // comes in the job's folder.
  std::vector<std::string> (*log)(const JobId& job, const std::string& pod, const std::string& since,
                                  bool follow);

  // Tell whether its nodes are pods; else each runs gate-agent, and speaks through the job's folder.
  bool has_pods() const { return log != nullptr; }
};

const EngineRow& slurm();
const EngineRow& kubernetes();

// Return the row of a backend that is an engine.
const EngineRow& engine_of(Backend backend);

// A folder of a pod that lies on a volume.
struct PodFolder {
  std::string path;
  bool is_read_only = false;
};

// Return the folders that pods of the settings share with others: gate mounts none of its own.
std::vector<PodFolder> folders_of_pod(const Kubernetes& settings);

// Return what would be submitted, and by which words, for people: lines.
std::string dry_run(const EngineRow& engine, const JobRequest& request);

}  // namespace gate::hosts
