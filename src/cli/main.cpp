#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "gate/base/log.h"
#include "gate/launch/guard.h"

namespace {

// Where a standard file is closed, the first file that is opened would take its place.
void open_standard_files() {
  int file = 0;
  while (file >= 0 && file <= 2) file = ::open("/dev/null", O_RDWR);
  if (file > 2) ::close(file);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace gate;
  open_standard_files();
  if (const auto code = launch::reap(argc, argv)) return *code;
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
