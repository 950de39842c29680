#include <gmock/gmock.h>

#include <random>

#include "score/chrf.h"
#include "score/edit_distance.h"
#include "scoring.h"

namespace gate::score::text_metrics_test {
namespace {

TextOptions named(const char* metric, Tokenizer tokenizer = Tokenizer::automatic, bool lowercase = false) {
  return {.metric = metric, .tokenizer = tokenizer, .lowercase = lowercase};
}

TextOptions chrf_with(int char_order, int word_order, int beta, bool lowercase = false) {
  return {.metric = "chrf",
          .lowercase = lowercase,
          .char_order = char_order,
          .word_order = word_order,
          .beta = beta};
}

TEST(Chrf, is_that_of_sacrebleu) {
  EXPECT_NEAR(value_of(chrf_with(6, 0, 2), said, {wanted}), 0.6907718351654278, 1e-12);
  EXPECT_NEAR(value_of(chrf_with(6, 2, 2), said, {wanted}), 0.6680788763740709, 1e-12);
  EXPECT_NEAR(value_of(chrf_with(6, 1, 1), said, {wanted, also_wanted}), 0.6873282396656049, 1e-12);
  EXPECT_NEAR(value_of(chrf_with(2, 0, 2, true), said, {wanted}), 0.8215579710144927, 1e-12);
  EXPECT_NEAR(value_of(named("chrf"), said_zh, {wanted_zh}), 0.7960078195251935, 1e-12);
  EXPECT_EQ(value_of(named("chrf++"), said, {wanted}), value_of(chrf_with(6, 2, 2), said, {wanted}));
}

TEST(Chrf, passes_over_blanks_and_orders_that_a_side_has_not) {
  EXPECT_EQ(value_of(named("chrf"), {"a b c"}, {{"abc"}}), 1);
  EXPECT_EQ(value_of(named("chrf"), {"a"}, {{"a"}}), 1);
  EXPECT_EQ(value_of(named("chrf"), {""}, {{""}}), 0);
  EXPECT_EQ(value_of(named("chrf"), {"a", "b"}, {{"a", "c"}}), 0.5);
  EXPECT_NEAR(value_of(chrf_with(6, 0, 3), {"aa"}, {{"ab"}}), 0.25, 1e-12);
}

TEST(Chrf, of_an_empty_line_is_that_beside_the_first_golden_one) {
  EXPECT_LT(value_of(named("chrf"), {"abc", ""}, {{"abc", "xyz"}, {"abc", ""}}), 1 + 1e-12);
  EXPECT_EQ(value_of(named("chrf"), {"abc", ""}, {{"abc", "xyz"}, {"abc", ""}}),
            value_of(named("chrf"), {"abc", ""}, {{"abc", "xyz"}}));
}

TEST(Chrf, splits_punctuation_from_one_end_of_a_word) {
  EXPECT_EQ(value_of(chrf_with(1, 1, 2), {"hi)"}, {{"hi )"}}), 1);
  EXPECT_EQ(value_of(chrf_with(1, 1, 2), {"(hi"}, {{"( hi"}}), 1);
  EXPECT_LT(value_of(chrf_with(1, 1, 2), {"(hi)"}, {{"(hi )"}}), 1);
  EXPECT_LT(value_of(chrf_with(1, 1, 2), {"hi。"}, {{"hi 。"}}), 1);
}

TEST(Chrf, can_be_the_mean_of_all_orders) {
  ChrfCounts counts;
  ChrfCounter(chrf_with(6, 0, 3)).count("aa", "ab", counts);
  EXPECT_NEAR(chrf(counts, 3, true), 0.08333333333333343, 1e-12);
  ChrfCounter(chrf_with(6, 0, 3)).count("a b c", "a b c", counts);
  EXPECT_NEAR(chrf(counts, 3, true), 0.5, 1e-12);
}

TEST(Chrf, has_the_signature_of_sacrebleu) {
  EXPECT_EQ(score_of(named("chrf"), said, {wanted}).signature,
            "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0");
  EXPECT_EQ(score_of(named("chrf++", Tokenizer::none, true), said, {wanted, wanted}).signature,
            "nrefs:2|case:lc|eff:yes|nc:6|nw:2|space:no|version:2.6.0");
}

TEST(Ter, is_that_of_sacrebleu) {
  EXPECT_EQ(value_of(named("ter"), said, {wanted}), 0.375);
  EXPECT_NEAR(value_of(named("ter"), said, {wanted, also_wanted}), 0.3870967741935484, 1e-12);
  EXPECT_EQ(value_of(named("ter"), {"d e f g h a b c"}, {{"a b c d e f g h"}}), 0.125);
  EXPECT_NEAR(value_of(named("ter"), {"a b c d"}, {{"a b c d e f g"}}), 3.0 / 7, 1e-12);
  EXPECT_NEAR(value_of(named("ter"), {"B a c"}, {{"a b C"}}), 1.0 / 3, 1e-12);
  EXPECT_NEAR(value_of(named("ter"), {"c d a b e f"}, {{"a b c d x e f"}}), 2.0 / 7, 1e-12);
  EXPECT_EQ(value_of(named("ter"), {"a b c"}, {{""}}), 1);
  EXPECT_EQ(value_of(named("ter"), {""}, {{"a"}}), 1);
  EXPECT_EQ(value_of(named("ter"), {""}, {{""}}), 0);
  EXPECT_EQ(value_of(named("ter"), {"a b c d e"}, {{"x"}}), 5);
}

std::string words_from(int first, int end) {
  std::string words;
  for (int i = first; i < end; ++i) words += std::to_string(i) + " ";
  return words;
}

// Return the edits of the words 0, 1, 2, ... of which so many from the fifth on stand that much farther on.
double edits_of_moved(int count, int length, int distance) {
  const std::string moved = words_from(0, 5) + words_from(5 + length, 5 + length + distance) +
                            words_from(5, 5 + length) + words_from(5 + length + distance, count);
  return count * value_of(named("ter"), {moved}, {{words_from(0, count)}});
}

TEST(Ter, moves_and_compares_within_the_limits_of_sacrebleu) {
  EXPECT_NEAR(edits_of_moved(80, 3, 40), 1, 1e-12);
  EXPECT_NEAR(edits_of_moved(80, 3, 60), 6, 1e-12);
  EXPECT_NEAR(edits_of_moved(60, 10, 30), 1, 1e-12);
  EXPECT_NEAR(edits_of_moved(60, 12, 30), 2, 1e-12);
  EXPECT_EQ(value_of(named("ter"), {words_from(70, 100) + words_from(0, 70)}, {{words_from(0, 100)}}), 1);
  EXPECT_NEAR(value_of(named("ter"), {words_from(40, 100)}, {{words_from(0, 100)}}), 0.54, 1e-12);
}

// Words that a generator makes up, and the same with some moved, replaced or left out.
class MadeUpWords {
 public:
  std::pair<std::string, std::string> pair(std::uint32_t round) {
    const std::uint32_t kinds = 3 + round;
    std::vector<std::uint32_t> words(20 + 4 * round);
    for (std::uint32_t& word : words) word = next() % kinds;
    std::vector<std::uint32_t> golden = words;
    for (std::uint32_t moves = 2 + round % 4; moves > 0; --moves) move(golden);
    for (std::uint32_t& word : golden)
      if (next() % 9 == 0) word = next() % kinds;
    if (round % 5 == 4) golden.erase(golden.begin(), golden.begin() + std::ssize(golden) / 2);
    return {text_of(words), text_of(golden)};
  }

