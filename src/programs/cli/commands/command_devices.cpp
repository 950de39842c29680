#include <unistd.h>

#include <chrono>
#include <optional>

#include "cli/options/commands.h"
#include "cli/screen/terminal.h"
#include "cli/world/signals.h"
#include "cli/world/world.h"
#include "gate/base/time.h"
#include "gate/places/devices.h"
#include "gate/places/hosts.h"
#include "gate/render/devices.h"

namespace gate::cli {

namespace {

constexpr std::chrono::seconds print_every{2};

// Nothing is asked any more once a signal has come.
Cut until_signal() {
  return {.stop = [] { return std::string(caught_signal() ? "interrupted" : ""); }};
}

// The hosts that are asked: the one that gate runs on where none is named.
struct Asked {
  app::LocalHost local = this_host();
  app::Hosts hosts{local};
  std::vector<int> numbers{0};
};

app::Answer<std::unique_ptr<Asked>> asked_hosts(const CommandOptions& options) {
  auto asked = std::make_unique<Asked>();
  if (options.hosts.empty()) return asked;
  GATE_TRY(const app::Suite suite, suite_if_any(options));
  const auto names = config::hosts_of(suite.policy.hosts(), split_commas(options.hosts));
  if (!names) return app::usage("--hosts: " + names.error().message);
  asked->hosts = app::Hosts(asked->local, app::ssh_connect(suite.policy.hosts(), tool_limit()));
  asked->numbers = asked->hosts.open(*names, until_signal());
  return asked;
}

std::string devices_output(const DevicesSeen& seen, const Asked& asked, const CommandOptions& options,
                           const Terminal& terminal) {
  return options.json ? render::devices_json(seen, asked.local.facts().name)
                      : render::devices_text(seen, terminal.style());
}

app::Answer<int> follow_devices(const Asked& asked, const CommandOptions& options, Terminal& terminal) {
  const bool draws = !options.json && ::isatty(STDOUT_FILENO) == 1;
  return terminal.print_again(draws, print_every, [&]() -> app::Answer<std::optional<std::string>> {
    GATE_TRY(const DevicesSeen seen, app::list_devices(asked.hosts, asked.numbers, until_signal()));
    if (caught_signal()) return std::optional<std::string>();
    return std::optional(devices_output(seen, asked, options, terminal));
  });
}

}  // namespace

app::Answer<int> devices_command(const CommandOptions& options, Terminal& terminal) {
  GATE_TRY(const auto asked, asked_hosts(options));
  if (options.follow) return follow_devices(*asked, options, terminal);
  GATE_TRY(const DevicesSeen seen, app::list_devices(asked->hosts, asked->numbers, until_signal()));
  terminal.print(devices_output(seen, *asked, options, terminal));
  if (!seen.faults.empty()) return exit_code::infra;
  return seen.rows.empty() ? exit_code::refused : exit_code::ok;
}

}  // namespace gate::cli
