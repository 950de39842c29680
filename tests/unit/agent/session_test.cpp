// The agent as it is started on another host: what it says through its pipes, and what it leaves behind.
#include <gmock/gmock.h>
#include <signal.h>

#include <thread>

#include "agents.h"

namespace gate::agent::session_test {
namespace {

using hosts::Frame;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* name = "5e55";

class Sessions : public Agents {
 protected:
  std::unique_ptr<Connected> connect() const { return std::make_unique<Connected>(start({"connect", name})); }
  std::unique_ptr<Connected> open(const std::string& lost_after = "60000") const {
    return std::make_unique<Connected>(start({"connect", name, "start", lost_after}));
  }

  static void end(Connected& session) {
    session.say({"bye"});
    session.pipes().read_all();
  }

  bool is_alive(const std::string& pid_file) const { return ::kill(std::stoi(get(pid_file)), 0) == 0; }
};

TEST_F(Sessions, TellTheirVersion) {
  const auto agent = start({"version"});
  EXPECT_EQ(agent->read_all(), "gate-agent " GATE_VERSION "\n");
  EXPECT_EQ(agent->exit_code(), 0);
}

TEST_F(Sessions, RefuseOtherWords) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{},
                                                {"connect"},
                                                {"connect", "../x"},
                                                {"connect", "5E55"},
                                                {"connect", ""},
                                                {"connect", std::string(65, 'a')},
                                                {"connect", name, "start", "soon"},
                                                {"connect", name, "stop", "1"},
                                                {"connect", name, "start", "1", "2"},
                                                {"job"},
                                                {"version", "2"}}) {
    const auto agent = start(words);
    EXPECT_EQ(agent->read_all(), "") << testing::PrintToString(words);
    EXPECT_EQ(agent->exit_code(), 2) << testing::PrintToString(words);
  }
}

TEST_F(Sessions, AreGoneWhereNobodyStartedThem) {
  const auto agent = start({"connect", name});
  EXPECT_EQ(agent->read_all(), "GATE-GONE 5e55\n");
  EXPECT_EQ(agent->exit_code(), 70);
}

TEST_F(Sessions, SayWhoTheyAreFirst) {
  const auto session = open();
  EXPECT_EQ(session->first_line(), "GATE-AGENT 5e55");
  const std::optional<Frame> message = session->next();
  ASSERT_TRUE(message);
  EXPECT_EQ(message->front(), "hello");
  hosts::WordReader words(*message, 1);
  const hosts::Hello hello = hosts::read_hello(words);
  EXPECT_TRUE(words.is_good());
  EXPECT_EQ(hello.lease_folder, (root / "leases").string());
  EXPECT_EQ(hello.session_folder, session_folder().string());
  session->say({"ping"});
  EXPECT_THAT(*session->next(), ElementsAre("pong"));
  end(*session);
}

TEST_F(Sessions, RunAScriptAndTellHowItEnded) {
  const auto session = open();
  launch::Command command = bash("printf '%s\\n' \"$X\" \"$PWD\"; echo no >&2; exit 3", "a");
  command.env["X"] = "5:a,\n'\"$(x)";
  EXPECT_THAT(session->start("a", command), ElementsAre("ok"));
  EXPECT_EQ(session->end_of("a"), Outcome(Exited{3}));
  EXPECT_EQ(session->outputs["a"], "5:a,\n'\"$(x)\n" + root.string() + "\nno\n");
  EXPECT_TRUE(session->states["a"].started);
  EXPECT_EQ(session->states["a"].size, std::ssize(session->outputs["a"]));
  EXPECT_THAT(session->ask({"forget", "a"}), ElementsAre("ok"));
  EXPECT_THAT(session->ask({"left", "a"}), ElementsAre("fail", "there is no such script"));
  end(*session);
}

TEST_F(Sessions, TellWhatCannotBeStarted) {
  const auto session = open();
  launch::Command command = bash("", "a");
  command.argv = {"./nowhere"};
  session->start("a", command);
  const auto ended = session->end_of("a");
  ASSERT_TRUE(ended && std::holds_alternative<NotStarted>(*ended));
  EXPECT_THAT(std::get<NotStarted>(*ended).why, HasSubstr("nowhere"));
  EXPECT_EQ(session->outputs["a"], "");
  command = bash("echo ran", "b");
  command.needs = {(root / "weights").string()};
  session->start("b", command);
  const auto lacking = session->end_of("b");
  ASSERT_TRUE(lacking && std::holds_alternative<NotStarted>(*lacking));
  EXPECT_THAT(std::get<NotStarted>(*lacking).why, HasSubstr((root / "weights").string()));
  end(*session);
}

