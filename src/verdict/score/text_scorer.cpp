#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "gate/base/text.h"
#include "gate/score/text_score.h"
#include "score/code_points.h"
#include "score/scorers.h"

namespace gate::score {

namespace {

template <class Value>
struct ScoreWord {
  std::string_view word;
  Value value;
};

constexpr std::array<ScoreWord<Tokenizer>, 6> tokenizer_words{{{"auto", Tokenizer::automatic},
                                                               {"13a", Tokenizer::t13a},
                                                               {"intl", Tokenizer::intl},
                                                               {"zh", Tokenizer::zh},
                                                               {"char", Tokenizer::character},
                                                               {"none", Tokenizer::none}}};

constexpr std::array<ScoreWord<Smoothing>, 4> smoothing_words{{{"exp", Smoothing::exp},
                                                               {"floor", Smoothing::floor},
                                                               {"add-k", Smoothing::add_k},
                                                               {"none", Smoothing::none}}};

template <class Table, class Value>
std::string_view word_of(const Table& table, Value value) {
  return std::ranges::find(table, value, [](const auto& row) { return row.value; })->word;
}

template <class Value, std::size_t size>
std::optional<Value> value_of_word(const std::array<ScoreWord<Value>, size>& table, std::string_view word) {
  const auto row = std::ranges::find(table, word, [](const auto& candidate) { return candidate.word; });
  return row == table.end() ? std::nullopt : std::optional(row->value);
}

bool is_ideograph(char32_t value) {
  return (value >= 0x3400 && value <= 0x4DBF) || (value >= 0x4E00 && value <= 0x9FFF) ||
         (value >= 0xF900 && value <= 0xFAFF) || (value >= 0x20000 && value <= 0x3FFFF);
}

struct TextMetric {
  std::string_view name;
  MakeScorer* make;
};

constexpr std::array<TextMetric, 13> text_metrics{{
    {"bleu", make_bleu_scorer},
    {"chrf", make_chrf_scorer},
    {"chrf++", make_chrf_scorer},
    {"ter", make_ter_scorer},
    {"rouge1", make_rouge1_scorer},
    {"rouge2", make_rouge2_scorer},
    {"rougeL", make_rouge_sequence_scorer},
    {"rougeLsum", make_rouge_summary_scorer},
    {"exact_match", make_exact_match_scorer},
    {"edit_similarity", make_edit_similarity_scorer},
    {"cer", make_character_error_scorer},
    {"wer", make_word_error_scorer},
    {"first_divergence", make_first_divergence_scorer},
}};

std::string no_such_metric(std::string_view name) {
  const auto names = texts_of(text_metrics, &TextMetric::name);
  return fmt::format("`{}` is no metric of text: those are {}{}", printable(name), join(names, ", "),
                     did_you_mean(name, names));
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
  const auto row = std::ranges::find(text_metrics, options.metric, &TextMetric::name);
  if (row == text_metrics.end()) return fail(no_such_metric(options.metric));
  if (golden_files == 0)
    return fail(fmt::format("{}: there is no golden text; name at least one golden file", row->name));
  if (options.references > 0 && std::cmp_not_equal(options.references, golden_files))
    return fail(fmt::format("{}: nrefs:{} and {}", row->name, options.references,
                            count_of(static_cast<std::int64_t>(golden_files), "golden file")));
  TextOptions used = options;
  if (row->name == "chrf++" && options.word_order == 0) used.word_order = 2;
  return row->make(used, golden_files);
}

}  // namespace gate::score
