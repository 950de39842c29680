#include "gate/config/script_flags.h"

#include <algorithm>
#include <set>
#include <utility>

#include "config/scripts/flag_reader.h"
#include "gate/base/text.h"
#include "gate/model/runs/fingerprint.h"

namespace gate::config {

namespace {

// With `_` in the place of `-`, too.
constexpr std::array<std::string_view, 8> sequence_length_flags{
    "--seq-length",      "--seq-len",          "--max-seq-length", "--max-seq-len",
    "--sequence-length", "--model-max-length", "--cutoff-len",     "--training.seq-len"};
constexpr std::int64_t longest_sequence = 1'000'000'000;
constexpr int most_length_links = 8;

constexpr std::string_view layers_flag = "--num-layers";

std::optional<FlagUse> use_of(const FlagReader& reader, std::string_view flag, FeatureKind kind) {
  const std::vector<FoundFlag> found = reader.all_of(flag);
  if (found.empty()) return std::nullopt;
  if (kind != FeatureKind::size) return FlagUse{std::string(flag)};
  FlagUse use{found.front().text};
  std::set<std::optional<std::int64_t>> numbers;
  for (const FoundFlag& one : found) numbers.insert(reader.number_of(one.value));
  if (numbers.size() == 1 && *numbers.begin()) use.numbers = {**numbers.begin()};
  return use;
}

// Layers of a virtual stage: 8 layers in 4 stages of one layer each are two virtual stages.
void add_stages(ScriptFlags& flags, const FlagReader& reader) {
  const auto vpp = flags.features.find("vpp"), pp = flags.features.find("pp");
  if (vpp == flags.features.end() || !vpp->second.text.starts_with(layers_of_stage_flag)) return;
  const std::optional<FlagUse> layers = use_of(reader, layers_flag, FeatureKind::size);
  if (pp == flags.features.end() || vpp->second.numbers.empty() || pp->second.numbers.empty() || !layers ||
      layers->numbers.empty())
    return;
  const std::int64_t of_all = pp->second.numbers[0] * vpp->second.numbers[0];
  if (layers->numbers[0] % of_all == 0) vpp->second.numbers.push_back(layers->numbers[0] / of_all);
}

// The flag of a sequence length that the word is, with its value: `--seq_length=4096`, `--seq-length: 4096`.
std::optional<std::pair<std::string, std::string>> length_flag(const std::vector<FlagWord>& words,
                                                               std::size_t i) {
  const std::string& word = words[i].text;
  const std::size_t end = std::min(word.find_first_of("=:"), word.size());
  std::string flag = word.substr(0, end);
  std::ranges::replace(flag, '_', '-');
  if (std::ranges::find(sequence_length_flags, flag) == sequence_length_flags.end()) return std::nullopt;
  if (end + 1 < word.size())
    return std::pair(word.substr(0, end), std::string(bare_word(word.substr(end + 1))));
  return std::pair(word.substr(0, end), i + 1 < words.size() ? words[i + 1].text : "");
}

SequenceLength length_of(const FlagReader& reader, std::string value) {
  std::string variable;
  for (int links = 0; links < most_length_links; ++links) {
    const std::string name(variable_or_default_in(value));
    if (name.empty()) return {"", sequence_length_of(value), variable};
    if (reader.is_any_doubtful() || reader.is_doubtful(name)) return {};
    const std::set<std::string> values = reader.values_of(name);
    if (values.empty() || name == variable) return {"", {}, name};
    if (values.size() != 1) return {};
    variable = name;
    value = *values.begin();
  }
  return {};
}

}  // namespace

ScriptFlags read_script_flags(std::string_view script) {
  const FlagReader reader(script);
  ScriptFlags flags;
  for (const FeatureRow& row : features())
    for (const std::string_view flag : row.flags)
      if (!row.name.empty() && !flag.empty() && !flags.features.contains(row.name))
        if (std::optional<FlagUse> use = use_of(reader, flag, row.kind)) flags.features[row.name] = *use;
  add_stages(flags, reader);
  if (flags.features.empty()) flags.further = reader.source();  // else it sets the environment, as most do
  for (std::size_t i = 0; i < reader.words().size() && flags.further.empty(); ++i)
    if (reader.stands_for_arguments(i) || !reader.unknown_words(i).empty())
      flags.further = reader.words()[i].text;
  return flags;
}

bool converts_alone(std::string_view script) {
  const FlagReader reader(script);
  bool converts = false;
  for (const FlagWord& word : reader.words()) {
    if (!word.text.ends_with(".py")) continue;
    if (word.text.substr(word.text.rfind('/') + 1).find("convert") == std::string::npos) return false;
    converts = true;
  }
  return converts;
}

namespace {

bool is_truth_word(std::string_view value) {
  constexpr std::array<std::string_view, 8> words{"0", "1", "false", "true", "no", "yes", "off", "on"};
  return std::ranges::find(words, to_lower(value)) != words.end();
}

}  // namespace

std::map<std::string, std::string> read_script_switches(std::string_view script) {
  const FlagReader reader(script);
  std::string environ, cmdline;
  for (const SwitchRow& row : switch_rows()) {
    const std::string name(row.name);
    const auto assigned = reader.assigned(name);
    if (!assigned || !assigned->is_sure || !reader.is_exported(name)) continue;
    if (const auto value = reader.text_of(assigned->value, {})) environ += name + "=" + *value + '\0';
  }
  for (const FlagWord& word : reader.words()) {
    if (word.is_doubtful || word.is_other || (!word.owner.empty() && !reader.is_used(word.owner))) continue;
    std::string text = word.text.ends_with(':') ? word.text.substr(0, word.text.size() - 1) : word.text;
    if (const auto value = reader.text_of(text, {})) text = *value;
    cmdline += text + '\0';
  }
  std::map<std::string, std::string> found = switches_in(environ, cmdline);
  for (const SwitchRow& row : switch_rows())
    if (row.says == SwitchSays::nothing) found.erase(std::string(row.name));
  for (auto& [name, value] : found)  // behind a flag that has no value the next command may stand
    if (name.starts_with("--") && !is_truth_word(value)) value = "set";
  return found;
}

SequenceLength read_sequence_length(std::string_view script) {
  const FlagReader reader(script);
  SequenceLength all;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < reader.words().size(); ++i) {
    const auto flag = length_flag(reader.words(), i);
    if (!flag) continue;
    SequenceLength one = reader.words()[i].is_doubtful ? SequenceLength{} : length_of(reader, flag->second);
    if (!texts.empty() && (one.number != all.number || one.variable != all.variable)) one = {};
    all = std::move(one);
    std::string text = flag->first + " " + flag->second;
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
  }
  all.text = join(texts, ", ");
  return all;
}

std::optional<std::int64_t> sequence_length_of(std::string_view text) {
  const auto number = parse_integer(text);
  return number && *number >= 1 && *number <= longest_sequence ? number : std::nullopt;
}

}  // namespace gate::config
