#include "gate/suite/git.h"

#include <gtest/gtest.h>

#include "gate/suite/suite.h"

namespace gate::app::git_test {
namespace {

class Git : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "gate-git-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  void write(const std::string& path, const std::string& text) {
    ASSERT_TRUE(fs::write_file(folder / path, text));
  }
  fs::Path folder;
  const std::string commit = "0123456789abcdef0123456789abcdef01234567";
};

TEST_F(Git, FindsTheTopLevelUpwards) {
  write(".git/HEAD", "");
  write("a/b/c", "");
  EXPECT_EQ(git_root(folder / "a/b"), folder);
}

TEST_F(Git, ReadsTheCommitOfABranch) {
  write(".git/HEAD", "ref: refs/heads/main\n");
  EXPECT_EQ(git_commit(folder), "");
  write(".git/packed-refs", "# pack-refs\n" + commit + " refs/heads/main\n");
  EXPECT_EQ(git_commit(folder), commit);
  write(".git/refs/heads/main", std::string(40, 'f') + "\n");
  EXPECT_EQ(git_commit(folder), std::string(40, 'f'));
}

TEST_F(Git, ReadsADetachedHeadAndAWorktree) {
  write("main/.git/HEAD", commit + "\n");
  EXPECT_EQ(git_commit(folder / "main"), commit);
  write("main/.git/worktrees/w/HEAD", "ref: refs/heads/w\n");
  write("main/.git/worktrees/w/commondir", "../..\n");
  write("main/.git/refs/heads/w", commit + "\n");
  write("w/.git", "gitdir: ../main/.git/worktrees/w\n");
  EXPECT_EQ(git_commit(folder / "w"), commit);
}

TEST_F(Git, ASuiteIsLookedForUpToTheTopOfTheTree) {
  write("gate.toml", "");
  write("outer/scripts/a.sh", "");
  write("outer/inner/x", "");
  EXPECT_EQ(find_suite_root(folder / "outer/inner"), folder);
  write("outer/inner/.git/HEAD", "");
  EXPECT_EQ(find_suite_root(folder / "outer/inner"), fs::Path());
  write("outer/.git/HEAD", "");
  EXPECT_EQ(find_suite_root(folder / "outer/inner"), fs::Path()) << "a repository of its own";
  std::filesystem::remove_all(folder / "outer/inner/.git");
  write("outer/inner/.git", "gitdir: ../.git/modules/inner\n");
  EXPECT_EQ(find_suite_root(folder / "outer/inner"), folder / "outer") << "a submodule";
  write("outer/inner/.git", "gitdir: /modules/.git/worktrees/inner\n");
  EXPECT_EQ(find_suite_root(folder / "outer/inner"), fs::Path()) << "another work tree";
  write("outer/inner/gate.toml", "");
  EXPECT_EQ(find_suite_root(folder / "outer/inner"), folder / "outer/inner");
}

TEST_F(Git, WhatIsNoCommitIsUnknown) {
  write(".git/HEAD", "../../etc/passwd\n");
  EXPECT_EQ(git_commit(folder), "");
}

}  // namespace
}  // namespace gate::app::git_test