// A question that was cut off is asked again.
TEST_F(Sessions, StartAScriptOnce) {
  const auto session = open();
  const launch::Command command =
      bash("echo once >>starts; echo up; until [[ -e go ]]; do sleep 0.01; done; exit 3", "a");
  EXPECT_THAT(session->start("a", command), ElementsAre("ok"));
  session->wait_for_output("a", "up\n");
  EXPECT_THAT(session->start("a", command), ElementsAre("ok"));
  put("go", "");
  EXPECT_EQ(session->end_of("a"), Outcome(Exited{3}));
  EXPECT_EQ(get("starts"), "once\n");
  end(*session);
}

TEST_F(Sessions, RunASecondScriptBesideTheFirst) {
  const auto session = open();
  session->start("a", bash("echo a; until [[ -e go ]]; do sleep 0.01; done; exit 4", "a"));
  session->wait_for_output("a", "a\n");
  session->start("b", bash("echo b; touch go; exit 5", "b"));
  EXPECT_EQ(session->end_of("b"), Outcome(Exited{5}));
  EXPECT_EQ(session->end_of("a"), Outcome(Exited{4}));
  EXPECT_EQ(session->outputs["b"], "b\n");
  end(*session);
}

TEST_F(Sessions, KillAWholeTree) {
  const auto session = open();
  session->start("a",
                 bash("trap '' TERM; (trap '' TERM; echo $BASHPID >pid; echo up; sleep 600) & wait", "a"));
  session->wait_for_output("a", "up");
  EXPECT_THAT(session->ask({"left", "a"}), SizeIs(testing::Ge(2U)));
  EXPECT_THAT(session->ask({"stop", "a", "kill"}), ElementsAre("ok"));
  EXPECT_EQ(session->end_of("a"), Outcome(Killed{SIGKILL}));
  EXPECT_FALSE(is_alive("pid"));
  end(*session);
}

TEST_F(Sessions, SignalAScriptAndSayHowManyItHit) {
  const auto session = open();
  session->start("a", bash("trap 'echo told; exit 6' TERM; echo up; while :; do sleep 0.01; done", "a"));
  session->wait_for_output("a", "up");
  for (const Frame& wrong : {Frame{"signal", "a", "shout", "all"}, Frame{"signal", "a", "kill", "some"},
                             Frame{"signal", "a", "kill", "-1"}, Frame{"signal", "a", "kill", "2147483648"}})
    EXPECT_THAT(session->ask(wrong), ElementsAre("fail", "its words are malformed"));
  EXPECT_THAT(session->ask({"signal", "a", "kill", "7"}), ElementsAre("ok", "0")) << "there is no rank 7";
  const Frame hit = session->ask({"signal", "a", "terminate", "all"});
  ASSERT_THAT(hit, SizeIs(2));
  EXPECT_GE(parse_integer(hit[1]), 1);
  EXPECT_EQ(session->end_of("a"), Outcome(Exited{6}));
  EXPECT_THAT(session->outputs["a"], testing::EndsWith("told\n"));
  end(*session);
}

TEST_F(Sessions, AnswerWhatTheyDoNotKnow) {
  const auto session = open();
  EXPECT_THAT(session->ask({"fly", "a"}), ElementsAre("fail", "there is no such script"));
  EXPECT_THAT(session->ask({"stop", "a", "kill"}), ElementsAre("fail", "there is no such script"));
  EXPECT_THAT(session->ask({"forget", "a"}), ElementsAre("ok"));
  EXPECT_THAT(session->ask({"start", "a", "soon"}), ElementsAre("fail", "its words are malformed"));
  EXPECT_THAT(session->ask({"tool", "1000"}), ElementsAre("fail", "no program is named"));
  session->say({"sing", "a song"});  // says nothing
  session->say({"ack", "nobody", "5"});
  session->start("a", bash("exit 0", "a"));
  session->end_of("a");
  EXPECT_THAT(session->ask({"fly", "a"}), ElementsAre("fail", "the agent does not know the word fly"));
  end(*session);
}

TEST_F(Sessions, AskPrograms) {
  const auto session = open();
  const Frame reply = session->ask({"tool", "30000", "sh", "-c", "echo out; echo err >&2; exit 9"});
  ASSERT_THAT(reply, testing::Not(IsEmpty()));
  EXPECT_EQ(reply.front(), "ok");
  hosts::WordReader words(reply, 1);
  const ToolAnswer answer = hosts::read_tool_answer(words);
  EXPECT_EQ(answer.exit_code, 9);
  EXPECT_EQ(answer.output, "out\n");
  EXPECT_EQ(answer.errors, "err\n");
  end(*session);
}

