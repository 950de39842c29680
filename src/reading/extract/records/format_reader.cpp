#include "extract/records/format_reader.h"

#include <algorithm>

#include "extract/scan/head_pattern.h"
#include "extract/scan/prefix.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr int most_head_tries = 8;
constexpr std::size_t longest_held = 4096;
constexpr std::size_t most_held = 256;

void set_shown(std::optional<std::int64_t> step, std::vector<Record>& records) {
  for (Record& record : records)
    if (record.counted && step) {
      record.number = step;
      record.counted = false;
    }
}

// Return what stands before the first number of a record that a word names, without blanks: `iteration` of
// `[2026-01-07 10:00:01] iteration       30/ 50`, `{'loss':` of `{'loss': 2.5}`.
std::string beginning_of(std::string_view record) {
  std::size_t begin = 0, letters = 0;
  for (std::size_t i = 0; i < record.size(); ++i) {
    if (is_letter_or_digit(record[i]) && !is_digit(record[i])) ++letters;
    if (!is_digit(record[i])) continue;
    if (letters >= 3) return std::string(trim(record.substr(begin, i - begin)));
    begin = i + 1;
    letters = 0;
  }
  return "";
}

// Return the line without the bars that another process drew in front of what is left of it. Its prefix may
// stand before them or behind.
CleanLine without_bars(CleanLine line, std::string_view rest) {
  const std::size_t bars = line.text.size() - rest.size();
  line.text = rest;
  line.own -= std::min(line.own, bars);
  line.payload = 0;
  if (!line.source.empty()) return line;
  const Prefix prefix = parse_prefix(rest);
  line.outer = prefix.outer;
  line.source = prefix.source;
  line.payload = prefix.payload;
  return line;
}

}  // namespace

bool holds_literal(std::span<const std::string_view> literals, std::string_view text) {
  return std::ranges::any_of(literals,
                             [&](std::string_view literal) { return find_text(text, literal) != npos; });
}

FormatReader::FormatReader(const FormatSpec& format, ProblemLog& problems, OnRecord on_record,
                           StepsOf steps_of)
    : format_(&format),
      problems_(&problems),
      on_record_(std::move(on_record)),
      matches_(format.extractors.size(), 0),
      joiner_(format.join_rules, [this](const CleanLine& line) { read_joined(line); }),
      bar_steps_(
          steps_of, [this](std::string_view line) { return look(line); },
          [this](const CleanLine& line) { joiner_.read(line); }),
      rows_(format.csv) {}

void FormatReader::hold_with(const FormatReader& other) {
  held_ = other.held_;
  outers_ = other.outers_;
  endings_ = other.endings_;
  beginning_ = other.beginning_;
  reports_ = other.reports_;
}

void FormatReader::count_with(const FormatReader& other) {
  if (is_like(other)) matches_ = other.matches_;
  steps_ = other.steps_;
  others_ = other.others_;
}

void FormatReader::read(const CleanLine& line) {
  if (format_->beside_bar == BesideBar::yes) return bar_steps_.read(line);
  const std::string_view rest = format_->join_rules.bar ? line.text : behind_bars(line.text);
  if (rest.size() == line.text.size()) return joiner_.read(line);
  if (!rest.empty()) joiner_.read(without_bars(line, rest));
}

LineContent FormatReader::look(std::string_view line) const {
  LineContent content;
  if (!holds_literal(format_->literals, line)) return content;
  for (const Record& record : format_->scan(line))
    if (record.counted && !record.fragment)
      content.stepless = record.extractor;
    else
      content.other = true;
  return content;
}

// The last record of a file that ends in the middle of a line may lack more, and its last word its end. It
// does not if the word ends as the first words of its row: with their unit, or with as many digits as two of
// them at least.
void FormatReader::cut_off(std::string_view text, Record& last) {
  if (last.end != text.size() || last.closed) return;
  const auto ends = [&](const Field& field) {
    return !field.word.empty() && field.word.data() + field.word.size() == text.data() + text.size();
  };
  const auto at_end = std::ranges::find_if(last.fields, ends);
  if (at_end != last.fields.end() && last.whole == Whole::whole && endings_[at_end->row].is_of(at_end->word))
    return;
  last.whole = Whole::torn;
  if (last.rest.empty()) last.rest = text;
  std::erase_if(last.fields, ends);
}

bool FormatReader::read_row(const CleanLine& line) {
  const std::string_view extractor = format_->csv.extractor;
  if (extractor.empty()) return false;
  std::optional<Record> row;
  if (!rows_.take(line, format_->extractor(extractor), row)) return false;
  if (row && !line.ended) cut_off(line.text, *row);
  if (row) add(*row, origin_of(line, *row), line.text);
  return true;
}

