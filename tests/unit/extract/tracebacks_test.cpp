#include "extract/messages/tracebacks.h"

#include <gmock/gmock.h>

#include "gate/base/text.h"

namespace gate::extract::tracebacks_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Return the exceptions that tracebacks in the log end with.
std::vector<std::string> raised(std::string_view log) {
  Tracebacks tracebacks;
  std::vector<std::string> found;
  for (const std::string_view line : split(log, '\n'))
    if (const std::size_t begin = tracebacks.read(line); begin != std::string_view::npos)
      found.emplace_back(line.substr(begin));
  return found;
}

TEST(Tracebacks, end_with_the_exception) {
  EXPECT_THAT(raised("Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    f()\n"
                     "ValueError: else: this\nRuntimeError: not of it\n"),
              ElementsAre("ValueError: else: this"));
}

TEST(Tracebacks, know_exceptions_by_their_names) {
  for (const std::string name :
       {"AssertionError", "KeyboardInterrupt", "torch.distributed.DistBackendError: NCCL", "queue.Empty",
        "socket.timeout: timed out", "SystemExit: 2", "StopIteration", "megatron.core.Foo: bar",
        "requests.exceptions.Timeout", "KeyError: 'lm_head'", "subprocess.CalledProcessError: Command"})
    EXPECT_THAT(raised("Traceback (most recent call last):\n  File \"a.py\"\n" + name), ElementsAre(name));
  for (const std::string line : {"step 12", "saving checkpoint at iteration 10", "done", "Note: x", "a.b c"})
    EXPECT_THAT(raised("Traceback (most recent call last):\n  File \"a.py\"\n" + line), IsEmpty()) << line;
}

TEST(Tracebacks, are_kept_apart_by_their_prefixes) {
  EXPECT_THAT(raised("[rank3]: Traceback (most recent call last):\n"
                     "[default0]:Traceback (most recent call last):\n"
                     "[rank3]:   File \"a.py\", line 1, in <module>\n"
                     "[default0]:  File \"a.py\", line 1, in <module>\n"
                     "[default0]:KeyError: 'a'\n"
                     "[rank3]: AssertionError\n"),
              ElementsAre("KeyError: 'a'", "AssertionError"));
}

TEST(Tracebacks, may_stand_behind_the_words_of_a_logger) {
  for (const std::string words : {"2024-01-02 03:04:05 ERROR ", "ERROR: ", "[rank3]: 2024-01-02 | ERROR | "})
    EXPECT_THAT(raised(words + "Traceback (most recent call last):\n" + (words[0] == '[' ? "[rank3]: " : "") +
                       "  File \"a.py\", line 1\n" + (words[0] == '[' ? "[rank3]: " : "") + "OSError: a\n"),
                ElementsAre("OSError: a"))
        << words;
}

TEST(Tracebacks, do_not_stay_open_for_ever) {
  std::string log = "Traceback (most recent call last):\n";
  for (int i = 0; i < 2000; ++i) log += "line of something else\n";
  EXPECT_THAT(raised(log + "ValueError: late\n"), IsEmpty());
}

}  // namespace
}  // namespace gate::extract::tracebacks_test
