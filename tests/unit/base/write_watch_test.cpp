#include "gate/base/write_watch.h"

#include "../temporary.h"

namespace gate::write_watch_test {
namespace {

using WriteWatchTest = Temporary;

TEST_F(WriteWatchTest, TellsOfTheFileThatIsWrittenTwice) {
  WriteWatch watch(root / "scratch/pytest-1");
  put("scratch/pytest-1-0.xml", "a");
  put("scratch/pytest-1-1.xml", "a");
  put("scratch/pytest-2-0.xml", "a");
  put("scratch/pytest-2-0.xml", "b");
  watch.look();
  EXPECT_FALSE(fs::exists(root / "scratch/pytest-1.twice"));
  put("scratch/pytest-1-1.xml", "a");
  watch.look();
  EXPECT_EQ(get("scratch/pytest-1.twice"), "pytest-1-1.xml");
  WriteWatch("").look();
}

TEST_F(WriteWatchTest, TellsOfWritesThatFollowOneAnother) {
  WriteWatch watch(root / "scratch/pytest-1");
  for (int i = 0; i < 2; ++i) put("scratch/pytest-1-0.xml", "a");
  watch.look();
  EXPECT_TRUE(fs::exists(root / "scratch/pytest-1.twice"));
}

}  // namespace
}  // namespace gate::write_watch_test
