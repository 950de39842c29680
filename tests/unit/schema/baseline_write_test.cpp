#include <gmock/gmock.h>

#include <random>

#include "baseline_equal.h"
#include "gate/schema/baseline_file.h"

namespace gate::schema::baseline_write_test {
namespace {

using testing::HasSubstr;

Series series_of(const std::string& metric, const std::vector<std::pair<int, std::string>>& samples) {
  Series series(metric, std::nullopt, "", Numbering::step);
  for (const auto& [number, word] : samples)
    series.append({number, parse_value(word).value_or(Value{}), word, 0, 0});
  return series;
}

Baseline small() {
  Baseline baseline;
  baseline.case_name = "pretrain/llama2";
  baseline.formats = {"megatron"};
  baseline.runs.push_back({2, {series_of("lm_loss", {{1, "1.50E+00"}, {2, "1.25E+00"}})}});
  return baseline;
}

TEST(WriteBaseline, IsCanonicalAndReviewable) {
  EXPECT_EQ(write_baseline(small()), R"({
  "schema": "gate.baseline/1",
  "case": "pretrain/llama2",
  "formats": ["megatron"],
  "provenance": {
    "args": [],
    "set": [],
    "ended_well": true
  },
  "runs": [
    {
      "total": 2,
      "series": [
        {
          "metric": "lm_loss",
          "unit": "",
          "numbered": "step",
          "numbers": "1, 2",
          "values": ["1.50E+00", "1.25E+00"]
        }
      ]
    }
  ],
  "accepted": []
}
)");
}

TEST(WriteBaseline, PutsTenValuesALine) {
  Baseline baseline = small();
  Series series("throughput", std::nullopt, "TFLOP/s/device", Numbering::step);
  for (int step = 1; step <= 12; ++step) series.append({step, *parse_value("9.5"), "9.5", 0, 0});
  baseline.runs[0].series = {series};
  EXPECT_THAT(write_baseline(baseline), HasSubstr(R"(
          "numbers": "1-12",
          "values": [
            "9.5", "9.5", "9.5", "9.5", "9.5", "9.5", "9.5", "9.5", "9.5", "9.5",
            "9.5", "9.5"
          ]
)"));
}

TEST(WriteBaseline, ListsNumbersThatDoNotFold) {
  Baseline baseline = small();
  Series series("lm_loss", std::nullopt, "", Numbering::step);
  for (int i = 1; i <= 11; ++i) series.append({100 * i, *parse_value("1"), "1", 0, 0});
  baseline.runs[0].series = {series};
  EXPECT_THAT(write_baseline(baseline), HasSubstr(R"(
          "numbers": [
            100, 200, 300, 400, 500, 600, 700, 800, 900, 1000,
            1100
          ],
)"));
}

TEST(WriteBaseline, SaysNullWhereTheLogLeftTheValueOut) {
  Baseline baseline = small();
  baseline.runs[0].series = {series_of("lm_loss", {{1, ""}, {2, "nan"}, {3, "-inf"}})};
  EXPECT_THAT(write_baseline(baseline), HasSubstr(R"("values": [null, "nan", "-inf"])"));
}

TEST(WriteBaseline, ListsWhatIsUnrecorded) {
  Baseline baseline = small();
  Series series = series_of("lm_loss", {{2, "1"}});
  series.mark_unrecorded(1);
  series.mark_unrecorded(3);
  baseline.runs[0].series = {series};
  EXPECT_THAT(write_baseline(baseline), HasSubstr(R"("unrecorded": [1, 3])"));
}

TEST(WriteBaseline, WritesTheNumberWhereTheLogPrintedAnotherUnit) {
  Baseline baseline = small();
  Series series("iteration_time", std::nullopt, "ms", Numbering::step);
  series.append({1, *parse_value("1500"), "1.5s/it", 0, 0});
  baseline.runs[0].series = {series};
  EXPECT_THAT(write_baseline(baseline), HasSubstr(R"("values": ["1500"])"));
}

TEST(WriteBaseline, ReplacesBytesThatAreNoUtf8) {
  Baseline baseline = small();
  baseline.provenance.host = "n\xFFpu";
  const auto read = read_baseline(write_baseline(baseline), "b.json");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->provenance.host, "n\xEF\xBF\xBDpu");
}

// --- reading what was written gives the same baseline
// ------------------------------------------------------------

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int below(int limit) { return static_cast<int>(engine_() % static_cast<unsigned>(limit)); }
  std::string text() {
    constexpr std::string_view letters[] = {"a",  "B", "7",  " ",    "\"", "\\", "/",
                                            "\n", "é", "智", "\x01", "-",  "{",  ","};
    std::string text;
    for (int i = below(8); i > 0; --i) text += letters[below(std::size(letters))];
    return text;
  }
  std::string word() {
    constexpr std::string_view words[] = {
        "1.50", "-0.0", "1.5E+00", "7",   "nan",   "inf", "-Infinity",
        "",     ".5",   "5.",      "+3.", "1e-12", "0",   "99999999999999999999"};
    return std::string(words[below(std::size(words))]);
  }
  std::vector<std::string> texts() {
    std::vector<std::string> texts;
    for (int i = below(4); i > 0; --i) texts.push_back(text());
    return texts;
  }

 private:
  std::mt19937 engine_;
};

Series random_series(Random& random, int rank) {
  const auto numbered = static_cast<Numbering>(random.below(3));
  Series series("m" + std::to_string(rank), random.below(2) ? std::optional(rank) : std::nullopt,
                random.text(), numbered);
  series.set_assumed(random.below(2) == 1);
  series.set_of_last_steps(random.below(2) == 1);
  std::int64_t number = random.below(3);
  for (int i = 1 + random.below(40); i > 0; --i, number += random.below(5) ? 1 : 1 + random.below(1000)) {
    const std::string word = random.word();
    series.append({number, parse_value(word).value_or(Value{}), word, 0, 0});
    if (random.below(20) == 0) series.mark_conflict(number);
  }
  for (int i = random.below(3); i > 0; --i) series.mark_unrecorded(++number);
  return series;
}

// Switches that nobody saw are not the same as none.
Fingerprint random_fingerprint(Random& random) {
  Fingerprint seen{
      random.text(), random.text(), random.text(), random.text(), random.text(), random.text(), {}, {}};
  for (const std::string& name : random.texts()) seen.packages[name] = random.text();
  if (random.below(2)) seen.switches.emplace();
  if (random.below(2)) seen.switches = std::map<std::string, std::string>{{"NCCL_ALGO", random.text()}};
  return seen;
}

Baseline random_baseline(unsigned seed) {
  Random random(seed);
  Baseline baseline;
  baseline.origin = "gate";
  baseline.case_name = "c" + random.text();
  baseline.platform = random.text();
  baseline.formats = random.texts();
  baseline.provenance = {random_fingerprint(random),
                         random.text(),
                         random.text(),
                         random.text(),
                         random.text(),
                         random.below(9),
                         random.text(),
                         random.text(),
                         random.text(),
                         random.text(),
                         random.text(),
                         random.texts(),
                         random.texts(),
                         {{"world_size", random.text()}},
                         random.below(2) == 1,
                         {{"--deterministic-mode", random.text()}}};
  for (int run = 1 + random.below(3); run > 0; --run) {
    baseline.runs.emplace_back();
    if (random.below(2)) baseline.runs.back().total = random.below(1000);
    if (random.below(2)) baseline.runs.back().attempts = random.below(1000);
    if (random.below(2)) baseline.runs.back().unfit = random.text();
    if (random.below(2)) baseline.runs.back().other_jobs = {"attempt 1", "\"\n"};
    for (int rank = random.below(4); rank > 0; --rank)
      baseline.runs.back().series.push_back(random_series(random, rank));
  }
  for (int i = random.below(3); i > 0; --i)
    baseline.accepted.push_back({random.text(), random.text(), random.text(), random.text(), random.text(),
                                 random.texts(), random.texts()});
  return baseline;
}

TEST(WriteBaseline, RoundTripsEveryBaseline) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Baseline baseline = random_baseline(seed);
    const auto read = read_baseline(write_baseline(baseline), "b.json");
    ASSERT_TRUE(read.has_value()) << read.error().message << "\n" << write_baseline(baseline);
    EXPECT_EQ(difference(baseline, *read), "") << "seed " << seed << "\n" << write_baseline(baseline);
    EXPECT_EQ(write_baseline(*read), write_baseline(baseline));
  }
}

TEST(WriteBaseline, RoundTripsTheLargestNumbers) {
  Baseline baseline = small();
  Series series("m", 2147483647, "", Numbering::time);
  for (const std::int64_t number : {INT64_MAX - 2, INT64_MAX - 1, INT64_MAX})
    series.append({number, *parse_value("1"), "1", 0, 0});
  baseline.runs[0].series = {series};
  const auto read = read_baseline(write_baseline(baseline), "b.json");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(difference(baseline, *read), "");
}

}  // namespace
}  // namespace gate::schema::baseline_write_test
