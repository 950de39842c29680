#include "extract/ledger.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gate::extract {

namespace {

std::uint32_t lane_of(const Origin& origin) { return origin.lane.value_or(origin.place.file); }

}  // namespace

Numbering numbering_of(const MetricTable& metrics, std::string_view metric) {
  const Metric* found = metrics.find(metric);
  return found == nullptr ? Numbering::step : found->numbered;
}

Posted Ledger::post(std::size_t reader, Record record, const Origin& origin,
                    std::span<const FieldRow> expected, ProblemLog& problems) {
  for (const std::string& fault : record.faults) problems.add(ProblemKind::malformed, origin.place, fault);
  if (!record.rank) record.rank = origin.rank;
  if (record.role == Role::start) return begin_count(origin), Posted{};
  if (record.role == Role::follower) return post_follower(reader, std::move(record), origin, problems);
  if (record.role == Role::leader) return post_step(reader, std::move(record), origin, expected, problems);
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
      counts_[{reader, record.extractor, origin.place.file, std::string(origin.source), std::nullopt}];
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

Posted Ledger::post_step(std::size_t reader, Record record, const Origin& origin,
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
  Readings readings = read_words(record, origin.place, problems);
  StepTapes::Added added = books_.steps.add(reader, record, origin, readings, expected);
  if (added.begins)
    problems.add(ProblemKind::restart, origin.place,
                 "step " + std::to_string(*record.number) + " after step " + std::to_string(added.before) +
                     ": attempt " + std::to_string(added.attempt + 1) + " begins");
  if (added.repeats) books_.repeats.emplace(origin.place.file, origin.place.line);
  Posted posted{added.attempt, Lead::yes, std::move(readings.values), record.number, record.total};
  std::move(added.left_out.begin(), added.left_out.end(), std::back_inserter(posted.readings));
  for (Reading& reading : posted.readings)
    if (numbering_of(*metrics_, reading.metric) == Numbering::report) reading.sample.number = added.line;
  return posted;
}

// While the log is read, a report's attempt is known by falls alone.
Posted Ledger::post_report(std::size_t reader, const Record& record, const Origin& origin,
                           ProblemLog& problems) {
  const std::tuple key{reader, origin.place.file, *record.rank};
  Readings readings = read_words(record, origin.place, problems);
  Stream& stream = ranks_[key];
  const bool falls = stream.last && *record.number <= *stream.last;
  stream = {stream.attempt + (falls ? 1 : 0), record.number, falls ? 1 : stream.count + 1, {}};
  books_.reports[key].push_back(
      {*record.number, origin.place, readings.values, books_.steps.lines(origin.place.file), 0, 0});
  for (Reading& reading : readings.values)
    if (numbering_of(*metrics_, reading.metric) == Numbering::report) reading.sample.number = stream.count;
  return {stream.attempt, Lead::no, std::move(readings.values), std::nullopt, std::nullopt};
}

Numbering Ledger::numbering(const Record& record) const {
  return record.fields.empty() ? Numbering::step : numbering_of(*metrics_, record.fields[0].row->metric);
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
  if (attempt != stream.attempt) stream = {attempt, std::nullopt, 0, {}};
  if (record.number && stream.last == record.number)
    books_.repeats.emplace(origin.place.file, origin.place.line);
}

// Number the record: by its own step, as the k-th of its attempt, or by the step that was printed last.
bool Ledger::number_follower(Record& record, const Origin& origin, Stream& stream, ProblemLog& problems) {
  ++stream.count;
  if (record.number) stream.last = record.number;
  if (record.number || numbering(record) == Numbering::step) {
    const StepTape* leader = books_.steps.newest(origin.place.file, origin.source);
    if (!record.number && leader != nullptr) record.number = leader->last_step();
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

Posted Ledger::post_follower(std::size_t reader, Record record, const Origin& origin, ProblemLog& problems) {
  if (!record.faults.empty()) return {};
  Stream& stream =
      followers_[{reader, record.extractor, lane_of(origin), std::string(origin.source), record.rank}];
  place_follower(record, origin, stream);
  if (!number_follower(record, origin, stream, problems)) return {};
  Readings readings = read_words(record, origin.place, problems);
  if (books_.piles.size() <= stream.attempt) books_.piles.resize(stream.attempt + 1);
  for (const Field& field : record.fields) ++stream.reports[field.row->metric];
  for (Reading& reading : readings.values)
    if (numbering_of(*metrics_, reading.metric) == Numbering::report)
      reading.sample.number = stream.reports[reading.metric];
  for (const Reading& reading : readings.values)
    books_.piles[stream.attempt][reader][{reading.metric, reading.rank}].push_back(reading.sample);
  Posted posted{stream.attempt, Lead::no, std::move(readings.values), std::nullopt, std::nullopt};
  if (books_.steps.attempts() > 0) return posted;
  posted.lead = Lead::yes;
  if (numbering(record) == Numbering::step) posted.step = record.number;
  return posted;
}

}  // namespace gate::extract
