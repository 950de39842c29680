#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gate/hosts/job_engine.h"
#include "gate/hosts/job_folder.h"
#include "hosts/engines/node.h"
#include "hosts/engines/pod_log.h"

namespace gate::hosts::engines_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

constexpr const char* hostile = "a b\"'`$(touch x)\\\n;{y: 1}# %j";

JobRequest request(int nodes = 1) {
  JobRequest request;
  request.name = "tune/7b 1";
  request.run = "1125-1700";
  request.launch = "1125-1700.tune.1";
  request.folder = "/suite/job";
  request.agents = "/suite/agents";
  request.devices = 8;
  request.time = std::chrono::minutes(90) + Duration{1};
  request.grace = std::chrono::seconds(30);
  request.slurm.gres = "gpu:8";
  request.kubernetes.resource = "nvidia.com/gpu";
  request.container.image = "train:1";
  for (int node = 0; node < nodes; ++node) {
    launch::Command command;
    command.argv = {"bash", "scripts/a.sh", "--x"};
    command.cwd = "/suite";
    command.env = {{"NODE_RANK", std::to_string(node)}, {"MASTER_ADDR", "127.0.0.1"}, {"A", "1"}};
    request.nodes.push_back(command);
  }
  return request;
}

ToolAnswer said(std::string output) { return {std::move(output), "", 0, "", false}; }
ToolAnswer complained(std::string errors) { return {"", std::move(errors), 1, "", false}; }

// --- Slurm ---------------------------------------------------------------------------------------

TEST(SlurmWords, AskForNodesTimeAndDevices) {
  EXPECT_EQ(slurm().submit(request(2), "/f"),
            (Words{"env", "sbatch", "--parsable",
                   "--job-name=gate-tune_7b_1-" + fs::sha256("1125-1700.tune.1").substr(0, 12), "--nodes=2",
                   "--ntasks-per-node=1", "--time=91", "--no-requeue", "--export=ALL", "--chdir=/",
                   "--output=/dev/null", "--gres=gpu:8", "/f", "/suite/agents", "/suite/job", "2"}));
}

TEST(SlurmWords, LeaveOutTheCallersOwn) {
  JobRequest one = request();
  one.variables = {"HOME", "SBATCH_PARTITION", "SLURM_CONF", "SLURM_JOB_ID"};
  const Words words = slurm().submit(one, "/f");
  EXPECT_EQ(Words(words.begin(), words.begin() + 6),
            (Words{"env", "-u", "SBATCH_PARTITION", "-u", "SLURM_JOB_ID", "sbatch"}));
  one.variables = {"SQUEUE_STATES"};
  EXPECT_EQ(slurm().ask({slurm().submitted(one, said("7")).value()}),
            (Words{"env", "-u", "SQUEUE_STATES", "squeue", "--noheader", "--states=all", "--jobs=7",
                   "--Format=JobID:|,State:|,Reason:|"}));
}

TEST(SlurmWords, HoldHostileValuesAsOneWordEach) {
  JobRequest one = request();
  one.name = hostile;
  one.folder = std::string("/f/") + hostile;
  one.slurm = {std::string("gpu:") + hostile, {hostile, "--exclusive"}};
  const Words words = slurm().submit(one, hostile);
  const std::string h = hostile;
  for (const std::string& word : {"--gres=gpu:" + h, h, std::string("--exclusive"), "/f/" + h})
    EXPECT_THAT(words, Contains(word));
  EXPECT_THAT(words, Contains(testing::StartsWith("--job-name=gate-a_b_____touch_x_____y__1____j-")));
  EXPECT_EQ(slurm().document(one), slurm().document(request()));  // the script is the same for all
}

TEST(SlurmWords, LeaveOutDevicesOfACaseOnTheCpu) {
  JobRequest one = request();
  one.devices = 0;
  EXPECT_THAT(slurm().submit(one, "/f"), Not(Contains(testing::StartsWith("--gres"))));
}

