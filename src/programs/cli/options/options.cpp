#include "cli/options/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <sstream>

#include "cli/options/command_flags.h"
#include "cli/options/commands.h"
#include "gate/base/fs.h"
#include "gate/base/text.h"
#include "gate/config/old_words.h"
#include "gate/config/settings.h"

namespace gate::cli {

namespace {

CLI::App& subcommand(CLI::App& app, const std::string& name, const std::string& doc) {
  const std::size_t blank = name.find(' ');
  if (blank == std::string::npos) return *app.add_subcommand(name, doc);
  const std::vector<CLI::App*> groups =
      app.get_subcommands([&](CLI::App* known) { return known->get_name() == name.substr(0, blank); });
  const std::string word = name.substr(0, blank);
  CLI::App* group = groups.empty() ? app.add_subcommand(word, std::string(doc_of_baseline)) : groups.front();
  group->require_subcommand(1);
  return *group->add_subcommand(name.substr(blank + 1), doc);
}

// The parser, and where it puts what it reads.
struct Parser {
  CLI::App app{"gate: a regression gate for LLM training.\ngreen means measured and within tolerance",
               "gate"};
  CommandOptions options;
  Flags::Settings flags;
  Flags::Roles roles;
  std::vector<std::pair<std::string, CLI::App*>> commands;

  Parser() {
    app.fallthrough();
    app.require_subcommand(1);
    add_global_flags(app, {app, flags, roles}, options);
    app.get_formatter()->column_width(34);
    for (const CommandRow& row : gate::cli::commands()) {
      CLI::App& command = subcommand(app, std::string(row.name), std::string(row.doc));
      commands.emplace_back(row.name, &command);
      add_command_flags(row.name, {command, flags, roles}, options);
    }
    for (CLI::App* group : app.get_subcommands([](CLI::App*) { return true; })) group->fallthrough();
  }

  // Return the syntax of the command, with what holds for a setting that is not given.
  CommandSyntax syntax(const CommandRow& row, CLI::App& command) const {
    CommandSyntax syntax = syntax_of(command, std::string(row.name), std::string(row.doc));
    for (OptionSyntax& option : syntax.options) {
      const auto flag = std::ranges::find(flags, option.names.back(), &SettingFlag::name);
      if (option.is_setting && flag != flags.end())
        option.built_in = config::find_setting(flag->key)->built_in;
    }
    return syntax;
  }

  // Tell whether the word gives a value to a flag of the command that decides.
  bool decides(std::string_view name, const std::string& word) const {
    const auto command = std::ranges::find(commands, name, [](const auto& one) { return one.first; });
    const CLI::Option* flag = command == commands.end()
                                  ? nullptr
                                  : command->second->get_option_no_throw(word.substr(0, word.find('=')));
    const auto role = roles.find(flag);
    return word.starts_with("--") && role != roles.end() && role->second == FlagRole::decides;
  }

  // Return the flags of that role that were given, each as one word. A path means the same from every folder.
  std::vector<std::string> given(const CLI::App& command, FlagRole role) const {
    std::vector<std::string> words;
    for (const CLI::Option* option : command.get_options()) {
      const auto known = roles.find(option);
      if (known == roles.end() || known->second != role) continue;
      const std::string name = option->get_name();
      const bool is_path = role == FlagRole::where || name == "--stages-folder";
      for (const std::string& value : option->results()) {
        if (!name.starts_with("--")) words.push_back(name);
        words.push_back((name.starts_with("--") ? name + "=" : "") +
                        (is_path ? fs::whole_path(value).string() : value));
      }
    }
    return words;
  }

