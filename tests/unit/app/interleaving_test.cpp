// The order in which a log's sources come to speak changes no verdict: lines of ranks and hosts, each source
// in its own order, interleaved at random.
#include <gmock/gmock.h>

#include <random>

#include "gate/extract/extractor.h"
#include "gate/judge/judge.h"
#include "gate/judge/rules.h"
#include "shown.h"

namespace gate::app::interleaving_test {
namespace {

using Random = std::mt19937_64;
using Source = std::vector<std::string>;

int pick(Random& random, int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }

std::string decimal(std::int64_t coefficient, int decimals) {
  return Decimal{coefficient, -decimals}.to_string();
}

std::string iteration(const std::string& prefix, int step, int total, const std::string& loss, int ms) {
  return prefix + " iteration " + std::to_string(step) + "/ " + std::to_string(total) +
         " | elapsed time per iteration (ms): " + decimal(ms, 1) + " |" +
         (loss == "-" ? "" : " lm loss: " + loss + " |") + "\n";
}

std::string report(const std::string& prefix, int rank, int after, int megabytes) {
  return prefix + "[Rank " + std::to_string(rank) + "] (after " + std::to_string(after) +
         " iterations) memory (MB) | allocated: " + decimal(megabytes, 1) +
         " | max allocated: " + decimal(megabytes + 9, 1) + " | reserved: 999.0 | max reserved: 999.0\n";
}

// What a run prints, by source: the last rank its iterations, each rank its memory, each under its own
// prefix. With `faults` there may be anything that turns a run red.
std::vector<Source> sources(Random& random, int ranks, int steps, bool faults) {
  const auto now_and_then = [&] { return faults && pick(random, 1, 100) == 1; };
  std::vector<Source> all(static_cast<std::size_t>(ranks) + 1);
  const std::string last = std::to_string(ranks - 1) + ": ";
  for (int step = 1; step <= steps; ++step) {
    if (now_and_then()) continue;
    const std::string loss = now_and_then()   ? "nan"
                             : now_and_then() ? "-"
                                              : decimal(2000 - step + (now_and_then() ? 50 : 0), 3);
    all.back().push_back(iteration(last, step, steps, loss, 5000 + (now_and_then() ? 9000 : 0)));
  }
  for (int rank = 0; rank < ranks; ++rank)
    for (int k = 1; k <= 2; ++k)
      if (!now_and_then())
        all[static_cast<std::size_t>(rank)].push_back(
            report(std::to_string(rank) + ": ", rank, k, 1000 + (now_and_then() ? 500 : 0)));
  return all;
}

// Return the sources' lines in one log, each source in its own order.
std::string interleaved(Random& random, const std::vector<Source>& sources) {
  std::vector<std::size_t> turns;
  for (std::size_t i = 0; i < sources.size(); ++i) turns.insert(turns.end(), sources[i].size(), i);
  std::shuffle(turns.begin(), turns.end(), random);
  std::vector<std::size_t> next(sources.size());
  std::string log;
  for (const std::size_t source : turns) log += sources[source][next[source]++];
  return log;
}

Extraction read(const std::string& log) {
  extract::Options options;
  options.formats = {"megatron"};
  extract::Extractor extractor = std::move(*extract::Extractor::make(std::move(options)));
  extractor.begin_file("train.log");
  extractor.feed(log);
  return extractor.finish();
}

Reference reference_of(const std::string& log) {
  Baseline baseline;
  baseline.runs.push_back({std::nullopt, read(log).series});
  return make_reference(baseline, "b.json");
}

// Return the judgement in words, without the places in the log.
std::string judged(const Reference& reference, const std::string& log) {
  const std::vector<Rule> rules = judge::built_in_rules();
  const MetricTable metrics;
  const Extraction extraction = read(log);
  const Judgement judgement = judge::judge({rules, metrics, reference, extraction, std::nullopt, "",
                                            judge::Mode::series, judge::Strict::no, std::nullopt, ""});
  std::string out = std::string(to_string(judgement.verdict)) + ": " + judgement.reason.english() + "\n";
  for (const Check& check : judgement.checks)
    out += check.metric + (check.rank ? " " + std::to_string(*check.rank) : "") + " " +
           std::string(to_string(check.status)) + " " + words::value_text(check.actual) + " " +
           words::limit_text(check.limit).english() + " " + words::note_text(check).english() + "\n";
  for (const Note& note : judgement.notes) out += words::text(note).english() + "\n";
  return out;
}

TEST(Interleaving, ChangesNoVerdict) {
  std::map<std::string, int> verdicts;
  for (unsigned seed = 1; seed <= 80; ++seed) {
    Random random(seed);
    const int ranks = pick(random, 1, 4), steps = pick(random, 12, 20);
    const Reference reference = reference_of(interleaved(random, sources(random, ranks, steps, false)));
    const std::vector<Source> run = sources(random, ranks, steps, pick(random, 1, 3) > 1);
    const std::string log = interleaved(random, run), first = judged(reference, log);
    for (int k = 0; k < (SANITIZED ? 2 : 6); ++k) {
      const std::string other = interleaved(random, run);
      ASSERT_EQ(judged(reference, other), first) << "seed " << seed << "\n" << log << "and\n" << other;
    }
    ++verdicts[first.substr(0, first.find(':'))];
  }
  for (const char* verdict : {"passed", "regressed", "incomplete"})
    EXPECT_GE(verdicts[verdict], 3) << verdict;
}

// Return what every rank prints where all of them print their iterations.
std::vector<Source> chorus(Random& random, int ranks, int steps) {
  std::vector<Source> all(static_cast<std::size_t>(ranks));
  for (int step = 1; step <= steps; ++step) {
    const std::string loss = decimal(2000 - step + (pick(random, 1, 30) == 1 ? 50 : 0), 3);
    for (int rank = 0; rank < ranks; ++rank)
      all[static_cast<std::size_t>(rank)].push_back(
          iteration(std::to_string(rank) + ": ", step, steps, loss, 5000));
  }
  return all;
}

TEST(Interleaving, OfRanksThatAllPrintTheirIterationsChangesNoVerdict) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const int ranks = pick(random, 2, 4), steps = pick(random, 12, 20);
    Random same(99);
    const Reference reference = reference_of(interleaved(random, chorus(same, 1, steps)));
    const std::vector<Source> run = chorus(random, ranks, steps);
    const std::string log = interleaved(random, run), first = judged(reference, log);
    for (int k = 0; k < (SANITIZED ? 2 : 6); ++k) {
      const std::string other = interleaved(random, run);
      ASSERT_EQ(judged(reference, other), first) << "seed " << seed << "\n" << log << "and\n" << other;
    }
  }
}

}  // namespace
}  // namespace gate::app::interleaving_test
