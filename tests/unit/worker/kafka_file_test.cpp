#include "worker/kafka_file.h"

#include <gmock/gmock.h>

namespace gate::worker::kafka_file_test {
namespace {

using testing::ElementsAre;
using testing::Pair;
using namespace std::string_view_literals;

TEST(KafkaFile, HasAPropertyALine) {
  EXPECT_THAT(*read_kafka_file("# of sasl\r\n\n sasl.password = a=b \r\nclient.id=x\nclient.id=y", "k"),
              ElementsAre(Pair("client.id", "y"), Pair("sasl.password", "a=b")));
}

TEST(KafkaFile, SaysWhichLineIsNoneAndNotWhatItSays) {
  for (const std::string_view line : {"secret"sv, "=secret"sv, " = secret"sv, "a=sec\0ret"sv})
    EXPECT_EQ(read_kafka_file("a=b\n" + std::string(line), "k").error().message,
              "k:2: this line is no KEY=VALUE");
}

}  // namespace
}  // namespace gate::worker::kafka_file_test
