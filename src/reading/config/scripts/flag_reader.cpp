#include "config/scripts/flag_reader.h"

#include <algorithm>
#include <array>

#include "config/scripts/script_words.h"
#include "gate/base/text.h"
#include "gate/config/case_names.h"
#include "gate/config/script_flags.h"

namespace gate::config {

namespace {

constexpr std::int64_t most_of_flag = 1'000'000;
constexpr int most_links = 8;  // variables that hold variables

// `ARGS` of `$ARGS` and `${ARGS[@]}`, which may stand for many words.
std::string_view variable_of_words(std::string_view word) {
  if (word.starts_with("${") && word.ends_with("[@]}")) return word.substr(2, word.size() - 6);
  return variable_in(word);
}

// Tell whether a variable is meant to hold many words: `${ARGS[@]}`, `$EXTRA_ARGS`.
bool names_words(std::string_view word, std::string_view name) {
  constexpr std::array<std::string_view, 5> endings{"ARGS", "ARGUMENTS", "OPTS", "OPTIONS", "FLAGS"};
  return word.ends_with("[@]}") ||
         std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

// Tell whether the flag has no value, as far as its name tells: what stands behind it is no value of it.
bool stands_alone(std::string_view flag) {
  const auto is_switch = [&](const FeatureRow& row) {
    return row.kind == FeatureKind::on_off && std::ranges::find(row.flags, flag) != row.flags.end();
  };
  constexpr std::array<std::string_view, 7> starts{"--no-",      "--use-",   "--disable-",      "--enable-",
                                                   "--overlap-", "--untie-", "--log-throughput"};
  constexpr std::array<std::string_view, 4> flags{"--bf16", "--fp16", "--swiglu", "--group-query-attention"};
  return std::ranges::find(flags, flag) != flags.end() || std::ranges::any_of(features(), is_switch) ||
         std::ranges::any_of(starts, [&](std::string_view start) { return flag.starts_with(start); });
}

// Return the name of the function whose body begins with the words; "" where none does.
std::string function_begun(const std::vector<std::string>& words) {
  if (words.empty()) return "";
  if (words[0] == "function" && words.size() > 1) return words[1].substr(0, words[1].find('('));
  if (words[0].ends_with("()")) return words[0].substr(0, words[0].size() - 2);
  if (words[0].ends_with("(){")) return words[0].substr(0, words[0].size() - 3);
  return words.size() > 1 && words[1] == "()" ? words[0] : "";
}

// Tell whether one of the commands of the line ends the script.
bool has_exit(std::string_view line) {
  const auto ends = [](std::string_view command) {
    const std::vector<std::string> words = words_of_line(command);
    return !words.empty() && words[0] == "exit";
  };
  return std::ranges::any_of(split(line, ';'), ends);
}

// Tell whether the value of a variable holds its old one.
bool holds_itself(std::string_view value, const std::string& name) {
  for (const std::string& whole : {"${" + name + "}", "${" + name + "[@]}"})
    if (value.find(whole) != std::string_view::npos) return true;
  const std::size_t at = value.find("$" + name);
  const std::size_t end = at + 1 + name.size();
  return at != std::string_view::npos &&
         (end == value.size() || !(is_letter_or_digit(value[end]) || value[end] == '_'));
}

// Tell whether the arithmetic of the line, `((...))`, assigns: `N += 1`, `N++`; comparing does not.
bool assigns_in_arithmetic(std::string_view line) {
  const std::size_t begin = std::min(line.find("(("), line.size());
  const std::string_view inner = line.substr(begin, line.rfind("))") - begin);
  for (std::size_t i = 1; i + 1 < inner.size(); ++i) {
    const char before = inner[i - 1], after = inner[i + 1];
    const bool is_angle = before == '<' || before == '>';
    const bool compares = after == '=' || before == '=' || before == '!' ||
                          (is_angle && (i < 2 || inner[i - 2] != before));  // `N <<= 1` assigns
    if (inner[i] == '=' && !compares) return true;
    if ((inner[i] == '+' || inner[i] == '-') && inner[i] == after) return true;
  }
  return false;
}

// Tell whether something but `NAME=value` may set variables in the line.
bool changes_variables(std::string_view line, const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 8> setters{"read",   "let",     "unset",   "for",
                                                    "select", "mapfile", "getopts", "readarray"};
  const auto has = [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); };
  return assigns_in_arithmetic(line) || std::ranges::any_of(setters, has) || (has("printf") && has("-v"));
}

// Tell whether the file, which a script reads in, is one of a toolkit's that says where its parts are, and
// sets nothing that a training's flags are made of.
bool sets_no_flags(std::string_view file) {
  constexpr std::array<std::string_view, 4> toolkits{"/ascend-toolkit/set_env.sh", "/cann/set_env.sh",
                                                     "/nnal/atb/set_env.sh", "/bin/activate"};
  return std::ranges::any_of(toolkits, [&](auto end) { return bare_word(file).ends_with(end); });
}

// Tell whether the command only looks at its words, or prints them, or reads a file in: flags in them are
// none.
bool only_looks(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 26> looking{
      "source", ".",    "echo",  "printf", ":",    "[",     "[[",   "test", "grep",
      "logger", "rm",   "ls",    "ps",     "cat",  "tee",   "sed",  "cp",   "mv",
      "awk",    "true", "false", "mkdir",  "kill", "pkill", "find", "git"};
  constexpr std::array<std::string_view, 5> before{"if", "elif", "while", "until", "!"};
  const auto first = std::ranges::find_if(
      words, [&](const std::string& word) { return std::ranges::find(before, word) == before.end(); });
  return first != words.end() &&
         (first->starts_with('-') || std::ranges::find(looking, *first) != looking.end());
}

bool starts_training(std::string_view word) {
  return word.starts_with("--") || word.ends_with(".py") || word.starts_with("python") ||
         word.starts_with("torchrun");
}

// The name and the value of `NAME=value` and `NAME+=value`; no name of any other word.
std::pair<std::string, std::string_view> assignment_in(std::string_view word) {
  auto said = key_and_value(word);
  if (!said) return {};
  if (said->key.ends_with('+')) said->key.remove_suffix(1);
  if (!is_variable_name(said->key)) return {};
  return {std::string(said->key), said->value};
}

}  // namespace

std::string called(const std::string& function) { return function.empty() ? "" : function + "()"; }

std::string_view variable_in(std::string_view word) {
  if (!word.starts_with('$')) return "";
  word.remove_prefix(1);
  if (word.starts_with('{') && word.ends_with('}')) word = word.substr(1, word.size() - 2);
  return is_variable_name(word) ? word : "";
}

std::string_view variable_or_default_in(std::string_view word) {
  const std::size_t dash = word.find('-');
  if (!word.starts_with("${") || !word.ends_with('}') || dash == std::string_view::npos)
    return variable_in(word);
  std::string_view name = word.substr(2, dash - 2);
  if (name.ends_with(':')) name.remove_suffix(1);
  return is_variable_name(name) ? name : "";
}

void FlagReader::OpenValue::begin(std::string name, std::string_view value) {
  *this = {std::move(name)};
  feed(value);
}

void FlagReader::OpenValue::feed(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'')
      ++i;
    else if (quote != '\0')
      quote = c == quote ? '\0' : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '(' || c == ')')
      brackets = std::max(0, brackets + (c == '(' ? 1 : -1));
  }
}

