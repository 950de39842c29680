// A script of the agent's: what is kept of its output, and what is told of it.
#include "agent/agent_script.h"

#include <gmock/gmock.h>
#include <signal.h>

#include "agents.h"

namespace gate::agent::job_test {
namespace {

using hosts::Frame;
using launch::Force;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Jobs : public Agents {
 protected:
  std::unique_ptr<HostedJob> start(const launch::Command& command) {
    return std::make_unique<HostedJob>("a", command, 5s, [this] { ++changes; });
  }

  // Take what is new until nothing is left, and acknowledge it.
  void follow(HostedJob& job) {
    EXPECT_TRUE(wait_for([&] {
      take(job.news());
      job.acknowledge(std::ssize(output));
      return state.empty && std::ssize(output) == state.size;
    }));
  }

  void take(const std::vector<Frame>& messages) {
    for (const Frame& message : messages) {
      hosts::WordReader words(message, 2);
      if (message.front() == "state") state = hosts::read_state(words);
      if (message.front() != "output") continue;
      EXPECT_EQ(words.number(), std::ssize(output));
      output += words.text();
    }
  }

  std::string output;
  hosts::ProcessState state;
  std::atomic<int> changes = 0;
};

TEST_F(Jobs, TellTheirOutputAndThenTheirEnd) {
  const auto job = start(bash("echo one; echo two >&2; exit 3", "a"));
  follow(*job);
  EXPECT_EQ(output, "one\ntwo\n");
  EXPECT_EQ(state.ended, Outcome(Exited{3}));
  EXPECT_EQ(state.size, 8);
  EXPECT_TRUE(state.started);
  EXPECT_GE(changes, 2);
  EXPECT_THAT(job->news(), IsEmpty());
}

TEST_F(Jobs, SayAgainWhatIsAskedForAgain) {
  const auto job = start(bash("printf 0123456789", "a"));
  ASSERT_TRUE(wait_for([&] { return job->is_over(); }));
  EXPECT_THAT(job->news(),
              ElementsAre(ElementsAre("output", "a", "0", "0123456789"), testing::Contains("state")));
  EXPECT_THAT(job->news(), IsEmpty());
  job->send_again(0);
  EXPECT_THAT(job->news(),
              ElementsAre(ElementsAre("output", "a", "0", "0123456789"), testing::Contains("state")));
  job->send_again(4);
  EXPECT_THAT(job->news().front(), ElementsAre("output", "a", "4", "456789"));
  job->send_again(0);
  EXPECT_THAT(job->news().front(), ElementsAre("output", "a", "4", "456789")) << "the rest was acknowledged";
  job->acknowledge(1000);
  job->send_again(0);
  EXPECT_THAT(job->news(), ElementsAre(testing::Contains("state"))) << "nothing is behind the end";
}

// So much is on its way at first: what is behind it waits until some of it has come.
TEST_F(Jobs, SendNotAllAtOnce) {
  const auto job = start(bash("head -c 200000 /dev/zero", "a"));
  ASSERT_TRUE(wait_for([&] { return job->is_over(); }));
  take(job->news());
  EXPECT_EQ(output.size(), 64U << 10);
  take(job->news());
  EXPECT_EQ(output.size(), 64U << 10);
  job->acknowledge(1000);
  take(job->news());
  EXPECT_EQ(output.size(), (64U << 10) + 1000);
  follow(*job);
  EXPECT_EQ(output.size(), 200000U);
}

TEST_F(Jobs, ThatCannotBeStartedAreOver) {
  launch::Command command = bash("", "a");
  command.cwd = (root / "nowhere").string();
  const auto job = start(command);
  follow(*job);
  ASSERT_TRUE(state.ended && std::holds_alternative<NotStarted>(*state.ended));
  EXPECT_THAT(std::get<NotStarted>(*state.ended).why, HasSubstr("nowhere"));
  EXPECT_THAT(job->left(), IsEmpty());
}

TEST_F(Jobs, AreToldToEndAndThenKilled) {
  const auto job = start(bash("trap 'echo told' TERM; echo up; while :; do sleep 0.01; done", "a"));
  const auto has = [&](const std::string& text) {
    return wait_for([&] {
      take(job->news());
      return output.find(text) != std::string::npos;
    });
  };
  ASSERT_TRUE(has("up\n"));
  job->stop(Force::ask);
  ASSERT_TRUE(has("told\n"));
  EXPECT_FALSE(job->is_over());
  job->stop(Force::kill);
  follow(*job);
  EXPECT_EQ(state.ended, Outcome(Killed{SIGKILL}));
}

TEST_F(Jobs, AreKilledWithTheirOwner) {
  auto job = start(bash("trap '' TERM; echo $$ >pid.new; mv pid.new pid; sleep 600", "a"));
  ASSERT_TRUE(wait_for([&] { return fs::exists(root / "pid"); }));
  job.reset();
  EXPECT_NE(::kill(std::stoi(get("pid")), 0), 0);
}

TEST_F(Jobs, AnswerWhatIsLeftOfThem) {
  const auto job = start(bash("until [[ -e go ]]; do sleep 0.01; done", "a"));
  EXPECT_THAT(job->left(), Not(IsEmpty()));
  EXPECT_EQ(job->signal(launch::Signal::stop, 3), 0U) << "no process is of rank 3";
  put("go", "");
  ASSERT_TRUE(wait_for([&] { return job->is_over(); }));
}

}  // namespace
}  // namespace gate::agent::job_test
