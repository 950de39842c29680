#include "gate/config/script_flags.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "config/scripts/script_lines.h"
#include "config/scripts/script_words.h"
#include "gate/base/text.h"
#include "gate/config/names.h"

namespace gate::config {

namespace {

constexpr std::array feature_table{
    FeatureRow{"tp", FeatureKind::size, {"--tensor-model-parallel-size"}},
    FeatureRow{"pp", FeatureKind::size, {"--pipeline-model-parallel-size"}},
    FeatureRow{"vpp",
               FeatureKind::size,
               {"--num-virtual-stages-per-pipeline-rank", "--num-layers-per-virtual-pipeline-stage"}},
    FeatureRow{"ep", FeatureKind::size, {"--expert-model-parallel-size"}},
    FeatureRow{"cp", FeatureKind::size, {"--context-parallel-size"}},
    FeatureRow{"sp", FeatureKind::on_off, {"--sequence-parallel"}},
    FeatureRow{"dist_opt", FeatureKind::on_off, {"--use-distributed-optimizer"}},
    FeatureRow{"recompute",
               FeatureKind::on_off,
               {"--recompute-granularity", "--recompute-activations", "--recompute-method",
                "--recompute-activation-function"}},
};
// With `_` in the place of `-`, too.
constexpr std::array<std::string_view, 8> sequence_length_flags{
    "--seq-length",      "--seq-len",          "--max-seq-length", "--max-seq-len",
    "--sequence-length", "--model-max-length", "--cutoff-len",     "--training.seq-len"};
constexpr std::int64_t longest_sequence = 1'000'000'000;

constexpr std::string_view layers_flag = "--num-layers",
                           layers_of_stage_flag = "--num-layers-per-virtual-pipeline-stage";

// `"(--flag` of an array or a quoted text.
std::string_view bare(std::string_view word) {
  constexpr std::string_view around = "\"'()\\";
  const std::size_t first = word.find_first_not_of(around);
  if (first == std::string_view::npos) return "";
  return word.substr(first, word.find_last_not_of(around) - first + 1);
}

// `TP` of `$TP` and `${TP}`; "" of anything else.
std::string_view variable_in(std::string_view word) {
  if (!word.starts_with('$')) return "";
  word.remove_prefix(1);
  if (word.starts_with('{') && word.ends_with('}')) word = word.substr(1, word.size() - 2);
  return is_variable_name(word) ? word : "";
}

// `N` of `$N`, `${N}`, `${N:-4096}` and `${N-4096}`; "" of anything else.
std::string_view variable_or_default_in(std::string_view word) {
  const std::size_t dash = word.find('-');
  if (!word.starts_with("${") || !word.ends_with('}') || dash == std::string_view::npos)
    return variable_in(word);
  std::string_view name = word.substr(2, dash - 2);
  if (name.ends_with(':')) name.remove_suffix(1);
  return is_variable_name(name) ? name : "";
}

// `ARGS` of `$ARGS` and `${ARGS[@]}`, which may stand for many words.
std::string_view variable_of_words(std::string_view word) {
  if (word.starts_with("${") && word.ends_with("[@]}")) return word.substr(2, word.size() - 6);
  return variable_in(word);
}

bool stands_for_arguments(std::string_view word) {
  return word == "$@" || word == "${@}" || word == "$*" || word == "${*}";
}

class FlagReader {
 public:
  explicit FlagReader(std::string_view script) {
    for (const ScriptLine& line : lines_of_script(script)) add(line);
  }

  ScriptFlags read() const {
    ScriptFlags flags;
    for (const FeatureRow& row : feature_table)
      for (const std::string_view flag : row.flags)
        if (!flag.empty() && !flags.features.contains(row.name))
          if (std::optional<FlagUse> use = use_of(flag, row.kind)) flags.features[row.name] = *use;
    add_stages(flags);
    if (flags.features.empty()) flags.further = source_;  // else it sets the environment, as most do
    for (std::size_t i = 0; i < words_.size() && flags.further.empty(); ++i)
      if (is_unknown(i)) flags.further = words_[i];
    return flags;
  }

