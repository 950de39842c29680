#include "extract/records/kind_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "extract/scan/literal.h"
#include "extract/scan/number_word.h"
#include "extract/scan/re2_pattern.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::array own_numbers{FieldRow{"step", the_step},           FieldRow{"total", the_total},
                                 FieldRow{"rank", the_rank},           FieldRow{"epoch", the_epoch},
                                 FieldRow{"nth_epoch", the_nth_epoch}, FieldRow{"epochs", the_epochs},
                                 FieldRow{"each", steps_an_epoch}};

// Tell whether the word is the row's filler, with however many zeros behind its point.
bool is_filler(const FieldRow& row, std::string_view word) {
  if (row.filler.empty() || !word.starts_with(row.filler)) return false;
  word.remove_prefix(row.filler.size());
  return word.empty() || (word[0] == '.' && word.find_first_not_of('0', 1) == std::string_view::npos);
}

// Where a name says that there is no value, another quantity of its metric is none either.
void forget_other_quantities(Record& record) {
  for (const FieldRow* none : record.none)
    std::erase_if(record.fields, [&](const Field& field) {
      return field.row->beside == Beside::other && field.row->metric == none->metric && none < field.row;
    });
}

// Tell whether the word, a view of the text, stands at its end.
bool ends_with(std::string_view text, std::string_view word) {
  return !word.empty() && word.data() + word.size() == text.data() + text.size();
}

}  // namespace

// A record that is being read.
struct KindReader::Draft {
  Record record;
  std::string_view text;
  std::string_view last = {};  // the name of the last field of the body
  std::uint64_t needed = 0;    // names without which it is no record, and which were not seen yet
  bool has_one = false;        // one of those was seen of which one is needed
  bool is_told = false;        // the word was seen that tells the kind
  std::vector<const FieldRow*> numbers = {};  // the record's own that were read, one row for each

  void add(const FieldRow& row, std::string_view word);
  bool is_first(const FieldRow& row);
};

// A step at the end of the text may be the first half of one.
void KindReader::Draft::add(const FieldRow& row, std::string_view word) {
  if (row.metric == the_step && ends_with(text, word)) return;
  if (is_metric(row) || is_first(row)) set_field(row, word, record);
}

// Tell whether no row of the same number that stands before this one was read.
bool KindReader::Draft::is_first(const FieldRow& row) {
  const auto it = std::ranges::find(numbers, row.metric, &FieldRow::metric);
  if (it == numbers.end()) return numbers.push_back(&row), true;
  if (*it < &row) return false;
  *it = &row;
  return true;
}

KindReader::Expressions::Expressions(const RecordKind& kind) : head(kind.head) {
  if (!kind.pattern.empty()) pattern = std::make_unique<RE2>(piece(kind.pattern), pattern_options());
  for (const auto& [name, index] : head.regex().NamedCapturingGroups())
    groups.push_back({static_cast<std::size_t>(index), name, find_field(own_numbers, name)});
  std::ranges::sort(groups, {}, &HeadGroup::index);
}

KindReader::KindReader(const RecordKind& kind, std::size_t extractor)
    : kind_(&kind), extractor_(extractor), names_(kind.fields, kind.needs, kind.one_of) {}

const KindReader::Expressions& KindReader::expressions() const {
  std::call_once(made_->once, [this] { made_->expressions.emplace(*kind_); });
  return *made_->expressions;
}

void KindReader::find_heads(std::string_view text, std::vector<RecordHead>& heads) const {
  if (find_text(text, kind_->literal) == npos) return;
  const HeadPattern& pattern = expressions().head;
  RecordHead head{this};
  for (std::size_t at = 0; pattern.find(text, at, head.groups);) {
    head.begin = static_cast<std::size_t>(head.groups[0].data() - text.data());
    head.end = head.begin + head.groups[0].size();
    heads.push_back(head);
    at = std::max(head.end, head.begin + 1);
  }
}

auto KindReader::read(const RecordHead& head, std::size_t end, std::string_view text) const -> Read {
  Draft draft{.record = {.extractor = extractor_, .role = kind_->role, .begin = head.begin, .end = end},
              .text = text,
              .needed = names_.needs(),
              .has_one = kind_->one_of.empty(),
              .is_told = kind_->tells.empty()};
  Record& record = draft.record;
  read_groups(head, draft);
  read_body(head, text, draft);
  forget_other_quantities(record);
  number_in_epoch(record);
  record.beside = kind_->steps == Steps::counted_beside;
  const bool is_counted =
      record.beside || kind_->steps == Steps::counted || kind_->steps == Steps::counted_if_whole;
  record.counted = is_counted && !record.number;
  record.follows = kind_->steps == Steps::before && !record.number;
  record.by_order = kind_->steps == Steps::by_order && !record.number && record.order;
  record.has_own_step = record.role == Role::follower && record.number;
  const bool is_one = is_record(draft);
  // A dictionary that breaks off behind one of the names that make it a step is what is left of one.
  const bool named = draft.needed != names_.needs() || (!kind_->one_of.empty() && draft.has_one);
  const bool is_left = !is_one && named && draft.is_told && kind_->body == Body::literal &&
                       kind_->role == Role::leader && record.whole == Whole::torn;
  record.fragment = is_left;
  return {std::move(record), is_one || is_left};
}

