#include "gate/extract/extractor.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "reading.h"

namespace gate::extract::extractor_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string step(int number, const std::string& loss) {
  return " iteration " + std::to_string(number) + "/ 9 | lm loss: " + loss +
         " | number of nan iterations:   0 |\n";
}

std::string read_cut(std::string_view log, std::size_t first, std::size_t every) {
  Extractor extractor = make();
  extractor.begin_file("train.log");
  extractor.feed(log.substr(0, first));
  for (std::size_t at = first; at < log.size(); at += every) extractor.feed(log.substr(at, every));
  return dump(extractor.finish());
}

std::vector<std::string> sample_logs() {
  std::vector<std::string> logs;
  for (const auto& entry : std::filesystem::directory_iterator(GATE_SOURCE_DIR "/tests/logs/megatron"))
    logs.push_back(entry.path().string());
  return logs;
}

// Every byte is a cut once.
TEST(Extractor, reads_the_same_wherever_the_log_is_cut) {
  constexpr std::size_t every = 53;
  ASSERT_GE(sample_logs().size(), 10U);
  for (const std::string& path : sample_logs()) {
    const std::string log = file_text(path);
    const std::string whole = dump(read_log(log));
    for (std::size_t first = 0; first < every; first += SANITIZED ? 17 : 1)
      ASSERT_EQ(read_cut(log, first, every), whole) << path;
  }
}

TEST(Extractor, reads_the_same_byte_by_byte) {
  for (const std::string& path : sample_logs()) {
    const std::string log = file_text(path);
    EXPECT_EQ(read_cut(log, 0, 1), dump(read_log(log))) << path;
  }
}

TEST(Extractor, refuses_an_unknown_format) {
  EXPECT_THAT(Extractor::make({{"megatorn"}, {}, {}, {}}).error().message,
              testing::StartsWith(
                  "unknown format \"megatorn\"; did you mean \"megatron\"? (formats: auto, none, megatron"));
  EXPECT_TRUE(Extractor::make({{"auto"}, {}, {}, {}}));
  EXPECT_TRUE(Extractor::make({{"megatron"}, {}, {}, {}}));
}

TEST(Extractor, tells_samples_as_they_come) {
  std::vector<std::string> seen;
  Extractor extractor = make();
  extractor.on_sample([&](const LiveSample& live) {
    seen.push_back((live.new_attempt ? "new " : "") + std::string(live.metric) + " " + word(live.sample));
  });
  extractor.feed(step(1, "1.5"));
  EXPECT_THAT(seen, ElementsAre("lm_loss 1=1.5", "nan_iterations 1=0"));
  EXPECT_EQ(extractor.last_step(), 1);
  EXPECT_EQ(extractor.total(), 9);
  seen.clear();
  extractor.feed(" iteration 2/ 9 | number of nan iterations: 0 |");
  EXPECT_THAT(seen, IsEmpty());
  extractor.feed("\n");
  EXPECT_THAT(seen, ElementsAre("nan_iterations 2=0", "lm_loss 2=left_out"));
  seen.clear();
  extractor.feed(step(1, "1.25"));
  EXPECT_THAT(seen, ElementsAre("new lm_loss 1=1.25", "nan_iterations 1=0"));
  EXPECT_EQ(extractor.last_step(), 1);
}

TEST(Extractor, numbers_live_reports_by_rank) {
  std::vector<std::string> seen;
  Extractor extractor = make();
  extractor.on_sample([&](const LiveSample& live) {
    if (live.metric == "memory_allocated")
      seen.push_back(std::to_string(*live.rank) + ": " + word(live.sample));
  });
  for (const char* place : {"Rank 0] (after 1", "Rank 1] (after 1", "Rank 0] (after 20"})
    extractor.feed("[" + std::string(place) +
                   " iterations) memory (MB) | allocated: 1.0 | max allocated: 2.0 | reserved: 3.0 | max "
                   "reserved: 4.0\n");
  EXPECT_THAT(seen, ElementsAre("0: 1=1.0", "1: 1=1.0", "0: 2=1.0"));
}

TEST(Extractor, goes_on_telling_where_every_line_is_written_twice) {
  std::string seen;
  Extractor extractor = make();
  extractor.on_sample([&](const LiveSample& live) {
    EXPECT_FALSE(live.new_attempt);
    if (live.metric == "lm_loss") seen += word(live.sample) + " ";
  });
  const std::string report =
      "[Rank 0] (after 1 iterations) memory (MB) | allocated: 1.0 | max allocated: 2.0 | reserved: 3.0 | max "
      "reserved: 4.0\n";
  for (const std::string& line : {step(1, "1.5"), report, step(2, "1.25")}) extractor.feed(line + line);
  EXPECT_EQ(seen, "1=1.5 2=1.25 ");
  EXPECT_EQ(extractor.last_step(), 2);
}

TEST(Extractor, says_that_a_log_is_empty) {
  const Extraction x = read_log("");
  EXPECT_THAT(problems(x, ProblemKind::unreadable), ElementsAre("1: the log is empty"));
  EXPECT_THAT(x.formats, IsEmpty());
  EXPECT_THAT(problems(make().finish(), ProblemKind::unreadable), ElementsAre("1: the log is empty"));
  EXPECT_THAT(problems(read_log(" \n\n"), ProblemKind::unreadable),
              ElementsAre("1: the log holds only blanks"));
}