  SequenceLength read_length() const {
    SequenceLength all;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const auto flag = length_flag(i);
      if (!flag) continue;
      SequenceLength one = doubtful_words_.contains(i) ? SequenceLength{} : length_of(flag->second);
      if (!texts.empty() && (one.number != all.number || one.variable != all.variable)) one = {};
      all = std::move(one);
      std::string text = flag->first + " " + flag->second;
      if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
    }
    all.text = join(texts, ", ");
    return all;
  }

 private:
  void add(const ScriptLine& line) {
    const std::vector<std::string> words = words_of_line(line.text);
    const bool is_source = words.size() > 1 && (words[0] == "source" || words[0] == ".");
    if (is_source && source_.empty()) source_ = words[0] + " " + words[1];
    is_any_doubtful_ |= is_source || std::ranges::find(words, "eval") != words.end();
    if (changes_variables(line.text, words)) doubt_all_in(line.text);
    for (std::size_t i = 0; i < words.size(); ++i) add(words[i], line, i < line.sure_words);
  }

  void add(const std::string& word, const ScriptLine& line, bool is_sure) {
    const bool may_not_run = line.is_text || line.is_choice || !is_sure;
    const std::size_t equals = word.find('=');
    std::string_view name = std::string_view(word).substr(0, std::min(equals, word.size()));
    if (name.ends_with('+')) name.remove_suffix(1);
    const bool is_assignment = equals != std::string::npos && is_variable_name(name);
    if (is_assignment) {
      values_[std::string(name)].insert(std::string(without_quotes(word.substr(equals + 1))));
      if (may_not_run || line.is_repeated) doubtful_.insert(std::string(name));
    }
    const std::string_view rest = bare(is_assignment ? std::string_view(word).substr(equals + 1) : word);
    if (rest.empty() || (is_assignment && !rest.starts_with("--"))) return;
    if (may_not_run) doubtful_words_.insert(words_.size());
    words_.emplace_back(rest);
  }

  // Tell whether something but `NAME=value` may set variables in the line.
  static bool changes_variables(std::string_view line, const std::vector<std::string>& words) {
    constexpr std::array<std::string_view, 8> setters{"read",   "let",     "unset",   "for",
                                                      "select", "mapfile", "getopts", "readarray"};
    const auto has = [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); };
    return line.find("((") != std::string_view::npos || std::ranges::any_of(setters, has) ||
           (has("printf") && has("-v"));
  }

  void doubt_all_in(std::string_view line) {
    std::string name;
    for (const char c : std::string(line) + " ") {
      if (is_letter_or_digit(c) || c == '_') {
        name += c;
      } else if (!name.empty()) {
        doubtful_.insert(std::exchange(name, {}));
      }
    }
  }

  // Of words that no flag stands before: what nobody assigned here may be flags.
  bool is_unknown(std::size_t i) const {
    if (stands_for_arguments(words_[i])) return true;
    const std::string_view name = variable_of_words(words_[i]);
    const bool is_value = i > 0 && words_[i - 1].starts_with('-');
    return !name.empty() && !is_value && !values_.contains(std::string(name));
  }

  std::optional<std::int64_t> number_of(std::string_view word) const {
    constexpr std::int64_t most = 1'000'000;
    std::string text(word);
    if (const std::string_view name = variable_in(word); !name.empty()) {
      const auto values = values_.find(std::string(name));
      if (values == values_.end() || values->second.size() != 1) return std::nullopt;
      text = *values->second.begin();
    }
    const auto number = parse_integer(text);
    return number && *number >= 1 && *number <= most ? number : std::nullopt;
  }

