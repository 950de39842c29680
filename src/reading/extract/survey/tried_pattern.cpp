#include "extract/survey/tried_pattern.h"

#include "extract/scan/number_word.h"

namespace gate::extract {

TriedPattern::TriedPattern(const std::string& pattern) {
  UserPattern tried;
  tried.metric = "tried";
  tried.regex = pattern;
  if (auto reader = PatternReader::make(tried)) reader_.emplace(std::move(*reader));
}

std::optional<TriedPattern::Found> TriedPattern::find(std::string_view line) {
  if (!reader_) return std::nullopt;
  CleanLine clean;
  clean.text = line;
  clean.own = line.size();
  reader_->begin(clean);
  const Record* const record = reader_->next();
  if (record == nullptr || !record->faults.empty()) return std::nullopt;
  Found found{record->fields[0].word, record->number, record->rank, {}};
  found.value = parse_word(found.word);
  if (!found.value) return std::nullopt;
  return found;
}

}  // namespace gate::extract
