// Metrics of gate.toml with patterns of their own.
#pragma once

#include <re2/re2.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extract/records/record.h"
#include "extract/records/usual_ending.h"
#include "extract/scan/literal_windows.h"
#include "extract/scan/word_pattern.h"
#include "gate/base/result.h"
#include "gate/base/text.h"
#include "gate/extract/extractor.h"
#include "gate/extract/scan_result.h"

namespace gate::extract {

// Return why RE2 refused the pattern: its reason, and below it the pattern with a caret under the place. The
// caret is left out if the place is not known, and for a pattern of more than 400 bytes, which is cut.
std::string refusal_text(const RE2& regex);

// Return literals of which every text that the pattern matches holds at least one, with its ASCII letters in
// any case: as few and as long ones as are found. Nothing if the pattern demands none of two characters or
// more: `\d+`, `a|b`. Letters are small ones.
std::vector<std::string> required_literals(const std::string& pattern);

// How many steps an epoch counts as where the pattern has no group `each`.
inline constexpr std::int64_t steps_of_unknown_epoch = 1'000'000;

class PatternReader {
 public:
  // Fails if RE2 refuses the pattern, or it lacks the group `value`.
  static Result<PatternReader> make(const UserPattern& pattern);

  // Return a reader of the same pattern that has read nothing. Thread-safe.
  PatternReader fresh() const { return PatternReader(pattern_); }

  // Begin to read a line, whose text stays where it is; `places` are those of the literal that each match
  // begins with, if they are known.
  void begin(const CleanLine& line, std::optional<std::span<const LiteralPlace>> places = std::nullopt);

  // Return a record for the next match that begins in the line, up to 64: a line that holds more is no log
  // line. nullptr: there is none. It stands until the next call.
  const Record* next();

  // Call on_record(record) for each of these, of a line of which the places of the literal are known. Most
  // patterns are a literal and a word, which takes a handful of steps.
  template <class OnRecord>
  void read(const CleanLine& line, std::span<const LiteralPlace> places, const OnRecord& on_record);

  // Note how a value ends that is whole, and its step.
  void note_ending(std::string_view word, const std::optional<std::int64_t>& step);
  void note_ending(const StretchColumn& column);  // likewise of all its values

  // Tell whether the end of the text, where its file ends, may have cut off the value or the step of the
  // record, which next() or read() told last: the value ends otherwise than the others, or the step is not
  // the next one.
  bool may_be_cut(const Record& record, std::string_view text) const;

  // Tell whether each match begins with the only one of literals(): then it helps to know where that stands.
  bool begins_with_literal() const;

  // Return literals of which every line that holds a match holds one, with its letters in any case; nothing
  // if there are none: each line must be tried.
  const std::vector<std::string>& literals() const { return pattern_->literals; }

  // Return why reading with the pattern takes long, or "".
  Sentence why_slow() const;

  const std::string& name() const { return pattern_->name; }  // `pattern.reward`
  const FieldRow& row() const { return pattern_->row; }       // what each record's only field is
  bool has_step() const { return pattern_->step != 0; }
  bool has_rank() const { return pattern_->rank != 0; }
  std::int64_t matches() const { return matches_; }
  void count_matches(std::size_t more) { matches_ += static_cast<std::int64_t>(more); }

 private:
  // What all readers of the pattern share. It stays in one place: the row's views point into it.
  struct CompiledPattern {
    explicit CompiledPattern(const UserPattern& pattern);

    RE2 regex;
    std::string name;
    FieldRow row;
    std::string origin;               // as messages call the pattern
    std::optional<WordPattern> word;  // if it is such a one
    std::string beginning;            // of every match, as far as it is known
    std::vector<std::string> literals;
    std::size_t value = 0;  // group numbers; 0 is absent
    std::size_t step = 0;
    std::size_t rank = 0;
    std::size_t epoch = 0, nth_epoch = 0, each = 0;
  };

  static constexpr int most_matches = 64;

  explicit PatternReader(std::shared_ptr<const CompiledPattern> pattern);
  int count() const { return static_cast<int>(groups_.size()); }
  bool match(std::size_t from, RE2::Anchor anchor);
  bool find();
  std::size_t find_beginning(std::size_t at);
  const Record& to_record();
  void read_epoch();

  std::shared_ptr<const CompiledPattern> pattern_;
  std::vector<re2::StringPiece> groups_;  // of the match that was found last
  Record record_;
  std::string_view text_;                                // the line at hand
  std::size_t own_ = 0;                                  // of it, where matches may begin
  std::size_t at_ = 0;                                   // where the next one is looked for
  int matched_ = 0;                                      // on it
  std::optional<std::span<const LiteralPlace>> places_;  // those that are not passed yet
  std::int64_t matches_ = 0;
  UsualEnding ending_;
  std::optional<std::int64_t> last_step_;
  std::int64_t stride_ = 0;  // the longest between two steps
};

template <class OnRecord>
void PatternReader::read(const CleanLine& line, std::span<const LiteralPlace> places,
                         const OnRecord& on_record) {
  if (!pattern_->word) {
    begin(line, places);
    while (const Record* record = next()) on_record(*record);
    return;
  }
  std::size_t next = 0;
  int matched = 0;
  for (const LiteralPlace& place : places) {
    if (place.at < next) continue;
    if (place.at >= line.own || matched == most_matches) break;
    const std::string_view word = pattern_->word->word_at(line.text, place.at);
    if (word.data() == nullptr) continue;
    next = static_cast<std::size_t>(word.data() + word.size() - line.text.data());
    ++matched;
    record_.fields[0].word = word;
    on_record(std::as_const(record_));
  }
  matches_ += matched;
}

}  // namespace gate::extract