  // Complete the options with what is known once the parse is done.
  void complete(std::vector<std::string> behind_dashes) {
    options.where = given(app, FlagRole::where);
    for (const auto& [name, command] : commands)
      if (command->parsed()) {
        options.command = name;
        options.deciding = given(*command, FlagRole::decides);
      }
    for (const SettingFlag& flag : flags) {
      const std::string value = flag.values.empty() ? flag.value : join(flag.values, ",");
      if (!value.empty()) options.policy.flags.push_back({flag.key, value, flag.name});
    }
    std::vector<std::string>& rest = takes_args(options.command) ? options.script_args : options.words;
    rest.insert(rest.end(), behind_dashes.begin(), behind_dashes.end());
  }
};

std::string help_text(const std::string& name, CLI::App& command) {
  const std::size_t blank = name.find(' ');  // CLI11 adds the command's own last word
  const std::string before = "gate" + (blank == std::string::npos ? "" : " " + name.substr(0, blank));
  return std::string(trim(command.help(before)));
}

// Return the first word that is neither a flag nor the value of one that stands before every command.
std::vector<std::string>::const_iterator first_command_word(const std::vector<std::string>& words) {
  static constexpr std::array with_value{"-C", "--config", "--color", "--lang"};
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (!word->starts_with("-")) return word;
    const bool takes_next = std::ranges::find(with_value, *word) != with_value.end();
    if (takes_next && ++word == words.end()) break;
  }
  return words.end();
}

// Return the command that the words name, as the table calls it; "" where they name none.
std::string command_in(const std::vector<std::string>& words) {
  const auto first = first_command_word(words);
  if (first == words.end()) return "";
  std::string name;
  for (const CommandRow& row : commands()) {
    const bool is_two = first + 1 != words.end() && row.name == *first + " " + *(first + 1);
    if (row.name == *first || is_two) name = row.name;
  }
  return name;
}

// A flag that the command does not have, with what was probably meant; "" where the error is another one.
std::string unknown_flag(const CLI::Error& error, const std::vector<std::string>& words,
                         const std::string& command) {
  constexpr std::size_t most_named_commands = 6;
  constexpr std::array of_words{CLI::ExitCodes::ExtrasError, CLI::ExitCodes::ArgumentMismatch};
  if (std::ranges::count(of_words, static_cast<CLI::ExitCodes>(error.get_exit_code())) == 0) return "";
  std::vector<std::string> known;
  std::map<std::string, std::vector<std::string>> others;  // commands that have a flag
  std::map<std::string, std::string> values;               // what it takes there
  std::vector<std::string> own_words;                      // what the command takes without a flag
  for (const CommandSyntax& syntax : command_syntax()) {
    const bool is_other = !syntax.name.empty() && syntax.name != command;
    for (const OptionSyntax& option : syntax.options)
      for (const std::string& name : option.names)
        if (is_other) {
          others[name].push_back("gate " + syntax.name);
          values[name] = option.value;
        } else {
          known.push_back(name);
        }
    if (syntax.name == command && syntax.words)
      for (const std::string_view one : split(syntax.words->value, '|')) own_words.emplace_back(trim(one));
  }
  for (const std::string& word : words) {
    const std::string flag = word.substr(0, word.find('='));
    if (!flag.starts_with("--") || std::ranges::find(known, flag) != known.end()) continue;
    const std::string says = "gate " + command + " has no flag " + printable(flag, 80);
    const std::string_view of_command = config::now_written(command + " " + flag);
    const std::string_view now = of_command.empty() ? config::now_written(flag) : of_command;
    if (!now.empty()) return says + "; write " + std::string(now);
    std::string key = flag.substr(2), type = key;
    std::ranges::replace(key, '-', '_');
    std::ranges::transform(type, type.begin(), [](unsigned char c) { return std::toupper(c); });
    const auto elsewhere = others.find(flag);
    if (elsewhere != others.end()) type = values.at(flag);
    if (std::ranges::count(own_words, type) > 0)
      return says + ", and takes that as a word: gate " + command + " " + type;
    if (std::ranges::count(config::settings(), key, &config::SettingRow::key) > 0 &&
        std::ranges::count(known, "--set") > 0)
      return says + "; write --set " + key + "=VALUE";
    return says + (elsewhere == others.end()
                       ? did_you_mean(flag, known)
                       : "; it is one of " + some_of(elsewhere->second, most_named_commands));
  }
  return "";
}

// The words that name no command, with what was probably meant; "" where there are none. `baseline` alone is
// the beginning of some.
std::string unknown_command(std::vector<std::string>::const_iterator first,
                            std::vector<std::string>::const_iterator end) {
  if (first == end) return "";
  const bool is_group = *first == "baseline";
  if (is_group && (first + 1 == end || (first + 1)->starts_with("-"))) return "";
  const std::string said = is_group ? *first + " " + *(first + 1) : *first;
  std::vector<std::string> names{"baseline"};
  for (const CommandRow& row : commands()) names.emplace_back(row.name);
  const std::string_view old = config::now_written(said);
  std::string now(old.empty() && first + 1 != end ? config::now_written(said + " " + *(first + 1)) : old);
  // `lint` is nearer to `baseline lint` than to `list`.
  if (now.empty() && std::ranges::count(names, "baseline " + said) > 0) now = "gate baseline " + said;
  return "unknown command \"" + printable(said) + "\"" +
         (now.empty() ? did_you_mean(said, names) + "; see gate --help" : "; write " + now);
}

// CLI11's own words for an unknown command name every option; say what was probably meant instead.
std::string explain_error(const CLI::Error& error, const std::vector<std::string>& words) {
  const auto first = first_command_word(words);
  const std::string command = command_in(words);
  const std::string page = "; see gate " + command + (command.empty() ? "" : " ") + "--help";
  if (const std::string unknown = command.empty() ? "" : unknown_flag(error, words, command);
      !unknown.empty())
    return unknown + page;
  const bool is_of_value =  // of an option, whose value is no command
      error.get_name() == "ValidationError" || error.get_name() == "ConversionError";
  const std::string unknown = is_of_value || !command.empty() ? "" : unknown_command(first, words.end());
  return unknown.empty() ? std::string(error.what()) + page : unknown;
}

Early refusal(std::string text, const std::vector<std::string>& words) {
  const bool bisecting = std::ranges::find(words, "--bisect") != words.end();
  return {bisecting ? exit_code::infra : exit_code::usage, std::move(text)};
}

Early early_exit(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& words) {
  if (error.get_exit_code() != 0) return refusal(explain_error(error, words), words);
  std::ostringstream out, ignored;
  app.exit(error, out, ignored);
  return {0, out.str()};
}

// An empty word, or list, means nothing anywhere. It is mostly an unset variable of a CI script, and must not
// pass for a word that was left out. Fail where there is one.
Status check_no_empty(const std::vector<std::string>& words) {
  const auto is_empty = [](std::string_view word) {
    return word.find_first_not_of(" \t\r\n,") == std::string_view::npos;
  };
  constexpr const char* what_to_do = " (an unset variable?); give it a value, or leave it out";
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t equals = words[i].starts_with("--") ? words[i].find('=') : std::string::npos;
    if (equals != std::string::npos && is_empty(std::string_view(words[i]).substr(equals + 1)))
      return fail(printable(words[i].substr(0, equals)) + ": its value is empty" + what_to_do);
    if (is_empty(words[i]))
      return fail((i == 0 ? "the first word" : "the word after " + printable(words[i - 1])) + " is empty" +
                  what_to_do);
  }
  return {};
}

