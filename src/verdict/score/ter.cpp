#include "score/ter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <fmt/format.h>

#include "score/code_points.h"
#include "score/hashed.h"
#include "score/line_scorer.h"
#include "score/scorers.h"
#include "score/tokens.h"

namespace gate::score {

namespace {

constexpr std::int64_t most_moved_words = 10;
constexpr std::int64_t most_moved_distance = 50;
constexpr std::int64_t most_moves_checked = 1000;
constexpr std::int64_t least_beam = 25;
constexpr std::int32_t unreached = 1 << 30;

class TerScorer : public LineScorer {
 public:
  TerScorer(const TextOptions& options, std::size_t golden_files)
      : LineScorer(options), tokenizers_(golden_files + 1, LineTokenizer(Tokenizer::none, true)) {}

 protected:
  std::optional<double> add_line(std::string_view actual, std::span<const std::string_view> golden,
                                 bool is_same) override {
    std::size_t most = tokenizers_.back().split(actual).size(), lengths = 0;
    for (std::size_t i = 0; i < golden.size(); ++i) lengths += tokenizers_[i].split(golden[i]).size();
    const double length = static_cast<double>(lengths) / static_cast<double>(golden.size());
    std::int64_t fewest = is_same ? 0 : std::numeric_limits<std::int64_t>::max();
    if (!is_same) {
      words_.start(most + lengths);
      read_numbers(tokenizers_.back(), actual_);
      for (std::size_t i = 0; i < golden.size(); ++i) {
        read_numbers(tokenizers_[i], golden_);
        fewest = std::min(fewest, edits());
      }
    }
    edits_ += fewest;
    length_ += length;
    return rate(fewest, length);
  }

  double total() const override { return rate(edits_, length_); }

  std::string signature() const override {
    const std::string without = unshifted_ > 0 ? fmt::format("|unshifted:{}", unshifted_) : "";
    return fmt::format("nrefs:{}|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0{}",
                       tokenizers_.size() - 1, without);
  }

 private:
  static double rate(std::int64_t edits, double length) {
    return length > 0 ? static_cast<double>(edits) / length : edits > 0 ? 1 : 0;
  }

  void read_numbers(const LineTokenizer& tokenizer, std::vector<std::uint32_t>& numbers) {
    numbers.clear();
    for (const std::string_view token : tokenizer.tokens())
      numbers.push_back(words_.number_of(token, tokenizer.end()));
  }

  std::int64_t edits() {
    if (std::max(actual_.size(), golden_.size()) <= ShiftedEdits::most_words)
      return shifted_.count(actual_, golden_);
    ++unshifted_;
    return comparison_.distance(actual_, golden_, words_.count()).value;
  }