TEST(Extractor, says_that_a_log_is_binary) {
  const std::string nuls("a\0b\0\nc", 6);
  EXPECT_THAT(problems(read_log(nuls), ProblemKind::unreadable),
              ElementsAre("1: the file is binary: it holds NUL bytes"));
  EXPECT_THAT(problems(read_log("\x1f\x8b\x08 packed"), ProblemKind::unreadable),
              ElementsAre("1: the file is gzip data; unpack it first"));
}

TEST(Extractor, reads_around_nul_bytes) {
  const Extraction x = read_log(step(1, "1.5") + std::string(20, '\0') + step(2, "1.25"));
  EXPECT_EQ(words(x, "lm_loss"), "1=1.5 2=1.25");
  EXPECT_THAT(problems(x, ProblemKind::other),
              ElementsAre("1: the log holds NUL bytes, as a crashed host leaves them"));
}

TEST(Extractor, shows_what_an_unknown_log_looks_like) {
  std::string log = "starting\n";
  for (int i = 0; i < 20; ++i)
    log += "step " + std::to_string(i) + ": train_loss=" + std::to_string(i) + ".5 lr=1e-05\n";
  const Extraction x = read_log(log);
  EXPECT_THAT(x.formats, IsEmpty());
  EXPECT_THAT(problems(x, ProblemKind::unreadable), ElementsAre("1: no line of a known format"));
  EXPECT_THAT(
      texts_of(x.notes, &Sentence::english),
      ElementsAre("20 lines like: step N: train_loss=N lr=N", HasSubstr("[metrics.lm_loss] pattern = '''"),
                  HasSubstr("it reads 20 of 20 lines with numbers: gate extract --pattern "
                            "'\\bstep\\b"),
                  HasSubstr("gate init train.log")));
}

TEST(Extractor, suggests_a_pattern_that_reads_the_log) {
  std::string log;
  for (int i = 1; i < 4; ++i)
    log += "step " + std::to_string(i) + ": train_loss=" + std::to_string(i) + ".5 lr=1e-05\n";
  const std::string note = read_log(log).notes.at(1).english();
  const std::size_t begin = note.find("'''") + 3;
  Options options;
  options.patterns = {{"lm_loss", note.substr(begin, note.rfind("'''") - begin)}};
  EXPECT_EQ(words(read_log(log, options), "lm_loss"), "1=1.5 2=2.5 3=3.5");
}

TEST(Extractor, keeps_no_more_than_a_thousand_problems_of_a_kind) {
  std::string log;
  for (int i = 1; i <= 1234; ++i) log += " iteration " + std::to_string(i) + "/ 2000 | lm loss: nan |\n";
  const Extraction x = read_log(log);
  EXPECT_EQ(x.problems.size(), 1000U);
  EXPECT_THAT(x.notes, ElementsAre("and 234 more problems of kind not_finite"));
  EXPECT_EQ(x.series[0].size(), 1234U);
}

TEST(Extractor, reads_records_behind_megabytes_without_newline) {
  const std::string log = std::string(3'000'000, '.') + step(1, "1.5") + step(2, "1.25");
  const Extraction x = read_log(log);
  EXPECT_EQ(words(x, "lm_loss"), "1=1.5 2=1.25");
  EXPECT_THAT(problems(x, ProblemKind::other), ElementsAre("1: a very long line, read in pieces"));
}

// Tell what is read of a record at that place of a line of two pieces.
std::string read_in_long_line(const std::string& before) {
  std::string record = step(1, "1.5");
  record.pop_back();
  const Extraction x = read_log(before + record + std::string(9000, '.') + "\n");
  return words(x, "lm_loss") + " matched " + std::to_string(x.matches[0].matches);
}

TEST(Extractor, reads_a_record_once_wherever_a_piece_of_a_long_line_ends) {
  const std::size_t piece = std::size_t{1} << 20;
  for (std::size_t before = piece - 5000; before < piece + 200; before += SANITIZED ? 2111 : 37)
    ASSERT_EQ(read_in_long_line(std::string(before, '.')), "1=1.5 matched 1") << before;
}

TEST(Extractor, reads_a_record_once_in_a_long_line_of_colours) {
  const std::size_t piece = std::size_t{1} << 20;
  std::string colours;
  for (int i = 0; i < 1500; ++i) colours += "\x1b[0m";
  for (std::size_t before = piece - 5000; before < piece + 200; before += SANITIZED ? 2111 : 37)
    ASSERT_EQ(read_in_long_line(colours + std::string(before - colours.size(), '.')), "1=1.5 matched 1")
        << before;
}

TEST(Extractor, lists_problems_in_the_order_of_lines) {
  const Extraction x =
      read_log(" iteration 1/ 3 | grad norm: 1.5 |\n iteration 2/ 3 | lm loss: 1.5.5 | grad norm: 1.5 |\n");
  ASSERT_EQ(x.problems.size(), 2U);
  EXPECT_EQ(x.problems[0].kind, ProblemKind::left_out);
  EXPECT_EQ(x.problems[1].kind, ProblemKind::malformed);
}

}  // namespace
}  // namespace gate::extract::extractor_test
