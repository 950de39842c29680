#include "config/layers/layers.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "config/tables/key_table.h"
#include "config/tables/setting_table.h"
#include "gate/base/text.h"
#include "gate/base/utf8.h"
#include "gate/config/megatron.h"
#include "gate/config/settings.h"

namespace gate::config {

namespace {

// #GATE lines: what a script says of itself in its leading comment block.
//
//   #GATE devices=8 timeout=30m tags=tp,pp owner="zhang wei"
//
// The block ends at the first line that is neither blank nor a comment. Words are KEY=VALUE between blanks; a
// value may hold parts in double quotes, in which \" and \\ stand for " and \, and in which a comma does not
// separate the items of a list. A word that begins with # starts a comment. Several lines count as one; a key
// twice is a mistake.

constexpr std::string_view mark = "#GATE";
constexpr std::string_view blanks = " \t\r\v\f";

bool is_blank(char c) { return blanks.find(c) != std::string_view::npos; }

// A place in one line, counted in bytes and in characters.
class LineCursor {
 public:
  LineCursor(std::string_view line, Position at) : line_(line), at_(std::move(at)) {}

  bool at_end() const { return i_ >= line_.size(); }
  char peek() const { return line_[i_]; }
  const Position& at() const { return at_; }
  void skip_blanks() {
    while (!at_end() && is_blank(peek())) next();
  }
  char next() {
    const char c = line_[i_++];
    const bool inside = !at_end() && is_continuation(peek());
    at_.column += inside ? 0 : 1;
    return c;
  }

 private:
  std::string_view line_;
  Position at_;
  std::size_t i_ = 0;
};

class HeaderReader {
 public:
  HeaderReader(std::string script, Diagnostics& mistakes) : script_(std::move(script)), mistakes_(mistakes) {}

  Layer read(std::string_view text);

 private:
  void report(const Position& at, std::string message) { mistakes_.push_back({at, std::move(message)}); }
  void read_line(std::string_view line, int number);
  void read_word(LineCursor& cursor);
  bool read_value(LineCursor& cursor, RawValue& raw);
  bool read_quoted(LineCursor& cursor, std::string& item);
  bool accept_key(const std::string& key, const Position& at);
  void add(TableEntry entry);

