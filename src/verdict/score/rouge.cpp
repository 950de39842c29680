#include <algorithm>

#include <fmt/format.h>

#include "gate/base/text.h"
#include "score/code_points.h"
#include "score/edit_distance.h"
#include "score/hashed.h"
#include "score/line_scorer.h"
#include "score/scorers.h"
#include "score/tokens.h"

namespace gate::score {

namespace {

constexpr std::int64_t most_table_cells = 400'000'000;

enum class RougeKind : std::uint8_t { ngrams, sequence, summary };

// A text in lower case as sentences, which line ends part, of tokens. Without a tokenizer these are runs of
// a-z and 0-9, as rouge_score has them.
class RougeText {
 public:
  explicit RougeText(Tokenizer tokenizer) : tokenizer_(tokenizer), line_tokenizer_(tokenizer, false) {}

  void read(std::string_view text) {
    lower_.clear(), tokens_.clear(), ends_.clear();
    append_lower_case(lower_, replace_invalid(text, valid_));
    for (const std::string_view sentence : split(lower_, '\n')) {
      if (sentence.empty()) continue;
      append_tokens_of(sentence);
      ends_.push_back(tokens_.size());
    }
  }

  void number(TokenNumbers& words) {
    numbers_.clear();
    for (const std::string_view token : tokens_)
      numbers_.push_back(words.number_of(token, lower_.data() + lower_.size()));
  }

  // Tell whether there is something to read, and no token is made of it.
  bool is_unreadable() const { return tokens_.empty() && !strip_end(lower_).empty(); }

  std::size_t size() const { return tokens_.size(); }
  Items numbers() const { return numbers_; }
  std::size_t sentences() const { return ends_.size(); }

  Items sentence(std::size_t place) const {
    const std::size_t begin = place == 0 ? 0 : ends_[place - 1];
    return numbers().subspan(begin, ends_[place] - begin);
  }

 private:
  void append_tokens_of(std::string_view sentence) {
    if (tokenizer_ != Tokenizer::none) {
      const LineTokens& more = line_tokenizer_.split(sentence);
      tokens_.insert(tokens_.end(), more.begin(), more.end());
      return;
    }
    for (std::size_t at = 0; at < sentence.size();) {
      const std::size_t begin = at;
      while (at < sentence.size() && is_letter_or_digit(sentence[at])) ++at;
      if (at > begin) tokens_.push_back(sentence.substr(begin, at - begin));
      while (at < sentence.size() && !is_letter_or_digit(sentence[at])) ++at;
    }
  }

  Tokenizer tokenizer_;
  LineTokenizer line_tokenizer_;
  std::string valid_, lower_;
  LineTokens tokens_;
  std::vector<std::size_t> ends_;  // of the sentences
  std::vector<std::uint32_t> numbers_;
};

// The union of the longest common subsequences that a golden sentence has with each sentence of a summary. Of
// several that are as long it takes the one that rouge_score takes.
class SequenceUnion {
 public:
  void start(std::size_t length) { is_common_.assign(length, false); }

  void add(Items golden, Items actual) {
    const std::size_t width = actual.size();
    above_.assign(width + 1, 0), row_.assign(width + 1, 0);
    goes_left_.assign((golden.size() + 1) * (width + 1), false);
    for (std::size_t i = 1; i <= golden.size(); ++i) {
      for (std::size_t j = 1; j <= width; ++j) {
        row_[j] = golden[i - 1] == actual[j - 1] ? above_[j - 1] + 1 : std::max(above_[j], row_[j - 1]);
        goes_left_[i * (width + 1) + j] = row_[j - 1] > above_[j];
      }
      std::swap(above_, row_);
    }
    for (std::size_t i = golden.size(), j = width; i > 0 && j > 0;)
      if (golden[i - 1] == actual[j - 1])
        is_common_[--i] = true, --j;
      else
        --(goes_left_[i * (width + 1) + j] ? j : i);
  }

  bool holds(std::size_t place) const { return is_common_[place]; }

 private:
  std::vector<bool> is_common_, goes_left_;
  std::vector<std::uint32_t> above_, row_;
};

class RougeScorer : public LineScorer {
 public:
  RougeScorer(const TextOptions& options, std::size_t golden_files, RougeKind kind, int order)
      : LineScorer(options),
        tokenizer_(options.tokenizer == Tokenizer::automatic ? Tokenizer::none : options.tokenizer),
        kind_(kind),
        order_(order),
        actual_(tokenizer_),
        golden_(golden_files, RougeText(tokenizer_)) {}

 protected:
  std::optional<double> add_line(std::string_view actual, std::span<const std::string_view> golden,
                                 bool is_same) override {
    read(actual, golden);
    std::int64_t parts = parts_of(actual_);
    double best = parts > 0 && is_same ? 1 : 0;
    if (!is_same)
      for (const RougeText& text : golden_) {
        parts = std::max(parts, parts_of(text));
        best = std::max(best, f_measure(hits(text), parts_of(actual_), parts_of(text)));
      }
    if (parts == 0) return std::nullopt;
    sum_ += best;
    ++counted_;
    return best;
  }

