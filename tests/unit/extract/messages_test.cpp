#include "gate/extract/messages.h"

#include <gmock/gmock.h>

#include <map>

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

TEST(Messages, of_exceptions_that_end_no_process_are_passed_over) {
  const std::string raised =
      "[rank1]: Traceback (most recent call last):\n[rank1]:   File \"a.py\", line 4, in f\n[rank1]: "
      "ValueError: x\n";
  for (const auto& [log, is_passed_over] : std::map<std::string, bool>{
           {raised, false},
           {"[rank1]: Exception ignored in: <function f>\n" + raised, true},
           {"[rank1]: Exception in thread Thread-1 (_pin_memory_loop):\n" + raised, true},
           {"[rank0]: Exception ignored in: <function f>\n" + raised, false},
           {"[rank1]: Exception ignored in: <function f>\n" + raised + raised, false}}) {
    const Extraction x = read_log(log);
    ASSERT_EQ(x.messages.size(), 1U) << log;
    EXPECT_EQ(x.messages[0].is_passed_over, is_passed_over) << log;
  }
}

TEST(Messages, have_all_their_words) {
  EXPECT_GE(messages().size(), 60U);
  for (const MessageRow& row : messages()) {
    EXPECT_FALSE(row.what.english.empty()) << row.name;
    EXPECT_TRUE(row.advice.english.ends_with('.')) << row.name;
    EXPECT_FALSE(row.literals[0].empty()) << row.name;
  }
}

TEST(Messages, are_found_once_each_with_their_first_line) {
  EXPECT_THAT(told(crash),
              ElementsAre("5 cuda_out_of_memory 2", "7 traceback 1", "9 aborted 1", "10 child_failed 1"));
}