  // The flag of a sequence length that the word is, with its value: `--seq_length=4096`, `--seq-length:
  // 4096`.
  std::optional<std::pair<std::string, std::string>> length_flag(std::size_t i) const {
    const std::string& word = words_[i];
    const std::size_t end = std::min(word.find_first_of("=:"), word.size());
    std::string flag = word.substr(0, end);
    std::ranges::replace(flag, '_', '-');
    if (std::ranges::find(sequence_length_flags, flag) == sequence_length_flags.end()) return std::nullopt;
    if (end + 1 < word.size()) return std::pair(word.substr(0, end), std::string(bare(word.substr(end + 1))));
    return std::pair(word.substr(0, end), i + 1 < words_.size() ? words_[i + 1] : "");
  }

  SequenceLength length_of(std::string value) const {
    constexpr int most_links = 8;
    std::string variable;
    for (int links = 0; links < most_links; ++links) {
      const std::string name(variable_or_default_in(value));
      if (name.empty()) return {"", sequence_length_of(value), variable};
      if (is_any_doubtful_ || doubtful_.contains(name)) return {};
      const auto values = values_.find(name);
      if (values == values_.end() || name == variable) return {"", {}, name};
      if (values->second.size() != 1) return {};
      variable = name;
      value = *values->second.begin();
    }
    return {};
  }

  // The flag with what stands behind it, each time.
  std::vector<std::pair<std::string, std::string>> all_of(std::string_view flag, FeatureKind kind) const {
    std::vector<std::pair<std::string, std::string>> found;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::string_view word = words_[i];
      if (word == flag && kind == FeatureKind::on_off)
        found.emplace_back(word, "");
      else if (word == flag)
        found.emplace_back(std::string(word) + " " + (i + 1 < words_.size() ? words_[i + 1] : ""),
                           i + 1 < words_.size() ? words_[i + 1] : "");
      else if (word.starts_with(flag) && word.substr(flag.size()).starts_with('='))
        found.emplace_back(word, bare(word.substr(flag.size() + 1)));
    }
    return found;
  }

  std::optional<FlagUse> use_of(std::string_view flag, FeatureKind kind) const {
    const auto found = all_of(flag, kind);
    if (found.empty()) return std::nullopt;
    FlagUse use{found.front().first};
    std::set<std::optional<std::int64_t>> numbers;
    for (const auto& [text, value] : found) numbers.insert(number_of(value));
    if (numbers.size() == 1 && *numbers.begin()) use.numbers = {**numbers.begin()};
    return use;
  }

  // Layers of a virtual stage: 8 layers in 4 stages of one layer each are two virtual stages.
  void add_stages(ScriptFlags& flags) const {
    const auto vpp = flags.features.find("vpp"), pp = flags.features.find("pp");
    const std::optional<FlagUse> layers = use_of(layers_flag, FeatureKind::size);
    if (vpp == flags.features.end() || !vpp->second.text.starts_with(layers_of_stage_flag)) return;
    if (pp == flags.features.end() || vpp->second.numbers.empty() || pp->second.numbers.empty() || !layers ||
        layers->numbers.empty())
      return;
    const std::int64_t of_all = pp->second.numbers[0] * vpp->second.numbers[0];
    if (layers->numbers[0] % of_all == 0) vpp->second.numbers.push_back(layers->numbers[0] / of_all);
  }

  std::vector<std::string> words_;
  std::map<std::string, std::set<std::string>> values_;  // by variable, as they are assigned
  std::string source_;                                   // the first file that is sourced

  // For numbers that must be those of the training.
  std::set<std::string> doubtful_;        // variables that may have another value than the one assigned
  std::set<std::size_t> doubtful_words_;  // words that may be none of the training's
  bool is_any_doubtful_ = false;          // any variable: what another file or `eval` does is not known
};

}  // namespace

std::span<const FeatureRow> features() { return feature_table; }

ScriptFlags read_script_flags(std::string_view script) { return FlagReader(script).read(); }

SequenceLength read_sequence_length(std::string_view script) { return FlagReader(script).read_length(); }

std::optional<std::int64_t> sequence_length_of(std::string_view text) {
  const auto number = parse_integer(text);
  return number && *number >= 1 && *number <= longest_sequence ? number : std::nullopt;
}

}  // namespace gate::config
