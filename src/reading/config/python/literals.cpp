#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <span>
#include <utility>

#include "config/python/python_tokens.h"
#include "gate/base/text.h"
#include "gate/config/python_literals.h"

namespace gate::config {

namespace {

using Tokens = std::span<const PythonToken>;

// They may set any name.
constexpr std::array<std::string_view, 6> reach_all{"exec", "eval", "globals", "locals", "vars", "setattr"};
// They end in a colon as a name with a type does.
constexpr std::array<std::string_view, 5> with_colon{"else", "except", "finally", "lambda", "try"};

bool is_word(const PythonToken& token, std::string_view word) {
  return token.kind == PythonToken::Kind::name && token.text == word;
}

// Return what kind of number the word is; `untold` where it is none.
PythonKind number_kind(std::string_view word) {
  if (word.starts_with("0x") || word.starts_with("0X")) {
    const std::string_view digits = word.substr(2);
    const bool hex = !digits.empty() && std::ranges::all_of(digits, [](char c) {
      return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    });
    return hex ? PythonKind::integer : PythonKind::untold;
  }
  if (std::ranges::all_of(word, is_digit)) return PythonKind::integer;
  double ignored = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), ignored);
  const bool is_whole = end == word.data() + word.size();
  return is_whole && error != std::errc::invalid_argument ? PythonKind::real : PythonKind::untold;
}

class LiteralReader {
 public:
  LiteralReader(Tokens tokens, const std::string& file) : tokens_(tokens), file_(file) {}

  // Return the value that all of the tokens are.
  PythonValue whole() {
    PythonValue value = element("");
    if (i_ < tokens_.size()) value = untold(0);
    return value;
  }

 private:
  bool ended() const { return i_ >= tokens_.size(); }
  bool is_sign(char c) const { return !ended() && tokens_[i_].is_sign(c); }
  bool at_one_of(std::string_view signs) const {
    return ended() || (tokens_[i_].kind == PythonToken::Kind::sign &&
                       signs.find(tokens_[i_].text[0]) != std::string_view::npos);
  }
  Position place(std::size_t i) const {
    if (tokens_.empty()) return {file_};
    const PythonToken& token = tokens_[std::min(i, tokens_.size() - 1)];
    return {file_, token.line, token.column};
  }
  PythonValue value_at(PythonKind kind, std::size_t i) const { return {kind, "", {}, place(i)}; }
  PythonValue untold(std::size_t i) const { return value_at(PythonKind::untold, i); }

  PythonValue element(std::string_view until);
  PythonValue literal();
  PythonValue text();
  PythonValue number();
  PythonValue word();
  PythonValue bracketed(char closing, PythonKind kind);
  void pass_over(std::string_view until);

  Tokens tokens_;
  const std::string& file_;
  std::size_t i_ = 0;
};

// Return the value up to one of the signs, or to the end; one that goes on behind its literal is not told.
PythonValue LiteralReader::element(std::string_view until) {
  const std::size_t start = i_;
  PythonValue value = literal();
  if (at_one_of(until)) return value;
  i_ = start;
  pass_over(until);
  return untold(start);
}

void LiteralReader::pass_over(std::string_view until) {
  for (std::size_t depth = 0; !ended(); ++i_) {
    if (depth == 0 && at_one_of(until)) return;
    if (at_one_of("([{")) ++depth;
    if (at_one_of(")]}") && depth > 0) --depth;
  }
}

PythonValue LiteralReader::literal() {
  if (ended()) return untold(i_);
  const PythonToken& token = tokens_[i_];
  if (token.is_text()) return text();
  if (token.kind == PythonToken::Kind::number || is_sign('-') || is_sign('+')) return number();
  if (token.kind == PythonToken::Kind::name) return word();
  if (is_sign('[')) return bracketed(']', PythonKind::list);
  if (is_sign('(')) return bracketed(')', PythonKind::tuple);
  if (is_sign('{')) return bracketed('}', PythonKind::set);
  return untold(i_);
}

PythonValue LiteralReader::text() {
  const PythonToken::Kind kind = tokens_[i_].kind;
  PythonValue value = value_at(kind == PythonToken::Kind::bytes ? PythonKind::bytes : PythonKind::text, i_);
  for (; !ended() && tokens_[i_].is_text(); ++i_) {
    if (tokens_[i_].kind != kind || kind == PythonToken::Kind::untold_text) value.kind = PythonKind::untold;
    value.text += tokens_[i_].text;
  }
  if (value.kind == PythonKind::untold) value.text.clear();
  return value;
}

PythonValue LiteralReader::number() {
  const std::size_t start = i_;
  const bool is_negative = is_sign('-');
  if (is_negative || is_sign('+')) ++i_;
  if (ended() || tokens_[i_].kind != PythonToken::Kind::number) return untold(start);
  const std::string& word = tokens_[i_++].text;
  PythonValue value = value_at(number_kind(word), start);
  if (value.kind != PythonKind::untold) value.text = (is_negative ? "-" : "") + word;
  return value;
}