TEST(SlurmAnswers, NameTheJob) {
  EXPECT_EQ(slurm().submitted(request(), said("71\n"))->id, "71");
  EXPECT_EQ(slurm().submitted(request(), said("71;far\n"))->id, "71");
  EXPECT_EQ(slurm().cancel(*slurm().submitted(request(), said("71;far\n")), true),
            (Words{"env", "scancel", "71", "--clusters=far"}));
  EXPECT_THAT(slurm().submitted(request(), complained("sbatch: error: no\nmore")).error().message,
              "sbatch takes no job: sbatch: error: no");
  EXPECT_FALSE(slurm().submitted(request(), said("")));
  EXPECT_FALSE(slurm().submitted(request(), said("x; rm\n")));
}

TEST(SlurmAnswers, SayHowAJobStands) {
  struct Row {
    const char* state;
    JobPhase phase;
    std::optional<Outcome> outcome;
  };
  for (const Row& row :
       {Row{"PENDING", JobPhase::pending, {}}, Row{"CONFIGURING", JobPhase::pending, {}},
        Row{"REQUEUED", JobPhase::pending, {}}, Row{"RUNNING", JobPhase::running, {}},
        Row{"COMPLETING", JobPhase::running, {}}, Row{"SUSPENDED", JobPhase::ended, Vanished{}},
        Row{"COMPLETED", JobPhase::ended, {}}, Row{"FAILED", JobPhase::ended, {}},
        Row{"TIMEOUT", JobPhase::ended, TimedOut{}}, Row{"OUT_OF_MEMORY", JobPhase::ended, Killed{SIGKILL}},
        Row{"CANCELLED", JobPhase::ended, Vanished{}}, Row{"NODE_FAIL", JobPhase::ended, Vanished{}},
        Row{"PREEMPTED", JobPhase::ended, Vanished{}}, Row{"BOOT_FAIL", JobPhase::ended, Vanished{}},
        Row{"DEADLINE", JobPhase::ended, Vanished{}}, Row{"REVOKED", JobPhase::ended, Vanished{}}}) {
    const auto states =
        slurm().states(said("7|" + std::string(row.state) + "|Resources|\n8|RUNNING|None|\n"));
    ASSERT_TRUE(states && states->size() == 2) << row.state;
    EXPECT_EQ(states->at("7").phase, row.phase) << row.state;
    EXPECT_EQ(states->at("7").outcome, row.outcome) << row.state;
    if (row.outcome) {
      EXPECT_THAT(states->at("7").note.english(), HasSubstr(row.state));
    }
  }
  EXPECT_EQ(slurm().states(said("7|PENDING|Resources|\n"))->at("7").why, "Resources");
  EXPECT_EQ(slurm().states(said("7|PENDING|None|\n"))->at("7").why, "");
}

TEST(SlurmAnswers, TellAnUnknownJobFromAnUnknownState) {
  EXPECT_TRUE(slurm().states(complained("slurm_load_jobs error: Invalid job id specified")).value().empty());
  EXPECT_FALSE(slurm().states(complained("slurm_load_jobs error: Unable to contact slurm controller")));
  EXPECT_FALSE(slurm().states({"7|RUNNING|None|\n", "", std::nullopt, "no answer within 15s", false}));
}

// --- Kubernetes ----------------------------------------------------------------------------------

nlohmann::json manifest(const JobRequest& request) {
  return nlohmann::json::parse(kubernetes().document(request));
}

TEST(KubernetesManifest, IsAJob) {
  const nlohmann::json list = manifest(request());
  ASSERT_EQ(list["items"].size(), 1U);
  const nlohmann::json& job = list["items"][0];
  EXPECT_EQ(job["kind"], "Job");
  EXPECT_EQ(job["spec"]["backoffLimit"], 0);
  const nlohmann::json& pod = job["spec"]["template"]["spec"];
  EXPECT_EQ(pod["activeDeadlineSeconds"], 5401);  // the queue does not count
  EXPECT_FALSE(job["spec"].contains("activeDeadlineSeconds"));
  EXPECT_EQ(pod["restartPolicy"], "Never");
  EXPECT_EQ(pod["terminationGracePeriodSeconds"], 30);
  EXPECT_EQ(pod["containers"][0]["resources"]["limits"]["nvidia.com/gpu"], "8");
  EXPECT_EQ(pod["containers"][0]["command"].back(), "--x");
}

