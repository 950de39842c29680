// Metrics of gate.toml with patterns of their own.
#pragma once

#include <re2/re2.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "extract/format_reader.h"
#include "gate/base/result.h"
#include "gate/extract/extractor.h"

namespace gate::extract {

class PatternReader {
 public:
  // Fails if RE2 refuses the pattern, or it lacks the group `value`.
  static Result<PatternReader> make(const UserPattern& pattern);

  // Hand over a record for each match that begins in the line, up to 64: a line that holds more is no log
  // line.
  void read(const CleanLine& line, const FormatReader::Take& take);

  const std::string& name() const { return *name_; }  // `pattern.reward`
  std::int64_t matches() const { return matches_; }

 private:
  PatternReader() = default;
  Record to_record(const std::vector<re2::StringPiece>& groups) const;

  std::unique_ptr<RE2> regex_;
  std::unique_ptr<std::string> name_;  // in one place for good: the row's views point into it
  std::unique_ptr<FieldRow> row_;
  std::size_t value_ = 0;  // group numbers; 0 is absent
  std::size_t step_ = 0;
  std::size_t rank_ = 0;
  std::int64_t matches_ = 0;
};

}  // namespace gate::extract
