#include "gate/suite/git_commit.h"

#include <gmock/gmock.h>

#include "../temporary.h"
#include "gate/launch/tool.h"
#include "gate/suite/suite.h"

namespace gate::app::git_commit_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class GitCommits : public Temporary {
 protected:
  void git(std::vector<std::string> words) const {
    const std::vector<std::string> git{"git",         "-C", root.string(),   "-c",
                                       "user.name=x", "-c", "user.email=x@y"};
    words.insert(words.begin(), git.begin(), git.end());
    const ToolAnswer answer = launch::ask_tool(words, std::chrono::minutes(1));
    ASSERT_EQ(answer.exit_code, 0) << answer.errors << answer.failure;
  }

  void commit() const {
    git({"init", "-q", "-b", "main"});
    git({"add", "-A"});
    git({"commit", "-qm", "all"});
  }

  GitCommit main(const std::string& folder = "") const {
    Answer<GitCommit> found = GitCommit::find(root / folder, "main");
    EXPECT_TRUE(found) << (found ? "" : found.error().message);
    return std::move(*found);
  }

  std::string why_not(const std::string& path) const {
    const auto read = main("suite").read({path});
    return read ? "" : read.error().message;
  }

  // Return the keys, cases and shifts of the findings.
  std::vector<std::string> findings() const {
    const Answer<Suite> suite = open_suite({root / "suite", {}, {}, {}, "", "main", "2026-03-01"});
    if (!suite) return {suite.error().message};
    std::vector<std::string> lines;
    for (const PolicyFinding& one : suite->trusted->policy.findings)
      lines.push_back(std::string(to_string(one.shift)) + " " + one.subject + " " +
                      std::to_string(one.cases.size()));
    return lines;
  }
};

TEST_F(GitCommits, HaveFilesAsTheyWereSeenFromAFolder) {
  put("suite/a b\n'c", "one\n");
  put("shared/b", std::string("tw\0o", 4));
  commit();
  put("shared/b", "three");
  const auto read = main("suite").read({"a b\n'c", "../shared/b", "../../b", "none"});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(*read, ElementsAre(Pair("../shared/b", std::string("tw\0o", 4)), Pair("a b\n'c", "one\n")));
}

TEST_F(GitCommits, SayWhatIsNoFileOfTheirs) {
  put("suite/pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
  put("suite/a", "one");
  std::filesystem::create_symlink("a", root / "suite/link");
  commit();
  EXPECT_THAT(why_not("pointer"), HasSubstr("main:pointer is a pointer of Git LFS"));
  EXPECT_THAT(why_not("link"), HasSubstr("main:link is a symbolic link"));
  EXPECT_EQ(why_not("a"), "");
}

TEST_F(GitCommits, AreNotFoundByWhatNamesNone) {
  put("a", "one");
  commit();
  for (const char* word : {"none", "--all", "main:a", "main..main", "", "main\nmain"}) {
    const Answer<GitCommit> found = GitCommit::find(root, word);
    ASSERT_FALSE(found) << word;
    EXPECT_EQ(found.error().exit_code, exit_code::usage);
    EXPECT_THAT(found.error().message, HasSubstr("git fetch --depth=1 origin ")) << word;
  }
}

TEST_F(GitCommits, TellWhatChangedSince) {
  put("a", "one");
  put("dir/b", "two");
  commit();
  put("dir/b", "three");
  put("new file", "four");
  const auto changed = main("dir").changed();
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_THAT(*changed, ElementsAre("dir/b", "new file"));
}

TEST_F(GitCommits, FindingsOfSeveralCasesAlikeAreOne) {
  put("suite/gate.toml", "[suite]\nstrict = true\n[rules.lm_loss]\ntolerance = '+-0.01'\n");
  for (const char* name : {"a", "b"}) put("suite/scripts/" + std::string(name) + ".sh", "#GATE devices=0\n");
  commit();
  EXPECT_THAT(findings(), ElementsAre());
  put("suite/gate.toml", "# a comment\n[suite]\nstrict = true\n[rules.lm_loss]\ntolerance = '\u00b10.01'\n");
  EXPECT_THAT(findings(), ElementsAre("changed gate.toml 0"));
  put("suite/gate.toml", "[rules.lm_loss]\nmax_misses = 2\ntolerance = '+-0.001'\n");
  put("suite/scripts/b.sh", "#GATE devices=0 steps=3\n");
  EXPECT_THAT(findings(),
              ElementsAre("changed gate.toml 0", "loosened rules.lm_loss.max_misses 2",
                          "tightened rules.lm_loss.tolerance 2", "loosened strict 2", "added steps 1"));
}

TEST_F(GitCommits, FindAProfileThatLeavesOutComparisons) {
  put("suite/gate.toml", "[suite]\nprofile = 'megatron lm_loss'\n");
  put("suite/scripts/a.sh", "#GATE devices=0\n");
  commit();
  put("suite/gate.toml", "[suite]\nprofile = 'megatron lm_loss nondeterministic'\n");
  EXPECT_THAT(findings(), testing::Contains("loosened profile 1"));
  put("suite/gate.toml", "[suite]\nprofile = 'megatron'\n");
  EXPECT_THAT(findings(), testing::Contains("changed profile 1"));
}

}  // namespace
}  // namespace gate::app::git_commit_test
