#include "tinygpt/options.h"

#include <gtest/gtest.h>

#include <vector>

namespace tinygpt::options_test {
namespace {

ParsedOptions parse(std::vector<const char*> words) { return parse_options(words); }

std::string error_of(std::vector<const char*> words) {
  const auto parsed = parse_options(words);
  const auto* error = std::get_if<UsageError>(&parsed);
  return error == nullptr ? "" : error->message;
}

TEST(Options, DefaultsWithoutWords) {
  const auto options = std::get<Options>(parse({}));
  EXPECT_EQ(options.ranks, 2);
  EXPECT_EQ(options.steps, 30);
  EXPECT_EQ(options.nan_at, 0);
}

TEST(Options, EachSetsItsOwn) {
  const auto o = std::get<Options>(
      parse({"--ranks",   "3",    "--steps",      "40",   "--seed",     "18446744073709551615",
             "--lr",      "1e-2", "--grad-scale", "-0.5", "--sleep-ms", "5",
             "--leak-mb", "4",    "--nan-at",     "6",    "--crash-at", "7",
             "--hang-at", "8",    "--stop-at",    "9"}));
  EXPECT_EQ(o.ranks, 3);
  EXPECT_EQ(o.steps, 40);
  EXPECT_EQ(o.seed, 18446744073709551615u);
  EXPECT_EQ(o.lr, 0.01);
  EXPECT_EQ(o.grad_scale, -0.5);
  EXPECT_EQ(o.sleep_ms, 5);
  EXPECT_EQ(o.leak_mb, 4);
  EXPECT_EQ(o.nan_at, 6);
  EXPECT_EQ(o.crash_at, 7);
  EXPECT_EQ(o.hang_at, 8);
  EXPECT_EQ(o.stop_at, 9);
}

TEST(Options, LaterWins) { EXPECT_EQ(std::get<Options>(parse({"--ranks", "1", "--ranks=4"})).ranks, 4); }

TEST(Options, HelpIsNoError) {
  EXPECT_TRUE(std::holds_alternative<HelpWanted>(parse({"--help"})));
  EXPECT_TRUE(std::holds_alternative<HelpWanted>(parse({"--ranks", "1", "-h"})));
  EXPECT_NE(help_text().find("--grad-scale X"), std::string::npos);
}

TEST(Options, ErrorsSayWhatAndWhy) {
  EXPECT_EQ(error_of({"--rank", "2"}), "unknown option '--rank'");
  EXPECT_EQ(error_of({"fast"}), "unknown option 'fast'");
  EXPECT_EQ(error_of({""}), "unknown option ''");
  EXPECT_EQ(error_of({"--lr"}), "--lr: its value is missing");
  EXPECT_EQ(error_of({"--ranks", "two"}), "--ranks: 'two' is not a number from 1 to 64");
  EXPECT_EQ(error_of({"--ranks="}), "--ranks: '' is not a number from 1 to 64");
  EXPECT_EQ(error_of({"--sleep-ms", "1.5"}), "--sleep-ms: '1.5' is not a number from 0 to 1000000");
  EXPECT_EQ(error_of({"--steps", "10", "--crash-at", "11"}), "--crash-at 11: there are only 10 steps");
}

TEST(Options, RefusesNumbersOutOfRange) {
  for (const auto& [name, value] : std::vector<std::pair<const char*, const char*>>{{"--ranks", "0"},
                                                                                    {"--ranks", "65"},
                                                                                    {"--steps", "0"},
                                                                                    {"--seed", "-1"},
                                                                                    {"--lr", "0"},
                                                                                    {"--lr", "nan"},
                                                                                    {"--lr", "inf"},
                                                                                    {"--grad-scale", "1e300"},
                                                                                    {"--nan-at", "0"},
                                                                                    {"--leak-mb", "-1"}})
    EXPECT_NE(error_of({name, value}), "") << name << ' ' << value;
}

}  // namespace
}  // namespace tinygpt::options_test
