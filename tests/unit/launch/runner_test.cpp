// What a script is given, how its end is told, and what it may leave behind.
#include "gate/launch/runner.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <future>
#include <map>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "gate/base/fs.h"
#include "gate/launch/tool.h"
#include "stage.h"

namespace gate::launch::runner_test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Property;
using testing::StartsWith;

class Runs : public Stage {};

// Starts a process that lives on, and goes on itself once that is what it is to become.
const std::string leave_sleep = "sleep 1000 & until [ \"$(< /proc/$!/comm)\" = sleep ]; do :; done\n";

TEST_F(Runs, ExitCodes) {
  script("echo out; echo err >&2; exit 7\n");
  EXPECT_EQ(outcome(), "exited 7");
  EXPECT_EQ(output_, "out\nerr\n");
}

TEST_F(Runs, Zero) {
  script(":\n");
  EXPECT_EQ(outcome(), "exited 0");
}

TEST_F(Runs, KilledBySignal) {
  script("kill -SEGV $$\n");
  EXPECT_EQ(outcome(), "killed by SIGSEGV");
}

TEST_F(Runs, ArgumentsReachTheScriptAsTheyAre) {
  script("printf '<%s>' \"$@\"\n");
  command_.argv.insert(command_.argv.end(), {"a b", "", "$(id)", "';\"", "*"});
  EXPECT_EQ(outcome(), "exited 0");
  EXPECT_EQ(output_, "<a b><><$(id)><';\"><*>");
}

TEST_F(Runs, EnvironmentIsSetOverTheInheritedOne) {
  ::setenv("GATE_TEST_KEPT", "kept", 1);
  ::setenv("GATE_TEST_SET", "inherited", 1);
  script("echo $GATE_TEST_KEPT $GATE_TEST_SET $GATE_LAUNCH\n");
  command_.env = {{"GATE_TEST_SET", "set"}};
  EXPECT_EQ(outcome(), "exited 0");
  EXPECT_EQ(output_, "kept set " + command_.cookie + "\n");
}

TEST_F(Runs, InTheFolderOfTheJob) {
  script("pwd -P\n");
  EXPECT_EQ(outcome(), "exited 0");
  EXPECT_EQ(output_, std::filesystem::canonical(folder_).string() + "\n");
}

TEST_F(Runs, InASessionAndGroupOfItsOwn) {
  script("read -r _ _ _ _ group session _ < /proc/$$/stat; echo $((group == $$)) $((session == $$))\n");
  EXPECT_EQ(outcome(), "exited 0");
  EXPECT_EQ(output_, "1 1\n");
}

TEST_F(Runs, StdinIsEmpty) {
  script("cat; echo end\n");
  EXPECT_EQ(outcome(), "exited 0");
  EXPECT_EQ(output_, "end\n");
}

TEST_F(Runs, NoDescriptorOfGateLeaks) {
  const int leaky = ::dup(STDOUT_FILENO);  // not close-on-exec
  script("ls /proc/$$/fd; true\n");
  EXPECT_EQ(outcome(), "exited 0");
  EXPECT_EQ(output_, "0\n1\n2\n255\n");  // 255: bash reads the script
  ::close(leaky);
}

TEST_F(Runs, SignalsAreAsAtLogin) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  sigset_t term;
  sigset_t mask;
  ::sigemptyset(&term);
  ::sigaddset(&term, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &term, &mask);
  command_.argv = {"grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"};
  EXPECT_EQ(outcome(), "exited 0");
  EXPECT_EQ(output_, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  std::signal(SIGPIPE, before);
}

TEST_F(Runs, IgnoredSigchldLosesNoStatus) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  script("exit 3\n");
  EXPECT_EQ(outcome(), "exited 3");
  std::signal(SIGCHLD, before);
}

TEST_F(Runs, OutputBeyondAnyPipeBuffer) {
  script("head -c 20000000 /dev/zero; echo end\n");
  EXPECT_EQ(outcome(), "exited 0");
  EXPECT_EQ(output_.size(), 20000004U);
  EXPECT_THAT(output_.substr(20000000), "end\n");
}

TEST_F(Runs, ClosedOutputIsNoEnd) {
  script("echo first; exec >&- 2>&-; sleep 0.3; exit 5\n");
  EXPECT_EQ(outcome(), "exited 5");
  EXPECT_EQ(output_, "first\n");
}

TEST_F(Runs, WithoutAnyoneListening) {
  script("echo unheard; exit 2\n");
  listener_.on_output = nullptr;
  EXPECT_EQ(outcome(), "exited 2");
}