PythonValue LiteralReader::word() {
  PythonValue value = untold(i_);
  const std::string& name = tokens_[i_++].text;
  if (name == "None") value.kind = PythonKind::none;
  if (name == "True" || name == "False") value.kind = PythonKind::boolean;
  if (value.kind != PythonKind::untold) value.text = name;
  return value;
}

PythonValue LiteralReader::bracketed(char closing, PythonKind kind) {
  const std::string ends{',', closing};
  const bool is_brace = closing == '}';
  PythonValue value = value_at(kind, i_++);
  std::size_t pairs = 0, singles = 0;
  bool had_comma = false;
  while (!ended() && !is_sign(closing)) {
    value.items.push_back(element(is_brace ? ends + ":" : ends));
    const bool has_value = is_brace && is_sign(':');
    ++(has_value ? pairs : singles);
    if (has_value) ++i_, value.items.push_back(element(ends));
    if (!is_sign(',')) break;
    had_comma = true;
    ++i_;
  }
  const bool is_closed = is_sign(closing);
  if (is_closed) ++i_;
  if (!is_closed || (pairs > 0 && singles > 0)) return {PythonKind::untold, "", {}, value.at};
  if (is_brace && singles == 0) value.kind = PythonKind::dictionary;
  if (kind == PythonKind::tuple && singles == 1 && !had_comma) return std::move(value.items[0]);
  return value;
}

struct SettingState {
  std::size_t place = 0;  // among the file's settings
  std::size_t era = 0;    // how often all had been forgotten when it was set
};

class PythonReader {
 public:
  PythonReader(const std::string& file, const PythonImporter& importer) : name_(file), importer_(importer) {}

  PythonFile read(Tokens tokens) {
    for (auto begin = tokens.begin(); begin != tokens.end();) {
      const auto end = std::find_if(
          begin, tokens.end(), [](const PythonToken& token) { return token.kind == PythonToken::Kind::end; });
      if (begin != end) statement({begin, end});
      begin = end == tokens.end() ? end : end + 1;
    }
    for (const auto& [name, state] : states_)
      if (state.era < era_) forget(name, all_forgotten_);
    for (const auto& [name, where] : beyond_) forget(name, where);
    return std::move(file_);
  }

 private:
  void statement(Tokens words);
  void block(Tokens words);
  bool assign(Tokens words);
  void set(const std::string& name, const Position& at, PythonValue value);
  void add(const PythonToken& name, PythonValue value);
  PythonSetting* known(std::string_view name);
  void forget(std::string_view name, const Position& where);
  void forget_all(const PythonToken& where);
  void forget_mentioned(Tokens words);
  void forget_used(Tokens value);
  bool star_import(Tokens words);
  void take_over(PythonFile module, const PythonToken& where);
  static bool may_be_changed(const PythonValue& value);
  Position place(const PythonToken& token) const { return {name_, token.line, token.column}; }

  const std::string& name_;
  const PythonImporter& importer_;
  PythonFile file_;
  std::map<std::string, SettingState, std::less<>> states_;
  std::size_t era_ = 0;
  Position all_forgotten_;
  std::map<std::string, Position, std::less<>> beyond_;  // names that functions set, and where
};

void PythonReader::statement(Tokens words) {
  for (const PythonToken& word : words)
    if (word.kind == PythonToken::Kind::name && std::ranges::find(reach_all, word.text) != reach_all.end())
      return forget_all(word);
  if (words.front().is_indented) return block(words);
  if (!star_import(words) && !assign(words)) forget_mentioned(words);
}

void PythonReader::block(Tokens words) {
  if (is_word(words.front(), "global"))
    for (const PythonToken& word : words) beyond_.emplace(word.text, place(word));
  forget_mentioned(words);
}

// `NAME = ...`, `NAME: type = ...`, `NAME += ...`; `NAME: type` sets nothing.
bool PythonReader::assign(Tokens words) {
  const PythonToken& name = words.front();
  if (name.kind != PythonToken::Kind::name || std::ranges::find(with_colon, name.text) != with_colon.end())
    return false;
  const auto equals =
      std::ranges::find_if(words, [](const PythonToken& token) { return token.is_sign('='); });
  const auto at = static_cast<std::size_t>(equals - words.begin());
  const bool is_typed = words.size() > 1 && words[1].is_sign(':');
  if (equals == words.end()) return is_typed;
  const Tokens behind = words.subspan(at + 1);
  const bool adds = at == 2 && words[1].is_sign('+');
  if (!(at == 1 || adds || is_typed) || (!behind.empty() && behind.front().is_sign('='))) return false;
  forget_used(behind);
  PythonValue value = LiteralReader(behind, name_).whole();
  adds ? add(name, std::move(value)) : set(name.text, place(name), std::move(value));
  return true;
}

