#include <algorithm>
#include <array>

#include "gate/score/text.h"
#include "score/code_points.h"
#include "score/scorers.h"

namespace gate::score {

namespace {

template <class Value>
struct WordRow {
  std::string_view word;
  Value value;
};

constexpr std::array<WordRow<Tokenizer>, 6> tokenizer_words{{{"auto", Tokenizer::automatic},
                                                             {"13a", Tokenizer::t13a},
                                                             {"intl", Tokenizer::intl},
                                                             {"zh", Tokenizer::zh},
                                                             {"char", Tokenizer::character},
                                                             {"none", Tokenizer::none}}};

constexpr std::array<WordRow<Smoothing>, 4> smoothing_words{{{"exp", Smoothing::exp},
                                                             {"floor", Smoothing::floor},
                                                             {"add-k", Smoothing::add_k},
                                                             {"none", Smoothing::none}}};

template <class Table, class Value>
std::string_view word_of(const Table& table, Value value) {
  return std::ranges::find(table, value, [](const auto& row) { return row.value; })->word;
}

template <class Value, std::size_t size>
std::optional<Value> value_of_word(const std::array<WordRow<Value>, size>& table, std::string_view word) {
  const auto row = std::ranges::find(table, word, [](const auto& candidate) { return candidate.word; });
  return row == table.end() ? std::nullopt : std::optional(row->value);
}

bool is_ideograph(char32_t value) {
  return (value >= 0x3400 && value <= 0x4DBF) || (value >= 0x4E00 && value <= 0x9FFF) ||
         (value >= 0xF900 && value <= 0xFAFF) || (value >= 0x20000 && value <= 0x3FFFF);
}

}  // namespace

std::string_view to_string(Tokenizer tokenizer) { return word_of(tokenizer_words, tokenizer); }
std::string_view to_string(Smoothing smoothing) { return word_of(smoothing_words, smoothing); }
std::optional<Tokenizer> parse_tokenizer(std::string_view word) {
  return value_of_word(tokenizer_words, word);
}
std::optional<Smoothing> parse_smoothing(std::string_view word) {
  return value_of_word(smoothing_words, word);
}

bool has_han(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint here = code_point_at(text, at);
    if (is_ideograph(here.value)) return true;
    at += here.length;
  }
  return false;
}

Tokenizer choose_tokenizer(bool golden_has_han) { return golden_has_han ? Tokenizer::zh : Tokenizer::t13a; }

Result<std::unique_ptr<TextScorer>> make_text_scorer(const TextOptions& options, std::size_t golden_files) {
  return make_bleu_scorer(options, golden_files);
}

}  // namespace gate::score
