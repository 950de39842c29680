#include "extract/attempts/record_store.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "extract/attempts/forget.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

std::optional<std::int64_t> whole_of(const Decimal& order) {
  const Decimal plain = order.without_zeros();
  const bool is_whole = plain.exponent == 0 && !plain.is_negative() &&
                        plain.coefficient <= int128{std::numeric_limits<std::int64_t>::max()};
  return is_whole ? std::optional(static_cast<std::int64_t>(plain.coefficient)) : std::nullopt;
}

// Return how many digits of a word tell something: `0.0` has none, `2.500e-05` two.
std::size_t telling_digits(std::string_view word) {
  std::string digits;
  for (const char c : word.substr(0, word.find_first_of("eE")))
    if (is_digit(c)) digits += c;
  const std::size_t last = digits.find_last_not_of('0');
  return last == std::string::npos ? 0 : last + 1 - digits.find_first_not_of('0');
}

// Tell whether no other record holds the very same words by chance.
bool is_told_by_its_words(const Record& record) {
  constexpr std::size_t enough = 8;
  std::size_t digits = 0;
  for (const Field& field : record.fields) digits += telling_digits(field.word);
  return digits >= enough;
}

// Return the record's own words: a bar may be glued to them.
std::string_view own_words(const Record& record, const RecordOrigin& origin) {
  return origin.head.substr(std::min(record.begin, origin.head.size()), record.end - record.begin);
}

std::uint32_t stream_id_of(const RecordOrigin& origin) { return origin.stream.value_or(origin.place.file); }

}  // namespace

const StoredRecord& RecordStore::store(std::size_t reader, const Record& given, const RecordOrigin& origin,
                                       std::span<const FieldRow> expected, ProblemLog& problems) {
  stored_ = {};
  ++order_;
  for (const Sentence& fault : given.faults) problems.add(ProblemKind::malformed, origin.place, fault);
  if (given.role == Role::start) {
    // The framework said that a run begins: its records are counted again, whatever their order.
    counts_.for_each([&](const StreamKey& key, StepCount& count) {
      if (std::get<2>(key) == origin.place.file && std::get<3>(key) == origin.source) count.fresh = true;
    });
    buffers_.steps.begin(origin.place.file, origin.source);
  } else if (given.role == Role::follower && !given.by_order) {
    store_follower(reader, given, origin, problems);
  } else {
    record_ = given;  // into the room of the one before
    if (record_.by_order) number_by_order(reader, record_, origin);
    if (record_.role == Role::follower) {
      store_follower(reader, record_, origin, problems);
      return stored_;
    }
    if (!record_.rank) record_.rank = origin.rank;
    if (record_.role == Role::leader)
      store_step(reader, record_, origin, expected, problems);
    else if (record_.number && record_.rank)
      store_report(reader, record_, origin, problems);
  }
  return stored_;
}

void RecordStore::begin_start() {
  counts_.for_each([](const StreamKey&, StepCount& count) { count.fresh = true; });
  buffers_.steps.begin_again();
}

// Tell whether the source prints its steps: a record without one has lost it, and its place is none.
bool RecordStore::prints_steps(const RecordOrigin& origin) const {
  const StepTape* newest = buffers_.steps.newest(origin.place.file, origin.source);
  return newest != nullptr && !newest->counted;
}

// Return how many records the next one is behind the one before, by the gaps before it: a lost one leaves its
// number free. Orders are rounded: where that leaves room for another answer it is 1.
std::int64_t RecordStore::count_over(const Decimal& before, const Decimal& order, Gaps& gaps) {
  constexpr int enough = 2;
  gaps.decimals = std::max(gaps.decimals, -order.exponent);
  const double rounded = 1.01 * std::pow(10.0, -gaps.decimals);
  const double gap = order.to_double() - before.to_double();
  const double least = gaps.most - rounded, most = gaps.least + rounded;  // that one gap may be
  const double count = std::ceil((gap - rounded) / most);
  if (gaps.count >= enough && least > 0 && least <= most && count > 1 &&
      count == std::floor((gap + rounded) / least))
    return static_cast<std::int64_t>(count);
  gaps.least = gaps.count == 0 ? gap : std::min(gaps.least, gap);
  gaps.most = gaps.count == 0 ? gap : std::max(gaps.most, gap);
  ++gaps.count;
  return 1;
}

