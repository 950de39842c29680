#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "gate/base/text.h"
#include "gate/hosts/job_engine.h"

namespace gate::hosts::kubernetes_words {

namespace {

using KubeJson = nlohmann::json;

constexpr const char* run_label = "gate-run";
constexpr const char* launch_label = "gate-launch";
constexpr const char* only_node = "127.0.0.1";  // MASTER_ADDR where the case says none
constexpr const char* container_name = "case";  // others may be put beside it

// Bash is the first process of the container, to which the kernel passes no TERM without a trap. A setup that
// exits with 0 has kept the script from running: 124.
constexpr const char* first_program =
    "trap 'kill -TERM \"$child\" 2>/dev/null' TERM; mkdir -p -- \"$GATE_SCRATCH\"; "
    "gate_setup=$1; shift; "
    "if [ -n \"$gate_setup\" ]; then trap '[ $? -ne 0 ] || exit 124' EXIT; "
    "eval -- \"$gate_setup\"; gate_status=$?; trap - EXIT; [ $gate_status -eq 0 ] || exit $gate_status; fi; "
    "\"$@\" & child=$!; "
    "while wait \"$child\"; code=$?; kill -0 \"$child\" 2>/dev/null; do :; done; exit \"$code\"";

// Of letters and digits, as names and labels are.
std::string hash_of(const std::string& text) {
  constexpr std::size_t digits = 16;
  return fs::sha256(text).substr(0, digits);
}

std::string job_name(const JobRequest& request) { return "gate-" + hash_of(request.launch); }

// Kubernetes puts the values of variables in for $(NAME), and makes one dollar of two.
std::string plain(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '$' ? "$$" : std::string(1, c);
  return escaped;
}

std::vector<std::string> kubectl(const Kubernetes& settings) {
  auto words = texts_of(split_words(settings.kubectl));
  if (!settings.name_space.empty()) words.push_back("--namespace=" + settings.name_space);
  return words;
}

using Keys = std::initializer_list<const char*>;

// Return the value at the end of a path of keys; null where there is none.
const KubeJson& value_at(const KubeJson& json, Keys keys) {
  static const KubeJson none;
  const KubeJson* at = &json;
  for (const char* key : keys) {
    if (!at->is_object() || !at->contains(key)) return none;
    at = &(*at)[key];
  }
  return *at;
}

std::string text_at(const KubeJson& json, Keys keys) {
  const KubeJson& value = value_at(json, keys);
  return value.is_string() ? value.get<std::string>() : value.is_number_integer() ? value.dump() : "";
}

const KubeJson& list_at(const KubeJson& json, Keys keys) {
  static const KubeJson none = KubeJson::array();
  const KubeJson& value = value_at(json, keys);
  return value.is_array() ? value : none;
}

constexpr const char* volcano_api = "batch.volcano.sh/v1alpha1";

// What kubernetes.patch wants of the job; of none nothing.
KubeJson patch_of(const Kubernetes& settings) {
  KubeJson patch = KubeJson::parse(settings.patched, nullptr, false);
  return patch.is_object() ? patch : KubeJson::object();
}

bool is_volcano(const Kubernetes& settings) {
  return text_at(patch_of(settings), {"apiVersion"}) == volcano_api;
}

bool have_names(const KubeJson& list) {
  return list.is_array() &&
         std::ranges::all_of(list, [](const KubeJson& item) { return !text_at(item, {"name"}).empty(); });
}

// Tables are merged by key, lists of what has names by these; null takes away, and all else takes the place
// of what is there.
void merge(KubeJson& into, const KubeJson& patch) {
  if (patch.is_object()) {
    if (!into.is_object()) into = KubeJson::object();
    for (const auto& [name, value] : patch.items())
      if (value.is_null())
        into.erase(name);
      else
        merge(into[name], value);
  } else if (have_names(into) && have_names(patch)) {
    for (const KubeJson& item : patch) {
      const auto same =
          std::ranges::find_if(into, [&](const KubeJson& one) { return one["name"] == item["name"]; });
      merge(same == into.end() ? into.emplace_back() : *same, item);
    }
  } else {
    into = patch;
  }
}

KubeJson environment_of(const JobRequest& request) {
  KubeJson env = KubeJson::array();
  const auto add = [&](const std::string& name, const std::string& value) {
    env.push_back({{"name", name}, {"value", plain(value)}});
  };
  const bool has_several = request.nodes.size() > 1;
  const auto is_pods_own = [&](const std::string& name, const std::string& value) {
    return has_several && (name == "NODE_RANK" || (name == "MASTER_ADDR" && value == only_node));
  };
  bool has_master = !has_several;
  for (const auto& [name, value] : request.nodes.front().env) {
    if (is_pods_own(name, value)) continue;
    add(name, value);
    has_master |= name == "MASTER_ADDR";
  }
  if (!has_several) return env;
  const char* const index = is_volcano(request.kubernetes)
                                ? "metadata.annotations['volcano.sh/task-index']"
                                : "metadata.annotations['batch.kubernetes.io/job-completion-index']";
  env.push_back({{"name", "NODE_RANK"}, {"valueFrom", {{"fieldRef", {{"fieldPath", index}}}}}});
  const std::string name = job_name(request);
  if (!has_master)
    add("MASTER_ADDR", is_volcano(request.kubernetes) ? name + "-node-0." + name : name + "-0." + name);
  return env;
}

std::int64_t seconds_of(Duration time) { return std::chrono::ceil<std::chrono::seconds>(time).count(); }

// All nodes run the same command; what differs is in the environment.
KubeJson pod_of(const JobRequest& request) {
  const launch::Command& command = request.nodes.front();
  KubeJson container{{"name", container_name},
                     {"image", request.container.image},
                     {"imagePullPolicy", "IfNotPresent"},
                     {"command", {"bash", "-c", plain(first_program), "gate", plain(command.setup)}},
                     {"workingDir", command.cwd},
                     {"env", environment_of(request)}};
  for (const std::string& word : command.argv) container["command"].push_back(plain(word));
  KubeJson pod{{"restartPolicy", "Never"},
               {"activeDeadlineSeconds", seconds_of(request.time)},  // from its start on
               {"terminationGracePeriodSeconds", std::max<std::int64_t>(1, seconds_of(request.grace))}};
  if (request.nodes.size() > 1 && !is_volcano(request.kubernetes)) pod["subdomain"] = job_name(request);
  pod["containers"] = KubeJson::array({container});
  return pod;
}

KubeJson metadata_of(const JobRequest& request) {
  return {{"name", job_name(request)},
          {"labels", {{run_label, hash_of(request.run)}, {launch_label, job_name(request)}}},
          {"annotations", {{"gate/case", printable(request.name)}, {"gate/run", printable(request.run)}}}};
}

KubeJson template_of(const JobRequest& request) {
  return {{"metadata", {{"labels", metadata_of(request)["labels"]}}}, {"spec", pod_of(request)}};
}

KubeJson job_of(const JobRequest& request) {
  constexpr int kept_for = 3600;  // what a killed gate has left, in seconds
  const auto nodes = static_cast<int>(request.nodes.size());
  KubeJson spec{{"backoffLimit", 0},
                {"completions", nodes},
                {"parallelism", nodes},
                {"ttlSecondsAfterFinished", kept_for},
                {"template", template_of(request)}};
  if (nodes > 1) spec["completionMode"] = "Indexed";
  return {{"apiVersion", "batch/v1"}, {"kind", "Job"}, {"metadata", metadata_of(request)}, {"spec", spec}};
}

// Volcano makes the service itself.
KubeJson volcano_job_of(const JobRequest& request) {
  constexpr int kept_for = 3600;
  const auto nodes = static_cast<int>(request.nodes.size());
  const KubeJson task{{"name", "node"}, {"replicas", nodes}, {"template", template_of(request)}};
  const KubeJson spec{{"schedulerName", "volcano"},
                      {"minAvailable", nodes},
                      {"maxRetry", 1},
                      {"ttlSecondsAfterFinished", kept_for},
                      {"plugins", {{"svc", KubeJson::array()}, {"env", KubeJson::array()}}},
                      {"tasks", KubeJson::array({task})}};
  return {{"apiVersion", volcano_api}, {"kind", "Job"}, {"metadata", metadata_of(request)}, {"spec", spec}};
}

// Names for the pods of a job, which find each other by them.
KubeJson service_of(const JobRequest& request) {
  const std::string name = job_name(request);
  return {
      {"apiVersion", "v1"},
      {"kind", "Service"},
      {"metadata", metadata_of(request)},
      {"spec",
       {{"clusterIP", "None"}, {"publishNotReadyAddresses", true}, {"selector", {{launch_label, name}}}}}};
}

// How many devices a case has is the case's to say: merged behind what a patch does to the rest.
KubeJson devices_of(const JobRequest& request, bool of_volcano) {
  if (request.devices == 0) return KubeJson::object();
  KubeJson container{{"name", container_name}}, pod, task{{"name", "node"}}, job;
  container["resources"]["limits"][request.kubernetes.resource] = std::to_string(request.devices);
  pod["spec"]["containers"].push_back(container);
  task["template"] = pod;
  if (of_volcano)
    job["spec"]["tasks"].push_back(task);
  else
    job["spec"]["template"] = pod;
  return job;
}

std::string document(const JobRequest& request) {
  KubeJson items = KubeJson::array();
  const bool of_volcano = is_volcano(request.kubernetes);
  if (request.nodes.size() > 1 && !of_volcano) items.push_back(service_of(request));
  merge(items.emplace_back(of_volcano ? volcano_job_of(request) : job_of(request)),
        patch_of(request.kubernetes));
  merge(items.back(), devices_of(request, of_volcano));
  const KubeJson list{{"apiVersion", "v1"}, {"kind", "List"}, {"items", items}};
  return list.dump(2, ' ', false, KubeJson::error_handler_t::replace) + "\n";
}

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// One value of a list that kubectl reads as CSV.
std::string csv_value(const std::string& text) {
  std::string value = "\"";
  for (const char c : text) value += c == '"' ? "\"\"" : std::string(1, c);
  return value + "\"";
}

std::vector<std::string> submit(const JobRequest& request, const std::string& file) {
  return with(kubectl(request.kubernetes), {"create", "--validate=false", "--filename=" + csv_value(file)});
}

std::string job_kind(const Kubernetes& settings) {
  return is_volcano(settings) ? "jobs.batch.volcano.sh" : "jobs";
}

// The kind of the job goes with the program, for all that follows asks for it.
JobId unanswered(const JobRequest& request) {
  JobId job{kubectl(request.kubernetes), hash_of(request.run), job_name(request)};
  job.program.push_back(job_kind(request.kubernetes));
  return job;
}

std::vector<std::string> program_of(const JobId& job) { return {job.program.begin(), job.program.end() - 1}; }

std::string words_of(const ToolAnswer& answer) {
  return answer.failure.empty() ? printable(trim(answer.errors)) : answer.failure;
}

Result<JobId> submitted(const JobRequest& request, const ToolAnswer& answer) {
  if (answer.exit_code == 0) return unanswered(request);
  if (answer.missing)
    return fail("there is no " + kubectl(request.kubernetes).front() + " on the PATH of this host");
  return fail("kubectl creates no job: " + words_of(answer));
}

std::vector<std::string> ask(const std::vector<JobId>& jobs) {
  return with(program_of(jobs.front()),
              {"get", jobs.front().program.back() + ",pods",
               "--selector=" + std::string(run_label) + "=" + jobs.front().run, "--output=json"});
}

std::size_t index_of(const KubeJson& pod) {
  for (const char* key : {"batch.kubernetes.io/job-completion-index", "volcano.sh/task-index"})
    if (const auto index = parse_integer(text_at(pod, {"metadata", "annotations", key})))
      return static_cast<std::size_t>(std::max<std::int64_t>(*index, 0));
  return 0;
}

// Why a container that waits will never start.
constexpr auto hopeless = std::to_array<std::string_view>({"ImagePullBackOff", "ErrImageNeverPull",
                                                           "InvalidImageName", "CreateContainerConfigError",
                                                           "CreateContainerError", "RunContainerError"});

Outcome exit_of(const KubeJson& terminated) {
  return Exited{static_cast<int>(parse_integer(text_at(terminated, {"exitCode"})).value_or(255))};
}

// What the container of a pod says of itself.
void read_container(const KubeJson& status, PodState& pod, JobStatus& job) {
  const KubeJson empty = KubeJson::object();
  const KubeJson& state = status.is_object() && status.contains("state") ? status["state"] : empty;
  const std::string waits_for = text_at(state, {"waiting", "reason"});
  if (!waits_for.empty()) {
    job.why = as_is(waits_for + ": " + printable(text_at(state, {"waiting", "message"})));
    if (std::ranges::find(hopeless, waits_for) != hopeless.end()) {
      pod.ended = NotStarted{say({"Kubernetes: {}", "Kubernetes：{}"}, job.why)};
      job.outcome = pod.ended;
    }
  }
  pod.has_started |= state.contains("running") || state.contains("terminated");
  if (!state.contains("terminated")) return;
  const std::string reason = text_at(state, {"terminated", "reason"});
  pod.ended = reason == "OOMKilled" ? Outcome(Killed{9}) : exit_of(state["terminated"]);
  if (reason == "ContainerCannotRun" || reason == "StartError") {
    pod.ended = NotStarted{say({"Kubernetes: {}: {}", "Kubernetes：{}：{}"}, reason,
                               printable(text_at(state, {"terminated", "message"})))};
    job.outcome = pod.ended;
  }
  if (reason == "OOMKilled")
    pod.note = say({"Kubernetes: OOMKilled, it took more memory than its pod was given",
                    "Kubernetes：OOMKilled，使用的内存超过了 pod 的限额"});
}

bool has_condition(const KubeJson& json, std::string_view type) {
  return std::ranges::any_of(list_at(json, {"status", "conditions"}), [&](const KubeJson& condition) {
    return text_at(condition, {"type"}) == type && text_at(condition, {"status"}) == "True";
  });
}

// A pod that somebody deletes, or that its node has to give up, ends by that, whatever its script makes of
// TERM (decision 40).
Sentence why_taken(const KubeJson& json) {
  if (has_condition(json, "DisruptionTarget"))
    return say({"Kubernetes: its pod was disrupted", "Kubernetes：它的 pod 被驱逐"});
  if (!text_at(json, {"metadata", "deletionTimestamp"}).empty())
    return say({"Kubernetes: its pod was deleted", "Kubernetes：它的 pod 被删除"});
  return "";
}

// Of several pods with one index no one is the node: their ids together are those of none.
void read_pod(const KubeJson& json, JobStatus& job) {
  PodState& pod = job.pods[index_of(json)];
  const std::string other = pod.uid;
  pod = {text_at(json, {"metadata", "name"}), text_at(json, {"spec", "nodeName"}),
         other + text_at(json, {"metadata", "uid"})};
  for (const KubeJson& condition : list_at(json, {"status", "conditions"}))
    if (text_at(condition, {"type"}) == "PodScheduled" && text_at(condition, {"status"}) == "False")
      job.why = as_is(text_at(condition, {"reason"}) + ": " + printable(text_at(condition, {"message"})));
  for (const KubeJson& container : list_at(json, {"status", "containerStatuses"}))
    if (text_at(container, {"name"}) == container_name) read_container(container, pod, job);
  const std::string phase = text_at(json, {"status", "phase"}), reason = text_at(json, {"status", "reason"});
  pod.has_started |= phase == "Running" || phase == "Succeeded";
  if (phase == "Failed" && !reason.empty()) {
    pod.note = say({"Kubernetes: {}, {}", "Kubernetes：{}，{}"}, reason,
                   printable(text_at(json, {"status", "message"})));
    pod.ended = reason == "DeadlineExceeded" ? Outcome(TimedOut{}) : Outcome(Vanished{pod.note});
  }
  if (phase == "Failed" && !pod.ended)
    pod.ended = Vanished{
        say({"Kubernetes: its pod failed, and says no more", "Kubernetes：它的 pod 失败，没有更多说明"})};
  const bool is_late = pod.ended && std::holds_alternative<TimedOut>(*pod.ended);
  if (const Sentence why = why_taken(json); pod.ended && !is_late && !why.empty()) pod.ended = Vanished{why};
}

// A job that has ended is told by its pods, unless there are none any more.
void read_job(const KubeJson& json, JobStatus& job) {
  if (has_condition(json, "Complete"))
    job.note = say({"Kubernetes: its job is complete, and its pod is gone",
                    "Kubernetes：它的作业已完成，它的 pod 不见了"});
  for (const KubeJson& condition : list_at(json, {"status", "conditions"}))
    if (text_at(condition, {"type"}) == "Failed" && text_at(condition, {"status"}) == "True")
      job.note = "Kubernetes: its job failed: " + printable(text_at(condition, {"reason"})) + ", " +
                 printable(text_at(condition, {"message"}));
}

void finish(JobStatus& job) {
  if (job.pods.empty() && !job.note.empty()) job.outcome = Vanished{job.note};
  const bool runs = std::ranges::any_of(
      job.pods, [](const auto& pod) { return pod.second.has_started || pod.second.ended; });
  if (runs) job.phase = JobPhase::running;
  if (job.outcome) job.phase = JobPhase::ended;
}

Result<std::map<std::string, JobStatus>> states(const ToolAnswer& answer) {
  if (answer.exit_code != 0) return fail("kubectl does not say how its jobs stand: " + words_of(answer));
  const KubeJson json = KubeJson::parse(answer.output, nullptr, false);
  if (!json.is_object() || !json.contains("items") || !json["items"].is_array())
    return fail("kubectl does not say how its jobs stand: it printed no list");
  std::map<std::string, JobStatus> states;
  for (const KubeJson& item : json["items"]) {
    const std::string name = text_at(item, {"metadata", "labels", launch_label});
    if (name.empty()) continue;
    JobStatus& job = states[name];  // also of one that is deleted while its pods end
    if (text_at(item, {"kind"}) == "Pod") read_pod(item, job);
    if (text_at(item, {"kind"}) == "Job") read_job(item, job);
  }
  for (auto& [name, job] : states) finish(job);
  return states;
}

std::vector<std::string> cancel(const JobId& job, bool now) {
  const std::string selector = "--selector=" + std::string(launch_label) + "=" + job.id;
  if (now)
    return with(program_of(job), {"delete", job.program.back() + ",services,pods", selector,
                                  "--ignore-not-found", "--wait=false", "--force", "--grace-period=0"});
  return with(program_of(job),
              {"delete", job.program.back() + ",services", selector, "--ignore-not-found", "--wait=false"});
}

std::vector<std::string> log(const JobId& job, const std::string& pod, const std::string& since,
                             bool follow) {
  std::vector<std::string> words =
      with(program_of(job), {"logs", pod, "--container=" + std::string(container_name), "--timestamps"});
  if (follow) words.emplace_back("--follow");
  if (!since.empty()) words.push_back("--since-time=" + since);
  return words;
}

// The pod in a patch.
const KubeJson& pod_in(const KubeJson& patch) {
  for (const KubeJson& task : list_at(patch, {"spec", "tasks"})) return value_at(task, {"template", "spec"});
  return value_at(patch, {"spec", "template", "spec"});
}

// What Kubernetes makes for the pod alone is no folder that anybody else sees.
bool is_shared(const KubeJson& volume) {
  constexpr auto own = std::to_array<const char*>(
      {"emptyDir", "configMap", "secret", "downwardAPI", "projected", "ephemeral", "image"});
  return std::ranges::none_of(own, [&](const char* kind) { return volume.contains(kind); });
}

bool is_read_only(const KubeJson& volume, const KubeJson& mount) {
  const KubeJson &of_claim = value_at(volume, {"persistentVolumeClaim", "readOnly"}),
                 &of_mount = value_at(mount, {"readOnly"});
  return of_claim == true || of_mount == true;
}

bool is_of_volume(const KubeJson& mount, const KubeJson& volume) {
  const std::string name = text_at(volume, {"name"});
  return !name.empty() && name == text_at(mount, {"name"});
}

std::vector<PodFolder> folders_in(const KubeJson& pod, const KubeJson& container) {
  std::vector<PodFolder> folders;
  for (const KubeJson& mount : list_at(container, {"volumeMounts"}))
    for (const KubeJson& volume : list_at(pod, {"volumes"}))
      if (is_of_volume(mount, volume) && is_shared(volume))
        folders.push_back({text_at(mount, {"mountPath"}), is_read_only(volume, mount)});
  return folders;
}

}  // namespace

}  // namespace gate::hosts::kubernetes_words

namespace gate::hosts {

std::vector<PodFolder> folders_of_pod(const Kubernetes& settings) {
  using namespace kubernetes_words;
  const KubeJson patch = patch_of(settings);
  const KubeJson& pod = pod_in(patch);
  for (const KubeJson& container : list_at(pod, {"containers"}))
    if (text_at(container, {"name"}) == container_name) return folders_in(pod, container);
  return {};
}

const EngineRow& kubernetes() {
  using namespace kubernetes_words;
  static constexpr EngineRow row{"Kubernetes", document, submit, submitted, unanswered,
                                 ask,          states,   cancel, log};
  return row;
}

}  // namespace gate::hosts
