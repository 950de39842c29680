#include "cli/command_functions.h"
#include "gate/app/compare.h"
#include "gate/base/fs.h"
#include "gate/base/log.h"
#include "gate/render/compare.h"

namespace gate::cli {

namespace {

// Outside any suite logs and baseline files can be compared.
app::Answer<app::Suite> suite_around(const Options& options) {
  const bool outside = options.config.empty() && app::find_suite_root(options.folder).empty();
  return outside ? suite_if_any(options) : suite_of(options);
}

app::CompareOptions compare_options(const Options& options) {
  app::CompareOptions compare;
  compare.a = options.words[0];
  compare.b = options.words[1];
  compare.case_name = options.case_name;
  compare.platform = options.platform;
  compare.folder = options.folder;
  compare.threads = options.threads;
  if (!options.html.empty()) compare.charts = app::CompareOptions::Charts::yes;
  return compare;
}

}  // namespace

int compare_command(const Options& options, Terminal& terminal) {
  if (options.words.size() != 2)
    return terminal.fail(
        {exit_code::usage, "compare: name two: gate compare A B, each a log, a baseline, a run or a case"});
  const app::Answer<app::Suite> suite = suite_around(options);
  if (!suite) return terminal.fail(suite.error());
  if (const auto outputs = check_outputs(options, *suite); !outputs) return terminal.fail(outputs.error());
  const auto comparison = app::compare(*suite, compare_options(options));
  if (!comparison) return terminal.fail(comparison.error());
  terminal.print(options.json ? render::compare_json(*comparison)
                              : render::compare_text(*comparison, terminal.style()));
  if (!options.html.empty())
    if (const Status written = fs::write_output(options.html, render::compare_html(*comparison)); !written)
      return terminal.fail({exit_code::infra, written.error().message});
  return has_common(*comparison) ? exit_code::ok : exit_code::refused;
}

}  // namespace gate::cli
