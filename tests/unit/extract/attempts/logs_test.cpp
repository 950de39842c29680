#include <gmock/gmock.h>

#include "attempts/printed_lines.h"
#include "gate/base/text.h"
#include "reading.h"

namespace gate::extract::attempts_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Extraction read_sample(const std::string& name, Options options = {}) {
  return read_log(file_text(GATE_SOURCE_DIR "/tests/logs/megatron/" + name), std::move(options));
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

// Of two hosts laid behind one another, whose restarts print the same, and of memory under a prefix of its
// own.
TEST(Attempts, one_without_a_step_is_no_other_job) {
  const auto host = [](const std::string& name) {
    const std::string steps = name + step(1, "3.0") + name + step(2, "2.9");
    return steps + name + step(1, "3.0") + name + step(2, "2.9") + name + step(3, "2.8") +
           "mem: " + report(0, 1, "10.5");
  };
  struct {
    std::string log;
    AttemptChoice choice;
    bool lacks_loss, is_copied;
  } const rows[] = {
      {host("a: ") + host("b: "), {}, true, false},  // the last attempt is memory alone
      {host("a: ") + host("b: "), {.number = {}, .said = true}, true, false},
      {host("a: ") + host("b: "), {.number = 2, .said = true}, false, false},
      {host("a: ") + host("b: "), {.number = 3, .said = true}, false, false},  // as it was asked for
      {host("a: ") + host("a: "), {}, false, false},
      {host("a: "), {}, false, false},
      {"a: " + step(1, "3.0") + "a: " + step(2, "2.9") + "a: " + step(1, "3.0") + "a: " + step(2, "2.8") +
           "b: " + step(1, "3.0") + "b: " + step(2, "2.8"),
       {},
       false,
       true},
      {"a: " + step(1, "3.0") + "a: " + step(2, "2.9") + "b: " + step(1, "3.0") + "b: " + step(2, "2.9"),
       {},
       false,
       false},  // one attempt
  };
  for (const auto& row : rows) {
    Options options;
    options.attempt = row.choice;
    const Extraction x = read_log(row.log, options);
    const bool lacks = std::ranges::find(x.lacked, "lm_loss", &LackedMetric::metric) != x.lacked.end();
    EXPECT_EQ(lacks, row.lacks_loss) << row.log << row.choice.number.value_or(0);
    EXPECT_EQ(!x.copied.empty(), row.is_copied) << row.log << row.choice.number.value_or(0);
  }
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

// Of a step that is printed twice with the lines between: what is told, and the value that counts.
TEST(Attempts, a_step_behind_a_repair_is_no_restart) {
  const std::string uce = "[WARNING] rank:7 catch UCE ERROR exception, ex instance:UCE ERROR.\n";
  const std::string stop = "WARNING: rank:15 catch FORCE STOP exception, ex instance:FORCE STOP\n";
  struct {
    std::string between, again;
    ProblemKind kind;
  } const rows[] = {
      {uce, step(2, "2.8"), ProblemKind::recomputed},
      {stop, step(2, "2.8"), ProblemKind::recomputed},
      {"RuntimeError: NPU function error: UCE ERROR., error code is 5\n", step(2, "2.8"),
       ProblemKind::recomputed},
      {uce + stop + uce, step(2, "2.8"), ProblemKind::recomputed},
      {"torch.OutOfMemoryError: CUDA out of memory.\n", step(2, "2.8"), ProblemKind::restart},
      {uce, step(1, "3.0") + step(2, "2.8"), ProblemKind::restart},  // not the last one
      {"", step(2, "2.8"), ProblemKind::conflict},
  };
  for (const auto& [between, again, kind] : rows) {
    const Extraction x = read_log(step(1, "3.0") + step(2, "2.9") + between + again + step(3, "2.7"));
    EXPECT_EQ(problems(x, kind).size(), 1U) << between;
    EXPECT_EQ(problems(x, ProblemKind::restart).size(), kind == ProblemKind::restart ? 1U : 0U) << between;
    if (kind == ProblemKind::recomputed) {
      EXPECT_EQ(words(x, "lm_loss"), "1=3.0 2=2.8 3=2.7");
    }
  }
  const std::string first =
      step(1, "3.0") + uce;  // the repair of an earlier step says nothing of a later one
  EXPECT_THAT(
      problems(read_log(first + step(2, "2.9") + step(3, "2.7") + step(3, "2.6")), ProblemKind::recomputed),
      IsEmpty());
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

// A pattern's value that each start prints before its first step.
TEST(Attempts, what_a_start_prints_before_its_first_step_is_its_own) {
  const std::string head = "torch version: 2.1\n", end = "torch version: 2.2\n";
  const std::string first = step(1, "3.0") + step(2, "2.9") + step(3, "2.8") + step(4, "2.7"),
                    resumed = step(3, "2.8") + step(4, "2.7") + step(5, "2.6");
  struct {
    const char* what;
    std::string log, expected;
  } const rows[] = {
      {"from scratch", head + first + head + first, "1=2.1"},
      {"a resume", head + first + head + resumed, "1=2.1"},
      {"thrice", head + first + head + first + head + first, "1=2.1"},
      {"the second start alone says it", first + head + first, "no series"},
      {"one died before its first step", head + head + first + head + first, "1=2.1"},
      {"at the end, too", head + first + end + head + first + end, "1=2.2"},
      {"among the steps", head + step(1, "3.0") + end + step(2, "2.9") + step(1, "3.0"), "no series"},
  };
  for (const auto& row : rows) {
    Options options;
    options.patterns = {{"torch", R"(^torch version: (?P<value>\S+))"}};
    options.metrics.put(counted("torch"));
    EXPECT_EQ(words(read_log(row.log, options), "torch"), row.expected) << row.what;
  }
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

TEST(Attempts, what_is_equal_in_an_attempt_before_hides_nothing_of_the_last) {
  const std::string before = speeds(1, 3) + evaluation(2, "0.9");
  for (const char* other : {"9.9", "nan"}) {
    const Extraction x =
        read_log(before + before + speeds(1, 3) + evaluation(2, "0.5") + evaluation(2, other) + speeds(4, 9),
                 speed_and_evaluation());
    const Series* loss = find_series(x.series, "loss", {});
    ASSERT_NE(loss, nullptr) << other;
    EXPECT_THAT(loss->conflicts(), ElementsAre(2)) << other;
  }
  const Extraction equal =
      read_log(before + before + before + speeds(1, 3) + evaluation(2, "0.9"), speed_and_evaluation());
  EXPECT_EQ(words(equal, "loss"), "2=0.9");
}

TEST(Attempts, an_evaluation_goes_no_further_than_to_the_attempt_beside) {
  for (const int crashes : {20, 700}) {
    std::string log;
    for (int i = 0; i < crashes; ++i) {
      log += speeds(1, 3);
      if (i == 5 || i == crashes / 2) log += evaluation(8, "0.5");
    }
    const Extraction x = read_log(log + speeds(1, 20), speed_and_evaluation());
    EXPECT_EQ(words(x, "loss"), "no series") << crashes;
    EXPECT_THAT(x.lacked, testing::SizeIs(1)) << crashes;
  }
}

TEST(Attempts, evaluations_under_a_prefix_go_with_its_steps) {
  std::string log;  // b prints some first steps, is silent for long, and goes on in the last attempt
  const auto under = [](const std::string& prefix, const std::string& lines) {
    std::string all;
    for (const std::string_view line : split(lines, '\n'))
      if (!line.empty()) all += prefix + std::string(line) + "\n";
    return all;
  };
  for (int i = 0; i < 10; ++i) log += under("a: ", speeds(1, 3)) + (i == 0 ? under("b: ", speeds(1, 2)) : "");
  for (int number = 1; number <= 9; ++number) {
    log += under("a: ", speeds(number, number) + evaluation(number, "0." + std::to_string(number)));
    if (number > 3) log += under("b: ", speeds(number, number));
  }
  EXPECT_EQ(words(read_log(log, speed_and_evaluation()), "loss"),
            "1=0.1 2=0.2 3=0.3 4=0.4 5=0.5 6=0.6 7=0.7 8=0.8 9=0.9");
}

// What one attempt of a crash loop alone holds is told of the one that is judged, whatever was forgotten.
TEST(Attempts, what_a_forgotten_one_alone_held_is_lacked) {
  const std::string validation =
      " validation loss at iteration 2 | lm loss value: 1.5E+00 | lm loss PPL: 5.0E+00 | \n";
  for (const std::string& alone : {report(0, 1, "10.5"), validation}) {
    std::string log;
    for (int i = 0; i < 700; ++i)
      log +=
          step(1, "3.5", i % 2 == 0 ? 9 : 40) + (i == 6 ? alone : "") + step(2, "2.5", i % 2 == 0 ? 9 : 40);
    for (int number = 1; number <= 9; ++number) log += step(number, "1.5");
    EXPECT_FALSE(read_log(log).lacked.empty()) << alone;
  }
}

TEST(Attempts, a_validation_waits_for_no_piece_far_behind) {
  const auto validation = [](int number, const std::string& word) {
    return "node1:  validation loss at iteration " + std::to_string(number) + " | lm loss value: " + word +
           " | lm loss PPL: 5.0 | \n";
  };
  std::string log = "node0: " + step(1, "1.0") + "node1: " + step(1, "1.0") + validation(2, "1.5") +
                    "node0: " + step(1, "1.1") + validation(1, "1.6");
  for (int i = 0; i < 5; ++i)
    log += "node0: " + step(1, "1.2" + std::to_string(i)) + "node0: " + step(2, "1.2");
  for (int number = 1; number <= 9; ++number)
    for (const char* node : {"node0: ", "node1: "}) log += node + step(number, "1." + std::to_string(number));
  EXPECT_EQ(words(read_log(log), "validation_loss"), "no series");
}

TEST(Attempts, a_step_printed_often_hides_no_other_value) {
  const auto line = [](int step, const std::string& loss, const std::string& norm) {
    return " iteration " + std::to_string(step) + "/ 9 | lm loss: " + loss + " | grad norm: " + norm + " |\n";
  };
  for (const char* other : {"9.9", "nan"}) {
    std::string log = line(1, "3.5", "1.0");
    for (int i = 0; i < 300; ++i) log += line(2, i % 2 == 0 ? "2.5" : "2.50", std::to_string(i) + ".0");
    const Extraction x = read_log(log + line(2, other, "1.0") + line(3, "1.5", "1.0"));
    EXPECT_THAT(find_series(x.series, "lm_loss", {})->conflicts(), ElementsAre(2)) << other;
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
