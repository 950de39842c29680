#include "extract/setup_arguments.h"

#include <algorithm>
#include <array>
#include <optional>

#include "extract/argument_lines.h"
#include "extract/scan/number_word.h"

namespace gate::extract {

namespace {

constexpr std::size_t most_told = 4;  // of a fact
constexpr std::size_t most_switches = 4096, longest_switch = 80;
constexpr std::string_view precision = "precision";
constexpr std::string_view train_iterations = "train_iters .";
constexpr std::string_view checkpoint_literal =
    "checkpoint from ";  // `loading checkpoint from ./ckpt at iteration 13`

// Ends of what stands before the value of an argument that is on or off.
constexpr std::array<std::string_view, 3> switch_literals{". False", ". True", "_parallel_size ."};

struct SetupRow {
  std::string_view literal;
  std::string_view fact;
  std::string_view if_true = "";  // the value that `True` stands for
};

// Megatron-LM and its relatives, DeepSpeed, the Trainer of transformers.
constexpr std::array setup_rows{
    SetupRow{"world_size .", "world_size"},
    SetupRow{"using world size:", "world_size"},
    SetupRow{"data_parallel_size .", "data_parallel_size"},
    SetupRow{"data-parallel size:", "data_parallel_size"},
    SetupRow{"global_batch_size .", "global_batch_size"},
    SetupRow{"train_batch_size .", "global_batch_size"},
    SetupRow{"& accumulation) =", "global_batch_size"},
    SetupRow{"seq_length .", "seq_length"},
    SetupRow{"params_dtype .", precision},
    SetupRow{"bf16 .", precision, "bfloat16"},
    SetupRow{"fp16 .", precision, "float16"},
    SetupRow{"bfloat16_enabled .", precision, "bfloat16"},
    SetupRow{"fp16_enabled .", precision, "float16"},
};

// Return the word as it is compared: a number without its zeros, the name of a type without its module, or of
// the type that is switched on; "" of anything else.
std::string told_value(const SetupRow& row, std::string_view word) {
  if (word.ends_with(',')) word.remove_suffix(1);
  if (!row.if_true.empty()) return word == "True" ? std::string(row.if_true) : "";
  if (row.fact != precision) {
    const std::optional<Value> number = parse_word(word, Thousands::expected);
    return is_finite(number) ? number->number.without_zeros().to_string() : "";
  }
  if (word.starts_with("torch.")) word.remove_prefix(6);
  const bool is_word = std::ranges::all_of(word, is_letter_or_digit) && word.size() <= 20;
  return is_word ? std::string(word == "half" ? "float16" : word) : "";
}

std::vector<std::string> sorted_values(std::vector<std::string> values) {
  std::ranges::sort(values);
  return values;
}

std::optional<std::string> constant_of(const Series& series) {
  if (series.empty()) return std::nullopt;
  const Value first = (*series.samples().begin()).value;
  const bool is_constant = first.is_finite() && std::ranges::all_of(series.samples(), [&](const Sample& one) {
                             return one.value == first;
                           });
  return is_constant ? std::optional(first.number.to_string()) : std::nullopt;
}

}  // namespace

std::vector<std::string_view> SetupArguments::literals() {
  std::vector<std::string_view> all;
  for (const SetupRow& row : setup_rows) all.push_back(row.literal);
  all.insert(all.end(), {train_iterations, checkpoint_literal});
  all.insert(all.end(), switch_literals.begin(), switch_literals.end());
  return all;
}

void SetupArguments::read(std::string_view line) {
  read_switch(line);
  read_checkpoint(line);
  for (const SetupRow& row : setup_rows)
    find_argument(line, row.literal, [&](std::string_view word) {
      const std::string value = told_value(row, word);
      if (!row.if_true.empty() && word == "False") is_off_ = true;
      std::vector<std::string>& values = said_[std::string(row.fact)];
      const bool is_new = !value.empty() && std::ranges::find(values, value) == values.end();
      if (is_new && values.size() < most_told) values.push_back(value);
    });
}

void SetupArguments::read_checkpoint(std::string_view line) {
  find_argument(line, train_iterations, [&](std::string_view word) { total_ = parse_integer(word); });
  constexpr std::string_view at = " at iteration ";
  const std::size_t place = line.rfind(at);
  if (place == std::string_view::npos ||
      line.substr(0, place).find(checkpoint_literal) == std::string_view::npos)
    return;
  const auto words = split_words(line.substr(place + at.size()));
  if (!words.empty()) loaded_ = parse_integer(words.front());
}

void SetupArguments::read_switch(std::string_view line) {
  const auto words = split_words(line);
  if (words.size() < 3) return;
  const std::string_view name = words[words.size() - 3], dots = words[words.size() - 2], value = words.back();
  const bool is_told = dots.find_first_not_of('.') == std::string_view::npos && name.size() <= longest_switch;
  if (!is_told || is_on_.size() >= most_switches) return;
  is_on_[std::string(name)] |= value != "False" && !(value == "1" && name.ends_with("_size"));
}

std::set<std::string> SetupArguments::off() const {
  std::set<std::string> names;
  for (const auto& [name, is_on] : is_on_)
    if (!is_on) names.insert(name);
  return names;
}

std::map<std::string, std::string> SetupArguments::facts(const std::vector<Series>& series) const {
  std::map<std::string, std::string> all;
  for (const auto& [fact, values] : said_)
    if (!values.empty()) all[fact] = join(sorted_values(values), ", ");
  if (is_off_) all.try_emplace(std::string(precision), "float32");
  const std::string batch = "global_batch_size";
  if (const Series* printed = find_series(series, batch, std::nullopt))
    if (const auto size = constant_of(*printed)) all.try_emplace(batch, *size);
  return all;
}

}  // namespace gate::extract