TEST(KubernetesManifest, OfSeveralNodesHasAServiceAndAnIndex) {
  const nlohmann::json list = manifest(request(2));
  ASSERT_EQ(list["items"].size(), 2U);
  EXPECT_EQ(list["items"][0]["kind"], "Service");
  EXPECT_EQ(list["items"][0]["spec"]["clusterIP"], "None");
  const nlohmann::json& spec = list["items"][1]["spec"];
  EXPECT_EQ(spec["completionMode"], "Indexed");
  EXPECT_EQ(spec["parallelism"], 2);
  const std::string name = list["items"][1]["metadata"]["name"];
  std::map<std::string, nlohmann::json> env;
  for (const nlohmann::json& one : spec["template"]["spec"]["containers"][0]["env"]) env[one["name"]] = one;
  EXPECT_EQ(env["MASTER_ADDR"]["value"], name + "-0." + name);
  EXPECT_TRUE(env["NODE_RANK"].contains("valueFrom"));
  JobRequest own = request(2);
  own.nodes[0].env["MASTER_ADDR"] = "train-0.lab";
  EXPECT_THAT(manifest(own).dump(), HasSubstr(R"({"name":"MASTER_ADDR","value":"train-0.lab"})"));
  EXPECT_THAT(manifest(own).dump(), Not(HasSubstr(name + "-0." + name)));
}

TEST(KubernetesManifest, OfVolcanoStartsAllOrNone) {
  JobRequest two = request(2);
  two.kubernetes.patched = R"({"apiVersion": "batch.volcano.sh/v1alpha1", "spec": {"queue": "q", "tasks": [
      {"name": "node", "template": {"spec": {"nodeSelector": {"a": "b"}}}}]}})";
  const nlohmann::json list = manifest(two);
  ASSERT_EQ(list["items"].size(), 1U);
  EXPECT_EQ(list["items"][0]["apiVersion"], "batch.volcano.sh/v1alpha1");
  EXPECT_EQ(list["items"][0]["spec"]["minAvailable"], 2);
  const nlohmann::json& task = list["items"][0]["spec"]["tasks"][0];
  EXPECT_EQ(task["replicas"], 2);
  EXPECT_EQ(task["template"]["spec"]["nodeSelector"]["a"], "b");
  EXPECT_EQ(task["template"]["spec"]["restartPolicy"], "Never");
  EXPECT_EQ(list["items"][0]["spec"]["queue"], "q");
  EXPECT_THAT(kubernetes().unanswered(two).program, Contains("jobs.batch.volcano.sh"));
}

// What a patch makes of the pod of a case on one node.
nlohmann::json patched_pod(const std::string& pod) {
  JobRequest one = request();
  one.nodes[0].env["A"] = "1";
  one.kubernetes.patched = R"({"metadata": {"labels": {"queue": "q"}, "annotations": null},
                               "spec": {"template": {"spec": )" +
                           pod + "}}}";
  const nlohmann::json job = manifest(one)["items"][0];
  EXPECT_EQ(job["metadata"]["labels"]["queue"], "q");
  EXPECT_TRUE(job["metadata"]["labels"].contains("gate-run"));
  EXPECT_FALSE(job["metadata"].contains("annotations"));
  return job["spec"]["template"]["spec"];
}

TEST(KubernetesPatch, IsMergedByKeysAndNames) {
  const nlohmann::json before = manifest(request())["items"][0]["spec"]["template"]["spec"];
  const nlohmann::json pod = patched_pod(R"({
      "serviceAccountName": "gate", "terminationGracePeriodSeconds": null, "activeDeadlineSeconds": 7,
      "tolerations": [{"key": "a"}, {"key": "b"}], "imagePullSecrets": [{"name": "s"}],
      "securityContext": {"runAsUser": 1000, "runAsGroup": null},
      "containers": [
        {"name": "case", "resources": {"limits": {"memory": "1Gi"}}, "env": [{"name": "A", "value": "2"}, {"name": "B"}]},
        {"name": "proxy", "image": "p"}]})");
  EXPECT_EQ(pod["serviceAccountName"], "gate");
  EXPECT_FALSE(pod.contains("terminationGracePeriodSeconds"));
  EXPECT_EQ(pod["activeDeadlineSeconds"], 7);
  EXPECT_EQ(pod["tolerations"].size(), 2U);
  EXPECT_EQ(pod["imagePullSecrets"][0]["name"], "s");
  EXPECT_EQ(pod["securityContext"], (nlohmann::json{{"runAsUser", 1000}}));
  ASSERT_EQ(pod["containers"].size(), 2U);
  const nlohmann::json& container = pod["containers"][0];
  EXPECT_EQ(container["command"], before["containers"][0]["command"]);
  EXPECT_EQ(container["resources"]["limits"], (nlohmann::json{{"memory", "1Gi"}, {"nvidia.com/gpu", "8"}}));
  std::map<std::string, nlohmann::json> env;
  for (const nlohmann::json& one : container["env"]) EXPECT_TRUE(env.emplace(one["name"], one).second);
  EXPECT_EQ(env["A"]["value"], "2");
  EXPECT_TRUE(env.contains("B"));
  EXPECT_EQ(env.size(), before["containers"][0]["env"].size() + 1);
}