void FormatReader::read_joined(const CleanLine& line) {
  if (read_row(line)) return;
  if (continue_held(line)) return;
  const std::vector<Record> records = scan(line);
  if (records.empty()) {
    if (!keep_head(line) && !line.ended && begins_record(line.text)) add_torn(line.text, line.place);
    return;
  }
  if (!outers_.contains(line.outer)) outers_.emplace(line.outer);
  let_go({line.place.file, std::string(line.outer)});
  add_merged(records, line.place);
  add_all(records, line);
}

std::vector<Record> FormatReader::scan(const CleanLine& line) {
  if (!holds_literal(format_->literals, line.text)) return {};
  std::vector<Record> records = format_->scan(line.text);
  set_shown(line.shown, records);
  std::erase_if(records, [&](const Record& record) { return record.begin >= line.own; });
  if (line.ended || records.empty()) return records;
  // If a file ends in the middle of a line, a step without a value may be the first half of one.
  const Record& last = records.back();
  const bool may_be_half = last.role == Role::leader && last.whole == Whole::whole && last.fields.empty() &&
                           last.end == line.text.size();
  if (may_be_half) {
    add_torn(line.text.substr(last.begin), line.place);
    records.pop_back();
  }
  if (!records.empty()) cut_off(line.text, records.back());
  return records;
}

std::optional<int> FormatReader::rank_of(const CleanLine& line) const {
  const std::optional<int> printed =
      format_->ranks == RankSource::prefix ? rank_of_prefix(line.source) : std::nullopt;
  return printed ? printed : line.rank;
}

// A record that another rank wrote into the line is under that rank's prefix.
RecordOrigin FormatReader::origin_of(const CleanLine& line, const Record& record) {
  const std::optional<int> rank = rank_of(line);
  if (format_->ranks != RankSource::prefix || !record.rank || record.rank == rank)
    return {line.place, line.source, line.text, rank};
  source_ = with_rank(line.source, *record.rank);
  return {line.place, source_, line.text, record.rank};
}

bool FormatReader::continue_held(const CleanLine& line) {
  if (held_.empty()) return false;
  if (!line.outer.empty() && try_half(line.outer, line.text.substr(line.payload), line)) return true;
  if (try_half("", line.text, line)) return true;
  return !outers_.contains(line.outer) && try_lost_half(line);
}

// A half that lost its prefix may be of any source; what looks like one may be the half's own words.
bool FormatReader::try_lost_half(const CleanLine& line) {
  for (auto it = held_.begin(); it != held_.end(); ++it) {
    if (it->first.first != line.place.file || it->first.second.empty()) continue;
    if (const auto records = join(it->second, line.text, line)) return add_joined(it, *records, line), true;
  }
  return false;
}

// Try the text as the other half of what is held under the prefix. Further records in it are the line's own.
bool FormatReader::try_half(std::string_view outer, std::string_view half, const CleanLine& line) {
  const auto it = held_.find({line.place.file, std::string(outer)});
  if (it == held_.end()) return false;
  if (const auto records = join(it->second, half, line)) return add_joined(it, *records, line), true;
  if (++it->second.tries >= most_head_tries) let_go(it->first);
  return false;
}

// Return the records of both halves together, which refer to `joined_`, or nothing if the first is not
// whole then.
std::optional<std::vector<Record>> FormatReader::join(const HeldRecord& held, std::string_view half,
                                                      const CleanLine& line) {
  joined_ = held.text;
  joined_ += half;
  std::vector<Record> records = format_->scan(joined_);
  set_shown(held.shown, records);
  if (!line.ended && !records.empty()) cut_off(joined_, records.back());
  const std::size_t seam = held.text.size();
  const bool is_whole = !records.empty() && records[0].begin == 0 && records[0].end > seam &&
                        records[0].whole == Whole::whole &&
                        format_->joins(std::string_view(joined_).substr(0, records[0].end), seam);
  return is_whole ? std::optional(std::move(records)) : std::nullopt;
}

// Add the records of both halves, which refer to `joined_`; the first half is held no more.
void FormatReader::add_joined(std::map<Key, HeldRecord>::iterator it, std::span<const Record> records,
                              const CleanLine& line) {
  const HeldRecord held = std::move(it->second);
  held_.erase(it);
  problems_->add(ProblemKind::torn, held.place,
                 say({"one record over lines {} and {}, put together", "一条记录跨第 {} 和 {} 行，已拼合"},
                     held.place.line, line.place.line));
  add_merged(records, line.place);
  add(records[0], {held.place, held.source, joined_, held.rank}, joined_);
  CleanLine rest = line;
  rest.text = joined_;
  add_all(records.subspan(1), rest);
}

// Add the records but a last one that the end of the line may have cut off.
void FormatReader::add_all(std::span<const Record> records, const CleanLine& line) {
  for (const Record& record : records) {
    const bool ends_line = record.end == line.text.size() && !line.cut_in_pieces;
    const std::string_view text = line.text.substr(record.begin);
    if (record.whole == Whole::whole || !ends_line || text.size() > longest_held)
      add(record, origin_of(line, record), line.text);
    else
      keep({std::string(text), std::string(line.source), line.place, rank_of(line), line.ended, line.shown},
           line.outer);
  }
}

