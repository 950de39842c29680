#include <cstdio>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "gate/base/log.h"

int main(int argc, char** argv) {
  using namespace gate;
  const auto options = cli::parse_options(argc, argv);
  if (!options) {
    if (options.error().exit_code != 0) log::error(options.error().text);
    if (options.error().exit_code == 0) std::fputs(options.error().text.c_str(), stdout);
    return options.error().exit_code;
  }
  cli::Terminal terminal(*options);
  for (const cli::CommandRow& command : cli::commands())
    if (command.name == options->command) return terminal.close(command.run(*options, terminal));
  return exit_code::usage;
}
