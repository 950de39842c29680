#include "extract/step_tape.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace gate::extract {

namespace {

// Tell whether the readings are, word by word, the last ones on the tape.
bool repeats(const StepTape& tape, const Readings& readings) {
  const std::int64_t last = tape.last_step();
  const auto has_last = [&](const auto& column) { return column.second.back().number == last; };
  const auto count = std::count_if(tape.columns.begin(), tape.columns.end(), has_last);
  return static_cast<std::size_t>(count) == readings.values.size() &&
         std::all_of(readings.values.begin(), readings.values.end(), [&](const Reading& reading) {
           const auto it = tape.columns.find(reading.metric);
           return it != tape.columns.end() && it->second.back().number == last &&
                  it->second.back().text == reading.sample.text;
         });
}

bool begins_anew(const StepTape& tape, std::int64_t number, const Readings& readings) {
  if (number != tape.last_step()) return number < tape.last_step();
  return number == tape.first_step() && !repeats(tape, readings);
}

void append(StepTape& tape, const Record& record, Place place, const Readings& readings) {
  tape.lines.push_back({*record.number, place, record.whole == Whole::torn ? Whole::torn : Whole::whole});
  if (record.total) tape.total = record.total;
  tape.rank = record.rank;
  tape.counted = record.counted;
  for (const Reading& reading : readings.values) {
    tape.columns[reading.metric].push_back(reading.sample);
    if (reading.rank) tape.own.insert(reading.metric);
    if (reading.when == Printed::always) tape.expected.try_emplace(reading.metric, reading.printed);
  }
  for (const std::string& metric : readings.unreadable) tape.unreadable.emplace(*record.number, metric);
}

Sample left_out_at(const StepLine& line) {
  return {line.number, Value{ValueKind::left_out, {}}, "", line.place.file, line.place.line};
}

// What the tape's last line lacks, as far as it is known while the log is read.
std::vector<Reading> missing_now(const StepTape& tape) {
  std::vector<Reading> missing;
  if (tape.lines.back().whole == Whole::torn) return missing;
  for (const auto& [metric, printed] : tape.expected) {
    const auto it = tape.columns.find(metric);
    const bool there = it != tape.columns.end() && it->second.back().number == tape.last_step();
    if (!there && !tape.unreadable.contains({tape.last_step(), metric}))
      missing.push_back({metric, printed, tape.rank_of(metric), left_out_at(tape.lines.back())});
  }
  return missing;
}

void fill_column(const StepTape& tape, const std::string& metric, std::vector<Sample>& column) {
  std::vector<Sample> filled;
  auto next = column.begin();
  for (const StepLine& line : tape.lines) {
    if (!filled.empty() && filled.back().number == line.number &&
        filled.back().value.kind != ValueKind::left_out)
      continue;
    const auto stop =
        std::find_if(next, column.end(), [&](const Sample& s) { return s.number > line.number; });
    const bool there = stop != next;
    std::move(next, stop, std::back_inserter(filled));
    next = stop;
    if (!there && line.whole == Whole::whole && !tape.unreadable.contains({line.number, metric}))
      filled.push_back(left_out_at(line));
  }
  column = std::move(filled);
}

}  // namespace

std::optional<int> StepTape::rank_of(std::string_view metric) const {
  return own.contains(metric) ? rank : std::nullopt;
}

void StepTape::fill_left_out() {
  for (const auto& [metric, printed] : expected) fill_column(*this, metric, columns[metric]);
}

StepTapes::Added StepTapes::add(std::size_t reader, const Record& record, const Origin& origin,
                                const Readings& readings, std::span<const FieldRow> expected) {
  const std::size_t attempts_before = attempts();
  Added added;
  added.before = tapes_.empty() ? 0 : tapes_[latest_].last_step();
  StepTape& tape =
      tape_for({origin.place.file, std::string(origin.source), reader, record.extractor}, record, readings);
  for (const FieldRow& row : expected) tape.expected.try_emplace(std::string(row.metric), row.printed);
  added.repeats = !tape.lines.empty() && tape.last_step() == record.number;
  if (!added.repeats) ++tape.steps;
  append(tape, record, origin.place, readings);
  tape.end = ++lines_[origin.place.file];
  newest_of_file_[origin.place.file] = latest_;
  newest_of_source_[{origin.place.file, std::string(origin.source)}] = latest_;
  added.attempt = tape.attempt;
  added.begins = attempts() > attempts_before && attempts_before > 0;
  added.line = tape.steps;
  added.left_out = missing_now(tape);
  return added;
}

StepTape& StepTapes::tape_for(const Key& key, const Record& record, const Readings& readings) {
  const auto it = newest_.find(key);
  if (it == newest_.end()) return begin_tape(key, 0);
  StepTape& tape = tapes_[it->second];
  if (record.anew || begins_anew(tape, *record.number, readings)) return begin_tape(key, tape.attempt + 1);
  latest_ = it->second;
  return tape;
}

StepTape& StepTapes::begin_tape(const Key& key, std::size_t attempt) {
  latest_ = tapes_.size();
  newest_[key] = latest_;
  if (by_attempt_.size() <= attempt) by_attempt_.resize(attempt + 1);
  by_attempt_[attempt].push_back(latest_);
  StepTape& tape = tapes_.emplace_back();
  tape.attempt = attempt;
  tape.file = std::get<0>(key);
  tape.source = std::get<1>(key);
  tape.reader = std::get<2>(key);
  return tape;
}

std::vector<const StepTape*> StepTapes::of_attempt(std::size_t attempt) const {
  std::vector<const StepTape*> tapes;
  if (attempt >= by_attempt_.size()) return tapes;
  for (const std::size_t index : by_attempt_[attempt]) tapes.push_back(&tapes_[index]);
  return tapes;
}

const StepTape* StepTapes::newest(std::uint32_t file, std::string_view source) const {
  const auto of_source = newest_of_source_.find({file, std::string(source)});
  if (of_source != newest_of_source_.end()) return &tapes_[of_source->second];
  const auto of_file = newest_of_file_.find(file);
  return of_file == newest_of_file_.end() ? nullptr : &tapes_[of_file->second];
}

std::size_t StepTapes::lines(std::uint32_t file) const {
  const auto it = lines_.find(file);
  return it == lines_.end() ? 0 : it->second;
}

}  // namespace gate::extract
