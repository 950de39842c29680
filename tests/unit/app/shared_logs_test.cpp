#include "runner/session/tasks.h"

#include <gtest/gtest.h>

namespace gate::app::shared_logs_test {
namespace {

using Groups = std::vector<std::optional<std::size_t>>;

TEST(SharedLogs, CasesWhoseGlobsMayMatchOneFileAreAGroup) {
  const SharedLogs shared = shared_logs({{{"out/a/*.log"}, "/suite"},
                                         {{"out/**"}, "/suite"},
                                         {{}, "/suite"},
                                         {{"*.log"}, "/suite/other"},
                                         {{"../suite/out/b/x.log"}, "/suite"},
                                         {{"/suite/other/r{rank}.log"}, "/suite"}});
  ASSERT_EQ(shared.examples.size(), 2u);
  const auto group = [&](std::size_t i) { return shared.groups[i]; };
  EXPECT_TRUE(group(0) && group(0) == group(1) && group(1) == group(4)) << "the third by the second";
  EXPECT_EQ(group(2), std::nullopt);
  EXPECT_TRUE(group(3) && group(3) == group(5) && group(3) != group(0));
}

TEST(SharedLogs, CasesWithFilesOfTheirOwnHaveNone) {
  EXPECT_EQ(shared_logs({{{"out/a/*.log", "a.log"}, "/s"}, {{"out/b/*.log", "b.log"}, "/s"}}).groups,
            Groups(2));
  EXPECT_EQ(shared_logs({{{"*/a.log"}, "/s"}, {{"*/b.log"}, "/s"}}).groups, Groups(2));
  EXPECT_EQ(shared_logs({{{"a.log", "*.log"}, "/s"}}).groups, Groups(1)) << "its own";
  EXPECT_EQ(shared_logs({{{"{scratch}/a.log"}, "/s"}, {{"{scratch}/a.log", "{scratch}/**"}, "/s"}}).groups,
            Groups(2))
      << "each launch has a scratch folder of its own";
}

// Of many cases, in a moment.
TEST(SharedLogs, ManyCases) {
  std::vector<LogGlobs> cases;
  for (int i = 0; i < (SANITIZED ? 300 : 3000); ++i)
    cases.push_back({{"out/*/case" + std::to_string(i) + ".log"}, "/s"});
  EXPECT_TRUE(shared_logs(cases).examples.empty());
}

}  // namespace
}  // namespace gate::app::shared_logs_test
