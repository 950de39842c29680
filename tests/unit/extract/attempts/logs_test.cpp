#include <gmock/gmock.h>

#include <random>

#include "reading.h"

namespace gate::extract::attempts_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Extraction read_sample(const std::string& name, Options options = {}) {
  return read_log(file_text(GATE_SOURCE_DIR "/tests/logs/megatron/" + name), std::move(options));
}

std::string step(int number, const std::string& loss, int total = 9) {
  return " iteration " + std::to_string(number) + "/ " + std::to_string(total) + " | lm loss: " + loss +
         " |\n";
}

std::string report(int rank, int after, const std::string& allocated) {
  return "[Rank " + std::to_string(rank) + "] (after " + std::to_string(after) +
         " iterations) memory (MB) | allocated: " + allocated +
         " | max allocated: 2.0 | reserved: 3.0 | max reserved: 4.0\n";
}

TEST(Attempts, the_last_is_judged) {
  const Extraction x = read_sample("two_attempts.log");
  ASSERT_EQ(x.attempts.size(), 2U);
  EXPECT_EQ(words(x, "lm_loss"), "1=1.210000E+01 2=1.195000E+01 3=1.180000E+01");
  EXPECT_EQ(words(x, "memory_max_allocated", 0), "1=70.0 2=71.0");
  EXPECT_EQ(words(*find_series(x.attempts[0].series, "memory_max_allocated", 0)), "1=60.0 2=61.0");
  EXPECT_EQ(x.total, 5);
  EXPECT_THAT(x.notes, ElementsAre("attempt 2 of 2 is judged: steps 1-3",
                                   "attempt 1 is of another job, lines 1-3: steps 1-2 of 2"));
  EXPECT_THAT(problems(x, ProblemKind::restart), ElementsAre("6: step 1 after step 2: attempt 2 begins"));
}

TEST(Attempts, another_may_be_asked_for) {
  Options options;
  options.attempt.number = 1;
  const Extraction x = read_sample("two_attempts.log", options);
  EXPECT_EQ(words(x, "lm_loss"), "1=1.200000E+01 2=1.190000E+01");
  EXPECT_EQ(x.total, 2);
}

TEST(Attempts, one_that_is_not_there_is_not_judged) {
  Options options;
  options.attempt.number = 3;
  const Extraction x = read_sample("two_attempts.log", options);
  EXPECT_THAT(x.series, IsEmpty());
  EXPECT_THAT(x.notes, ElementsAre("attempt 3 was asked for; the log holds 2 attempts: nothing is judged"));
}

TEST(Attempts, a_resume_goes_on_from_the_one_before) {
  const Extraction x = read_sample("resume.log");
  EXPECT_EQ(words(x, "lm_loss"),
            "1=3.000000E+00 2=2.900000E+00 3=2.810000E+00 4=2.710000E+00 5=2.600000E+00 6=2.500000E+00");
  EXPECT_EQ(words(x, "memory_max_allocated", 0), "1=13.0 2=14.0");
  EXPECT_EQ(words(*find_series(x.attempts[0].series, "memory_max_allocated", 0)), "1=11.0 2=12.0");
  EXPECT_THAT(x.notes, ElementsAre("attempt 2 of 2 is judged: steps 3-6",
                                   "steps 1-2 come from attempt 1: attempt 2 resumed at step 3"));
}

TEST(Attempts, resumes_of_resumes_go_on_too) {
  const Extraction x = read_log(step(1, "1.0") + step(2, "2.0") + step(3, "3.0") + step(2, "2.1") +
                                step(3, "3.1") + step(4, "4.1") + step(3, "3.2") + step(4, "4.2"));
  EXPECT_EQ(words(x, "lm_loss"), "1=1.0 2=2.1 3=3.2 4=4.2");
  EXPECT_EQ(x.attempts.size(), 3U);
}

TEST(Attempts, a_short_last_one_is_not_filled_up_from_a_complete_one) {
  const Extraction x = read_log(step(1, "1.0", 2) + step(2, "2.0", 2) + step(1, "1.5", 2));
  EXPECT_EQ(words(x, "lm_loss"), "1=1.5");
}

