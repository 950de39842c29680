#include <algorithm>

#include <fmt/format.h>

#include "score/code_points.h"
#include "score/edit_distance.h"
#include "score/hashed.h"
#include "score/line_scorer.h"
#include "score/scorers.h"
#include "score/tokens.h"

namespace gate::score {

namespace {

std::string plain_signature(std::size_t golden_files, bool lowercase, std::string_view further) {
  return fmt::format("nrefs:{}|case:{}{}", golden_files, lowercase ? "lc" : "mixed", further);
}

std::string lower_case_text(std::string_view line) {
  std::string valid, lower;
  append_lower_case(lower, replace_invalid(line, valid));
  return lower;
}

class ExactMatchScorer : public LineScorer {
 public:
  ExactMatchScorer(const TextOptions& options, std::size_t golden_files)
      : LineScorer(options), lowercase_(options.lowercase), golden_files_(golden_files) {}

 protected:
  std::optional<double> add_line(std::string_view actual, std::span<const std::string_view> golden,
                                 bool is_same) override {
    const auto is_equal = [&](std::string_view line) {
      return lower_case_text(line) == lower_case_text(actual);
    };
    const bool matches = is_same || (lowercase_ && std::ranges::any_of(golden, is_equal));
    matching_ += matches ? 1 : 0;
    return matches ? 1 : 0;
  }

  double total() const override { return static_cast<double>(matching_) / static_cast<double>(lines()); }
  std::string signature() const override { return plain_signature(golden_files_, lowercase_, ""); }

 private:
  bool lowercase_;
  std::size_t golden_files_;
  std::int64_t matching_ = 0;
};

// Code points from the start of the text to the first that differs from every golden text. Each is followed
// until it differs.
class FirstDivergenceScorer : public LineScorer {
 public:
  FirstDivergenceScorer(const TextOptions& options, std::size_t golden_files)
      : LineScorer(options), is_alike_(golden_files, true) {}

 protected:
  std::optional<double> add_line(std::string_view actual, std::span<const std::string_view> golden,
                                 bool) override {
    std::int64_t farthest = 0, in_line = 0;
    for (std::size_t i = 0; i < golden.size(); ++i) {
      const bool is_same = golden[i] == actual;
      const std::int64_t alike = is_same ? count_code_points(actual) + 1 : common_start(actual, golden[i]);
      in_line = std::max(in_line, alike);
      if (is_alike_[i]) farthest = std::max(farthest, alike);
      is_alike_[i] = is_alike_[i] && is_same;
    }
    alike_ += farthest;
    return static_cast<double>(in_line);
  }

  double total() const override { return static_cast<double>(alike_); }
  std::string signature() const override { return fmt::format("nrefs:{}|unit:char", is_alike_.size()); }

 private:
  std::vector<bool> is_alike_;
  std::int64_t alike_ = 0;
};

// A line as numbers of its characters, or of its words.
class EditScorer : public LineScorer {
 public:
  EditScorer(const TextOptions& options, std::size_t golden_files, bool by_words)
      : LineScorer(options),
        by_words_(by_words),
        lowercase_(options.lowercase),
        tokenizer_(options.tokenizer == Tokenizer::automatic ? Tokenizer::none : options.tokenizer),
        tokenizers_(golden_files + 1, LineTokenizer(tokenizer_, lowercase_)),
        numbers_(golden_files + 1) {}

 protected:
  // What one golden line tells: edits, and the lengths of both.
  struct Edits {
    std::int64_t count = 0, actual = 0, golden = 0;
  };

  void read(std::string_view actual, std::span<const std::string_view> golden) {
    if (by_words_)
      read_words(actual, golden);
    else
      read_characters(actual, golden);
  }

  Edits edits(std::size_t golden) {
    const Distance distance = comparison_.distance(numbers_[golden], numbers_.back(), kinds_);
    long_ += distance.is_exact ? 0 : 1;
    return {distance.value, std::ssize(numbers_.back()), std::ssize(numbers_[golden])};
  }

  std::int64_t length_of(std::string_view line) {
    if (by_words_) return std::ssize(tokenizers_.back().split(line));
    return count_code_points(lowercase_ ? lower_case_text(line) : line);
  }

  std::string signature() const override {
    return plain_signature(
        numbers_.size() - 1, lowercase_,
        fmt::format("|unit:{}{}", by_words_ ? fmt::format("word|tok:{}", to_string(tokenizer_)) : "char",
                    long_ > 0 ? fmt::format("|long:{}", long_) : ""));
  }

