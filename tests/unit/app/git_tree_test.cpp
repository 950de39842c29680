#include "places/host/git_tree.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "../temporary.h"
#include "gate/launch/tool.h"

namespace gate::app::git_tree_test {
namespace {

using hosts::EntryKind;
using hosts::TreeEntry;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class GitTree : public Temporary {
 protected:
  void git(const std::string& folder, std::vector<std::string> words) const {
    const std::vector<std::string> git{"git",
                                       "-C",
                                       (root / folder).string(),
                                       "-c",
                                       "user.name=x",
                                       "-c",
                                       "user.email=x@y",
                                       "-c",
                                       "protocol.file.allow=always"};
    words.insert(words.begin(), git.begin(), git.end());
    const ToolAnswer answer = launch::ask_tool(words, std::chrono::minutes(1));
    ASSERT_EQ(answer.exit_code, 0) << answer.errors << answer.failure;
  }

  void commit(const std::string& folder) const {
    git(folder, {"init", "-q"});
    git(folder, {"add", "-A"});
    git(folder, {"commit", "-qm", "all"});
  }

  std::vector<TreeEntry> entries(const std::string& folder, const std::vector<fs::Path>& further = {}) const {
    const Answer<hosts::Tree> tree = read_git_tree(root / folder, further);
    EXPECT_TRUE(tree) << (tree ? "" : tree.error().message);
    if (!tree) return {};
    EXPECT_EQ(tree->root, root / "work");
    return tree->entries;
  }

  static TreeEntry file(const std::string& path, const std::string& content,
                        EntryKind kind = EntryKind::file) {
    return {path, kind, fs::sha256(content)};
  }
};

TEST_F(GitTree, HasWhatIsTrackedAsItIsNow) {
  for (const char* path : {"work/suite/a.sh", "work/b", "work/gone", "work/run me", "work/'$(x)\n\""})
    put(path, "one");
  std::filesystem::permissions(root / "work/run me", std::filesystem::perms::owner_all);
  std::filesystem::create_symlink("../away", root / "work/link");
  commit("work");
  put("work/b", "changed");
  put("work/suite/new.sh", "new");
  put("work/suite/data", "not tracked");
  std::filesystem::remove(root / "work/gone");
  const auto found = entries("work/suite", {root / "work/suite/new.sh", root / "work/suite/a.sh"});
  EXPECT_THAT(found, UnorderedElementsAre(file("suite/a.sh", "one"), file("b", "changed"),
                                          file("run me", "one", EntryKind::program), file("'$(x)\n\"", "one"),
                                          TreeEntry{"link", EntryKind::link, "../away"},
                                          file("suite/new.sh", "new")));
}

TEST_F(GitTree, FollowsALinkThatIsNotTracked) {
  put("work/a", "one");
  commit("work");
  put("elsewhere", "script");
  std::filesystem::create_symlink(root / "elsewhere", root / "work/new.sh");
  EXPECT_THAT(entries("work", {root / "work/new.sh"}),
              UnorderedElementsAre(file("a", "one"), file("new.sh", "script")));
}

TEST_F(GitTree, HasItsSubmodules) {
  put("library/deep/c", "two");
  commit("library");
  put("work/a", "one");
  commit("work");
  git("work", {"submodule", "--quiet", "add", (root / "library").string(), "sub"});
  const auto found = entries("work");
  EXPECT_THAT(found, testing::Contains(file("sub/deep/c", "two")));
  EXPECT_EQ(found.size(), 3U);  // and .gitmodules
  std::filesystem::remove_all(root / "work/sub");
  std::filesystem::create_directory(root / "work/sub");
  EXPECT_EQ(entries("work").size(), 2U);
}

TEST_F(GitTree, IsThatOfTheSuiteWithinAHookToo) {
  put("work/a", "one");
  commit("work");
  put("other/b", "two");
  commit("other");
  ::setenv("GIT_DIR", (root / "other/.git").c_str(), 1);
  EXPECT_THAT(entries("work"), UnorderedElementsAre(file("a", "one")));
  ::unsetenv("GIT_DIR");
}

TEST_F(GitTree, SaysWhyThereIsNone) {
  put("none/a", "one");
  const Answer<hosts::Tree> none = read_git_tree(root / "none", {});
  EXPECT_EQ(none.error().exit_code, exit_code::usage);
  EXPECT_THAT(none.error().message, HasSubstr("lies in no git tree"));
  put("work/.git", "gitdir: nowhere\n");
  const Answer<hosts::Tree> broken = read_git_tree(root / "work", {});
  EXPECT_EQ(broken.error().exit_code, exit_code::infra);
  EXPECT_THAT(broken.error().message, HasSubstr("git ls-files fails in"));
}

TEST(PathBelow, IsSeenFromTheFolder) {
  EXPECT_EQ(path_below("/a/b/c", "/a"), "b/c");
  EXPECT_EQ(path_below("/a/b/../c", "/a/"), "c");
  EXPECT_EQ(path_below("/a", "/a"), ".");
  EXPECT_EQ(path_below("/ab", "/a"), std::nullopt);
  EXPECT_EQ(path_below("/a/../b", "/a"), std::nullopt);
  EXPECT_EQ(path_below("/", "/a"), std::nullopt);
}

}  // namespace
}  // namespace gate::app::git_tree_test
