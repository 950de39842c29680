#include <gmock/gmock.h>

#include "reading.h"

namespace gate::extract::user_pattern_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Options with(const std::string& metric, const std::string& regex, Decimal scale = {1, 0}) {
  Options options;
  options.patterns = {{metric, regex, scale}};
  return options;
}

std::string refusal(const std::string& regex) {
  return Extractor::make(with("reward", regex)).error().message;
}

TEST(UserPatterns, are_refused_with_a_reason) {
  EXPECT_THAT(refusal("reward: (?P<value>"), HasSubstr("metrics.reward.pattern: missing )"));
  EXPECT_THAT(refusal("reward: (?<value>\\S+)"), HasSubstr("a named group is written (?P<value>...)"));
  EXPECT_THAT(refusal("reward: (\\S+)"), HasSubstr("needs a group of the name value: (?P<value>\\S+)"));
}

std::vector<std::string> metrics_of(const std::string& regex) {
  std::vector<std::string> names;
  const auto patterns = patterns_of(regex, "--pattern");
  if (!patterns) return {patterns.error().message};
  for (const UserPattern& pattern : *patterns) names.push_back(pattern.metric);
  return names;
}

TEST(UserPatterns, of_the_command_line_name_their_metrics) {
  EXPECT_THAT(metrics_of(R"((?P<step>\d+) (?P<value>\S+))"), ElementsAre("value"));
  EXPECT_THAT(metrics_of(R"((?P<rank>\d+) (?P<step>\d+) (?P<loss>\S+) (?P<acc>\S+))"),
              ElementsAre("loss", "acc"));
  EXPECT_THAT(metrics_of("(x"), ElementsAre(HasSubstr("--pattern: missing ): (x")));
  EXPECT_THAT(metrics_of("x"), ElementsAre(HasSubstr("--pattern: the number needs a group")));
}

TEST(UserPatterns, of_the_command_line_read_every_group) {
  Options options;
  options.patterns = *patterns_of(R"(s(?P<step>\d+) l(?P<lm_loss>\S+) a(?P<acc>\S+))", "--pattern");
  const Extraction x = read_log("s1 l3.5 a0.5\ns2 l2.5 a0.75\n", options);
  EXPECT_EQ(words(x, "lm_loss"), "1=3.5 2=2.5");
  EXPECT_EQ(words(x, "acc"), "1=0.5 2=0.75");
}

TEST(UserPatterns, read_steps_and_values) {
  const Extraction x =
      read_log("iteration: 1 / 9 | reward/mean : 0.5 |\niteration: 2 / 9 | reward/mean : nan |\n",
               with("reward", R"(iteration:\s*(?P<step>\d+) .*reward/mean : (?P<value>\S+))"));
  EXPECT_EQ(words(x, "reward"), "1=0.5 2=nan");
  EXPECT_THAT(problems(x, ProblemKind::not_finite), ElementsAre("2: step 2: reward nan"));
  EXPECT_THAT(problems(x, ProblemKind::unreadable), IsEmpty());
  EXPECT_EQ(x.matches.back().extractor, "pattern.reward");
  EXPECT_EQ(x.matches.back().matches, 2);
}

TEST(UserPatterns, read_ranks_and_scale) {
  const Extraction x = read_log(
      "r3 s1 mem 2.5 GB\n", with("mem", R"(r(?P<rank>\d+) s(?P<step>\d+) mem (?P<value>\S+))", {1024, 0}));
  const Series* series = find_series(x.series, "mem", 3);
  ASSERT_NE(series, nullptr);
  EXPECT_EQ(series->samples()[0].value.number, *Decimal::parse("2560"));
  EXPECT_EQ(series->samples()[0].text, "2.5");
}