FlagReader::FlagReader(std::string_view script) {
  const std::string text = with_folded_commands(script);
  for (const ScriptLine& line : lines_of_script(text)) add(line);
  note_launch();
  for (const FlagWord& word : words_)
    if (word.owner.empty() && word.function != word.text && functions_.contains(word.text))
      refers_[called(word.function)].insert(called(word.text));
}

void FlagReader::add(const ScriptLine& line) {
  ++line_;
  const std::vector<std::string> words = words_in(line.text);
  const bool is_source =
      words.size() > 1 && (words[0] == "source" || words[0] == ".") && !sets_no_flags(words[1]);
  const bool is_eval = std::ranges::find(words, "eval") != words.end();
  if (is_source && source_.empty()) source_ = words[0] + " " + words[1];
  is_any_doubtful_ |= is_source || is_eval;
  if (is_source || is_eval) last_source_ = line_;
  if (changes_variables(line.text, words)) doubt_all_in(line.text);
  if (!goes_on_ && !open_.is_open()) begin_command(words);
  if (std::string name = function_begun(words); !name.empty()) functions_.insert(function_ = std::move(name));
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "|" && !open_.is_open())
      is_looked_at_ = only_looks({words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end()});
    add(words[i], line, i < line.sure_words);
  }
  goes_on_ = goes_on(line.text);
  const bool is_sure = !line.is_choice && !line.is_text && !open_.is_open() && function_.empty() &&
                       line.sure_words == words.size();
  is_over_ = is_over_ || (is_sure && has_exit(line.text));
  if (!function_.empty() && !words.empty() && words.back() == "}") function_.clear();
}