TEST_F(Runs, MissingFolderIsNotStarted) {
  script(":\n");
  command_.cwd = "/nosuch/folder";
  EXPECT_EQ(outcome(), "not started: cannot enter the folder /nosuch/folder: No such file or directory");
}

TEST_F(Runs, MissingProgramIsNotStarted) {
  command_.argv = {"gate-nosuch-program"};
  EXPECT_EQ(outcome(),
            "not started: cannot start gate-nosuch-program: No such file or directory (searched on PATH)");
}

TEST_F(Runs, ProgramThatMayNotBeExecutedIsNotStarted) {
  script(":\n");
  command_.argv = {"./train.sh"};
  EXPECT_EQ(outcome(), "not started: cannot start ./train.sh: Permission denied");
}

TEST_F(Runs, FileThatIsNoProgramIsNotStarted) {
  script("echo no first line says what runs this\n");
  std::filesystem::permissions(folder_ / "train.sh", std::filesystem::perms::owner_all);
  command_.argv = {"./train.sh"};
  EXPECT_EQ(outcome(), "not started: cannot start ./train.sh: Exec format error");
}

TEST_F(Runs, AnotherScriptThanWasPlannedIsNotStarted) {
  script("echo planned\n");
  command_.script = (folder_ / "train.sh").string();
  command_.script_sha256 = fs::sha256("echo planned\n");
  EXPECT_EQ(outcome(), "exited 0");
  EXPECT_EQ(std::exchange(output_, ""), "planned\n");
  const Outcome changed =
      ScriptChanged{command_.script + ": is not the script that was planned: it changed since; run again"};
  for (const std::string setup : {"", "echo setup"}) {
    command_.setup = setup;
    script("echo another\n");
    const Ending ending = run();
    EXPECT_EQ(ending.outcome, changed);
    EXPECT_THAT(ending.leftovers, IsEmpty());
    std::filesystem::remove(folder_ / "train.sh");
    EXPECT_EQ(run().outcome, changed) << "a script that is gone";
  }
  EXPECT_EQ(output_, "");
}

TEST_F(Runs, AScriptThatNobodyCanReadIsTheHostsFault) {
  script("echo planned\n");
  command_.script_sha256 = fs::sha256("echo planned\n");
  command_.script = (folder_ / "unmounted" / "train.sh").string();
  EXPECT_THAT(outcome(), AllOf(StartsWith("not started: " + command_.script), HasSubstr("No such file")));
  EXPECT_TRUE(std::holds_alternative<NotStarted>(run().outcome));
}

TEST_F(Runs, NothingToStartIsNotStarted) {
  command_.argv = {};
  EXPECT_EQ(outcome(), "not started: there is no command to start");
}

TEST_F(Runs, SetupRunsFirstInTheSamePlace) {
  script("cat made; echo script\n");
  command_.env = {{"WORD", "by setup"}};
  command_.setup = "echo setup; echo \"$WORD\" > made";
  EXPECT_EQ(outcome(), "exited 0");
  EXPECT_EQ(output_, "setup\nby setup\nscript\n");
}

TEST_F(Runs, WhatSetupSetsHoldsForTheScript) {
  script(
      "echo \"$TOOLKIT $(ulimit -n) $(umask) ${PWD##*/} [$*] $([ -e /proc/$$/fd/197 ] || echo closed)\"\n");
  std::filesystem::create_directory(folder_ / "below");
  command_.argv = {"bash", (folder_ / "train.sh").string(), "a b"};
  command_.setup = "export TOOLKIT=8.0; ulimit -n 250; umask 027; cd below";
  EXPECT_EQ(outcome(), "exited 0");
  EXPECT_EQ(output_, "8.0 250 0027 below [a b] closed\n");
}

// Where gate has many files open, one of those for the script has the number that the script is to find.
TEST_F(Runs, SetupIsHeardWhicheverDescriptorsAreFree) {
  script("echo script\n");
  command_.setup = "echo setup";
  std::vector<int> held;
  while (held.empty() || held.back() < 185) held.push_back(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3));
  for (; held.back() < 200; held.push_back(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3))) {
    output_.clear();
    EXPECT_EQ(outcome(), "exited 0") << held.back();
    EXPECT_EQ(output_, "setup\nscript\n") << held.back();
    const std::map<std::string, std::string> env = std::exchange(command_.env, {{"PATH", "/none"}});
    EXPECT_EQ(outcome(), "not started: cannot start bash: No such file or directory (searched on PATH)")
        << held.back();
    command_.env = env;
  }
  for (const int fd : held) ::close(fd);
}

