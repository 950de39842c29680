#include "gate/extract/messages.h"

#include <gmock/gmock.h>

#include "reading.h"
#include "specimens/check_messages.h"

namespace gate::extract::messages_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view record =
    " iteration 1/ 9 | lm loss: 1.5 | grad norm: 2.0 | number of nan iterations:   0 |";

constexpr std::string_view crash =
    " iteration 1/ 9 | lm loss: 1.5 | number of nan iterations:   0 |\n"
    "[rank3]: Traceback (most recent call last):\n"
    "[rank3]:   File \"train.py\", line 4, in <module>\n"
    "[rank5]: Traceback (most recent call last):\n"
    "[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 GiB.\r\n"
    "[rank5]:   File \"train.py\", line 9, in <module>\n"
    "[rank5]: ValueError: hidden size \xff 100\x1b[0m\n"
    "[rank4]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 GiB.\n"
    "50%|#####     | 1/2\rterminate called after throwing an instance of 'c10::Error'\n"
    "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ";

std::vector<std::string> told(std::string_view log) {
  std::vector<std::string> out;
  for (const KnownMessage& message : read_log(log).messages)
    out.push_back(std::to_string(message.line) + " " + message.name + " " + std::to_string(message.count));
  return out;
}

TEST(Messages, agree_with_their_own_specimens) { EXPECT_THAT(check_messages(), IsEmpty()); }

TEST(Messages, have_all_their_words) {
  EXPECT_GE(messages().size(), 60U);
  for (const MessageRow& row : messages()) {
    EXPECT_FALSE(row.what.empty()) << row.name;
    EXPECT_TRUE(row.advice.ends_with('.')) << row.name;
    EXPECT_FALSE(row.literals[0].empty()) << row.name;
  }
}

TEST(Messages, are_found_once_each_with_their_first_line) {
  EXPECT_THAT(told(crash),
              ElementsAre("5 cuda_out_of_memory 2", "7 traceback 1", "9 aborted 1", "10 child_failed 1"));
}

TEST(Messages, say_what_they_mean_and_quote_the_line) {
  const Extraction extraction = read_log(crash);
  ASSERT_EQ(extraction.messages.size(), 4U);
  const KnownMessage& memory = extraction.messages[0];
  EXPECT_EQ(memory.kind, MessageClass::crashed);
  EXPECT_EQ(memory.what, "CUDA out of memory");
  EXPECT_EQ(memory.text, "[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 GiB.");
  EXPECT_EQ(memory.file, "train.log");
  EXPECT_THAT(memory.advice, HasSubstr("micro batch"));
  EXPECT_EQ(extraction.messages[1].what, "ValueError: hidden size \\xff 100");
  EXPECT_EQ(extraction.messages[2].what, "a process aborted itself: c10::Error");
}

TEST(Messages, quote_the_exception_before_the_code_that_raised_it) {
  const std::string code =
      "Traceback (most recent call last):\n  File \"a.py\", line 4, in f\n"
      "    raise RuntimeError(\"CUDA out of memory. Tried to allocate \" + size)\n";
  const std::string exception = "RuntimeError: CUDA out of memory. Tried to allocate 20.00 GiB";
  EXPECT_THAT(told(code + exception + "\n"), ElementsAre("4 cuda_out_of_memory 1"));
  EXPECT_EQ(read_log(code + exception + "\n").messages[0].text, exception);
  EXPECT_THAT(told(code), ElementsAre("3 cuda_out_of_memory 1")) << "the log is cut there";
  EXPECT_THAT(told(exception + "\n" + code), ElementsAre("1 cuda_out_of_memory 2"));
}

TEST(Messages, are_the_same_wherever_the_log_is_cut) {
  const std::string whole = dump(read_log(crash));
  for (std::size_t cut = 0; cut <= crash.size(); cut += SANITIZED ? 7 : 1) {
    Extractor extractor = make();
    extractor.begin_file("train.log");
    extractor.feed(crash.substr(0, cut));
    extractor.feed(crash.substr(cut));
    ASSERT_EQ(dump(extractor.finish()), whole) << cut;
  }
}

TEST(Messages, do_not_stand_in_records) {
  EXPECT_THAT(told(std::string(record) + " CUDA out of memory\n"), IsEmpty());
  EXPECT_THAT(told(std::string(record) + "\nRuntimeError: CUDA out of memory\n"),
              ElementsAre("2 cuda_out_of_memory 1"));
}

TEST(Messages, are_no_warnings) {
  for (const std::string level : {"WARNING: ", "[W socket.cpp:601] ", "[rank0]:[W1121 03:04:05.6 a.cpp:1] ",
                                  "2024-01-02 - INFO - ", "a.py:52: UserWarning: ", "[x] [DEBUG] "})
    EXPECT_THAT(told(level + "Address already in use\n"), IsEmpty()) << level;
  for (const std::string level : {"", "[E socket.cpp:601] ", "ERROR: ", "see INFOS, "})
    EXPECT_THAT(told(level + "Address already in use\n"), ElementsAre("1 address_in_use 1")) << level;
}

TEST(Messages, of_a_very_long_line_count_once) {
  const std::string filler((std::size_t{1} << 20) - 2000, '.');
  const Extraction extraction = read_log(filler + "CUDA out of memory" + filler + "\n");
  ASSERT_EQ(extraction.messages.size(), 1U);
  EXPECT_EQ(extraction.messages[0].count, 1);
  EXPECT_TRUE(extraction.messages[0].text.starts_with("CUDA out of memory..."));
  EXPECT_LE(extraction.messages[0].text.size(), 310U);
}

TEST(Messages, of_several_files_say_which) {
  Extractor extractor = make();
  extractor.begin_file("a.log");
  extractor.feed("Traceback (most recent call last):\n  File \"a.py\"\n");
  extractor.begin_file("b.log");
  extractor.feed("ValueError: of another file\nstd::bad_alloc\n");
  const Extraction extraction = extractor.finish();
  ASSERT_EQ(extraction.messages.size(), 1U);
  EXPECT_EQ(extraction.messages[0].file, "b.log");
  EXPECT_EQ(extraction.messages[0].line, 2U);
}

TEST(CheckMessage, reports_a_row_that_its_specimens_do_not_prove) {
  MessageRow row;
  row.name = "mine";
  row.literals = {"CUDA out of memory", "nowhere"};
  row.pattern = "(";
  EXPECT_THAT(check_message(row, {"CUDA out of memory", "all is well"}),
              ElementsAre("mine: its pattern is none",
                          "mine: the message chosen for `CUDA out of memory` is cuda_out_of_memory",
                          "mine: the message chosen for `all is well` is none",
                          "mine: no specimen exercises the literal `nowhere`"));
  row = {};
  row.name = "mine";
  EXPECT_THAT(check_message(row, {}), ElementsAre("mine: no specimen exercises it"));
}

TEST(CheckMessage, reports_a_look_alike_that_is_taken_for_a_message) {
  EXPECT_THAT(check_look_alike("std::bad_alloc"),
              ElementsAre("host_out_of_memory: matches the look-alike `std::bad_alloc`"));
}

}  // namespace
}  // namespace gate::extract::messages_test
