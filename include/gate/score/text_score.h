// Text held against golden text, line by line. Pure and streaming: memory is bounded by the longest line.
//
// Formulas: BLEU, chrF and TER as sacreBLEU 2.6 has them, ROUGE as Google's rouge_score without its stemmer.
// Text is UTF-8; bytes that are none count as U+FFFD, in the places where Python's decoder puts one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gate/base/result.h"
#include "gate/score/score_metric.h"

namespace gate::score {

// What makes tokens of a line. `automatic`, the default, is the metric's own way; bleu has none, and needs it
// settled by choose_tokenizer() before a scorer is made.
enum class Tokenizer : std::uint8_t { automatic, t13a, intl, zh, character, none };
enum class Smoothing : std::uint8_t { exp, floor, add_k, none };

// What a signature says. Members that a metric has no use for stay as they are here.
struct TextOptions {
  std::string metric;  // the name of a row of metrics() whose input is text
  // Of bleu; of wer, whose own way is words between blanks; zh and character of rouge, whose own way is runs
  // of a-z and 0-9, so that of Chinese nothing is left. The others have no choice: automatic or none.
  Tokenizer tokenizer = Tokenizer::automatic;
  Smoothing smoothing = Smoothing::exp;     // this and the next two: of bleu
  std::optional<double> smooth_value = {};  // of floor, else 0.1, and add-k, else 1
  bool effective_order = false;
  bool lowercase = false;  // of all but first_divergence, as Python's str.lower(); ter and rouge always do it
  int max_order = 4;       // of bleu, 1..16
  int char_order = 6;      // this and the next two: of chrf, 1..16
  int word_order = 0;      // 0..16; 0 of chrf++ is 2
  int beta = 2;            // 0..1000
  int references = 0;      // golden files that the signature tells of; 0: it tells of none
};

// Return the metric and the options of a signature as sacreBLEU writes them behind the metric's name:
// `bleu|tok:zh|smooth:exp`. What score() returns is one, too. Fails for a word that the metric does not have,
// that is there twice, or whose value is none, with those that there are; who takes the options looks whether
// there is such a metric.
Result<TextOptions> read_signature(std::string_view signature);

// The spellings of users: auto, 13a, intl, zh, char, none; exp, floor, add-k, none.
std::string_view to_string(Tokenizer tokenizer);
std::string_view to_string(Smoothing smoothing);
std::optional<Tokenizer> parse_tokenizer(std::string_view word);
std::optional<Smoothing> parse_smoothing(std::string_view word);

// Tell whether the text holds a Han character (in any of Unicode's CJK ideograph blocks). Bytes that are no
// UTF-8 are none.
bool has_han(std::string_view text);

// Return zh where the golden text has Han, else 13a: with 13a a line of Chinese is a single token.
Tokenizer choose_tokenizer(bool golden_has_han);

// Return the line as sacreBLEU's tokenizer of that name returns it: tokens and single blanks between them; of
// `character` a blank between any two code points; of `none` the line. Never `automatic`.
std::string tokenize(Tokenizer tokenizer, std::string_view line);

// What BLEU is made of, summed up over lines.
struct BleuCounts {
  static constexpr std::size_t max_order = 16;

  std::array<std::int64_t, max_order> matching{};  // n-grams that are golden, too: of order n in place n-1
  std::array<std::int64_t, max_order> all{};       // n-grams
  std::int64_t actual_length = 0;                  // in tokens
  std::int64_t golden_length = 0;                  // of the golden line nearest in length; of two the shorter

  void add(const BleuCounts& other);
};

// Return the BLEU of these counts, 0..1, with the smoothing and the orders of the options: 0 where nothing
// matches, whatever the smoothing. Papineni and others 2002; smoothing: Chen and Cherry 2014.
double bleu(const BleuCounts& counts, const TextOptions& options);

// Holds lines against their golden lines, and keeps no line but those that it will tell of.
//
// With several golden files, bleu takes n-grams from all of them and the length that is nearest, ter the
// fewest edits and the mean length, and every other metric that golden line which is best for the line. A
// line differs where it is none of its golden lines, to the byte; what is shown beside it is the first of
// them. The value of a line alone is of bleu that with effective order and exp smoothing, of first_divergence
// that of its line.
//
// Time is linear in the text for bleu, chrf, exact_match and first_divergence. For the others a pair of long
// lines costs a few seconds at most; where that is not enough, the signature says in how many lines:
//
//   long:N        of what differs much and is longer than some 170,000 characters or words, the edits are a
//                 bound above, and of a common subsequence the start and the end are all that counts
//   unshifted:N   ter moved nothing, as one side has more than 10,000 words
//   unreadable:N  rouge found no word, and there was something to read
class TextScorer {
 public:
  virtual ~TextScorer() = default;

  // Add a line and its golden lines: one for each golden file, as many in every call, at least one. Line ends
  // inside of it part the sentences of rougeLsum, and are blanks to the others.
  virtual void add(std::string_view actual, std::span<const std::string_view> golden) = 0;

  // Return what all lines together are worth; 0 where there is none. That is, of bleu, chrf, ter, cer and
  // wer, of sums over all lines; of first_divergence a count, in which each line has one more for its end; of
  // the others the mean over lines, of rouge over those that have a word, or pair of words, on a side.
  virtual Score score() const = 0;
};

// Return a scorer for options such as read_signature() returns. Fails for a metric that is none of text, for
// no golden file and for others than the signature tells of.
Result<std::unique_ptr<TextScorer>> make_text_scorer(const TextOptions& options, std::size_t golden_files);

}  // namespace gate::score
