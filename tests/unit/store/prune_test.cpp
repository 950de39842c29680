#include <gmock/gmock.h>

#include "../temporary.h"
#include "gate/base/unfinished.h"
#include "gate/store/run_folder.h"

namespace gate::store::prune_test {
namespace {

class Prune : public Temporary {
 protected:
  // Make a run folder that was last written to so many hours ago.
  void run(const std::string& id, int hours) const {
    const fs::Path folder = root / ".gate/runs" / id;
    ASSERT_TRUE(fs::write_file(folder / "result.json", "{}"));
    std::filesystem::last_write_time(
        folder, std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours));
  }

  Status prune(int keep) const { return remove_runs(root, old_runs(root, keep), keep); }

  std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(root / ".gate/runs"))
      names.push_back(entry.path().filename().string());
    return names;
  }
};

using testing::HasSubstr;
using testing::UnorderedElementsAre;

TEST_F(Prune, TheOldestGo) {
  run("1121-0203", 3);
  run("1121-0203-2", 2);
  run("0101-0000", 1);  // the next year
  ASSERT_TRUE(prune(2));
  EXPECT_THAT(left(), UnorderedElementsAre("1121-0203-2", "0101-0000"));
  EXPECT_THAT(told_of_removed(root, "1121-0203"), HasSubstr("keep_runs = 2 keeps no more"));
  EXPECT_EQ(told_of_removed(root, "1121-0203-2"), "");
}

// Several gates that end at once list the same runs.
TEST_F(Prune, WhatAnotherGateRemovedIsNoProblem) {
  for (const int hours : {4, 3, 2, 1}) run("1121-020" + std::to_string(hours), hours);
  const std::vector<fs::Path> old = old_runs(root, 1);
  ASSERT_TRUE(prune(3));
  EXPECT_TRUE(remove_runs(root, old, 1));
  EXPECT_THAT(left(), UnorderedElementsAre("1121-0201"));
  EXPECT_THAT(told_of_removed(root, "1121-0204"), HasSubstr("keep_runs = 3"));
  EXPECT_THAT(told_of_removed(root, "1121-0203"), HasSubstr("keep_runs = 1"));
}

// Its name is not free to rename it: what root may remove is of no matter.
TEST_F(Prune, WhatCannotBeRemovedStaysAndTheOthersGo) {
  for (const int hours : {3, 2, 1}) run("1121-020" + std::to_string(hours), hours);
  const fs::Path none = root / "notes/1121-0209";
  put("notes", "");
  const Status removed = remove_runs(root, {none, root / ".gate/runs/1121-0203"}, 1);
  ASSERT_FALSE(removed);
  EXPECT_THAT(removed.error().message, HasSubstr("1121-0209: cannot remove the old run: Not a directory"));
  EXPECT_THAT(left(), UnorderedElementsAre("1121-0202", "1121-0201"));
}

TEST_F(Prune, ZeroKeepsAll) {
  run("1121-0203", 3);
  ASSERT_TRUE(prune(0));
  EXPECT_THAT(left(), UnorderedElementsAre("1121-0203"));
}

TEST_F(Prune, TheLatestAndWhatNoRunMadeStay) {
  run("1121-0203", 3);
  run("1121-0204", 2);
  run("notes", 9);
  ASSERT_TRUE(fs::replace_link(root / ".gate/latest", "runs/1121-0203"));
  ASSERT_TRUE(prune(1));
  EXPECT_THAT(left(), UnorderedElementsAre("1121-0203", "1121-0204", "notes"));
}

TEST_F(Prune, OfAFolderElsewhereOnlyTheLinkGoes) {
  ASSERT_TRUE(fs::write_file(root / "mine/result.json", "{}"));
  ASSERT_TRUE(fs::make_folder(root / ".gate/runs"));
  std::filesystem::create_directory_symlink(root / "mine", root / ".gate/runs/1121-0203");
  std::filesystem::last_write_time(root / "mine",
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(5));
  run("1121-0204", 2);
  ASSERT_TRUE(prune(1));
  EXPECT_THAT(left(), UnorderedElementsAre("1121-0204"));
  EXPECT_TRUE(fs::exists(root / "mine/result.json"));
}

// Of a process that is gone: files of runs, of those that were cut off also below, and of candidates.
TEST_F(Prune, WhatKilledGatesLeftGoes) {
  std::string name = fs::unfinished_beside(root / "a").filename().string();
  const std::string mark = ".gate-new-", own = std::to_string(::getpid()), none = "4194305";
  name.replace(name.find(mark) + mark.size(), own.size(), none);
  const std::vector<std::string> go{".gate/", ".gate/runs/ended/", ".gate/runs/cut/",
                                    ".gate/runs/cut/case/b/", ".gate/candidates/cpu/"};
  const std::vector<std::string> stay{"", "baselines/", ".gate/runs/ended/case/", "mine/"};
  for (const std::vector<std::string>* folders : {&go, &stay})
    for (const std::string& folder : *folders) put(folder + name, "");
  put(".gate/runs/cut/status.json", "{}");
  std::filesystem::create_directory_symlink(root / "mine", root / ".gate/runs/elsewhere");
  remove_unfinished(root);
  for (const std::string& folder : go) EXPECT_FALSE(fs::is_taken(root / (folder + name))) << folder;
  for (const std::string& folder : stay) EXPECT_TRUE(fs::is_taken(root / (folder + name))) << folder;
  EXPECT_TRUE(fs::exists(root / ".gate/runs/cut/status.json"));
}

}  // namespace
}  // namespace gate::store::prune_test
