#include "gate/base/set_aside.h"

#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "../temporary.h"

namespace gate::set_aside_test {
namespace {

using Paths = std::vector<std::string>;

class SetAside : public Temporary {
 protected:
  SetAside() {
    put("out/answer.txt", "old");
    fs::make_folder(root / "journals");
    asides.journal = (root / "journals" / journal_name("launch 1")).string();
    asides.places = {{root.string(), "out/*.txt"}};
  }
  fs::Path answer() const { return root / "out/answer.txt"; }
  std::string text(const fs::Path& path) const { return fs::read_file(path).value_or("none"); }
  Paths settled() { return settle(asides.journal).value_or(Paths{"failed"}); }
  bool is_clean() const {
    std::size_t journals = 0;
    for (const auto& entry : std::filesystem::directory_iterator(root / "journals"))
      journals += entry.path().filename().string().starts_with("aside-") ? 1 : 0;
    const auto all = fs::files_below(root / "out");
    return journals == 0 &&
           std::ranges::none_of(all, [](const std::string& file) { return is_set_aside(file); });
  }

  // Do it in a process of its own, and kill that at the call to the system of that number. Returns false
  // where it ended before.
  static bool killed_at(int call, const std::function<void()>& act) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
      ::raise(SIGSTOP);
      act();
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    for (int stops = 0; WIFSTOPPED(status) && stops < call; ++stops) {
      ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
      ::waitpid(child, &status, 0);
    }
    if (!WIFSTOPPED(status)) return false;
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    return true;
  }