TEST(KubernetesPatch, TellsWhichFoldersArePodsOwn) {
  Kubernetes settings;
  settings.patched = R"({"spec": {"template": {"spec": {
      "volumes": [{"name": "c", "persistentVolumeClaim": {"claimName": "c"}},
                  {"name": "r", "persistentVolumeClaim": {"claimName": "r", "readOnly": true}},
                  {"name": "shm", "emptyDir": {}}, {"name": "h", "hostPath": {"path": "/h"}}, 7],
      "containers": [{"name": "x", "volumeMounts": [{"name": "c", "mountPath": "/x"}]},
                     {"name": "case", "volumeMounts": [{"name": "c", "mountPath": "/c"}, "no",
                       {"name": "c", "mountPath": "/d", "readOnly": true}, {"name": "r", "mountPath": "/r"},
                       {"name": "shm", "mountPath": "/dev/shm"}, {"name": "h", "mountPath": "/h"}]}]}}}})";
  std::string said;
  for (const PodFolder& folder : folders_of_pod(settings))
    said += folder.path + (folder.is_read_only ? ":ro " : " ");
  EXPECT_EQ(said, "/c /d:ro /r:ro /h ");
  for (const char* other : {"", "{}", "[", R"({"spec": 7})", R"({"spec": {"tasks": [7]}})"}) {
    settings.patched = other;
    EXPECT_TRUE(folders_of_pod(settings).empty()) << other;
  }
}

TEST(KubernetesManifest, HoldsHostileValuesAsTheyAre) {
  JobRequest one = request();
  one.name = one.kubernetes.resource = one.nodes[0].cwd = one.nodes[0].setup = hostile;
  one.nodes[0].argv = {"bash", hostile};
  one.nodes[0].env["A"] = std::string("$(NODE_RANK) $$HOME ") + hostile;
  one.kubernetes.patched =
      nlohmann::json({{"spec", {{"template", {{"spec", {{"nodeSelector", {{"key", hostile}}}}}}}}}}).dump();
  const nlohmann::json job = manifest(one)["items"][0];
  const nlohmann::json& pod = job["spec"]["template"]["spec"];
  const nlohmann::json& container = pod["containers"][0];
  EXPECT_EQ(pod["nodeSelector"]["key"], hostile);
  EXPECT_EQ(container["workingDir"], hostile);
  EXPECT_EQ(container["resources"]["limits"][hostile], "8");
  // Where Kubernetes puts variables in, each dollar is two.
  const std::string doubled = "a b\"'`$$(touch x)\\\n;{y: 1}# %j";
  EXPECT_EQ(container["command"].back(), doubled);
  EXPECT_EQ(container["command"][4], doubled);  // the setup
  EXPECT_THAT(container["env"].dump(), HasSubstr("$$(NODE_RANK) $$$$HOME a b"));
  const std::string name = job["metadata"]["name"];
  EXPECT_TRUE(std::ranges::all_of(name, [](char c) { return c == '-' || std::isalnum(c) != 0; })) << name;
}

TEST(KubernetesWords, AreThoseOfTheProgramThenTheNamespace) {
  JobRequest one = request();
  one.kubernetes.kubectl = "kubectl --context lab";
  one.kubernetes.name_space = hostile;
  const Words words = kubernetes().submit(one, "/f");
  EXPECT_EQ(words, (Words{"kubectl", "--context", "lab", std::string("--namespace=") + hostile, "create",
                          "--validate=false", "--filename=\"/f\""}));
  const JobId id = kubernetes().unanswered(one);
  EXPECT_EQ(kubernetes().log(id, "pod", "2026-11-25T16:49:03Z", true),
            (Words{"kubectl", "--context", "lab", std::string("--namespace=") + hostile, "logs", "pod",
                   "--container=case", "--timestamps", "--follow", "--since-time=2026-11-25T16:49:03Z"}));
  EXPECT_THAT(kubernetes().cancel(id, true), Contains("--grace-period=0"));
  EXPECT_THAT(kubernetes().cancel(id, false), Not(Contains("--force")));
}