// Only a launcher, and the end of a file, break lines anywhere; elsewhere a cut head is just text.
bool FormatReader::keep_head(const CleanLine& line) {
  if ((line.outer.empty() && line.ended) || line.cut_in_pieces) return false;
  if (held_.contains({line.place.file, std::string(line.outer)})) return false;
  const std::size_t begin = format_->cut_head(line.text);
  if (begin == std::string_view::npos) return false;
  keep({.text = std::string(line.text.substr(begin)),
        .source = std::string(line.source),
        .place = line.place,
        .rank = rank_of(line),
        .ended = line.ended,
        .half = Half::head},
       line.outer);
  return true;
}

void FormatReader::keep(HeldRecord held, std::string_view outer) {
  if (held_.size() >= most_held) end_file(held_.begin()->first.first);
  const Key key{held.place.file, std::string(outer)};
  held_[key] = std::move(held);
}

void FormatReader::let_go(const Key& key) {
  const auto it = held_.find(key);
  if (it == held_.end()) return;
  const HeldRecord held = std::move(it->second);
  held_.erase(it);
  if (held.half == Half::head) {
    const bool is_record = held.text.find('/') != std::string::npos ||
                           held.text.find("(after") != std::string::npos ||
                           (!held.ended && begins_record(held.text));
    if (is_record) add_torn(held.text, held.place);
    return;
  }
  std::vector<Record> records = format_->scan(held.text);
  set_shown(held.shown, records);
  if (!held.ended && !records.empty()) cut_off(held.text, records.back());
  if (!records.empty()) add(records[0], {held.place, held.source, held.text, held.rank}, held.text);
}

void FormatReader::end_file(std::uint32_t file) {
  bar_steps_.end_file(file);
  joiner_.end_file(file);
  std::vector<Key> keys;
  for (const auto& [key, held] : held_)
    if (key.first == file) keys.push_back(key);
  for (const Key& key : keys) let_go(key);
}

// Tell whether the report is the second one of its step, and no copy of the first line. A run that was begun
// again prints far more before its first report.
bool FormatReader::is_of_next_engine(const Record& record, const RecordOrigin& origin,
                                     std::string_view text) {
  constexpr std::uint32_t most_apart = 64;  // lines
  const NextEngine& engine = format_->next_engine;
  if (engine.extractor.empty() || format_->extractors[record.extractor].name != engine.of) return false;
  EngineReport& last = reports_[{origin.place.file, std::string(origin.source)}];
  if (record.number && last.step == record.number && origin.place.line - last.line <= most_apart &&
      text != last.text)
    return true;
  last = {record.number, origin.place.line, std::string(text)};
  return false;
}

Record FormatReader::of_next_engine(const Record& record) const {
  const NextEngine& engine = format_->next_engine;
  Record next = record;
  next.extractor = format_->extractor(engine.extractor);
  for (Field& field : next.fields)
    field.row = &engine.next_fields[static_cast<std::size_t>(field.row - engine.fields.data())];
  return next;
}

void FormatReader::add(const Record& record, const RecordOrigin& origin, std::string_view text) {
  if (is_of_next_engine(record, origin, text)) return add(of_next_engine(record), origin, text);
  ++matches_.at(record.extractor);
  if (record.role != Role::start && !record.fragment) ++(record.role == Role::leader ? steps_ : others_);
  if (!signature_seen_)
    signature_seen_ =
        !format_->is_signature || format_->is_signature(text.substr(record.begin, record.end - record.begin));
  if (record.whole == Whole::torn) add_torn(record.rest, origin.place);
  for (const Field& field : record.fields)
    if (field.word.data() + field.word.size() == text.data() + record.end)
      endings_[field.row].note(field.word);
  if (beginning_.empty() && record.role == Role::leader) beginning_ = beginning_of(text.substr(record.begin));
  on_record_(record, origin);
}

// Tell whether the text, which holds no record, may be the beginning of one.
bool FormatReader::begins_record(std::string_view text) const {
  return !beginning_.empty() && text.find(beginning_) != std::string_view::npos;
}

void FormatReader::add_torn(std::string_view text, LinePlace place) {
  problems_->add(ProblemKind::cut_off, place, cut_off_words(text));
}

// Records that begin at one place are one to people.
void FormatReader::add_merged(std::span<const Record> records, LinePlace place) {
  std::set<std::size_t> begins;
  for (const Record& record : records) begins.insert(record.begin);
  const std::size_t count = begins.size();
  if (count > 1)
    problems_->add(ProblemKind::merged, place, say({"{} records on one line", "一行有 {} 条记录"}, count));
}

}  // namespace gate::extract
