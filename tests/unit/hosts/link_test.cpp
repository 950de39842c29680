// A link whose ssh is a script that starts the agent here: the protocol, cuts, and what is left behind.
#include "gate/hosts/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "gate/base/fs.h"
#include "gate/base/text.h"
#include "gate/hosts/remote.h"
#include "links.h"

namespace gate::hosts::link_test {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

Result<launch::Ending> run(Link& link, const launch::Command& command, const launch::Listener& listener,
                           const launch::Limits& limits = {}) {
  return launch::supervise(*remote_process(link, command), limits, listener);
}

TEST_F(Links, RunACommand) {
  auto link = open();
  ASSERT_TRUE(link);
  const auto ending = run(*link, bash("printf '%s|' \"$X\"; pwd; exit 3"), listener());
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->outcome, Outcome(Exited{3}));
  EXPECT_EQ(output, "a b'\"$(x)\n|" + root.string() + "\n");
  EXPECT_THAT(ending->remarks, IsEmpty());
  link.reset();
  EXPECT_TRUE(wait_for([&] { return sessions().empty(); }));
}

TEST_F(Links, BringAllOfALargeOutput) {
  auto link = open();
  const auto ending = run(*link, bash("seq 400000"), listener());
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->outcome, Outcome(Exited{0}));
  EXPECT_TRUE(output.ends_with("\n399999\n400000\n"));
  EXPECT_EQ(std::ranges::count(output, '\n'), 400000);
}

TEST_F(Links, OutliveTheDeathOfSsh) {
  auto link = open();
  int cuts = 0;
  launch::Listener cutting = listener();
  cutting.on_output = [&](std::string_view bytes) {
    output += bytes;
    while (output.find("\ncut " + std::to_string(cuts + 1) + "\n") != std::string::npos) {
      ++cuts;
      kill_ssh();
      put("cut" + std::to_string(cuts), "");
    }
    return launch::Pulse{};
  };
  const std::string script =
      "for i in {1..30000}; do echo line $i; [[ $((i % 10000)) != 5000 ]] || { k=$((i / 10000 + 1)); echo "
      "cut $k; "
      "until [[ -e cut$k ]]; do sleep 0.01; done; }; done; exit 7";
  const auto ending = run(*link, bash(script), cutting);
  ASSERT_TRUE(ending);
  EXPECT_EQ(cuts, 3);
  EXPECT_EQ(ending->outcome, Outcome(Exited{7}));
  std::string expected;
  for (int i = 1; i <= 30000; ++i) {
    expected += "line " + std::to_string(i) + "\n";
    if (i % 10000 == 5000) expected += "cut " + std::to_string(i / 10000 + 1) + "\n";
  }
  EXPECT_TRUE(output == expected) << output.size() << " of " << expected.size();
}

TEST_F(Links, StopAWholeTree) {
  auto link = open();
  launch::Limits limits;
  limits.has_steps = false;
  limits.timeout = 1s;
  limits.grace = 100ms;
  const std::string script =
      "trap '' TERM; (trap '' TERM; setsid sleep 1000 & sleep 1000) & echo started; wait; sleep 1000";
  const auto ending = run(*link, bash(script), listener(), limits);
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->outcome, Outcome(TimedOut{1s}));
  EXPECT_THAT(ending->survivors, IsEmpty());
  EXPECT_THAT(ending->evidence, testing::Contains(HasSubstr("sleep")));
}

TEST_F(Links, SayWhatCannotBeStarted) {
  auto link = open();
  launch::Command command = bash("");
  command.argv = {"no-such-program"};
  const auto ending = run(*link, command, listener());
  ASSERT_TRUE(ending);
  EXPECT_THAT(text(ending->outcome), HasSubstr("no-such-program"));
}

