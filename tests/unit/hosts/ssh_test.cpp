#include "gate/hosts/ssh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace gate::hosts::ssh_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const AgentFiles agents{{"aarch64", {"/a", "2222", 10}}, {"x86_64", {"/x", "1111", 20}}};

Heard heard(std::string errors, std::optional<Outcome> ended, std::string architecture = "") {
  Heard heard;
  heard.host = "npu1";
  heard.architecture = std::move(architecture);
  heard.errors = std::move(errors);
  heard.ended = std::move(ended);
  heard.waited = std::chrono::seconds(60);
  return heard;
}

TEST(SshWords, AreTheUsersThenOptionsThenTheHost) {
  const std::vector<std::string> words =
      ssh_words({"ssh", "-F", "my config"}, "ada@npu1", {"ab12", Duration{5000}, true}, agents);
  EXPECT_EQ(std::vector<std::string>(words.begin(), words.begin() + 3),
            (std::vector<std::string>{"ssh", "-F", "my config"}));
  EXPECT_EQ(*(words.end() - 3), "--");  // behind it nothing is an option
  EXPECT_EQ(*(words.end() - 2), "ada@npu1");
  for (const char* option : {"-oBatchMode=yes", "-oStrictHostKeyChecking=yes", "-T"})
    EXPECT_THAT(words, testing::Contains(option));
}

TEST(SshWords, LineIsOneForAnyShell) {
  const std::string line = ssh_words({"ssh"}, "h", {"ab12", Duration{5000}, true}, agents).back();
  EXPECT_THAT(line, AllOf(StartsWith("exec sh -c '"), HasSubstr("aarch64) h=2222;; x86_64) h=1111;;"),
                          HasSubstr("connect ab12 start 5000'")));
  EXPECT_EQ(std::ranges::count(line, '\''), 2);
  EXPECT_EQ(line.find_first_of("!\\\n`"), std::string::npos);
}

TEST(SshWords, FindTheSessionAgain) {
  EXPECT_THAT(ssh_words({"ssh"}, "h", {"ab12", Duration{5000}, false}, agents).back(),
              AllOf(HasSubstr("connect ab12'"), Not(HasSubstr("start"))));
}

TEST(Opening, IsFoundAmongWhatRcFilesPrint) {
  const std::string text =
      "Welcome\nGATE-AGENT me too\nGATE-HOST ab1 aarch64\nGATE-HOST ab12\n\nGATE-HOST ab12 x86_64\nno end "
      "GATE-NEED ab12\nGATE-NEED ab12\nGATE-AGENT ab12\n7:4:ping,,";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    OpeningReader opening("ab12");
    std::vector<OpeningWord> words;
    for (const std::string& piece : {text.substr(0, cut), text.substr(cut)}) {
      opening.feed(piece);
      while (words.empty() || words.back() != OpeningWord::agent) {
        const auto word = opening.next();
        if (!word) break;
        words.push_back(*word);
      }
    }
    EXPECT_THAT(words, testing::ElementsAre(OpeningWord::host, OpeningWord::need, OpeningWord::agent)) << cut;
    EXPECT_EQ(opening.architecture(), "x86_64");
    EXPECT_EQ(opening.rest(), "7:4:ping,,");
  }
}