TEST_F(Runs, SetupMayBeginWithADash) {
  script("echo script\n");
  command_.setup = "-x 2>/dev/null; true";
  EXPECT_EQ(outcome(), "exited 0");
  EXPECT_EQ(output_, "script\n");
}

TEST_F(Runs, SetupFailsByItsLastCommandOrItsOwnErrexit) {
  script("echo script\n");
  command_.setup = "set -e; false; true";
  EXPECT_EQ(outcome(), "not started: setup exited 1");
  EXPECT_EQ(output_, "");
}

TEST_F(Runs, SetupThatExitsWellHasKeptTheScriptFromRunning) {
  script("echo script\n");
  command_.setup = "exit 0";
  EXPECT_EQ(outcome(), "not started: setup exited 0");
}

TEST_F(Runs, FailingSetupIsNotStarted) {
  script("echo script\n");
  command_.setup = "echo no licence; exit 3";
  EXPECT_EQ(outcome(), "not started: setup exited 3");
  EXPECT_EQ(output_, "no licence\n");
}

TEST_F(Runs, SetupThatNeverEndsIsNotStarted) {
  script("echo script\n");
  command_.setup = "sleep 1000";
  limits_.timeout = Duration(200);
  EXPECT_EQ(outcome(), "not started: setup timed out after 200ms");
  EXPECT_EQ(output_, "");
}

TEST_F(Runs, DaemonOfSetupServesTheScriptAndEndsWithIt) {
  command_.setup = "setsid sleep 1000 > /dev/null 2>&1 & echo $! > pid";
  script("until [ \"$(< /proc/$(< pid)/comm)\" = sleep ]; do :; done; echo served\n");
  patience_.settle = Duration(0);
  const Ending ending = run();
  EXPECT_EQ(output_, "served\n");
  EXPECT_THAT(ending.leftovers, ElementsAre(Property(&Sentence::english, EndsWith(" sleep 1000"))));
}

TEST_F(Runs, LeftoverIsStoppedAndNamed) {
  script(leave_sleep + "echo $!\n");
  patience_.settle = Duration(0);
  const Ending ending = run();
  EXPECT_EQ(text(ending.outcome), "exited 0");
  EXPECT_THAT(ending.leftovers, ElementsAre("pid " + output_.substr(0, output_.size() - 1) + " sleep 1000"));
  EXPECT_THAT(ending.survivors, IsEmpty());
}

TEST_F(Runs, LeftoverOfAFailedScriptIsStoppedAndNamed) {
  script(leave_sleep + "exit 9\n");
  patience_.settle = Duration(0);
  const Ending ending = run();
  EXPECT_EQ(text(ending.outcome), "exited 9");
  EXPECT_THAT(ending.leftovers, ElementsAre(Property(&Sentence::english, EndsWith(" sleep 1000"))));
}

TEST_F(Runs, DaemonThatForkedTwiceIsFound) {
  script(
      "(setsid bash -c 'trap \"\" TERM HUP; (echo up > up; exec sleep 1000) & wait' < /dev/null &> /dev/null "
      "&)\n"
      "until [ -s up ]; do :; done\n");
  patience_ = {Duration(0), Duration(50), ample};
  EXPECT_THAT(run().leftovers, testing::SizeIs(2));
}

TEST_F(Runs, DaemonWithoutTheCookieIsFound) {
  script(
      "(env -i setsid /bin/bash -c 'echo up > up; exec /bin/sleep 1000' &> /dev/null &)\n"
      "until [ -s up ]; do :; done\n");
  patience_.settle = Duration(0);
  EXPECT_THAT(run().leftovers, testing::SizeIs(1));
}

TEST_F(Runs, GrandchildThatHoldsThePipeOpenHangsNobody) {
  script("(setsid bash -c 'echo held; exec sleep 1000' &)\nexit 4\n");
  patience_.settle = Duration(0);
  EXPECT_EQ(outcome(), "exited 4");
}

TEST_F(Runs, LastWordsOfALogWriterAreWaitedFor) {
  script(
      "mkfifo gone\n"
      "exec > >(cat > /dev/null; exec 3<> gone; read -t 0.2 <&3; echo last words >&2)\n"
      "echo hidden\n");
  patience_.settle = ample;
  const Ending ending = run();
  EXPECT_EQ(output_, "last words\n");
  EXPECT_THAT(ending.leftovers, IsEmpty());
}

