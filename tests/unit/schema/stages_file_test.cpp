#include "gate/schema/stages_file.h"

#include <gmock/gmock.h>

namespace gate::schema::stages_file_test {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

StagesFile some_stages() {
  StagesFile file{"qwen/infer",
                  "ab",
                  "ef",
                  {{"g.txt", "01"}, {"h.txt", ""}},
                  {},
                  {{"answer", "outputs/answer/a.txt", "cd", ""}, {"b", "", "", "none"}},
                  "execution.log"};
  file.put({Stage::init, Exited{0}, "", "2026-11-21T02:03:04Z", 0s, ""});
  file.put({Stage::download,
            TimedOut{60s},
            "stage download: timed out",
            "2026-11-21T02:03:04Z",
            61s,
            "download.log",
            {"outlived stage download and was stopped: pid 71 sleep 100"}});
  return file;
}

TEST(StagesFile, IsReadAsItWasWritten) {
  const std::string text = write_stages(some_stages());
  const auto read = read_stages(text, "stages.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(write_stages(*read), text);
  ASSERT_NE(read->find(Stage::download), nullptr);
  EXPECT_EQ(read->find(Stage::download)->outcome, Outcome(TimedOut{60s}));
  EXPECT_TRUE(read->find(Stage::download)->has_failed());
  EXPECT_EQ(read->find(Stage::download)->leftovers, some_stages().find(Stage::download)->leftovers);
  EXPECT_EQ(read->find(Stage::test), nullptr);
}

TEST(StagesFile, AStageThatIsDoneAnewLeavesOutThoseBehindIt) {
  StagesFile file = some_stages();
  file.put({Stage::init, Exited{0}, "", "", 1s, ""});
  ASSERT_EQ(file.stages.size(), 1u);
  EXPECT_EQ(file.stages.front().duration, 1s);
}

TEST(StagesFile, ThatIsNoneIsRefusedAtItsPlace) {
  for (const char* text :
       {"", "[]", "{", "{\"schema\": \"gate.stages/2\", \"case\": \"a\"}", "{\"schema\": \"gate.stages/1\"}",
        "{\"schema\": \"gate.stages/1\", \"case\": \"a\", \"stages\": [{\"stage\": \"dance\"}]}"}) {
    const auto read = read_stages(text, "stages.json");
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().message, HasSubstr("stages.json:")) << text;
  }
}

}  // namespace
}  // namespace gate::schema::stages_file_test
