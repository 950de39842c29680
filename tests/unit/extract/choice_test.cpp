#include "extract/choice.h"

#include <gmock/gmock.h>

#include "reading.h"

namespace gate::extract::choice_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

FormatSpec named(std::string_view name, std::span<const std::string_view> over = {}) {
  FormatSpec format;
  format.row.name = name;
  format.supersedes = over;
  return format;
}

constexpr std::array<std::string_view, 1> over_plain{"plain"};

TEST(Choice, is_the_format_with_most_steps) {
  const FormatSpec plain = named("plain"), other = named("other");
  const std::vector<FoundFormat> found{{&plain, 3, 100}, {&other, 7, 0}};
  const Choice choice = choose(found);
  EXPECT_EQ(choice.best, 1U);
  EXPECT_THAT(choice.tied, IsEmpty());
  EXPECT_THAT(also_read(found, choice),
              ElementsAre("format plain (3 steps) reads parts of this log, too; other (7 steps) is used"));
}

TEST(Choice, is_none_where_nothing_was_found) {
  const FormatSpec plain = named("plain");
  EXPECT_EQ(choose(std::vector<FoundFormat>{{&plain, 0, 0}}).best, std::nullopt);
  EXPECT_EQ(choose({}).best, std::nullopt);
}

TEST(Choice, a_format_wins_over_what_it_contains_however_much_that_found) {
  const FormatSpec plain = named("plain"), wide = named("wide", over_plain);
  const std::vector<FoundFormat> found{{&plain, 500, 0}, {&wide, 1, 0}};
  const Choice choice = choose(found);
  EXPECT_EQ(choice.best, 1U);
  EXPECT_THAT(choice.tied, IsEmpty());
  EXPECT_THAT(also_read(found, choice), IsEmpty());
  EXPECT_EQ(choose(std::vector<FoundFormat>{{&plain, 500, 0}, {&wide, 0, 0}}).best, 0U);
}

TEST(Choice, is_a_tie_from_half_the_steps_on) {
  const FormatSpec a = named("a"), b = named("b"), c = named("c");
  EXPECT_THAT(choose(std::vector<FoundFormat>{{&a, 10, 0}, {&b, 5, 0}}).tied, ElementsAre(1U));
  EXPECT_THAT(choose(std::vector<FoundFormat>{{&a, 10, 0}, {&b, 4, 900}}).tied, IsEmpty());
  const std::vector<FoundFormat> found{{&a, 9, 0}, {&b, 10, 0}, {&c, 8, 0}};
  EXPECT_EQ(tie_text(found, choose(found)),
            "formats b (10 steps), a (9 steps) and c (8 steps) all read this log: name the one that is "
            "meant, as in "
            "--format b or formats = [\"b\"]");
}

TEST(Choice, other_records_decide_where_there_are_no_steps) {
  const FormatSpec a = named("a"), b = named("b");
  EXPECT_EQ(choose(std::vector<FoundFormat>{{&a, 0, 2}, {&b, 0, 9}}).best, 1U);
  EXPECT_EQ(choose(std::vector<FoundFormat>{{&a, 1, 0}, {&b, 0, 9}}).best, 0U);
}

constexpr std::string_view titan =
    "[rank0]:[titan] 2026-05-18 16:04:46,338 - root - INFO - step:  1  loss:  8.5  grad_norm:  0.5  memory:  "
    "9.00GiB(60.00%)  tps: 7,282  tflops: 0.52  mfu: 0.17%\n";
constexpr std::string_view megatron =
    " iteration        1/       2 | lm loss: 2.5E+00 | number of nan iterations:   0 |\n";

TEST(Auto, a_tie_is_an_error_that_names_both) {
  const Extraction x = read_log(std::string(titan) + std::string(megatron));
  EXPECT_THAT(x.series, IsEmpty());
  EXPECT_THAT(x.formats, IsEmpty());
  EXPECT_THAT(problems(x, ProblemKind::unreadable),
              ElementsAre(HasSubstr("formats megatron (1 step) and torchtitan (1 step) both read this log")));
}

TEST(Auto, a_named_format_reads_its_own_lines_only) {
  const Extraction x = read_log(std::string(titan) + std::string(megatron), {{"megatron"}, {}, {}, {}});
  EXPECT_EQ(words(x, "lm_loss"), "1=2.5E+00");
  EXPECT_THAT(x.formats, ElementsAre("megatron"));
}

TEST(Auto, of_formats_that_are_named_together_the_first_counts) {
  const std::string log = std::string(titan) + std::string(megatron);
  EXPECT_EQ(words(read_log(log, {{"megatron", "torchtitan"}, {}, {}, {}}), "lm_loss"), "1=2.5E+00");
  const Extraction x = read_log(log, {{"torchtitan", "megatron"}, {}, {}, {}});
  EXPECT_EQ(words(x, "lm_loss"), "1=8.5");
  EXPECT_EQ(words(x, "nan_iterations"), "1=0");
}

TEST(Auto, a_user_pattern_counts_before_every_format) {
  Options options;
  options.patterns = {{"lm_loss", R"(loss:\s+(?P<value>8\.5))"}};
  EXPECT_EQ(words(read_log(titan, std::move(options)), "lm_loss"), "1=8.5");
}

TEST(Auto, what_patterns_read_before_the_first_record_is_kept) {
  Options options;
  options.patterns = {{"score", R"(score (?P<value>\S+) at (?P<step>\d+))"}};
  const Extraction x =
      read_log("score 0.5 at 1\n" + std::string(megatron) + "score 0.7 at 2\n", std::move(options));
  EXPECT_EQ(words(x, "score"), "1=0.5 2=0.7");
  EXPECT_EQ(words(x, "lm_loss"), "1=2.5E+00");
}

TEST(Auto, tells_samples_of_the_format_that_leads) {
  std::vector<std::string> told;
  Extractor extractor = make();
  extractor.on_sample([&](const LiveSample& live) {
    if (live.metric == "lm_loss")
      told.push_back((live.new_attempt ? "anew " : "") + std::to_string(live.sample.number) + "=" +
                     live.sample.text);
  });
  extractor.feed(megatron);
  for (const char* step : {"1", "2", "3"})
    extractor.feed("step: " + std::string(step) +
                   "  loss:  8.5  grad_norm:  0.5  memory:  9.00GiB(60.00%)  tps: 7  "
                   "tflops: 0.52  mfu: 0.17%\n");
  EXPECT_THAT(told, ElementsAre("1=2.5E+00", "anew 2=8.5", "3=8.5"));
  EXPECT_EQ(extractor.last_step(), 3);
}

}  // namespace
}  // namespace gate::extract::choice_test
