#include "cli/options/syntax.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

namespace gate::cli {

namespace {

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

OptionSyntax option_syntax(const CLI::Option& option) {
  OptionSyntax syntax;
  syntax.names = names_of(option);
  syntax.doc = option.get_description();
  syntax.least = option.get_items_expected_min();
  syntax.most = option.get_items_expected_max();
  syntax.is_repeatable = option.get_expected_max() == CLI::detail::expected_max_vector_size;
  syntax.is_required = option.get_required();
  syntax.is_setting = option.get_group() == "Settings";
  if (syntax.most == 0) return syntax;
  const std::string type = option.get_positional() ? option.get_name(true) : option.get_type_name();
  const std::size_t colon = std::min(type.find(':'), type.size());  // CLI11's, before what it checks
  syntax.value = type.substr(0, colon);
  syntax.range = type.substr(std::min(colon + 1, type.size()));
  return syntax;
}

}  // namespace

CommandSyntax syntax_of(const CLI::App& command, std::string name, std::string doc) {
  CommandSyntax syntax{std::move(name), std::move(doc), {}, std::nullopt};
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional())
      syntax.words = option_syntax(*option);
    else
      syntax.options.push_back(option_syntax(*option));
  }
  return syntax;
}

const OptionSyntax* find_option(const CommandSyntax& command, const std::string& name) {
  const auto it = std::ranges::find_if(command.options, [&](const OptionSyntax& option) {
    return std::ranges::find(option.names, name) != option.names.end();
  });
  return it == command.options.end() ? nullptr : &*it;
}

}  // namespace gate::cli