// Records without steps are counted; an attempt begins where their order falls, at the number that stood at
// that order before: a resumed run goes on where the one before was then.
std::int64_t RecordStore::count_step(std::size_t reader, Record& record, const RecordOrigin& origin) {
  StepCount& count =
      counts_[StreamView(reader, record.extractor, origin.place.file, origin.source, std::nullopt)];
  const std::string_view words = own_words(record, origin);
  if (record.order && !count.fresh && count.line == words && is_told_by_its_words(record))
    return count.number;
  count.line = words;
  const bool falls = record.order && count.order && *record.order < *count.order;
  // What a resumed run prints first was printed before. Between the last two there is a line that came late.
  record.late = falls && !count.fresh && !count.numbers.contains(*record.order) &&
                (!count.before || *count.before < *record.order);
  record.starts_attempt = falls || (count.fresh && count.number > 0);
  count.fresh = false;
  if (record.starts_attempt) {
    const auto it = record.order ? count.numbers.lower_bound(*record.order) : count.numbers.end();
    count.number = it == count.numbers.end() ? (falls || !record.order ? 0 : count.number) : it->second - 1;
  }
  if (falls) count.gaps = {};
  const bool goes_on = record.order && count.order && !falls;
  count.number += goes_on ? count_over(*count.order, *record.order, count.gaps) : 1;
  if (record.order && record.order != count.order) count.before = std::exchange(count.order, record.order);
  if (record.order) count.numbers.try_emplace(*record.order, count.number);
  return count.number;
}

// The order (an epoch) is the number while it is whole and rises; from where it repeats or is a fraction,
// each number is one more than the one before. A line that stands twice has one number.
void RecordStore::number_by_order(std::size_t reader, Record& record, const RecordOrigin& origin) {
  StepCount& count =
      counts_[StreamView(reader, record.extractor, origin.place.file, origin.source, std::nullopt)];
  const std::optional<std::int64_t> whole = whole_of(*record.order);
  const bool falls = count.order && *record.order < *count.order;
  const bool begins = !count.order || falls || count.fresh;
  if (!begins && count.line == origin.head) return void(record.number = count.number);
  if (falls || (count.fresh && count.order)) {
    const auto it = count.numbers.lower_bound(*record.order);
    count.counts = false;
    count.number = falls && it != count.numbers.end() ? it->second - 1 : 0;
    record.starts_attempt = true;
  }
  const bool rises = whole && (begins || *whole > count.number);
  count.counts = count.counts || !rises;
  count.number = count.counts ? count.number + 1 : *whole;
  count.fresh = false;
  count.order = record.order;
  count.line = origin.head;
  count.numbers.try_emplace(*record.order, count.number);
  record.number = count.number;
}

void RecordStore::store_step(std::size_t reader, Record& record, const RecordOrigin& origin,
                             std::span<const FieldRow> expected, ProblemLog& problems) {
  if (record.fragment && prints_steps(origin)) return;
  if (record.fragment) return void(count_step(reader, record, origin));
  if (record.counted && !record.beside && prints_steps(origin)) {
    note_unplaced(record, origin);
    return problems.add(
        ProblemKind::malformed, origin.place,
        say({"a step without its number, where others print theirs", "有一步没有编号，而其他步都有"}));
  }
  if (record.counted) record.number = count_step(reader, record, origin);
  if (!record.number) return;
  if (record.filled != nullptr)
    buffers_.filled.try_emplace(std::string(record.filled->metric), record.filled->filler);
  forget_crowd();
  read_words(record, {*record.number, record.rank, origin.place}, *metrics_, problems, readings_);
  const StepTapes::Added added = buffers_.steps.add(reader, record, origin, order_, readings_, expected);
  if (added.repeats && added.is_kept) buffers_.repeats.emplace(origin.place.file, origin.place.line);
  if (added.same_words)
    problems.add(
        ProblemKind::duplicate, origin.place,
        say({"step {} printed again with equal values", "第 {} 步重复打印，值相同"}, *record.number));
  number_reports(added.tape->steps);
  stored_ = {added.tape->attempt, Lead::yes, readings_.values, added.tape, record.number, record.total};
}