  std::string script_;
  Diagnostics& mistakes_;
  Layer layer_;
  std::map<std::string, Position> seen_;
};

Layer HeaderReader::read(std::string_view text) {
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end), content = trim(line);
    if (!content.empty() && content[0] != '#') break;
    if (content.starts_with(mark) && (content.size() == mark.size() || is_blank(content[mark.size()])))
      read_line(line, number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::move(layer_);
}

void HeaderReader::read_line(std::string_view line, int number) {
  LineCursor cursor(line, {script_, number, 1});
  cursor.skip_blanks();
  for (std::size_t i = 0; i < mark.size(); ++i) cursor.next();
  for (cursor.skip_blanks(); !cursor.at_end() && cursor.peek() != '#'; cursor.skip_blanks())
    read_word(cursor);
}

void HeaderReader::read_word(LineCursor& cursor) {
  TableEntry entry;
  const Position at = cursor.at();
  while (!cursor.at_end() && !is_blank(cursor.peek()) && cursor.peek() != '=') entry.key += cursor.next();
  if (cursor.at_end() || is_blank(cursor.peek()) || entry.key.empty()) {
    while (!cursor.at_end() && !is_blank(cursor.peek())) entry.key += cursor.next();
    return report(at, "\"" + printable(entry.key, 80) + "\" is no KEY=VALUE");
  }
  cursor.next();
  entry.raw.at = cursor.at();
  entry.raw.origin = to_string(at) + " #GATE";
  const bool whole = read_value(cursor, entry.raw);
  if (accept_key(entry.key, at) && whole) add(std::move(entry));
}

bool HeaderReader::read_value(LineCursor& cursor, RawValue& raw) {
  if (cursor.at_end() || is_blank(cursor.peek())) return report(raw.at, "the value is missing"), false;
  std::string item;
  while (!cursor.at_end() && !is_blank(cursor.peek())) {
    if (cursor.peek() == '"') {
      if (!read_quoted(cursor, item)) return false;
    } else if (const char c = cursor.next(); c != ',') {
      item += c;
    } else {
      raw.text += item + ",";
      raw.items.push_back(std::exchange(item, {}));
    }
  }
  raw.text += item;
  if (!raw.text.empty()) raw.items.push_back(std::move(item));
  return true;
}

bool HeaderReader::read_quoted(LineCursor& cursor, std::string& item) {
  const Position at = cursor.at();
  cursor.next();
  while (!cursor.at_end() && cursor.peek() != '"') {
    char c = cursor.next();
    const bool escaped = c == '\\' && !cursor.at_end() && (cursor.peek() == '"' || cursor.peek() == '\\');
    item += escaped ? cursor.next() : c;
  }
  if (cursor.at_end()) return report(at, "the quote is not closed"), false;
  cursor.next();
  return true;
}

bool HeaderReader::accept_key(const std::string& key, const Position& at) {
  const SettingRow* row = find_setting(setting_of(key));
  const auto [first, fresh] = seen_.emplace(key, at);
  if (key.starts_with("rules.") || key.starts_with("metrics."))
    report(at, "rules and metrics are policy; write them in gate.toml under [case.\"GLOB\"]");
  else if (row == nullptr)
    report(at, unknown("key", key, keys_of(settings(), "#GATE")));
  else if (!may_stand(*row, "#GATE"))
    report(at, key + " cannot be set in #GATE; set it in " + places_of(*row));
  else if (!fresh)
    report(at, key + " is set twice; first at " + to_string(first->second));
  else
    return true;
  return false;
}

void HeaderReader::add(TableEntry entry) {
  entry.key = canonical_key(entry.key);
  if (entry.key != "env") return layer_.push_back(std::move(entry));
  std::ranges::move(variables_of(entry, mistakes_), std::back_inserter(layer_));
}

// Return the settings of the script's header, validated. Mistakes are added with line and column, which
// counts characters.
Layer read_header(std::string_view script_text, const std::string& script, Diagnostics& mistakes) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (script_text.starts_with(byte_order_mark)) script_text.remove_prefix(byte_order_mark.size());
  Layer layer = HeaderReader(script, mistakes).read(script_text);
  validate(layer, mistakes);
  return layer;
}

// Which of a test's launches begin from a checkpoint that is there already, and whether a second one goes on
// from the middle of the first.
struct TestTypeRow {
  std::string_view name;
  bool loads_checkpoint = false;
  bool resumes = false;
  bool is_run = true;
};
constexpr std::array test_types{TestTypeRow{""},
                                TestTypeRow{"regular"},
                                TestTypeRow{"frozen-start", true},
                                TestTypeRow{"release", true},
                                TestTypeRow{"ckpt-resume", false, true},
                                TestTypeRow{"frozen-resume", false, true},
                                TestTypeRow{"checkpoint-consistency", false, false, false}};

const TestTypeRow* find_type(const MegatronCase& of) {
  const auto* const type = std::ranges::find(test_types, of.test_type, &TestTypeRow::name);
  return type == test_types.end() ? nullptr : type;
}

// Return what word of the case nobody knows, so that no slip of the pen drops it; nothing where all are
// known.
std::optional<Diagnostic> unknown_word(const MegatronCase& of) {
  const std::vector<std::string> training{"pretraining"};
  if (const std::string near = did_you_mean(of.mode, training); !of.trains() && !near.empty())
    return Diagnostic{of.at("MODE"), "MODE " + printable(of.mode, 40) + ": unknown" + near};
  if (!of.trains() || find_type(of) != nullptr) return std::nullopt;
  std::vector<std::string> names;
  for (const TestTypeRow& row : test_types)
    if (!row.name.empty()) names.emplace_back(row.name);
  return Diagnostic{of.at("TEST_TYPE"), "TEST_TYPE " + printable(of.test_type, 40) + ": unknown" +
                                            did_you_mean(of.test_type, names) + " (it is one of " +
                                            join(names, ", ") + ")"};
}

class MegatronLayer {
 public:
  explicit MegatronLayer(const MegatronCase& of) : of_(of) {}

  Layer read() {
    for (const MegatronSetting& variable : of_.env) add("env." + variable.name, variable.value, variable.at);
    if (!of_.metrics.empty()) add_list("recipe.metrics", of_.metrics, of_.at("METRICS"));
    if (!of_.before_script.empty()) add("setup", of_.before_script, of_.at("BEFORE_SCRIPT"));
    if (const auto steps = of_.steps()) add("steps", std::to_string(*steps), of_.at("MODEL_ARGS"));
    if (!of_.test_type.empty()) add_list("tags", {of_.test_type}, of_.at("TEST_TYPE"));
    if (of_.skips_comparison()) add("judge", "exit", of_.at("ENV_VARS"));
    if (const auto* type = find_type(of_); type != nullptr && type->resumes && of_.train_iters() > 1)
      add_phases();
    if (!of_.is_deterministic()) add("recipe.nondeterministic", "true", of_.at("ENV_VARS"));
    return std::move(layer_);
  }

