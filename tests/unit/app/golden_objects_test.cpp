// Golden files, inputs and results that are objects of a store.
#include <gmock/gmock.h>

#include <fstream>

#include "gate/judging/case_outputs.h"
#include "made_up_host.h"
#include "made_up_objects.h"

namespace gate::app::golden_objects_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;

class Objects : public MadeUpHost {
 protected:
  Objects() {
    objects = store;
    script("answers");
    with_case("s3://b/golden/{case}.txt", "s3://b/results/{case}");
    Play play{""};
    play.meanwhile = [this] { put("scripts/answer.txt", answer); };
    runner.plays("answers", {play});
    store->all = {
        {"s3://b/golden/answers.txt", "a b c d e\n"}, {"s3://b/in/deep/x", "1"}, {"s3://b/in/y", "2"}};
  }

  void with_case(const std::string& golden, const std::string& to) {
    policy(
        "[suite]\ncwd = \"scripts\"\n[case.answers]\nstages.download.from = "
        "[\"s3://b/in/\"]\nstages.upload.to = \"" +
        to + "\"\noutputs.answer = { file = \"" + (root / "scripts/answer.txt").string() + "\", golden = \"" +
        golden + "\", metric = \"exact_match\", tolerance = \">= 1\" }\n");
  }

  std::shared_ptr<MadeUpObjects> store = std::make_shared<MadeUpObjects>();
  std::string answer = "a b c d e\n";
};

TEST_F(Objects, AreFetchedAndPut) {
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "answers passed") << report.cases[0].reason.english();
  EXPECT_THAT(store->fetched, ElementsAre("s3://b/in/", "s3://b/golden/answers.txt"));
  EXPECT_EQ(store->all["s3://b/results/answers/answer.txt"], answer);
  EXPECT_THAT(store->all, Contains(Key("s3://b/results/answers/test_result.json")));
}

TEST_F(Objects, JudgeAsFilesDo) {
  answer = "a b x d e\n";
  EXPECT_EQ(verdicts(ran()), "answers regressed");
}

TEST_F(Objects, ThatDoNotComeStopTheCase) {
  with_case("s3://b/golden/none.txt", "s3://b/results/");
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "answers infra");
  EXPECT_THAT(report.cases[0].reason, HasSubstr("s3://b/golden/none.txt: there is no such object"));
  EXPECT_THAT(runner.launched(), testing::IsEmpty());
}

// What a proxy tells in their place makes no miss.
TEST_F(Objects, ThatAreNoGoldenFilesStopTheCase) {
  for (const char* text :
       {"<!DOCTYPE html><html>log in</html>", "<Error><Code>AccessDenied</Code></Error>"}) {
    store->all["s3://b/golden/answers.txt"] = text;
    const Report report = ran();
    EXPECT_EQ(verdicts(report), "answers infra");
    EXPECT_THAT(report.cases[0].reason, HasSubstr("s3://b/golden/answers.txt: is "));
    EXPECT_THAT(report.cases[0].reason, HasSubstr("and no golden file"));
  }
  EXPECT_THAT(runner.launched(), testing::IsEmpty());
}

TEST_F(Objects, ThatAreNotTakenAreAProblem) {
  with_case("s3://b/golden/{case}.txt", "s3://b/refused/");
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "answers infra");
  EXPECT_THAT(report.cases[0].reason, HasSubstr("refused"));
}

TEST_F(Objects, ThatNoCredentialsAreForAreKnownBeforeTheLaunch) {
  with_case("s3://b/golden/{case}.txt", "s3://locked/results/");
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "answers infra");
  EXPECT_EQ(report.cases[0].reason, "stage upload: s3://locked/results/: no credentials");
  EXPECT_THAT(report.cases[0].problems, testing::IsEmpty());
  EXPECT_THAT(runner.launched(), testing::IsEmpty());
}