TEST_F(Links, AreLostWithTheAgent) {
  auto link = open();
  launch::Listener killing = listener();
  killing.on_output = [&](std::string_view bytes) {
    output += bytes;
    if (output.ends_with("\n")) ::kill(std::stoi(output), SIGKILL);
    return launch::Pulse{};
  };
  // The worker is the agent of the script's, for it is its parent.
  const auto ending = run(*link, bash("echo $PPID; exec sleep 1000"), killing);
  ASSERT_TRUE(ending);
  EXPECT_THAT(text(ending->outcome), HasSubstr("its agent has ended there"));
  EXPECT_THAT(link->why_lost(), HasSubstr("npu1"));
  EXPECT_FALSE(link->ask({"exists", "/"}, Cut{}.bounded(1s)));
}

TEST_F(Links, AreLostWithTheHost) {
  auto link = open(1s);
  launch::Listener cutting = listener();
  cutting.on_output = [&](std::string_view) {
    put("rc", "exit 255\n");
    kill_ssh();
    return launch::Pulse{};
  };
  const auto ending = run(*link, bash("echo $$ >pid.script; echo; exec sleep 1000"), cutting);
  ASSERT_TRUE(ending);
  EXPECT_THAT(text(ending->outcome), HasSubstr("has not been heard for 1s"));
  EXPECT_TRUE(wait_for([&] { return sessions().empty(); }));  // the agent ends what it started, and itself
  EXPECT_NE(::kill(std::stoi(*fs::read_file(root / "pid.script")), 0), 0);
}

TEST_F(Links, PassOverWhatRcFilesPrint) {
  put("rc", "echo Welcome; echo GATE-AGENT me too; printf 'no newline'; echo oops >&2\n");
  auto link = open();
  ASSERT_TRUE(link);
  EXPECT_TRUE(exists(*link, "/", {}).value());
  EXPECT_FALSE(exists(*link, (root / "not there").string(), {}).value());
}

TEST_F(Links, AskTools) {
  auto link = open();
  const ToolAnswer answer = ask_tool(*link, {"bash", "-c", "echo out; echo err >&2; exit 4"}, 10s, {});
  EXPECT_EQ(answer.output, "out\n");
  EXPECT_EQ(answer.errors, "err\n");
  EXPECT_EQ(answer.exit_code, 4);
  EXPECT_TRUE(ask_tool(*link, {"no-such-tool"}, 10s, {}).missing);
  EXPECT_THAT(ask_tool(*link, {"sleep", "1000"}, 100ms, {}).failure, HasSubstr("100ms"));
}

TEST_F(Links, LeaseForOneAtATime) {
  auto link = open();
  const auto leases = leases_of(*link, {});
  const auto local = devices::FolderLeases::open((root / "leases").string());
  ASSERT_TRUE(local);
  const devices::Holder me{1, "here", "ada", "run", "case", "now"};
  EXPECT_FALSE(leases->take("gpu-0", me)->has_value());
  const auto holder = local->holder("gpu-0");
  ASSERT_TRUE(holder);
  EXPECT_EQ(holder->user, "ada");
  leases->give_back("gpu-0");
  EXPECT_FALSE(leases->holder("gpu-0"));
  EXPECT_FALSE(local->holder("gpu-0"));
}

TEST_F(Links, SayWhyThereIsNone) {
  LinkOptions refused = options();
  put("ssh", "echo 'ssh: connect to host npu1 port 22: Connection refused' >&2; exit 255\n");
  EXPECT_THAT(Link::open(refused, {}).error().message, HasSubstr("is sshd running"));
  LinkOptions none = options();
  none.agents.clear();
  put("ssh", "eval \"${@: -1}\"\n");
  EXPECT_THAT(Link::open(none, {}).error().message, HasSubstr("scripts/release"));
}

// What lies where the agent belongs, and why it is not executed.
struct Trusted {
  const char* name;
  const char* change;  // shell text, in the agent's folder; $a is the file
  const char* says;    // "": it is executed
};

class AgentFileTest : public Links, public testing::WithParamInterface<Trusted> {};