TEST(Attempts, begin_at_the_same_first_step_again) {
  const Extraction x = read_log(step(1, "1.0") + step(1, "1.5") + step(2, "2.0"));
  EXPECT_EQ(words(x, "lm_loss"), "1=1.5 2=2.0");
  EXPECT_EQ(x.attempts.size(), 2U);
}

TEST(Attempts, do_not_begin_at_the_same_line_again) {
  const Extraction x = read_log(step(1, "1.0") + step(1, "1.0") + step(2, "2.0"));
  EXPECT_EQ(x.attempts.size(), 1U);
  EXPECT_THAT(problems(x, ProblemKind::duplicate), ElementsAre("2: step 1 printed again with equal values"));
}

TEST(Attempts, reports_are_matched_by_order) {
  const Extraction x = read_log(step(1, "1.0") + report(0, 1, "10.5") + step(2, "2.0") +
                                report(0, 1, "11.5") + step(1, "1.1"));
  EXPECT_EQ(words(x, "memory_allocated", 0), "1=11.5");
  EXPECT_EQ(words(*find_series(x.attempts[0].series, "memory_allocated", 0)), "1=10.5");
}

TEST(Attempts, a_last_one_of_reports_alone_is_judged) {
  const Extraction x =
      read_log(step(1, "1.0") + report(0, 1, "10.5") + step(2, "2.0") + report(0, 1, "10.5"));
  EXPECT_EQ(x.attempts.size(), 2U);
  EXPECT_EQ(words(x, "lm_loss"), "no series");
}

TEST(Attempts, a_log_written_twice_is_one) {
  std::string twice;
  for (const std::string& line : {step(1, "1.0"), report(0, 1, "10.5"), step(2, "2.0"), report(0, 2, "11.5")})
    twice += line + line;
  const Extraction x = read_log(twice);
  EXPECT_EQ(x.attempts.size(), 1U);
  EXPECT_EQ(words(x, "memory_allocated", 0), "1=10.5 2=11.5");
  EXPECT_EQ(problems(x, ProblemKind::duplicate).size(), 4U);
}

TEST(Attempts, a_step_printed_twice_with_equal_values_is_one) {
  const Extraction x = read_sample("twice.log");
  EXPECT_EQ(words(x, "grad_norm"), "1=1.000 2=0.990 3=0.980 4=0.970");
  EXPECT_THAT(problems(x, ProblemKind::duplicate), ElementsAre("3: step 2 printed again with equal values",
                                                               "5: step 3 printed again with equal values"));
}

TEST(Attempts, a_step_printed_twice_with_different_values_is_in_conflict) {
  const Extraction x = read_sample("twice.log");
  EXPECT_THAT(find_series(x.series, "lm_loss", {})->conflicts(), ElementsAre(3));
  EXPECT_THAT(find_series(x.series, "grad_norm", {})->conflicts(), IsEmpty());
  EXPECT_THAT(problems(x, ProblemKind::conflict),
              ElementsAre("5: step 3: lm_loss printed as 2.800000E+00 and as 2.850000E+00; "
                          "metrics.lm_loss.pick (first, last, min, max) says which "
                          "is meant"));
}

std::string picked(Pick pick) {
  Options options;
  Metric metric = options.metrics.get("lm_loss");
  metric.pick = pick;
  options.metrics.put(metric);
  const Extraction x = read_log(step(1, "1.0") + step(2, "-1.0") + step(2, "5.0") + step(2, "3.0"), options);
  EXPECT_THAT(problems(x, ProblemKind::conflict), IsEmpty());
  return words(x, "lm_loss");
}

TEST(Attempts, a_metric_may_say_which_value_is_meant) {
  EXPECT_EQ(picked(Pick::first), "1=1.0 2=-1.0");
  EXPECT_EQ(picked(Pick::last), "1=1.0 2=3.0");
  EXPECT_EQ(picked(Pick::min), "1=1.0 2=-1.0");
  EXPECT_EQ(picked(Pick::max), "1=1.0 2=5.0");
}

TEST(Attempts, a_pick_never_hides_what_is_not_finite) {
  Options options;
  Metric metric = options.metrics.get("lm_loss");
  metric.pick = Pick::max;
  options.metrics.put(metric);
  EXPECT_EQ(words(read_log(step(1, "1.0") + step(2, "5.0") + step(2, "nan"), options), "lm_loss"),
            "1=1.0 2=nan");
}

