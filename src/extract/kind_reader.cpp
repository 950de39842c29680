#include "extract/kind_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>

#include "extract/literal.h"
#include "extract/pattern.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t npos = std::string_view::npos;
constexpr std::array own_numbers{FieldRow{"step", the_step}, FieldRow{"total", the_total},
                                 FieldRow{"rank", the_rank}, FieldRow{"epoch", the_epoch},
                                 FieldRow{"each", steps_an_epoch}};
constexpr std::array epoch_counts{FieldRow{"nth_epoch", the_step}, FieldRow{"epochs", the_total}};

// Words that say that there is no value.
constexpr std::array<std::string_view, 4> nothing{"None", "null", "N/A", "--%"};

bool is_nothing(std::string_view word) {
  return std::find(nothing.begin(), nothing.end(), word) != nothing.end();
}

void add_fault(Record& record) {
  record.faults.push_back("step " + std::to_string(record.number.value_or(0)) +
                          " of its epoch cannot be numbered through");
}

// Take which epoch it is, counted from 1, and how many there are.
void take_epochs(const Record& epochs, Record& record) {
  std::int64_t total = 0;
  const bool known = epochs.total && record.steps_an_epoch &&
                     !__builtin_mul_overflow(*epochs.total, *record.steps_an_epoch, &total);
  if (known) record.total = total;
  if (!epochs.number) return;
  record.epoch = std::max<std::int64_t>(*epochs.number - 1, 0);
  if (*epochs.number > 0) return;
  add_fault(record);
  record.number = std::nullopt;
}

// Count the steps of the epochs before. In a later epoch of unknown length a step has no number.
void number_in_epoch(Record& record) {
  if (!record.number || !record.epoch || *record.epoch == 0) return;
  std::int64_t before = 0;
  const bool known = record.steps_an_epoch &&
                     !__builtin_mul_overflow(*record.epoch, *record.steps_an_epoch, &before) &&
                     !__builtin_add_overflow(*record.number, before, &before);
  if (!known && record.steps_an_epoch) add_fault(record);
  record.number = known ? std::optional(before) : std::nullopt;
}

bool ends_with(std::string_view text, std::string_view word) {
  return !word.empty() && word.data() + word.size() == text.data() + text.size();
}

}  // namespace

// A record that is being read.
struct KindReader::Draft {
  Record record;
  Record epochs;  // which one it is, and how many there are
  std::string_view text;
  std::string_view last;              // the name of the last field
  std::set<std::string_view> needed;  // names without which it is no record, and which were not seen yet
};

KindReader::KindReader(const RecordKind& kind, std::size_t extractor)
    : kind_(&kind),
      extractor_(extractor),
      head_(std::make_unique<RE2>(piece(kind.head), pattern_options())),
      pattern_(std::make_unique<RE2>(piece(kind.pattern), pattern_options())) {
  for (const auto& [name, group] : head_->NamedCapturingGroups()) groups_.emplace_back(group, name);
  std::sort(groups_.begin(), groups_.end());
}

void KindReader::find_heads(std::string_view text, std::vector<Head>& heads) const {
  if (text.find(kind_->literal) == npos) return;
  std::vector<re2::StringPiece> groups(static_cast<std::size_t>(head_->NumberOfCapturingGroups()) + 1);
  std::size_t at = 0;
  while (at < text.size() && head_->Match(piece(text), at, text.size(), RE2::UNANCHORED, groups.data(),
                                          static_cast<int>(groups.size()))) {
    const auto begin = static_cast<std::size_t>(groups[0].data() - text.data());
    heads.push_back({this, begin, begin + groups[0].size(), groups});
    at = begin + std::max<std::size_t>(groups[0].size(), 1);
  }
}

auto KindReader::read(const Head& head, std::size_t end, std::string_view text) const -> Read {
  Draft draft;
  draft.text = text;
  draft.needed.insert(kind_->needs.begin(), kind_->needs.end());
  draft.record.extractor = extractor_;
  draft.record.role = kind_->role;
  draft.record.begin = head.begin;
  draft.record.end = end;
  read_groups(head, draft);
  read_body(head, text, draft);
  take_epochs(draft.epochs, draft.record);
  number_in_epoch(draft.record);
  draft.record.counted = kind_->steps == Steps::counted && !draft.record.number;
  draft.record.follows = kind_->steps == Steps::before && !draft.record.number;
  const bool is_one = is_record(draft);
  return {std::move(draft.record), is_one};
}

