#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "gate/base/text.h"
#include "gate/model/numbers/decimal.h"
#include "gate/score/text_score.h"

namespace gate::score {

namespace {

// A word of the signatures of some metrics. `read` takes its value, and tells whether it is one; without it
// the word says what is always so, and has a single value.
struct SignatureWord {
  std::string_view metrics;  // by blanks; "": all of text
  std::string_view word;
  std::string_view values;
  bool (*read)(TextOptions& options, std::string_view value) = nullptr;
};

bool read_case(TextOptions& options, std::string_view value) {
  options.lowercase = value == "lc";
  return options.lowercase || value == "mixed";
}

bool read_effective(TextOptions& options, std::string_view value) {
  options.effective_order = value == "yes";
  return options.effective_order || value == "no";
}

bool read_tokenizer(TextOptions& options, std::string_view value) {
  options.tokenizer = parse_tokenizer(value).value_or(Tokenizer::automatic);
  return options.tokenizer != Tokenizer::automatic;
}

bool read_rouge_tokenizer(TextOptions& options, std::string_view value) {
  const bool is_own = value == "rouge";
  return (is_own || value == "zh" || value == "char") && read_tokenizer(options, is_own ? "none" : value);
}

// `exp`, `floor` or `floor[0.1]`.
bool read_smoothing(TextOptions& options, std::string_view value) {
  const std::size_t bracket = value.find('[');
  const auto smoothing = parse_smoothing(value.substr(0, bracket));
  if (!smoothing) return false;
  options.smoothing = *smoothing;
  if (bracket == std::string_view::npos) return true;
  if (!value.ends_with(']') || (*smoothing != Smoothing::floor && *smoothing != Smoothing::add_k))
    return false;
  const auto number = Decimal::parse(value.substr(bracket + 1, value.size() - bracket - 2));
  if (number) options.smooth_value = number->to_double();
  return number && std::isfinite(*options.smooth_value) && *options.smooth_value >= 0;
}

template <auto member, int least, int most>
bool read_whole(TextOptions& options, std::string_view value) {
  const auto number = parse_integer(value);
  if (!number || *number < least || *number > most) return false;
  options.*member = static_cast<int>(*number);
  return true;
}

// What is told of the files that were scored, or of who scored them, decides nothing.
bool pass_over(TextOptions&, std::string_view value) { return !value.empty(); }

constexpr std::string_view rouge = "rouge1 rouge2 rougeL rougeLsum";
constexpr std::string_view a_count = "a whole number from 1";
constexpr std::string_view an_order = "a whole number from 1 to 16";

constexpr std::array signature_words{
    SignatureWord{"bleu chrf chrf++ exact_match edit_similarity cer wer", "case", "mixed or lc", read_case},
    SignatureWord{"ter", "case", "lc"},
    SignatureWord{rouge, "case", "lc"},
    SignatureWord{"bleu", "eff", "yes or no", read_effective},
    SignatureWord{"chrf chrf++", "eff", "yes"},
    SignatureWord{"bleu wer", "tok", "13a, intl, zh, char or none", read_tokenizer},
    SignatureWord{rouge, "tok", "rouge, zh or char", read_rouge_tokenizer},
    SignatureWord{"ter", "tok", "tercom"},
    SignatureWord{"bleu", "smooth", "exp, floor, floor[0.1], add-k, add-k[1] or none", read_smoothing},
    SignatureWord{"bleu", "order", an_order, read_whole<&TextOptions::max_order, 1, 16>},
    SignatureWord{"chrf chrf++", "nc", an_order, read_whole<&TextOptions::char_order, 1, 16>},
    SignatureWord{"chrf", "nw", "a whole number from 0 to 16", read_whole<&TextOptions::word_order, 0, 16>},
    SignatureWord{"chrf++", "nw", an_order, read_whole<&TextOptions::word_order, 1, 16>},
    SignatureWord{"chrf chrf++", "beta", "a whole number from 0 to 1000",
                  read_whole<&TextOptions::beta, 0, 1000>},
    SignatureWord{"chrf chrf++", "space", "no"},
    SignatureWord{"ter", "norm", "no"},
    SignatureWord{"ter", "punct", "yes"},
    SignatureWord{"ter", "asian", "no"},
    SignatureWord{rouge, "stem", "no"},
    SignatureWord{"edit_similarity cer first_divergence", "unit", "char"},
    SignatureWord{"wer", "unit", "word"},
    SignatureWord{"", "nrefs", a_count, read_whole<&TextOptions::references, 1, 1000>},
    SignatureWord{"bleu chrf chrf++ ter", "version", "a version", pass_over},
    SignatureWord{"ter", "unshifted", a_count, pass_over},
    SignatureWord{rouge, "unreadable", a_count, pass_over},
    SignatureWord{rouge, "long", a_count, pass_over},
    SignatureWord{"edit_similarity cer wer", "long", a_count, pass_over},
};

std::vector<SignatureWord> words_of_metric(std::string_view name) {
  const MetricRow* metric = find_metric(name);
  if (metric == nullptr || metric->input != Input::text) return {};
  std::vector<SignatureWord> words;
  for (const SignatureWord& row : signature_words)
    if (row.metrics.empty() || std::ranges::count(split_words(row.metrics), name) > 0) words.push_back(row);
  return words;
}

std::string unknown_word(const TextOptions& options, std::string_view word,
                         const std::vector<SignatureWord>& words) {
  const auto names = texts_of(words, &SignatureWord::word);
  return fmt::format("{} has no word \"{}\"; {}", options.metric, printable(word, 80),
                     names.empty() ? "it has none" : "its words are " + join(names, ", "));
}

// `said` is a word with its value, as `tok:zh`.
Status read_word(TextOptions& options, std::string_view said, const std::vector<SignatureWord>& words) {
  const std::size_t colon = std::min(said.find(':'), said.size());
  const std::string_view word = trim(said.substr(0, colon));
  const std::string_view value = trim(said.substr(std::min(colon + 1, said.size())));
  const auto row = std::ranges::find(words, word, &SignatureWord::word);
  if (row == words.end()) return fail(unknown_word(options, word, words));
  if (row->read == nullptr ? value == row->values : row->read(options, value)) return {};
  return fail(fmt::format("\"{}\" is no {} of {}: that is {}", printable(value, 80), word, options.metric,
                          row->values));
}

// The word that is there twice, or "".
std::string_view repeated_word(std::vector<std::string_view> words) {
  for (std::string_view& word : words) word = trim(word.substr(0, word.find(':')));
  std::ranges::sort(words);
  const auto twice = std::ranges::adjacent_find(words);
  return twice == words.end() ? std::string_view() : *twice;
}

}  // namespace

Result<TextOptions> read_signature(std::string_view signature) {
  std::vector<std::string_view> said = split(signature, '|');
  TextOptions options{.metric = std::string(trim(said.front()))};
  said.erase(said.begin());
  const auto words = words_of_metric(options.metric);
  for (const std::string_view word : said) GATE_TRY_STATUS(read_word(options, word, words));
  if (const std::string_view twice = repeated_word(said); !twice.empty())
    return fail(fmt::format("{} has the word {} twice", options.metric, twice));
  return options;
}

}  // namespace gate::score
