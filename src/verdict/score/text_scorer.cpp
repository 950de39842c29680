#include <algorithm>
#include <array>
#include <cmath>

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

// What an option is for.
enum class MetricFamily : std::uint8_t { bleu, chrf, other };

using Tokenizers = std::span<const Tokenizer>;

constexpr std::array every_tokenizer{Tokenizer::t13a, Tokenizer::intl, Tokenizer::zh, Tokenizer::character,
                                     Tokenizer::none};
constexpr std::array own_or_every_tokenizer{Tokenizer::automatic, Tokenizer::t13a,      Tokenizer::intl,
                                            Tokenizer::zh,        Tokenizer::character, Tokenizer::none};
constexpr std::array own_or_chinese{Tokenizer::automatic, Tokenizer::zh, Tokenizer::character,
                                    Tokenizer::none};
constexpr std::array own_tokenizer{Tokenizer::automatic, Tokenizer::none};

struct TextMetric {
  std::string_view name;
  MakeScorer* make;
  MetricFamily family;
  Tokenizers tokenizers;
  bool takes_case;  // it can be told to be blind to case, or is
};

constexpr std::array<TextMetric, 13> text_metrics{{
    {"bleu", make_bleu_scorer, MetricFamily::bleu, every_tokenizer, true},
    {"chrf", make_chrf_scorer, MetricFamily::chrf, own_tokenizer, true},
    {"chrf++", make_chrf_scorer, MetricFamily::chrf, own_tokenizer, true},
    {"ter", make_ter_scorer, MetricFamily::other, own_tokenizer, true},
    {"rouge1", make_rouge1_scorer, MetricFamily::other, own_or_chinese, true},
    {"rouge2", make_rouge2_scorer, MetricFamily::other, own_or_chinese, true},
    {"rougeL", make_rouge_sequence_scorer, MetricFamily::other, own_or_chinese, true},
    {"rougeLsum", make_rouge_summary_scorer, MetricFamily::other, own_or_chinese, true},
    {"exact_match", make_exact_match_scorer, MetricFamily::other, own_tokenizer, true},
    {"edit_similarity", make_edit_similarity_scorer, MetricFamily::other, own_tokenizer, true},
    {"cer", make_character_error_scorer, MetricFamily::other, own_tokenizer, true},
    {"wer", make_word_error_scorer, MetricFamily::other, own_or_every_tokenizer, true},
    {"first_divergence", make_first_divergence_scorer, MetricFamily::other, own_tokenizer, false},
}};

std::string no_such_metric(std::string_view name) {
  const auto names = texts_of(text_metrics, &TextMetric::name);
  return fmt::format("`{}` is no metric of text: those are {}{}", printable(name), join(names, ", "),
                     did_you_mean(name, names));
}

std::string words_of(Tokenizers tokenizers) {
  return join(texts_of(tokenizers, [&](const Tokenizer tokenizer) { return to_string(tokenizer); }), ", ");
}

Status check_tokenizer(const TextMetric& metric, const TextOptions& options) {
  if (std::ranges::find(metric.tokenizers, options.tokenizer) != metric.tokenizers.end()) return {};
  return fail(fmt::format("{} has no tokenizer {}: it takes {}", metric.name, to_string(options.tokenizer),
                          words_of(metric.tokenizers)));
}

Status refuse_where(bool is_set, const TextMetric& metric, std::string_view option) {
  if (!is_set) return {};
  return fail(fmt::format("{} has no use for {}: leave it out", metric.name, option));
}

Status check_unused(const TextMetric& metric, const TextOptions& options) {
  const TextOptions defaults;
  const bool has_smoothing = options.smoothing != defaults.smoothing || options.smooth_value.has_value();
  const bool has_value_in_vain = options.smooth_value.has_value() && options.smoothing != Smoothing::floor &&
                                 options.smoothing != Smoothing::add_k;
  const bool is_bleu = metric.family == MetricFamily::bleu, is_chrf = metric.family == MetricFamily::chrf;
  GATE_TRY_STATUS(refuse_where(!is_bleu && has_smoothing, metric, "smoothing, which is for bleu"));
  GATE_TRY_STATUS(
      refuse_where(has_value_in_vain, metric, "a smooth value unless the smoothing is floor or add-k"));
  GATE_TRY_STATUS(
      refuse_where(!is_bleu && options.effective_order, metric, "the effective order, which is for bleu"));
  GATE_TRY_STATUS(refuse_where(!is_bleu && options.max_order != defaults.max_order, metric,
                               "a highest order of n-grams, which is for bleu"));
  GATE_TRY_STATUS(refuse_where(!is_chrf && options.char_order != defaults.char_order, metric,
                               "an order of characters, which is for chrf"));
  GATE_TRY_STATUS(refuse_where(!is_chrf && options.word_order != defaults.word_order, metric,
                               "an order of words, which is for chrf"));
  GATE_TRY_STATUS(
      refuse_where(!is_chrf && options.beta != defaults.beta, metric, "a beta, which is for chrf"));
  return refuse_where(!metric.takes_case && options.lowercase, metric, "lower case");
}

Status check_range(const TextMetric& metric, std::string_view what, int value, int least, int most) {
  if (value >= least && value <= most) return {};
  return fail(
      fmt::format("{}: {} is {}; it is a number from {} to {}", metric.name, what, value, least, most));
}

Status check_numbers(const TextMetric& metric, const TextOptions& options) {
  constexpr int most = BleuCounts::max_order;
  GATE_TRY_STATUS(check_range(metric, "the highest order of n-grams", options.max_order, 1, most));
  GATE_TRY_STATUS(check_range(metric, "the order of characters", options.char_order, 1, most));
  GATE_TRY_STATUS(check_range(metric, "the order of words", options.word_order, 0, most));
  GATE_TRY_STATUS(check_range(metric, "beta", options.beta, 0, 1000));
  const double value = options.smooth_value.value_or(0);
  if (std::isfinite(value) && value >= 0) return {};
  return fail(fmt::format("{}: the smooth value is {}; it is a number from 0", metric.name, value));
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
  GATE_TRY_STATUS(check_tokenizer(*row, options));
  GATE_TRY_STATUS(check_unused(*row, options));
  GATE_TRY_STATUS(check_numbers(*row, options));
  TextOptions used = options;
  if (row->name == "chrf++" && options.word_order == 0) used.word_order = 2;
  return row->make(used, golden_files);
}

}  // namespace gate::score