// The trainer goes on only when its launcher is gone for good: nobody can signal it any more.
const std::string background_training =
    "launcher=$$\n"
    "setsid bash -c 'while kill -0 '$launcher' 2> /dev/null; do sleep 0.01; done; sleep 0.3; echo step 2' "
    "&\n";

TEST_F(Runs, IncompleteTrainingInTheBackgroundIsWaitedFor) {
  script(background_training);
  limits_.total_known = true;
  patience_.settle = Duration(0);
  const Ending ending = run();
  EXPECT_EQ(text(ending.outcome), "exited 0");
  EXPECT_EQ(output_, "step 2\n");
  EXPECT_THAT(ending.leftovers, IsEmpty());
}

TEST_F(Runs, TotalMayBecomeKnownFromTheLog) {
  script("echo step 1 of 2\n" + background_training);
  answer("of 2", {true, false, false, true, {}});
  patience_.settle = Duration(0);
  run();
  EXPECT_EQ(output_, "step 1 of 2\nstep 2\n");
}

struct NotWaited {
  bool total_known;
  bool wait_for_tree;
  bool complete;
  std::string exit;
};

TEST_F(Runs, BackgroundIsNotWaitedForOtherwise) {
  for (const NotWaited& row : {NotWaited{false, true, false, "0"}, NotWaited{true, false, false, "0"},
                               NotWaited{true, true, true, "0"}, NotWaited{true, true, false, "1"}}) {
    script("echo step 1\n" + leave_sleep + "exit " + row.exit + "\n");
    answer("step 1", {true, false, row.complete, false, {}});
    limits_.total_known = row.total_known;
    limits_.wait_for_tree = row.wait_for_tree;
    patience_.settle = Duration(0);
    const Ending ending = run();
    EXPECT_EQ(text(ending.outcome), "exited " + row.exit);
    EXPECT_THAT(ending.leftovers, ElementsAre(Property(&Sentence::english, EndsWith(" sleep 1000"))));
  }
}

TEST_F(Runs, BackgroundThatNeverEndsTimesOut) {
  script(leave_sleep);
  limits_.total_known = true;
  limits_.timeout = std::chrono::seconds(1);
  const Ending ending = run();
  EXPECT_EQ(text(ending.outcome), "timed out after 1s");
  EXPECT_THAT(ending.leftovers, IsEmpty());
}

TEST_F(Runs, OrphansThatEndWhileTheScriptRunsAreReaped) {
  script(
      "for i in 1 2 3; do (setsid bash -c 'echo $$ >> pids' &); done\n"
      "until [ -s pids ] && [ $(wc -l < pids) = 3 ]; do sleep 0.01; done\n"
      "for pid in $(< pids); do while kill -0 $pid 2> /dev/null; do sleep 0.01; done; done\n"
      "echo reaped\n");
  EXPECT_EQ(outcome(), "exited 0");
  EXPECT_EQ(output_, "reaped\n");
}

TEST_F(Runs, CallerThatThrowsLeavesNothing) {
  script("trap '' TERM; (setsid sleep 1000 &); echo up; sleep 1000\n");
  listener_.on_output = [](std::string_view) -> Pulse { throw std::runtime_error("disk full"); };
  EXPECT_THROW(static_cast<void>(run_command(command_, limits_, listener_, patience_)), std::runtime_error);
}

// The daemon bears no mark of its run: the neighbour, which ends first, must not take it for its own.
TEST_F(Runs, SideBySideDoNotDisturbOneAnother) {
  script(
      "echo up; until [ -e there ]; do sleep 0.01; done\n"
      "(env -i setsid /bin/bash -c 'echo $$ > pid; exec /bin/sleep 1000' &> /dev/null &)\n"
      "until [ -e go ]; do sleep 0.01; done\n"
      "kill -0 $(< pid) && echo daemon lives\n");
  Command other;
  other.cookie = command_.cookie + ".other";
  other.cwd = command_.cwd;
  other.argv = {"bash", "-c", "touch there; until [ -s pid ]; do sleep 0.01; done; sleep 1000 & exit 6"};
  std::string other_outcome;
  std::thread neighbour;
  const auto run_neighbour = [&] {
    const auto ending = run_command(other, {}, {}, {Duration(0), ample, ample});
    other_outcome = ending ? text(ending->outcome).english() : ending.error().message;
    std::ofstream(folder_ / "go") << "go";
  };
  listener_.on_output = [&](std::string_view text) {
    output_ += text;
    if (!neighbour.joinable()) neighbour = std::thread(run_neighbour);
    return Pulse{};
  };
  patience_.settle = Duration(0);
  EXPECT_EQ(outcome(), "exited 0");
  neighbour.join();
  EXPECT_EQ(other_outcome, "exited 6");
  EXPECT_EQ(output_, "up\ndaemon lives\n");
}