// Note at the steps beside which the record stands that it holds no number where these hold some.
void RecordStore::note_unplaced(const Record& record, const RecordOrigin& origin) {
  StepTape& beside = buffers_.steps.all()[*buffers_.steps.newest_place(origin.place.file, origin.source)];
  const auto note = [&](const FieldRow* row) {
    const StepColumn* column = beside.find(row->metric);
    if (!beside.unplaced && column != nullptr && column->has_number)
      beside.unplaced = Unplaced{origin.place, std::string(row->metric)};
  };
  ProblemLog untold;  // of a step without a number
  read_words(record, {0, record.rank, origin.place}, *metrics_, untold, readings_);
  for (const FieldReading& reading : readings_.values)
    if (!reading.sample.value.is_finite()) note(reading.row);
  for (const FieldRow* none : record.none) note(none);
}

// Forget attempts that cannot be judged where there are many: as often as their number doubles.
void RecordStore::forget_crowd() {
  const auto size = [&] { return std::max(buffers_.steps.all().size(), buffers_.segments.size()); };
  if (keep_ == Keep::all || size() < crowd_) return;
  const Forgotten places = forget_failed(buffers_);
  followers_.for_each([&](const StreamKey&, FollowerStream& stream) {
    if (stream.segment) stream.segment = places.segments[*stream.segment];
    for (FollowerColumn& column : stream.columns)
      if (column.tape) column.tape = places.followers[*column.tape];
  });
  crowd_ = std::max(least_crowd, 2 * size());
}

// Set the number of the readings whose metrics are numbered by report.
void RecordStore::number_reports(std::int64_t number) {
  for (FieldReading& reading : readings_.values)
    if (numbering(*reading.row) == Numbering::report) reading.sample.number = number;
}

RankReport RecordStore::report_of(const Record& record, const RecordOrigin& origin) const {
  const StepTapes& steps = buffers_.steps;
  RankReport report;
  report.step = *record.number;
  report.place = origin.place;
  for (const FieldReading& reading : readings_.values)
    report.words = report.words * 31 + std::hash<std::string_view>()(reading.sample.text);
  const std::optional<std::size_t> tape = steps.newest_place(origin.place.file, origin.source);
  if (!tape) return report;
  report.tape = static_cast<std::uint32_t>(*tape);
  report.lines = static_cast<std::uint32_t>(steps.all()[*tape].lines.size());
  report.behind = steps.all()[*tape].last_step();
  report.starts_attempt = steps.said_start(*tape);
  report.is_own = !origin.source.empty() && steps.all()[*tape].source == origin.source;
  return report;
}

// While the log is read, a report's attempt is known by falls alone.
void RecordStore::store_report(std::size_t reader, const Record& record, const RecordOrigin& origin,
                               ProblemLog& problems) {
  const std::tuple key{reader, origin.place.file, *record.rank};
  read_words(record, {*record.number, record.rank, origin.place}, *metrics_, problems, readings_);
  RankCount& stream = ranks_[key];
  const bool falls = stream.last && *record.number <= *stream.last;
  stream = {stream.attempt + (falls ? 1 : 0), record.number, falls ? 1 : stream.count + 1};
  RankReports& reports = buffers_.reports[key];
  reports.all.push_back(report_of(record, origin));
  for (const FieldReading& reading : readings_.values) {
    const auto same = [&](const ReportColumn& column) {
      return column.metric == reading.row->metric && column.rank == reading.rank;
    };
    auto column = std::ranges::find_if(reports.columns, same);
    if (column == reports.columns.end())
      column = reports.columns.insert(column, {std::string(reading.row->metric), reading.rank});
    column->samples.append(reading.sample);
  }
  number_reports(stream.count);
  stored_ = {stream.attempt, Lead::no, readings_.values};
}