 private:
  std::uint32_t next() { return (state_ = (state_ * 1103515245 + 12345) & 0x7FFFFFFF) >> 16; }

  void move(std::vector<std::uint32_t>& words) {
    const auto from = words.begin() + next() % words.size();
    const auto to = from + std::min<std::ptrdiff_t>(1 + next() % 6, words.end() - from);
    const std::vector<std::uint32_t> moved(from, to);
    words.erase(from, to);
    words.insert(words.begin() + next() % (words.size() + 1), moved.begin(), moved.end());
  }

  static std::string text_of(const std::vector<std::uint32_t>& words) {
    std::string text;
    for (const std::uint32_t word : words) text += std::to_string(word) + " ";
    return text;
  }

  std::uint32_t state_ = 1;
};

TEST(Ter, chooses_among_moves_as_sacrebleu_does) {
  MadeUpWords words;
  auto scorer = make_text_scorer(named("ter"), 1);
  for (std::uint32_t round = 0; round < 24; ++round) {
    const auto [actual, golden] = words.pair(round);
    (*scorer)->add(actual, Lines{golden});
  }
  EXPECT_NEAR((*scorer)->score().value, 396.0 / 1452, 1e-12);
}

TEST(Ter, has_the_signature_of_sacrebleu) {
  EXPECT_EQ(score_of(named("ter"), said, {wanted}).signature,
            "nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0");
}

std::string numbered_words(int count, int step) {
  std::string words;
  for (int i = 0; i < count; ++i) words += std::to_string(i * step % count) + " ";
  return words;
}

TEST(Ter, of_very_long_lines_moves_nothing_and_says_so) {
  const Score score =
      score_of(named("ter"), {"10000 " + numbered_words(10'000, 1)}, {{numbered_words(10'000, 1) + "10000"}});
  EXPECT_NEAR(score.value, 2.0 / 10'001, 1e-12);
  EXPECT_THAT(score.signature, testing::EndsWith("|version:2.6.0|unshifted:1"));
  EXPECT_NEAR(value_of(named("ter"), {"40 " + numbered_words(40, 1)}, {{numbered_words(40, 1) + "40"}}),
              1.0 / 41, 1e-12);
}

TEST(Rouge, is_that_of_rouge_score) {
  EXPECT_NEAR(value_of(named("rouge1"), said, {wanted}), 0.5694444444444445, 1e-12);
  EXPECT_NEAR(value_of(named("rouge1"), said, {wanted, also_wanted}), 0.5773809523809524, 1e-12);
  EXPECT_NEAR(value_of(named("rouge2"), said, {wanted}), 0.4380952380952381, 1e-12);
  EXPECT_NEAR(value_of(named("rougeL"), said, {wanted}), 0.5694444444444445, 1e-12);
  EXPECT_NEAR(value_of(named("rougeLsum"), said, {wanted}), 0.5694444444444445, 1e-12);
  EXPECT_NEAR(value_of(named("rougeLsum"), {"w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5"}, {{"w1 w2 w3 w4 w5"}}),
              8.0 / 15, 1e-12);
  EXPECT_NEAR(value_of(named("rougeLsum"), {"d\na d"}, {{"d a\nc"}}), 1.0 / 3, 1e-12);
  EXPECT_NEAR(value_of(named("rougeL"), {"testing two"}, {{"testing one two"}}), 0.8, 1e-12);
  EXPECT_EQ(value_of(named("rougeL"), {""}, {{"testing one two"}}), 0);
  EXPECT_EQ(value_of(named("rouge1"), {"\u212A-A"}, {{"k a"}}), 1);
}

TEST(Rouge, reads_chinese_by_a_tokenizer_for_it) {
  EXPECT_NEAR(value_of(named("rougeL", Tokenizer::zh), said_zh, {wanted_zh}), 0.9142857142857143, 1e-12);
  EXPECT_NEAR(value_of(named("rouge2", Tokenizer::character), said_zh, {wanted_zh}), 0.8571428571428572,
              1e-12);
}

TEST(Rouge, leaves_lines_out_of_which_neither_side_has_a_part) {
  EXPECT_EQ(value_of(named("rouge1"), {"a b", "", "!"}, {{"a b", "", "?"}}), 1);
  EXPECT_EQ(value_of(named("rouge2"), {"a b", "a"}, {{"a b", "a"}}), 1);
  EXPECT_EQ(value_of(named("rouge2"), {"a b", "a b"}, {{"a b", "a"}}), 0.5);
  EXPECT_EQ(value_of(named("rouge1"), {""}, {{""}}), 0);
  const Score score = score_of(named("rouge1"), {"!"}, {{"?"}});
  EXPECT_EQ(score.value, 0);
  EXPECT_EQ(score.worst->number, 1);
  EXPECT_FALSE(score.worst->value);
}

TEST(Rouge, has_a_signature_that_tells_of_lines_it_cannot_read) {
  EXPECT_EQ(score_of(named("rougeL"), said, {wanted}).signature, "nrefs:1|case:lc|tok:rouge|stem:no");
  EXPECT_EQ(score_of(named("rougeL", Tokenizer::zh), said, {wanted}).signature,
            "nrefs:1|case:lc|tok:zh|stem:no");
  EXPECT_EQ(score_of(named("rouge1"), {"好", "", "a"}, {{"好", "", "a"}}).signature,
            "nrefs:1|case:lc|tok:rouge|stem:no|unreadable:1");
}

TEST(Edits, are_counted_in_characters_or_words) {
  EXPECT_NEAR(value_of(named("edit_similarity"), said, {wanted}), 0.7163690476190476, 1e-12);
  EXPECT_NEAR(value_of(named("edit_similarity"), said_zh, {wanted_zh}), 0.9230769230769231, 1e-12);
  EXPECT_NEAR(value_of(named("cer"), said, {wanted}), 0.2235294117647059, 1e-12);
  EXPECT_NEAR(value_of(named("cer"), said_zh, {wanted_zh}), 0.07692307692307693, 1e-12);
  EXPECT_NEAR(value_of(named("wer"), said, {wanted, also_wanted}), 0.375, 1e-12);
  EXPECT_EQ(value_of(named("wer"), said_zh, {wanted_zh}), 1);
  EXPECT_NEAR(value_of(named("wer", Tokenizer::zh), said_zh, {wanted_zh}), 1.0 / 9, 1e-12);
  EXPECT_EQ(value_of(named("cer"), {"abcd"}, {{"a"}}), 3);
  EXPECT_EQ(value_of(named("cer"), {"a"}, {{""}}), 1);
  EXPECT_EQ(value_of(named("cer"), {""}, {{""}}), 0);
  EXPECT_EQ(value_of(named("edit_similarity"), {""}, {{""}}), 1);
  EXPECT_EQ(value_of(named("cer", Tokenizer::none, true), {"ÄB"}, {{"äb"}}), 0);
}

TEST(Edits, have_signatures) {
  EXPECT_EQ(score_of(named("cer"), said, {wanted}).signature, "nrefs:1|case:mixed|unit:char");
  EXPECT_EQ(score_of(named("wer", Tokenizer::zh, true), said, {wanted}).signature,
            "nrefs:1|case:lc|unit:word|tok:zh");
}

TEST(Edits, of_two_golden_lines_are_those_of_the_nearer_one) {
  EXPECT_EQ(value_of(named("cer"), {"abc"}, {{"xyz"}, {"abd"}}), 1.0 / 3);
  EXPECT_EQ(value_of(named("wer"), {"a b c", "a b"}, {{"a x y z", "a b"}, {"a b", "c d"}}), 1.0 / 4);
}

TEST(Edits, the_worst_line_is_the_one_with_the_highest_rate) {
  const Score score = score_of(named("cer"), {"ab", "cd", "ef"}, {{"ax", "yz", "ef"}});
  EXPECT_EQ(score.first->number, 1);
  EXPECT_EQ(score.worst->number, 2);
  EXPECT_EQ(score.worst->value, 1);
}

TEST(Edits, of_lines_that_are_as_bad_the_first_is_the_worst) {
  EXPECT_EQ(score_of(named("cer"), {"a", "b"}, {{"x", "y"}}).worst->number, 1);
  EXPECT_EQ(score_of(named("edit_similarity"), {"a", "b"}, {{"x", "y"}}).worst->number, 1);
}

TEST(ExactMatch, is_the_share_of_lines_that_are_golden) {
  EXPECT_EQ(
      value_of(named("exact_match"), {"a", "b", "c", "d "}, {{"a", "x", "y", "d"}, {"z", "b", "z", "z"}}),
      0.5);
  EXPECT_EQ(value_of(named("exact_match", Tokenizer::automatic, true), {"Ä"}, {{"ä"}}), 1);
}

TEST(FirstDivergence, counts_code_points_and_line_ends_before_it) {
  EXPECT_EQ(value_of(named("first_divergence"), {"好a", "bcd", "e"}, {{"好a", "bxd", "e"}}), 4);
  EXPECT_EQ(value_of(named("first_divergence"), {"ab"}, {{"abc"}}), 2);
  EXPECT_EQ(value_of(named("first_divergence"), {"ab", "c"}, {{"ab", "c"}}), 5);
  EXPECT_EQ(value_of(named("first_divergence"), {"ab", "cd"}, {{"ab", "x"}, {"x", "cd"}}), 3);
}

std::int64_t table_distance(Items a, Items b) {
  std::vector<std::int64_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<std::int64_t>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::int64_t corner = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::int64_t replaced = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
      corner = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::int64_t table_common(Items a, Items b) {
  std::vector<std::int64_t> row(b.size() + 1, 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::int64_t corner = 0;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::int64_t here = a[i - 1] == b[j - 1] ? corner + 1 : std::max(row[j], row[j - 1]);
      corner = row[j];
      row[j] = here;
    }
  }
  return row.back();
}

TEST(SequenceComparison, is_that_of_the_whole_table) {
  std::mt19937 source(7);
  const auto below = [&](std::size_t limit) { return static_cast<std::uint32_t>(source() % limit); };
  SequenceComparison comparison;
  for (int round = 0; round < (SANITIZED ? 60 : 300); ++round) {
    const std::uint32_t kinds = 1 + below(round % 2 == 0 ? 4 : 300);
    std::vector<std::uint32_t> a(below(round % 10 == 0 ? 900 : 140)), b;
    for (std::uint32_t& item : a) item = below(kinds);
    b = a;
    for (std::uint32_t edits = below(1 + a.size() / 2); edits > 0 && !b.empty(); --edits) {
      const auto place = b.begin() + below(b.size());
      switch (below(3)) {
        case 0:
          *place = below(kinds);
          break;
        case 1:
          b.insert(place, 1 + below(5), below(kinds));
          break;
        default:
          b.erase(place, place + std::min<std::ptrdiff_t>(b.end() - place, 1 + below(5)));
      }
    }
    if (round % 7 == 0) std::ranges::reverse(b);
    EXPECT_EQ(comparison.distance(a, b, kinds).value, table_distance(a, b));
    EXPECT_EQ(comparison.common(a, b, kinds).value, table_common(a, b));
  }
}

TEST(SequenceComparison, of_what_is_too_long_is_a_bound_and_says_so) {
  std::vector<std::uint32_t> a(400'000, 0), b(100'000, 1);
  const Distance distance = SequenceComparison().distance(a, b, 2),
                 common = SequenceComparison().common(a, b, 2);
  EXPECT_EQ(distance.value, 400'000);
  EXPECT_FALSE(distance.is_exact);
  EXPECT_EQ(common.value, 0);
  EXPECT_FALSE(common.is_exact);
  std::vector<std::uint32_t> c = a;
  c[10] = c[399'000] = 1;
  EXPECT_EQ(SequenceComparison().distance(a, c, 2).value, 2);
  EXPECT_TRUE(SequenceComparison().distance(a, c, 2).is_exact);
}

}  // namespace
}  // namespace gate::score::text_metrics_test
