// Metrics of gate.toml with patterns of their own.
#pragma once

#include <re2/re2.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extract/clean_line.h"
#include "extract/literal_windows.h"
#include "extract/simple_pattern.h"
#include "gate/base/result.h"
#include "gate/base/text.h"
#include "gate/extract/extractor.h"

namespace gate::extract {

class PatternReader {
 public:
  // Fails if RE2 refuses the pattern, or it lacks the group `value`.
  static Result<PatternReader> make(const UserPattern& pattern);

  // Begin to read a line, whose text stays where it is.
  void begin(const CleanLine& line);

  // The same, where it is known in which places the literal stands that each match begins with.
  void begin(const CleanLine& line, std::span<const LiteralPlace> places);

  // Return a record for the next match that begins in the line, up to 64: a line that holds more is no log
  // line. nullptr: there is none. It stands until the next call.
  const Record* next();

  // Tell whether each match begins with the only one of literals(): then it helps to know where that stands.
  bool begins_with_literal() const { return literals_.size() == 1 && to_lower(beginning_) == literals_[0]; }

  // Return literals of which every line that holds a match holds one, with its letters in any case; nothing
  // where there are none: each line must be tried.
  const std::vector<std::string>& literals() const { return literals_; }

  // Return why reading with the pattern takes long, or "".
  std::string why_slow() const;

  const std::string& name() const { return *name_; }  // `pattern.reward`
  std::int64_t matches() const { return matches_; }

 private:
  PatternReader() = default;
  int count() const { return static_cast<int>(groups_.size()); }
  std::optional<bool> match(std::size_t at);
  bool find();
  std::size_t find_beginning(std::size_t at);
  const Record& to_record();

  std::unique_ptr<RE2> regex_;
  std::unique_ptr<std::string> name_;  // in one place for good: the row's views point into it
  std::unique_ptr<FieldRow> row_;
  std::string origin_;                   // as messages call the pattern
  std::optional<SimplePattern> simple_;  // where it is such a one
  std::string beginning_;                // of every match, as far as it is known
  std::vector<std::string> literals_;
  std::vector<re2::StringPiece> groups_;  // of the match that was found last
  Record record_;
  std::string_view text_;                                // the line at hand
  std::size_t own_ = 0;                                  // of it, where matches may begin
  std::size_t at_ = 0;                                   // where the next one is looked for
  int matched_ = 0;                                      // on it
  std::optional<std::span<const LiteralPlace>> places_;  // those that are not passed yet
  std::size_t value_ = 0;                                // group numbers; 0 is absent
  std::size_t step_ = 0;
  std::size_t rank_ = 0;
  std::int64_t matches_ = 0;
};

}  // namespace gate::extract
