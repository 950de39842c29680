#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>

#include "../temporary.h"
#include "worker/source.h"

namespace gate::worker::file_source_test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class FileSourceTest : public Temporary {
 protected:
  std::vector<Incoming> all_of(const std::string& text) {
    EXPECT_TRUE(fs::write_file(root / "messages", text));
    source_ = *file_source((root / "messages").string(), root / "aside.jsonl");
    std::vector<Incoming> all;
    while (!source_->is_over()) {
      std::vector<Incoming> some = *source_->take(std::chrono::milliseconds(1));
      std::ranges::move(some, std::back_inserter(all));
    }
    return all;
  }

  std::unique_ptr<Source> source_;
};

TEST_F(FileSourceTest, ReadsLinesAsKcatPrintsThem) {
  const auto all = all_of(
      "{\"topic\": \"a_created\", \"partition\": 2, \"offset\": 9, \"ts\": 1000, \"payload\": "
      "\"{\\\"id\\\":1}\"}\n"
      "{\"topic\": \"a_created\", \"value\": {\"id\":2}}\n"
      "{\"value\": null, \"p\\\"ayload\": [1, {\"a,\": \"}\"}], \"payload\": {\"id\":3, \"id\":\"}\\\\\"} , "
      "\"topic\": \"a_created\"}\n");
  ASSERT_THAT(all, SizeIs(3));
  EXPECT_EQ(all[2].payload, R"({"id":3, "id":"}\\"})") << "as it stands, with what stands twice";
  EXPECT_EQ(all[0].payload, "{\"id\":1}");
  EXPECT_EQ(all[0].place.partition, 2);
  EXPECT_EQ(all[0].place.offset, 9);
  EXPECT_EQ(all[0].place.timestamp, 1000);
  EXPECT_EQ(all[0].where, (root / "messages:1").string());
  EXPECT_EQ(all[1].payload, "{\"id\":2}");
  EXPECT_EQ(all[1].place.offset, 2);
}

TEST_F(FileSourceTest, SaysWhatIsNoMessage) {
  const auto all = all_of(
      "nonsense\n{}\n{\"topic\": 3}\n{\"topic\": \"a\"}\n\n"
      "{\"topic\": \"a\", \"payload\": {\"id\": 1}, \"payload\": {\"id\": 2}}\n");
  ASSERT_THAT(all, SizeIs(6));
  EXPECT_EQ(all[5].problem, "says payload twice");
  EXPECT_EQ(all[0].problem, "is no JSON object");
  EXPECT_EQ(all[0].payload, "nonsense");
  const std::string form = R"(; a line is {"topic": "..._created", "payload": {...}})";
  EXPECT_EQ(all[1].problem, "has no topic" + form);
  EXPECT_EQ(all[2].problem, "has no topic" + form);
  EXPECT_EQ(all[3].problem, "has no payload" + form);
  EXPECT_EQ(all[4].problem, "is no JSON object");
}

TEST_F(FileSourceTest, ANumberThatCannotBeIsNotTold) {
  const auto all = all_of(
      "{\"topic\": \"a\", \"partition\": -7, \"offset\": 18446744073709551615, \"ts\": -1, \"payload\": "
      "\"\"}");
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].place.partition, -1);
  EXPECT_EQ(all[0].place.offset, 1);  // its line
  EXPECT_EQ(all[0].place.timestamp, 0);
}

TEST_F(FileSourceTest, PutsAsideWhatNobodyCanRead) {
  const auto all = all_of("non\xffsense\n");
  ASSERT_TRUE(source_->put_aside(all.front(), all.front().problem));
  EXPECT_THAT(*fs::read_file(root / "aside.jsonl"), HasSubstr("\"error\":\"is no JSON object\""));
}

TEST_F(FileSourceTest, DoesNotReadALineWithoutEnd) {
  const auto all = all_of(std::string((std::size_t{4} << 20) + 10, 'x'));
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].payload.size(), std::size_t{4} << 20);
}

TEST_F(FileSourceTest, FailsWithoutTheFile) {
  EXPECT_THAT(file_source((root / "none").string(), "").error().message, HasSubstr("No such file"));
}

}  // namespace
}  // namespace gate::worker::file_source_test
