#include <unistd.h>

#include <chrono>
#include <thread>

#include "cli/commands.h"
#include "cli/signals.h"
#include "gate/app/devices.h"
#include "gate/base/time.h"
#include "gate/render/devices.h"

namespace gate::cli {

namespace {

constexpr std::chrono::seconds watch_every{2};
constexpr std::chrono::milliseconds look_every{50};  // for a signal
constexpr std::string_view clear = "\x1b[H\x1b[2J";

std::string devices_output(const DevicesSeen& seen, app::Host& host, const CommandOptions& options,
                           const Terminal& terminal) {
  return options.json ? render::devices_json(seen, host.facts().name)
                      : render::devices_text(seen, terminal.style());
}

// Print again and again, over what stands there on a terminal, until a signal comes or nobody reads.
app::Answer<int> watch_devices(app::Host& host, const CommandOptions& options, Terminal& terminal) {
  catch_signals();
  const bool draws = !options.json && ::isatty(STDOUT_FILENO) == 1;
  for (;;) {
    GATE_TRY(const DevicesSeen seen, app::list_devices(host));
    if (caught_signal()) return exit_code::ok;
    terminal.print((draws ? std::string(clear) : "") + devices_output(seen, host, options, terminal));
    if (!terminal.flush()) return exit_code::ok;
    const auto end = SteadyClock::now() + watch_every;
    while (!caught_signal() && SteadyClock::now() < end) std::this_thread::sleep_for(look_every);
    if (caught_signal()) return exit_code::ok;
  }
}

}  // namespace

app::Answer<int> devices_command(const CommandOptions& options, Terminal& terminal) {
  app::LocalHost host = this_host();
  if (options.watch) return watch_devices(host, options, terminal);
  GATE_TRY(const DevicesSeen seen, app::list_devices(host));
  terminal.print(devices_output(seen, host, options, terminal));
  if (!seen.faults.empty()) return exit_code::infra;
  return seen.rows.empty() ? exit_code::refused : exit_code::ok;
}

}  // namespace gate::cli
