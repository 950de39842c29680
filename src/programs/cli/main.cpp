#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>

#include "cli/options/options.h"
#include "cli/screen/terminal.h"
#include "gate/base/lack.h"
#include "gate/base/log.h"
#include "gate/base/set_aside.h"
#include "gate/launch/guard.h"
#include "gate/model/rules/verdict.h"
#include "gate/places/output_places.h"

namespace {

int run(int argc, char** argv) {
  using namespace gate;
  const auto options = cli::parse_options(argc, argv);
  if (!options) {
    const cli::Early& early = options.error();
    if (early.exit_code == 0 || early.is_help)
      std::fputs(early.text.c_str(), stdout);
    else
      log::error(early.text);
    return early.exit_code;
  }
  cli::Terminal terminal(*options);
  return cli::do_command(*options, terminal);
}

}  // namespace

// What is thrown is what the system lacks: memory, threads.
int main(int argc, char** argv) {
  int file = 0;  // where a standard file is closed, the first file that is opened would take its place
  while (file >= 0 && file <= 2) file = ::open("/dev/null", O_RDWR);
  if (file > 2) ::close(file);
  const std::string owner = gate::owner_of_asides();
  if (const auto code = gate::launch::reap(argc, argv)) return gate::app::put_back_outputs(owner), *code;
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    gate::tell_lack(error);
    return gate::exit_code::infra;
  }
}