  Asides asides;
};

TEST_F(SetAside, CountsWhatTheLaunchWrote) {
  ASSERT_TRUE(set_outputs_aside(asides));
  EXPECT_FALSE(fs::exists(answer()));
  EXPECT_EQ(fs::files_for(root, "out/*"), Paths{});
  put("out/answer.txt", "new");
  EXPECT_EQ(settled(), Paths{});
  EXPECT_EQ(text(answer()), "new");
  EXPECT_TRUE(is_clean());
}

TEST_F(SetAside, PutsBackWhatNobodyWrote) {
  struct stat before {
  }, after{};
  ::stat(answer().c_str(), &before);
  ASSERT_TRUE(set_outputs_aside(asides));
  put("out/other.txt", "new");
  EXPECT_EQ(settled(), Paths{answer().string()});
  ::stat(answer().c_str(), &after);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(text(answer()), "old");
  EXPECT_TRUE(is_clean());
  EXPECT_EQ(settled(), Paths{});  // once more
}

TEST_F(SetAside, IsDoneOnceForAllStartsOfALaunch) {
  ASSERT_TRUE(set_outputs_aside(asides));
  put("out/answer.txt", "of the first start");
  ASSERT_TRUE(set_outputs_aside(asides));
  EXPECT_EQ(text(answer()), "of the first start");
  EXPECT_EQ(settled(), Paths{});
}

TEST_F(SetAside, LeavesWhatMustKeepItsName) {
  put("golden.txt", "old");
  put("needs/a.txt", "old");
  put("far/target.txt", "old");
  std::filesystem::create_symlink("../far/target.txt", root / "out/link.txt");
  std::filesystem::create_hard_link(root / "golden.txt", root / "out/same.txt");
  asides.kept = {(root / "golden.txt").string(), (root / "needs").string(), (root / "none").string()};
  asides.places.push_back({root.string(), "needs/*"});
  ASSERT_TRUE(set_outputs_aside(asides));
  EXPECT_FALSE(fs::exists(answer()));
  for (const char* kept : {"out/link.txt", "out/same.txt", "needs/a.txt", "far/target.txt"})
    EXPECT_EQ(text(root / kept), "old") << kept;
  put("needs/a.txt", "new");
  Paths old = settled();
  std::ranges::sort(old);
  EXPECT_EQ(old,
            (Paths{answer().string(), (root / "out/link.txt").string(), (root / "out/same.txt").string()}));
}

// Each of them, alone, tells.
TEST_F(SetAside, TellsAFileThatKeptItsNameByWhatItIs) {
  const auto counts = [&](const std::function<void(const fs::Path&)>& change) {
    put("out/answer.txt", "old");
    asides.kept = {answer().string()};
    EXPECT_TRUE(set_outputs_aside(asides));
    change(answer());
    return settled().empty();
  };
  EXPECT_FALSE(counts([](const fs::Path&) {}));
  EXPECT_TRUE(counts([](const fs::Path& path) { std::ofstream(path, std::ios::app) << "more"; }));
  EXPECT_TRUE(counts([](const fs::Path& path) { std::ofstream(path) << "old"; }));  // its change time alone
  EXPECT_TRUE(counts([](const fs::Path& path) {
    std::filesystem::rename(path, path.string() + ".gone");
    std::ofstream(path) << "old";
  }));
}

// A link is made in no time, also to an old file, or to a folder of such.
TEST_F(SetAside, DoesNotCountAnOldFileBehindANewLink) {
  put("earlier/answer.txt", "old");
  std::filesystem::remove_all(root / "out");
  ASSERT_TRUE(set_outputs_aside(asides));
  std::filesystem::create_directory_symlink("earlier", root / "out");
  EXPECT_EQ(settled(), Paths{answer().string()});
  std::filesystem::remove(root / "out");
  ASSERT_TRUE(set_outputs_aside(asides));
  put("out/results.json", "new");
  std::filesystem::create_symlink("../earlier/answer.txt", root / "out/a.txt");
  std::filesystem::create_symlink("results.json", root / "out/b.txt");
  EXPECT_EQ(settled(), Paths{(root / "out/a.txt").string()});
}

// What was set aside behind a link to a folder is put back there, wherever the link leads by then.
TEST_F(SetAside, PutsBackInTheFolderThatALinkLedTo) {
  std::filesystem::rename(root / "out", root / "real");
  std::filesystem::create_directory_symlink("real", root / "out");
  ASSERT_TRUE(set_outputs_aside(asides));
  std::filesystem::remove(root / "out");
  put("out/answer.txt", "new");
  EXPECT_EQ(settled(), Paths{});
  EXPECT_EQ(text(root / "real/answer.txt") + text(answer()), "oldnew");
}

TEST_F(SetAside, AsksNoClock) {
  const auto future = fs::FileTime::clock::now() + std::chrono::hours(48);
  std::filesystem::last_write_time(answer(), future);
  ASSERT_TRUE(set_outputs_aside(asides));
  EXPECT_EQ(settled(), Paths{answer().string()});
  ASSERT_TRUE(set_outputs_aside(asides));
  put("out/answer.txt", "new");
  std::filesystem::last_write_time(answer(), fs::FileTime{});
  EXPECT_EQ(settled(), Paths{});
}

TEST_F(SetAside, LeavesJournalsOfWhoLives) {
  ASSERT_TRUE(set_outputs_aside(asides));
  EXPECT_EQ(settle_left(root / "journals", ""), Paths{});
  EXPECT_FALSE(fs::exists(answer()));
  EXPECT_EQ(settle_left(root / "journals", "somebody.1"), Paths{});
  EXPECT_FALSE(fs::exists(answer()));
  EXPECT_EQ(settle_left(root / "journals", owner_of_asides()), Paths{});
  EXPECT_EQ(text(answer()), "old");
  EXPECT_TRUE(is_clean());
}

TEST_F(SetAside, BelievesNoJournalThatOthersMayWriteTo) {
  ASSERT_TRUE(set_outputs_aside(asides));
  ::chmod(asides.journal.c_str(), 0666);
  EXPECT_EQ(settle_left(root / "journals", owner_of_asides()), Paths{});
  EXPECT_FALSE(fs::exists(answer()));
  ::chmod(asides.journal.c_str(), 0600);
  EXPECT_EQ(settled(), Paths{answer().string()});
}

TEST_F(SetAside, FollowsTheJournalOfAnotherHost) {
  const Asides here{(root / "journals/aside-here").string(), {}, {}, asides.journal};
  ASSERT_TRUE(set_outputs_aside(here));
  ASSERT_TRUE(set_outputs_aside(asides));
  EXPECT_EQ(settle(here.journal).value_or(Paths{}), Paths{answer().string()});
  EXPECT_TRUE(is_clean());
}

TEST_F(SetAside, LosesNothingWhereItIsKilledAtAnyCall) {
  put("out/second.txt", "old");
  int call = 0;
  for (bool was_killed = true; was_killed; ++call) {
    was_killed = killed_at(call, [&] { static_cast<void>(set_outputs_aside(asides)); });
    ASSERT_TRUE(was_killed || fs::exists(asides.journal)) << call;
    ASSERT_EQ(settle_left(root / "journals", ""), Paths{}) << call;
    ASSERT_EQ(text(answer()) + text(root / "out/second.txt"), "oldold") << call;
    ASSERT_TRUE(is_clean()) << call;
  }
  EXPECT_GT(call, 20);
}

TEST_F(SetAside, LosesNothingWhereItIsKilledAtAnyCallWhileItSettles) {
  int call = 0;
  for (bool was_killed = true; was_killed; ++call) {
    put("out/answer.txt", "old");
    put("out/second.txt", "old");
    ASSERT_TRUE(set_outputs_aside(asides));
    put("out/second.txt", "new");
    was_killed = killed_at(call, [&] { static_cast<void>(settle(asides.journal)); });
    ASSERT_EQ(settle_left(root / "journals", owner_of_asides()), Paths{}) << call;
    ASSERT_EQ(text(answer()) + text(root / "out/second.txt"), "oldnew") << call;
    ASSERT_TRUE(is_clean()) << call;
  }
  EXPECT_GT(call, 20);
}

}  // namespace
}  // namespace gate::set_aside_test