 private:
  void read_words(std::string_view actual, std::span<const std::string_view> golden) {
    std::size_t most = tokenizers_.back().split(actual).size();
    for (std::size_t i = 0; i < golden.size(); ++i) most += tokenizers_[i].split(golden[i]).size();
    words_.start(most);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      numbers_[i].clear();
      for (const std::string_view token : tokenizers_[i].tokens())
        numbers_[i].push_back(words_.number_of(token, tokenizers_[i].end()));
    }
    kinds_ = words_.count();
  }

  void read_characters(std::string_view actual, std::span<const std::string_view> golden) {
    decoded_.resize(numbers_.size());
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const std::string_view line = i < golden.size() ? golden[i] : actual;
      decode(lowercase_ ? lower_case_text(line) : line, decoded_[i]);
    }
    characters_.start();
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      numbers_[i].clear();
      for (const char32_t character : decoded_[i]) numbers_[i].push_back(characters_.number_of(character));
    }
    kinds_ = characters_.count();
  }

  bool by_words_, lowercase_;
  Tokenizer tokenizer_;
  std::vector<LineTokenizer> tokenizers_;  // of each golden file, and of the lines; as are the next two
  std::vector<std::vector<std::uint32_t>> numbers_;
  std::vector<std::vector<char32_t>> decoded_;
  CodePointNumbers characters_;
  TokenNumbers words_;
  std::size_t kinds_ = 0;
  SequenceComparison comparison_;
  std::int64_t long_ = 0;
};

class EditSimilarityScorer : public EditScorer {
 public:
  EditSimilarityScorer(const TextOptions& options, std::size_t golden_files)
      : EditScorer(options, golden_files, false) {}

 protected:
  std::optional<double> add_line(std::string_view actual, std::span<const std::string_view> golden,
                                 bool is_same) override {
    double best = is_same ? 1 : 0;
    if (!is_same) {
      read(actual, golden);
      for (std::size_t i = 0; i < golden.size(); ++i) best = std::max(best, similarity(edits(i)));
    }
    sum_ += best;
    return best;
  }

  double total() const override { return sum_ / static_cast<double>(lines()); }

 private:
  static double similarity(const Edits& edits) {
    const std::int64_t longest = std::max(edits.actual, edits.golden);
    return longest == 0 ? 1 : 1 - static_cast<double>(edits.count) / static_cast<double>(longest);
  }

  double sum_ = 0;
};

class ErrorRateScorer : public EditScorer {
 public:
  using EditScorer::EditScorer;

 protected:
  std::optional<double> add_line(std::string_view actual, std::span<const std::string_view> golden,
                                 bool is_same) override {
    Edits best;
    if (is_same) {
      best.golden = length_of(actual);
    } else {
      read(actual, golden);
      best = edits(0);
      for (std::size_t i = 1; i < golden.size(); ++i)
        if (const Edits next = edits(i); rate(next) < rate(best)) best = next;
    }
    sum_.count += best.count;
    sum_.golden += best.golden;
    return rate(best);
  }

  double total() const override { return rate(sum_); }

 private:
  static double rate(const Edits& edits) {
    if (edits.golden == 0) return edits.count > 0 ? 1 : 0;
    return static_cast<double>(edits.count) / static_cast<double>(edits.golden);
  }

  Edits sum_;
};

}  // namespace

std::unique_ptr<TextScorer> make_exact_match_scorer(const TextOptions& options, std::size_t golden_files) {
  return std::make_unique<ExactMatchScorer>(options, golden_files);
}

std::unique_ptr<TextScorer> make_first_divergence_scorer(const TextOptions& options,
                                                         std::size_t golden_files) {
  return std::make_unique<FirstDivergenceScorer>(options, golden_files);
}

std::unique_ptr<TextScorer> make_edit_similarity_scorer(const TextOptions& options,
                                                        std::size_t golden_files) {
  return std::make_unique<EditSimilarityScorer>(options, golden_files);
}

std::unique_ptr<TextScorer> make_character_error_scorer(const TextOptions& options,
                                                        std::size_t golden_files) {
  return std::make_unique<ErrorRateScorer>(options, golden_files, false);
}

std::unique_ptr<TextScorer> make_word_error_scorer(const TextOptions& options, std::size_t golden_files) {
  return std::make_unique<ErrorRateScorer>(options, golden_files, true);
}

}  // namespace gate::score
