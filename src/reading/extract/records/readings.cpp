#include "extract/records/readings.h"

#include <algorithm>
#include <utility>

#include "gate/base/text.h"

namespace gate::extract {

namespace {

std::string subject_of(const Record& record, const Standing& standing) {
  const std::string number = std::to_string(standing.number);
  const std::string rank = standing.rank ? "rank " + std::to_string(*standing.rank) : "";
  if (record.role == Role::report) return rank + " after " + number + " iterations";
  return "step " + number + (rank.empty() ? "" : " " + rank);
}

// A word that is no number of a whole record says that there is none; of another one it may be what was left
// of a line, or what a custom pattern took for a value.
enum class MayBe : std::uint8_t { whole, cut };

bool is_in_unit(const FieldRow& row) {
  return row.conversion == Conversion::times && row.factor.coefficient == 1 && row.factor.exponent == 0;
}

// Tell whether yes and no are values of the metric: of what the run reached, and of what a person declared,
// but of no loss, time, speed or size.
bool may_be_answer(std::string_view name, const MetricTable& metrics) {
  const MetricKind kind = metrics.get(name).kind;
  const bool is_built_in =
      std::ranges::find(built_in_metrics(), name, &Metric::name) != built_in_metrics().end();
  return kind == MetricKind::other || name == "converged" || (kind == MetricKind::accuracy && !is_built_in);
}

// Set the sample's word and value. Most words say it themselves. A word that is none, and no number that was
// cut off, stands for a value that is none. Without the metrics yes and no are none.
bool read_word(const Field& field, MayBe word_may_be, const MetricTable* metrics, SampleView& sample) {
  sample.text = field.word;
  sample.is_said =
      is_in_unit(*field.row) && field.word.size() <= longest_word && parse_value(field.word, sample.value);
  if (sample.is_said) return true;
  std::optional<Value> value = parse_number(field.word, field.row->thousands);
  if (!value && metrics != nullptr && may_be_answer(field.row->metric, *metrics))
    value = parse_word(field.word);
  const auto convert = field.row->conversion == Conversion::reciprocal ? reciprocal_of : scale;
  if (value) value = convert(*value, field.row->factor);
  if (value) sample.value = *value;
  if (value) return true;
  const bool is_left_out = field.word.empty() || says_nothing(field.word);
  if (word_may_be == MayBe::cut ? !says_nothing(field.word) : begins_number(field.word)) return false;
  sample.value = {is_left_out ? ValueKind::left_out : ValueKind::nan, {}};
  if (is_left_out) sample.text = "";
  return true;
}

// Return the kind of the problems that the framework itself counts under that name, if it does.
std::optional<ProblemKind> counted_kind_of(const FieldRow& row) {
  if (row.metric == "skipped_iterations") return ProblemKind::skipped;
  return row.metric == "nan_iterations" ? std::optional(ProblemKind::not_finite) : std::nullopt;
}

// Return of which kind a value's problem is, if it has one: the framework's own counts of steps that went
// wrong have, too.
std::optional<ProblemKind> problem_kind_of(const FieldRow& row, const Value& value) {
  if (!value.is_finite())
    return value.kind == ValueKind::left_out ? ProblemKind::left_out : ProblemKind::not_finite;
  return value.number.is_zero() ? std::nullopt : counted_kind_of(row);
}

// Tells what is wrong with the values of a record.
class ProblemTeller {
 public:
  ProblemTeller(const Record& record, const Standing& standing, ProblemLog& problems)
      : record_(record), standing_(standing), problems_(problems) {}

  void tell(const FieldReading& reading) {
    const Value& value = reading.sample.value;
    if (reading.row->since == CountedSince::start && value.is_finite() && !counts_on(reading)) return;
    const auto kind = problem_kind_of(*reading.row, value);
    if (kind == ProblemKind::not_finite && !parse_number(reading.sample.text))
      return tell_unreadable({reading.row, reading.sample.text});
    if (kind == ProblemKind::left_out) return tell_left_out(*reading.row);
    if (kind) add(*kind, *reading.row, std::string(reading.sample.text));
  }

  void tell_unreadable(const Field& field) {
    const bool two = has_two_readings(field.word);
    add(two ? ProblemKind::ambiguous : ProblemKind::malformed, *field.row,
        "`" + printable(field.word, 60) +
            (two ? "` has two readings: thousands, or a decimal comma" : "` is no number"));
  }