// In a quoted value `#` begins no comment.
std::vector<std::string> FlagReader::words_in(std::string_view line) const {
  if (open_.quote == '\0') return words_of_line(line);
  return texts_of(split_words(line));
}

// Tell whether the next line belongs to the command: the backslash is the very last character, and no comment
// stands before it.
bool FlagReader::goes_on(std::string_view line) const {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!line.ends_with('\\')) return false;
  const std::vector<std::string_view> words = split_words(line);
  return open_.quote != '\0' ||
         std::ranges::none_of(words, [](std::string_view word) { return word.starts_with('#'); });
}

void FlagReader::begin_command(const std::vector<std::string>& words) {
  note_launch();
  is_looked_at_ = only_looks(words);
  // `export NAME=1`, and `NAME=1 ./train`.
  is_export_ =
      !words.empty() && (words[0] == "export" || (!assignment_in(words[0]).first.empty() &&
                                                  std::ranges::any_of(words, [](const std::string& word) {
                                                    return assignment_in(word).first.empty();
                                                  })));
  quoted_ = {};
}

// All words of a command are of a launch where one of them says so.
void FlagReader::note_launch() {
  const auto begin = words_.begin() + static_cast<std::ptrdiff_t>(command_begin_);
  if (std::any_of(begin, words_.end(), [](const FlagWord& word) { return starts_training(word.text); }))
    std::for_each(begin, words_.end(), [](FlagWord& word) { word.is_launch = true; });
  command_begin_ = words_.size();
}

void FlagReader::add(const std::string& word, const ScriptLine& line, bool is_sure) {
  const bool may_not_run = line.is_text || line.is_choice || !is_sure;
  const bool was_open = open_.is_open(), was_quoted = quoted_.quote != '\0';
  const auto [name, value] = was_open ? std::pair<std::string, std::string_view>() : assignment_in(word);
  if (is_export_) exported_.insert(name.empty() ? word : name);
  if (!name.empty()) {
    values_[name].insert(std::string(without_quotes(value)));
    assigned_in_[name] = line_;
    const bool adds = word[name.size()] == '+' || holds_itself(value, name);
    if (value.starts_with('(')) arrays_.insert(name);
    if (!function_.empty()) doubtful_.insert(name);
    if (!adds && !first_assigned_.insert(name).second) replaced_.insert(name);
    if (may_not_run || line.is_repeated) doubtful_.insert(name);
    if (may_print_flags(without_quotes(value))) printed_.insert(name);
    open_.begin(name, value);
  } else if (was_open) {
    open_.feed(word);
  } else {
    quoted_.feed(word);
  }
  const std::string owner = was_open || !name.empty() ? open_.owner : "";
  if (!is_looked_at_ || !owner.empty()) refer(word, owner);
  const std::string_view rest = bare_word(name.empty() ? std::string_view(word) : value);
  if (rest.empty() || (!name.empty() && !rest.starts_with("--"))) return;
  const bool is_other = is_over_ || (owner.empty() && (is_looked_at_ || was_quoted));
  words_.push_back({std::string(rest), owner, may_not_run, is_other, false, function_});
}

// Note the variables in the word: `$NAME`, `${NAME}` and `${NAME:-...}` of one value, `${NAME[@]}` of an
// array. What else is made of a variable is another value.
void FlagReader::refer(std::string_view word, const std::string& owner) {
  if (word.starts_with('\'')) return;  // the shell puts nothing in
  std::set<std::string>& names = refers_[owner.empty() ? called(function_) : owner];
  for (std::size_t at = word.find('$'); at != std::string_view::npos; at = word.find('$', at + 1)) {
    const bool is_braced = at + 1 < word.size() && word[at + 1] == '{';
    const std::size_t begin = at + (is_braced ? 2 : 1);
    std::size_t end = begin;
    while (end < word.size() && (is_letter_or_digit(word[end]) || word[end] == '_')) ++end;
    const std::string name(word.substr(begin, end - begin));
    const std::string_view rest = word.substr(end);
    const bool is_all = rest.starts_with("[@]}") || rest.starts_with("[*]}");
    const bool is_whole =
        !is_braced || rest.starts_with('}') || rest.starts_with(":-") || rest.starts_with('-');
    if (name.empty() || !(arrays_.contains(name) ? is_braced && is_all : is_whole || is_all)) continue;
    names.insert(name);
    last_referred_[name] = function_.empty() ? std::max(last_referred_[name], line_) : no_line;
  }
}

