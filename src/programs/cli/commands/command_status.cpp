#include "cli/options/commands.h"
#include "cli/screen/terminal.h"
#include "cli/world/signals.h"
#include "cli/world/world.h"
#include "gate/base/log.h"
#include "gate/base/time.h"
#include "gate/launch/host_facts.h"
#include "gate/render/status.h"
#include "gate/schema/status_file.h"
#include "gate/stored/status.h"

namespace gate::cli {

namespace {

app::Answer<app::RunPlaces> places_of(const CommandOptions& options) {
  return app::RunPlaces{app::runs_on_host(), options.folder, app::find_suite_root(options.folder)};
}

void print_status(const std::vector<RunStatus>& runs, bool is_named, const CommandOptions& options,
                  Terminal& terminal) {
  render::Style style = terminal.style();
  style.verbose |= is_named;
  terminal.print(options.json ? schema::write_status(runs) : render::status_text(runs, now(), style));
}

StopRequest request_of(const CommandOptions& options) {
  return {name_of_user() + " on " + launch::read_host().name, options.reason, to_iso(now()), "", options.now};
}

Sentence stop_words(const app::StopTarget& target) {
  const Sentence run = say({"run {}", "运行 {}"}, target.run.run);
  const Sentence what =
      target.case_name.empty() ? run : say({"case {} of {}", "{1} 的用例 {0}"}, target.case_name, run);
  return say({"{}: asked to stop; waiting for its end", "{}：已请求停止，正在等待它结束"}, what);
}

}  // namespace

app::Answer<int> status_command(const CommandOptions& options, Terminal& terminal) {
  const std::string word = options.words.empty() ? "" : options.words.front();
  GATE_TRY(const app::RunPlaces places, places_of(options));
  GATE_TRY(const std::vector<RunStatus> runs, app::find_runs(places, word));
  print_status(runs, !word.empty(), options, terminal);
  return exit_code::ok;
}

app::Answer<int> stop_command(const CommandOptions& options, Terminal& terminal) {
  catch_signals();
  GATE_TRY(const app::RunPlaces places, places_of(options));
  GATE_TRY(const app::StopTarget target, app::find_stop_target(places, options.words.front()));
  GATE_TRY_STATUS(app::ask_to_stop(target, request_of(options)));
  log::info(stop_words(target).in(terminal.style().language));
  GATE_TRY(const RunStatus then, app::wait_for_end(target, [] { return caught_signal().has_value(); }));
  print_status({then}, true, options, terminal);
  return exit_code::ok;
}

}  // namespace gate::cli