 private:
  void add(ProblemKind kind, const FieldRow& row, const std::string& text) {
    problems_.add(kind, standing_.place,
                  subject_of(record_, standing_) + ": " + std::string(row.printed) + " " + text);
  }

  // Of a leader this is told where its attempt is known.
  void tell_left_out(const FieldRow& row) {
    if (record_.role == Role::leader) return;
    problems_.add(ProblemKind::left_out, standing_.place,
                  subject_of(record_, standing_) + ": no " + std::string(row.printed) + " printed");
  }

  bool counts_on(const FieldReading& reading) {
    return problems_.count(*reading.row, standing_.rank, standing_.place.file, reading.sample.value.number);
  }

  const Record& record_;
  const Standing& standing_;
  ProblemLog& problems_;
};

}  // namespace

void ProblemLog::add(ProblemKind kind, LinePlace place, Sentence text) {
  if (++totals_.at(static_cast<std::size_t>(kind)) > most_of_a_kind && kind != ProblemKind::cut_off) return;
  keep({place, {kind, "", place.line, std::move(text)}});
}

void ProblemLog::keep(LocatedProblem entry) {
  const auto kind = static_cast<std::size_t>(entry.problem.kind);
  if (totals_.at(kind) <= most_of_a_kind) return entries_.push_back(std::move(entry));
  if (entry.problem.kind != ProblemKind::cut_off) return;
  LocatedProblem& last = last_cuts_[entry.place.file];
  if (last.place.line <= entry.place.line) last = std::move(entry);
}

bool ProblemLog::count(const FieldRow& row, std::optional<int> rank, std::uint32_t file,
                       const Decimal& number) {
  const auto [before, first] = counts_.try_emplace({&row, rank, file}, number);
  return first || std::exchange(before->second, number) != number;
}

void ProblemLog::add(const ProblemLog& other) {
  for (const LocatedProblem& entry : other.entries_) {
    ++totals_.at(static_cast<std::size_t>(entry.problem.kind));
    keep(entry);
  }
  for (std::size_t kind = 0; kind < kinds; ++kind)
    totals_.at(kind) += other.totals_.at(kind) - std::min(other.totals_.at(kind), most_of_a_kind);
  for (const auto& [file, cut] : other.last_cuts_) keep(cut);
}

void ProblemLog::move_into(Extraction& extraction) {
  for (auto& [file, cut] : last_cuts_) {
    --totals_.at(static_cast<std::size_t>(cut.problem.kind));
    entries_.push_back(std::move(cut));
  }
  std::ranges::stable_sort(entries_, {}, [](const LocatedProblem& entry) {
    return std::pair(entry.place.file, entry.place.line);
  });
  for (LocatedProblem& entry : entries_) {
    if (entry.place.file < extraction.files.size()) entry.problem.file = extraction.files[entry.place.file];
    extraction.problems.push_back(std::move(entry.problem));
  }
  for (std::size_t kind = 0; kind < kinds; ++kind)
    if (totals_.at(kind) > most_of_a_kind)
      extraction.notes.push_back(say({"and {} more problems of kind {}", "以及另外 {} 个 {} 类问题"},
                                     totals_.at(kind) - most_of_a_kind,
                                     to_string(static_cast<ProblemKind>(kind))));
}

bool is_plain(const FieldRow& row) { return is_in_unit(row) && !counted_kind_of(row); }

bool read_plain(const Field& field, SampleView& sample) {
  return read_word(field, MayBe::whole, nullptr, sample) && !problem_kind_of(*field.row, sample.value);
}

void read_words(const Record& record, const Standing& standing, const MetricTable& metrics,
                ProblemLog& problems, Readings& readings) {
  ProblemTeller teller(record, standing, problems);
  const bool is_whole =
      record.whole == Whole::whole || (record.role == Role::leader && record.whole == Whole::open);
  readings.values.clear();
  readings.unreadable.clear();
  if (!record.not_logged.empty()) readings.unreadable = record.not_logged;
  for (const Field& field : record.fields) {
    FieldReading& reading = readings.values.emplace_back();
    reading.row = field.row;
    if (field.row->scope == Scope::rank) reading.rank = standing.rank;
    reading.sample.number = standing.number;
    reading.sample.file = standing.place.file;
    reading.sample.line = standing.place.line;
    if (read_word(field, is_whole ? MayBe::whole : MayBe::cut, &metrics, reading.sample)) {
      teller.tell(reading);
    } else {
      readings.values.pop_back();
      readings.unreadable.push_back(field.row);
      teller.tell_unreadable(field);
    }
  }
}

}  // namespace gate::extract
