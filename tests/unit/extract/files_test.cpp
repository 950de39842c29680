// Several files of one run.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "gate/base/text.h"
#include "reading.h"

namespace gate::extract::files_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Files = std::vector<std::pair<std::string, std::string>>;  // name and text

Extraction read_files(const Files& files, Options options = {}) {
  Extractor extractor = make(std::move(options));
  for (const auto& [name, text] : files) {
    extractor.begin_file(name);
    extractor.feed(text);
  }
  return extractor.finish();
}

// All series of all attempts, without the places where they stand.
std::string values(const Extraction& x) {
  std::string out;
  for (const Attempt& attempt : x.attempts) {
    out += "attempt " + std::to_string(attempt.first_step) + "-" + std::to_string(attempt.last_step) + "\n";
    for (const Series& series : attempt.series) out += label(series) + " " + words(series) + "\n";
  }
  for (const Series& series : x.series) out += "judged " + label(series) + " " + words(series) + "\n";
  return out;
}

std::string megatron_step(int step, const std::string& loss) {
  return " iteration " + std::to_string(step) + "/ 4 | lm loss: " + loss +
         " | number of nan iterations:   0 |\n";
}

std::string memory(int rank, int step) {
  const std::string number = std::to_string(100 * rank + step);
  return "[Rank " + std::to_string(rank) + "] (after " + std::to_string(step) +
         " iterations) memory (MB) | allocated: " + number + ".0 | max allocated: " + number +
         ".5 | reserved: 900.0 | max reserved: 900.0\n";
}

// What each of 8 ranks prints: memory, and the last one the steps. The run begins twice.
Files per_rank() {
  Files files;
  for (int rank = 0; rank < 8; ++rank) {
    std::string text;
    for (int attempt = 0; attempt < 2; ++attempt)
      for (int step = 1; step <= 4 - 2 * (1 - attempt); ++step) {
        if (rank == 7) text += megatron_step(step, std::to_string(3 - attempt) + "." + std::to_string(step));
        if (step < 3) text += memory(rank, step);
      }
    files.emplace_back("rank" + std::to_string(rank) + ".log", text);
  }
  return files;
}

// The same as a launcher shows it: line by line, each with its rank before it.
std::string merged(const Files& files) {
  std::string log;
  std::vector<std::vector<std::string_view>> lines;
  std::size_t most = 0;
  for (const auto& [name, text] : files) most = std::max(most, lines.emplace_back(split(text, '\n')).size());
  for (std::size_t line = 0; line < most; ++line)
    for (std::size_t rank = 0; rank < files.size(); ++rank)
      if (line < lines[rank].size() && !lines[rank][line].empty())
        log += "[default" + std::to_string(rank) + "]:" + std::string(lines[rank][line]) + "\n";
  return log;
}

TEST(Files, of_ranks_give_in_any_order_what_the_merged_log_gives) {
  Files files = per_rank();
  const std::string whole = values(read_log(merged(files)));
  EXPECT_THAT(whole, testing::HasSubstr("judged lm_loss 1=2.1 2=2.2 3=2.3 4=2.4\n"));
  EXPECT_THAT(whole, testing::HasSubstr("judged memory_allocated rank 7 1=701.0 2=702.0\n"));
  for (int turn = 0; turn < 8; ++turn) {
    EXPECT_EQ(values(read_files(files)), whole);
    std::rotate(files.begin(), files.begin() + 1, files.end());
  }
  std::reverse(files.begin(), files.end());
  EXPECT_EQ(values(read_files(files)), whole);
}

std::string titan(int rank, int step) {
  return "step:  " + std::to_string(step) + "  loss:  8.5  grad_norm:  0.5  memory:  9.0" +
         std::to_string(rank) + "GiB(60.00%)  tps: " + std::to_string(100 + rank) +
         "  tflops: 0.52  mfu: 0.17%\n";
}

TEST(Files, are_of_the_rank_that_their_name_tells) {
  Files files;
  std::string log;
  for (const int rank : {0, 1, 12}) {
    files.emplace_back("logs/" + std::to_string(rank) + "/stdout.log", titan(rank, 1) + titan(rank, 2));
    for (const int step : {1, 2}) log += "[rank" + std::to_string(rank) + "]:" + titan(rank, step);
  }
  const Extraction x = read_files(files);
  EXPECT_EQ(words(x, "tokens_per_second", 12), "1=112 2=112");
  EXPECT_EQ(words(x, "lm_loss"), "1=8.5 2=8.5");
  EXPECT_THAT(x.problems, IsEmpty());
  EXPECT_EQ(values(x), values(read_log(log)));
}

TEST(Files, are_of_the_rank_that_is_said) {
  Extractor extractor = make();
  extractor.begin_file("worker_7.log", 3);
  extractor.feed(titan(3, 1));
  EXPECT_EQ(words(extractor.finish(), "tokens_per_second", 3), "1=103");
}

TEST(Files, take_turns) {
  Extractor extractor = make();
  extractor.begin_file("worker_0.log");
  extractor.feed(titan(0, 1) + "step:  2  loss:  8.5  grad");
  extractor.begin_file("worker_1.log");
  extractor.feed(titan(1, 1));
  extractor.resume_file(0);
  extractor.feed("_norm:  0.5  memory:  9.00GiB(60.00%)  tps: 100  tflops: 0.52  mfu: 0.17%\n");
  extractor.resume_file(1);
  extractor.feed(titan(1, 2));
  const Files files{{"worker_0.log", titan(0, 1) + titan(0, 2)}, {"worker_1.log", titan(1, 1) + titan(1, 2)}};
  EXPECT_EQ(dump(extractor.finish()), dump(read_files(files)));
}

TEST(Files, a_value_without_a_step_belongs_to_its_own_file) {
  Options options;
  options.patterns = {{"score", R"(score (?P<value>\S+))"}};
  const Extraction x =
      read_files({{"a.log", megatron_step(1, "2.5")}, {"b.log", "score 0.5\n"}}, std::move(options));
  EXPECT_EQ(words(x, "score"), "no series");
  EXPECT_THAT(problems(x, ProblemKind::malformed), ElementsAre(testing::HasSubstr("a value without a step")));
}

TEST(Files, that_end_within_a_word_lose_that_word) {
  const Extraction x = read_log(
      "step:  1  loss:  8.5  grad_norm:  0.5  memory:  9.00GiB(60.00%)  tps: 7  tflops: 0.52  mfu: 0.1");
  EXPECT_EQ(words(x, "tokens_per_second"), "1=7");
  EXPECT_EQ(words(x, "mfu"), "no series");
  EXPECT_THAT(problems(x, ProblemKind::cut_off), ElementsAre(testing::HasSubstr("record cut off")));
}

TEST(Files, reports_on_step_lines_are_counted_by_attempt) {
  const Extraction x =
      read_log(titan(0, 10) + titan(0, 20) + titan(0, 20) + titan(0, 30) + titan(0, 10) + titan(0, 20));
  EXPECT_EQ(words(x.attempts[0].series.back()), "1=9.00GiB(60.00%) 2=9.00GiB(60.00%) 3=9.00GiB(60.00%)");
  EXPECT_EQ(words(x, "memory_max_reserved"), "1=9.00GiB(60.00%) 2=9.00GiB(60.00%)");
}

}  // namespace
}  // namespace gate::extract::files_test