  double total() const override { return counted_ == 0 ? 0 : sum_ / static_cast<double>(counted_); }

  std::string signature() const override {
    return fmt::format("nrefs:{}|case:lc|tok:{}|stem:no{}{}", golden_.size(),
                       tokenizer_ == Tokenizer::none ? "rouge" : to_string(tokenizer_),
                       unreadable_ > 0 ? fmt::format("|unreadable:{}", unreadable_) : "",
                       long_ > 0 ? fmt::format("|long:{}", long_) : "");
  }

 private:
  void read(std::string_view actual, std::span<const std::string_view> golden) {
    actual_.read(actual);
    std::size_t most = actual_.size();
    for (std::size_t i = 0; i < golden.size(); ++i) {
      golden_[i].read(golden[i]);
      most += golden_[i].size();
    }
    unreadable_ += std::ranges::all_of(golden_, &RougeText::is_unreadable) ? 1 : 0;
    words_.start(most);
    actual_.number(words_);
    for (RougeText& text : golden_) text.number(words_);
  }

  std::int64_t parts_of(const RougeText& text) const {
    return std::max<std::int64_t>(0, static_cast<std::int64_t>(text.size()) - order_ + 1);
  }

  static double f_measure(std::int64_t hits, std::int64_t of_actual, std::int64_t of_golden) {
    if (hits == 0) return 0;
    const double precision = static_cast<double>(hits) / static_cast<double>(of_actual);
    const double recall = static_cast<double>(hits) / static_cast<double>(of_golden);
    return 2 * precision * recall / (precision + recall);
  }

  std::int64_t hits(const RougeText& golden) {
    switch (kind_) {
      case RougeKind::ngrams:
        return ngram_hits(golden);
      case RougeKind::sequence:
        return sequence_hits(golden);
      case RougeKind::summary:
        break;
    }
    const auto cells = static_cast<std::int64_t>(golden.size()) * static_cast<std::int64_t>(actual_.size());
    if (golden.sentences() <= 1 && actual_.sentences() <= 1) return sequence_hits(golden);
    if (cells <= most_table_cells) return summary_hits(golden);
    ++long_;
    return sequence_hits(golden);
  }

  std::int64_t ngram_hits(const RougeText& golden) {
    std::array<std::int64_t, 2> matches{};
    ngrams_.start(words_.count(), golden.size() * static_cast<std::size_t>(order_ - 1));
    ngrams_.count(golden.numbers(), order_, 1);
    ngrams_.match(actual_.numbers(), order_, matches.data());
    return matches[static_cast<std::size_t>(order_ - 1)];
  }

  std::int64_t sequence_hits(const RougeText& golden) {
    const Distance common = comparison_.common(golden.numbers(), actual_.numbers(), words_.count());
    long_ += common.is_exact ? 0 : 1;
    return common.value;
  }

  // A token counts at most as often as it stands on either side.
  std::int64_t summary_hits(const RougeText& golden) {
    left_.assign(words_.count(), {});
    for (const std::uint32_t token : golden.numbers()) ++left_[token].golden;
    for (const std::uint32_t token : actual_.numbers()) ++left_[token].actual;
    std::int64_t hits = 0;
    for (std::size_t i = 0; i < golden.sentences(); ++i) {
      const Items sentence = golden.sentence(i);
      union_.start(sentence.size());
      for (std::size_t k = 0; k < actual_.sentences(); ++k) union_.add(sentence, actual_.sentence(k));
      for (std::size_t at = 0; at < sentence.size(); ++at) {
        Left& left = left_[sentence[at]];
        if (!union_.holds(at) || left.golden == 0 || left.actual == 0) continue;
        --left.golden, --left.actual, ++hits;
      }
    }
    return hits;
  }

  struct Left {
    std::int64_t golden = 0, actual = 0;
  };

  Tokenizer tokenizer_;
  RougeKind kind_;
  int order_;
  RougeText actual_;
  std::vector<RougeText> golden_;
  TokenNumbers words_;
  NgramCounts ngrams_;
  SequenceComparison comparison_;
  SequenceUnion union_;
  std::vector<Left> left_;
  double sum_ = 0;
  std::int64_t counted_ = 0, unreadable_ = 0, long_ = 0;
};

}  // namespace

std::unique_ptr<TextScorer> make_rouge1_scorer(const TextOptions& options, std::size_t golden_files) {
  return std::make_unique<RougeScorer>(options, golden_files, RougeKind::ngrams, 1);
}

std::unique_ptr<TextScorer> make_rouge2_scorer(const TextOptions& options, std::size_t golden_files) {
  return std::make_unique<RougeScorer>(options, golden_files, RougeKind::ngrams, 2);
}

std::unique_ptr<TextScorer> make_rouge_sequence_scorer(const TextOptions& options, std::size_t golden_files) {
  return std::make_unique<RougeScorer>(options, golden_files, RougeKind::sequence, 1);
}

std::unique_ptr<TextScorer> make_rouge_summary_scorer(const TextOptions& options, std::size_t golden_files) {
  return std::make_unique<RougeScorer>(options, golden_files, RougeKind::summary, 1);
}

}  // namespace gate::score