// Return what a further word of the same flag replaces: `--timeout`, and of a list of keys `--env=SAID`.
std::string_view slot_of(std::string_view word) {
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  const bool has_keys = name == "--set" || name == "--env";
  return has_keys ? word.substr(0, word.find('=', equals + 1)) : name;
}

tl::expected<CommandOptions, Early> parse_words(std::vector<std::string> words,
                                                const std::vector<std::string>& behind) {
  if (const Status full = check_no_empty(words); !full)
    return tl::unexpected(refusal(full.error().message, words));
  Parser parser;
  parser.options.typed = words;
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    parser.app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    return tl::unexpected(early_exit(parser.app, error, words));
  }
  parser.complete(behind);
  if (parser.options.version && parser.options.verbosity <= 0 && !parser.options.json)
    return tl::unexpected(Early{0, std::string("gate ") + GATE_VERSION + "\n"});
  return parser.options;
}

}  // namespace

Result<std::vector<config::Override>> CommandOptions::overrides() const {
  std::vector<config::Override> all = policy.flags;
  const auto add = [&](const std::string& word, const char* flag, const std::string& prefix) -> Status {
    const auto said = key_and_value(word);
    if (!said || said->key.empty())
      return fail(std::string(flag) + " " + printable(word) + ": write KEY=VALUE");
    all.push_back({prefix + std::string(said->key), std::string(said->value), flag});
    return {};
  };
  for (const std::string& word : policy.set) GATE_TRY_STATUS(add(word, "--set", ""));
  for (const std::string& word : policy.env) GATE_TRY_STATUS(add(word, "--env", "env."));
  return all;
}