Numbering RecordStore::numbering(const FieldRow& row) {
  std::optional<Numbering>& known = numberings_[&row];
  if (!known) known = numbering_of(*metrics_, row.metric);
  return *known;
}

// As far as is known while the log is read, a follower is in the attempt that its source is in, or further,
// where its own steps fell before the source's did. One without steps of its own goes with those that have
// them where there is no source.
void RecordStore::place_follower(std::optional<std::int64_t> number, const RecordOrigin& origin,
                                 FollowerStream& stream) {
  const StepTape* leader = buffers_.steps.newest(origin.place.file, origin.source);
  std::size_t& furthest = furthest_[stream_id_of(origin)];
  const bool falls = number && stream.last && *number < *stream.last;
  const std::size_t led = leader != nullptr ? leader->attempt : number ? 0 : furthest;
  const std::size_t attempt = std::max(stream.attempt + (falls ? 1 : 0), led);
  furthest = std::max(furthest, attempt);
  const std::optional<std::size_t> beside = buffers_.steps.leader(origin.place.file, origin.source);
  const bool goes_on = stream.segment && !falls && buffers_.segments[*stream.segment].led == beside;
  if (attempt != stream.attempt) {
    stream = {attempt, stream.id};
  } else if (!goes_on) {
    stream.segment.reset();
    for (FollowerColumn& column : stream.columns) column.tape.reset();
  }
  stream.falls = falls;
  stream.repeats = number && stream.last == number ? stream.repeats + 1 : 0;
  constexpr std::size_t most_told = 64;
  if (stream.repeats > 0 && stream.repeats <= most_told)
    buffers_.repeats.emplace(origin.place.file, origin.place.line);
}

// A word before a value may look like a launcher's, whose followers print no step then: `Loss: 2.3`.
std::int64_t RecordStore::note_followed(const RecordOrigin& origin, std::int64_t step) {
  followed_[SourceOfFile(origin.place.file, origin.source)] = step;
  followed_[SourceOfFile(origin.place.file, "")] = step;
  return step;
}

// Return the number of the record: its own step, its place among those of its attempt, or the step that was
// printed last; nothing where there is none.
std::optional<std::int64_t> RecordStore::number_follower(const Record& record, const RecordOrigin& origin,
                                                         Numbering numbered, FollowerStream& stream,
                                                         ProblemLog& problems) {
  ++stream.count;
  if (record.number) return note_followed(origin, *(stream.last = record.number));
  if (numbered != Numbering::step) return stream.count;
  const StepTape* leader = buffers_.steps.newest(origin.place.file, origin.source);
  if (leader != nullptr) return leader->last_step();
  if (const auto followed = followed_[SourceOfFile(origin.place.file, origin.source)]) return followed;
  if (const auto followed = followed_[SourceOfFile(origin.place.file, "")]) return followed;
  if (record.follows) return 0;
  problems.add(
      ProblemKind::malformed, origin.place,
      say({"a value without a step: give the pattern a group (?P<step>\\d+), or the metric numbered = "
           "\"report\"",
           "有一个值没有步号：请给 pattern 加一个组 (?P<step>\\d+)，或给指标写 numbered = \"report\""}));
  return std::nullopt;
}

inline RecordStore::FieldTarget& RecordStore::target_of(const FieldRow& row, FollowerStream& stream) {
  std::optional<FieldTarget>& target = stream.targets[&row];
  if (!target) target = new_target(row, stream);
  return *target;
}

