#include "extract/attempts/record_store.h"

#include <algorithm>
#include <utility>

#include "extract/attempts/forget.h"

namespace gate::extract {

namespace {

std::uint32_t lane_of(const Origin& origin) { return origin.lane.value_or(origin.place.file); }

}  // namespace

const StoredRecord& RecordStore::post(std::size_t reader, const Record& posted, const Origin& origin,
                                      std::span<const FieldRow> expected, ProblemLog& problems) {
  posted_ = {};
  ++order_;
  for (const std::string& fault : posted.faults) problems.add(ProblemKind::malformed, origin.place, fault);
  if (posted.role == Role::start) {
    begin_count(origin);
    books_.steps.begin(origin.place.file, origin.source);
  } else if (posted.role == Role::follower) {
    post_follower(reader, posted, origin, problems);
  } else {
    record_ = posted;  // into the room that the one before took
    if (!record_.rank) record_.rank = origin.rank;
    if (record_.role == Role::leader)
      post_step(reader, record_, origin, expected, problems);
    else if (record_.number && record_.rank)
      post_report(reader, record_, origin, problems);
  }
  return posted_;
}

// Where a source prints its steps, a record without one has lost it: its place is none.
bool RecordStore::prints_steps(const Origin& origin) const {
  const StepTape* newest = books_.steps.newest(origin.place.file, origin.source);
  return newest != nullptr && !newest->counted;
}

// The framework said that a run begins: its records are counted anew, whatever their order.
void RecordStore::begin_count(const Origin& origin) {
  counts_.for_each([&](const StreamKey& key, Count& count) {
    if (std::get<2>(key) == origin.place.file && std::get<3>(key) == origin.source) count.fresh = true;
  });
}

// Records without steps are counted; an attempt begins where their order falls, at the number that stood at
// that order before: a resumed run goes on where the one before was then.
std::int64_t RecordStore::count_step(std::size_t reader, Record& record, const Origin& origin) {
  Count& count =
      counts_[StreamView(reader, record.extractor, origin.place.file, origin.source, std::nullopt)];
  const bool falls = record.order && count.order && *record.order < *count.order;
  record.anew = falls || (count.fresh && count.number > 0);
  count.fresh = false;
  if (record.anew) {
    const auto it = record.order ? count.numbers.lower_bound(*record.order) : count.numbers.end();
    count.number = it == count.numbers.end() ? (falls || !record.order ? 0 : count.number) : it->second - 1;
  }
  ++count.number;
  if (record.order) count.order = record.order;
  if (record.order) count.numbers.try_emplace(*record.order, count.number);
  return count.number;
}

void RecordStore::post_step(std::size_t reader, Record& record, const Origin& origin,
                            std::span<const FieldRow> expected, ProblemLog& problems) {
  if (record.fragment && prints_steps(origin)) return;
  if (record.fragment) return void(count_step(reader, record, origin));
  if (record.counted && prints_steps(origin)) {
    problems.add(ProblemKind::malformed, origin.place,
                 "a step without its number, where others print theirs");
    return;
  }
  if (record.counted) record.number = count_step(reader, record, origin);
  if (!record.number) return;
  forget_crowd();
  read_words(record, {*record.number, record.rank, origin.place}, problems, readings_);
  const StepTapes::Added added = books_.steps.add(reader, record, origin, order_, readings_, expected);
  if (added.repeats && added.is_kept) books_.repeats.emplace(origin.place.file, origin.place.line);
  if (added.same_words)
    problems.add(ProblemKind::duplicate, origin.place,
                 "step " + std::to_string(*record.number) + " printed again with equal values");
  number_reports(added.tape->steps);
  posted_ = {added.tape->attempt, Lead::yes, readings_.values, added.tape, record.number, record.total};
}

// Forget attempts that cannot be judged where there are many: as often as their number doubles.
void RecordStore::forget_crowd() {
  const auto size = [&] { return std::max(books_.steps.all().size(), books_.segments.size()); };
  if (keep_ == Keep::all || size() < crowd_) return;
  const Forgotten places = forget_failed(books_);
  followers_.for_each([&](const StreamKey&, Stream& stream) {
    if (stream.segment) stream.segment = places.segments[*stream.segment];
    for (Column& column : stream.columns)
      if (column.tape) column.tape = places.followers[*column.tape];
  });
  crowd_ = std::max(least_crowd, 2 * size());
}

// Set the number of the readings whose metrics are numbered by report.
void RecordStore::number_reports(std::int64_t number) {
  for (Reading& reading : readings_.values)
    if (numbering(*reading.row) == Numbering::report) reading.sample.number = number;
}

Report RecordStore::report_of(const Record& record, const Origin& origin) const {
  const StepTapes& steps = books_.steps;
  Report report;
  report.step = *record.number;
  report.place = origin.place;
  for (const Reading& reading : readings_.values)
    report.words = report.words * 31 + std::hash<std::string_view>()(reading.sample.text);
  const std::optional<std::size_t> tape = steps.newest_place(origin.place.file, origin.source);
  if (!tape) return report;
  report.tape = static_cast<std::uint32_t>(*tape);
  report.lines = static_cast<std::uint32_t>(steps.all()[*tape].lines.size());
  report.anew = steps.said_anew(*tape);
  report.is_own = !origin.source.empty() && steps.all()[*tape].source == origin.source;
  return report;
}

// While the log is read, a report's attempt is known by falls alone.
void RecordStore::post_report(std::size_t reader, const Record& record, const Origin& origin,
                              ProblemLog& problems) {
  const std::tuple key{reader, origin.place.file, *record.rank};
  read_words(record, {*record.number, record.rank, origin.place}, problems, readings_);
  RankCount& stream = ranks_[key];
  const bool falls = stream.last && *record.number <= *stream.last;
  stream = {stream.attempt + (falls ? 1 : 0), record.number, falls ? 1 : stream.count + 1};
  RankReports& reports = books_.reports[key];
  reports.all.push_back(report_of(record, origin));
  for (const Reading& reading : readings_.values) {
    const auto same = [&](const ReportColumn& column) {
      return column.metric == reading.row->metric && column.rank == reading.rank;
    };
    auto column = std::find_if(reports.columns.begin(), reports.columns.end(), same);
    if (column == reports.columns.end())
      column = reports.columns.insert(column, {std::string(reading.row->metric), reading.rank});
    column->samples.append(reading.sample);
  }
  number_reports(stream.count);
  posted_ = {stream.attempt, Lead::no, readings_.values};
}

Numbering RecordStore::numbering(const FieldRow& row) {
  std::optional<Numbering>& known = numberings_[&row];
  if (!known) known = numbering_of(*metrics_, row.metric);
  return *known;
}

// As far as is known while the log is read, a follower is in the attempt that its source is in, or further,
// where its own steps fell before the source's did. One without steps of its own goes with those that have
// them where there is no source.
void RecordStore::place_follower(std::optional<std::int64_t> number, const Origin& origin, Stream& stream) {
  const StepTape* leader = books_.steps.newest(origin.place.file, origin.source);
  std::size_t& furthest = furthest_[lane_of(origin)];
  const bool falls = number && stream.last && *number < *stream.last;
  const std::size_t led = leader != nullptr ? leader->attempt : number ? 0 : furthest;
  const std::size_t attempt = std::max(stream.attempt + (falls ? 1 : 0), led);
  furthest = std::max(furthest, attempt);
  const std::optional<std::size_t> beside = books_.steps.leader(origin.place.file, origin.source);
  const bool goes_on = stream.segment && !falls && books_.segments[*stream.segment].led == beside;
  if (attempt != stream.attempt) {
    stream = {attempt, stream.id};
  } else if (!goes_on) {
    stream.segment.reset();
    for (Column& column : stream.columns) column.tape.reset();
  }
  stream.falls = falls;
  stream.repeats = number && stream.last == number ? stream.repeats + 1 : 0;
  constexpr std::size_t most_told = 64;
  if (stream.repeats > 0 && stream.repeats <= most_told)
    books_.repeats.emplace(origin.place.file, origin.place.line);
}

// Set the number of the record: its own step, its place among those of its attempt, or the step that was
// printed last.
bool RecordStore::number_follower(const Record& record, const Origin& origin, Numbering numbered,
                                  Stream& stream, ProblemLog& problems, std::int64_t& number) {
  ++stream.count;
  if (record.number) {
    stream.last = record.number;
    return number = *record.number, true;
  }
  if (numbered != Numbering::step) return number = stream.count, true;
  const StepTape* leader = books_.steps.newest(origin.place.file, origin.source);
  if (leader != nullptr) return number = leader->last_step(), true;
  if (record.follows) return number = 0, true;
  problems.add(ProblemKind::malformed, origin.place,
               "a value without a step: give the pattern a group (?P<step>\\d+), or the metric numbered = "
               "\"report\"");
  return false;
}

inline RecordStore::Target& RecordStore::target_of(const FieldRow& row, Stream& stream) {
  std::optional<Target>& target = stream.targets[&row];
  if (!target) target = new_target(row, stream);
  return *target;
}

// A metric is numbered on, whichever of its fields is printed.
RecordStore::Target RecordStore::new_target(const FieldRow& row, Stream& stream) {
  const auto it = std::find_if(stream.columns.begin(), stream.columns.end(),
                               [&](const Column& column) { return column.metric == row.metric; });
  const Metric* metric = metrics_->find(row.metric);
  const Target target{numbering(row), static_cast<std::size_t>(it - stream.columns.begin()),
                      metric != nullptr && metric->pick != Pick::none};
  if (it == stream.columns.end()) stream.columns.push_back({row.metric});
  return target;
}

SampleTape& RecordStore::tape_of(std::string_view metric, std::optional<int> rank, std::size_t segment,
                                 Column& column) {
  if (!column.tape) {
    column.tape = books_.followers.size();
    books_.followers.push_back({segment, SeriesKey(metric, rank)});
  }
  return books_.followers[*column.tape].samples;
}

Segment& RecordStore::segment_of(std::size_t reader, std::size_t extractor, const Origin& origin,
                                 Stream& stream) {
  if (!stream.id) stream.id = streams_++;
  if (stream.segment) return books_.segments[*stream.segment];
  stream.segment = books_.segments.size();
  ++begun_;
  Segment& fresh = books_.segments.emplace_back();
  fresh.source = *stream.id;
  fresh.prefix = origin.source;
  fresh.reader = reader;
  fresh.extractor = extractor;
  fresh.lane = lane_of(origin);
  fresh.nth = stream.attempt;
  fresh.forgotten = books_.forgotten;
  fresh.led = books_.steps.leader(origin.place.file, origin.source);
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

// Where a number is printed again and again, some equal values and one other say all that there is to say,
// and one now and then, where it was printed. Where a piece has begun meanwhile they are of another attempt.
bool RecordStore::says_more(const SampleView& sample, const SampleTape& tape, const Target& target,
                            Column& column) const {
  const std::size_t begun = begun_ + books_.steps.begun();
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
void RecordStore::store(std::size_t reader, const Record& record, const Origin& origin, Stream& stream) {
  Segment& segment = segment_of(reader, record.extractor, origin, stream);
  const auto steps = record.number ? std::optional(Extent{*record.number, *record.number}) : std::nullopt;
  extend(segment, {order_, order_}, origin.head, steps);
  auto reading = readings_.values.begin();
  for (const Field& field : record.fields) {
    const Target& target = target_of(*field.row, stream);
    Column& column = stream.columns[target.column];
    ++column.count;
    if (reading == readings_.values.end() || reading->row != field.row) continue;
    if (target.numbered == Numbering::report) reading->sample.number = column.count;
    SampleTape& tape = tape_of(reading->row->metric, reading->rank, *stream.segment, column);
    if (says_more(reading->sample, tape, target, column)) tape.append(reading->sample);
    ++segment.values;
    ++reading;
  }
}

void RecordStore::post_follower(std::size_t reader, const Record& record, const Origin& origin,
                                ProblemLog& problems) {
  if (!record.faults.empty()) return;
  if (books_.steps.all().empty()) forget_crowd();
  const std::optional<int> rank = record.rank ? record.rank : origin.rank;
  Stream& stream = followers_[StreamView(reader, record.extractor, lane_of(origin), origin.source, rank)];
  place_follower(record.number, origin, stream);
  const Numbering numbered =
      record.fields.empty() ? Numbering::step : target_of(*record.fields[0].row, stream).numbered;
  std::int64_t number = 0;
  if (!number_follower(record, origin, numbered, stream, problems, number)) return;
  read_words(record, {number, rank, origin.place}, problems, readings_);
  store(reader, record, origin, stream);
  posted_.readings = readings_.values;
  tell_follower(stream, numbered, number);
}

void RecordStore::tell_follower(const Stream& stream, Numbering numbered, std::int64_t number) {
  posted_.attempt = stream.attempt;
  if (books_.steps.attempts() > 0) return;
  posted_.lead = Lead::yes;
  if (numbered == Numbering::step) posted_.step = number;
}

RecordStore::Stream& RecordStore::stream_of(const StretchColumn& column, const Origin& origin) {
  return followers_[StreamView(column.pattern, 0, lane_of(origin), origin.source, origin.rank)];
}

bool RecordStore::takes(const StretchColumn& column, const Origin& origin, bool may_fall) {
  if (!column.numbered) return true;
  const std::optional<std::int64_t> last = stream_of(column, origin).last;
  if (!last) return true;
  const std::int64_t first = column.samples.begin().number();
  return *last < first || (may_fall && first < *last);
}

const StoredRecord& RecordStore::post(const StretchColumn& column, const FieldRow& row, const Origin& origin,
                                      SampleSpot shift) {
  posted_ = {};
  if (books_.steps.all().empty()) forget_crowd();
  const SampleTape& samples = column.samples;
  const auto size = static_cast<std::int64_t>(samples.size());
  Stream& stream = stream_of(column, origin);
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
  const Target& target = target_of(row, stream);
  Column& values = stream.columns[target.column];
  if (!column.numbered) shift.number = values.count;
  values.count += size;
  values.repeats = 0;
  values.differs = false;
  tape_of(row.metric, origin.rank, *stream.segment, values).append(samples, shift);
  tell_follower(stream, target.numbered, column.numbered ? *stream.last : stream.count);
  return posted_;
}

}  // namespace gate::extract
