#include "gate/launch/tool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <string>

namespace gate::launch::tool_test {
namespace {

using ::testing::StartsWith;

constexpr Duration plenty = std::chrono::seconds(60);

ToolAnswer sh(const std::string& text, Duration limit = plenty) {
  return ask_tool({"bash", "-c", text}, limit);
}

TEST(Tool, BothOutputsAndTheExitCode) {
  const ToolAnswer answer = sh("echo out; echo err >&2; exit 9");
  EXPECT_EQ(answer.output, "out\n");
  EXPECT_EQ(answer.errors, "err\n");
  EXPECT_EQ(answer.exit_code, 9);
  EXPECT_FALSE(answer.missing);
}

TEST(Tool, OneThatIsNotThere) {
  const ToolAnswer answer = ask_tool({"no-such-tool"}, plenty);
  EXPECT_TRUE(answer.missing);
  EXPECT_EQ(answer.exit_code, std::nullopt);
  EXPECT_THAT(answer.failure, StartsWith("cannot start no-such-tool"));
  EXPECT_FALSE(ask_tool({"/etc/passwd"}, plenty).missing);
}

TEST(Tool, OneThatHangsIsKilledWithItsChildren) {
  const ToolAnswer answer = sh("echo begun; trap '' TERM; sleep 1000 & wait", Duration(300));
  EXPECT_EQ(answer.output, "begun\n");
  EXPECT_EQ(answer.exit_code, std::nullopt);
  EXPECT_EQ(answer.failure, "no answer within 300ms");
}

TEST(Tool, AChildThatKeepsTheOutputOpenIsNotWaitedFor) {
  const ToolAnswer answer = sh("sleep 1000 & echo $!");
  const pid_t child = std::stoi(answer.output);
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(::kill(child, SIGKILL), 0);
  ::waitpid(child, nullptr, 0);  // where this process has adopted it
}

TEST(Tool, TooMuchOutputIsCut) {
  const ToolAnswer answer = sh("head -c 10000000 /dev/zero; head -c 10000000 /dev/zero >&2");
  EXPECT_EQ(answer.output.size(), std::size_t{4} << 20);
  EXPECT_EQ(answer.errors.size(), std::size_t{4} << 20);
  EXPECT_EQ(answer.exit_code, 0);
}

TEST(Tool, KilledBySomebody) { EXPECT_EQ(sh("kill -SEGV $$").failure, "killed by signal 11"); }

}  // namespace
}  // namespace gate::launch::tool_test