TEST_F(Sessions, KeepLeasesUntilTheyAreGivenBack) {
  const auto session = open();
  Frame take{"take", "gpu-0"};
  hosts::add(take, devices::Holder{71, "npu1", "ada", "20260301-101502", "gpt", "2026-03-01T10:15:02Z"});
  EXPECT_THAT(session->ask({"holder", "gpu-0"}), ElementsAre("ok", "0"));
  EXPECT_THAT(session->ask(take), ElementsAre("ok", "0"));
  EXPECT_THAT(get("leases/gpu-0.lock") + get("leases/gpu-0"), HasSubstr("ada"));
  EXPECT_THAT(session->ask({"give", "gpu-0"}), ElementsAre("ok"));
  EXPECT_THAT(session->ask({"holder", "gpu-0"}), ElementsAre("ok", "0"));
  end(*session);
}

TEST_F(Sessions, UnderstandBytesInAnyPieces) {
  const auto session = open();
  for (const char byte : hosts::encode({"ping"}) + hosts::encode({"ping"})) session->pipes().say({&byte, 1});
  EXPECT_EQ(session->next()->front(), "hello");
  EXPECT_EQ(session->next()->front(), "pong");
  EXPECT_EQ(session->next()->front(), "pong");
  end(*session);
}

TEST_F(Sessions, LeaveAConnectionThatMakesNoSense) {
  const auto session = open();
  session->start("a", bash("echo up; until [[ -e go ]]; do sleep 0.01; done; echo down", "a"));
  session->wait_for_output("a", "up\n");
  session->pipes().say("GET / HTTP/1.1\r\n\r\n");
  session->read_to_end();
  EXPECT_EQ(session->pipes().exit_code(), 0);
  const auto again = connect();
  EXPECT_EQ(again->first_line(), "GATE-AGENT 5e55");
  put("go", "");
  again->outputs["a"] = "up\n";
  again->say({"attach", "a", "3"});
  EXPECT_EQ(again->end_of("a"), Outcome(Exited{0}));
  EXPECT_EQ(again->outputs["a"], "up\ndown\n");
  end(*again);
}

// What was not acknowledged is said again, from the byte that is asked for.
TEST_F(Sessions, SayAgainWhatWasNotHeard) {
  const auto session = open();
  session->start("a", bash("echo 0123456789; until [[ -e go ]]; do sleep 0.01; done", "a"));
  while (session->next()->front() != "output") continue;  // and no ack
  session->pipes().end_input();
  EXPECT_EQ(session->pipes().exit_code(), 0);
  const auto again = connect();
  again->outputs["a"] = "0123";
  again->say({"attach", "a", "4"});
  again->wait_for_output("a", "9\n");
  EXPECT_EQ(again->outputs["a"], "0123456789\n");
  put("go", "");
  EXPECT_EQ(again->end_of("a"), Outcome(Exited{0}));
  end(*again);
}

TEST_F(Sessions, BeginWhereOneWasLeftBehind) {
  put("far/sessions/5e55/socket", "");
  const auto session = open();
  EXPECT_EQ(session->first_line(), "GATE-AGENT 5e55");
  end(*session);
}

TEST_F(Sessions, GiveALaterConnectionThePlaceOfTheOneBefore) {
  const auto session = open();
  ASSERT_TRUE(session->next());
  const auto later = open();
  EXPECT_EQ(session->next(), std::nullopt);
  EXPECT_EQ(session->pipes().exit_code(), 0);
  EXPECT_EQ(later->next()->front(), "hello");
  end(*later);
}

TEST_F(Sessions, EndWithTheirScriptsWhenGateIsNotHeard) {
  const auto session = open("500");
  session->start("a", bash("trap '' TERM HUP; echo $$ >pid; echo up; sleep 600", "a"));
  session->ping_until_output("a");
  session->pipes().end_input();
  session->pipes().read_all();
  EXPECT_TRUE(wait_for([&] { return !has_sessions(); }));
  EXPECT_FALSE(is_alive("pid"));
}

TEST_F(Sessions, LeaveNothingWhenTheyAreKilled) {
  const auto session = open();
  session->start("a", bash("echo $$ >pid; echo $PPID; sleep 600", "a"));
  session->wait_for_output("a", "\n");
  ::kill(std::stoi(session->outputs["a"]), SIGKILL);
  session->read_to_end();
  EXPECT_TRUE(wait_for([&] { return !has_sessions(); }));
  EXPECT_FALSE(is_alive("pid"));
}

}  // namespace
}  // namespace gate::agent::session_test
