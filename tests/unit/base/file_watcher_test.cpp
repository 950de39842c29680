#include "gate/base/file_watcher.h"

#include "../temporary.h"

namespace gate::growth_test {
namespace {

volatile std::sig_atomic_t came = 0;

class GrowthOf : public Temporary {
 protected:
  std::vector<std::string> files() const { return {(root / "log").string()}; }
};

TEST_F(GrowthOf, WakesForWhatWasWrittenBeforeTheWait) {
  put("log", "one\n");
  const std::vector<std::string> watched = files();
  FileWatcher growth(watched);
  std::ofstream(root / "log", std::ios::app) << "two\n";
  EXPECT_EQ(growth.wait(), FileWatcher::Woken::by_change);
}

TEST_F(GrowthOf, WakesForRotation) {
  put("log", "one\n");
  const std::vector<std::string> watched = files();
  FileWatcher growth(watched);
  std::filesystem::rename(root / "log", root / "log.1");
  EXPECT_EQ(growth.wait(), FileWatcher::Woken::by_change);
}

TEST_F(GrowthOf, LooksNowAndThenWhereTheSystemSaysNothing) {
  put("log", "one\n");
  const std::vector<std::string> watched = files();
  FileWatcher growth(watched, Notify::never);
  EXPECT_EQ(growth.wait(), FileWatcher::Woken::by_time);
}

TEST_F(GrowthOf, ASignalBetweenTwoLooksIsNotMissed) {
  put("log", "one\n");
  struct sigaction action {
  }, old{};
  action.sa_handler = [](int) { came = 1; };
  sigaction(SIGTERM, &action, &old);
  const std::vector<std::string> watched = files();
  {
    FileWatcher growth(watched);
    raise(SIGTERM);
    EXPECT_EQ(came, 0) << "held back";
    EXPECT_EQ(growth.wait(), FileWatcher::Woken::by_signal);
    EXPECT_EQ(came, 1);
  }
  sigaction(SIGTERM, &old, nullptr);
}

}  // namespace
}  // namespace gate::growth_test
