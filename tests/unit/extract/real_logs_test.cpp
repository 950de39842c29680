// Public logs of real runs, where they are at hand.
#include <gmock/gmock.h>

#include <re2/re2.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "reading.h"

namespace gate::extract::real_logs_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class RealLogs : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no logs of real runs in " << folder;
  }
  static Extraction read_file(const std::string& name) { return read_log(file_text(folder + name)); }

  inline static const std::string folder = GATE_SOURCE_DIR "/../shared/data/logs/";
};

std::size_t size_of(const Extraction& x, std::string_view metric, std::optional<int> rank = {}) {
  const Series* series = find_series(x.series, metric, rank);
  return series == nullptr ? 0 : series->size();
}

TEST_F(RealLogs, a_run_of_15_steps_with_torn_reports) {
  const Extraction x = read_file("megatron-1729544.log");
  EXPECT_EQ(size_of(x, "lm_loss"), 15U);
  Decimal sum{0, 0};
  const SampleTape& samples = find_series(x.series, "throughput", {})->samples();
  for (auto it = samples.end() - 10; it != samples.end(); ++it) sum = *add(sum, it->value.number);
  EXPECT_EQ(sum, *Decimal::parse("1341.7"));
  EXPECT_EQ(words(x, "memory_allocated", 0), "1=14233.44 2=14233.44");
  EXPECT_EQ(words(x, "memory_max_allocated", 0), "1=19016.06 2=28940.23");
  EXPECT_EQ(words(x, "memory_max_reserved", 0), "1=19956.00 2=30232.00");
  EXPECT_THAT(problems(x, ProblemKind::torn),
              ElementsAre("932: one record over lines 932 and 933, put together"));
  EXPECT_EQ(x.total, 15);
}

TEST_F(RealLogs, a_broken_run_that_went_on) {
  const Extraction x = read_file("megatron-1737333.log");
  EXPECT_THAT(
      problems(x, ProblemKind::left_out),
      ElementsAre("930: step 1: no lm loss printed, grad norm nan", "941: step 2: no lm loss printed"));
  EXPECT_THAT(problems(x, ProblemKind::not_finite), ElementsAre("930: step 1: grad norm nan"));
  EXPECT_EQ(size_of(x, "lm_loss"), 15U);
}

TEST_F(RealLogs, a_warm_up_and_a_run_in_one_log) {
  const Extraction x = read_file("megatron-3108079.log");
  ASSERT_EQ(x.attempts.size(), 2U);
  EXPECT_EQ(x.attempts[0].last_step, 2);
  EXPECT_EQ(x.attempts[1].last_step, 416);
  EXPECT_EQ(x.total, 18141);
  EXPECT_EQ(words(x, "memory_max_allocated", 0), "1=68152.25 2=68449.36");
  EXPECT_EQ(words(*find_series(x.attempts[0].series, "memory_max_allocated", 0)), "1=56118.90 2=56416.07");
}

TEST_F(RealLogs, three_runs_on_two_hosts_in_one_log) {
  const Extraction x = read_file("megatron-deepspeed-context_dual16_tp4pp1dp4_20260325.log");
  ASSERT_EQ(x.attempts.size(), 3U);
  for (const Attempt& attempt : x.attempts)
    for (const int rank : {0, 1, 2, 3})
      EXPECT_EQ(find_series(attempt.series, "memory_allocated", rank)->size(), 1U);
  EXPECT_EQ(size_of(x, "lm_loss"), 20U);
  EXPECT_THAT(problems(x, ProblemKind::merged), ElementsAre("4945: 2 records on one line"));
}

TEST_F(RealLogs, five_hundred_steps_without_a_problem) {
  const Extraction x = read_file("megatron-deepspeed-logs_qwen7b_baseline_500.log");
  EXPECT_EQ(size_of(x, "lm_loss"), 500U);
  EXPECT_EQ(size_of(x, "validation_loss"), 5U);
  EXPECT_THAT(x.problems, IsEmpty());
}

TEST_F(RealLogs, five_hundred_steps_with_reports_merged_on_two_lines) {
  const Extraction x = read_file("megatron-deepspeed-logs_qwen7b_static_1305_500.log");
  ASSERT_EQ(x.attempts.size(), 1U);
  EXPECT_EQ(size_of(x, "lm_loss"), 500U);
  EXPECT_EQ(problems(x, ProblemKind::merged).size(), 2U);
  for (const int rank : {0, 1, 2, 3}) EXPECT_EQ(size_of(x, "memory_allocated", rank), 1U) << rank;
  EXPECT_EQ(x.problems.size(), 2U);
}