// What kubectl prints of a job with one pod of that status.
std::optional<JobStatus> standing(const std::string& pod_status, const std::string& metadata = "") {
  const std::string labels = R"("labels": {"gate-launch": "gate-1"}, "name": "gate-1")";
  const std::string pod = R"({"kind": "Pod", "metadata": {)" + labels + metadata +
                          R"(}, "spec": {"nodeName": "k1"}, "status": )" + pod_status + "}";
  const std::string job = R"({"kind": "Job", "metadata": {)" + labels + R"(}, "status": {}})";
  const auto states = kubernetes().states(said(R"({"items": [)" + pod + ", " + job + "]}"));
  return states && states->contains("gate-1") ? std::optional(states->at("gate-1")) : std::nullopt;
}

std::string container_state(const std::string& state) {
  return R"({"phase": "Failed", "containerStatuses": [{"name": "case", "state": )" + state + "}]}";
}

TEST(KubernetesAnswers, SayHowAPodStands) {
  const JobStatus unschedulable = *standing(
      R"({"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/2 nodes"}]})");
  EXPECT_EQ(unschedulable.phase, JobPhase::pending);
  EXPECT_EQ(unschedulable.why, "Unschedulable: 0/2 nodes");
  const JobStatus pulling = *standing(
      R"({"phase": "Pending", "containerStatuses": [{"name": "case", "state": {"waiting": {"reason": "ErrImagePull", "message": "m"}}}]})");
  EXPECT_EQ(pulling.phase, JobPhase::pending);
  const JobStatus no_image = *standing(
      R"({"phase": "Pending", "containerStatuses": [{"name": "case", "state": {"waiting": {"reason": "ImagePullBackOff", "message": "m"}}}]})");
  EXPECT_EQ(no_image.phase, JobPhase::ended);
  EXPECT_EQ(no_image.outcome, Outcome(NotStarted{"Kubernetes: ImagePullBackOff: m"}));
  const JobStatus running =
      *standing(R"({"phase": "Running", "containerStatuses": [{"name": "case", "state": {"running": {}}}]})");
  EXPECT_EQ(running.phase, JobPhase::running);
  EXPECT_TRUE(running.pods.at(0).has_started);
  EXPECT_EQ(running.pods.at(0).host, "k1");
}

TEST(KubernetesAnswers, SayHowAPodEnded) {
  const auto ended = [](const std::string& status) { return standing(status)->pods.at(0).ended; };
  EXPECT_EQ(ended(container_state(R"({"terminated": {"exitCode": 0}})")), Outcome(Exited{0}));
  EXPECT_EQ(ended(container_state(R"({"terminated": {"exitCode": 3, "reason": "Error"}})")),
            Outcome(Exited{3}));
  EXPECT_EQ(ended(container_state(R"({"terminated": {"exitCode": 137, "reason": "OOMKilled"}})")),
            Outcome(Killed{SIGKILL}));
  EXPECT_EQ(ended(container_state(R"({"terminated": {}})")), Outcome(Exited{255}));  // never green
  EXPECT_EQ(ended(R"({"phase": "Failed", "reason": "Evicted", "message": "low on memory"})"),
            Outcome(Vanished{"Kubernetes: Evicted, low on memory"}));
  EXPECT_EQ(ended(R"({"phase": "Failed", "reason": "DeadlineExceeded"})"), Outcome(TimedOut{}));
  EXPECT_TRUE(std::holds_alternative<Vanished>(*ended(R"({"phase": "Failed"})")));
  EXPECT_FALSE(ended(R"({"phase": "Succeeded"})"));  // until the container says how
}