tl::expected<CommandOptions, Early> parse_options(int argc, const char* const* argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) return tl::unexpected(Early{exit_code::usage, Parser().app.help(), true});
  const auto dashes = std::ranges::find(words, "--");
  return parse_words({words.begin(), dashes}, {dashes == words.end() ? dashes : dashes + 1, words.end()});
}

tl::expected<CommandOptions, Early> with_words_of(const CommandOptions& options,
                                                  const std::vector<std::string>& earlier) {
  const auto dashes = std::ranges::find(earlier, "--");
  std::vector<std::string> words = options.typed, args(dashes, earlier.end()), secret;
  if (!args.empty()) args.erase(args.begin());
  if (!options.script_args.empty()) args = options.script_args;
  std::vector<std::string> taken = args;
  const Parser parser;
  for (const std::string& word : std::vector<std::string>(earlier.begin(), dashes)) {
    if (!parser.decides(options.command, word))
      return tl::unexpected(refusal("the run says that it was started with " + printable(word, 200) +
                                        ", which is no flag that decides; start a new run",
                                    words));
    if (std::ranges::find(options.deciding, slot_of(word), slot_of) != options.deciding.end()) continue;
    words.push_back(word);
    taken.push_back(word);
  }
  std::ranges::copy_if(taken, std::back_inserter(secret),
                       [](const std::string& word) { return word.find("***") != std::string::npos; });
  if (!secret.empty())
    return tl::unexpected(refusal("the run was started with " + printable(join(secret, " "), 200) +
                                      ", and no run keeps a secret; give it again",
                                  words));
  return parse_words(std::move(words), args);
}

bool launches(std::string_view command) {
  return command == "run" || command == "ab" || command == "baseline record";
}

bool takes_args(std::string_view command) {
  return launches(command) || command == "completion" || command == "init";
}

std::vector<CommandSyntax> command_syntax() {
  Parser parser;
  std::vector<CommandSyntax> all{syntax_of(parser.app, "", parser.app.get_description())};
  for (std::size_t i = 0; i < parser.commands.size(); ++i)
    all.push_back(parser.syntax(commands()[i], *parser.commands[i].second));
  return all;
}

std::string help_of_command(std::string_view name) {
  Parser parser;
  const auto found = std::ranges::find(parser.commands, name, &std::pair<std::string, CLI::App*>::first);
  return found == parser.commands.end() ? "" : help_text(found->first, *found->second);
}

std::string help_of_all_commands() {
  Parser parser;
  std::string out;
  for (const auto& [name, command] : parser.commands)
    out += "### gate " + name + "\n\n```\n" + help_text(name, *command) + "\n```\n\n";
  return out;
}

}  // namespace gate::cli
