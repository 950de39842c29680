#include "cli/command_functions.h"
#include "gate/app/history.h"
#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/render/history.h"

namespace gate::cli {

namespace {

int export_runs(const app::Suite& suite, Terminal& terminal) {
  const auto done = app::export_history(suite, [&](std::string_view line) { terminal.print(line); });
  return done ? exit_code::ok : terminal.fail(done.error());
}

int import_runs(const app::Suite& suite, const Options& options, Terminal& terminal) {
  if (options.words.empty())
    return terminal.fail({exit_code::usage, "--import: name the files, exported ones or result.json"});
  const auto count = app::import_history(suite, options.words);
  if (!count) return terminal.fail(count.error());
  terminal.print(count_of(*count, "run") + " remembered in " + app::history_path(suite).string() + "\n");
  return exit_code::ok;
}

int prune_runs(const app::Suite& suite, const Options& options, Terminal& terminal) {
  const auto count = app::prune_history(suite, options.prune);
  if (!count) return terminal.fail(count.error());
  terminal.print(count_of(*count, "run") + " forgotten\n");
  return exit_code::ok;
}

std::string history_output(const std::vector<CaseTrend>& trends, const Options& options,
                           const render::Style& style) {
  if (options.json) return render::history_json(trends);
  if (options.words.empty()) return render::history_table(trends, style);
  std::string out;
  for (const CaseTrend& trend : trends) out += (out.empty() ? "" : "\n") + render::history_text(trend, style);
  return out;
}

}  // namespace

int history_command(const Options& options, Terminal& terminal) {
  const app::Answer<app::Suite> suite = suite_if_any(options);
  if (!suite) return terminal.fail(suite.error());
  if (const auto outputs = check_outputs(options, *suite); !outputs) return terminal.fail(outputs.error());
  if (options.export_history) return export_runs(*suite, terminal);
  if (options.import_history) return import_runs(*suite, options, terminal);
  if (options.prune > 0) return prune_runs(*suite, options, terminal);
  const auto trends = app::trends(*suite, {options.words, options.platform, options.last});
  if (!trends) return terminal.fail(trends.error());
  if (!options.html.empty())
    if (const Status written = fs::write_output(options.html, render::history_html(*trends, suite->name));
        !written)
      return terminal.fail({exit_code::infra, written.error().message});
  terminal.print(history_output(*trends, options, terminal.style()));
  return exit_code::ok;
}

}  // namespace gate::cli