// What a script makes of the TERM that a deletion sends is no end of its own.
TEST(KubernetesAnswers, OfAPodThatIsTakenAwayAreNoEndOfItsScript) {
  const std::string deleted = R"(, "deletionTimestamp": "2026-11-25T10:00:00Z")";
  for (const char* terminated :
       {R"({"terminated": {"exitCode": 0}})", R"({"terminated": {"exitCode": 143}})"}) {
    EXPECT_EQ(standing(container_state(terminated), deleted)->pods.at(0).ended,
              Outcome(Vanished{"Kubernetes: its pod was deleted"}));
    const std::string disrupted = container_state(terminated);
    EXPECT_EQ(standing(disrupted.substr(0, disrupted.size() - 1) +
                       R"(, "conditions": [{"type": "DisruptionTarget", "status": "True"}]})")
                  ->pods.at(0)
                  .ended,
              Outcome(Vanished{"Kubernetes: its pod was disrupted"}));
  }
  EXPECT_EQ(standing(R"({"phase": "Failed", "reason": "DeadlineExceeded"})", deleted)->pods.at(0).ended,
            Outcome(TimedOut{}));
  EXPECT_FALSE(standing(R"({"phase": "Running"})", deleted)->pods.at(0).ended);  // it may save still
}

TEST(KubernetesAnswers, AreOfTheCasesContainerAlone) {
  const JobStatus job = *standing(
      R"({"phase": "Running", "containerStatuses": [{"name": "case", "state": {"running": {}}},
          {"name": "proxy", "state": {"terminated": {"exitCode": 0}}}]})");
  EXPECT_FALSE(job.pods.at(0).ended);
}

TEST(KubernetesAnswers, OfTwoPodsInOnePlaceAreOfNeither) {
  const std::string pod = R"({"kind": "Pod", "metadata": {"labels": {"gate-launch": "g"}, "uid": ")";
  const auto states = kubernetes().states(said(R"({"items": [)" + pod + R"(a"}}, )" + pod + R"(b"}}]})"));
  EXPECT_EQ(states->at("g").pods.at(0).uid, "ab");
}

TEST(KubernetesAnswers, OfAFailedJobCountWhereNoPodIsLeft) {
  const auto states = kubernetes().states(said(
      R"({"items": [{"kind": "Job", "metadata": {"labels": {"gate-launch": "g"}}, "status": {"conditions":
              [{"type": "Failed", "status": "True", "reason": "BackoffLimitExceeded", "message": "m"}]}}]})"));
  EXPECT_EQ(states->at("g").phase, JobPhase::ended);
  EXPECT_EQ(states->at("g").outcome,
            Outcome(Vanished{"Kubernetes: its job failed: BackoffLimitExceeded, m"}));
}

TEST(KubernetesAnswers, OfACompleteJobCountWhereNoPodIsLeft) {
  const auto states = kubernetes().states(said(
      R"({"items": [{"kind": "Job", "metadata": {"labels": {"gate-launch": "g"}}, "status": {"conditions":
              [{"type": "Complete", "status": "True"}]}}]})"));
  EXPECT_EQ(states->at("g").phase, JobPhase::ended);
  EXPECT_EQ(states->at("g").outcome,
            Outcome(Vanished{"Kubernetes: its job is complete, and its pod is gone"}));
}

TEST(KubernetesAnswers, AreKnownOnlyWhereTheyAreWhole) {
  EXPECT_FALSE(kubernetes().states(complained("The connection to the server was refused")));
  EXPECT_FALSE(kubernetes().states(said("")));
  EXPECT_FALSE(kubernetes().states(said(R"({"items": )")));
  EXPECT_FALSE(kubernetes().states(said(R"({"items": {}})")));
  EXPECT_TRUE(kubernetes().states(said(R"({"items": []})")).value().empty());
  EXPECT_TRUE(
      kubernetes().states(said(R"({"items": [7, {"metadata": []}, {"kind": "Pod"}]})")).value().empty());
}

// --- a pod's log ---------------------------------------------------------------------------------