void KindReader::read_groups(const Head& head, Draft& draft) const {
  for (const auto& [group, name] : groups_) {
    const std::string_view word = view(head.groups[static_cast<std::size_t>(group)]);
    if (word.data() == nullptr) continue;
    if (const FieldRow* own = find_field(own_numbers, name))
      set_field(*own, word, draft.record);
    else if (const FieldRow* of_epoch = find_field(epoch_counts, name))
      set_field(*of_epoch, word, draft.epochs);
    else
      take(name, word, draft);
  }
}

void KindReader::read_body(const Head& head, std::string_view text, Draft& draft) const {
  const std::string_view body = text.substr(head.end, draft.record.end - head.end);
  switch (kind_->body) {
    case Body::none:
      return;
    case Body::fields:
      return read_fields(body, draft);
    case Body::barred:
      return read_barred(body, draft);
    case Body::literal:
      return read_literal(text, head.end - 1, draft);
  }
}

void KindReader::take(std::string_view name, std::string_view word, Draft& draft) const {
  draft.last = name;
  draft.needed.erase(name);
  if (is_nothing(word)) return;
  const FieldRow* row = find_field(kind_->fields, name);
  // A step at the end of the text may be the first half of one.
  if (row != nullptr && !(row->metric == the_step && ends_with(draft.text, word)))
    set_field(*row, word, draft.record);
}

void KindReader::read_all_fields(std::string_view body, Draft& draft) const {
  re2::StringPiece rest = piece(body);
  re2::StringPiece name, word;
  while (RE2::FindAndConsume(&rest, *pattern_, &name, &word)) take(view(name), view(word), draft);
}

// Where the last field is known and another one is, the record was cut off, maybe within that one's word.
void KindReader::read_fields(std::string_view body, Draft& draft) const {
  read_all_fields(body, draft);
  Record& record = draft.record;
  if (kind_->last.empty() || draft.last == kind_->last) return;
  record.whole = Whole::torn;
  record.rest = body;
  if (!record.fields.empty() && ends_with(trim(body), record.fields.back().word)) record.fields.pop_back();
}

bool KindReader::holds_expected(const Record& record) const {
  return std::all_of(kind_->expected.begin(), kind_->expected.end(),
                     [&](const FieldRow& row) { return has_metric(record, row.metric); });
}

void KindReader::read_barred(std::string_view body, Draft& draft) const {
  const std::size_t bar = body.rfind('|');
  const std::size_t end = bar == npos ? 0 : bar + 1;
  for (const std::string_view part : split(body.substr(0, end), '|')) read_all_fields(part, draft);
  draft.record.rest = body.substr(end);
  const bool ended = trim(draft.record.rest).empty() && end > 0;
  const bool whole = kind_->last.empty() ? ended : draft.last == kind_->last;
  draft.record.whole = whole ? Whole::whole : Whole::torn;
  if (whole && kind_->last.empty() && !holds_expected(draft.record)) draft.record.whole = Whole::open;
}

void KindReader::read_literal(std::string_view text, std::size_t begin, Draft& draft) const {
  const std::size_t end = extract::read_literal(
      text.substr(begin), [&](std::string_view name, std::string_view word) { take(name, word, draft); });
  if (end == npos) draft.record.whole = Whole::torn;
  if (end == npos) draft.record.rest = text.substr(begin, draft.record.end - begin);
  if (end != npos) draft.record.end = begin + end;
}

bool KindReader::is_record(const Draft& draft) const {
  const Record& record = draft.record;
  const bool placed = record.role != Role::leader || record.number || kind_->steps == Steps::counted;
  return draft.needed.empty() && (placed || !record.faults.empty());
}

std::vector<std::string> KindReader::faults() const {
  std::vector<std::string> faults;
  const std::string name(kind_->extractor);
  if (!head_->ok()) faults.push_back(name + ": head: " + head_->error());
  if (!pattern_->ok()) faults.push_back(name + ": pattern: " + pattern_->error());
  if (pattern_->ok() && pattern_->NumberOfCapturingGroups() != 2)
    faults.push_back(name + ": the pattern of fields needs two groups, name and word");
  for (const auto& [group, group_name] : groups_)
    if (find_field(own_numbers, group_name) == nullptr && find_field(epoch_counts, group_name) == nullptr &&
        find_field(kind_->fields, group_name) == nullptr)
      faults.push_back(name + ": the head's group " + group_name + " is no field of it");
  return faults;
}

}  // namespace gate::extract
