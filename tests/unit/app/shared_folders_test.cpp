#include "gate/places/shared_folders.h"

#include <gmock/gmock.h>

#include "gate/places/queue.h"

namespace gate::app::shared_folders_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// What a patch says that mounts these: `/PATH` or `/PATH:ro`.
std::string patch_with(const std::vector<std::string>& folders) {
  std::string mounts;
  for (const std::string& folder : folders) {
    const bool is_read_only = folder.ends_with(":ro");
    mounts += std::string(mounts.empty() ? "" : ",") + R"({"name": "c", "mountPath": ")" +
              folder.substr(0, folder.find(':')) + R"(", "readOnly": )" + (is_read_only ? "true}" : "false}");
  }
  return R"({"spec": {"template": {"spec": {"volumes": [{"name": "c"}], "containers": [{"name": "case",
             "volumeMounts": [)" +
         mounts + "]}]}}}}";
}

// A staged case with one output.
struct Shared {
  fs::Path suite = "/suites/a";
  RunOptions options;
  config::Case spec;

  explicit Shared(Backend backend, const std::vector<std::string>& volumes = {}) {
    spec.name = "infer";
    spec.cwd = "/suites/a";
    spec.settings.backend = backend;
    spec.settings.kubernetes.patched = patch_with(volumes);
    spec.settings.stages["download"].command = {"bash", "get.sh"};
    spec.settings.stages["download"].timeout = std::chrono::minutes(7);
    spec.settings.outputs["answer"].file = "out/*.txt";
  }

  // "": nothing is wrong.
  std::string mistake() const {
    const Status checked = check_shared_folders(suite, options, spec);
    return checked ? "" : checked.error().message;
  }
  std::string mistake_of(const std::string& file) {
    spec.settings.outputs["answer"].file = file;
    return mistake();
  }
};

TEST(SharedFolders, OfPodsLieBelowTheInnermostVolumeThatTheyCanWriteTo) {
  EXPECT_EQ(Shared(Backend::kubernetes, {"/suites"}).mistake(), "");
  EXPECT_EQ(Shared(Backend::kubernetes, {"/suites/a/"}).mistake(), "");
  EXPECT_EQ(Shared(Backend::kubernetes, {"/"}).mistake(), "");
  EXPECT_EQ(Shared(Backend::kubernetes, {"/suites:ro", "/suites/a"}).mistake(), "");
  for (const std::vector<std::string>& volumes :
       {std::vector<std::string>{}, {"/suites:ro"}, {"/suites/ab"}, {"/suites", "/suites/a:ro"}})
    EXPECT_THAT(Shared(Backend::kubernetes, volumes).mistake(),
                HasSubstr("/suites/a/.gate/runs/RUN/infer/stages, which is below no volume"));
}

TEST(SharedFolders, AreThoseThatOptionsName) {
  Shared shared(Backend::kubernetes, {"/suites", "/shared"});
  shared.options.stages_folder = "/shared/1";
  EXPECT_EQ(shared.mistake_of("{stages}/answer.txt"), "");
  shared.options.stages_folder = "/elsewhere";
  EXPECT_THAT(shared.mistake(), HasSubstr("its stages share /elsewhere"));
  shared.options = {};
  shared.options.out = "/shared/run";
  EXPECT_EQ(shared.mistake_of("{scratch}/answer.txt"), "");
  shared.options.out = "/elsewhere/run";
  EXPECT_THAT(shared.mistake(), HasSubstr("/elsewhere/run/infer/stages"));
}

TEST(SharedFolders, HoldTheFilesOfOutputs) {
  Shared pods(Backend::kubernetes, {"/suites"});
  EXPECT_EQ(pods.mistake_of("/suites/x/answer.txt"), "");
  EXPECT_THAT(pods.mistake_of("/tmp/ans*/a.txt"), HasSubstr("output answer: its file /tmp/ans*/a.txt"));
  EXPECT_THAT(pods.mistake_of("../../answer.txt"), HasSubstr("kubernetes.patch"));
  Shared nodes(Backend::slurm);
  for (const char* file : {"out/*.txt", "{stages}/a.txt", "{scratch}/a.txt", "/suites/a/b/c.txt"})
    EXPECT_EQ(nodes.mistake_of(file), "") << file;
  for (const char* file : {"/tmp/a.txt", "../a.txt", "/suites/ab/c.txt"})
    EXPECT_THAT(nodes.mistake_of(file), HasSubstr("may be another folder on the nodes")) << file;
}

TEST(SharedFolders, MeanNothingWhereNoEngineRunsTheCase) {
  EXPECT_EQ(Shared(Backend::local).mistake_of("/tmp/a.txt"), "");
}

// What the engine is asked for to download.
hosts::JobRequest request_of_download(const Shared& shared) {
  PlannedCase planned;
  planned.spec = &shared.spec;
  planned.placement.shape.devices = 8;
  planned.placement.shape.nodes = 4;
  launch::ScriptFacts facts;
  facts.case_name = "infer";
  facts.run_id = "r";
  facts.run_folder = "/suites/a/.gate/runs/r";
  facts.case_folder = "/suites/a/.gate/runs/r/infer";
  facts.cookie = "r.infer.download";
  facts.stages = "/suites/a/.gate/runs/r/infer/stages";
  return stage_job_request(planned, facts, Stage::download, *stage_command(planned, facts, Stage::download));
}

TEST(StageJob, IsOneNodeWithoutDevicesAndElseLikeThatOfTheCase) {
  Shared shared(Backend::slurm);
  shared.spec.settings.env["MODEL"] = "qwen";
  shared.spec.settings.slurm.options = {"--partition=all",
                                        "--gres=gpu:8",
                                        "--mem=1G",
                                        "--gpus",
                                        "8",
                                        "-G",
                                        "8",
                                        "-G8",
                                        "--exclusive",
                                        "--qos",
                                        "q",
                                        "--gpus-per-node=8",
                                        "--tres-per-task=gres/gpu:1"};
  const hosts::JobRequest request = request_of_download(shared);
  EXPECT_EQ(request.devices, 0);
  EXPECT_EQ(request.name, "infer.download");
  EXPECT_THAT(request.slurm.options, ElementsAre("--partition=all", "--mem=1G", "--qos", "q"));
  EXPECT_GT(request.time, Duration(std::chrono::minutes(7)));
  ASSERT_EQ(request.nodes.size(), 1U);
  const launch::Command& command = request.nodes.front();
  EXPECT_THAT(command.argv, ElementsAre("bash", "get.sh"));
  EXPECT_THAT(command.needs, ElementsAre("/suites/a/.gate/runs/r/infer/stages"));
  EXPECT_EQ(command.env.at("GATE_STAGE"), "download");
  EXPECT_EQ(command.env.at("GATE_STAGES_DIR"), "/suites/a/.gate/runs/r/infer/stages");
  EXPECT_EQ(command.env.at("MODEL"), "qwen");
  EXPECT_EQ(command.env.at("NNODES"), "1");
  EXPECT_EQ(command.env.at("NPROC_PER_NODE"), "1");
}

}  // namespace
}  // namespace gate::app::shared_folders_test
