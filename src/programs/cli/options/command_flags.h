// The words and flags that each command takes.
#pragma once

#include <CLI/CLI.hpp>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/options.h"

namespace gate::cli {

// A setting that is a flag, and what was given for it.
struct SettingFlag {
  std::string key, name, value;
  std::vector<std::string> values = {};  // of a list, which takes commas and repetition
};

// What a flag is to later commands about the same run.
enum class FlagRole : std::uint8_t {
  decides,  // what is measured, and by what it is judged: `run --again` and `run --resume` take it from the
            // run
  selects,  // which cases: those that a run has are its own, and no command about it takes it
  where,    // where the suite lies: the commands that a report offers have it
  shows,    // of this call alone: what it shows and writes, and when it ends
};

// The flags of a command as its parser takes them. None can be added without its role.
class Flags {
 public:
  using Settings = std::deque<SettingFlag>;  // which stay where they are: the parser writes into them
  using Roles = std::map<const CLI::Option*, FlagRole>;

  Flags(CLI::App& app, Settings& settings, Roles& roles) : app_(app), settings_(settings), roles_(roles) {}

  CLI::Option* text(FlagRole role, const std::string& name, std::string& into, const std::string& doc,
                    const std::string& type) {
    return as(role, app_.add_option(name, into, doc)->type_name(type));
  }
  // A list takes one value for each time that it is given.
  CLI::Option* list(FlagRole role, const std::string& name, std::vector<std::string>& into,
                    const std::string& doc, const std::string& type) {
    return as(role, app_.add_option(name, into, doc)->type_name(type)->allow_extra_args(false));
  }
  template <typename Number>
  CLI::Option* number(FlagRole role, const std::string& name, Number& into, const std::string& doc) {
    return as(role, app_.add_option(name, into, doc)->type_name("N"));
  }
  template <typename Into>
  CLI::Option* flag(FlagRole role, const std::string& name, Into& into, const std::string& doc) {
    return as(role, app_.add_flag(name, into, doc));
  }
  template <typename Value>
  CLI::Option* value(FlagRole role, const std::string& name, const std::function<void(const Value&)>& take,
                     const std::string& doc) {
    return as(role, app_.add_option_function<Value>(name, take, doc));
  }
  CLI::Option* call(FlagRole role, const std::string& name, const std::function<void()>& take,
                    const std::string& doc) {
    return as(role, app_.add_flag_callback(name, take, doc));
  }

  // Add the words that are no flags.
  CLI::Option* words(const std::string& name, std::vector<std::string>& into, const std::string& doc) {
    return app_.add_option(name, into, doc)->type_name("");
  }

  // Add the flag of a setting, a switch or not.
  CLI::Option* setting(std::string_view key, std::string_view type, std::string_view doc);

  CLI::Option* get(const std::string& name) { return app_.get_option(name); }

 private:
  CLI::Option* as(FlagRole role, CLI::Option* option) {
    roles_[option] = role;
    return option;
  }

  CLI::App& app_;
  Settings& settings_;
  Roles& roles_;
};

// Add the flags that every command has.
void add_global_flags(CLI::App& parser, Flags app, CommandOptions& options);

// Add what the command takes. The values of settings are known once the parse is done.
void add_command_flags(std::string_view command, Flags app, CommandOptions& options);

}  // namespace gate::cli
