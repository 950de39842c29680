#include <algorithm>
#include <array>
#include <utility>

#include "config/yaml/yaml_tree.h"
#include "gate/base/text.h"
#include "gate/config/megatron.h"

namespace gate::config {

namespace {

bool is_variable(std::string_view name) {
  const auto is_good = [](char c) { return is_letter_or_digit(c) || c == '_'; };
  return !name.empty() && !is_digit(name[0]) && std::ranges::all_of(name, is_good);
}

bool is_yes(const YamlTree& value) {
  return value.text == "true" || (!value.is_quoted && (value.text == "True" || value.text == "TRUE"));
}

std::string stands_twice(const std::string& key) {
  return "the key \"" + printable(key, 80) + "\" stands twice in one table";
}

class ModelConfigReader {
 public:
  MegatronCase read(const YamlTree& root);
  Diagnostics mistakes;

 private:
  struct KeyRow {
    std::string_view key;
    void (ModelConfigReader::*read)(const YamlEntry&);
  };
  static const std::array<KeyRow, 10> keys;

  void mistake(const Position& at, std::string message) { mistakes.push_back({at, std::move(message)}); }
  bool is_table(const YamlEntry& entry);
  template <std::string MegatronCase::*member>
  void read_one(const YamlEntry& entry);
  void read_metrics(const YamlEntry& entry);
  void read_env(const YamlEntry& entry);
  void read_args(const YamlEntry& entry) { out_.args = arguments(entry); }
  void read_args_2(const YamlEntry& entry) { out_.args_2 = arguments(entry); }
  void read_throughput(const YamlEntry& entry);
  std::vector<MegatronSetting> settings(const YamlEntry& entry);
  std::vector<MegatronArgument> arguments(const YamlEntry& entry);
  std::optional<MegatronArgument> argument(const YamlEntry& entry);

