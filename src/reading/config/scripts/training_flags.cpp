#include "gate/config/training_flags.h"

#include <algorithm>
#include <array>
#include <set>

#include "config/scripts/flag_reader.h"
#include "gate/base/text.h"

namespace gate::config {

namespace {

constexpr std::int64_t most_of_value = 1'000'000'000;

// `1`, `true`, `True`: what turns a variable on.
bool turns_on(std::string_view value) {
  const std::string lower = to_lower(value);
  return !lower.empty() && lower != "0" && lower != "false" && lower != "off" && lower != "no";
}

// The text with the words of those variables behind it that commands are handed.
std::string with_given_words(std::string_view text, const std::map<std::string, std::string>& variables) {
  const FlagReader reader(text);
  std::string all(text);
  for (std::size_t i = 0; i < reader.words().size(); ++i)
    if (const auto given = variables.find(reader.unknown_words(i));
        reader.words()[i].is_launch && given != variables.end())
      all += "\ntorchrun " + given->second;
  return all;
}

// Tell whether the flag names a file with more of them.
bool reads_flags(std::string_view word) {
  constexpr std::array<std::string_view, 4> files{"--yaml-cfg", "--config-file", "--args-file", "--flagfile"};
  return std::ranges::find(files, word.substr(0, word.find('='))) != files.end() || word.ends_with(".yaml") ||
         word.ends_with(".yml");
}

// The flag with its number, if it has one.
std::string text_of(const FoundFlag& flag, const std::string& name, FeatureKind kind) {
  return kind == FeatureKind::size ? flag.text : name;
}

}  // namespace

struct TrainingFlags::State {
  State(std::string_view text, const std::map<std::string, std::string>& given)
      : reader(with_given_words(text, given)), variables(given), further(find_further()) {}

  Sentence find_further() const {
    bool has_flags = false;
    for (std::size_t i = 0; i < reader.words().size(); ++i) {
      const FlagWord& word = reader.words()[i];
      if (word.is_other) continue;
      has_flags |= word.text.starts_with("--") && !word.is_doubtful;
      if (may_bring_flags(i)) return word.text;
      const std::string unknown = word.is_launch || !word.owner.empty() ? reader.unknown_words(i) : "";
      if (!unknown.empty() && !variables.contains(unknown)) return word.text;
    }
    if (has_flags) return "";
    if (!reader.source().empty()) return reader.source();
    return say({"a script without flags", "没有参数的脚本"});
  }

  // Tell whether the word may stand for flags that the text does not show: `--$NAME`, `$(cat args)`,
  // `@args.txt`.
  bool may_bring_flags(std::size_t i) const {
    const FlagWord& word = reader.words()[i];
    if (!word.is_launch && word.owner.empty()) return false;
    const std::string_view text = word.text;
    if (text.starts_with("--"))
      return text.substr(0, text.find('=')).find('$') != std::string_view::npos || reads_flags(text);
    if (text.ends_with(".yaml") || text.ends_with(".yml") || (i > 0 && text.ends_with(".sh"))) return true;
    return !reader.is_value(i) && (may_print_flags(text) || text.starts_with('@'));
  }

  // Tell whether what stands there is handed to the training for sure.
  bool is_sure(const FoundFlag& flag) const {
    const FlagWord& word = reader.words()[flag.word];
    if (word.is_doubtful || word.is_other) return false;
    if (!word.function.empty() && !reader.is_used(called(word.function))) return false;
    return word.owner.empty() || (reader.is_used(word.owner) && !reader.is_doubtful(word.owner));
  }

  Told told(const FoundFlag& flag, std::string_view name, FeatureKind kind) const {
    if (!is_sure(flag)) return Told::not_told;
    if (kind != FeatureKind::size || name == layers_of_stage_flag) return Told::on;
    const std::optional<std::string> value = reader.text_of(flag.value, variables);
    const std::optional<std::int64_t> number = value ? parse_integer(*value) : std::nullopt;
    if (!number) return Told::not_told;
    return *number > 1 ? Told::on : Told::off;
  }

  FeatureUse use_of_variable(const std::string& name, FeatureKind kind) const {
    const std::optional<FlagReader::Assigned> own = reader.assigned(name);
    const bool is_sure = own && own->is_sure && reader.is_exported(name);
    if (reader.is_assigned(name) && !is_sure) return {Told::not_told, name};
    const auto given = variables.find(name);
    if (!own && given == variables.end() && reader.is_any_doubtful())
      return {Told::not_told, reader.source().empty() ? "eval" : reader.source()};
    const std::string value = own ? own->value : given == variables.end() ? "" : given->second;
    if (value.find('$') != std::string::npos) return {Told::not_told, name + "=" + value};
    const bool is_on = kind == FeatureKind::size ? parse_integer(value).value_or(0) > 1 : turns_on(value);
    return is_on ? FeatureUse{Told::on, name + "=" + value} : FeatureUse{};
  }

  FlagReader reader;
  std::map<std::string, std::string> variables;
  Sentence further;
};

Feature feature_of(const FeatureRow& row) {
  Feature feature{row.title.said(),  row.group.said(),         row.kind, {},
                  row.is_mcore_only, std::string(row.variable)};
  for (const std::string_view flag : row.flags)
    if (!flag.empty()) feature.flags.emplace_back(flag);
  return feature;
}

TrainingFlags::TrainingFlags(std::string_view text, const std::map<std::string, std::string>& variables)
    : state_(std::make_unique<State>(text, variables)) {}
TrainingFlags::TrainingFlags(TrainingFlags&&) noexcept = default;
TrainingFlags& TrainingFlags::operator=(TrainingFlags&&) noexcept = default;
TrainingFlags::~TrainingFlags() = default;

FeatureUse TrainingFlags::use_of(const Feature& feature) const {
  FeatureUse use;
  bool stands_there = false;
  for (const std::string& name : feature.flags)
    for (const FoundFlag& flag : state_->reader.all_of(name)) {
      const Told told = state_->told(flag, name, feature.kind);
      if (!std::exchange(stands_there, true))
        use = {told, told == Told::off ? "" : text_of(flag, name, feature.kind)};
      else if (told != use.told)
        use = {Told::not_told, text_of(flag, name, feature.kind)};
    }
  if (!feature.variable.empty()) return state_->use_of_variable(feature.variable, feature.kind);
  if (!stands_there && !state_->further.empty()) return {Told::not_told, state_->further.english()};
  return use;
}

Told TrainingFlags::has(std::string_view flag) const {
  return use_of({"", "", FeatureKind::on_off, {std::string(flag)}}).told;
}

std::optional<std::string> TrainingFlags::value_of(std::string_view flag) const {
  std::set<std::optional<std::string>> values;
  for (const FoundFlag& one : state_->reader.all_of(flag))
    values.insert(state_->is_sure(one) ? state_->reader.text_of(one.value, state_->variables) : std::nullopt);
  return values.size() == 1 ? *values.begin() : std::nullopt;
}

std::optional<std::int64_t> TrainingFlags::number_of(std::string_view flag) const {
  const std::optional<std::string> value = value_of(flag);
  const std::optional<std::int64_t> number = value ? parse_integer(*value) : std::nullopt;
  return number && *number >= 1 && *number <= most_of_value ? number : std::nullopt;
}

const Sentence& TrainingFlags::further() const { return state_->further; }

}  // namespace gate::config
