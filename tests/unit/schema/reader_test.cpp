#include <filesystem>
#include <fstream>
#include <set>

#include "golden.h"

namespace gate::schema::golden_reader_test {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(GoldenReader, ReadsASeedOfEveryKind) {
  std::set<std::string> known;
  for (const GoldenKind& kind : golden_kinds()) EXPECT_TRUE(known.emplace(kind.origin).second) << kind.origin;
  std::set<std::string> read;
  for (const char* corpus : {"golden_lists", "golden_steps"})
    for (const auto& seed :
         std::filesystem::directory_iterator(GATE_SOURCE_DIR "/tests/fuzz/corpus/" + std::string(corpus)))
      read.insert(golden(content(seed.path())).origin);
  EXPECT_EQ(read, known);
}

TEST(GoldenReader, SaysWhichFileItIs) {
  EXPECT_EQ(golden(R"({"lm loss": [1], "throughput": [2]})").origin, "modellink");
  EXPECT_EQ(golden(R"({"lm loss": [1], "lm loss margin": 0.02})").origin, "mindspeed-llm");
  EXPECT_EQ(golden(R"({"lm loss": [1], "warm_up": 1})").origin, "mindspeed-mm");
  EXPECT_EQ(golden(R"({"throughput": [2], "mem-max-allocated-bytes": 3})").origin, "megatron-inference");
  EXPECT_EQ(golden(R"({"throughput": {"values": [2]}})").origin, "flagscale");
  EXPECT_EQ(golden(R"({"throughput": {"start_step": 1, "values": {"1": 2}}})").origin, "megatron");
  EXPECT_EQ(golden(R"({"0": {"throughput": 2}})").origin, "megatron-bridge");
}

}  // namespace
}  // namespace gate::schema::golden_reader_test
