#include "launch/proc.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace gate::launch::proc_test {
namespace {

TEST(ProcEntry, ReadsAStatLine) {
  const auto process = parse_stat(
      "71 (sleep) S 12 70 69 0 -1 4194304 100 0 0 0 1 2 0 0 20 0 3 0 123456 5464064 200 "
      "18446744073709551615");
  ASSERT_TRUE(process);
  EXPECT_EQ(*process, (ProcEntry{71, 12, 69, 'S', 3, 123456, 70}));
}

TEST(ProcEntry, NameMayHoldAnything) {
  const auto process = parse_stat("71 (a) R 1 (b\n) Z 12 70 69 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5 0");
  ASSERT_TRUE(process);
  EXPECT_EQ(*process, (ProcEntry{71, 12, 69, 'Z', 1, 5, 70}));
}

TEST(ProcEntry, LinesThatAreNoneGiveNothing) {
  for (const char* line : {"", "71", "71 (sleep)", "71 (sleep) S 1 2 3", ") (",
                           "x (y) S 12 70 69 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5"})
    EXPECT_EQ(parse_stat(line), std::nullopt) << line;
}

TEST(ProcEntry, ZombieIsAliveOnlyWhileOtherThreadsRun) {
  EXPECT_TRUE(is_alive({71, 1, 71, 'S', 1, 5}));
  EXPECT_TRUE(is_alive({71, 1, 71, 'T', 1, 5}));
  EXPECT_FALSE(is_alive({71, 1, 71, 'Z', 1, 5, 70}));
  EXPECT_TRUE(is_alive({71, 1, 71, 'Z', 2, 5}));
  EXPECT_FALSE(is_alive({71, 1, 71, 'X', 0, 5}));
}

TEST(ProcEntry, CookieIsAWholeVariable) {
  using namespace std::string_view_literals;
  EXPECT_TRUE(carries("A=1\0GATE_LAUNCH=run.a.1\0B=2\0"sv, "run.a.1"));
  EXPECT_FALSE(carries("GATE_LAUNCH=run.a.12\0"sv, "run.a.1"));
  EXPECT_FALSE(carries("XGATE_LAUNCH=run.a.1\0"sv, "run.a.1"));
  EXPECT_FALSE(carries("A=GATE_LAUNCH=run.a.1\0"sv, "run.a.1"));
  EXPECT_FALSE(carries("GATE_LAUNCH=\0"sv, ""));
}

TEST(ProcEntry, CommandLineIsOneLine) {
  using namespace std::string_view_literals;
  EXPECT_EQ(command_line("bash\0-c\0a\nb\033[2J\0"sv), "bash -c a b\\x1b[2J");
}

TEST(ProcEntry, SeesItself) {
  const auto self = read_process(::getpid());
  ASSERT_TRUE(self);
  EXPECT_EQ(self->parent, ::getppid());
  EXPECT_EQ(self->session, ::getsid(0));
}

}  // namespace
}  // namespace gate::launch::proc_test
