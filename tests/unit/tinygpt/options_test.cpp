#include "trainer/options.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
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
      parse({"--ranks",      "3",    "--steps",      "40",   "--seed",     "18446744073709551615",
             "--lr",         "1e-2", "--grad-scale", "-0.5", "--sleep-ms", "5",
             "--elapsed-ms", "7",    "--leak-mb",    "4",    "--nan-at",   "6",
             "--crash-at",   "7",    "--hang-at",    "8",    "--stop-at",  "9"}));
  EXPECT_EQ(o.ranks, 3);
  EXPECT_EQ(o.steps, 40);
  EXPECT_EQ(o.seed, 18446744073709551615u);
  EXPECT_EQ(o.lr, 0.01);
  EXPECT_EQ(o.grad_scale, -0.5);
  EXPECT_EQ(o.sleep_ms, 5);
  EXPECT_EQ(o.elapsed_ms, 7);
  EXPECT_EQ(o.leak_mb, 4);
  EXPECT_EQ(o.nan_at, 6);
  EXPECT_EQ(o.crash_at, 7);
  EXPECT_EQ(o.hang_at, 8);
  EXPECT_EQ(o.stop_at, 9);
}

TEST(Options, OfCheckpoints) {
  const auto o =
      std::get<Options>(parse({"--save", "a b", "--save-interval=5", "--no-save-optim", "--save-on-term",
                               "--save-ms", "7", "--torn-tracker", "--load", "c"}));
  EXPECT_EQ(o.save, "a b");
  EXPECT_EQ(o.save_interval, 5);
  EXPECT_FALSE(o.save_optim);
  EXPECT_TRUE(o.save_on_term);
  EXPECT_EQ(o.save_ms, 7);
  EXPECT_TRUE(o.torn_tracker);
  EXPECT_EQ(o.load, "c");
  EXPECT_EQ(error_of({"--save="}), "--save: '' is not a folder's name");
  EXPECT_EQ(error_of({"--load", "a\nb"}), "--load: 'a\nb' is not a folder's name");
  EXPECT_EQ(error_of({"--save"}), "--save: its value is missing");
  EXPECT_EQ(error_of({"--save", "a", "--save-on-term=yes"}), "--save-on-term: it takes no value");
  EXPECT_EQ(error_of({"--load", "a", "--save-interval", "5"}),
            "--save-interval: there is no --save with a folder");
  for (const char* const name : {"--no-save-optim", "--save-on-term", "--torn-tracker"})
    EXPECT_EQ(error_of({name}), std::string(name) + ": there is no --save with a folder");
}

TEST(Options, SeedMayBeOfTheClock) {
  EXPECT_FALSE(std::get<Options>(parse({})).seed_from_clock);
  EXPECT_TRUE(std::get<Options>(parse({"--seed", "clock"})).seed_from_clock);
  const auto later = std::get<Options>(parse({"--seed", "clock", "--seed", "7"}));
  EXPECT_FALSE(later.seed_from_clock);
  EXPECT_EQ(later.seed, 7u);
  EXPECT_EQ(error_of({"--seed", "time"}), "--seed: 'time' is not a number from 0 to 2^64-1, or clock");
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

// The environment holds these, `NAME`, `value`, and so on.
ParsedOptions parse_with(std::vector<const char*> words, std::vector<std::string> variables) {
  return parse_options(words, [&](std::string_view name) -> const char* {
    for (std::size_t i = 0; i < variables.size(); i += 2)
      if (variables[i] == name) return variables[i + 1].c_str();
    return nullptr;
  });
}

std::string error_with(std::vector<const char*> words, std::vector<std::string> variables) {
  const auto parsed = parse_with(std::move(words), std::move(variables));
  const auto* error = std::get_if<UsageError>(&parsed);
  return error == nullptr ? "" : error->message;
}

TEST(Nodes, ComeFromWordsOrTheEnvironment) {
  const std::vector<std::string> variables{"NNODES",         "3",   "NODE_RANK",   "2",
                                           "NPROC_PER_NODE", "4",   "MASTER_ADDR", "127.0.0.2",
                                           "MASTER_PORT",    "6000"};
  const auto told = std::get<Options>(parse_with({}, variables));
  EXPECT_EQ(told.nodes, 3);
  EXPECT_EQ(told.node, 2);
  EXPECT_EQ(told.ranks, 4);
  EXPECT_EQ(told.world(), 12);
  EXPECT_EQ(told.master_addr, "127.0.0.2");
  EXPECT_EQ(told.master_port, 6000);
  const auto said =
      std::get<Options>(parse_with({"--nnodes", "2", "--node-rank", "1", "--ranks=1", "--master-addr", "::1",
                                    "--master-port", "7000", "--connect-limit", "5", "--silence-limit", "6"},
                                   variables));
  EXPECT_EQ(said.nodes, 2);
  EXPECT_EQ(said.node, 1);
  EXPECT_EQ(said.ranks, 1);
  EXPECT_EQ(said.master_addr, "::1");
  EXPECT_EQ(said.master_port, 7000);
  EXPECT_EQ(said.connect_limit, 5);
  EXPECT_EQ(said.silence_limit, 6);
}

// gate and others set them for one node, too, where they say nothing.
TEST(Nodes, OneNodeAsksTheEnvironmentForNothingElse) {
  const auto o = std::get<Options>(parse_with(
      {}, {"NNODES", "1", "NODE_RANK", "x", "NPROC_PER_NODE", "8", "MASTER_ADDR", "", "MASTER_PORT", "0"}));
  EXPECT_EQ(o.ranks, 2);
  EXPECT_EQ(o.node, 0);
  EXPECT_EQ(std::get<Options>(parse_with({}, {"NNODES", ""})).nodes, 1);
}

TEST(Nodes, ErrorsSayWhatAndWhy) {
  EXPECT_EQ(error_with({}, {"NNODES", "1:4"}), "NNODES: '1:4' is not a number from 1 to 64");
  EXPECT_EQ(error_with({}, {"NNODES", "2", "MASTER_PORT", "0"}),
            "MASTER_PORT: '0' is not a number from 1 to 65535");
  EXPECT_EQ(error_with({}, {"NNODES", "2"}), "--master-addr: several nodes need the address of node 0");
  EXPECT_EQ(error_with({}, {"NNODES", "2", "MASTER_ADDR", "::1", "NODE_RANK", "2"}),
            "--node-rank 2: the last of 2 nodes is 1");
  EXPECT_EQ(error_with({"--node-rank", "1"}, {}), "--node-rank 1: the last of 1 nodes is 0");
  EXPECT_EQ(error_with({"--master-addr="}, {}), "--master-addr: '' is not an address");
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