// A metric is numbered on, whichever of its fields is printed.
RecordStore::FieldTarget RecordStore::new_target(const FieldRow& row, FollowerStream& stream) {
  const auto it = std::ranges::find_if(
      stream.columns, [&](const FollowerColumn& column) { return column.metric == row.metric; });
  const Metric* metric = metrics_->find(row.metric);
  const FieldTarget target{
      numbering(row), static_cast<std::size_t>(it - stream.columns.begin()),
      metric != nullptr && metric->pick != Pick::none,
      metric != nullptr && metric->kind == MetricKind::memory && metric->numbered == Numbering::report};
  if (it == stream.columns.end()) stream.columns.push_back({row.metric});
  return target;
}

SampleTape& RecordStore::tape_of(std::string_view metric, std::optional<int> rank, std::size_t segment,
                                 FollowerColumn& column) {
  if (!column.tape) {
    column.tape = buffers_.followers.size();
    buffers_.followers.push_back({segment, SeriesKey(metric, rank)});
  }
  return buffers_.followers[*column.tape].samples;
}

Segment& RecordStore::segment_of(std::size_t reader, std::size_t extractor, const RecordOrigin& origin,
                                 FollowerStream& stream) {
  if (!stream.id) stream.id = streams_++;
  if (stream.segment) return buffers_.segments[*stream.segment];
  stream.segment = buffers_.segments.size();
  ++begun_;
  Segment& fresh = buffers_.segments.emplace_back();
  fresh.source = *stream.id;
  fresh.prefix = origin.source;
  fresh.reader = reader;
  fresh.extractor = extractor;
  fresh.stream_id = stream_id_of(origin);
  fresh.nth = stream.attempt;
  fresh.forgotten = buffers_.forgotten;
  fresh.led = buffers_.steps.leader(origin.place.file, origin.source);
  fresh.falls = stream.falls;
  fresh.began = printed_time(origin.head);
  return fresh;
}

void RecordStore::extend(Segment& segment, Extent order, std::string_view head, std::optional<Extent> steps) {
  if (segment.order.first == 0) segment.order.first = order.first;  // records are counted from 1
  segment.order.last = order.last;
  segment.head = head;
  if (!steps) return;
  if (!segment.steps) segment.steps = steps;
  segment.steps->last = steps->last;
}

// Tell whether the sample is worth its room. Some equal values and one other say all that there is to say of
// a number that is printed again and again, and one now and then says where it was printed. They are of
// another attempt if a piece has begun meanwhile.
bool RecordStore::says_more(const SampleView& sample, const SampleTape& tape, const FieldTarget& target,
                            FollowerColumn& column) const {
  const std::size_t begun = begun_ + buffers_.steps.begun();
  if (tape.empty() || tape.last_number() != sample.number || std::exchange(column.begun, begun) != begun) {
    column.begun = begun;
    column.repeats = 0;
    column.differs = false;
    return true;
  }
  ++column.repeats;
  if (target.chosen) return true;
  constexpr std::size_t often = 64, now_and_then = 4096;
  const bool other = !column.differs && !(tape.back().value == sample.value);
  column.differs |= other;
  return other || column.repeats < often || column.repeats % now_and_then == 0;
}

// A word that is no number is counted as well. Readings stand in the order of their fields.
void RecordStore::store_readings(std::size_t reader, const Record& record, const RecordOrigin& origin,
                                 FollowerStream& stream) {
  Segment& segment = segment_of(reader, record.extractor, origin, stream);
  const auto steps = record.number ? std::optional(Extent{*record.number, *record.number}) : std::nullopt;
  extend(segment, {order_, order_}, origin.head, steps);
  auto reading = readings_.values.begin();
  for (const Field& field : record.fields) {
    const FieldTarget& target = target_of(*field.row, stream);
    FollowerColumn& column = stream.columns[target.column];
    ++column.count;
    if (reading == readings_.values.end() || reading->row != field.row) continue;
    const bool by_step = target.numbers_steps && record.has_own_step;
    if (target.numbered == Numbering::report && !by_step) reading->sample.number = column.count;
    SampleTape& tape = tape_of(reading->row->metric, reading->rank, *stream.segment, column);
    if (says_more(reading->sample, tape, target, column)) tape.append(reading->sample);
    if (by_step) buffers_.followers[*column.tape].by_step = true;
    if (by_step) reading->sample.number = column.count;
    if (by_step && stream.attempt > 0) reading->row = nullptr;  // its number is known at the end
    ++segment.values;
    ++reading;
  }
  std::erase_if(readings_.values, [](const FieldReading& told) { return told.row == nullptr; });
}

