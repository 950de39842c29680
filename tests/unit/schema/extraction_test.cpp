#include <gmock/gmock.h>

#include "gate/schema/result_file.h"
#include "validate.h"

namespace gate::schema::extraction_test {
namespace {

Series loss(const std::vector<std::string>& words) {
  Series series("lm_loss", std::nullopt, "", Numbering::step);
  std::int64_t step = 0;
  for (const std::string& word : words) {
    const Value value = parse_value(word).value_or(Value{});
    ++step;
    series.append({step, value, word, 0, static_cast<std::uint32_t>(10 + step)});
  }
  return series;
}

Extraction small() {
  Extraction extraction;
  extraction.files = {"a,b.log", "c.log"};
  extraction.formats = {"megatron"};
  Series memory("memory_allocated", 3, "MiB", Numbering::report);
  memory.append({1, *parse_value("9687.04"), "9.46GiB", 1, 7});
  extraction.series = {loss({"1.5E+00", "nan", ""}), memory};
  extraction.attempts = {{"", 1, 2, {loss({"2", "3"})}}, {"", 1, 3, extraction.series}};
  extraction.total = 3;
  extraction.problems = {{ProblemKind::left_out, "a,b.log", 13, "step 3: no lm loss printed"}};
  extraction.matches = {{"megatron.iteration", 5}};
  extraction.lines = 40;
  extraction.notes = {"attempt 2 of 2"};
  return extraction;
}

std::string csv(const Extraction& extraction, WhichAttempts attempts) {
  std::string text;
  write_csv(extraction, attempts, [&](std::string_view piece) { text += piece; });
  return text;
}

nlohmann::json json_of(const Extraction& extraction, WhichAttempts attempts) {
  std::string text;
  write_extraction(extraction, attempts, [&](std::string_view piece) { text += piece; });
  return nlohmann::json::parse(text);
}

TEST(WriteCsv, HoldsTheJudgedAttempt) {
  EXPECT_EQ(csv(small(), WhichAttempts::judged),
            "metric,rank,number,value,unit,file,line\n"
            "lm_loss,,1,1.5E+00,,\"a,b.log\",11\n"
            "lm_loss,,2,nan,,\"a,b.log\",12\n"
            "lm_loss,,3,,,\"a,b.log\",13\n"
            "memory_allocated,3,1,9687.04,MiB,c.log,7\n");
}

TEST(WriteCsv, HoldsAllAttempts) {
  EXPECT_THAT(csv(small(), WhichAttempts::all),
              testing::StartsWith("attempt,metric,rank,number,value,unit,file,line\n"
                                  "1,lm_loss,,1,2,,\"a,b.log\",11\n"
                                  "1,lm_loss,,2,3,,\"a,b.log\",12\n"
                                  "2,lm_loss,,1,1.5E+00,,\"a,b.log\",11\n"));
}

TEST(WriteCsv, IsAHeaderForAnEmptyLog) {
  EXPECT_EQ(csv({}, WhichAttempts::judged), "metric,rank,number,value,unit,file,line\n");
}

TEST(WriteExtraction, HoldsWhatWasRead) {
  const auto json = json_of(small(), WhichAttempts::judged);
  EXPECT_EQ(json["series"][0]["samples"][0],
            nlohmann::json::parse(R"({"number": 1, "value": 1.5, "file": 0, "line": 11})"));
  EXPECT_EQ(json["series"][0]["samples"][1]["value"], "nan");
  EXPECT_EQ(json["series"][0]["samples"][2]["value"], nullptr);
  EXPECT_EQ(json["series"][1]["rank"], 3);
  EXPECT_EQ(json["series"][1]["samples"][0]["value"], 9687.04);
  EXPECT_EQ(json["problems"][0]["kind"], "left_out");
  EXPECT_EQ(json["matches"][0]["matches"], 5);
  EXPECT_EQ(json["total"], 3);
  EXPECT_FALSE(json["attempts"][0].contains("series"));
}

TEST(WriteExtraction, HoldsAllAttempts) {
  const auto json = json_of(small(), WhichAttempts::all);
  EXPECT_EQ(json["attempts"][0]["series"][0]["samples"].size(), 2U);
}

TEST(WriteExtraction, OfNothingIsJson) { EXPECT_EQ(json_of({}, WhichAttempts::all)["series"].size(), 0U); }

// A long series comes in pieces, none of them much longer than needed.
TEST(WriteExtraction, ComesInPieces) {
  Extraction extraction = small();
  extraction.series = {loss(std::vector<std::string>(20'000, "1.25"))};
  std::size_t longest = 0, pieces = 0;
  const auto see = [&](std::string_view piece) {
    longest = std::max(longest, piece.size());
    ++pieces;
  };
  write_extraction(extraction, WhichAttempts::judged, see);
  write_csv(extraction, WhichAttempts::judged, see);
  EXPECT_GT(pieces, 10U);
  EXPECT_LT(longest, 100'000U);
  EXPECT_EQ(json_of(extraction, WhichAttempts::judged)["series"][0]["samples"].size(), 20'000U);
}

}  // namespace
}  // namespace gate::schema::extraction_test