void PythonReader::set(const std::string& name, const Position& at, PythonValue value) {
  const auto [state, is_new] = states_.try_emplace(name, SettingState{file_.settings.size(), era_});
  if (is_new) file_.settings.emplace_back();
  state->second.era = era_;
  file_.settings[state->second.place] = {name, at, std::move(value)};
}

void PythonReader::add(const PythonToken& name, PythonValue value) {
  PythonSetting* setting = known(name.text);
  if (setting == nullptr || setting->value.kind != PythonKind::list || value.kind != PythonKind::list)
    return forget(name.text, place(name));
  std::ranges::move(value.items, std::back_inserter(setting->value.items));
}

PythonSetting* PythonReader::known(std::string_view name) {
  const auto state = states_.find(name);
  return state == states_.end() ? nullptr : &file_.settings[state->second.place];
}

void PythonReader::forget(std::string_view name, const Position& where) {
  if (PythonSetting* setting = known(name)) setting->value = {PythonKind::untold, "", {}, where};
}

void PythonReader::forget_all(const PythonToken& where) {
  ++era_;
  all_forgotten_ = place(where);
}

void PythonReader::forget_mentioned(Tokens words) {
  for (const PythonToken& word : words)
    if (word.kind == PythonToken::Kind::name) forget(word.text, place(word));
}

// Of an expression whose value is taken: what it names may get another name by it, or be changed by what is
// called. Texts and numbers cannot.
void PythonReader::forget_used(Tokens value) {
  for (const PythonToken& word : value)
    if (const PythonSetting* setting = word.kind == PythonToken::Kind::name ? known(word.text) : nullptr;
        setting != nullptr && may_be_changed(setting->value))
      forget(word.text, place(word));
}

bool PythonReader::may_be_changed(const PythonValue& value) {
  return value.kind == PythonKind::list || value.kind == PythonKind::dictionary ||
         value.kind == PythonKind::set || value.kind == PythonKind::tuple;
}

bool PythonReader::star_import(Tokens words) {
  if (!is_word(words.front(), "from") || !words.back().is_sign('*')) return false;
  std::string module;
  for (const PythonToken& word : words.subspan(1)) {
    if (is_word(word, "import")) break;
    module += word.text;
  }
  std::optional<PythonFile> found = importer_ ? importer_(module) : std::nullopt;
  if (found && found->find("__all__") == nullptr) {
    take_over(*std::move(found), words.front());
  } else {
    forget_all(words.front());
    file_.imports.push_back({std::move(module), place(words.front())});
  }
  return true;
}

// Set what the module sets, but for names that begin with `_`, which Python leaves there.
void PythonReader::take_over(PythonFile module, const PythonToken& where) {
  if (!module.imports.empty()) forget_all(where);
  std::ranges::move(module.imports, std::back_inserter(file_.imports));
  for (PythonSetting& setting : module.settings)
    if (!setting.name.starts_with('_')) set(setting.name, setting.at, std::move(setting.value));
}

}  // namespace

bool PythonValue::is_told() const {
  return kind != Kind::untold &&
         std::ranges::all_of(items, [](const PythonValue& item) { return item.is_told(); });
}

std::string to_string(const PythonValue& value) {
  struct Brackets {
    std::string_view open, close;
  };
  const auto items_in = [&](Brackets brackets) {
    std::string out(brackets.open);
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      if (i > 0) out += value.kind == PythonKind::dictionary && i % 2 == 1 ? ": " : ", ";
      out += to_string(value.items[i]);
    }
    return out.append(brackets.close);
  };
  switch (value.kind) {
    case PythonKind::untold:
      return "(not told)";
    case PythonKind::text:
      return "'" + value.text + "'";
    case PythonKind::bytes:
      return "b'" + value.text + "'";
    case PythonKind::list:
      return items_in({"[", "]"});
    case PythonKind::tuple:
      return items_in(value.items.size() == 1 ? Brackets{"(", ",)"} : Brackets{"(", ")"});
    case PythonKind::set:
    case PythonKind::dictionary:
      return items_in({"{", "}"});
    default:
      return value.text;
  }
}

const PythonSetting* PythonFile::find(std::string_view name) const {
  return row_in(settings, name, &PythonSetting::name);
}

Parsed<PythonFile> read_python(std::string_view text, const std::string& file,
                               const PythonImporter& importer) {
  auto tokens = python_tokens(text, file);
  if (!tokens) return tl::unexpected(std::move(tokens).error());
  return PythonReader(file, importer).read(*tokens);
}

}  // namespace gate::config
