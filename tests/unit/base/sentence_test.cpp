#include "gate/base/sentence.h"

#include <gtest/gtest.h>

#include <vector>

namespace gate {
namespace {

constexpr Language zh = Language::chinese;

TEST(Sentences, AreSaidInBothLanguages) {
  const Sentence what = say({"{} of {} out of {}", "{1} 中有 {0} 个超出 {2}"}, 3, 15, "±0.01");
  EXPECT_EQ(what.english(), "3 of 15 out of ±0.01");
  EXPECT_EQ(what.in(Language::english), what.english());
  EXPECT_EQ(what.in(zh), "15 中有 3 个超出 ±0.01");
  const Sentence whole = say({"{}: {}", "{}：{}"}, "lm_loss", what);
  EXPECT_EQ(whole.english(), "lm_loss: 3 of 15 out of ±0.01");
  EXPECT_EQ(whole.in(zh), "lm_loss：15 中有 3 个超出 ±0.01");
}

// What others said may hold braces, and read as a sentence of gate's: it stays.
TEST(Sentences, TakeTextsAsTheyAre) {
  const std::string said = "no baseline {} {0}";
  const Sentence sentence = say({"cause: {}", "原因：{}"}, said);
  EXPECT_EQ(sentence.in(zh), "原因：" + said);
  EXPECT_EQ(Sentence(said).in(zh), said);
  EXPECT_EQ(as_is(said).in(zh), said);
  EXPECT_FALSE(as_is(said).is_said());
  EXPECT_TRUE(sentence.is_said());
}

TEST(Sentences, AreJoinedInBothLanguages) {
  const Sentence word = say({"hung", "卡死"});
  EXPECT_EQ(join(std::vector<Sentence>{word, {}, "x", word}, comma).in(zh), "卡死，x，卡死");
  EXPECT_EQ(join(std::vector<Sentence>{word, {}, "x", word}, comma).english(), "hung, x, hung");
  EXPECT_EQ((word + colon + as_is("x")).in(zh), "卡死：x");
  EXPECT_TRUE(join(std::vector<Sentence>{}, comma).empty());
}

TEST(Sentences, AreCounted) {
  EXPECT_EQ(count_of(1, "step", "步").english(), "1 step");
  EXPECT_EQ(count_of(2, "step", "步").english(), "2 steps");
  EXPECT_EQ(count_of(2, "step", "步").in(zh), "2 步");
}

TEST(Sentences, AreChangedInBothLanguages) {
  const Sentence changed = say({"a secret", "秘密 secret"}).with([](const std::string& text) {
    return text.substr(0, text.size() - 6) + "***";
  });
  EXPECT_EQ(changed.english(), "a ***");
  EXPECT_EQ(changed.in(zh), "秘密 ***");
}

TEST(Sentences, HolesAreTheSameInBothTexts) {
  EXPECT_EQ(holes_in("{} of {}"), holes_in("{1} 中的 {0}"));
  EXPECT_EQ(holes_in("{:.2f}"), holes_in("{0}"));
  EXPECT_NE(holes_in("{} of {}"), holes_in("{0}"));
  EXPECT_EQ(holes_in("{{}} {{0}}"), 0u);
}

}  // namespace
}  // namespace gate
