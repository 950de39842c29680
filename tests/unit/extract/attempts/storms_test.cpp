// Crash loops: of many attempts most are only counted, and the judged one is what it would be.
#include <gmock/gmock.h>

#include <random>

#include "attempts/printed_lines.h"
#include "reading.h"

namespace gate::extract::attempts_test {
namespace {

// Many attempts that fail early, with reports and evaluations beside their steps.
std::string storm(std::uint64_t seed, int attempts) {
  std::mt19937_64 random(seed);
  const auto draw = [&](int below) { return static_cast<int>(random() % static_cast<std::uint64_t>(below)); };
  std::string log;
  for (int i = 0; i < attempts; ++i) {
    const int first = 1 + draw(i % 7 == 0 ? 1 : 6), last = first + draw(5);
    for (int number = first; number <= last; ++number) {
      const std::string value = std::to_string(1 + draw(9)) + "." + std::to_string(i);
      log += step(number, value);
      if (number == first) log += report(0, number, value);
      if (number % 3 == 0)
        log += " validation loss at iteration " + std::to_string(number) + " | lm loss value: " + value +
               " | lm loss PPL: 5.0 | \n";
    }
  }
  return log;
}

TEST(Attempts, of_a_storm_are_counted_and_the_judged_one_is_what_it_would_be) {
  for (std::uint64_t seed = 0; seed < (SANITIZED ? 1 : 4); ++seed) {
    const std::string log = storm(seed, SANITIZED ? 700 : 1500);
    Options all;
    all.all_attempts = true;
    const Extraction few = read_log(log), whole = read_log(log, all);
    EXPECT_LT(few.attempts.size(), 600U);
    EXPECT_EQ(dump(few.series), dump(whole.series)) << seed;
    EXPECT_EQ(few.notes, whole.notes) << seed;
    EXPECT_EQ(problems(few, ProblemKind::restart), problems(whole, ProblemKind::restart)) << seed;
  }
}

// What two patterns read of a crash loop of two hosts; the second one counts the most values.
std::string storm_of_patterns(std::uint64_t seed, int attempts) {
  std::mt19937_64 random(seed);
  const auto draw = [&](int below) { return static_cast<int>(random() % static_cast<std::uint64_t>(below)); };
  const int hosts = 1 + draw(2);
  std::string log;
  for (int i = 0; i < attempts; ++i) {
    const int first = 1 + draw(i % 7 == 0 ? 1 : 4), last = first + draw(3) + (i + 1 == attempts ? 9 : 0);
    for (int number = first; number <= last; ++number)
      for (int host = 0; host < hosts; ++host) {
        const std::string value = std::to_string(number) + "." + std::to_string(i);
        const std::string prefix = hosts == 1 ? "" : "node" + std::to_string(host) + ": ";
        if (number % 2 == 0) log += prefix + "at " + std::to_string(number) + " loss=" + value + "\n";
        log += prefix + "at " + std::to_string(number) + " speed=" + value + "\n";
      }
  }
  return log;
}

TEST(Attempts, of_a_storm_of_patterns_are_counted_too) {
  Options options;
  options.formats = {"none"};
  for (const char* metric : {"loss", "speed"}) {
    UserPattern pattern;
    pattern.metric = metric;
    pattern.regex = "at (?P<step>\\d+) " + pattern.metric + "=(?P<value>[0-9.]+)";
    options.patterns.push_back(pattern);
  }
  Options all = options;
  all.all_attempts = true;
  for (std::uint64_t seed = 0; seed < (SANITIZED ? 1 : 8); ++seed) {
    const std::string log = storm_of_patterns(seed, SANITIZED ? 600 : 1500);
    const Extraction few = read_log(log, options), whole = read_log(log, all);
    EXPECT_LT(few.attempts.size(), 600U);
    EXPECT_EQ(dump(few.series), dump(whole.series)) << seed;
    EXPECT_EQ(few.notes, whole.notes) << seed;
    EXPECT_EQ(problems(few, ProblemKind::restart), problems(whole, ProblemKind::restart)) << seed;
  }
}

// Evaluations here and there, before or behind the steps that they are of.
std::string storm_with_evaluations(std::uint64_t seed, int attempts) {
  std::mt19937_64 random(seed);
  const auto draw = [&](int below) { return static_cast<int>(random() % static_cast<std::uint64_t>(below)); };
  const int often = 1 + draw(40), shift = draw(2), before = draw(3);
  std::string log;
  for (int i = 0, base = 1; i < attempts; ++i) {
    if (draw(100) == 0) base = 1 + draw(8);
    const bool is_last = i + 1 == attempts;
    const int first = base, last = is_last ? 20 : first + 1 + draw(3);
    const bool evaluates = is_last || draw(often) == 0;
    for (int number = first; number <= last; ++number) {
      const std::string loss = std::to_string(number) + "." + std::to_string(i);
      if (evaluates && before == 0 && number == first) log += evaluation(number + shift, loss);
      log += speeds(number, number);
      if (evaluates && (number == first + 1 || (is_last && number % 3 == 0)))
        log += evaluation(number + shift, loss);
    }
  }
  return log;
}

TEST(Attempts, of_a_storm_with_evaluations_too) {
  for (std::uint64_t seed = 0; seed < (SANITIZED ? 4 : 40); ++seed) {
    const std::string log = storm_with_evaluations(seed, 540 + 100 * static_cast<int>(seed % 4));
    const Extraction few = read_log(log, speed_and_evaluation());
    const Extraction whole = read_log(log, speed_and_evaluation(true));
    EXPECT_LT(few.attempts.size(), whole.attempts.size());
    EXPECT_EQ(dump(few.series), dump(whole.series)) << seed;
    EXPECT_EQ(few.notes, whole.notes) << seed;
  }
}

}  // namespace
}  // namespace gate::extract::attempts_test
