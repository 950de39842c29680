#include "extract/stretch_reader.h"

#include <utility>

#include "extract/scan/line_splitter.h"
#include "extract/scan/prefix.h"

namespace gate::extract {

InColumns in_columns(const PatternReader& pattern, Numbering numbered) {
  if (pattern.has_rank()) return InColumns::none;
  if (pattern.has_step()) return numbered == Numbering::step ? InColumns::stepped : InColumns::none;
  return numbered == Numbering::report ? InColumns::counted : InColumns::none;
}

StretchReader::StretchReader(const LineReaders& readers, const std::vector<PatternReader>& patterns,
                             const std::vector<InColumns>& numbered)
    : readers_(readers), numbered_(numbered) {
  for (const PatternReader& pattern : patterns) {
    patterns_.push_back(pattern.fresh());
    plain_.push_back(is_plain(pattern.row()));
  }
}

void StretchReader::read(std::string_view block, ScanResult& result) {
  result.newlines = readers_.find_lines(block, [&](const FoundLine& found, const LiteralHits& wanted) {
    add_line(block, found, wanted, result);
  });
  end_stretch(result);
}

void StretchReader::add_line(std::string_view block, const FoundLine& found, const LiteralHits& wanted,
                             ScanResult& result) {
  const bool whole = found.begin > 0 && found.end < block.size();
  const std::string_view text = block.substr(found.begin, found.end - found.begin);
  ColumnSlots* const slots = whole ? read_line(text, found.before, wanted) : nullptr;
  const Way where = slots == nullptr ? Way::nowhere : way(*slots);
  if (where != Way::up) end_stretch(result);
  if (where == Way::nowhere) return result.lines.push_back(found);
  if (!open_) open_ = found;
  open_->end = found.end;
  stretch_.newlines = found.before - open_->before;
  for (LineValue& value : values()) store(value, (*slots)[value.pattern]);
}

// Returns the slots of its source; nullptr where the line must be read by itself. One with escape sequences
// is wanted by others, too.
StretchReader::ColumnSlots* StretchReader::read_line(std::string_view line, std::int64_t number,
                                                     const LiteralHits& wanted) {
  const std::optional<std::string_view> whole = whole_line(line);
  if (!whole || !readers_.are_patterns(wanted.readers)) return nullptr;
  line_.text = *whole;
  line_.own = whole->size();
  line_.place.line = static_cast<std::uint32_t>(number);
  const Prefix prefix = parse_prefix(*whole);
  line_.outer = prefix.outer;
  line_.source = prefix.source;
  if (!readers_.are_patterns(readers_.behind_prefix(line_))) return nullptr;
  count_ = 0;
  bool unusual = false;
  read_patterns(patterns_, readers_, line_, wanted, [&](std::size_t pattern, const Record& record) {
    unusual = unusual || !add(pattern, record, line_.place.line);
  });
  if (unusual) return nullptr;
  ColumnSlots& slots = slots_[line_.source];
  slots.resize(patterns_.size());
  return &slots;
}

// Add a value of the line. Returns false if anything about it is unusual.
bool StretchReader::add(std::size_t pattern, const Record& record, std::uint32_t line) {
  const InColumns numbered = numbered_[pattern];
  const bool stepped = record.number.has_value();
  if (numbered != (stepped ? InColumns::stepped : InColumns::counted) || !record.faults.empty()) return false;
  if (values_.size() == count_) values_.emplace_back();
  LineValue& value = values_[count_];
  const LineValue* const before = stepped && count_ > 0 ? &values_[count_ - 1] : nullptr;
  if (before && before->pattern == pattern && before->sample.number >= *record.number) return false;
  ++count_;
  value.pattern = pattern;
  value.sample.number = stepped ? *record.number : 0;
  value.sample.line = line;
  const Field& field = record.fields[0];
  return plain_[pattern] ? read_plain(field.word, value.sample) : read_plain(field, value.sample);
}

// Tell whether the steps on the line are above those before it, or below; nowhere where one is printed again.
StretchReader::Way StretchReader::way(const ColumnSlots& slots) {
  Way where = Way::up;
  for (const LineValue& value : values()) {
    const std::optional<std::int64_t>& last = slots[value.pattern].last;
    if (!last || numbered_[value.pattern] == InColumns::counted) continue;
    if (value.sample.number == *last) return Way::nowhere;
    if (value.sample.number < *last) where = Way::down;
  }
  return where;
}

void StretchReader::store(LineValue& value, ColumnSlot& slot) {
  if (slot.stretch != stretches_) {
    slot = {stretches_, stretch_.columns.size()};
    stretch_.columns.push_back({value.pattern, line_.source, numbered_[value.pattern] == InColumns::stepped});
  }
  StretchColumn& column = stretch_.columns[slot.column];
  if (!column.numbered) value.sample.number = static_cast<std::int64_t>(column.samples.size()) + 1;
  slot.last = value.sample.number;
  column.last = ++stretch_.records;
  column.last_line = line_.text;
  if (column.samples.empty()) column.first = column.last, column.first_line = line_.text;
  column.samples.append(value.sample);
}

void StretchReader::end_stretch(ScanResult& result) {
  if (!open_) return;
  open_->stretch = result.stretches.size();
  result.lines.push_back(*open_);
  result.stretches.push_back(std::exchange(stretch_, {}));
  open_.reset();
  ++stretches_;
}

}  // namespace gate::extract