TEST_P(AgentFileTest, IsExecutedOnlyIfItIsOurs) {
  if (std::string(GetParam().change).find("chown") != std::string::npos && ::getuid() != 0)
    GTEST_SKIP() << "only root gives files away";
  const std::string name = GetParam().name;
  if (SANITIZED && name != "AnotherContent" && name != "AFifo" && name != "FolderGone")
    GTEST_SKIP() << "the agent is large, and its shell text the same";
  open().reset();
  // A file of its own: the agent of the session before may still be ending.
  put("change", "cd " + path("far side") + " && a=$(echo gate-agent-*) && cp -p $a new && mv new $a && " +
                    GetParam().change + "\n");
  const launch::Ending changed = launch::run_command(bash(". " + path("change")), {}, listener()).value();
  ASSERT_EQ(changed.outcome, Outcome(Exited{0})) << output;
  const auto link = Link::open(options(), {});
  EXPECT_THAT(link ? "" : link.error().message,
              AllOf(HasSubstr(*GetParam().says == '\0' ? "" : "gate-agent is not executed there: "),
                    HasSubstr(GetParam().says)));
  EXPECT_EQ(link.has_value(), *GetParam().says == '\0') << link.error().message;
  EXPECT_FALSE(fs::exists(root / "executed"));
}

// Of another content, it would say that it was executed.
constexpr const char* another = "printf '#!/bin/sh\\ntouch ../executed\\n' >$a";
INSTANTIATE_TEST_SUITE_P(
    WhatLiesThere, AgentFileTest,
    testing::Values(Trusted{"AsItWasSent", "true", ""}, Trusted{"Gone", "rm $a", ""},
                    Trusted{"FolderGone", "cd .. && rm -r 'far side'", ""},
                    Trusted{"LinkToAFolder", "cd .. && mv 'far side' other && ln -s other 'far side'", ""},
                    Trusted{"AnotherContent", another, "has another content than its name says"},
                    Trusted{"OneByteMore", "echo >>$a", "has another content"},
                    Trusted{"Empty", ": >$a", "has another content"},
                    Trusted{"ALink", "mv $a x && ln -s x $a", "is no file"},
                    Trusted{"ALinkToNothing", "rm $a && ln -s x $a", "is no file"},
                    Trusted{"AFifo", "rm $a && mkfifo $a", "is no file"},
                    Trusted{"AFolder", "rm $a && mkdir -m 700 $a", "is no file"},
                    Trusted{"WrittenByTheGroup", "chmod 720 $a", "may be written by others (-rwx-w"},
                    Trusted{"WrittenByOthers", "chmod 702 $a", "may be written by others (-rwx----w"},
                    Trusted{"OfAnotherUser", "chown 12345 $a", "belongs to another user (12345)"},
                    Trusted{"InAFolderOfTheGroup", "chmod 770 .", "may be written by others (drwxrwx"},
                    Trusted{"InAFolderOfAll", "chmod 1777 .", "may be written by others (drwxrwxrwt"},
                    Trusted{"InAFolderOfAnotherUser", "chown 12345 .", "belongs to another user (12345)"}),
    [](const auto& row) { return std::string(row.param.name); });

// Where nothing tells a hash, what lies there is not trusted, and another one is sent.
TEST_F(Links, SendTheAgentAnewWhereNothingTellsAHash) {
  open().reset();
  put("tools/.keep", "");
  std::string tools;
  for (const char* tool : {"sh", "bash", "uname", "mkdir", "ls", "id", "rm", "head", "wc", "chmod", "mv"})
    tools += std::string("ln -s $(command -v ") + tool + ") " + path("tools") + "/" + tool + "; ";
  const std::string other = "cd " + path("far side") + " && a=$(echo gate-agent-*) && " + another;
  ASSERT_TRUE(launch::run_command(bash(tools + other), {}, listener()));
  put("rc", "PATH=" + path("tools") + "\n");
  auto link = open();
  ASSERT_TRUE(link);
  EXPECT_TRUE(exists(*link, "/", {}).value());
  EXPECT_FALSE(fs::exists(root / "executed"));
}