TEST(PodLog, TakesEachLineOnceThoughPiecesOverlap) {
  PodLog log;
  std::string output;
  EXPECT_EQ(log.since(), "");
  log.begin();
  log.feed(
      "2026-11-25T10:00:01.1Z a\n2026-11-25T10:00:02.1Z b\n2026-11-25T10:00:02.2Z b\n2026-11-25T10:00:02.3Z "
      "cu",
      output);
  EXPECT_EQ(output, "a\nb\nb\n");
  EXPECT_EQ(log.since(), "2026-11-25T10:00:02Z");
  log.begin();
  log.feed("2026-11-25T10:00:02.1Z b\n2026-11-25T10:00:02.2Z b\n2026-11-25T10:00:02.3Z cut\n", output);
  EXPECT_EQ(output, "a\nb\nb\ncut\n");
  log.begin();
  log.feed(
      "2026-11-25T10:00:02.1Z b\n2026-11-25T10:00:02.2Z b\n2026-11-25T10:00:02.3Z "
      "cut\n2026-11-25T10:00:03.1Z end",
      output);
  log.finish(output);
  EXPECT_EQ(output, "a\nb\nb\ncut\nend");
}

TEST(PodLog, KeepsTheTimeZoneAndEmptyLinesAndNoComplaints) {
  PodLog log;
  std::string output;
  log.feed("error: something\n2026-11-25T10:00:01.123456789+08:00 a b\n2026-11-25T10:00:01.2+08:00 \n",
           output);
  EXPECT_EQ(output, "a b\n\n");
  EXPECT_EQ(log.since(), "2026-11-25T10:00:01+08:00");
  EXPECT_TRUE(log.has_gap());
}

TEST(PodLog, SeesThatLinesAreMissing) {
  PodLog log;
  std::string output;
  log.feed("2026-11-25T10:00:01.1Z a\n2026-11-25T10:00:02.1Z b\n", output);
  EXPECT_FALSE(log.has_gap());
  log.begin();
  log.feed("2026-11-25T10:00:02.1Z b\n2026-11-25T10:00:03.1Z c\n", output);
  EXPECT_FALSE(log.has_gap());
  log.begin();
  log.feed("2026-11-25T10:00:09.1Z z\n", output);  // what was between was rotated away
  EXPECT_TRUE(log.has_gap());
}

// --- a node that speaks through a folder ---------------------------------------------------------

class FakeJob : public JobView {
 public:
  Known look() override { return known; }
  void cancel(bool) override { ++cancelled; }
  void show_life() override {}
  void leave(bool) override {}

  void stands(std::optional<JobStatus> state) { known = {true, std::move(state), SteadyClock::now()}; }

  Known known;
  int cancelled = 0;
};

class NodeInFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "gate_node_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder = JobFolder::make(fs::Path(name) / "job").value();
    node = node_in_folder(job, folder, 0, {std::chrono::hours(1), Duration{0}});
    job.stands(JobStatus{JobPhase::running});
  }
  void TearDown() override { std::filesystem::remove_all(folder.path().parent_path()); }

  void say(const NodeState& state) { ASSERT_TRUE(folder.write(state, 0)); }
  void print(const std::string& text) { ASSERT_TRUE(fs::append_file(folder.log(0), text)); }
  std::string output() {
    std::string all;
    node->read([&](std::string_view bytes) { return all += bytes, launch::More::wanted; });
    return all;
  }
  static NodeState ended(Outcome outcome, std::int64_t size) {
    NodeState state;
    state.process = {true, std::move(outcome), true, size};
    return state;
  }

  FakeJob job;
  JobFolder folder{""};
  std::unique_ptr<NodeProcess> node;
};

TEST_F(NodeInFolder, HasEndedOnceAllThatItWroteHasCome) {
  print("abc");
  say(ended(Exited{0}, 6));
  EXPECT_FALSE(node->ended());
  EXPECT_FALSE(node->is_empty());
  print("def");
  EXPECT_EQ(node->ended(), Outcome(Exited{0}));
  EXPECT_TRUE(node->is_empty());
  EXPECT_TRUE(node->is_clean());
  EXPECT_EQ(output(), "abcdef");
}

TEST_F(NodeInFolder, EndedByItsEngineEndsAsTheEngineSays) {
  NodeState state = ended(Killed{SIGTERM}, 0);
  state.told_to_end = true;
  say(state);
  job.known = {};
  JobStatus late{JobPhase::ended};
  late.outcome = TimedOut{};
  late.note = "Slurm: TIMEOUT";
  job.stands(late);
  EXPECT_EQ(node->ended(), Outcome(TimedOut{}));
  EXPECT_EQ(node->note(), "Slurm: TIMEOUT");
}