TEST(Attempts, what_a_lagging_source_says_of_the_one_before_is_not_told_live) {
  std::string seen;
  Extractor extractor = make();
  extractor.on_sample([&](const LiveSample& live) { seen += word(live.sample) + " "; });
  extractor.feed("0: " + step(1, "1.0") + "1: " + step(1, "1.0") + "0: " + step(2, "2.0") +
                 "0: " + step(1, "1.5") + "1: " + step(2, "2.0") + "0: " + step(2, "2.5"));
  EXPECT_EQ(seen, "1=1.0 2=2.0 1=1.5 2=2.5 ");
  EXPECT_EQ(extractor.last_step(), 2);
}

TEST(Attempts, every_rank_may_print_the_steps) {
  const Extraction x = read_log("0: " + step(1, "1.0") + "1: " + step(1, "1.0") + "0: " + step(2, "2.0") +
                                "1: " + step(2, "2.5") + "1: " + step(3, "3.0"));
  EXPECT_EQ(x.attempts.size(), 1U);
  EXPECT_EQ(words(x, "lm_loss"), "1=1.0 2=2.0 3=3.0");
  EXPECT_THAT(find_series(x.series, "lm_loss", {})->conflicts(), ElementsAre(2));
  EXPECT_EQ(x.attempts[0].source, "0, 1");
}

TEST(Attempts, a_value_that_one_source_leaves_out_comes_from_another) {
  const Extraction x =
      read_log("0:  iteration 1/ 2 | grad norm: 1.0 | number of nan iterations: 0 |\n1: " + step(1, "1.5"));
  EXPECT_EQ(words(x, "lm_loss"), "1=1.5");
  EXPECT_THAT(problems(x, ProblemKind::left_out), IsEmpty());
}

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

// The first value and one other are kept: that is what a conflict is.
TEST(Attempts, a_number_that_a_pattern_reads_again_and_again_takes_no_room) {
  Options options;
  options.patterns = {{"loss", R"(at (?P<step>\d+) loss=(?P<value>\S+))"}};
  std::string log = "at 1 loss=3.5\n";
  for (int i = 0; i < 1500; ++i) log += "at 2 loss=2.5\n";
  log += "at 3 loss=1.5\n";
  const Extraction x = read_log(log, options);
  EXPECT_EQ(words(x, "loss"), "1=3.5 2=2.5 3=1.5");
  EXPECT_THAT(problems(x, ProblemKind::duplicate), ElementsAre("3: step 2 printed again with equal values"));
  log += "at 3 loss=1.5\nat 3 loss=1.5\nat 3 loss=1.50\nat 3 loss=9.0\n";
  EXPECT_THAT(find_series(read_log(log, options).series, "loss", {})->conflicts(), ElementsAre(3));
}

TEST(Attempts, a_step_printed_again_and_again_is_told_and_takes_no_room) {
  std::string log = step(1, "3.5");
  for (int i = 0; i < 1500; ++i) log += step(2, "2.5");
  log += step(3, "1.5");
  const Extraction x = read_log(log);
  EXPECT_EQ(words(x, "lm_loss"), "1=3.5 2=2.5 3=1.5");
  EXPECT_EQ(problems(x, ProblemKind::duplicate).size(), 1000U);
  for (int i = 0; i < 500; ++i) log += step(4, std::to_string(i) + ".5");
  EXPECT_THAT(find_series(read_log(log).series, "lm_loss", {})->conflicts(), ElementsAre(4));
}

TEST(Attempts, files_are_sources) {
  Extractor extractor = make();
  extractor.begin_file("a.log");
  extractor.feed(step(1, "1.0") + step(2, "2.0"));
  extractor.begin_file("b.log");
  extractor.feed(report(1, 1, "5.5") + step(2, "2.0"));
  const Extraction x = extractor.finish();
  EXPECT_EQ(x.attempts.size(), 1U);
  EXPECT_THAT(x.files, ElementsAre("a.log", "b.log"));
  EXPECT_EQ(find_series(x.series, "memory_allocated", 1)->samples()[0].file, 1U);
  EXPECT_EQ(find_series(x.series, "memory_allocated", 1)->samples()[0].line, 1U);
}

}  // namespace
}  // namespace gate::extract::attempts_test
