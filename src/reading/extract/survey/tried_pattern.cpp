#include "extract/survey/tried_pattern.h"

#include "extract/scan/number_word.h"
#include "gate/extract/survey.h"

namespace gate::extract {

TriedPattern::TriedPattern(const std::string& pattern) : is_thousands_(reads_thousands(pattern)) {
  UserPattern tried;
  tried.metric = "tried";
  tried.regex = pattern;
  tried.thousands = reads_thousands(pattern);
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
  found.value = parse_word(found.word, is_thousands_ ? Thousands::expected : Thousands::plain);
  if (!found.value) return std::nullopt;
  return found;
}

bool reads_thousands(const std::string& pattern) {
  return pattern.find(R"([-+.\w]|,\d)") != std::string::npos;
}

}  // namespace gate::extract