TEST(UserPatterns, number_steps_through_epochs) {
  const auto nth = with("reward", R"(e(?P<nth_epoch>\S+) s(?P<step>\d+)/(?P<each>\S+) (?P<value>\S+))");
  EXPECT_EQ(words(read_log("e1 s9/10 0.5\ne3 s2/10 0.6\n", nth), "reward"), "9=0.5 22=0.6");
  EXPECT_EQ(words(read_log("e0 s1 0.4\ne2 s1 0.5\n",
                           with("reward", R"(e(?P<epoch>\d+) s(?P<step>\d+) (?P<value>\S+))")),
                  "reward"),
            "1=0.4 2000001=0.5");
  for (const std::string epoch : {"0", "-1", "-9223372036854775808"})
    EXPECT_THAT(problems(read_log("e" + epoch + " s9/10 0.5\n", nth), ProblemKind::malformed),
                testing::Contains(HasSubstr("where epochs count from 1")));
  EXPECT_THAT(problems(read_log("e9223372036854775807 s9/10 0.5\n", nth), ProblemKind::malformed),
              testing::Contains(HasSubstr("cannot be numbered through")));
}

TEST(UserPatterns, without_a_step_take_the_step_printed_last) {
  const Extraction x = read_log(
      " iteration 4/ 9 | lm loss: 1.5 |\nreward 0.5\n iteration 5/ 9 | lm loss: 1.5 |\nreward 0.75\n",
      with("reward", "reward (?P<value>\\S+)"));
  EXPECT_EQ(words(x, "reward"), "4=0.5 5=0.75");
}

TEST(UserPatterns, without_any_step_say_what_to_do) {
  const Extraction x = read_log("reward 0.5\n", with("reward", "reward (?P<value>\\S+)"));
  EXPECT_THAT(problems(x, ProblemKind::malformed), ElementsAre(HasSubstr("1: a value without a step")));
  EXPECT_EQ(words(x, "reward"), "no series");
}

TEST(UserPatterns, may_have_groups_that_a_line_does_without) {
  const Extraction x =
      read_log("loss 2.5 at 1\nloss 2.25 at 2 of rank 0\nloss 2.0 at 3\n",
               with("reward", R"(loss (?P<value>\S+) at (?P<step>\d+)(?: of rank (?P<rank>\d+))?)"));
  EXPECT_EQ(words(x, "reward"), "1=2.5 3=2.0");
  EXPECT_EQ(words(x, "reward", 0), "2=2.25");
  EXPECT_THAT(problems(x, ProblemKind::malformed), IsEmpty());
}

TEST(UserPatterns, without_steps_go_with_the_attempts_of_those_that_have_them) {
  Options options = with("reward", R"(^reward (?P<value>\S+) at (?P<step>\d+))");
  options.patterns.push_back({"memory_allocated", R"(^rank (?P<rank>\d+) holds (?P<value>\S+))"});
  const std::string attempt =
      "reward 0.5 at 1\nrank 0 holds 10\nreward 0.5 at 2\nrank 0 holds 20\nreward 0.5 at 3\n";
  const Extraction x = read_log(attempt + "reward 0.75 at 1\nrank 0 holds 11\n", options);
  EXPECT_EQ(words(x, "reward"), "1=0.75");
  EXPECT_EQ(words(x, "memory_allocated", 0), "1=11");
}

TEST(UserPatterns, may_be_numbered_by_report) {
  Options options = with("score", "score (?P<value>\\S+)");
  Metric metric = options.metrics.get("score");
  metric.numbered = Numbering::report;
  options.metrics.put(metric);
  EXPECT_EQ(words(read_log("score 0.5\nscore 0.25\n", options), "score"), "1=0.5 2=0.25");
}

TEST(UserPatterns, belong_to_the_attempt_of_the_steps_around_them) {
  const Extraction x = read_log(
      " iteration 1/ 9 | lm loss: 1.5 |\n iteration 2/ 9 | lm loss: 1.5 |\nreward 2 = 0.5\n iteration 1/ 9 | "
      "lm loss: 1.75 "
      "|\n iteration 2/ 9 | lm loss: 1.5 |\nreward 2 = 0.75\n",
      with("reward", R"(reward (?P<step>\d+) = (?P<value>\S+))"));
  EXPECT_EQ(words(x, "reward"), "2=0.75");
  EXPECT_THAT(problems(x, ProblemKind::conflict), IsEmpty());
}

