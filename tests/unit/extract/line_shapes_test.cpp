#include "extract/scan/line_shapes.h"

#include <gmock/gmock.h>

namespace gate::extract::line_shapes_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> notes_of(const std::vector<std::string>& lines) {
  LineShapes shapes;
  for (const std::string& line : lines) shapes.add(line);
  return shapes.notes("a log");
}

TEST(LineShapes, FoldNumbersAndBlanks) {
  EXPECT_EQ(fold_numbers("step 10:   loss=2.5e-05 \tlr nan"), "step N: loss=N lr N");
  EXPECT_EQ(fold_numbers("a banana of information"), "a banana of information");
}

TEST(LineShapes, TellOfLinesWithNumbersWhereThereAreSuch) {
  EXPECT_THAT(notes_of({"hello", "hello", "took 3 s"}), ElementsAre("1 line like: took N s"));
  EXPECT_THAT(notes_of({"hello", "hello", "there"}),
              ElementsAre("2 lines like: hello", "1 line like: there"));
}

TEST(LineShapes, LeaveOutWhatLaunchersPutBefore) {
  EXPECT_THAT(notes_of({"0: [default0]: loss 2.5 at 1", "1: [default1]: loss 2.5 at 1"}),
              Contains("2 lines like: loss N at N"));
  EXPECT_THAT(notes_of({"loss: 2.5", "loss: 3.5"}), Contains("2 lines like: loss: N"));
}

TEST(LineShapes, SayHowManyLinesThePatternReads) {
  const std::vector<std::string> notes =
      notes_of({"step 1 loss 2.5", "step 2 loss nan", "step 3 loss broken", "eta 5 s"});
  ASSERT_EQ(notes.size(), 6);
  EXPECT_THAT(notes[3], HasSubstr("a pattern to start from, in gate.toml: [metrics.lm_loss] "));
  EXPECT_THAT(notes[4], HasSubstr("it reads 2 of 4 lines with numbers: gate extract --pattern '"));
  EXPECT_THAT(notes[4], HasSubstr("' 'a log'"));
  EXPECT_THAT(notes[5], HasSubstr("gate init --from 'a log'"));
}

TEST(LineShapes, SayAtLeastWhereTheyForgot) {
  LineShapes shapes;
  const std::string letters = "abcdefghijklmnopqrstuvwxyz";
  for (int i = 0; i < 5; ++i) shapes.add("step 1 loss 2.5");
  for (const char a : letters)
    for (const char b : letters) shapes.add(std::string{a, b} + " 1");
  const std::vector<std::string> notes = shapes.notes("log");
  EXPECT_THAT(notes, Contains(HasSubstr("of 681 lines with numbers")));
  EXPECT_THAT(notes, Contains(HasSubstr("it reads at least ")));
}

TEST(LineShapes, AskForReportsWhereNoStepIsPrinted) {
  const std::vector<std::string> notes = notes_of({"loss 2.5", "loss 2.25"});
  EXPECT_THAT(notes.at(1), HasSubstr("''' numbered = \"report\""));
  EXPECT_THAT(notes, Not(Contains(HasSubstr("gate extract"))));
}

}  // namespace
}  // namespace gate::extract::line_shapes_test