TEST(Opening, OfALineWithoutEndOnlySoMuchIsKept) {
  OpeningReader opening("ab12");
  for (int i = 0; i < 100; ++i) opening.feed(std::string(10'000, 'x'));
  EXPECT_EQ(opening.next(), std::nullopt);
  EXPECT_LE(opening.rest().size(), std::size_t{64} << 10);
  opening.feed("\nGATE-GONE ab12\n");
  EXPECT_EQ(opening.next(), OpeningWord::gone);
}

TEST(Opening, IsFoundBehindManyLines) {
  OpeningReader opening("ab12");
  opening.feed(std::string(1 << 20, '\n') + "GATE-AGENT ab12\nrest");
  EXPECT_EQ(opening.next(), OpeningWord::agent);
  EXPECT_EQ(opening.rest(), "rest");
}

struct FailureRow {
  const char* errors;
  int code;
  const char* architecture;
  const char* says;
  bool passes;
};

class Failures : public testing::TestWithParam<FailureRow> {};

TEST_P(Failures, HaveTheirSentence) {
  const FailureRow& row = GetParam();
  const Heard what = heard(row.errors, Exited{row.code}, row.architecture);
  EXPECT_THAT(why_no_agent(what, agents), AllOf(StartsWith("npu1: "), HasSubstr(row.says)));
  EXPECT_EQ(may_pass(what), row.passes);
}

INSTANTIATE_TEST_SUITE_P(
    OfSsh, Failures,
    testing::Values(
        FailureRow{
            "@@@@\nWARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!\n@@@\nHost key verification failed.\n",
            255, "", "another one than", false},
        FailureRow{
            "No ED25519 host key is known for [127.0.0.2]:1 and you have requested strict checking.\r\n"
            "Host key verification failed.\r\n",
            255, "", "not known: connect once", false},
        FailureRow{"ada@npu1: Permission denied (publickey).\n", 255, "", "lets nobody in", false},
        FailureRow{"ssh: Could not resolve hostname npu1: Name or service not known\n", 255, "",
                   "~/.ssh/config or DNS", false},
        FailureRow{"ssh: Could not resolve hostname npu1: Temporary failure in name resolution\n", 255, "",
                   "is the network up", true},
        FailureRow{"ssh: connect to host npu1 port 22: Connection refused\n", 255, "", "is sshd running",
                   true},
        FailureRow{"ssh: connect to host npu1 port 22: No route to host\n", 255, "", "is it up", true},
        FailureRow{"ssh: connect to host npu1 port 22: Connection timed out\n", 255, "", "does not answer",
                   true},
        FailureRow{"Connection closed by 10.0.0.1 port 22\n", 255, "", "closed the connection", true},
        FailureRow{"what nobody knows\n", 255, "", "what nobody knows", true},
        FailureRow{"", 1, "", "ssh exited 1", false}));

INSTANTIATE_TEST_SUITE_P(OfTheHost, Failures,
                         testing::Values(FailureRow{"", 1, "riscv64", "scripts/release", false},
                                         FailureRow{"head: error writing: No space left on device\n", 73,
                                                    "x86_64", "no room", false},
                                         FailureRow{"sh: 1: exec: /h/gate-agent-1111: Permission denied\n",
                                                    126, "x86_64", "noexec", false},
                                         FailureRow{"sh: 1: exec: /h/gate-agent-1111: Exec format error\n",
                                                    126, "x86_64", "Exec format error", false},
                                         // A word of the host's own is none of ssh's.
                                         FailureRow{"Permission denied (by rc)\n", 9, "x86_64",
                                                    "could not be started", false}));

// Whenever the connection ends or ssh itself does, before the shell has spoken or behind it.
TEST(Failure, OfAConnectionPasses) {
  for (const char* architecture : {"", "x86_64"}) {
    EXPECT_TRUE(may_pass(heard("", Killed{9}, architecture))) << architecture;
    EXPECT_TRUE(may_pass(heard("Connection reset by 10.0.0.1 port 22\n", Exited{255}, architecture)));
    EXPECT_TRUE(may_pass(heard("", std::nullopt, architecture))) << architecture;
    EXPECT_FALSE(may_pass(heard("", Exited{1}, architecture))) << architecture;
  }
}

TEST(Failure, OfShellsThatSayNothing) {
  EXPECT_THAT(why_no_agent(heard("", std::nullopt), agents), HasSubstr("rc files"));
  EXPECT_THAT(why_no_agent(heard("", std::nullopt, "x86_64"), agents), HasSubstr("did not answer within 1m"));
}

TEST(Failure, OfAnSshThatIsNotThere) {
  EXPECT_THAT(why_no_agent(heard("", NotStarted{"cannot start ssh: it is not there"}), agents),
              HasSubstr("cannot start ssh"));
}

TEST(Failure, AreShownWithoutControlCharacters) {
  EXPECT_THAT(why_no_agent(heard("\x1b[2Jbad\n", Exited{255}), agents), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace gate::hosts::ssh_test
