#include "extract/format_reader.h"

#include <algorithm>
#include <utility>

#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr int most_tries = 8;
constexpr std::size_t longest_held = 4096;
constexpr std::size_t most_held = 256;

std::string quoted_end(std::string_view text) {
  constexpr std::size_t enough = 40;
  text = trim(text);
  if (text.size() > enough) text.remove_prefix(text.size() - enough);
  return "`" + printable(text) + "`";
}

bool is_head_of_record(std::string_view text) {
  return text.find('/') != std::string_view::npos || text.find("(after") != std::string_view::npos;
}

}  // namespace

FormatReader::FormatReader(const FormatSpec& format, ProblemLog& problems, Take take)
    : format_(&format), problems_(&problems), take_(std::move(take)), matches_(format.extractors.size(), 0) {}

void FormatReader::read(const CleanLine& line) {
  if (continue_held(line)) return;
  std::vector<Record> records;
  if (line.text.find(format_->literal) != std::string_view::npos) records = format_->scan(line.text);
  std::erase_if(records, [&](const Record& record) { return record.begin >= line.own; });
  if (records.empty()) return hold_head(line);
  let_go(line.outer);
  if (records.size() > 1) add_merged(records.size(), line.place);
  take_all(records, line);
}

bool FormatReader::continue_held(const CleanLine& line) {
  if (held_.empty()) return false;
  if (!line.outer.empty() && try_half(line.outer, line.text.substr(line.payload), line)) return true;
  return try_half("", line.text, line);
}

// Try the text as the other half of what is held under the prefix. Further records in it are the line's own.
bool FormatReader::try_half(std::string_view outer, std::string_view half, const CleanLine& line) {
  const auto it = held_.find(outer);
  if (it == held_.end()) return false;
  const std::string joined = it->second.text + std::string(half);
  const std::vector<Record> records = format_->scan(joined);
  if (makes_whole(records, joined, it->second.text.size())) {
    const Held held = std::move(it->second);
    held_.erase(it);
    take_joined(records, joined, held, line);
    return true;
  }
  if (++it->second.tries >= most_tries) let_go(outer);
  return false;
}

bool FormatReader::makes_whole(const std::vector<Record>& records, std::string_view joined,
                               std::size_t seam) const {
  return !records.empty() && records[0].begin == 0 && records[0].end > seam &&
         records[0].whole == Whole::whole && format_->joins(joined.substr(0, records[0].end), seam);
}

void FormatReader::take_joined(std::span<const Record> records, std::string_view joined, const Held& held,
                               const CleanLine& line) {
  problems_->add(ProblemKind::torn, held.place,
                 "one record over lines " + std::to_string(held.place.line) + " and " +
                     std::to_string(line.place.line) + ", put together");
  if (records.size() > 1) add_merged(records.size(), line.place);
  take(records[0], {held.place, held.source});
  CleanLine rest = line;
  rest.text = joined;
  take_all(records.subspan(1), rest);
}

// Take the records but a last one that the end of the line may have cut off.
void FormatReader::take_all(std::span<const Record> records, const CleanLine& line) {
  for (const Record& record : records) {
    const bool ends_line = record.end == line.text.size() && !line.cut_in_pieces;
    const std::string_view text = line.text.substr(record.begin);
    if (record.whole == Whole::whole || !ends_line || text.size() > longest_held)
      take(record, {line.place, line.source});
    else
      hold({std::string(text), std::string(line.source), line.place}, line.outer);
  }
}

// Only a launcher breaks lines anywhere; without its prefix a cut head is just text.
void FormatReader::hold_head(const CleanLine& line) {
  if (line.outer.empty() || line.cut_in_pieces || held_.contains(line.outer)) return;
  const std::size_t begin = format_->cut_head(line.text);
  if (begin == std::string_view::npos) return;
  hold({std::string(line.text.substr(begin)), std::string(line.source), line.place, Half::head}, line.outer);
}

void FormatReader::hold(Held held, std::string_view outer) {
  if (held_.size() >= most_held) end_file();
  held_[std::string(outer)] = std::move(held);
}

void FormatReader::let_go(std::string_view outer) {
  const auto it = held_.find(outer);
  if (it == held_.end()) return;
  const Held held = std::move(it->second);
  held_.erase(it);
  let_go_of(held);
}

void FormatReader::let_go_of(const Held& held) {
  if (held.half == Half::head) {
    if (is_head_of_record(held.text)) add_torn(held.text, held.place);
    return;
  }
  const std::vector<Record> records = format_->scan(held.text);
  if (!records.empty()) take(records[0], {held.place, held.source});
}

void FormatReader::end_file() {
  const std::map<std::string, Held, std::less<>> all = std::move(held_);
  held_.clear();
  for (const auto& [outer, held] : all) let_go_of(held);
}

void FormatReader::take(const Record& record, const Origin& origin) {
  ++matches_.at(record.extractor);
  if (record.whole == Whole::torn) add_torn(record.rest, origin.place);
  take_(record, origin);
}

void FormatReader::add_torn(std::string_view text, Place place) {
  problems_->add(ProblemKind::torn, place, "record cut off at " + quoted_end(text));
}

void FormatReader::add_merged(std::size_t count, Place place) {
  problems_->add(ProblemKind::merged, place, std::to_string(count) + " records on one line");
}

}  // namespace gate::extract