// A file system whose server reads what it is asked, and answers no question but the first. It is seen by
// this process alone.
class HungFolder {
 public:
  explicit HungFolder(const std::filesystem::path& folder) : path_(folder / "hung") {
    const std::string device = (folder / "fuse").string();
    std::filesystem::create_directory(path_);
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("", "/", "", MS_REC | MS_PRIVATE, "") != 0) return;
    if (::mknod(device.c_str(), S_IFCHR | S_IRUSR | S_IWUSR, ::makedev(10, 229)) != 0) return;
    server_ = Fd(::open(device.c_str(), O_RDWR | O_CLOEXEC));
    const std::string options =
        "fd=" + std::to_string(server_.get()) + ",rootmode=40000,user_id=0,group_id=0";
    if (server_ && ::mount("hung", path_.c_str(), "fuse", 0, options.c_str()) == 0) is_mounted_ = greet();
  }
  HungFolder(const HungFolder&) = delete;
  ~HungFolder() { end(); }

  bool is_there() const { return is_mounted_; }
  std::string path() const { return path_.string(); }

  // Wait until somebody asks for something, and take the question: not even KILL ends who waits for it.
  bool is_asked() {
    pollfd event{server_.get(), POLLIN, 0};
    return ::poll(&event, 1, static_cast<int>(ample.count())) == 1 &&
           ::read(server_.get(), question_.data(), question_.size()) > 0;
  }

  // What waits for an answer fails; to close the server's end is not enough, for the child has it as well.
  void end() {
    if (std::exchange(is_mounted_, false)) ::umount2(path_.c_str(), MNT_FORCE | MNT_DETACH);
  }

 private:
  struct Greeting {
    fuse_out_header head{};
    fuse_init_out body{};
  };

  bool greet() {
    if (::read(server_.get(), question_.data(), question_.size()) < 0) return false;
    Greeting answer;
    answer.head.len = sizeof answer;
    std::memcpy(&answer.head.unique, question_.data() + offsetof(fuse_in_header, unique),
                sizeof answer.head.unique);
    answer.body.major = FUSE_KERNEL_VERSION;
    answer.body.minor = 31;
    answer.body.max_write = 65536;
    return ::write(server_.get(), &answer, sizeof answer) == sizeof answer;
  }

  std::filesystem::path path_;
  Fd server_;
  bool is_mounted_ = false;
  std::array<char, 1 << 17> question_{};
};

TEST_F(Runs, AFolderThatDoesNotAnswerHoldsNoOtherScript) {
  HungFolder hung(folder_);
  if (!hung.is_there()) GTEST_SKIP() << "this system mounts no file system for a test";
  script("echo here\n");
  Command other = command_;
  other.cookie = command_.cookie + ".other";
  other.cwd = hung.path() + "/case";
  auto ending = std::async(std::launch::async, [&] { return run_command(other, limits_, {}, patience_); });
  ASSERT_TRUE(hung.is_asked());
  EXPECT_EQ(text(run_command(command_, limits_, listener_, patience_)->outcome).english(), "exited 0");
  EXPECT_EQ(output_, "here\n");
  hung.end();
  EXPECT_THAT(text(ending.get()->outcome).english(), StartsWith("not started: cannot enter the folder "));
}

TEST_F(Runs, AClientOfGatesOwnIsNoOrphanOfAScript) {
  script("echo up; until [ -e there ]; do sleep 0.01; done\n");
  const std::string there = (folder_ / "there").string(), go = (folder_ / "go").string();
  ToolAnswer answer;
  std::thread client;
  listener_.on_output = [&](std::string_view) {
    client = std::thread([&] {
      answer = ask_tool({"bash", "-c",
                         "(until [ -e " + go + " ]; do sleep 0.01; done; echo child) & touch " + there +
                             "; wait; echo lives"},
                        ample);
    });
    return Pulse{};
  };
  const auto ending = run_command(command_, limits_, listener_, patience_);
  std::ofstream(go) << "go";
  client.join();
  ASSERT_TRUE(ending);
  EXPECT_EQ(text(ending->outcome), "exited 0");
  EXPECT_THAT(ending->leftovers, testing::IsEmpty());
  EXPECT_EQ(answer.output, "child\nlives\n");
}

}  // namespace
}  // namespace gate::launch::runner_test
