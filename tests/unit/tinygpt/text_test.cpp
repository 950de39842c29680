#include "trainer/text.h"

#include <gtest/gtest.h>

#include <string>

#include "trainer/parameters.h"

namespace tinygpt::text_test {
namespace {

std::string words_of(const std::vector<Token>& tokens) {
  std::string words;
  for (const Token token : tokens) words += Text::kAlphabet[token];
  return words;
}

TEST(Text, IsTheSeedsAlone) {
  EXPECT_EQ(Text(1).characters(), Text(1).characters());
  EXPECT_NE(Text(1).characters(), Text(2).characters());
}

TEST(Text, UsesTheAlphabetAndTheModelKnowsIt) {
  EXPECT_EQ(Text(1).characters().find_first_not_of(Text::kAlphabet), std::string_view::npos);
  EXPECT_LE(Text::kAlphabet.size(), ModelShape{}.vocabulary);
}

// Pinned: another text under the same seed would be another baseline.
TEST(Text, BeginsAsItAlwaysDid) {
  EXPECT_EQ(Text(1234).characters().substr(0, 40), "the von dobusos the tasun.\nthe nal mumun");
}

TEST(Text, TargetsAreTheNextCharacters) {
  const Text text(1);
  const Batch batch = text.training(0, 3, 20);
  ASSERT_EQ(batch.inputs.size(), 60u);
  for (std::size_t s = 0; s < 60; s += 20)
    for (std::size_t i = s; i + 1 < s + 20; ++i) EXPECT_EQ(batch.targets[i], batch.inputs[i + 1]);
  EXPECT_NE(text.characters().find(words_of(batch.inputs).substr(20, 20)), std::string_view::npos);
}

TEST(Text, SequencesHaveNumbersWhoeverAsks) {
  const Text text(1);
  const Batch all = text.training(8, 4, 16);
  Batch shares = text.training(8, 2, 16);
  const Batch rest = text.training(10, 2, 16);
  shares.inputs.insert(shares.inputs.end(), rest.inputs.begin(), rest.inputs.end());
  EXPECT_EQ(all.inputs, shares.inputs);
  EXPECT_NE(text.training(0, 4, 16).inputs, all.inputs);
}

// In a text of 256 characters 224 train and 32 are held out; windows of 16 + 1 stay on their side.
TEST(Text, HoldsTheLastEighthOut) {
  const Text text(3, 256);
  EXPECT_EQ(text.held_out_from(), 224u);
  const std::string training(text.characters().substr(0, 224)), held_out(text.characters().substr(224));
  for (std::size_t i = 0; i < 500; ++i) {
    const Batch t = text.training(i, 1, 16), h = text.held_out(i, 1, 16);
    EXPECT_NE(training.find(words_of(t.inputs) + words_of({t.targets.back()})), std::string::npos);
    EXPECT_NE(held_out.find(words_of(h.inputs) + words_of({h.targets.back()})), std::string::npos);
  }
}

}  // namespace
}  // namespace tinygpt::text_test
