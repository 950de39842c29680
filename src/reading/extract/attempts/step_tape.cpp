#include "extract/attempts/step_tape.h"

#include <algorithm>

#include "extract/scan/number_word.h"

namespace gate::extract {

namespace {

bool has_number(const SampleTape& samples, std::int64_t number) {
  return !samples.empty() && samples.last_number() == number;
}

bool has_last(const StepTape& tape, const StepColumn& column) {
  return has_number(column.samples, tape.last_step());
}

// Tell whether the readings are, word by word, the last ones on the tape.
bool repeats(const StepTape& tape, const Readings& readings) {
  const auto count =
      std::ranges::count_if(tape.columns, [&](const StepColumn& column) { return has_last(tape, column); });
  return static_cast<std::size_t>(count) == readings.values.size() &&
         std::ranges::all_of(readings.values, [&](const FieldReading& reading) {
           const StepColumn* column = tape.find(reading.row->metric);
           return column != nullptr && has_last(tape, *column) &&
                  column->samples.back().text == reading.sample.text;
         });
}

bool is_read(const Readings& readings, std::string_view metric) {
  return std::ranges::any_of(readings.values,
                             [&](const FieldReading& reading) { return reading.row->metric == metric; });
}

// Tell whether the reading says no more of the last step than what is known: the value that was printed last,
// or one more where two values are in conflict already.
bool is_known(const StepTape& tape, const FieldReading& reading) {
  const StepColumn* column = tape.find(reading.row->metric);
  if (column == nullptr || column->chosen || !has_last(tape, *column)) return false;
  return column->differing == tape.last_step() || column->samples.back().value == reading.sample.value;
}

// Tell whether a step was printed so often that another line, which says nothing that is not known, is not
// worth its room.
bool is_exhausted(const StepTape& tape, const Readings& readings) {
  constexpr std::size_t often = 64;
  if (tape.lines.size() < often || (tape.lines.end() - often).number() != tape.last_step()) return false;
  return std::ranges::all_of(readings.values,
                             [&](const FieldReading& reading) { return is_known(tape, reading); }) &&
         std::ranges::all_of(tape.columns, [&](const StepColumn& column) {
           return !column.expected || is_read(readings, column.metric);
         });
}

bool is_unreadable(const StepTape& tape, std::int64_t step, std::string_view metric) {
  return !tape.unreadable.empty() && tape.unreadable.contains({step, std::string(metric)});
}

// Return the samples of both tapes by their numbers, and of each its place on the one tape behind the other.
std::pair<SampleTape, std::vector<std::size_t>> in_order(const SampleTape& a, const SampleTape& b) {
  std::vector<std::pair<std::int64_t, std::size_t>> places;
  for (const SampleTape* tape : {&a, &b})
    for (auto it = tape->begin(); it != tape->end(); ++it) places.emplace_back(it.number(), places.size());
  std::ranges::stable_sort(places, {}, [](const auto& place) { return place.first; });
  std::pair<SampleTape, std::vector<std::size_t>> ordered;
  for (const auto& [number, place] : places) {
    const auto it = place < a.size() ? a.begin() + static_cast<std::ptrdiff_t>(place)
                                     : b.begin() + static_cast<std::ptrdiff_t>(place - a.size());
    ordered.first.append(it.view());
    ordered.second.push_back(place);
  }
  return ordered;
}

// Tell whether what was printed is words that are no number throughout: the source has no such value.
bool holds_words_alone(const SampleTape& samples) {
  for (auto it = samples.begin(); it != samples.end(); ++it) {
    const SampleView sample = it.view();
    if (sample.value.kind != ValueKind::nan || parse_number(sample.text)) return false;
  }
  return !samples.empty();
}

std::size_t count_numbers(const SampleTape& samples) {
  std::size_t numbers = 0;
  for (auto it = samples.begin(); it != samples.end(); ++it) numbers += it.view().value.is_finite() ? 1 : 0;
  return numbers;
}

// Add that the source, which has printed numbers of the metric, says that it has none at the step.
void add_none(StepTape& tape, std::int64_t step, std::string_view metric) {
  const StepColumn* column = tape.find(metric);
  if (column != nullptr && column->has_number) tape.none.emplace_back(step, column->metric);
}

// Return how many numbers there are; they never fall.
std::int64_t distinct(SampleTape::Iterator begin, const SampleTape::Iterator& end) {
  std::int64_t count = 0;
  for (auto it = begin; it != end; ++it)
    if (it == begin || it.number() != (it - 1).number()) ++count;
  return count;
}

// Tell whether the sample was printed on that line, of those that print its step.
bool is_on(const SampleTape::Iterator& sample, const SampleTape::Iterator& line) {
  if (sample.number() != line.number()) return sample.number() < line.number();
  const SampleView a = sample.view(), b = line.view();
  return a.line <= b.line;
}

SampleTape filled(const StepTape& tape, const StepColumn& column) {
  SampleTape all;
  auto torn = tape.torn.begin();
  auto next = column.samples.begin();
  for (auto line = tape.lines.begin(); line != tape.lines.end(); ++line) {
    const SampleView lacking = line.view();
    const bool whole = torn == tape.torn.end() || *torn != line.index();
    if (!whole) ++torn;
    bool printed = false;  // on this line
    for (; next != column.samples.end() && is_on(next, line); ++next, printed = true) all.append(next.view());
    if (printed || !whole || is_unreadable(tape, lacking.number, column.metric)) continue;
    while (!all.empty() && all.last_number() == lacking.number) all.pop_back();
    all.append(lacking);
  }
  return all;
}

}  // namespace

Numbering numbering_of(const MetricTable& metrics, std::string_view metric) {
  const Metric* found = metrics.find(metric);
  return found == nullptr ? Numbering::step : found->numbered;
}

const StepColumn* StepTape::find(std::string_view metric) const {
  const auto it = std::ranges::find(columns, metric, &StepColumn::metric);
  return it == columns.end() ? nullptr : &*it;
}

void StepTape::follow(StepTape& before) {
  places = std::move(before.places);
  columns.reserve(before.columns.size());
  for (const StepColumn& column : before.columns)
    columns.push_back({column.metric, "", column.numbered, column.chosen});
}

void StepTape::shrink() {
  lines.shrink();
  for (StepColumn& column : columns) column.samples.shrink();
}

void StepTape::take(StepTape next) {
  std::vector<bool> is_torn(lines.size() + next.lines.size(), false);
  for (const std::size_t line : torn) is_torn[line] = true;
  for (const std::size_t line : next.torn) is_torn[lines.size() + line] = true;
  const auto [joined, order_of_lines] = in_order(lines, next.lines);
  torn.clear();
  for (std::size_t i = 0; i < order_of_lines.size(); ++i)
    if (is_torn[order_of_lines[i]]) torn.push_back(i);
  lines = joined;
  first = lines.begin().number();
  steps = base + distinct(lines.begin(), lines.end());
  for (StepColumn& column : next.columns) {
    const auto own = std::ranges::find(columns, column.metric, &StepColumn::metric);
    if (own == columns.end()) {
      columns.push_back(std::move(column));
      continue;
    }
    own->samples = in_order(own->samples, column.samples).first;
    own->own |= column.own;
    own->expected |= column.expected;
  }
  unreadable.merge(next.unreadable);
  none.insert(none.end(), next.none.begin(), next.none.end());
  order.last = next.order.last;
  head = next.head;
  starts_until = next.starts_until;
  if (next.total) total = next.total;
  if (!two_writers) two_writers = next.two_writers;
  if (!unplaced) unplaced = std::move(next.unplaced);
}

std::vector<LeftOutValue> StepTape::left_out() const {
  std::vector<LeftOutValue> all;
  if (!torn.empty() && torn.back() + 1 == lines.size()) return all;
  for (const StepColumn& column : columns) {
    if (!column.expected || has_last(*this, column) || is_unreadable(*this, last_step(), column.metric))
      continue;
    SampleView sample = (lines.end() - 1).view();
    if (column.numbered == Numbering::report) sample.number = steps;
    all.push_back({column.metric, rank_of(column), sample});
  }
  std::ranges::sort(all, {}, &LeftOutValue::metric);
  return all;
}

std::optional<Unplaced> StepTape::no_number_of(const StepColumn& column) const {
  if (holds_words_alone(column.samples)) return std::nullopt;
  const auto found = [&](const SampleView& at) {
    return std::optional(Unplaced{{at.file, at.line}, std::string(column.metric)});
  };
  for (auto it = column.samples.begin(); it != column.samples.end(); ++it) {
    const SampleView sample = it.view();
    if (!sample.value.is_finite() && sample.value.kind != ValueKind::left_out) return found(sample);
  }
  std::vector<std::int64_t> told;
  for (const auto& [step, metric] : none)
    if (metric == column.metric) told.push_back(step);
  if (told.empty() || 2 * told.size() > count_numbers(column.samples)) return std::nullopt;
  for (auto it = lines.begin(); it != lines.end(); ++it)
    if (it.number() == told[0]) return found(it.view());
  return std::nullopt;
}

void StepTape::fill_left_out() {
  for (StepColumn& column : columns) {
    if (!holds_words_alone(column.samples)) continue;
    for (auto it = column.samples.begin(); it != column.samples.end(); ++it)
      unreadable.emplace(it.number(), std::string(column.metric));
    column.samples = {};
  }
  std::map<std::string_view, std::size_t> told;
  for (const auto& [step, metric] : none) ++told[metric];
  std::erase_if(told, [&](const auto& one) {
    const StepColumn* column = find(one.first);
    return column == nullptr || 2 * one.second > count_numbers(column->samples);
  });
  std::erase_if(none, [&](const auto& entry) { return !told.contains(entry.second); });
  for (StepColumn& column : columns)
    if (column.expected &&
        !(column.samples.size() == lines.size() && column.samples.rises() && lines.rises()))
      column.samples = filled(*this, column);
}

StepTapes::Added StepTapes::add(std::size_t reader, const Record& record, const RecordOrigin& origin,
                                std::int64_t order, const Readings& readings,
                                std::span<const FieldRow> expected) {
  Added added;
  const std::uint32_t file = origin.place.file;
  const TapeKeyView key(file, origin.source, reader, record.extractor);
  TapeSource& source = sources_[key];
  StepTape& tape = tape_for(key, source, record, readings);
  if (tape.lines.empty()) {
    tape.order.first = order;
    tape.began = printed_time(origin.head);
    expect(tape, expected, record);
  }
  tape.order.last = order;
  tape.head = origin.head;
  tape.starts_until = starts_[file];
  tape.repairs_until = repairs_[file];
  added.repeats = !tape.lines.empty() && tape.last_step() == record.number;
  if (!added.repeats) ++tape.steps;
  source.writers.add(*record.number);
  if (record.late) tape.late = {source.last, origin.place};
  if (source.writers.detected() && !tape.two_writers) tape.two_writers = {source.last, origin.place};
  source.last = origin.place;
  const bool same_words = added.repeats && repeats(tape, readings);
  if (same_words || (added.repeats && is_exhausted(tape, readings)))
    added.is_kept = false;
  else
    append(tape, record, origin.place, readings);
  added.same_words = same_words;
  newest_of_file_[file] = latest_;
  set_newest(SourceView(file, origin.source));
  added.tape = &tape;
  return added;
}

void StepTapes::begin(std::uint32_t file, std::string_view source) {
  bool printed = false;
  sources_.for_each([&](const TapeKey& key, TapeSource& each) {
    if (std::get<0>(key) != file || std::get<1>(key) != source) return;
    starts_attempt_[*each.id] = printed = true;
    each.writers.begin();
  });
  if (printed) ++starts_[file];
}

void StepTapes::begin_again() {
  std::set<std::uint32_t> files;
  sources_.for_each([&](const TapeKey& key, TapeSource& each) {
    starts_attempt_[*each.id] = restarted_[*each.id] = true;
    each.writers.begin();
    files.insert(std::get<0>(key));
  });
  for (const std::uint32_t file : files) ++starts_[file];
}

void StepTapes::fail(std::uint32_t file, bool may_be_repaired) {
  if (may_be_repaired) ++repairs_[file];
  sources_.for_each([&](const TapeKey& key, TapeSource& source) {
    if (std::get<0>(key) == file) starts_attempt_[*source.id] = true;
  });
}

void StepTapes::append(StepTape& tape, const Record& record, LinePlace place, const Readings& readings) {
  if (tape.lines.empty()) tape.first = *record.number;
  if (record.whole == Whole::torn) tape.torn.push_back(tape.lines.size());
  tape.lines.append(SampleView{*record.number, {}, "", place.file, place.line});
  if (record.total) tape.total = record.total;
  tape.epoch_end = record.epoch_end;
  tape.rank = record.rank;
  tape.counted = record.counted;
  tape.beside = record.beside;
  for (const FieldReading& reading : readings.values) {
    StepColumn& column = column_of(tape, *reading.row);
    if (has_number(column.samples, *record.number) && !(column.samples.back().value == reading.sample.value))
      column.differing = record.number;
    column.samples.append(reading.sample);
    column.has_number |= reading.sample.value.is_finite();
    if (reading.rank) column.own = true;
    if (reading.row->when == Printed::always) expect(column, *reading.row);
    if (reading.sample.value.kind == ValueKind::left_out) add_none(tape, *record.number, column.metric);
  }
  if (record.filled != nullptr)
    if (const StepColumn* column = tape.find(record.filled->metric); column != nullptr && column->expected)
      tape.unreadable.emplace(*record.number, std::string(record.filled->metric));
  for (const FieldRow* row : record.none) add_none(tape, *record.number, row->metric);
  for (const FieldRow* row : readings.unreadable)
    tape.unreadable.emplace(*record.number, std::string(row->metric));
}

// The first name that is expected of a metric is the one that is told.
void StepTapes::expect(StepColumn& column, const FieldRow& row) {
  if (column.expected) return;
  column.expected = true;
  column.printed = row.printed;
}

// Of a rank that prints a filler no value is expected.
void StepTapes::expect(StepTape& tape, std::span<const FieldRow> rows, const Record& record) {
  for (const FieldRow& row : rows)
    if (record.filled == nullptr || record.filled->metric != row.metric) expect(column_of(tape, row), row);
}

StepColumn& StepTapes::column_of(StepTape& tape, const FieldRow& row) {
  std::optional<std::size_t>& place = tape.places[&row];
  if (place) return tape.columns[*place];
  const StepColumn* known = tape.find(row.metric);
  place = known == nullptr ? tape.columns.size() : static_cast<std::size_t>(known - tape.columns.data());
  if (known != nullptr) return tape.columns[*place];
  const Metric* metric = metrics_->find(row.metric);
  const Numbering numbered = metric == nullptr ? Numbering::step : metric->numbered;
  const bool picks = metric != nullptr && metric->pick != Pick::none;
  tape.columns.push_back({row.metric, "", numbered, picks});
  return tape.columns[*place];
}

StepTape& StepTapes::tape_for(const TapeKeyView& key, TapeSource& source, const Record& record,
                              const Readings& readings) {
  if (!source.id) {
    source.id = starts_attempt_.size();
    starts_attempt_.push_back(false);
    restarted_.push_back(false);
    return begin_tape(key, source, 0);
  }
  StepTape& tape = tapes_[source.newest];
  const bool said = starts_attempt_[*source.id];
  starts_attempt_[*source.id] = false;
  const bool restarted = restarted_[*source.id];
  restarted_[*source.id] = false;
  const bool begins_anew = (said || record.number == tape.first_step()) && !repeats(tape, readings);
  const bool again = record.number == tape.last_step() && (restarted || begins_anew);
  if (record.starts_attempt || *record.number < tape.last_step() || again) {
    const std::int64_t base = lines_before(source.newest, *source.id, *record.number);
    const bool is_recomputed = again && !restarted && starts_[tape.file] == tape.starts_until &&
                               repairs_[tape.file] > tape.repairs_until;
    StepTape& next = begin_tape(key, source, tape.attempt + 1);
    next.base = next.steps = base;
    next.is_told = said || restarted;
    next.is_recomputed = is_recomputed;
    return next;
  }
  latest_ = source.newest;
  return tape;
}

StepTape& StepTapes::begin_tape(const TapeKeyView& key, TapeSource& source, std::size_t attempt) {
  latest_ = tapes_.size();
  starts_attempt_[*source.id] = false;
  attempts_ = std::max(attempts_, attempt + 1);
  ++begun_;
  StepTape& tape = tapes_.emplace_back();
  if (attempt > 0) {
    constexpr std::size_t worth_a_copy = 64;  // a short one is forgotten most likely
    StepTape& before = tapes_[source.newest];
    tape.follow(before);
    if (before.lines.size() >= worth_a_copy) before.shrink();
  }
  source.newest = latest_;
  tape.forgotten = forgotten_;
  tape.attempt = attempt;
  tape.source_id = *source.id;
  tape.file = std::get<0>(key);
  tape.source = std::get<1>(key);
  tape.reader = std::get<2>(key);
  tape.starts_before = starts_[tape.file];
  last_begun_[tape.file] = latest_;
  return tape;
}

// Return how many lines of steps stand before that step in the newest of the source's pieces that began
// below it, and in those that this one resumed behind.
std::int64_t StepTapes::lines_before(std::size_t newest, std::size_t source_id, std::int64_t step) const {
  for (std::size_t i = newest + 1; i > 0; --i) {
    const StepTape& tape = tapes_[i - 1];
    if (tape.source_id != source_id || tape.first_step() > step) continue;
    if (tape.first_step() == step) return tape.base;
    if (tape.last_step() < step) return tape.steps;
    const auto end =
        std::lower_bound(tape.lines.begin(), tape.lines.end(), step,
                         [](const auto& line, std::int64_t number) { return line.number < number; });
    if (tape.lines.rises()) return tape.base + static_cast<std::int64_t>(end.index());
    return tape.base + distinct(tape.lines.begin(), end);
  }
  return 0;
}

void StepTapes::join(std::size_t tape, std::size_t next) {
  const std::size_t source = tapes_[next].source_id;
  tapes_[tape].take(std::move(tapes_[next]));
  tapes_.erase(tapes_.begin() + static_cast<std::ptrdiff_t>(next));
  for (std::size_t i = next; i < tapes_.size(); ++i) {
    StepTape& behind = tapes_[i];
    if (behind.source_id != source) continue;
    --behind.attempt;
    const std::int64_t own = behind.steps - behind.base;
    if (behind.forgotten == 0) behind.base = lines_before(i - 1, source, behind.first_step());
    behind.steps = behind.base + own;
  }
}

void StepTapes::keep(const NewPlaces& places, std::size_t forgotten) {
  forgotten_ = forgotten;
  keep_placed(places, tapes_);
  latest_ = *places[latest_];
  sources_.for_each([&](const TapeKey&, TapeSource& source) { source.newest = *places[source.newest]; });
  for (auto& [source, newest] : newest_of_source_) newest = *places[newest];
  for (auto& [file, newest] : newest_of_file_) newest = *places[newest];
  for (auto& [file, begun] : last_begun_) begun = *places[begun];
}

const StepTape* StepTapes::next_of_source(std::size_t tape) const {
  const auto it =
      std::find_if(tapes_.begin() + static_cast<std::ptrdiff_t>(tape) + 1, tapes_.end(),
                   [&](const StepTape& other) { return other.source_id == tapes_[tape].source_id; });
  return it == tapes_.end() ? nullptr : &*it;
}

void StepTapes::assign(std::span<const std::size_t> attempts, std::size_t count) {
  attempts_ = count;
  by_attempt_.assign(count, {});
  for (std::size_t i = 0; i < tapes_.size(); ++i) {
    tapes_[i].attempt = attempts[i];
    by_attempt_[attempts[i]].push_back(i);
  }
}

void StepTapes::set_newest(const SourceView& source) {
  const auto it = newest_of_source_.find(source);
  if (it == newest_of_source_.end())
    newest_of_source_.emplace(SourceKey(source), latest_);
  else
    it->second = latest_;
}

std::vector<const StepTape*> StepTapes::of_attempt(std::size_t attempt) const {
  std::vector<const StepTape*> tapes;
  if (attempt >= by_attempt_.size()) return tapes;
  for (const std::size_t index : by_attempt_[attempt]) tapes.push_back(&tapes_[index]);
  return tapes;
}

std::optional<std::size_t> StepTapes::of_source_or_file(std::uint32_t file, std::string_view source,
                                                        const FilePlaces& of_file) const {
  if (tapes_.empty()) return std::nullopt;
  const auto own = newest_of_source_.find(SourceView(file, source));
  if (own != newest_of_source_.end()) return own->second;
  const auto other = of_file.find(file);
  return other == of_file.end() ? std::nullopt : std::optional(other->second);
}

std::optional<std::size_t> StepTapes::newest_place(std::uint32_t file, std::string_view source) const {
  return of_source_or_file(file, source, newest_of_file_);
}

const StepTape* StepTapes::newest(std::uint32_t file, std::string_view source) const {
  const std::optional<std::size_t> place = newest_place(file, source);
  return place ? &tapes_[*place] : nullptr;
}

std::optional<std::size_t> StepTapes::leader(std::uint32_t file, std::string_view source) const {
  return of_source_or_file(file, source, last_begun_);
}

}  // namespace gate::extract
