#include "extract/megatron.h"

#include <algorithm>
#include <array>

#include "extract/fields.h"
#include "extract/megatron_fields.h"
#include "extract/megatron_torn.h"
#include "extract/pattern.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

using namespace megatron;

enum Extractor : std::size_t { iteration, memory, validation, final_validation, test, discriminator };

enum Group : std::size_t {
  all,
  step,
  total,
  rank,
  report_step,
  validation_step,
  validation_set,
  end_set,
  group_count
};

using Groups = std::array<re2::StringPiece, group_count>;

const RE2& head_pattern() {
  static const RE2 pattern(R"((?:\[\d[\d :.-]*\]\s*)?\biteration(?:\s+|=\s*)(\d+)\s*/\s*(\d+)\s*\|)"
                           R"(|\[Rank (\d+)\] ?\(after (\d+) iterations\) memory \(MB\))"
                           R"(|\bvalidation loss at (?:iteration (\d+)(?: on ([^|]{1,80}))?)"
                           R"(|the end of training for (\w+) data)\s*\|)",
                           pattern_options());
  return pattern;
}

std::optional<std::int64_t> read_count(const re2::StringPiece& word, Record& record) {
  const std::optional<std::int64_t> count = parse_integer(view(word));
  if (!count) record.faults.push_back("the number " + printable(view(word), 40) + " is too large");
  return count;
}

void read_rank(const re2::StringPiece& word, Record& record) {
  const std::optional<std::int64_t> number = parse_integer(view(word));
  const bool fits = number && *number <= 1'000'000'000;
  if (fits) record.rank = static_cast<int>(*number);
  if (!fits) record.faults.push_back("the rank " + printable(view(word), 40) + " is too large");
}

Record iteration_head(const Groups& groups) {
  Record record;
  record.extractor = iteration;
  record.number = read_count(groups[step], record);
  record.total = read_count(groups[total], record);
  return record;
}

Record memory_head(const Groups& groups) {
  Record record;
  record.extractor = memory;
  record.role = Role::report;
  record.number = read_count(groups[report_step], record);
  read_rank(groups[rank], record);
  return record;
}

Record validation_head(const Groups& groups) {
  Record record;
  const std::string_view set = trim(view(groups[validation_set]));
  const std::string_view at_end = view(groups[end_set]);
  const bool tests = set.ends_with("test set") || at_end == "test";
  record.extractor = set.empty() && at_end.empty() ? validation : tests ? test : final_validation;
  record.role = Role::follower;
  if (at_end.empty()) record.number = read_count(groups[validation_step], record);
  return record;
}

Record read_head(const Groups& groups) {
  if (!groups[step].empty()) return iteration_head(groups);
  return groups[rank].empty() ? validation_head(groups) : memory_head(groups);
}

// Read the fields that end at a bar; what stands behind the last bar is the rest.
void read_barred(std::string_view body, std::span<const FieldRow> rows, Record& record) {
  const std::size_t bar = body.rfind('|');
  const std::size_t end = bar == std::string_view::npos ? 0 : bar + 1;
  for (const std::string_view part : split(body.substr(0, end), '|')) read_fields(part, rows, record);
  record.rest = body.substr(end);
}

void read_iteration(std::string_view body, Record& record) {
  read_barred(body, step_fields, record);
  record.whole = iteration_wholeness(record);
  record.closed = record.whole == Whole::whole && has_metric(record, "nan_iterations");
  if (has_metric(record, "discriminator_loss")) record.extractor = discriminator;
}

void read_memory(std::string_view body, Record& record) {
  read_barred(body, memory_fields, record);
  Record last;
  read_fields(record.rest, memory_fields, last);
  const bool ended = last.fields.size() == 1 && last.fields[0].row == &memory_fields.back() &&
                     is_ended(last.fields[0].word, record);
  if (ended) record.fields.push_back(last.fields[0]);
  record.whole = has_metric(record, "memory_max_reserved") ? Whole::whole : Whole::torn;
}

void read_evaluation(std::string_view body, std::span<const FieldRow> rows, Record& record) {
  read_barred(body, rows, record);
  record.whole = record.fields.empty() ? Whole::torn : Whole::whole;
}

void read_validation(std::string_view body, Record& record) {
  read_evaluation(body, validation_fields, record);
}

void read_final_validation(std::string_view body, Record& record) {
  read_evaluation(body, final_validation_fields, record);
}

void read_test(std::string_view body, Record& record) { read_evaluation(body, test_fields, record); }

void read_body(std::string_view body, Record& record) {
  constexpr std::array readers{read_iteration, read_memory, read_validation, read_final_validation,
                               read_test};
  readers.at(record.extractor)(body, record);
}

// An evaluation's line is no step, though some builds print `iteration N/ M` in it.
bool is_evaluation(std::string_view text, std::size_t begin) {
  constexpr std::size_t enough = 16;
  return trim(text.substr(begin - std::min(begin, enough), std::min(begin, enough))).ends_with("loss at");
}

struct Head {
  std::size_t begin;
  std::size_t end;
  Groups groups;
};

std::vector<Head> find_heads(std::string_view text) {
  std::vector<Head> heads;
  Groups groups;
  std::size_t at = 0;
  while (head_pattern().Match(piece(text), at, text.size(), RE2::UNANCHORED, groups.data(), group_count)) {
    const auto begin = static_cast<std::size_t>(groups[all].data() - text.data());
    at = begin + groups[all].size();
    if (!is_evaluation(text, begin)) heads.push_back({begin, at, groups});
  }
  return heads;
}

std::vector<Record> scan(std::string_view text) {
  const std::vector<Head> heads = find_heads(text);
  std::vector<Record> records;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    Record& record = records.emplace_back(read_head(heads[i].groups));
    record.begin = heads[i].begin;
    record.end = i + 1 < heads.size() ? heads[i + 1].begin : text.size();
    read_body(text.substr(heads[i].end, record.end - heads[i].end), record);
  }
  return records;
}

// Megatron-DeepSpeed lets DeepSpeed's engine print its own lines beside.
constexpr std::array<std::string_view, 1> contained{"deepspeed"};

}  // namespace

FormatSpec megatron_format() {
  FormatSpec format;
  format.row = {"megatron",
                "Megatron-LM, Megatron-DeepSpeed, ModelLink, MindSpeed-LLM: iteration and memory lines"};
  format.extractors = {
      {"megatron.iteration", expected_fields}, {"megatron.memory", {}}, {"megatron.validation", {}},
      {"megatron.final_validation", {}},       {"megatron.test", {}},   {"megatron.discriminator", {}}};
  format.literals = {"iteration"};
  format.over = contained;
  format.scan = scan;
  format.cut_head = cut_head;
  format.joins = joins;
  format.specimens = megatron_specimens;
  return format;
}

}  // namespace gate::extract