TEST_F(Objects, OfGoldenFilesAreNeverWritten) {
  store->all["s3://b/results/answers/answer.txt"] = "a b c d e\n";
  with_case("s3://b/results/{case}/answer.txt", "s3://b/results/{case}");
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "answers infra");
  EXPECT_THAT(report.cases[0].reason, HasSubstr("s3://b/results/answers/answer.txt: is the golden file"));
}

// Whatever is put there, by its name or by another one of its bucket.
TEST_F(Objects, OfGoldenFilesOfAnyCaseAreNeverWritten) {
  for (const char* golden : {"s3:///results/answers/answer.txt", "s3://b/results/answers/execution.log",
                             "s3://b/results/answers/test_result.json"}) {
    store->all[golden] = "a b c d e\n";
    with_case(golden, "s3://b/results/{case}");
    const Report report = ran();
    EXPECT_EQ(verdicts(report), "answers infra") << golden;
    EXPECT_THAT(report.cases[0].reason, HasSubstr("is the golden file")) << golden;
  }
  script("other");
  with_case("s3://b/golden/{case}.txt", "s3://b/results/{case}");
  put("gate.toml",
      get("gate.toml") +
          "[case.other]\noutputs.x = { file = \"x\", golden = "
          "\"s3://b/results/answers/answer.txt\", metric = \"exact_match\", tolerance = \">= 1\" }\n");
  EXPECT_THAT(case_of(ran(), "answers").reason,
              HasSubstr("s3://b/results/answers/answer.txt: is the golden"));
}

// A script that fails for a reason of the host's writes what it is held against, and is launched again.
TEST_F(Objects, AreFetchedForEachLaunch) {
  answer = "x\n";
  Play tampering{""};
  tampering.outcome = Exited{1};
  tampering.log = "RuntimeError: CUDA error: uncorrectable ECC error encountered\n";
  tampering.meanwhile = [this] {
    put("scripts/answer.txt", answer);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / ".gate"))
      if (entry.path().parent_path().filename() == "golden") std::ofstream(entry.path()) << answer;
  };
  Play plain{""};
  plain.meanwhile = [this] { put("scripts/answer.txt", answer); };
  runner.plays("answers", {tampering, plain});
  RunOptions options;
  options.retry_infra = 1;
  EXPECT_EQ(verdicts(ran(options)), "answers regressed");
  EXPECT_THAT(runner.launched(), testing::SizeIs(2));
}

TEST_F(Objects, ThatAreOthersAtASecondLaunchStopTheCase) {
  Play failing{"RuntimeError: CUDA error: uncorrectable ECC error encountered\n"};
  failing.outcome = Exited{1};
  failing.meanwhile = [this] { store->all["s3://b/golden/answers.txt"] = answer = "x\n"; };
  Play plain{""};
  plain.meanwhile = [this] { put("scripts/answer.txt", answer); };
  runner.plays("answers", {failing, plain});
  RunOptions options;
  options.retry_infra = 1;
  const Report report = ran(options);
  EXPECT_EQ(verdicts(report), "answers infra");
  EXPECT_THAT(report.cases[0].reason, HasSubstr("is not what it was when the run fetched it first"));
}

TEST_F(Objects, AreFetchedAnewWhereARunIsTakenUp) {
  policy("[suite]\ncwd = \"scripts\"\n[case.answers]\noutputs.answer = { file = \"" +
         (root / "scripts/answer.txt").string() +
         "\", golden = \"s3://b/golden/{case}.txt\", metric = \"exact_match\", tolerance = \">= 1\" }\n");
  Play cut{""};
  cut.meanwhile = [this] { signal = 15; };
  runner.plays("answers", {cut});
  EXPECT_EQ(verdicts(ran()), "answers interrupted");
  signal.reset();
  store->all["s3://b/golden/answers.txt"] = "another\n";
  Play plain{""};
  plain.meanwhile = [this] { put("scripts/answer.txt", answer); };
  runner.plays("answers", {plain});
  RunOptions resuming;
  resuming.resume = "";
  EXPECT_EQ(verdicts(ran(resuming)), "answers regressed");
}

