#include "agent/agent_tree.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "temporary.h"

namespace gate::agent::tree_test {
namespace {

using hosts::EntryKind;
using hosts::TreeEntry;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Trees : public Temporary {
 protected:
  std::string why_not(const Status& status) const { return status ? "" : status.error().message; }

  // Have the content kept; the entry of a file that holds it.
  TreeEntry file(const std::string& path, const std::string& content,
                 EntryKind kind = EntryKind::file) const {
    const std::string hash = fs::sha256(content);
    EXPECT_EQ(why_not(blobs.put(hash, 0, true, content)), "");
    return {path, kind, hash};
  }
  std::string why_not_planted(const std::vector<TreeEntry>& entries) const {
    const auto missing = tree.plant(entries);
    return missing ? "" : missing.error().message;
  }

  const Blobs blobs{root / "blobs", "5e55"};
  const SessionTree tree{root / "tree", blobs};
};

TEST_F(Trees, ContentsAreKeptOnceTheyAreWhole) {
  const std::string hash = fs::sha256("abcdef");
  EXPECT_EQ(why_not(blobs.put(hash, 3, false, "def")), "") << "in any order";
  EXPECT_EQ(blobs.get(hash), std::nullopt);
  EXPECT_EQ(get("blobs/" + hash + ".5e55"), std::string("\0\0\0def", 6));
  EXPECT_EQ(why_not(blobs.put(hash, 0, true, "abc")), "");
  EXPECT_EQ(blobs.get(hash), "abcdef");
  EXPECT_EQ(why_not(blobs.put(hash, 0, true, "xxx")), "") << "what is whole is left as it is";
  EXPECT_EQ(blobs.get(hash), "abcdef");
  EXPECT_THAT(fs::files_below(root / "blobs"), ElementsAre(hash));
}

TEST_F(Trees, ContentsOfAnotherHashAreNotKept) {
  const std::string hash = fs::sha256("abc");
  EXPECT_THAT(why_not(blobs.put(hash, 0, true, "abd")), HasSubstr("changed while it was sent"));
  EXPECT_THAT(fs::files_below(root / "blobs"), IsEmpty());
  for (const std::string name : {"", "../x", "ABC"})
    EXPECT_EQ(why_not(blobs.put(name, 0, true, "")), "no content has that name") << name;
  EXPECT_EQ(why_not(blobs.put(hash, -1, true, "abc")), "no content has that name");
}

TEST_F(Trees, AContentThatWasDamagedIsGone) {
  const std::string hash = file("a", "abc").content;
  put("blobs/" + hash, "abd");
  EXPECT_EQ(blobs.get(hash), std::nullopt);
  EXPECT_FALSE(fs::exists(root / "blobs" / hash));
}

TEST_F(Trees, SessionsDoNotFinishEachOthersPieces) {
  const std::string hash = fs::sha256("abc");
  const Blobs other(root / "blobs", "0a");
  EXPECT_EQ(why_not(blobs.put(hash, 0, false, "ab")), "");
  EXPECT_THAT(why_not(other.put(hash, 2, true, "c")), HasSubstr("changed"));
  EXPECT_EQ(why_not(blobs.put(hash, 2, true, "c")), "");
  EXPECT_EQ(blobs.get(hash), "abc");
}

TEST_F(Trees, ArePlantedAsTheyAre) {
  const std::string lacking = fs::sha256("not sent");
  const auto missing = tree.plant({file("run.sh", "#!/bin/sh\n", EntryKind::program),
                                   file("data/x", ""),
                                   {"data/link", EntryKind::link, "../run.sh"},
                                   {"data/lost", EntryKind::file, lacking}});
  ASSERT_TRUE(missing);
  EXPECT_THAT(*missing, ElementsAre(lacking));
  EXPECT_THAT(fs::files_below(root / "tree"), ElementsAre("data/link", "data/x", "run.sh"));
  EXPECT_EQ(get("tree/data/link"), "#!/bin/sh\n");
  EXPECT_EQ(::access((root / "tree/run.sh").c_str(), X_OK), 0);
  EXPECT_NE(::access((root / "tree/data/x").c_str(), X_OK), 0);
}

TEST_F(Trees, TakeThePlaceOfWhatStandsThere) {
  put("elsewhere", "mine");
  std::filesystem::create_directories(root / "tree");
  std::filesystem::create_symlink(root / "elsewhere", root / "tree/a");
  EXPECT_EQ(why_not_planted({file("a", "sent")}), "");
  EXPECT_EQ(get("tree/a"), "sent");
  EXPECT_EQ(get("elsewhere"), "mine") << "nothing is written through a link";
  EXPECT_EQ(why_not_planted({file("a", "sent again")}), "");
  EXPECT_EQ(get("tree/a"), "sent again");
}

TEST_F(Trees, FollowNoLinkOnTheWay) {
  put("elsewhere/x", "mine");
  EXPECT_EQ(why_not_planted({{"out", EntryKind::link, (root / "elsewhere").string()}}), "");
  EXPECT_THAT(why_not_planted({file("out/x", "sent")}), HasSubstr("a link or a file is where a folder"));
  EXPECT_THAT(why_not(tree.remove(root / "tree/out/x")), HasSubstr("a link or a file is where a folder"));
  EXPECT_FALSE(tree.make_folder(root / "tree/out/y"));
  EXPECT_THAT(fs::files_below(root / "elsewhere"), ElementsAre("x"));
  EXPECT_EQ(get("elsewhere/x"), "mine");
}

TEST_F(Trees, WhatIsPlantedIsOlderThanAFolderThatIsMade) {
  EXPECT_EQ(why_not_planted({file("a", "sent")}), "");
  const auto made = tree.make_folder(root / "tree/scratch/1");
  ASSERT_TRUE(made);
  struct stat info {};
  ASSERT_EQ(::stat((root / "tree/a").c_str(), &info), 0);
  EXPECT_LT(info.st_mtim.tv_sec, *made / 1'000'000'000 - 50);
  EXPECT_TRUE(std::filesystem::is_directory(root / "tree/scratch/1"));
}

TEST_F(Trees, MakeAndRemoveNothingElsewhere) {
  put("elsewhere/x", "mine");
  for (const char* path : {"", "elsewhere", "tree", "tree/", "tree/../elsewhere", "tree2/x", "/"}) {
    const fs::Path whole = *path == '/' ? fs::Path(path) : root / path;
    EXPECT_THAT(why_not(tree.remove(whole)), HasSubstr("does not lie in the session's tree")) << path;
    EXPECT_FALSE(tree.make_folder(whole)) << path;
  }
  EXPECT_EQ(get("elsewhere/x"), "mine");
}

TEST_F(Trees, RemoveWhatScriptsMade) {
  ASSERT_TRUE(tree.make_folder(root / "tree/scratch"));
  put("tree/scratch/a/b", "");
  put("elsewhere", "mine");
  std::filesystem::create_symlink(root / "elsewhere", root / "tree/scratch/a/link");
  EXPECT_EQ(why_not(tree.remove(root / "tree/scratch")), "");
  EXPECT_FALSE(fs::exists(root / "tree/scratch"));
  EXPECT_EQ(why_not(tree.remove(root / "tree/scratch")), "") << "what is not there is gone";
  EXPECT_EQ(get("elsewhere"), "mine");
}

}  // namespace
}  // namespace gate::agent::tree_test
