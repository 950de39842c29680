// Text held against golden text, line by line. Pure and streaming: memory is bounded by the longest line.
//
// Formulas: BLEU, chrF and TER as sacreBLEU 2 has them, ROUGE as Google's rouge_score.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/score/metric.h"

namespace gate::score {

// `automatic` must be settled by choose_tokenizer() before a scorer is made.
enum class Tokenizer : std::uint8_t { automatic, t13a, intl, zh, character, none };
enum class Smoothing : std::uint8_t { exp, floor, add_k, none };

struct TextOptions {
  std::string metric;                          // the name of a row of metrics() whose input is text
  Tokenizer tokenizer = Tokenizer::automatic;  // of bleu; rouge, wer and the like say what they use
  Smoothing smoothing = Smoothing::exp;        // this and the next four: of bleu
  std::optional<double> smooth_value = {};     // none: 0.1 of floor, 1 of add-k
  bool effective_order = false;
  bool lowercase = false;
  int max_order = 4;   // 1..16
  int char_order = 6;  // this and the next two: of chrf
  int word_order = 0;  // chrf++ has 2
  int beta = 2;
};

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

// Return the tokens of the line as sacreBLEU's tokenizer gives them, joined by single spaces. Any bytes are
// taken: those that are no UTF-8 count as U+FFFD each. Never `automatic`.
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

class TextScorer {
 public:
  virtual ~TextScorer() = default;

  // Add a line and its golden lines: one for each golden file, as many in every call, at least one.
  virtual void add(std::string_view actual, std::span<const std::string_view> golden) = 0;

  // Return what all lines together are worth. Of no lines the value is 0.
  virtual Score score() const = 0;
};

// Return a scorer. Fails for a metric that is none of text, an order out of range, a smooth value that is
// none, and for what the metric has no use for, with what to do instead.
Result<std::unique_ptr<TextScorer>> make_text_scorer(const TextOptions& options, std::size_t golden_files);

}  // namespace gate::score