void KindReader::read_groups(const RecordHead& head, Draft& draft) const {
  for (const HeadGroup& group : expressions().groups) {
    const std::string_view word = view(head.groups[group.index]);
    if (word.data() == nullptr) continue;
    if (group.own != nullptr)
      set_field(*group.own, word, draft.record);
    else
      add(group.name, word, draft);
  }
}

void KindReader::read_body(const RecordHead& head, std::string_view text, Draft& draft) const {
  const std::string_view body = text.substr(head.end, draft.record.end - head.end);
  switch (kind_->body) {
    case Body::none:
      return;
    case Body::fields:
      return read_fields(body, draft);
    case Body::barred:
      return read_bars(body, draft);
    case Body::literal:
      return read_literal(text, head.end - 1, draft);
  }
}

void KindReader::add(std::string_view name, std::string_view word, Draft& draft) const {
  if (!kind_->tells.empty() && name == kind_->told_by)
    draft.is_told = std::ranges::find(kind_->tells, without_quotes(word)) != kind_->tells.end();
  const NameTable::Name* known = names_.find(name);
  if (known == nullptr) return;
  if (kind_->nulls == Nulls::not_logged && word == "null") {
    if (known->row != nullptr) draft.record.not_logged.push_back(known->row);
    return;
  }
  draft.needed &= ~known->need;
  draft.has_one |= known->one;
  if (known->row == nullptr) return;
  const bool is_list = kind_->body == Body::literal && word.starts_with('[') && is_metric(*known->row);
  if (word.empty() || is_list || says_nothing(word)) return draft.record.none.push_back(known->row);
  if (is_filler(*known->row, word))
    draft.record.filled = known->row;
  else
    draft.add(*known->row, word);
}

void KindReader::add_last(std::string_view name, std::string_view word, Draft& draft) const {
  draft.last = name;
  add(name, word, draft);
}

void KindReader::read_all_fields(std::string_view body, Draft& draft) const {
  const RE2* const pattern = expressions().pattern.get();
  if (pattern == nullptr) {
    FieldScanner scanner(kind_->style, body);
    while (const auto field = scanner.next()) add_last(field->name, field->word, draft);
    return;
  }
  re2::StringPiece rest = piece(body), name, word;
  while (RE2::FindAndConsume(&rest, *pattern, &name, &word))
    add_last(view(name), trim(view(word).substr(0, view(word).find('|'))), draft);
}

// If the last field is known, and another one stands there, the record was cut off, maybe within that one's
// word.
void KindReader::read_fields(std::string_view body, Draft& draft) const {
  read_all_fields(body, draft);
  Record& record = draft.record;
  if (kind_->last.empty() || draft.last == kind_->last) return;
  record.whole = Whole::torn;
  record.rest = body;
  if (!record.fields.empty() && ends_with(trim(body), record.fields.back().word)) record.fields.pop_back();
}

void KindReader::read_bars(std::string_view body, Draft& draft) const {
  Record& record = draft.record;
  record.rest = read_barred(body, [&](std::string_view part) { read_all_fields(part, draft); });
  const bool ended = trim(record.rest).empty() && record.rest.size() < body.size();
  const bool whole = kind_->last.empty() ? ended : draft.last == kind_->last;
  record.whole = whole ? Whole::whole : Whole::torn;
  const auto is_held = [&](const FieldRow& row) { return has_metric(record, row.metric); };
  if (whole && kind_->last.empty() && !std::ranges::all_of(kind_->expected, is_held))
    record.whole = Whole::open;
}

void KindReader::read_literal(std::string_view text, std::size_t begin, Draft& draft) const {
  const std::size_t end = extract::read_literal(
      text.substr(begin), [&](std::string_view name, std::string_view word) { add(name, word, draft); });
  draft.record.closed = end != npos;
  if (draft.record.closed) {
    draft.record.end = begin + end;
  } else {
    draft.record.whole = Whole::torn;
    draft.record.rest = text.substr(begin, draft.record.end - begin);
  }
}

bool KindReader::is_record(const Draft& draft) const {
  const Record& record = draft.record;
  if (draft.needed != 0 || !draft.has_one || !draft.is_told) return false;
  if (!record.faults.empty() || record.role == Role::start) return true;
  if (record.role == Role::follower) return !record.fields.empty();
  if (record.role == Role::report || record.number || record.by_order) return true;
  const bool whole = record.whole == Whole::whole;
  return kind_->steps == Steps::counted || record.beside ||
         (kind_->steps == Steps::counted_if_whole && whole);
}

std::vector<std::string> KindReader::faults() const {
  std::vector<std::string> faults;
  const std::string name(kind_->extractor);
  const auto& [head, pattern, groups] = expressions();
  if (!head.regex().ok()) faults.push_back(name + ": head: " + head.regex().error());
  if (head.regex().NumberOfCapturingGroups() > static_cast<int>(HeadPattern::most_groups))
    faults.push_back(name + ": the head has more than " + std::to_string(HeadPattern::most_groups) +
                     " groups");
  if (pattern && !pattern->ok()) faults.push_back(name + ": pattern: " + pattern->error());
  if (pattern && pattern->ok() && pattern->NumberOfCapturingGroups() != 2)
    faults.push_back(name + ": the pattern of fields needs two groups, name and word");
  for (const HeadGroup& group : groups)
    if (group.own == nullptr && find_field(kind_->fields, group.name) == nullptr)
      faults.push_back(name + ": the head's group " + group.name + " is no field of it");
  return faults;
}

}  // namespace gate::extract
