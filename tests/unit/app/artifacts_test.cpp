#include "gate/places/post_launch.h"

#include <gmock/gmock.h>

#include "../temporary.h"

namespace gate::app::artifacts_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Artifacts : public Temporary {
 protected:
  void put(const std::string& path) const { Temporary::put(path, path); }

  KeptArtifacts keep(const std::vector<std::string>& globs, fs::FileTime since = fs::FileTime::min()) const {
    return keep_artifacts(globs, {{root / "cwd", root / "scratch", root / "kept", since}});
  }

  std::vector<std::string> kept() const { return fs::files_below(root / "kept"); }
};

TEST_F(Artifacts, KeepTheirPaths) {
  for (const char* path : {"cwd/a.txt", "cwd/out/b.txt", "cwd/out/deep/c.txt", "scratch/d.ckpt"}) put(path);
  EXPECT_EQ(keep({"*.txt", "out/*.txt", "{scratch}/*.ckpt"}).files, 3);
  EXPECT_THAT(kept(), ElementsAre("a.txt", "d.ckpt", "out/b.txt"));
}

TEST_F(Artifacts, AbsoluteGlobIsSeenFromTheRoot) {
  put("else/e.txt");
  EXPECT_EQ(keep({(root / "else/*.txt").string()}).files, 1);
  EXPECT_TRUE(fs::exists(root / "kept" / (root / "else/e.txt").relative_path()));
}

TEST_F(Artifacts, OldFilesAreNotTheScripts) {
  put("cwd/old.txt");
  const auto later = fs::FileTime::clock::now() + std::chrono::hours(1);
  EXPECT_THAT(
      keep({"*.txt"}, later).problems,
      ElementsAre(testing::StartsWith("artifacts: the script wrote no file that matches *.txt; to require")));
  EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(Artifacts, NoGlobLeavesItsFolder) {
  put("secret.txt");
  std::filesystem::create_directories(root / "cwd");
  EXPECT_EQ(keep({"../*.txt", "{scratch}/../*.txt"}).problems.size(), 2U);
  EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(Artifacts, FileThatCannotBeKeptIsSaid) {
  put("cwd/a.txt");
  put("kept");  // a file where the folder should be
  EXPECT_THAT(texts_of(keep({"a.txt"}).problems, &Sentence::english),
              ElementsAre(testing::StartsWith("artifacts: ")));
}

}  // namespace
}  // namespace gate::app::artifacts_test
