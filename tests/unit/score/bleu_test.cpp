#include <gmock/gmock.h>

#include "scoring.h"

namespace gate::score::bleu_test {
namespace {

using testing::HasSubstr;

TextOptions with(Tokenizer tokenizer = Tokenizer::t13a, Smoothing smoothing = Smoothing::exp,
                 std::optional<double> value = {}) {
  return {.metric = "bleu", .tokenizer = tokenizer, .smoothing = smoothing, .smooth_value = value};
}

TextOptions with_order(int order) {
  TextOptions options = with();
  options.max_order = order;
  return options;
}

TEST(Bleu, is_that_of_sacrebleu) {
  struct Row {
    TextOptions options;
    double one_file, two_files;
  };
  for (const Row& row : {
           Row{with(), 0.4714045207910318, 0.6666666666666669},
           Row{with(Tokenizer::t13a, Smoothing::floor), 0.4714045207910318, 0.6666666666666669},
           Row{with(Tokenizer::t13a, Smoothing::add_k), 0.5129497107827519, 0.6957894209284348},
           Row{with(Tokenizer::t13a, Smoothing::add_k, 2), 0.5463887965663883, 0.7190880961294098},
           Row{with(Tokenizer::none), 0.3965384287913188, 0.620616180307782},
           Row{with(Tokenizer::intl), 0.4714045207910318, 0.6666666666666669},
           Row{with(Tokenizer::character), 0.72803182860484, 0.8128402266494248},
           Row{with_order(1), 0.6666666666666669, 0.8333333333333335},
           Row{with_order(2), 0.5962847939999437, 0.8164965809277259},
           Row{with_order(16), 0, 0},
       }) {
    EXPECT_NEAR(value_of(row.options, said, {wanted}), row.one_file, 1e-11);
    EXPECT_NEAR(value_of(row.options, said, {wanted, also_wanted}), row.two_files, 1e-11);
  }
}

TEST(Bleu, of_chinese_needs_a_tokenizer_for_it) {
  EXPECT_NEAR(value_of(with(Tokenizer::zh), said_zh, {wanted_zh}), 0.8338719597502187, 1e-11);
  EXPECT_NEAR(value_of(with(Tokenizer::character), said_zh, {wanted_zh}), 0.8221688977620478, 1e-11);
  EXPECT_EQ(value_of(with(), said_zh, {wanted_zh}), 0);
}

TEST(Bleu, of_lines_shorter_than_the_order_depends_on_smoothing_and_effective_order) {
  struct Row {
    Smoothing smoothing;
    double plain, effective;
  };
  for (const Row& row :
       {Row{Smoothing::exp, 0, 0.5503212081491042}, Row{Smoothing::floor, 0, 0.32182979486854335},
        Row{Smoothing::add_k, 0.6865890479690394, 0.6865890479690394}, Row{Smoothing::none, 0, 0}}) {
    TextOptions options = with(Tokenizer::t13a, row.smoothing);
    EXPECT_NEAR(value_of(options, {"the cat sat"}, {{"the cat lay"}}), row.plain, 1e-11);
    options.effective_order = true;
    EXPECT_NEAR(value_of(options, {"the cat sat"}, {{"the cat lay"}}), row.effective, 1e-11);
  }
}

TEST(Bleu, can_be_blind_to_case) {
  TextOptions options = with();
  const Lines upper{"THE Model ANSWERS well ÄÖ Σας"}, lower{"the model answers well äö σας"};
  EXPECT_NEAR(value_of(options, upper, {lower}), 0.08116697886877475, 1e-11);
  options.lowercase = true;
  EXPECT_EQ(value_of(options, upper, {lower}), 1);
}

TEST(Bleu, takes_the_golden_length_that_is_nearest_and_of_two_the_shorter) {
  BleuCounts counts;
  counts.matching = {2}, counts.all = {2};
  counts.actual_length = 2, counts.golden_length = 4;
  EXPECT_NEAR(bleu(counts, with_order(1)), std::exp(-1), 1e-15);
  EXPECT_NEAR(value_of(with_order(1), {"a b"}, {{"a b c d"}}), std::exp(-1), 1e-15);
  EXPECT_NEAR(value_of(with_order(1), {"a b c"}, {{"a b c d"}, {"c d"}}), 1, 1e-15);
  EXPECT_NEAR(value_of(with_order(1), {"a b"}, {{"a b c d"}, {"x y z"}}), std::exp(-0.5), 1e-15);
  EXPECT_NEAR(value_of(with_order(1), {"a b c"}, {{"a b c d"}, {""}}), std::exp(-1.0 / 3), 1e-15);
}

TEST(Bleu, counts_an_ngram_as_often_as_the_golden_line_that_has_most_of_it) {
  EXPECT_NEAR(value_of(with_order(1), {"a a a a"}, {{"a a b b"}, {"a b b b"}}), 0.5, 1e-15);
}

TEST(Bleu, of_nothing_is_nothing) {
  const Score none = score_of(with(), {}, {{}});
  EXPECT_EQ(none.value, 0);
  EXPECT_EQ(none.compared, 0);
  EXPECT_FALSE(none.first);
  EXPECT_FALSE(none.worst);
  EXPECT_EQ(value_of(with(), {""}, {{""}}), 0);
  EXPECT_EQ(value_of(with(), {""}, {{"a"}}), 0);
}

TEST(Bleu, of_a_text_beside_itself_is_one) {
  const Score same = score_of(with(), said, {wanted, said});
  EXPECT_EQ(same.value, 1);
  EXPECT_EQ(same.compared, 3);
  EXPECT_EQ(same.differing, 0);
  EXPECT_FALSE(same.first);
  EXPECT_FALSE(same.worst);
}

TEST(Bleu, stays_right_behind_a_long_line) {
  std::string words, other;
  for (int i = 0; i < 5000; ++i)
    words += std::to_string(i) + " ", other += std::to_string(i) + (i % 2 ? "! " : "? ");
  Score both = score_of(with(), {words, said[0]}, {{other, wanted[0]}});
  EXPECT_EQ(both.worst->number, 1);
  EXPECT_NEAR(value_of(with_order(1), {words}, {{other}}), 1 * std::exp(-1), 1e-12);
  TextOptions effective = with();
  effective.effective_order = true;
  auto scorer = make_text_scorer(effective, 1);
  for (const std::string_view line : {std::string_view(words), said[0]}) (*scorer)->add(line, Lines{other});
  EXPECT_EQ((*scorer)->score().compared, 2);
}

TEST(Bleu, has_the_signature_of_sacrebleu) {
  EXPECT_EQ(score_of(with(), said, {wanted}).signature,
            "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0");
  TextOptions options = with(Tokenizer::zh, Smoothing::floor);
  options.lowercase = options.effective_order = true;
  EXPECT_EQ(score_of(options, said, {wanted, wanted}).signature,
            "nrefs:2|case:lc|eff:yes|tok:zh|smooth:floor[0.10]|version:2.6.0");
  EXPECT_EQ(score_of(with(Tokenizer::character, Smoothing::add_k), said, {wanted}).signature,
            "nrefs:1|case:mixed|eff:no|tok:char|smooth:add-k[1.00]|version:2.6.0");
  EXPECT_EQ(score_of(with(Tokenizer::none, Smoothing::none), {}, {{}}).signature,
            "nrefs:1|case:mixed|eff:no|tok:none|smooth:none|version:2.6.0");
  options = with(Tokenizer::none, Smoothing::floor, 0.001);
  options.max_order = 2;
  EXPECT_EQ(score_of(options, said, {wanted}).signature,
            "nrefs:1|case:mixed|eff:no|tok:none|smooth:floor[0.001]|order:2|version:2.6.0");
}

TEST(TextScorer, tells_the_first_line_that_differs_and_the_worst) {
  const Score score = score_of(with(), said, {wanted, also_wanted});
  EXPECT_EQ(score.compared, 3);
  EXPECT_EQ(score.differing, 3);
  EXPECT_EQ(score.first->number, 1);
  EXPECT_EQ(score.first->actual, said[0]);
  EXPECT_EQ(score.first->golden, wanted[0]);
  EXPECT_EQ(score.first->offset, 16);
  EXPECT_EQ(score.worst->number, 3);
  EXPECT_EQ(score.worst->value, 0);
  EXPECT_NEAR(*score_of(with(), said, {wanted}).first->value, 0.3799178428257963, 1e-11);
}

TEST(TextScorer, takes_a_line_for_the_same_that_is_one_of_the_golden_ones) {
  const Score score = score_of(with(), {"a", "x", "c"}, {{"a", "y", "z"}, {"b", "z", "c"}});
  EXPECT_EQ(score.differing, 1);
  EXPECT_EQ(score.first->number, 2);
  EXPECT_EQ(score.first->golden, "y");
}

TEST(TextScorer, shows_at_most_2000_bytes_of_a_line_and_no_part_of_a_character) {
  std::string line;
  for (int i = 0; i < 1000; ++i) line += "好";
  const Score score = score_of(with(), {line}, {{"x" + line}});
  EXPECT_EQ(score.first->actual.size(), 1998U);
  EXPECT_EQ(score.first->golden.size(), 1999U);
  EXPECT_EQ(score.first->offset, 0);
}

TEST(TextScorer, counts_code_points_before_the_first_difference) {
  EXPECT_EQ(score_of(with(), {"好x"}, {{"好y"}}).first->offset, 1);
  EXPECT_EQ(score_of(with(), {"好"}, {{"奼"}}).first->offset, 0);
  EXPECT_EQ(score_of(with(), {"ab"}, {{"ab "}}).first->offset, 2);
}

std::string refusal_of(const TextOptions& options, std::size_t golden_files = 1) {
  const auto scorer = make_text_scorer(options, golden_files);
  return scorer ? "" : scorer.error().message;
}

TEST(TextScorer, refuses_what_it_cannot_do) {
  EXPECT_EQ(
      refusal_of({.metric = "bleuu"}),
      "`bleuu` is no metric of text: those are bleu, chrf, chrf++, ter, rouge1, rouge2, rougeL, rougeLsum, "
      "exact_match, edit_similarity, cer, wer, first_divergence; did you mean \"bleu\"?");
  EXPECT_THAT(refusal_of({.metric = "rmse"}), HasSubstr("`rmse` is no metric of text"));
  EXPECT_EQ(refusal_of(with(), 0), "bleu: there is no golden text; name at least one golden file");
  TextOptions of_two = with();
  of_two.references = 2;
  EXPECT_EQ(refusal_of(of_two, 2), "");
  EXPECT_EQ(refusal_of(of_two, 1), "bleu: nrefs:2 and 1 golden file");
}

TEST(TextScorer, is_there_for_every_metric_of_text) {
  for (const MetricRow& row : metrics()) {
    TextOptions options{.metric = std::string(row.name)};
    if (row.name == "bleu") options.tokenizer = Tokenizer::t13a;
    EXPECT_EQ(make_text_scorer(options, 1).has_value(), row.input == Input::text) << row.name;
    EXPECT_EQ(find_metric(row.name), &row);
  }
  EXPECT_EQ(find_metric("Bleu"), nullptr);
}

}  // namespace
}  // namespace gate::score::bleu_test
