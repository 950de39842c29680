#include "score/chrf.h"

#include <algorithm>

#include <fmt/format.h>

#include "gate/base/text.h"
#include "score/code_points.h"
#include "score/line_scorer.h"
#include "score/scorers.h"

namespace gate::score {

namespace {

bool is_ascii_punctuation(char c) { return c > ' ' && c < 0x7F && !is_letter_or_digit(c); }

bool is_one_character(std::string_view word) { return code_point_at(word, 0).length == word.size(); }

// Append the word, or two parts of it: what ends with punctuation and that, or punctuation and what follows
// it.
void append_parts(LineTokens& parts, std::string_view word) {
  const std::size_t split = is_one_character(word)               ? word.size()
                            : is_ascii_punctuation(word.back())  ? word.size() - 1
                            : is_ascii_punctuation(word.front()) ? 1
                                                                 : word.size();
  parts.push_back(word.substr(0, split));
  if (split < word.size()) parts.push_back(word.substr(split));
}

double f_score(double precision, double recall, double factor) {
  return (1 + factor) * precision * recall / (factor * precision + recall);
}

double mean_f_score(const ChrfCounts& counts, double factor) {
  constexpr double epsilon = 1e-16;
  const auto share = [](std::int64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : epsilon;
  };
  double sum = 0;
  for (const ChrfOrder& order : counts) {
    const double precision = share(order.matching, order.actual),
                 recall = share(order.matching, order.golden);
    sum += factor * precision + recall > 0 ? f_score(precision, recall, factor) : epsilon;
  }
  return sum / static_cast<double>(counts.size());
}

std::int64_t ngrams_of(std::size_t length, std::size_t order) {
  return length < order ? 0 : static_cast<std::int64_t>(length - order + 1);
}

class ChrfScorer : public LineScorer {
 public:
  ChrfScorer(const TextOptions& options, std::size_t golden_files)
      : LineScorer(options),
        options_(options),
        golden_files_(golden_files),
        counter_(options),
        total_(static_cast<std::size_t>(options.char_order + options.word_order)) {}

 protected:
  std::optional<double> add_line(std::string_view actual, std::span<const std::string_view> golden,
                                 bool is_same) override {
    const double value = is_same && counter_.count_same(actual, best_) ? 1 : count_best(actual, golden);
    for (std::size_t i = 0; i < total_.size(); ++i) {
      total_[i].actual += best_[i].actual;
      total_[i].golden += best_[i].golden;
      total_[i].matching += best_[i].matching;
    }
    return value;
  }

  double total() const override { return chrf(total_, options_.beta, false); }

  std::string signature() const override {
    return fmt::format("nrefs:{}|case:{}|eff:yes|nc:{}|nw:{}|space:no{}|version:2.6.0", golden_files_,
                       options_.lowercase ? "lc" : "mixed", options_.char_order, options_.word_order,
                       options_.beta == 2 ? "" : fmt::format("|beta:{}", options_.beta));
  }

 private:
  // Keep the counts beside the golden line that is nearest, the first of several.
  double count_best(std::string_view actual, std::span<const std::string_view> golden) {
    double best = -1;
    for (const std::string_view line : golden) {
      counter_.count(actual, line, counts_);
      const double value = chrf(counts_, options_.beta, false);
      if (value > best) best = value, std::swap(best_, counts_);
    }
    return best;
  }

  TextOptions options_;
  std::size_t golden_files_;
  ChrfCounter counter_;
  ChrfCounts counts_, best_, total_;
};

}  // namespace

double chrf(const ChrfCounts& counts, double beta, bool with_epsilon) {
  const double factor = beta * beta;
  if (with_epsilon) return mean_f_score(counts, factor);
  double precision = 0, recall = 0;
  int orders = 0;
  for (const ChrfOrder& order : counts) {
    if (order.actual == 0 || order.golden == 0) continue;
    precision += static_cast<double>(order.matching) / static_cast<double>(order.actual);
    recall += static_cast<double>(order.matching) / static_cast<double>(order.golden);
    ++orders;
  }
  if (precision + recall == 0) return 0;
  return f_score(precision / orders, recall / orders, factor);
}

ChrfCounter::ChrfCounter(const TextOptions& options)
    : char_order_(options.char_order), word_order_(options.word_order), lowercase_(options.lowercase) {}

void ChrfCounter::read(std::string_view text, Line& line) {
  text = replace_invalid(text, line.valid);
  if (lowercase_) {
    line.lower.clear();
    append_lower_case(line.lower, text);
    text = line.lower;
  }
  decode(text, line.characters);
  std::erase_if(line.characters, is_blank);
  if (word_order_ == 0) return;
  line.words.clear(), line.parts.clear();
  append_words(line.words, text);
  for (const std::string_view word : line.words) append_parts(line.parts, word);
  line.end = text.data() + text.size();
}

// Count n-grams of numbers: the first `split` of them are golden.
void ChrfCounter::match(std::size_t kinds, std::size_t split, std::size_t first, int orders,
                        ChrfCounts& counts) {
  const std::span<const std::uint32_t> golden = std::span(numbers_).first(split),
                                       actual = std::span(numbers_).subspan(split);
  std::array<std::int64_t, BleuCounts::max_order> matches{};
  ngrams_.start(kinds, golden.size() * static_cast<std::size_t>(orders - 1));
  ngrams_.count(golden, orders, 1);
  ngrams_.match(actual, orders, matches.data());
  for (std::size_t n = 0; n < static_cast<std::size_t>(orders); ++n) {
    const std::int64_t of_golden = ngrams_of(golden.size(), n + 1);
    counts[first + n] = {of_golden == 0 ? 0 : ngrams_of(actual.size(), n + 1), of_golden, matches[n]};
  }
}

void ChrfCounter::count(std::string_view actual, std::string_view golden, ChrfCounts& counts) {
  read(actual, actual_), read(golden, golden_);
  counts.assign(static_cast<std::size_t>(char_order_ + word_order_), {});
  numbers_.clear();
  characters_.start();
  for (const Line* line : {&golden_, &actual_})
    for (const char32_t character : line->characters) numbers_.push_back(characters_.number_of(character));
  match(characters_.count(), golden_.characters.size(), 0, char_order_, counts);
  if (word_order_ == 0) return;
  numbers_.clear();
  words_.start(actual_.parts.size() + golden_.parts.size());
  for (const Line* line : {&golden_, &actual_})
    for (const std::string_view part : line->parts) numbers_.push_back(words_.number_of(part, line->end));
  match(words_.count(), golden_.parts.size(), static_cast<std::size_t>(char_order_), word_order_, counts);
}

bool ChrfCounter::count_same(std::string_view line, ChrfCounts& counts) {
  read(line, actual_);
  counts.clear();
  const auto add = [&](std::size_t length, int orders) {
    for (std::size_t n = 1; n <= static_cast<std::size_t>(orders); ++n) {
      const std::int64_t count = ngrams_of(length, n);
      counts.push_back({count, count, count});
    }
  };
  add(actual_.characters.size(), char_order_);
  add(actual_.parts.size(), word_order_);
  return !actual_.characters.empty();
}

std::unique_ptr<TextScorer> make_chrf_scorer(const TextOptions& options, std::size_t golden_files) {
  return std::make_unique<ChrfScorer>(options, golden_files);
}

}  // namespace gate::score
