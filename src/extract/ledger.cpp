#include "extract/ledger.h"

#include <algorithm>
#include <utility>

namespace gate::extract {

namespace {

std::uint32_t lane_of(const Origin& origin) { return origin.lane.value_or(origin.place.file); }

}  // namespace

Posted Ledger::post(std::size_t reader, const Record& posted, const Origin& origin,
                    std::span<const FieldRow> expected, ProblemLog& problems) {
  Record& record = record_;
  record = posted;  // into the room that the one before took
  for (const std::string& fault : record.faults) problems.add(ProblemKind::malformed, origin.place, fault);
  if (!record.rank) record.rank = origin.rank;
  if (record.role == Role::start) return begin_count(origin), Posted{};
  if (record.role == Role::follower) return post_follower(reader, record, origin, problems);
  if (record.role == Role::leader) return post_step(reader, record, origin, expected, problems);
  return record.number && record.rank ? post_report(reader, record, origin, problems) : Posted{};
}

// Where a source prints its steps, a record without one has lost it: its place is none.
bool Ledger::prints_steps(const Origin& origin) const {
  const StepTape* newest = books_.steps.newest(origin.place.file, origin.source);
  return newest != nullptr && !newest->counted;
}

// The framework said that a run begins: its records are counted anew, whatever their order.
void Ledger::begin_count(const Origin& origin) {
  for (auto& [key, count] : counts_)
    if (std::get<2>(key) == origin.place.file && std::get<3>(key) == origin.source) count.fresh = true;
}

// Records without steps are counted; an attempt begins where their order falls, at the number that stood at
// that order before: a resumed run goes on where the one before was then.
std::int64_t Ledger::count_step(std::size_t reader, Record& record, const Origin& origin) {
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

Posted Ledger::post_step(std::size_t reader, Record& record, const Origin& origin,
                         std::span<const FieldRow> expected, ProblemLog& problems) {
  if (record.fragment && prints_steps(origin)) return {};
  if (record.fragment) return void(count_step(reader, record, origin)), Posted{};
  if (record.counted && prints_steps(origin)) {
    problems.add(ProblemKind::malformed, origin.place,
                 "a step without its number, where others print theirs");
    return {};
  }
  if (record.counted) record.number = count_step(reader, record, origin);
  if (!record.number) return {};
  read_words(record, origin.place, problems, readings_);
  const StepTapes::Added added = books_.steps.add(reader, record, origin, readings_, expected);
  if (added.begins)
    problems.add(ProblemKind::restart, origin.place,
                 "step " + std::to_string(*record.number) + " after step " + std::to_string(added.before) +
                     ": attempt " + std::to_string(added.tape->attempt + 1) + " begins");
  if (added.repeats) books_.repeats.emplace(origin.place.file, origin.place.line);
  number_reports(added.tape->steps);
  return {added.tape->attempt, Lead::yes, readings_.values, added.tape, record.number, record.total};
}

// Set the number of the readings whose metrics are numbered by report.
void Ledger::number_reports(std::int64_t number) {
  for (Reading& reading : readings_.values)
    if (numbering(*reading.row) == Numbering::report) reading.sample.number = number;
}

// While the log is read, a report's attempt is known by falls alone.
Posted Ledger::post_report(std::size_t reader, const Record& record, const Origin& origin,
                           ProblemLog& problems) {
  const std::tuple key{reader, origin.place.file, *record.rank};
  read_words(record, origin.place, problems, readings_);
  Stream& stream = ranks_[key];
  const bool falls = stream.last && *record.number <= *stream.last;
  stream = {stream.attempt + (falls ? 1 : 0), record.number, falls ? 1 : stream.count + 1};
  Report& report = books_.reports[key].emplace_back();
  report.step = *record.number;
  report.place = origin.place;
  report.lines_before = books_.steps.lines(origin.place.file);
  for (const Reading& reading : readings_.values)
    report.values.push_back({std::string(reading.row->metric), reading.rank, reading.sample.copy()});
  number_reports(stream.count);
  return {stream.attempt, Lead::no, readings_.values};
}

Numbering Ledger::numbering(const FieldRow& row) {
  std::optional<Numbering>& known = numberings_[&row];
  if (!known) known = numbering_of(*metrics_, row.metric);
  return *known;
}

Numbering Ledger::numbering(const Record& record) {
  return record.fields.empty() ? Numbering::step : numbering(*record.fields[0].row);
}

// A follower is in the attempt that its source is in, or further, where its own steps fell before the
// source's did. One without steps of its own goes with those that have them where there is no source.
void Ledger::place_follower(const Record& record, const Origin& origin, Stream& stream) {
  const StepTape* leader = books_.steps.newest(origin.place.file, origin.source);
  std::size_t& furthest = furthest_[lane_of(origin)];
  const bool falls = record.number && stream.last && *record.number < *stream.last;
  const std::size_t led = leader != nullptr ? leader->attempt : record.number ? 0 : furthest;
  const std::size_t attempt = std::max(stream.attempt + (falls ? 1 : 0), led);
  furthest = std::max(furthest, attempt);
  if (attempt != stream.attempt) stream = {attempt};
  if (record.number && stream.last == record.number)
    books_.repeats.emplace(origin.place.file, origin.place.line);
}

// Number the record: by its own step, as the k-th of its attempt, or by the step that was printed last.
bool Ledger::number_follower(Record& record, const Origin& origin, Stream& stream, ProblemLog& problems) {
  ++stream.count;
  if (record.number) stream.last = record.number;
  if (record.number) return true;
  if (numbering(record) == Numbering::step) {
    const StepTape* leader = books_.steps.newest(origin.place.file, origin.source);
    if (leader != nullptr) record.number = leader->last_step();
    if (!record.number && record.follows) record.number = 0;
  } else {
    record.number = stream.count;
  }
  if (record.number) return true;
  problems.add(ProblemKind::malformed, origin.place,
               "a value without a step: give the pattern a group (?P<step>\\d+), or the metric numbered = "
               "\"report\"");
  return false;
}

// A metric that a record prints twice is counted twice.
void Ledger::count_reports(const Record& record, Stream& stream) {
  for (const Field& field : record.fields)
    if (numbering(*field.row) == Numbering::report) ++stream.reports[field.row->metric];
  for (Reading& reading : readings_.values)
    if (numbering(*reading.row) == Numbering::report)
      reading.sample.number = stream.reports[reading.row->metric];
}

SampleTape& Ledger::tape_of(std::size_t reader, const Reading& reading, Stream& stream) {
  std::vector<FollowerTape>& all = books_.followers;
  std::optional<std::size_t>& place = stream.followers[reading.row];
  if (place) return all[*place].samples;
  const SeriesKey key(reading.row->metric, reading.rank);
  const auto it = std::find_if(all.begin(), all.end(), [&](const FollowerTape& tape) {
    return tape.attempt == stream.attempt && tape.reader == reader && tape.key == key;
  });
  place = static_cast<std::size_t>(it - all.begin());
  if (it == all.end()) all.push_back({stream.attempt, reader, key});
  return all[*place].samples;
}

void Ledger::store(std::size_t reader, Stream& stream) {
  books_.attempts = std::max(books_.attempts, stream.attempt + 1);
  for (const Reading& reading : readings_.values) tape_of(reader, reading, stream).append(reading.sample);
}

Posted Ledger::post_follower(std::size_t reader, Record& record, const Origin& origin, ProblemLog& problems) {
  if (!record.faults.empty()) return {};
  Stream& stream =
      followers_[StreamView(reader, record.extractor, lane_of(origin), origin.source, record.rank)];
  place_follower(record, origin, stream);
  if (!number_follower(record, origin, stream, problems)) return {};
  read_words(record, origin.place, problems, readings_);
  count_reports(record, stream);
  store(reader, stream);
  const bool leads = books_.steps.attempts() == 0;
  Posted posted{stream.attempt, leads ? Lead::yes : Lead::no, readings_.values};
  if (leads && numbering(record) == Numbering::step) posted.step = record.number;
  return posted;
}

}  // namespace gate::extract