  MegatronCase out_;
};

const std::array<ModelConfigReader::KeyRow, 10> ModelConfigReader::keys{{
    {"TEST_TYPE", &ModelConfigReader::read_one<&MegatronCase::test_type>},
    {"METRICS", &ModelConfigReader::read_metrics},
    {"ENV_VARS", &ModelConfigReader::read_env},
    {"MODEL_ARGS", &ModelConfigReader::read_args},
    {"MODEL_ARGS_2", &ModelConfigReader::read_args_2},
    {"LAUNCHER", &ModelConfigReader::read_one<&MegatronCase::launcher>},
    {"MODE", &ModelConfigReader::read_one<&MegatronCase::mode>},
    {"BEFORE_SCRIPT", &ModelConfigReader::read_one<&MegatronCase::before_script>},
    {"AFTER_SCRIPT", &ModelConfigReader::read_one<&MegatronCase::after_script>},
    {"THROUGHPUT_TEST_PARAMS", &ModelConfigReader::read_throughput},
}};

MegatronCase ModelConfigReader::read(const YamlTree& root) {
  if (root.kind != YamlTree::Kind::table || root.find("MODEL_ARGS") == nullptr)
    mistake(root.at, "no model_config.yaml of a case: there is no MODEL_ARGS");
  for (const YamlEntry& entry : root.entries) {
    if (!out_.keys.emplace(entry.key, entry.at).second) mistake(entry.at, stands_twice(entry.key));
    const auto row = std::ranges::find(keys, entry.key, &KeyRow::key);
    if (row == keys.end())
      out_.other.push_back({entry.key, "", entry.at});
    else
      (this->*row->read)(entry);
  }
  return std::move(out_);
}

bool ModelConfigReader::is_table(const YamlEntry& entry) {
  if (entry.value.kind == YamlTree::Kind::table || entry.value.is_null()) return true;
  mistake(entry.value.at, entry.key + " is no table of names and values");
  return false;
}

template <std::string MegatronCase::*member>
void ModelConfigReader::read_one(const YamlEntry& entry) {
  if (!entry.value.is_text()) return mistake(entry.value.at, entry.key + " is one text");
  if (!entry.value.is_null()) out_.*member = entry.value.text;
}

// A list, or a text of one name.
void ModelConfigReader::read_metrics(const YamlEntry& entry) {
  const YamlTree& value = entry.value;
  if (value.is_null()) return;
  if (value.is_text()) out_.metrics.push_back(value.text);
  if (value.kind == YamlTree::Kind::table) mistake(value.at, "METRICS is a list of names");
  for (const YamlTree& item : value.items)
    if (item.is_text() && !item.is_null())
      out_.metrics.push_back(item.text);
    else
      mistake(item.at, "METRICS is a list of names");
}

void ModelConfigReader::read_env(const YamlEntry& entry) {
  out_.env = settings(entry);
  for (const MegatronSetting& setting : out_.env)
    if (!is_variable(setting.name))
      mistake(setting.at, "\"" + printable(setting.name, 80) + "\" is no name of a variable");
}

void ModelConfigReader::read_throughput(const YamlEntry& entry) { out_.throughput_params = settings(entry); }

std::vector<MegatronSetting> ModelConfigReader::settings(const YamlEntry& entry) {
  std::vector<MegatronSetting> out;
  if (!is_table(entry)) return out;
  for (const YamlEntry& one : entry.value.entries)
    if (std::ranges::find(out, one.key, &MegatronSetting::name) != out.end())
      mistake(one.at, stands_twice(one.key));
    else if (one.value.is_text())
      out.push_back({one.key, one.value.is_null() ? "" : one.value.text, one.at});
    else
      mistake(one.value.at, printable(one.key, 80) + " is one text");
  return out;
}

std::vector<MegatronArgument> ModelConfigReader::arguments(const YamlEntry& entry) {
  std::vector<MegatronArgument> out;
  if (!is_table(entry)) return out;
  for (const YamlEntry& one : entry.value.entries)
    if (std::optional<MegatronArgument> argument_of = argument(one)) out.push_back(std::move(*argument_of));
  return out;
}

std::optional<MegatronArgument> ModelConfigReader::argument(const YamlEntry& entry) {
  const YamlTree& value = entry.value;
  MegatronArgument out{entry.key, {}, entry.at};
  const std::string flag = printable(entry.key, 80);
  if (value.kind == YamlTree::Kind::table) mistake(value.at, flag + " is one text or a list of texts");
  if (value.is_null()) {
    out.words.emplace_back("null");  // as Megatron's runner makes of it
    return out;
  }
  if (value.is_text() && trim(value.text).empty()) return std::nullopt;
  const std::string_view text = trim(value.text);
  for (const YamlTree& item : value.items)
    if (item.is_text() && !item.is_null())
      out.words.push_back(item.text);
    else
      mistake(item.at, flag + " is one text or a list of texts");
  if (!value.is_text() || is_yes(value)) return out;
  if (text.size() > 2 && text.starts_with('[') && text.find(']') == text.size() - 1)
    for (const std::string_view word : split_words(text.substr(1, text.size() - 2)))
      out.words.emplace_back(word);
  else
    out.words.emplace_back(text);
  return out;
}

std::optional<std::int64_t> count_of_flag(std::span<const MegatronArgument> args, std::string_view flag) {
  const auto found = std::ranges::find(args, flag, &MegatronArgument::flag);
  if (found == args.end() || found->words.size() != 1) return std::nullopt;
  const auto count = parse_integer(found->words.front());
  return count && *count > 0 ? count : std::nullopt;
}

bool is_one(const std::string* value) { return value != nullptr && *value == "1"; }

}  // namespace

Position MegatronCase::at(std::string_view key) const { return value_under(keys, key); }

const std::string* MegatronCase::variable(std::string_view name) const {
  const auto found = std::ranges::find(env, name, &MegatronSetting::name);
  return found == env.end() ? nullptr : &found->value;
}

bool MegatronCase::trains() const { return mode.empty() || mode == "pretraining"; }
bool MegatronCase::is_deterministic() const { return !is_one(variable("NVTE_ALLOW_NONDETERMINISTIC_ALGO")); }
bool MegatronCase::skips_comparison() const { return is_one(variable("SKIP_PYTEST")); }

std::optional<std::int64_t> MegatronCase::steps() const {
  const auto until = count_of_flag(args, "--exit-interval"), all = count_of_flag(args, "--train-iters");
  return until && all ? std::optional(std::min(*until, *all)) : until ? until : all;
}

std::int64_t MegatronCase::train_iters() const {
  constexpr std::int64_t of_the_run_script = 100;
  return count_of_flag(args, "--train-iters").value_or(of_the_run_script);
}

Parsed<MegatronCase> read_megatron_case(std::string_view text, const std::string& file) {
  auto root = parse_yaml(text, file, YamlKeys::often);
  if (!root) return tl::unexpected(std::move(root).error());
  ModelConfigReader reader;
  MegatronCase out = reader.read(*root);
  if (!reader.mistakes.empty() && out.trains()) return tl::unexpected(std::move(reader.mistakes));
  return out;
}

std::vector<std::string> variables_in(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t open; (open = text.find("${")) != std::string_view::npos;) {
    text.remove_prefix(open + 2);
    const std::string_view name = text.substr(0, text.find('}'));
    if (name.size() < text.size() && is_variable(name)) names.emplace_back(name);
  }
  return names;
}

Parsed<std::string> expand_variables(std::string_view text, const Position& at,
                                     const std::map<std::string, std::string, std::less<>>& variables) {
  std::string out;
  Diagnostics unknown_names;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t open = std::min(text.find("${", i), text.size());
    const std::size_t close = std::min(text.find('}', open), text.size());
    out += text.substr(i, open - i);
    i = open;
    if (open == text.size()) break;
    const std::string_view name = close == text.size() ? "" : text.substr(open + 2, close - open - 2);
    const auto variable = variables.find(name);
    if (!is_variable(name))
      out += "${";
    else if (variable == variables.end())
      unknown_names.push_back(
          {at, "${" + std::string(name) + "} is not known; set env." + std::string(name)});
    else
      out += variable->second;
    i = is_variable(name) ? close + 1 : open + 2;
  }
  if (!unknown_names.empty()) return tl::unexpected(std::move(unknown_names));
  return out;
}

}  // namespace gate::config
