// W&B's offline files beside logs, and several of them; folders of runs; links to runs.
#include <gmock/gmock.h>

#include "gate/extract/tracked_runs.h"
#include "reading.h"
#include "wandb_writer.h"

namespace gate::extract::wandb_runs_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string steps(const std::string& id, int first, int last, const std::string& value) {
  std::vector<std::string> records{wandb::run(id)};
  for (int step = first; step <= last; ++step) records.push_back(wandb::loss(step, value));
  return wandb::file_of(records);
}

TEST(WandbRuns, that_were_resumed_go_on_in_a_file_of_their_own) {
  const Extraction x = read_named({{"w/run-1-abc/run-abc.wandb", steps("abc", 1, 4, "2.5")},
                                   {"w/run-2-abc/run-abc.wandb", steps("abc", 3, 5, "1.5")}});
  EXPECT_EQ(words(x, "lm_loss"), "1=2.5 2=2.5 3=1.5 4=1.5 5=1.5");
  EXPECT_THAT(x.notes, ElementsAre("attempt 2 of 2 is judged: steps 3-5",
                                   "steps 1-2 come from attempt 1: attempt 2 resumed at step 3"));
}

TEST(WandbRuns, of_two_ids_are_two_sources_also_in_one_folder) {
  const Extraction x =
      read_named({{"w/a.wandb", steps("a", 1, 2, "2.5")}, {"w/b.wandb", steps("b", 1, 2, "1.5")}});
  EXPECT_THAT(problems(x, ProblemKind::conflict),
              ElementsAre(HasSubstr("lm_loss printed as 2.5 and as 1.5"),
                          HasSubstr("lm_loss printed as 2.5 and as 1.5")));
}

TEST(WandbRuns, give_way_to_what_the_log_prints) {
  const Extraction x = read_named(
      {{"train.log", " iteration 1/ 1 | lm loss: 2.500001E+00 | number of nan iterations:   0 |\n"},
       {"run-a.wandb", steps("a", 1, 1, "2.5")}});
  EXPECT_EQ(words(x, "lm_loss"), "1=2.500001E+00");
  EXPECT_THAT(x.formats, ElementsAre("megatron", "wandb"));
}

TEST(WandbRuns, without_a_value_say_so) {
  const Extraction x = read_named({{"run-a.wandb", wandb::beginning}});
  EXPECT_THAT(problems(x, ProblemKind::unreadable), ElementsAre("1: no scalar that is read"));
}

std::vector<std::string> left(std::vector<std::string> paths, KeptConsole console = KeptConsole::read) {
  leave_out_beside_runs(paths, console);
  return paths;
}

TEST(TrackedRuns, are_read_without_what_lies_beside_them) {
  EXPECT_THAT(left({"wandb/debug.log", "wandb/run-1-a/files/config.yaml", "wandb/run-1-a/files/output.log",
                    "wandb/run-1-a/files/wandb-summary.json", "wandb/run-1-a/logs/debug-internal.log",
                    "wandb/run-1-a/run-a.wandb", "train.log", "logs/debug.log"}),
              ElementsAre("wandb/run-1-a/files/output.log", "wandb/run-1-a/run-a.wandb", "train.log",
                          "logs/debug.log"));
  EXPECT_THAT(left({"files/wandb-summary.json", "run-a.wandb"}), ElementsAre("run-a.wandb"));
  EXPECT_THAT(left({"files/output.log", "run-a.wandb"}, KeptConsole::left_out), ElementsAre("run-a.wandb"));
  EXPECT_THAT(left({"files/wandb-summary.json"}), ElementsAre("files/wandb-summary.json"));
  EXPECT_THAT(left({"0/ab/artifacts/log.txt", "0/ab/meta.yaml", "0/ab/metrics/train/loss", "0/ab/params/lr",
                    "0/meta.yaml", "params/train.log"}),
              ElementsAre("0/ab/metrics/train/loss", "0/meta.yaml", "params/train.log"));
  EXPECT_THAT(left({"meta.yaml", "metrics/loss", "tags/x", "x.log"}), ElementsAre("metrics/loss", "x.log"));
}

std::vector<std::string> notes_on(const std::string& lines) {
  return texts_of(read_named({{"train.log", " iteration 1/ 1 | lm loss: 2.5E+00 |\n" + lines}}).notes,
                  &Sentence::english);
}

TEST(TrackerLinks, are_notes) {
  EXPECT_THAT(
      notes_on(
          "\x1b[34m\x1b[1mwandb\x1b[0m: 🚀 View run at \x1b[34m\x1b[4mhttps://wandb.ai/a/b/runs/1\x1b[0m\n"
          "wandb: ⭐️ View project at https://wandb.ai/a/b\n"
          "wandb: 🚀 View run brisk lake at: https://wandb.ai/a/b/runs/2\r\n"
          "🏃 View run x at: http://127.0.0.1:5000/#/experiments/0/runs/3\n"
          "swanlab: 🚀 View run at https://swanlab.cn/@a/b/runs/4?apiKey=0123\n"),
      ElementsAre("MLflow run http://127.0.0.1:5000/#/experiments/0/runs/3",
                  "SwanLab run https://swanlab.cn/@a/b/runs/4", "W&B run https://wandb.ai/a/b/runs/2"));
}

TEST(TrackerLinks, are_of_the_web_and_plain) {
  EXPECT_THAT(
      notes_on("wandb: View run at javascript:alert(1)\nwandb: View run at https://\n"
               "wandb: View run at https://x/<b>\nwandb: View run at https://x/\"y\nView run at https://x/1\n"
               "wandb: View run at https://me:secret@x/1\nwandb: View run at https:///x\nwandb: View run at "
               "https://x/é\nwandb: View run at https://x/" +
               std::string(500, 'a') + "\n"),
      testing::IsEmpty());
}

}  // namespace
}  // namespace gate::extract::wandb_runs_test
