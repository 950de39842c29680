#include "cli/command_functions.h"
#include "cli/compare_text.h"
#include "gate/base/fs.h"

namespace gate::cli {

int compare_command(const Options& options, Terminal& terminal) {
  const app::Answer<app::Suite> suite = suite_if_any(options);
  if (!suite) return terminal.fail(suite.error());
  const auto comparison =
      app::compare(*suite, {options.words.at(0), options.words.at(1), options.case_name, options.platform});
  if (!comparison) return terminal.fail(comparison.error());
  if (!options.html.empty())
    if (const Status written = fs::write_file(options.html, comparison_html(*comparison)); !written)
      return terminal.fail({exit_code::infra, written.error().message});
  terminal.print(options.json ? comparison_json(*comparison)
                              : comparison_text(*comparison, terminal.style()));
  return exit_code::ok;
}

}  // namespace gate::cli
