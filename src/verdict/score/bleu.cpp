#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gate/model/numbers/decimal.h"
#include "score/hashed.h"
#include "score/line_scorer.h"
#include "score/scorers.h"
#include "score/tokens.h"

namespace gate::score {

namespace {

double default_smooth_value(Smoothing smoothing) { return smoothing == Smoothing::floor ? 0.1 : 1; }

double brevity_penalty(const BleuCounts& counts) {
  if (counts.actual_length >= counts.golden_length) return 1;
  if (counts.actual_length == 0) return 0;
  return std::exp(1 - static_cast<double>(counts.golden_length) / static_cast<double>(counts.actual_length));
}

double log_of_precision(double precision) { return precision == 0 ? -9999999999.0 : std::log(precision); }

std::string smoothing_text(const TextOptions& options) {
  const std::string_view name = to_string(options.smoothing);
  if (options.smoothing != Smoothing::floor && options.smoothing != Smoothing::add_k)
    return std::string(name);
  const double value = options.smooth_value.value_or(default_smooth_value(options.smoothing));
  const std::string short_value = fmt::format("{:.2f}", value);  // as sacreBLEU, where that is all of it
  const auto read = Decimal::parse(short_value);
  return fmt::format("{}[{}]", name,
                     read && read->to_double() == value ? short_value : fmt::to_string(value));
}

class BleuScorer : public LineScorer {
 public:
  BleuScorer(const TextOptions& options, std::size_t golden_files)
      : LineScorer(options),
        options_(options),
        tokenizers_(golden_files + 1, LineTokenizer(options.tokenizer, options.lowercase)) {
    sentence_options_.effective_order = true;
    sentence_options_.max_order = options.max_order;
  }

 protected:
  std::optional<double> add_line(std::string_view actual, std::span<const std::string_view> golden,
                                 bool is_same) override {
    line_ = {};
    const LineTokens& tokens = tokenizers_.back().split(actual);
    line_.actual_length = std::ssize(tokens);
    for (int n = 0; n < options_.max_order; ++n)
      line_.all[n] = std::max<std::int64_t>(0, line_.actual_length - n);
    if (is_same) {
      line_.golden_length = line_.actual_length;
      line_.matching = line_.all;
    } else {
      match(tokens, golden);
    }
    counts_.add(line_);
    return is_same ? std::nullopt : std::optional(bleu(line_, sentence_options_));
  }

  double total() const override { return bleu(counts_, options_); }

  std::string signature() const override {
    return fmt::format("nrefs:{}|case:{}|eff:{}|tok:{}|smooth:{}{}|version:2.6.0", tokenizers_.size() - 1,
                       options_.lowercase ? "lc" : "mixed", options_.effective_order ? "yes" : "no",
                       to_string(options_.tokenizer), smoothing_text(options_),
                       options_.max_order == 4 ? "" : fmt::format("|order:{}", options_.max_order));
  }

 private:
  // Make numbers of the tokens, and count the golden n-grams among which those of the line are looked for.
  void match(const LineTokens& actual, std::span<const std::string_view> golden) {
    std::size_t most = 0;
    for (std::size_t i = 0; i < golden.size(); ++i) most += tokenizers_[i].split(golden[i]).size();
    words_.start(most);
    numbers_.clear();
    for (std::size_t i = 0; i < golden.size(); ++i)
      for (const std::string_view token : tokenizers_[i].tokens())
        numbers_.push_back(words_.number_of(token, tokenizers_[i].end()));
    ngrams_.start(words_.count(), most * static_cast<std::size_t>(options_.max_order - 1));
    line_.golden_length = -1;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < golden.size(); ++i) {
      const std::size_t length = tokenizers_[i].tokens().size();
      ngrams_.count(std::span(numbers_).subspan(begin, length), options_.max_order,
                    static_cast<std::uint32_t>(i + 1));
      line_.golden_length = nearer_length(line_.golden_length, static_cast<std::int64_t>(length));
      begin += length;
    }
    numbers_.clear();
    for (const std::string_view token : actual)
      numbers_.push_back(words_.find(token, tokenizers_.back().end()));
    ngrams_.match(numbers_, options_.max_order, line_.matching.data());
  }

  // Return which of two golden lengths is nearer to the line's, the shorter one of two that are as near.
  std::int64_t nearer_length(std::int64_t a, std::int64_t b) const {
    if (a < 0) return b;
    const std::int64_t far_a = std::abs(a - line_.actual_length), far_b = std::abs(b - line_.actual_length);
    return far_a == far_b ? std::min(a, b) : far_a < far_b ? a : b;
  }

  TextOptions options_, sentence_options_;
  std::vector<LineTokenizer> tokenizers_;  // of each golden file, and of the lines
  TokenNumbers words_;
  NgramCounts ngrams_;
  std::vector<std::uint32_t> numbers_;
  BleuCounts line_, counts_;
};

}  // namespace

void BleuCounts::add(const BleuCounts& other) {
  for (std::size_t n = 0; n < matching.size(); ++n) {
    matching[n] += other.matching[n];
    all[n] += other.all[n];
  }
  actual_length += other.actual_length;
  golden_length += other.golden_length;
}

double bleu(const BleuCounts& counts, const TextOptions& options) {
  const auto order = static_cast<std::size_t>(options.max_order);
  if (std::ranges::all_of(counts.matching, [](std::int64_t count) { return count == 0; })) return 0;
  const double value = options.smooth_value.value_or(default_smooth_value(options.smoothing));
  std::array<double, BleuCounts::max_order> precisions{};
  double smooth = 1;
  std::size_t effective = order;
  for (std::size_t n = 0; n < order; ++n) {
    const double added = options.smoothing == Smoothing::add_k && n > 0 ? value : 0;
    const double matching = static_cast<double>(counts.matching[n]) + added;
    const double all = static_cast<double>(counts.all[n]) + added;
    if (all == 0) break;
    if (options.effective_order) effective = n + 1;
    if (matching != 0)
      precisions[n] = 100 * matching / all;
    else if (options.smoothing == Smoothing::exp)
      precisions[n] = 100 / ((smooth *= 2) * all);
    else if (options.smoothing == Smoothing::floor)
      precisions[n] = 100 * value / all;
  }
  double sum = 0;
  for (std::size_t n = 0; n < effective; ++n) sum += log_of_precision(precisions[n]);
  return std::min(1.0, brevity_penalty(counts) * std::exp(sum / static_cast<double>(effective)) / 100);
}

std::unique_ptr<TextScorer> make_bleu_scorer(const TextOptions& options, std::size_t golden_files) {
  return std::make_unique<BleuScorer>(options, golden_files);
}

}  // namespace gate::score