TEST(UserPatterns, begin_attempts_where_no_format_does) {
  const Extraction x =
      read_log("s1 l3.5\ns2 l2.5\ns1 l3.25\n", with("lm_loss", R"(s(?P<step>\d+) l(?P<value>\S+))"));
  EXPECT_EQ(x.attempts.size(), 2U);
  EXPECT_EQ(words(x, "lm_loss"), "1=3.25");
}

TEST(UserPatterns, begin_no_attempts_where_a_format_does) {
  const Extraction x = read_log(
      " iteration 1/ 9 | lm loss: 1.5 |\nbatch 1 mem 5\nbatch 2 mem 6\n iteration 2/ 9 | lm loss: 1.25 "
      "|\nbatch 1 mem 5\n",
      with("mem", R"(batch (?P<step>\d+) mem (?P<value>\S+))"));
  EXPECT_EQ(x.attempts.size(), 1U);
  EXPECT_EQ(words(x, "lm_loss"), "1=1.5 2=1.25");
  EXPECT_EQ(words(x, "mem"), "1=5 2=6");
}

TEST(UserPatterns, tell_the_last_step_where_no_format_does) {
  Extractor extractor = make(with("lm_loss", R"(s(?P<step>\d+) l(?P<value>\S+))"));
  extractor.feed("s1 l3.5\ns2 l2.5\n");
  EXPECT_EQ(extractor.last_step(), 2);
  extractor.feed("s1 l3.5\n");
  EXPECT_EQ(extractor.last_step(), 1);
}

TEST(UserPatterns, count_words_that_are_no_numbers) {
  const Extraction x = read_log("s1 l3.5.5\nsx l2.5\n", with("lm_loss", R"(s(?P<step>\w+) l(?P<value>\S+))"));
  EXPECT_THAT(problems(x, ProblemKind::malformed),
              ElementsAre("1: step 1: lm_loss `3.5.5` is no number", "2: step `x` is no whole number"));
}

// Steps whose values are no numbers tell no attempts.
TEST(UserPatterns, without_a_number_leave_the_values_beside_them) {
  Options options = with("kl", R"(s(?P<step>\d+) k(?P<value>\S+))");
  options.patterns.push_back({"reward", R"(r(?P<value>\S+))"});
  Metric reward = options.metrics.get("reward");
  reward.numbered = Numbering::report;
  options.metrics.put(reward);
  const Extraction x = read_log("s1 kx\nr1.5\ns2 ky\nr2.5\n", options);
  EXPECT_EQ(words(x, "reward"), "1=1.5 2=2.5");
  EXPECT_THAT(problems(x, ProblemKind::malformed), testing::SizeIs(2));
}

TEST(UserPatterns, match_more_than_once_on_a_line) {
  EXPECT_EQ(
      words(read_log("s1 l3.5 s2 l2.5\n", with("lm_loss", R"(s(?P<step>\d+) l(?P<value>\S+))")), "lm_loss"),
      "1=3.5 2=2.5");
}

TEST(UserPatterns, go_on_behind_an_empty_match) {
  Options options = with("score", "(?P<value>\\d*)");
  Metric metric = options.metrics.get("score");
  metric.numbered = Numbering::report;
  options.metrics.put(metric);
  EXPECT_EQ(words(read_log("ab7\n", options), "score"), "3=7");
}

TEST(UserPatterns, that_match_nothing_do_not_hang) {
  const Extraction x = read_log(std::string(100000, 'a') + "\n", with("reward", "(?P<value>b*)"));
  EXPECT_EQ(x.matches.back().matches, 64);
}

}  // namespace
}  // namespace gate::extract::user_pattern_test