// A host whose agent says what it likes: the frames, once it is asked for anything.
class FalseAgents : public Links {
 protected:
  std::unique_ptr<Link> open_false(const std::string& bytes, Duration lost_after = 20s) {
    const std::string session = options().session;
    Frame hello{"hello"};
    add(hello, Hello{{"npu1", {}}, "/leases", "/session", {}});
    put("first", "GATE-HOST " + session + " x86_64\nGATE-AGENT " + session + "\n" + encode(hello));
    put("then", bytes);
    put("ssh", "cat " + path("first") + "; until read -r -d , word && [[ $word == *ask ]]; do :; done; cat " +
                   path("then") + "; exec sleep 1000\n");
    LinkOptions hurried = options(lost_after);
    hurried.must_hurry = [] { return true; };
    return std::move(*Link::open(hurried, {}));
  }

  // What is said of the link once it is lost.
  std::string why_lost(const std::string& bytes) {
    const auto link = open_false(bytes);
    link->join("1", {[](std::string_view) {}, [](const ProcessState&) {}});
    const Result<Frame> answer = link->ask({"exists", "/"}, Cut{}.bounded(20s));
    return answer ? "" : answer.error().message;
  }
};

TEST_F(FalseAgents, AnswerWhatWasNeverAsked) {
  EXPECT_EQ(why_lost(encode({"reply", "7", "ok"})), "npu1: its agent sends more than it was asked for");
}

TEST_F(FalseAgents, AnswerAgainAndAgain) {
  std::string bytes;
  for (int i = 0; i < 10; ++i) bytes += encode({"reply", "0", "ok"});
  EXPECT_EQ(why_lost(bytes), "npu1: its agent sends more than it was asked for");
}

TEST_F(FalseAgents, SendOutputThatNobodyHasTaken) {
  std::string bytes;
  for (std::size_t at = 0; at <= sent_ahead; at += 1000)
    bytes += encode({"output", "1", std::to_string(at), std::string(1000, 'x')});
  EXPECT_EQ(why_lost(bytes), "npu1: its agent sends more than it was asked for");
}

TEST_F(FalseAgents, LoseLeasesWithoutAnEnd) {
  std::string bytes;
  for (int i = 0; i <= 1000; ++i) {
    Frame lease{"lease"};
    add(lease, devices::Leases::Displaced{"gpu-0", {}, "gone"});
    bytes += encode(lease);
  }
  EXPECT_EQ(why_lost(bytes), "npu1: its agent sends more than it was asked for");
}

TEST_F(FalseAgents, SayWhatHasNoMeaning) {
  for (const Frame& frame :
       {Frame{"state", "1", "x"}, Frame{"output", "1", "much", "x"}, Frame{"lease", "gpu"}})
    EXPECT_EQ(why_lost(encode(frame)), "npu1: what its agent says cannot be understood") << frame[0];
  EXPECT_EQ(why_lost("no message"), "npu1: what its agent says cannot be understood");
}

TEST_F(FalseAgents, GiveNoLeaseByAnAnswerWithoutMeaning) {
  const auto link = open_false(encode({"reply", "1", "ok"}));
  const auto taken = leases_of(*link, {})->take("gpu-0", {});
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().message, "npu1: what its agent says cannot be understood");
}

TEST_F(FalseAgents, WhoAreSilentHoldNobody) {
  const auto link = open_false("");
  EXPECT_EQ(link->ask({"exists", "/"}, Cut{}.bounded(10ms)).error().message,
            "npu1 did not answer within 10ms");
  EXPECT_EQ(link->ask({"exists", "/"}, Cut{}.bounded(1h)).error().message, "npu1 did not answer within 1s");
  std::atomic<bool> is_stopped = false;
  const Cut cut{.stop = [&] { return std::string(is_stopped ? "interrupted" : ""); }};
  std::jthread stopping([&] { is_stopped = true; });
  EXPECT_EQ(link->ask({"exists", "/"}, cut).error().message, "npu1 did not answer: interrupted");
}

}  // namespace
}  // namespace gate::hosts::link_test