void RecordStore::store_follower(std::size_t reader, const Record& record, const RecordOrigin& origin,
                                 ProblemLog& problems) {
  if (!record.faults.empty()) return;
  if (buffers_.steps.all().empty()) forget_crowd();
  const std::optional<int> rank = record.rank ? record.rank : origin.rank;
  FollowerStream& stream =
      followers_[StreamView(reader, record.extractor, stream_id_of(origin), origin.source, rank)];
  place_follower(record.number, origin, stream);
  const Numbering numbered =
      record.fields.empty() ? Numbering::step : target_of(*record.fields[0].row, stream).numbered;
  const std::optional<std::int64_t> number = number_follower(record, origin, numbered, stream, problems);
  if (!number) return;
  read_words(record, {*number, rank, origin.place}, *metrics_, problems, readings_);
  store_readings(reader, record, origin, stream);
  stored_.readings = readings_.values;
  tell_follower(stream, numbered, *number);
}

void RecordStore::tell_follower(const FollowerStream& stream, Numbering numbered, std::int64_t number) {
  stored_.attempt = stream.attempt;
  if (buffers_.steps.attempts() > 0) return;
  stored_.lead = Lead::yes;
  if (numbered == Numbering::step) stored_.step = number;
}

RecordStore::FollowerStream& RecordStore::stream_of(const StretchColumn& column, const RecordOrigin& origin) {
  return followers_[StreamView(column.pattern, 0, stream_id_of(origin), origin.source, origin.rank)];
}

bool RecordStore::accepts(const StretchColumn& column, const RecordOrigin& origin, bool may_fall) {
  if (!column.numbered) return true;
  const std::optional<std::int64_t> last = stream_of(column, origin).last;
  if (!last) return true;
  const std::int64_t first = column.samples.begin().number();
  return *last < first || (may_fall && first < *last);
}

const StoredRecord& RecordStore::store(const StretchColumn& column, const FieldRow& row,
                                       const RecordOrigin& origin, SampleSpot shift) {
  stored_ = {};
  if (buffers_.steps.all().empty()) forget_crowd();
  const SampleTape& samples = column.samples;
  const auto size = static_cast<std::int64_t>(samples.size());
  FollowerStream& stream = stream_of(column, origin);
  const auto first = column.numbered ? std::optional(samples.front().number) : std::nullopt;
  place_follower(first, origin, stream);
  stream.count += size;
  if (column.numbered) stream.last = samples.last_number();
  Segment& segment = segment_of(column.pattern, 0, origin, stream);
  const Extent order{order_ + static_cast<std::int64_t>(column.first),
                     order_ + static_cast<std::int64_t>(column.last)};
  const auto steps = first ? std::optional(Extent{*first, *stream.last}) : std::nullopt;
  extend(segment, order, column.last_line, steps);
  segment.values += size;
  const FieldTarget& target = target_of(row, stream);
  FollowerColumn& values = stream.columns[target.column];
  if (!column.numbered) shift.number = values.count;
  values.count += size;
  values.repeats = 0;
  values.differs = false;
  tape_of(row.metric, origin.rank, *stream.segment, values).append(samples, shift);
  tell_follower(stream, target.numbered, column.numbered ? *stream.last : stream.count);
  return stored_;
}

}  // namespace gate::extract
