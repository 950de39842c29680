#include <gmock/gmock.h>

#include "scoring.h"

namespace gate::score::signature_test {
namespace {

using testing::HasSubstr;

std::string refusal_of(std::string_view signature) {
  const auto read = read_signature(signature);
  return read ? "" : read.error().message;
}

TEST(Signature, says_how_a_metric_is_computed) {
  const auto bleu = read_signature("bleu|tok:zh|smooth:floor[0.1]|case:lc|eff:yes|order:2");
  ASSERT_TRUE(bleu) << bleu.error().message;
  EXPECT_EQ(bleu->metric, "bleu");
  EXPECT_EQ(bleu->tokenizer, Tokenizer::zh);
  EXPECT_EQ(bleu->smoothing, Smoothing::floor);
  EXPECT_EQ(bleu->smooth_value, 0.1);
  EXPECT_TRUE(bleu->lowercase && bleu->effective_order);
  EXPECT_EQ(bleu->max_order, 2);
  const auto chrf = read_signature(" chrf | nc:4 | nw:2 | beta:3 ");
  ASSERT_TRUE(chrf) << chrf.error().message;
  EXPECT_EQ(chrf->metric, "chrf");
  EXPECT_EQ(chrf->char_order, 4);
  EXPECT_EQ(chrf->word_order, 2);
  EXPECT_EQ(chrf->beta, 3);
}

TEST(Signature, of_a_name_alone_is_the_default) {
  const auto read = read_signature("rmse");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->metric, "rmse");
  EXPECT_EQ(read->tokenizer, Tokenizer::automatic);
  EXPECT_EQ(read->references, 0);
}

// What is printed gives the same score, and is printed again.
TEST(Signature, that_is_printed_is_one) {
  for (const char* text : {"bleu|tok:13a", "bleu|tok:intl|smooth:add-k[2]|case:lc",
                           "bleu|tok:char|smooth:floor[0.001]|eff:yes|order:3", "bleu|tok:none|smooth:none",
                           "chrf", "chrf|nc:3|nw:1|beta:5|case:lc", "chrf++", "chrf++|nw:3", "ter", "rouge1",
                           "rouge2|tok:zh", "rougeL|tok:rouge", "rougeLsum|tok:char", "exact_match|case:lc",
                           "edit_similarity", "cer|case:lc", "wer", "wer|tok:13a", "first_divergence"}) {
    const auto options = read_signature(text);
    ASSERT_TRUE(options) << options.error().message;
    const Score score = score_of(*options, said, {wanted, also_wanted});
    const auto again = read_signature(options->metric + "|" + score.signature);
    ASSERT_TRUE(again) << again.error().message;
    const Score second = score_of(*again, said, {wanted, also_wanted});
    EXPECT_EQ(second.signature, score.signature) << text;
    EXPECT_EQ(second.value, score.value) << text;
  }
}

TEST(Signature, with_what_is_no_word_of_the_metric_is_refused) {
  EXPECT_EQ(refusal_of("bleu|nc:6"),
            "bleu has no word \"nc\"; its words are case, eff, tok, smooth, order, nrefs, version");
  EXPECT_EQ(refusal_of("rmse|tok:zh"), "rmse has no word \"tok\"; it has none");
  EXPECT_EQ(refusal_of("first_divergence|case:lc"),
            "first_divergence has no word \"case\"; its words are unit, nrefs");
  EXPECT_THAT(refusal_of("bleu|"), HasSubstr("bleu has no word \"\""));
  EXPECT_EQ(refusal_of("bleu|tok:zh|tok:13a"), "bleu has the word tok twice");
  EXPECT_EQ(refusal_of("bleu|tok:14a"), "\"14a\" is no tok of bleu: that is 13a, intl, zh, char or none");
}

TEST(Signature, with_a_value_that_is_none_is_refused) {
  for (const char* bad : {"bleu|tok",
                          "bleu|tok:",
                          "bleu|tok:auto",
                          "bleu|smooth:floor[",
                          "bleu|smooth:floor[]",
                          "bleu|smooth:floor[-1]",
                          "bleu|smooth:floor[nan]",
                          "bleu|smooth:exp[1]",
                          "bleu|smooth:add-k[1",
                          "bleu|order:0",
                          "bleu|order:17",
                          "bleu|order:4.5",
                          "bleu|case:LC",
                          "bleu|eff:true",
                          "bleu|nrefs:0",
                          "bleu|nrefs:var",
                          "bleu|version",
                          "chrf|nc:0",
                          "chrf|nw:-1",
                          "chrf++|nw:0",
                          "chrf|beta:1001",
                          "chrf|eff:no",
                          "chrf|space:yes",
                          "ter|case:mixed",
                          "ter|tok:zh",
                          "rougeL|tok:13a",
                          "wer|unit:char",
                          "bleu|nrefs:99999999999999999999"})
    EXPECT_THAT(refusal_of(bad), HasSubstr("\" is no ")) << bad;
}

}  // namespace
}  // namespace gate::score::signature_test
