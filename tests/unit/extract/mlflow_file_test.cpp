#include "extract/events/mlflow_file.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "reading.h"

namespace gate::extract::mlflow_file_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Read {
  std::vector<std::string> values;
  std::vector<std::string> problems;
};

Read read(std::string_view path, std::string_view file, std::size_t piece = std::string::npos) {
  Read result;
  MlflowFile metric(path, {[&](const Scalar& s) {
                             result.values.push_back(std::string(s.tag) + "@" + std::to_string(s.step) + "=" +
                                                     std::string(s.word));
                           },
                           [&](ProblemKind kind, std::uint32_t, const Sentence& text) {
                             result.problems.push_back(std::string(to_string(kind)) + ": " + text.english());
                           }});
  for (std::size_t at = 0; at < file.size(); at += std::min(piece, file.size()))
    metric.feed(file.substr(at, piece));
  metric.finish();
  return result;
}

constexpr std::string_view two = "1700000000000 2.5 1\n1700000001000 nan 2\n";

TEST(MlflowFile, is_told_by_its_first_line) {
  EXPECT_TRUE(looks_like_mlflow(two));
  EXPECT_TRUE(looks_like_mlflow("1700000000000 1e-05 -3 data 0a1b\n"));
  for (const char* text :
       {"", "1700000000000", "1700000000000 2.5\n", "17000000 2.5 1\n", "1700000000000 x 1\n",
        "1700000000000 2.5 1.5\n", "170000000000000 2.5 1\n", "step 1 loss 2.5\n"})
    EXPECT_FALSE(looks_like_mlflow(text)) << text;
  EXPECT_TRUE(may_become_mlflow("1700000000000 2."));
  EXPECT_FALSE(may_become_mlflow(two));
  EXPECT_FALSE(may_become_mlflow("1700000000000 " + std::string(300, '1')));
}

TEST(MlflowFile, has_the_name_of_its_path) {
  for (const auto& [path, name] :
       std::vector<std::pair<std::string, std::string>>{{"mlruns/0/ab/metrics/train/loss", "train/loss"},
                                                        {"metrics/loss", "loss"},
                                                        {"./train/loss", "train/loss"},
                                                        {"/tmp/loss", "loss"},
                                                        {"/data/metrics/0/ab/metrics/loss", "loss"},
                                                        {"my_metrics/loss", "my_metrics/loss"}})
    EXPECT_THAT(read(path, two).values, ElementsAre(name + "@1=2.5", name + "@2=nan")) << path;
  const auto run_of = [](std::string_view path) { return std::string(MlflowFile(path, {}).run()); };
  EXPECT_EQ(run_of("0/ab/metrics/loss"), run_of("0/ab/metrics/train/lr"));
  EXPECT_NE(run_of("0/ab/metrics/loss"), run_of("0/cd/metrics/loss"));
  EXPECT_EQ(run_of("loss"), run_of("train/lr"));
}

TEST(MlflowFile, cut_anywhere_gives_whole_lines) {
  for (std::size_t size = 1; size < two.size(); ++size) {
    const Read cut = read("loss", two.substr(0, size), 3);
    const bool is_whole = size == two.find('\n') + 1;
    EXPECT_EQ(cut.values.size(), size > two.find('\n') ? 1U : 0U) << size;
    EXPECT_EQ(cut.problems.empty(), is_whole) << size;
    EXPECT_THAT(cut.problems, testing::Each(testing::StartsWith("torn: "))) << size;
  }
}

TEST(MlflowFile, says_which_lines_are_none) {
  const Read result =
      read("loss", "1700000000000 2.5 1\nx\n1700000000000 1 1 1 \x1b\r\n" + std::string(5000, '1') +
                       "\n1700000000000 2 9999999999999999999\n1700000000000 2 -1\n");
  EXPECT_THAT(result.values, ElementsAre("loss@1=2.5", "loss@1=1", "loss@-1=2"));
  EXPECT_THAT(result.problems, ElementsAre("malformed: record 2 at byte 20: no time, value and step: x",
                                           HasSubstr("record 4"), HasSubstr("record 5")));
}

// Metrics of a run, one file each; W&B's and MLflow's beside one another are told apart in wandb_runs_test.
TEST(MlflowRuns, are_read_as_one) {
  const Extraction x = read_named({{"r/metrics/eval_loss", "1700000000000 1.5 2\n"},
                                   {"r/metrics/loss", "1700000000000 2.5 1\n1700000000000 2 2\n"},
                                   {"r/metrics/system/cpu", "1700000000000 50 7\n"},
                                   {"r/metrics/train/loss", "1700000000000 9 1\n"}});
  EXPECT_EQ(words(x, "lm_loss"), "1=2.5 2=2");
  EXPECT_EQ(words(x, "validation_loss"), "2=1.5");
  EXPECT_THAT(x.formats, ElementsAre("mlflow"));
  EXPECT_THAT(x.notes, ElementsAre(HasSubstr("`system/cpu`"),
                                   HasSubstr("an earlier tag means the same metric: `train/loss`")));
}

TEST(MlflowRuns, that_were_resumed_have_attempts) {
  const auto steps = [](int first, int last, const std::string& value) {
    std::string lines;
    for (int step = first; step <= last; ++step)
      lines += "1700000000000 " + value + " " + std::to_string(step) + "\n";
    return lines;
  };
  const Extraction x = read_named({{"r/metrics/grad_norm", steps(1, 4, "1") + steps(3, 5, "2")},
                                   {"r/metrics/loss", steps(1, 4, "3") + steps(3, 5, "4")}});
  EXPECT_EQ(words(x, "lm_loss"), "1=3 2=3 3=4 4=4 5=4");
  EXPECT_EQ(words(x, "grad_norm"), "1=1 2=1 3=2 4=2 5=2");
  EXPECT_EQ(x.attempts.size(), 2U);
}

TEST(MlflowRuns, are_no_logs_that_a_pattern_reads) {
  Options options;
  options.patterns.push_back({"mine", R"(^\d+ (?P<value>\S+) (?P<step>\d+)$)"});
  EXPECT_EQ(words(read_named({{"loss.txt", std::string(two)}}, options), "mine"), "1=2.5 2=nan");
  EXPECT_EQ(words(read_named({{"metrics/loss", std::string(two)}}, options), "lm_loss"), "1=2.5 2=nan");
}

}  // namespace
}  // namespace gate::extract::mlflow_file_test