// A job that is requeued or cancelled is completing for a while before Slurm says so.
TEST_F(NodeInFolder, EndedByItsEngineWaitsForWhatTheEngineSays) {
  NodeState state = ended(Killed{SIGTERM}, 0);
  state.told_to_end = true;
  say(state);
  EXPECT_FALSE(node->ended());
  job.stands(JobStatus{JobPhase::pending});
  EXPECT_EQ(node->ended(), Outcome(Vanished{"Slurm took it off its nodes, to run it once more"}));
}

// The script may be gone before its agent hears that it is to end.
TEST_F(NodeInFolder, EndedBySignalEndsAsTheEngineSays) {
  node = node_in_folder(job, folder, 0, {std::chrono::hours(1), std::chrono::hours(1)});
  say(ended(Killed{SIGTERM}, 0));
  EXPECT_FALSE(node->ended());
  job.stands(JobStatus{JobPhase::pending});
  EXPECT_EQ(node->ended(), Outcome(Vanished{"Slurm took it off its nodes, to run it once more"}));
}

TEST_F(NodeInFolder, EndedBySignalOfItsOwnEndsSo) {
  node = node_in_folder(job, folder, 0, {std::chrono::hours(1), std::chrono::hours(1)});
  say(ended(Killed{SIGKILL}, 0));
  EXPECT_FALSE(node->ended());
  job.stands(JobStatus{JobPhase::ended});
  EXPECT_EQ(node->ended(), Outcome(Killed{SIGKILL}));
}

TEST_F(NodeInFolder, StoppedByGateEndsAsItSaysItself) {
  node->stop(launch::Force::ask);
  EXPECT_EQ(folder.order(0)->stop, launch::Force::ask);
  NodeState state = ended(Killed{SIGTERM}, 0);
  state.told_to_end = true;  // by a scancel of gate's own
  say(state);
  EXPECT_EQ(node->ended(), Outcome(Killed{SIGTERM}));
}

TEST_F(NodeInFolder, TakenOffItsNodesIsLost) {
  NodeState state;
  state.process.started = true;
  say(state);
  EXPECT_FALSE(node->ended());
  job.stands(JobStatus{JobPhase::pending});
  EXPECT_EQ(node->ended(), Outcome(Vanished{"Slurm took it off its nodes, to run it once more"}));
  EXPECT_EQ(job.cancelled, 1);
  EXPECT_EQ(folder.order(0)->stop, launch::Force::kill);  // if it runs on somewhere
  EXPECT_FALSE(node->is_clean());
}

TEST_F(NodeInFolder, BegunTwiceIsLost) {
  ASSERT_TRUE(fs::write_file(folder.again(0), ""));
  EXPECT_EQ(node->ended(), Outcome(Vanished{"Slurm began it a second time"}));
}

TEST_F(NodeInFolder, WhatWasKnownBeforeItBeganIsTooOld) {
  job.known.asked_at = {};
  job.known.state = JobStatus{JobPhase::pending};
  EXPECT_FALSE(node->ended());
}

TEST_F(NodeInFolder, TroubleOfItsAgentIsNoFaultOfTheScript) {
  NodeState state;
  state.host = "n1";
  state.process.empty = true;
  state.trouble = "log-0: no space left on device";
  say(state);
  EXPECT_EQ(node->ended(), Outcome(Vanished{"gate-agent on n1: " + state.trouble}));
  EXPECT_TRUE(node->is_empty());
}

TEST_F(NodeInFolder, FilesComeBackAsTheyWereWritten) {
  JobCommand command{request(2).nodes, Duration{5}, Duration{7}};
  command.nodes[1].setup = hostile;
  ASSERT_TRUE(folder.write(command));
  EXPECT_EQ(folder.command()->nodes[1].setup, hostile);
  EXPECT_EQ(folder.command()->gone_within, Duration{7});
  ASSERT_TRUE(folder.write(Master{"n1", 29500}));
  EXPECT_EQ(folder.master()->port, 29500);
  ASSERT_TRUE(fs::write_file(folder.path() / "master", "7:cut"));
  EXPECT_FALSE(folder.master());
  EXPECT_EQ(std::filesystem::status(folder.path()).permissions(), std::filesystem::perms::owner_all);
}

}  // namespace
}  // namespace gate::hosts::engines_test
