#include "cli/command_functions.h"
#include "gate/app/charts.h"
#include "gate/app/explain.h"
#include "gate/base/columns.h"
#include "gate/base/text.h"
#include "gate/render/explain.h"
#include "gate/store/run_folder.h"

namespace gate::cli {

namespace {

std::vector<std::string> reporter_names() {
  std::vector<std::string> names;
  for (const render::ReporterRow& row : render::reporters()) names.emplace_back(row.name);
  return names;
}

}  // namespace

int explain_command(const Options& options, Terminal& terminal) {
  const app::Answer<app::Suite> suite = suite_of(options);
  if (!suite) return terminal.fail(suite.error());
  const std::string check = options.words.size() > 1 ? options.words[1] : "";
  const auto explanation = app::explain(*suite, options.words.front(), check, options.run,
                                        options.shadow ? app::Whose::shadow : app::Whose::verdict);
  if (!explanation) return terminal.fail(explanation.error());
  const bool values = !check.empty() || options.verbosity > 0;
  terminal.print(inert(options.json ? render::explain_json(*explanation)
                                    : render::explain_text(*explanation, values, terminal.style())));
  return exit_code::ok;
}

int report_command(const Options& options, Terminal& terminal) {
  const std::string name = options.json ? "json" : options.format;
  const render::ReporterRow* reporter = render::find_reporter(name);
  if (reporter == nullptr)
    return terminal.fail({exit_code::usage, "--format " + printable(name) + ": unknown" +
                                                did_you_mean(name, reporter_names()) + " (it is one of " +
                                                join(reporter_names(), ", ") + ")"});
  const app::Answer<app::Suite> suite = suite_if_any(options);
  if (!suite) return terminal.fail(suite.error());
  Result<Report> report = store::read_run(suite->root, options.words.empty() ? "" : options.words.front());
  if (!report) return terminal.fail({exit_code::usage, report.error().message});
  if (reporter->needs == render::Needs::charts) app::add_charts(suite_of(options).value_or(*suite), *report);
  terminal.print(reporter->render(*report, terminal.style()));
  return exit_code::ok;
}

}  // namespace gate::cli
