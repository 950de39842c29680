#include "extract/formats/megatron.h"

#include <algorithm>
#include <array>
#include <span>

#include "extract/formats/megatron_heads.h"
#include "extract/records/fields.h"
#include "extract/scan/head_pattern.h"
#include "extract/scan/number_word.h"
#include "extract/scan/re2_pattern.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace megatron {
namespace {

// What the format prints, by name.
constexpr FieldRow lm_loss{"lm loss", "lm_loss"};

constexpr std::array step_fields{
    lm_loss,
    FieldRow{"loss", "lm_loss"},
    FieldRow{"mtp_1 loss", "mtp_1_loss"},
    FieldRow{"mtp_2 loss", "mtp_2_loss"},
    FieldRow{"load_balancing_loss", "load_balancing_loss"},
    other_quantity({"seq_load_balancing_loss", "load_balancing_loss"}),
    other_quantity({"global_load_balancing_loss", "load_balancing_loss"}),
    other_quantity({"moe loss", "load_balancing_loss"}),  // Megatron-DeepSpeed
    other_quantity({"moe_loss", "load_balancing_loss"}),
    FieldRow{"indexer loss", "indexer_loss"},
    FieldRow{"discriminator loss", "discriminator_loss"},
    FieldRow{"grad norm", "grad_norm"},
    FieldRow{"params norm", "params_norm"},
    FieldRow{"num zeros", "num_zeros"},
    FieldRow{"throughput per GPU (TFLOP/s/GPU)", "throughput"},
    other_quantity({"TFLOPs", "throughput"}),
    FieldRow{"tokens per gpu per second (tgs)", "tokens_per_second"},
    FieldRow{"tokens per gpu per second(tgs)", "tokens_per_second"},
    other_quantity({"chip_throughput", "tokens_per_second"}),
    FieldRow{"samples per second", "samples_per_second"},
    FieldRow{"mfu", "mfu"},
    FieldRow{"elapsed time per iteration (ms)", "iteration_time"},
    FieldRow{"elapsed time per iteration (s)", "iteration_time", {1, 3}},
    FieldRow{"learning rate", "learning_rate"},
    FieldRow{"loss scale", "loss_scale"},
    FieldRow{"global batch size", "global_batch_size"},
    FieldRow{"consumed samples", "consumed_samples"},
    FieldRow{"consumed tokens", "consumed_tokens"},
    FieldRow{"number of skipped iterations", "skipped_iterations"},
    FieldRow{"number of nan iterations", "nan_iterations"},
    // `name=word`, as newer forks of Megatron-DeepSpeed print
    FieldRow{"grad_norm", "grad_norm"},
    FieldRow{"params_norm", "params_norm"},
    FieldRow{"num_zeros", "num_zeros"},
    other_quantity({"[LM]-TFLOPs", "throughput"}),
    FieldRow{"tokens_per_gpu_per_second_tgs", "tokens_per_second"},
    FieldRow{"samples_per_second", "samples_per_second"},
    FieldRow{"elapsed_time_per_iteration_ms", "iteration_time"},
    FieldRow{"learning_rate", "learning_rate"},
    FieldRow{"loss_scale", "loss_scale"},
    FieldRow{"global_batch_size", "global_batch_size"},
    FieldRow{"consumed_samples", "consumed_samples"},
    FieldRow{"consumed_tokens", "consumed_tokens"},
    FieldRow{"number_of_skipped_iterations", "skipped_iterations"},
    FieldRow{"number_of_nan_iterations", "nan_iterations"},
};

constexpr Decimal mib_of_a_gigabyte{95'367'431'640'625, -11};  // Megatron-Bridge's are of 10^9 bytes

constexpr std::array memory_fields{
    FieldRow{"mem-allocated-gigabytes", "memory_allocated", mib_of_a_gigabyte, Scope::rank},
    FieldRow{"mem-max-allocated-gigabytes", "memory_max_allocated", mib_of_a_gigabyte, Scope::rank},
    FieldRow{"mem-reserved-gigabytes", "memory_reserved", mib_of_a_gigabyte, Scope::rank},
    FieldRow{"mem-max-reserved-gigabytes", "memory_max_reserved", mib_of_a_gigabyte, Scope::rank},
    FieldRow{"allocated", "memory_allocated", {1, 0}, Scope::rank},
    FieldRow{"max allocated", "memory_max_allocated", {1, 0}, Scope::rank},
    FieldRow{"reserved", "memory_reserved", {1, 0}, Scope::rank},
    FieldRow{"max reserved", "memory_max_reserved", {1, 0}, Scope::rank},
};

constexpr std::array validation_fields{FieldRow{"lm loss value", "validation_loss"},
                                       FieldRow{"loss value", "validation_loss"}};

// Evaluations after the last step see other samples than the one at that step.
constexpr std::array final_validation_fields{FieldRow{"lm loss value", "final_validation_loss"},
                                             FieldRow{"loss value", "final_validation_loss"}};
constexpr std::array test_fields{FieldRow{"lm loss value", "test_loss"}, FieldRow{"loss value", "test_loss"}};

// What may stand behind the last bar of a whole line, unread: a mean since the start, in milliseconds, and
// the tokens a second since then (MindSpeed-MM, DeepSeek-OCR).
constexpr std::array<std::string_view, 2> line_ends{"elapsed time per iteration", "tokens per sample"};

// What every iteration line should hold: where it is missing, it was left out.
constexpr std::array expected_fields{lm_loss};

// The names of step_fields and memory_fields.
const NameTable& step_names() {
  static const NameTable names(step_fields);
  return names;
}

const NameTable& memory_names() {
  static const NameTable names(memory_fields);
  return names;
}

// Tell whether the text names the count that ends every common record.
bool has_last_name(std::string_view text) {
  static const RE2 pattern(R"(number[ _]of[ _]nan[ _]iterations *[:=])", pattern_options());
  return RE2::PartialMatch(piece(text), pattern);
}

// Names and words of one piece between bars.
std::vector<Field> known_fields(std::string_view text) {
  Record record;
  read_fields(text, step_names(), record);
  read_fields(text, memory_names(), record);
  return record.fields;
}

// Tell whether the text is a name and a word, with numbers where names are known.
bool is_field(std::string_view text) {
  static const RE2 pattern(R"(\s*(?:\[\w+\]-)?[A-Za-z_][\w ()/%.-]*[:=] *\S.*)", pattern_options());
  const std::vector<Field> fields = known_fields(text);
  return RE2::FullMatch(piece(text), pattern) &&
         std::ranges::all_of(fields, [](const Field& field) { return parse_word(field.word).has_value(); });
}

// Return how whole an iteration line is, from the fields read out of it and the text behind its last bar.
Whole iteration_wholeness(const Record& record) {
  const bool last_field = has_metric(record, "nan_iterations");
  if (trim(record.rest).empty())
    return last_field || has_metric(record, "lm_loss") ? Whole::whole : Whole::open;
  const std::string_view name = trim(record.rest.substr(0, record.rest.find(':')));
  if (has_metric(record, "lm_loss") && std::ranges::find(line_ends, name) != line_ends.end())
    return Whole::whole;
  return last_field && !begins_field(record.rest, step_fields) ? Whole::whole : Whole::torn;
}

// Tell whether the last number of a memory line was printed to its end. It was, if it has decimals, or if the
// numbers before it have none either. What is no number at all was not cut: something else is wrong with it.
bool is_ended(std::string_view word, const Record& record) {
  if (!parse_word(word)) return !word.empty();
  const std::size_t point = word.find('.');
  if (point != npos) return point + 1 < word.size();
  return record.fields.empty() || record.fields[0].word.find('.') == npos;
}

// Return what stands behind lines that end in the middle of a head, before `iteration` is complete; line ends
// count.
std::vector<std::string> cut_heads() {
  std::vector<std::string> heads{"[Rank"};
  for (const std::string_view whole : {"[Ran", "iteratio"})
    for (std::size_t size = 1; size <= whole.size(); ++size)
      for (const char end : {'\n', '\r'}) heads.push_back(std::string(whole.substr(0, size)) + end);
  return heads;
}

// Return where the head of a record begins that the end of the text cuts off, or npos.
std::size_t cut_head(std::string_view text) {
  constexpr std::size_t longest_head = 96;
  static const RE2 pattern(
      R"((?:\[(?:R(?:a(?:n(?:k[^|]*)?)?)?)?)"
      R"(|(?:\[\d[\d :.-]*\]\s*)?\bi(?:t(?:e(?:r(?:a(?:t(?:i(?:o(?:n(?:\s|=)*\d*\s*/?\s*\d*\s*)?)?)?)?)?)?)?)?)$)",
      pattern_options());
  const std::size_t from = text.size() < longest_head ? 0 : text.size() - longest_head;
  re2::StringPiece head;
  if (!pattern.Match(piece(text), from, text.size(), RE2::UNANCHORED, &head, 1)) return npos;
  return static_cast<std::size_t>(head.data() - text.data());
}

// Tell whether the record that is the text may have been put together at the seam. The field at the seam must
// be one, with a number if its name is known; what follows between bars must be fields too, at least one of
// them known. If nothing follows, the record must hold what ends every common one: a line that merely has a
// bar is no other half.
bool joins(std::string_view text, std::size_t seam) {
  const std::size_t bar = text.substr(0, seam).rfind('|');
  if (bar == npos) return true;
  const std::vector<std::string_view> pieces = split(text.substr(bar + 1), '|');
  const std::span all(pieces);
  const std::size_t whole = pieces.size() - (pieces.size() > 1 ? 1 : 0);
  if (!std::ranges::all_of(all.first(whole), is_field)) return false;
  const auto is_known = [](std::string_view between) { return !known_fields(between).empty(); };
  if (std::ranges::any_of(all.subspan(1), is_known)) return true;
  return pieces.size() == 1 || (trim(pieces.back()).empty() && has_last_name(text));
}

std::optional<std::int64_t> read_count(std::string_view word, Record& record) {
  const std::optional<std::int64_t> count = parse_integer(word);
  if (!count)
    record.faults.push_back(say({"the number {} is too large", "数字 {} 太大"}, printable(word, 40)));
  return count;
}

void read_rank(std::string_view word, Record& record) {
  const std::optional<std::int64_t> number = parse_integer(word);
  if (number && *number <= 1'000'000'000)
    record.rank = static_cast<int>(*number);
  else
    record.faults.push_back(say({"the rank {} is too large", "rank {} 太大"}, printable(word, 40)));
}

Record read_head(const MegatronHead& head) {
  Record record;
  record.extractor = head.extractor;
  record.role = head.extractor == iteration ? Role::leader
                : head.extractor == memory  ? Role::report
                                            : Role::follower;
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

// Read a piece between bars. Names with dashes, as Megatron-Bridge's, are no words of a step's line.
void read_memory_piece(std::string_view piece, Record& record) {
  const std::string_view text = trim(piece);
  if (!text.starts_with("mem-")) return read_fields(piece, memory_names(), record);
  const std::size_t colon = std::min(text.find(':'), text.size() - 1);
  if (const NameTable::Name* name = memory_names().find(text.substr(0, colon)))
    set_field(*name->row, trim(text.substr(colon + 1)), record);
}

void read_memory(std::string_view body, Record& record) {
  record.rest = read_barred(body, [&](std::string_view piece) { read_memory_piece(piece, record); });
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

void read_body(std::string_view body, Record& record) {
  static const NameTable validations(validation_fields), finals(final_validation_fields), tests(test_fields);
  switch (record.extractor) {
    case iteration:
      return read_step(body, record);
    case memory:
      return read_memory(body, record);
    case validation:
      return read_evaluation(body, validations, record);
    case final_validation:
      return read_evaluation(body, finals, record);
    default:
      return read_evaluation(body, tests, record);
  }
}

std::vector<Record> scan(std::string_view text) {
  const std::vector<MegatronHead> heads = find_heads(text);
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
  format.supersedes = megatron::contained;
  format.scan = megatron::scan;
  format.cut_head = megatron::cut_head;
  format.cut_heads = megatron::cut_heads();
  format.joins = megatron::joins;
  return format;
}

}  // namespace gate::extract
