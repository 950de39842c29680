#include "extract/formats/megatron.h"

#include <algorithm>
#include <array>

#include "extract/formats/megatron_fields.h"
#include "extract/formats/megatron_heads.h"
#include "extract/formats/megatron_torn.h"
#include "extract/records/fields.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace megatron {
namespace {

std::optional<std::int64_t> read_count(std::string_view word, Record& record) {
  const std::optional<std::int64_t> count = parse_integer(word);
  if (!count) record.faults.push_back("the number " + printable(word, 40) + " is too large");
  return count;
}

void read_rank(std::string_view word, Record& record) {
  const std::optional<std::int64_t> number = parse_integer(word);
  const bool fits = number && *number <= 1'000'000'000;
  if (fits) record.rank = static_cast<int>(*number);
  if (!fits) record.faults.push_back("the rank " + printable(word, 40) + " is too large");
}

Role role_of(Extractor extractor) {
  if (extractor == iteration) return Role::leader;
  return extractor == memory ? Role::report : Role::follower;
}

Record read_head(const Head& head) {
  Record record;
  record.extractor = head.extractor;
  record.role = role_of(head.extractor);
  record.begin = head.begin;
  if (!head.number.empty()) record.number = read_count(head.number, record);
  if (!head.total.empty()) record.total = read_count(head.total, record);
  if (!head.rank.empty()) read_rank(head.rank, record);
  return record;
}

// Read the fields that end at a bar; what stands behind the last bar is the rest.
void read_bars(std::string_view body, const NameTable& names, Record& record) {
  record.rest = read_barred(body, [&](std::string_view part) { read_fields(part, names, record); });
}

void read_step(std::string_view body, Record& record) {
  read_bars(body, step_names(), record);
  record.whole = iteration_wholeness(record);
  record.closed = record.whole == Whole::whole && has_metric(record, "nan_iterations");
  if (has_metric(record, "discriminator_loss")) record.extractor = discriminator;
}

void read_memory(std::string_view body, Record& record) {
  read_bars(body, memory_names(), record);
  Record last;
  read_fields(record.rest, memory_names(), last);
  const bool ended = last.fields.size() == 1 && last.fields[0].row == &memory_fields.back() &&
                     is_ended(last.fields[0].word, record);
  if (ended) record.fields.push_back(last.fields[0]);
  record.whole = has_metric(record, "memory_max_reserved") ? Whole::whole : Whole::torn;
}

void read_evaluation(std::string_view body, const NameTable& names, Record& record) {
  read_bars(body, names, record);
  record.whole = record.fields.empty() ? Whole::torn : Whole::whole;
}

void read_validation(std::string_view body, Record& record) {
  static const NameTable names(validation_fields);
  read_evaluation(body, names, record);
}

void read_final_validation(std::string_view body, Record& record) {
  static const NameTable names(final_validation_fields);
  read_evaluation(body, names, record);
}

void read_test(std::string_view body, Record& record) {
  static const NameTable names(test_fields);
  read_evaluation(body, names, record);
}

void read_body(std::string_view body, Record& record) {
  constexpr std::array readers{read_step, read_memory, read_validation, read_final_validation, read_test};
  readers.at(record.extractor)(body, record);
}

std::vector<Record> scan(std::string_view text) {
  const std::vector<Head> heads = find_heads(text);
  std::vector<Record> records;
  records.reserve(heads.size());
  for (std::size_t i = 0; i < heads.size(); ++i) {
    Record& record = records.emplace_back(read_head(heads[i]));
    record.end = i + 1 < heads.size() ? heads[i + 1].begin : text.size();
    read_body(text.substr(heads[i].end, record.end - heads[i].end), record);
  }
  return records;
}

// Megatron-DeepSpeed lets DeepSpeed's engine print its own lines beside.
constexpr std::array<std::string_view, 1> contained{"deepspeed"};

}  // namespace
}  // namespace megatron

FormatSpec megatron_format() {
  FormatSpec format;
  format.row = {"megatron",
                "Megatron-LM, Megatron-DeepSpeed, ModelLink, MindSpeed-LLM: iteration and memory lines"};
  format.extractors = {{"megatron.iteration", megatron::expected_fields},
                       {"megatron.memory", {}},
                       {"megatron.validation", {}},
                       {"megatron.final_validation", {}},
                       {"megatron.test", {}},
                       {"megatron.discriminator", {}}};
  format.literals = {"iteration"};
  format.over = megatron::contained;
  format.scan = megatron::scan;
  format.cut_head = megatron::cut_head;
  format.cut_heads = megatron::cut_heads();
  format.joins = megatron::joins;
  format.specimens = megatron_specimens;
  return format;
}

}  // namespace gate::extract