void FlagReader::doubt_all_in(std::string_view line) {
  std::string name;
  for (const char c : std::string(line) + " ") {
    if (is_letter_or_digit(c) || c == '_') {
      name += c;
    } else if (!name.empty()) {
      doubtful_.insert(std::exchange(name, {}));
    }
  }
}

std::vector<FoundFlag> FlagReader::all_of(std::string_view flag) const {
  std::vector<FoundFlag> found;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const std::string& word = words_[i].text;
    const std::string next = i + 1 < words_.size() ? words_[i + 1].text : "";
    if (word == flag)
      found.push_back({word + " " + next, next, i});
    else if (word.starts_with(flag) && std::string_view(word).substr(flag.size()).starts_with('='))
      found.push_back({word, std::string(bare_word(std::string_view(word).substr(flag.size() + 1))), i});
  }
  return found;
}

std::optional<std::int64_t> FlagReader::number_of(std::string_view word) const {
  std::string text(word);
  if (const std::string_view name = variable_in(word); !name.empty()) {
    const std::optional<Assigned> only = assigned(std::string(name));
    if (!only) return std::nullopt;
    text = only->value;
  }
  const auto number = parse_integer(text);
  return number && *number >= 1 && *number <= most_of_flag ? number : std::nullopt;
}

std::optional<std::string> FlagReader::text_of(std::string_view word,
                                               const std::map<std::string, std::string>& variables) const {
  std::string text(word);
  for (int links = 0; links < most_links; ++links) {
    const std::string name(variable_or_default_in(text));
    if (name.empty())
      return text.find_first_of("$`") == std::string::npos ? std::optional(text) : std::nullopt;
    const std::set<std::string> values = values_of(name);
    const bool is_own = !values.empty() && variable_or_default_in(*values.begin()) != name;
    if (!is_own) {
      const auto given = variables.find(name);
      return given == variables.end() || values.size() > 1 ? std::nullopt : std::optional(given->second);
    }
    const std::optional<Assigned> only = assigned(name);
    if (!only || !only->is_sure) return std::nullopt;
    text = only->value;
  }
  return std::nullopt;
}

bool FlagReader::is_used(const std::string& variable) const {
  const auto assigned = assigned_in_.find(variable);
  const auto referred = last_referred_.find(variable);
  const bool is_too_early = assigned != assigned_in_.end() && referred != last_referred_.end() &&
                            referred->second < assigned->second;
  if (replaced_.contains(variable) || is_too_early) return false;
  std::set<std::string> reached{""};
  std::vector<std::string> open{""};
  while (!open.empty()) {
    const std::string from = std::move(open.back());
    open.pop_back();
    if (from == variable) return true;
    if (const auto names = refers_.find(from); names != refers_.end())
      for (const std::string& name : names->second)
        if (reached.insert(name).second) open.push_back(name);
  }
  return false;
}

std::optional<FlagReader::Assigned> FlagReader::assigned(const std::string& variable) const {
  const auto values = values_.find(variable);
  if (values == values_.end() || values->second.size() != 1) return std::nullopt;
  const bool is_sure = !doubtful_.contains(variable) && assigned_in_.at(variable) > last_source_;
  return Assigned{*values->second.begin(), is_sure};
}

bool FlagReader::is_value(std::size_t word) const {
  if (word == 0) return false;
  const std::string& before = words_[word - 1].text;
  return before.starts_with('-') && before.find('=') == std::string::npos && !stands_alone(before);
}

std::string FlagReader::unknown_words(std::size_t word) const {
  const std::string& text = words_[word].text;
  const std::string name(variable_of_words(text));
  if (name.empty() || (is_value(word) && !names_words(text, name))) return "";
  return is_assigned(name) && !printed_.contains(name) ? "" : name;
}

bool FlagReader::is_exported(const std::string& variable) const { return exported_.contains(variable); }

bool FlagReader::stands_for_arguments(std::size_t word) const {
  const std::string& text = words_[word].text;
  return text == "$@" || text == "${@}" || text == "$*" || text == "${*}";
}

bool FlagReader::is_doubtful(const std::string& variable) const { return doubtful_.contains(variable); }

std::set<std::string> FlagReader::values_of(const std::string& variable) const {
  const auto values = values_.find(variable);
  return values == values_.end() ? std::set<std::string>() : values->second;
}

}  // namespace gate::config