  std::vector<LineTokenizer> tokenizers_;  // of each golden file, and of the lines
  TokenNumbers words_;
  std::vector<std::uint32_t> actual_, golden_;
  ShiftedEdits shifted_;
  SequenceComparison comparison_;
  std::int64_t edits_ = 0, unshifted_ = 0;
  double length_ = 0;
};

}  // namespace

std::int64_t ShiftedEdits::count(std::span<const std::uint32_t> words,
                                 std::span<const std::uint32_t> golden) {
  if (golden.empty()) return std::ssize(words);
  words_.assign(words.begin(), words.end());
  golden_ = golden;
  checked_ = 0;
  set_beam();
  for (std::int64_t moves = 0;; ++moves) {
    distance_ = fill_table();
    const Move best = find_move();
    if (checked_ >= most_moves_checked || best.gain <= 0) return moves + distance_;
    moved_words(best, 0, std::ssize(words_), moved_);
    std::swap(words_, moved_);
  }
}

// The beam follows the diagonal of the table; the last row goes on to its end.
void ShiftedEdits::set_beam() {
  const std::int64_t rows = std::ssize(words_), columns = std::ssize(golden_) + 1;
  const double ratio = rows == 0 ? 1 : static_cast<double>(golden_.size()) / static_cast<double>(rows);
  const std::int64_t beam =
      least_beam < ratio / 2 ? static_cast<std::int64_t>(std::ceil(ratio / 2 + least_beam)) : least_beam;
  rows_.assign(1, {0, columns, 0});
  auto place = static_cast<std::size_t>(columns);
  for (std::int64_t i = 1; i <= rows; ++i) {
    const auto diagonal = static_cast<std::int64_t>(std::floor(static_cast<double>(i) * ratio));
    const std::int64_t begin = std::max<std::int64_t>(0, diagonal - beam);
    const std::int64_t end = i == rows ? columns : std::min(columns, diagonal + beam);
    rows_.push_back({begin, end, place});
    place += static_cast<std::size_t>(end - begin);
  }
  values_.resize(place);
  edits_.resize(place);
  for (std::int64_t j = 0; j < columns; ++j) {
    values_[static_cast<std::size_t>(j)] = static_cast<std::int32_t>(j);
    edits_[static_cast<std::size_t>(j)] = Edit::insert;
  }
}

void ShiftedEdits::fill_row(const Row& above, const std::int32_t* values_above, const Row& row,
                            std::int32_t* values, Edit* edits, std::uint32_t word) const {
  const auto value_above = [&](std::int64_t j) {
    return j < above.begin || j >= above.end ? unreached : values_above[j - above.begin];
  };
  for (std::int64_t j = row.begin; j < row.end; ++j) {
    std::int32_t value = unreached;
    Edit edit = Edit::none;
    const auto offer = [&](std::int32_t offered, Edit by) {
      if (offered < value) value = offered, edit = by;
    };
    if (j > 0) {
      const bool is_same = word == golden_[static_cast<std::size_t>(j - 1)];
      offer(value_above(j - 1) + (is_same ? 0 : 1), is_same ? Edit::keep : Edit::replace);
    }
    offer(value_above(j) + 1, Edit::remove);
    if (j > row.begin) offer(values[j - 1 - row.begin] + 1, Edit::insert);
    values[j - row.begin] = value;
    if (edits != nullptr) edits[j - row.begin] = edit;
  }
}

std::int64_t ShiftedEdits::fill_table() {
  for (std::size_t i = 1; i < rows_.size(); ++i)
    fill_row(rows_[i - 1], &values_[rows_[i - 1].place], rows_[i], &values_[rows_[i].place],
             &edits_[rows_[i].place], words_[i - 1]);
  return values_.back();
}

// Follow the way through the table back from its end.
void ShiftedEdits::align() {
  aligned_.assign(golden_.size(), 0);
  errors_.assign(words_.size() + 1, 0);
  golden_errors_.assign(golden_.size() + 1, 0);
  auto i = words_.size(), j = golden_.size();
  while (i > 0 || j > 0) {
    const Row& row = rows_[i];
    const Edit edit = edits_[row.place + j - static_cast<std::size_t>(row.begin)];
    const bool is_error = edit != Edit::keep;
    if (edit != Edit::remove) {
      aligned_[j - 1] = static_cast<std::int64_t>(i) - 1;
      golden_errors_[j] = is_error ? 1 : 0;
      --j;
    }
    if (edit != Edit::insert) {
      errors_[i] = is_error ? 1 : 0;
      --i;
    }
  }
  for (std::size_t k = 1; k < errors_.size(); ++k) errors_[k] += errors_[k - 1];
  for (std::size_t k = 1; k < golden_errors_.size(); ++k) golden_errors_[k] += golden_errors_[k - 1];
}

bool ShiftedEdits::has_error(const std::vector<std::int64_t>& errors, std::int64_t start,
                             std::int64_t length) const {
  return errors[static_cast<std::size_t>(start + length)] > errors[static_cast<std::size_t>(start)];
}

// Return the move that saves most edits; of several the longest, earliest, with the earliest target. One of
// no words where there is none.
ShiftedEdits::Move ShiftedEdits::find_move() {
  align();
  Move best;
  const std::int64_t words = std::ssize(words_), golden = std::ssize(golden_);
  for (std::int64_t start = 0; start < words; ++start) {
    const std::int64_t last = std::min(golden - 1, start + most_moved_distance);
    for (std::int64_t at = std::max<std::int64_t>(0, start - most_moved_distance); at <= last; ++at)
      for (std::int64_t length = 1;
           length <= most_moved_words && start + length <= words && at + length <= golden; ++length) {
        if (words_[static_cast<std::size_t>(start + length - 1)] !=
            golden_[static_cast<std::size_t>(at + length - 1)])
          break;
        if (!has_error(errors_, start, length) || !has_error(golden_errors_, at, length)) continue;
        const std::int64_t aligned = aligned_[static_cast<std::size_t>(at)];
        if (start <= aligned && aligned < start + length) continue;
        try_moves(start, at, length, best);
        if (checked_ >= most_moves_checked) return best;
      }
  }
  return best;
}

// Try the places before, in and behind the golden words, and keep the best move.
void ShiftedEdits::try_moves(std::int64_t start, std::int64_t golden_start, std::int64_t length, Move& best) {
  std::int64_t tried = -1;
  for (std::int64_t at = golden_start - 1; at < golden_start + length; ++at) {
    const std::int64_t target = at < 0 ? 0 : aligned_[static_cast<std::size_t>(at)] + 1;
    if (target == tried) continue;
    tried = target;
    Move move{0, length, start, target};
    move.gain = distance_ - distance_after(move);
    const auto rank = [](const Move& m) { return std::tuple(m.gain, m.length, -m.start, -m.target); };
    ++checked_;
    if (best.length == 0 || rank(move) > rank(best)) best = move;
  }
}

// Set `out` to words [begin, end) of those that the move makes.
void ShiftedEdits::moved_words(const Move& move, std::int64_t begin, std::int64_t end,
                               std::vector<std::uint32_t>& out) const {
  const std::int64_t stop = move.start + move.length;
  const std::int64_t to = move.target < move.start ? move.target
                          : move.target > stop     ? move.target - move.length
                                                   : std::min(move.target, std::ssize(words_) - move.length);
  out.clear();
  for (std::int64_t i = begin; i < end; ++i) {
    std::int64_t from = i;
    if (i >= to && i < to + move.length)
      from = move.start + i - to;
    else if (to < move.start && i >= to + move.length && i < stop)
      from = i - move.length;
    else if (to > move.start && i >= move.start && i < to)
      from = i + move.length;
    out.push_back(words_[static_cast<std::size_t>(from)]);
  }
}

// Return the edit distance after a move. Only the rows of words that are others are computed, and those
// behind them until one is the old row but for a constant: from there on both tables are alike.
std::int64_t ShiftedEdits::distance_after(const Move& move) {
  const std::int64_t words = std::ssize(words_), stop = move.start + move.length;
  const std::int64_t begin = std::min(move.start, move.target);
  const std::int64_t end =
      std::min(words, std::max(stop, move.target > stop         ? move.target
                                     : move.target < move.start ? stop
                                                                : move.target + move.length));
  moved_words(move, begin, end, moved_);
  const std::int32_t* above = &values_[rows_[static_cast<std::size_t>(begin)].place];
  for (std::int64_t i = begin; i < words; ++i) {
    const Row& row = rows_[static_cast<std::size_t>(i + 1)];
    std::vector<std::int32_t>& values = scratch_[i % 2];
    values.resize(static_cast<std::size_t>(row.end - row.begin));
    const std::uint32_t word =
        i < end ? moved_[static_cast<std::size_t>(i - begin)] : words_[static_cast<std::size_t>(i)];
    fill_row(rows_[static_cast<std::size_t>(i)], above, row, values.data(), nullptr, word);
    above = values.data();
    if (i + 1 < end) continue;
    const std::int32_t* old = &values_[row.place];
    const std::int32_t apart = values[0] - old[0];
    if (std::equal(values.begin(), values.end(), old,
                   [&](std::int32_t a, std::int32_t b) { return a - b == apart; }))
      return distance_ + apart;
  }
  return above[rows_.back().end - rows_.back().begin - 1];
}

std::unique_ptr<TextScorer> make_ter_scorer(const TextOptions& options, std::size_t golden_files) {
  return std::make_unique<TerScorer>(options, golden_files);
}

}  // namespace gate::score
