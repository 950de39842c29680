// Decimal boundaries: 100,000 comparisons at the edge of a tolerance against an oracle that shares nothing
// with gate (boundaries.py says how they are made).
#include <gtest/gtest.h>

#include <cstdio>

#include "logs.h"

namespace gate::judge::testing::boundaries_test {
namespace {

constexpr int comparisons = SANITIZED ? 2000 : 40000;  // what a sanitizer looks for is no arithmetic
constexpr int seed = 20261121;
constexpr const char* oracle = "python3 " GATE_SOURCE_DIR "/tests/unit/judge/boundaries.py";

std::vector<std::string> lines_of(const std::string& command) {
  std::vector<std::string> lines;
  FILE* out = popen(command.c_str(), "r");
  std::string text(1 << 16, '\0');
  for (std::string line; out != nullptr && std::fgets(text.data(), static_cast<int>(text.size()), out);) {
    line = text.c_str();
    lines.push_back(line.substr(0, line.size() - 1));
  }
  EXPECT_EQ(out == nullptr ? -1 : pclose(out), 0) << command;
  return lines;
}

Series losses(std::string_view words) {
  Series out("lm_loss", std::nullopt, "", Numbering::step);
  std::int64_t step = 0;
  for (const std::string_view word : split_words(words)) out.append(sample(++step, std::string(word)));
  return out;
}

// Return the status of the comparison `REDUCE|BASELINE...|ACTUAL...|TOLERANCE|...`.
std::string judged_status(const std::vector<std::string_view>& parts, const MetricTable& metrics) {
  const std::vector<Rule> rules{rule("lm_loss", std::string(parts[3]), "all", std::string(parts[0]))};
  Reference reference;
  reference.series.push_back({{losses(parts[1])}, "b.json", ""});
  Extraction run;
  run.series.push_back(losses(parts[2]));
  const Judgement judgement =
      judge({rules, metrics, reference, run, std::nullopt, "", Mode::series, Strict::no, std::nullopt, ""});
  return std::string(to_string(judgement.checks.at(0).status));
}

TEST(Boundaries, AreJudgedAsExactArithmeticDoes) {
  const MetricTable metrics;
  std::map<std::string, int> seen;
  for (const std::string& line :
       lines_of(std::string(oracle) + " " + std::to_string(seed) + " " + std::to_string(comparisons))) {
    const std::vector<std::string_view> parts = split(line, '|');
    ASSERT_EQ(parts.size(), 5U) << line;
    const std::string expected(parts[4]), status = judged_status(parts, metrics);
    ASSERT_EQ(status, expected) << "seed " << seed << ": " << line;
    ++seen[status];
  }
  EXPECT_EQ(seen["pass"] + seen["fail"] + seen["incomparable"], comparisons);
  EXPECT_GT(seen["pass"], comparisons / 4);
  EXPECT_GT(seen["fail"], comparisons / 4);
  EXPECT_GT(seen["incomparable"], comparisons / 50);
}

}  // namespace
}  // namespace gate::judge::testing::boundaries_test