TEST(Messages, keep_the_last_that_a_launcher_says_of_a_process_that_ended) {
  for (const std::string line :
       {"torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
        "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -9) local_rank: 7 (pid: 42) "
        "of "
        "binary: python",
        "  exitcode  : -11 (pid: 4242)", "  traceback : Signal 9 (SIGKILL) received by PID 4242",
        "[2024-01-02 03:04:05,678] [ERROR] [launch.py:321:sigkill_handler] ['python'] exits with return code "
        "= 1",
        "srun: error: node7: task 3: Exited with exit code 1", "srun: error: node7: tasks 0-7: Killed",
        "mpirun noticed that process rank 3 with PID 42 on node node7 exited on signal 9 (Killed).",
        "a non-zero exit code. Per user-direction, the job has been aborted.",
        "[1,0]<stderr>:mpirun detected that one or more processes exited with non-zero status, thus causing",
        "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES",
        "[ERROR] ME(42:1,MainProcess): [_api.py:251] Worker process 4243 exit with exception.",
        "RuntimeError: Distributed job exited with exception. Please check logs in directory: log.",
        "subprocess.CalledProcessError: Command '['/usr/bin/python3', '-u']' returned non-zero exit status "
        "1.",
        "[2024-01-02 03:04:05,678] [INFO] [launch.py:315:sigkill_handler] Killing subprocess 4242",
        "WARNING:torch.distributed.elastic.multiprocessing.api:Sending process 42 closing signal SIGTERM",
        "Main process received SIGTERM, exiting", "[ERROR] [container_main.py,66]Run cmd failed"}) {
    const Extraction read = read_log(line + "\n" + std::string(record) + "\n" + line + "\n");
    ASSERT_EQ(read.process_ends.size(), 1U) << line;
    EXPECT_EQ(read.process_ends[0].line, 3U) << line;
    EXPECT_EQ(read.process_ends[0].file, "train.log");
  }
  for (const std::string line :
       {"[rank3]: torch.OutOfMemoryError: CUDA out of memory.",
        "scripts/train.sh: line 12:  4242 Killed  npu-smi", "  exitcode  : 0 (pid: 4242)",
        "['python'] exits with return code = 0", "WARNING: failed (exitcode: 1) local_rank: 7 (pid: 42)",
        "  if 'exited on signal 9' in line:"})
    EXPECT_THAT(read_log(line + "\n").process_ends, IsEmpty()) << line;
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

TEST(Messages, are_no_program_text) {
  for (const std::string code :
       {"    raise ValueError(f\"size mismatch for {file}: expected {size} bytes\")", "raise MemoryError",
        "# torch.cuda.OutOfMemoryError: CUDA out of memory",
        "    except torch.cuda.OutOfMemoryError: # CUDA out of memory",
        "    if \"CUDA out of memory\" in str(error):",
        "  logger.error(\"Bus error: No space left on device\")",
        "    message = f\"No space left on device {path}\"", "        f\"size mismatch for {name}\"",
        "[rank0]:     print(\"Segmentation fault\")", "  throw std::bad_alloc();",
        "assert free > 0, \"CUDA out of memory\"", "echo \"Permission denied: Disk quota exceeded\"",
        "    return \"CUDA out of memory\"", "if 'Traceback (most recent call last)' in line:"})
    EXPECT_THAT(told(code + "\nValueError: x\n"), IsEmpty()) << code;
  for (const std::string line :
       {"RuntimeError('CUDA out of memory')", "level=error msg=\"CUDA out of memory\"",
        "  \"error\": \"CUDA out of memory\",", "Traceback: CUDA out of memory",
        "for rank 3: CUDA out of memory", "CUDA out of memory: raise the limit"})
    EXPECT_THAT(told(line + "\n"), ElementsAre("1 cuda_out_of_memory 1")) << line;
}

TEST(Messages, of_a_script_stand_once) {
  for (const std::string line :
       {"[ERROR] no data in /d", "ERROR: no data", "2024-01-02 03:04:05 - ERROR - no data",
        "2024-01-02 | FATAL | no data", "[rank3]: [CRITICAL] no data", "Error: no data", "fatal: no data"})
    EXPECT_THAT(told(line + "\n"), ElementsAre("1 own_error 1")) << line;
  for (const std::string line :
       {"error rate 0.1", "the error: 0.5", "ERRORS 3", "[INFO] ERROR: 0", "mean squared error: 0.1"})
    EXPECT_THAT(told(line + "\n"), IsEmpty()) << line;
  EXPECT_THAT(told("ERROR: retry 1\nERROR: retry 2\n[ERROR] no data\n[ERROR] gone\n"),
              ElementsAre("3 own_error 1"));
  EXPECT_EQ(read_log("  [ERROR] shard 3 of 7 differs\n").messages[0].what, "[ERROR] shard 3 of 7 differs");
}

TEST(Messages, tell_who_says_them) {
  for (const std::string line :
       {"slurmstepd: error: *** STEP 1.0 ON n7 CANCELLED AT 2025-06-02T07:15:40 DUE TO TIME LIMIT ***",
        "[rank: 0] Received SIGTERM: 15", "=>> PBS: job killed: walltime 3661 exceeded limit 3600",
        "TERM_RUNLIMIT: job killed after reaching LSF run time limit."}) {
    const Extraction x = read_log(line + "\n");
    ASSERT_EQ(x.messages.size(), 1U) << line;
    EXPECT_TRUE(x.messages[0].is_order) << line;
  }
  EXPECT_FALSE(read_log("RuntimeError: CUDA out of memory\n").messages[0].is_order);
}

constexpr std::string_view hogged =
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of "
    "79.15 "
    "GiB of which 1.20 GiB is free. Process 4242 has 70.00 GiB memory in use. ";

MessageClass class_of(const std::string& log) {
  Options options;
  options.is_foreign = [](std::int64_t process) { return process == 4242; };
  return read_log(log, options).messages.at(0).kind;
}

TEST(Messages, of_memory_that_others_hold_are_of_the_machine) {
  const std::string line(hogged);
  const std::string itself = "Including non-PyTorch memory, this process has 8.00 GiB memory in use. ";
  const std::string large =
      "Of the allocated memory 69.00 GiB is allocated by PyTorch, and 1.00 GiB is reserved";
  const std::string small =
      "Of the allocated memory 100.00 MiB is allocated by PyTorch, and 1.00 MiB is reserved";
  EXPECT_EQ(class_of(line), MessageClass::infra);
  EXPECT_EQ(class_of(line + itself + large), MessageClass::infra);
  EXPECT_EQ(class_of(line + small), MessageClass::infra);
  EXPECT_EQ(class_of(line + large), MessageClass::crashed) << "in a container it may be the speaker itself";
  EXPECT_EQ(class_of(" iteration 1/ 9 | lm loss: 1.5 | number of nan iterations:   0 |\n" + line + itself),
            MessageClass::crashed)
      << "behind a step";
  EXPECT_EQ(read_log(line + itself).messages.at(0).kind, MessageClass::crashed) << "nobody knows whose it is";
  EXPECT_EQ(class_of("HIP out of memory. Process 4242 has 70.00 GiB memory in use."), MessageClass::infra);
  EXPECT_EQ(class_of("NPU out of memory. Process 4242 has 60.00 GiB memory in use."), MessageClass::infra);
  EXPECT_EQ(class_of("CUDA out of memory. Process 17 has 60.00 GiB memory in use."), MessageClass::crashed);
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
