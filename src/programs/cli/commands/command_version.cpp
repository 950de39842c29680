#include "cli/commands/version_report.h"
#include "cli/options/commands.h"
#include "cli/screen/terminal.h"
#include "gate/base/fs.h"
#include "gate/devices/discover.h"
#include "gate/launch/host_facts.h"
#include "gate/model/rules/verdict.h"
#include "gate/net/post.h"

namespace gate::cli {

app::Answer<int> version_command(const CommandOptions& options, Terminal& terminal) {
  const launch::HostFacts facts = launch::read_host();
  const HostEquipment host{[](std::string_view name) { return !fs::find_program(name).empty(); },
                           facts.device_nodes, devices::tools_by_vendor(), net::sender(), facts.weaknesses};
  const Build build = this_build();
  terminal.print(options.json ? version_json(build, host) : version_text(build, host, terminal.style()));
  return exit_code::ok;
}

}  // namespace gate::cli