// The last step of each attempt, and the metrics that the iteration lines hold at each of them.
struct Shape {
  std::string_view file;
  std::vector<std::int64_t> steps;
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all{
      {"megatron-1729544.log", {15}},
      {"megatron-1737333.log", {15}},
      {"megatron-1737508.log", {15}},
      {"megatron-1769496.log", {15}},
      {"megatron-1772684.log", {15}},
      {"megatron-3108079.log", {2, 416}},
      {"megatron-deepspeed-context_dual16_tp4pp1dp4_20260325.log", {20, 20, 20}},
      {"megatron-deepspeed-logs_qwen7b_baseline_500.log", {500}},
      {"megatron-deepspeed-logs_qwen7b_static_1305_500.log", {500}},
  };
  return all;
}

TEST_F(RealLogs, hold_all_steps_of_all_attempts) {
  for (const Shape& shape : shapes()) {
    const Extraction x = read_file(std::string(shape.file));
    EXPECT_THAT(x.formats, ElementsAre("megatron")) << shape.file;
    std::vector<std::int64_t> steps;
    for (const Attempt& attempt : x.attempts) {
      steps.push_back(attempt.last_step);
      EXPECT_EQ(attempt.first_step, 1) << shape.file;
      for (const char* metric : {"lm_loss", "grad_norm", "iteration_time", "throughput", "loss_scale"})
        EXPECT_EQ(find_series(attempt.series, metric, {})->size(), attempt.last_step)
            << shape.file << ' ' << metric;
    }
    EXPECT_EQ(steps, shape.steps) << shape.file;
  }
}

// All lines that samples or problems stand for; a record over two lines has a problem that names both.
std::set<std::uint32_t> known_lines(const Extraction& x) {
  std::set<std::uint32_t> lines;
  for (const Attempt& attempt : x.attempts)
    for (const Series& series : attempt.series)
      for (const Sample& sample : series.samples()) lines.insert(sample.line);
  const RE2 pair(R"(over lines (\d+) and (\d+))");
  for (const Problem& problem : x.problems) {
    std::uint32_t first = 0, second = 0;
    lines.insert(problem.line);
    if (RE2::PartialMatch(problem.text.english(), pair, &first, &second)) lines.insert({first, second});
  }
  return lines;
}

// Lines that look like a record and that neither a sample nor a problem stands for.
std::vector<std::string> unexplained(const std::string& log) {
  const RE2 looks_like_one(R"(iteration[\s=:]*\d+\s*/|\(after \d+ iterations\)|lm loss)");
  const std::set<std::uint32_t> known = known_lines(read_log(log));
  std::vector<std::string> lines;
  std::istringstream in(log);
  std::uint32_t number = 0;
  for (std::string line; std::getline(in, line);)
    if (++number; RE2::PartialMatch(line, looks_like_one) && !known.contains(number))
      lines.push_back(std::to_string(number) + ": " + line);
  return lines;
}

TEST_F(RealLogs, hold_no_unexplained_line) {
  std::size_t number = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (number++ % (SANITIZED ? 4 : 1) == 0) {
      EXPECT_THAT(unexplained(file_text(entry.path())), IsEmpty()) << entry.path();
    }
}

TEST(Unexplained, is_a_line_that_looks_like_a_record_and_gave_nothing) {
  EXPECT_THAT(unexplained("starting\n iteration 1/ 2 | lm loss: 2.5 |\n\n lm loss is nice\n"),
              ElementsAre("4:  lm loss is nice"));
  EXPECT_THAT(unexplained("iteration 5/ 9 of warm-up\n iteration 1/ 2 | lm loss: 1.2.3 |\n"),
              ElementsAre("1: iteration 5/ 9 of warm-up"));
}

TEST_F(RealLogs, read_the_same_in_pieces_of_any_size) {
  const std::string log = file_text(folder + "megatron-1737333.log");
  const std::string whole = dump(read_log(log));
  for (const std::size_t size : {1, 2, 3, 7, 64, 1000, 4096}) {
    Extractor extractor = make();
    extractor.begin_file("train.log");
    for (std::size_t at = 0; at < log.size(); at += size)
      extractor.feed(std::string_view(log).substr(at, size));
    EXPECT_EQ(dump(extractor.finish()), whole) << size;
  }
}

}  // namespace
}  // namespace gate::extract::real_logs_test
