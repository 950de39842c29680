#include "app/artifacts.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

namespace gate::app {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Artifacts : public testing::Test {
 protected:
  Artifacts() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gate-artifacts-XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
  }
  ~Artifacts() override { std::filesystem::remove_all(root_); }

  void put(const std::string& path) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << path;
  }

  Kept keep(const std::vector<std::string>& globs, fs::FileTime since = fs::FileTime::min()) const {
    return keep_artifacts(globs, {root_ / "cwd", root_ / "scratch", since}, root_ / "kept");
  }

  std::vector<std::string> kept() const { return fs::files_below(root_ / "kept"); }

  fs::Path root_;
};

TEST_F(Artifacts, KeepTheirPaths) {
  for (const char* path : {"cwd/a.txt", "cwd/out/b.txt", "cwd/out/deep/c.txt", "scratch/d.ckpt"}) put(path);
  EXPECT_EQ(keep({"*.txt", "out/*.txt", "{scratch}/*.ckpt"}).files, 3);
  EXPECT_THAT(kept(), ElementsAre("a.txt", "d.ckpt", "out/b.txt"));
}

TEST_F(Artifacts, AbsoluteGlobIsSeenFromTheRoot) {
  put("else/e.txt");
  EXPECT_EQ(keep({(root_ / "else/*.txt").string()}).files, 1);
  EXPECT_TRUE(fs::exists(root_ / "kept" / (root_ / "else/e.txt").relative_path()));
}

TEST_F(Artifacts, OldFilesAreNotTheScripts) {
  put("cwd/old.txt");
  const auto later = fs::FileTime::clock::now() + std::chrono::hours(1);
  EXPECT_THAT(keep({"*.txt"}, later).problems,
              ElementsAre("artifacts: the script wrote no file that matches *.txt"));
  EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(Artifacts, NoGlobLeavesItsFolder) {
  put("secret.txt");
  std::filesystem::create_directories(root_ / "cwd");
  EXPECT_EQ(keep({"../*.txt", "{scratch}/../*.txt"}).problems.size(), 2U);
  EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(Artifacts, FileThatCannotBeKeptIsSaid) {
  put("cwd/a.txt");
  put("kept");  // a file where the folder should be
  EXPECT_THAT(keep({"a.txt"}).problems, ElementsAre(testing::StartsWith("artifacts: ")));
}

}  // namespace
}  // namespace gate::app