 private:
  // Megatron's own test: run 1 is the golden file of run 2 behind the middle of --train-iters, from which run
  // 2 goes on. That of a frozen test loads a checkpoint that is there instead.
  void add_phases() {
    const Position& at = of_.at("TEST_TYPE");
    const std::string middle = std::to_string(of_.train_iters() / 2);
    add_list("phases", {"full", "resume"}, at);
    add("phase.resume.window", "after " + middle, at);
    if (of_.test_type == "ckpt-resume") add("phase.resume.from_step", middle, at);
  }

  void add(const std::string& key, const std::string& value, const Position& at) {
    RawValue raw;
    raw.text = value;
    raw.items = {value};
    raw.at = at;
    raw.origin = to_string(at);
    layer_.push_back({Area::setting, "", {}, key, std::move(raw)});
  }

  void add_list(const std::string& key, const std::vector<std::string>& values, const Position& at) {
    add(key, join(values, ","), at);
    layer_.back().raw.items = values;
  }

  const MegatronCase& of_;
  Layer layer_;
};

// Why one launch is not all of the case; "" if it is.
Sentence why_unsupported(const MegatronCase& of) {
  if (!of.trains())
    return say({"MODE {} prints no training", "MODE {} 不打印训练过程"}, printable(of.mode, 40));
  const TestTypeRow* const type = find_type(of);
  if (!type->is_run)
    return say({"TEST_TYPE {} is none that gate runs", "gate 不运行 TEST_TYPE {}"}, as_is(of.test_type));
  if (type->resumes && of.train_iters() < 2)
    return say({"--train-iters has no middle from which a second run could go on",
                "--train-iters 没有可供第二次运行接续的中间一步"});
  if (!of.after_script.empty()) return say({"it has an AFTER_SCRIPT", "它带有 AFTER_SCRIPT"});
  if (std::ranges::any_of(of.args, [](const auto& arg) { return !arg.flag.starts_with('-'); }))
    return say({"MODEL_ARGS are NeMo's, as key=value", "MODEL_ARGS 是 NeMo 的写法（key=value）"});
  return {};
}

Sentence unsupported(const MegatronCase& of) {
  const Sentence why = why_unsupported(of);
  return why.empty() ? why : say({"{}: gate does not run it", "{}：gate 不运行它"}, why);
}

std::vector<CaseWord> words_of(const MegatronCase& of, int run) {
  std::vector<CaseWord> words;
  for (const MegatronArgument& argument : of.args_of(run)) {
    words.push_back({argument.flag, argument.at});
    for (const std::string& word : argument.words) words.push_back({word, argument.at});
  }
  return words;
}

}  // namespace

Layer read_case_layer(CaseKind kind, std::string_view text, const std::string& file, Diagnostics& mistakes) {
  if (kind == CaseKind::script) return read_header(text, file, mistakes);
  if (file.empty()) return {};  // of no case
  const auto of = read_megatron_case(text, file);
  if (!of) {
    mistakes.insert(mistakes.end(), of.error().begin(), of.error().end());
    return {};
  }
  if (auto unknown = unknown_word(*of)) {
    mistakes.push_back(*std::move(unknown));
    return {};
  }
  Layer layer = MegatronLayer(*of).read();
  validate(layer, mistakes);
  return layer;
}

Parsed<CaseFile> read_case_file(CaseKind kind, std::string_view text, const std::string& file) {
  if (kind == CaseKind::script) return CaseFile{};
  GATE_TRY(const MegatronCase of, read_megatron_case(text, file));
  const TestTypeRow* const type = find_type(of);
  if (const auto unknown = unknown_word(of)) return tl::unexpected(Diagnostics{*unknown});
  CaseFile out{words_of(of, 1), {}, type == nullptr || !type->loads_checkpoint, unsupported(of)};
  if (of.args_2) out.args_2 = words_of(of, 2);
  out.goes_on_from_data = of.test_type == "frozen-resume";
  return out;
}

const std::vector<CaseWord>& args_of_phase(const CaseFile& file, std::size_t phase) {
  return phase > 0 && file.args_2 ? *file.args_2 : file.args;
}

Sentence unreadable_words(const Case& spec) {
  if (spec.file.unreadable.empty()) return {};
  return say({"its settings cannot be read: {}", "无法读取它的设置：{}"}, spec.file.unreadable);
}

Sentence skip_words(const Case& spec) {
  return spec.settings.skip.empty() ? spec.file.unsupported : spec.settings.skip;
}

Sentence withheld_words(const Case& spec) {
  const Sentence why = skip_words(spec);
  return why.empty() ? unreadable_words(spec) : say({"skipped: {}", "跳过：{}"}, why);
}

std::string words_of_file(const Case& spec) {
  std::string words;
  for (const CaseWord& word : spec.file.args) words += word.text + " ";
  return words;
}

}  // namespace gate::config
