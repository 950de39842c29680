#include "extract/profiler_arguments.h"

#include <gmock/gmock.h>

#include "gate/extract/extractor.h"

namespace gate::extract::profiler_arguments_test {
namespace {

// Return the note on the log of these arguments and a training by these steps; "" where there is none.
std::string told(const std::string& arguments, std::vector<std::int64_t> steps = {1, 2, 3, 4, 5, 6, 7, 8},
                 const std::optional<ProfilerFlags>& flags = {}) {
  Options options;
  options.profiler = flags;
  Extractor extractor = *Extractor::make(std::move(options));
  extractor.feed(arguments);
  for (const std::int64_t step : steps)
    extractor.feed(" iteration " + std::to_string(step) +
                   "/ 100 | lm loss: 1.5 | number of nan iterations: 0 |\n");
  const Extraction extraction = extractor.finish();
  EXPECT_EQ(extraction.series.size(), 2u);
  std::string note;
  for (const Sentence& one : extraction.notes)
    if (one.english().starts_with("a profiler")) note = one.english();
  const std::string where = "a profiler ran in " + to_string(extraction.profiled) +
                            (arguments.empty() ? ": the script has --profile, " : ": the log tells ");
  EXPECT_EQ(note.empty(), extraction.profiled.empty());
  if (note.empty()) return "";
  EXPECT_TRUE(note.starts_with(where)) << note;
  return to_string(extraction.profiled) + "; " + note.substr(where.size());
}

std::string dump(const std::string& profile, const std::string& start, const std::string& end) {
  return "  profile .......... " + profile + "\n  profile_step_end ....... " + end +
         "\n  profile_step_start ....... " + start + "\n";
}

TEST(ProfilerArguments, TellOfAStepMoreOnEitherSide) {
  EXPECT_EQ(told(dump("True", "3", "5")), "steps 2-6; profile_step_start 3, profile_step_end 5");
  EXPECT_EQ(told(dump("True", "0", "1")), "steps 1, 2; profile_step_start 0, profile_step_end 1");
  EXPECT_EQ(told(dump("True", "7", "90")), "steps 6-8; profile_step_start 7, profile_step_end 90");
  EXPECT_EQ(told(dump("True", "10", "12")), "");  // behind the last step
}

TEST(ProfilerArguments, AreNothingWhereNoProfilerRuns) {
  for (const char* word : {"False", "None", "true", "Tr", ""})
    EXPECT_EQ(told(dump(word, "3", "5")), "") << word;
  EXPECT_EQ(told("  profile .......... True\n"), "");
  EXPECT_EQ(told("  rl_profile .......... True\n  profile_step_start ..... 3\n"), "");
  EXPECT_EQ(told("  profile_ranks ..... True\n  xprofile_step_start ..... 3\n"), "");
}

// What is not known is taken for the worst: from the first step told on to the end.
TEST(ProfilerArguments, InDoubtAreOfAllTheRest) {
  EXPECT_EQ(told(dump("True", "5", "5")), "steps 4-8; profile_step_start 5, profile_step_end 5");
  EXPECT_EQ(told(dump("True", "5", "3")), "steps 4-8; profile_step_start 5, profile_step_end 3");
  const std::string doubt = ", and other words of them, too";
  EXPECT_EQ(told(dump("True", "x", "3")), "steps 1-8; profile_step_start 0, profile_step_end 3" + doubt);
  EXPECT_EQ(told(dump("True", "5", "99999999999999999999")),
            "steps 4-8; profile_step_start 5, profile_step_end 0" + doubt);
  EXPECT_EQ(told(dump("True", "5", "6") + dump("True", "3", "6")),
            "steps 2-8; profile_step_start 3, profile_step_end 6" + doubt);
  EXPECT_EQ(told(dump("False", "5", "6") + dump("True", "5", "6")),
            "steps 4-7; profile_step_start 5, profile_step_end 6");
  EXPECT_EQ(told("  profile ..... True\n  profile_step_start ..... 4\n"),
            "steps 3-8; profile_step_start 4, profile_step_end not told");
  EXPECT_EQ(told(dump("True", "9223372036854775807", "9223372036854775807")), "");
  EXPECT_EQ(told(dump("True", "1", "9223372036854775807")),
            "steps 1-8; profile_step_start 1, profile_step_end 9223372036854775807");
}

TEST(ProfilerArguments, StandBehindPrefixesAndInOneLine) {
  EXPECT_EQ(told("0: [default0]:  profile .... True\n0: [default0]:  profile_step_end ... 5\n"
                 "0: [default0]:  profile_step_start ... 3\n"),
            "steps 2-6; profile_step_start 3, profile_step_end 5");
  EXPECT_EQ(told("  profile .... True  profile_step_end ... 5  profile_step_start ... 3\n"),
            "steps 2-6; profile_step_start 3, profile_step_end 5");
}

TEST(ProfilerArguments, CountFromTheCheckpointToo) {
  EXPECT_EQ(told(dump("True", "3", "4"), {51, 52, 53, 54, 55, 56, 57}),
            "steps 52-55; profile_step_start 3, profile_step_end 4");
  EXPECT_EQ(told(dump("True", "55", "56"), {51, 52, 53, 54, 55, 56, 57}),
            "steps 54-57; profile_step_start 55, profile_step_end 56");
  EXPECT_EQ(told(dump("True", "3", "60"), {51, 52, 53}),
            "steps 51-53, 52, 53; profile_step_start 3, profile_step_end 60");
  EXPECT_EQ(told(dump("True", "3", "4"), {10, 20, 30}),
            "steps 2-5; profile_step_start 3, profile_step_end 4");
}

// Without the arguments in the log the flags of the script count; where they are there, the log does.
TEST(ProfilerArguments, AreTheScriptsFlagsWhereTheLogPrintsNone) {
  const auto by_flags = [](const std::optional<std::string>& start, const std::optional<std::string>& end,
                           const std::string& arguments = "") {
    return told(arguments, {1, 2, 3, 4, 5, 6, 7, 8}, ProfilerFlags{start, end});
  };
  EXPECT_EQ(by_flags("3", "5"), "steps 2-6; profile_step_start 3, profile_step_end 5");
  EXPECT_EQ(by_flags("3", {}), "steps 2-8; profile_step_start 3, profile_step_end not told");
  EXPECT_EQ(by_flags({}, "5"), "steps 1-6; profile_step_start not told, profile_step_end 5");
  EXPECT_EQ(by_flags({}, {}), "steps 1-8; and no steps of it");
  EXPECT_EQ(by_flags("", "5"),
            "steps 1-8; profile_step_start 0, profile_step_end 5, and other words of them, too");
  EXPECT_EQ(by_flags("3", "5", dump("False", "3", "5")), "");
  EXPECT_EQ(by_flags("3", "5", dump("True", "6", "7")),
            "steps 5-8; profile_step_start 6, profile_step_end 7");
}

// A flag of that name may be another program's.
TEST(ProfilerArguments, NeedStepsInLogsThatAreNotMegatrons) {
  const auto profiled = [](const ProfilerFlags& flags) {
    Options options;
    options.profiler = flags;
    options.formats = {"none"};
    options.patterns = {{"lm_loss", "^(?P<step>\\d+) loss (?P<value>\\S+)$"}};
    Extractor extractor = *Extractor::make(std::move(options));
    extractor.feed("1 loss 1.5\n2 loss 1.5\n3 loss 1.5\n4 loss 1.5\n");
    return !extractor.finish().profiled.empty();
  };
  EXPECT_FALSE(profiled({}));
  EXPECT_TRUE(profiled({"2", "3"}));
}

// Wherever it is cut, and behind what was read ahead.
TEST(ProfilerArguments, AreFoundInALongLog) {
  Options options;
  options.scan_after = 16;
  const std::string text = std::string(300, 'x') + "\n" + dump("True", "3", "5") +
                           " iteration 4/ 9 | lm loss: 1.5 | number of nan iterations: 0 |\n";
  for (std::size_t cut = 0; cut < text.size(); cut += SANITIZED ? 61 : 7) {
    Extractor extractor = *Extractor::make(options);
    extractor.feed(text.substr(0, cut));
    extractor.feed(text.substr(cut));
    EXPECT_TRUE(extractor.is_profiled() || cut > 0);
    EXPECT_EQ(to_string(extractor.finish().profiled), "step 4") << cut;
  }
}

}  // namespace
}  // namespace gate::extract::profiler_arguments_test