// What a download left that failed, or brought what is there no more, is not the next one's.
TEST_F(Objects, ThatAreThereNoMoreAreNotBrought) {
  const std::string stages = (root / "shared").string();
  policy(
      "[suite]\ncwd = \"scripts\"\n[case.answers]\nstages.download.from = [\"s3://b/in/\", \"s3://b/zz\"]\n"
      "outputs.answer = { file = \"" +
      (root / "scripts/answer.txt").string() +
      "\", golden = \"{stages}/y\", metric = \"exact_match\", tolerance = \">= 1\" }\n");
  answer = "2";
  RunOptions options;
  options.stages_folder = stages;
  EXPECT_THAT(ran(options).cases[0].reason, HasSubstr("s3://b/zz: there is no such object"));
  EXPECT_FALSE(fs::exists(root / "shared/y"));
  store->all["s3://b/zz"] = "3";
  EXPECT_EQ(verdicts(ran(options)), "answers passed");
  EXPECT_TRUE(fs::exists(root / "shared/y"));
  store->all.erase("s3://b/in/y");
  EXPECT_NE(verdicts(ran(options)), "answers passed");
  EXPECT_FALSE(fs::exists(root / "shared/y"));
  EXPECT_TRUE(fs::exists(root / "shared/deep/x"));
}

TEST_F(Objects, ThatAreCalledAsGatesOwnFilesAreNotBrought) {
  for (const char* name : {"download.log", "upload.log", ".fetched/x", "golden/x", ".brought"}) {
    const auto before = store->all;
    store->all[std::string("s3://b/in/") + name] = "x";
    const Report report = ran();
    EXPECT_EQ(verdicts(report), "answers infra") << name;
    EXPECT_THAT(report.cases[0].reason, HasSubstr("already; name it otherwise")) << name;
    store->all = before;
  }
}

TEST_F(Objects, AreNotWaitedForBeyondTheLimits) {
  store->meanwhile = [this] { time.pass(std::chrono::minutes(2)); };
  RunOptions options;
  options.deadline = std::chrono::minutes(1);
  EXPECT_EQ(verdicts(ran(options)), "answers not_run");
  put("gate.toml", get("gate.toml") + "stages.download.timeout = \"1m\"\n");
  EXPECT_THAT(ran().cases[0].reason, HasSubstr("s3://b/in/: was not done within timeout 1m"));
  policy(
      "[suite]\ncwd = \"scripts\"\n[case.answers]\ntimeout = \"1m\"\noutputs.answer = { file = \"x\", golden "
      "= "
      "\"s3://b/golden/{case}.txt\", metric = \"exact_match\", tolerance = \">= 1\" }\n");
  EXPECT_THAT(ran().cases[0].reason, HasSubstr("golden/answers.txt: was not done within timeout 1m"));
  EXPECT_THAT(runner.launched(), testing::IsEmpty());
}

TEST_F(Objects, WithoutAStoreNothingIsReached) {
  objects = nullptr;
  EXPECT_THAT(ran().cases[0].reason, HasSubstr("s3://b/results/answers/: no store is reached from here"));
}

TEST(GoldenObjects, LieBesideTheStages) {
  config::CaseOutput output;
  output.golden = {"/a/golden.txt", "{stages}/golden.txt", "s3://b/one/golden.json",
                   "s3://b/two/golden.json"};
  const std::vector<fs::Path> files = golden_files(output, "/run/stages");
  ASSERT_EQ(files.size(), 4u);
  EXPECT_EQ(files[0], "/a/golden.txt");
  EXPECT_EQ(files[1], "/run/stages/golden.txt");
  EXPECT_EQ(files[2].parent_path(), "/run/stages/golden");
  EXPECT_EQ(files[2].extension(), ".json");
  EXPECT_NE(files[2], files[3]);
}

}  // namespace
}  // namespace gate::app::golden_objects_test
