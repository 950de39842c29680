#include "extract/scan/line_shapes.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace gate::extract::line_shapes_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> notes_of(const std::vector<std::string>& lines) {
  LineShapes shapes;
  for (const std::string& line : lines) shapes.add(line);
  return texts_of(shapes.notes("a log"), &Sentence::english);
}

TEST(LineShapes, FoldNumbersAndBlanks) {
  EXPECT_EQ(fold_numbers("step 10:   loss=2.5e-05 \tlr nan"), "step N: loss=N lr N");
  EXPECT_EQ(fold_numbers("a banana of information"), "a banana of information");
}

TEST(LineShapes, TellOfLinesWithNumbersWhereThereAreSuch) {
  EXPECT_THAT(notes_of({"hello", "hello", "took 3 s"}), ElementsAre("1 line like: took 3 s"));
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
  EXPECT_THAT(notes[5], HasSubstr("gate init 'a log'"));
}

TEST(LineShapes, SayAtLeastWhereTheyForgot) {
  LineShapes shapes;
  const std::string letters = "abcdefghijklmnopqrstuvwxyz";
  for (int i = 0; i < 5; ++i) shapes.add("step 1 loss 2.5");
  for (const char a : letters)
    for (const char b : letters) shapes.add(std::string{a, b} + " 1");
  const std::vector<std::string> notes = texts_of(shapes.notes("log"), &Sentence::english);
  EXPECT_THAT(notes, Contains(HasSubstr("of 681 lines with numbers")));
  EXPECT_THAT(notes, Contains(HasSubstr("it reads at least ")));
}

TEST(LineShapes, AskForReportsWhereNoStepIsPrinted) {
  const std::vector<std::string> notes = notes_of({"loss 2.5", "loss 2.25"});
  EXPECT_THAT(notes.at(1), HasSubstr("''' numbered = \"report\""));
  EXPECT_THAT(notes, Not(Contains(HasSubstr("gate extract"))));
}

// --- lines that nothing reads ---

constexpr ReaderMask first_format = 1, second_format = 2;

// Return `COUNT EXAMPLE`, of a loss with `loss: ` before it.
std::vector<std::string> unread(const LineShapes& shapes, ReaderMask meant = 0) {
  std::vector<std::string> all;
  for (const UnreadLines& one : shapes.unread(meant))
    all.push_back((one.tells_loss ? "loss: " : "") + std::to_string(one.lines) + " " + one.example);
  return all;
}

// Return what is unread of five lines, in each of which `#` is another digit.
std::vector<std::string> unread_of(const std::string& line) {
  LineShapes shapes;
  for (char digit = '1'; digit <= '5'; ++digit) {
    std::string own = line;
    std::ranges::replace(own, '#', digit);
    shapes.add(own);
  }
  return unread(shapes);
}

TEST(UnreadLines, AreFiveOfOneShapeWithANameAndANumber) {
  EXPECT_THAT(unread_of("[Step #/100] Loss: 2.#1"), ElementsAre("loss: 5 [Step 1/100] Loss: 2.11"));
  EXPECT_THAT(unread_of("val ppl 12.#"), ElementsAre("5 val ppl 12.1"));
  LineShapes four;
  for (const char* line : {"val ppl 12.1", "val ppl 12.2", "val ppl 12.3", "val ppl 12.4"}) four.add(line);
  EXPECT_THAT(unread(four), IsEmpty());
}

TEST(UnreadLines, HaveHolesForNumbersTimesPathsQuotesAndLevels) {
  LineShapes shapes;
  shapes.add("2026-11-27 12:00:01,123 INFO '/a/b.pt' saved in /out/1 dice 0.51");
  shapes.add("2026-11-28 12:00:01,123 WARNING 'c.pt' saved in ./x/yy/2 dice nan");
  shapes.add("2026-11-28 12:00:01 ERROR \"some other thing\" saved in /z/z dice -1.5e-05");
  shapes.add("2026-11-28 12:00:01 DEBUG 'x'  saved in /a/b dice\t+inf");
  shapes.add("2026-11-28 12:00 INFO 'x' saved in /a/b dice 1,234.5");
  EXPECT_THAT(unread(shapes),
              ElementsAre("5 2026-11-27 12:00:01,123 INFO '/a/b.pt' saved in /out/1 dice 0.51"));
}

TEST(UnreadLines, AreNoneOfCountersUnitsAndWordsAlone) {
  for (const std::string line :
       {"saving checkpoint at iteration #00", "epoch #", "eta 0:#1:00", "rank # is up", "#.2it/s", "hello #",
        "step 10 of 4#", "  File \"a.py\", line #2, in f", "#2 files"})
    EXPECT_THAT(unread_of(line), IsEmpty()) << line;
}

TEST(UnreadLines, TellALossByItsNameAlone) {
  const auto tells = [](const std::string& line) { return unread_of(line).at(0).starts_with("loss: "); };
  for (const std::string line :
       {"loss #.1", "train_loss=#.1", "actor loss: #.1", "{'aux_loss': #.5, 'a': 1.5}", "Loss/train #.1",
        "trainLoss: #.1", "loss_lm: #.1", "losses: #.1", "loss1: #.1", "loss: tensor(#.1, device='cuda:0')",
        "step 3 loss=np.float32(#.1)", "loss tensor([#.1])", "loss: [#.1]", "| loss | #.1 | 3 |"})
    EXPECT_TRUE(tells(line)) << line;
  for (const std::string line :
       {"loss scale: #.1", "loss_mask #.1", "loss weight #.5", "aux loss coefficient #.5", "lossless #.1",
        "acc #.1", "Loss/scale #.1", "dice #.1", "lossy_time #.1"})
    EXPECT_FALSE(tells(line)) << line;
}

TEST(UnreadLines, AreThoseThatNoFormatWhichIsMeantTook) {
  LineShapes shapes;
  for (int i = 0; i < 5; ++i) {
    shapes.add("ppl 1.5", first_format);
    shapes.add("loss 1.5", second_format);
    shapes.add("acc 1.5");
    shapes.add("acc 1.5");
  }
  EXPECT_THAT(unread(shapes, first_format), ElementsAre("loss: 5 loss 1.5", "10 acc 1.5"));
  EXPECT_THAT(unread(shapes, second_format), ElementsAre("10 acc 1.5", "5 ppl 1.5"));
  EXPECT_THAT(unread(shapes, first_format | second_format), ElementsAre("10 acc 1.5"));
}

TEST(UnreadLines, OfOneShapeThatAFormatTookSometimesAreTheOthers) {
  LineShapes shapes;
  for (int i = 0; i < 5; ++i) {
    shapes.add("loss 1.5", first_format);
    shapes.add("loss nan");
  }
  EXPECT_THAT(unread(shapes, first_format), ElementsAre("loss: 5 loss nan"));
}

}  // namespace
}  // namespace gate::extract::line_shapes_test
