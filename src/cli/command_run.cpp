#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "cli/command_functions.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "gate/app/baseline.h"
#include "gate/app/charts.h"
#include "gate/app/run.h"
#include "gate/app/secrets.h"
#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/launch/guard.h"
#include "gate/publish/notify.h"
#include "gate/publish/report_files.h"

namespace gate::cli {

namespace {

// Not from the user database: a static binary cannot read it.
std::string user_name() {
  for (const char* variable : {"USER", "LOGNAME"})
    if (const char* name = std::getenv(variable); name != nullptr && *name != '\0') return name;
  return "uid " + std::to_string(geteuid());
}

// How long a vendor's tool may take.
Duration tool_limit() {
  constexpr Duration usual = std::chrono::seconds(15);
  const char* told = std::getenv("GATE_TOOL_LIMIT");
  return told != nullptr ? parse_duration(told).value_or(usual) : usual;
}

app::SuiteOptions suite_options(const Options& options, std::vector<config::Override> overrides) {
  return {options.folder, options.config, std::move(overrides), options.patterns};
}

// The words that change what is run, for the record: --set, and the settings given as flags.
std::vector<std::string> recorded_set(const Options& options) {
  std::vector<std::string> words = options.set;
  for (const std::string& word : options.env) words.push_back("env." + word);
  return words;
}

app::RunOptions run_options(const Options& options) {
  app::RunOptions run;
  run.words = options.words;
  run.tags = options.tags;
  run.args = options.script_args;
  run.set = recorded_set(options);
  run.platform = options.platform;
  run.out = options.out;
  run.max_failures = options.max_failures;
  run.jobs = options.jobs;
  run.again = options.again;
  run.resume = options.resume;
  run.retry_infra = options.retry_infra;
  run.confirm = options.confirm;
  run.record = options.runs;
  run.deadline = options.deadline;
  run.skipping = options.no_skip ? app::Skipping::refused : app::Skipping::allowed;
  run.folder = options.folder;
  return run;
}

// A bisection is a run for each commit, and somebody waits for all of them.
bool sends_notices(const Options& options) {
  return options.command == "run" && !options.dry_run && !options.bisect && !options.no_notify;
}

using Launching = app::Answer<Report> (*)(const app::Suite&, const app::RunOptions&, app::Environment&);

int launch(const Options& options, Terminal& terminal, Launching launching) {
  const app::Answer<app::Suite> suite = suite_of(options);
  if (!suite) return terminal.fail(suite.error());
  if (const auto outputs = check_outputs(options, *suite); !outputs) return terminal.fail(outputs.error());
  if (const auto code = options.dry_run ? std::nullopt : launch::guard()) return *code;
  catch_signals();
  log::never_wait();
  app::LocalHost host = this_host();
  const auto publisher = std::make_shared<publish::Publisher>(publisher_of(options));
  app::Environment machine = this_machine(host, publish::published(publisher, make_sink(options)));
  app::Answer<Report> report = launching(*suite, run_options(options), machine);
  if (!report) return terminal.fail(report.error());
  if (!options.html.empty()) app::add_charts(*suite, *report);
  const int code = terminal.close(terminal.finish(*report, options));
  if (code != report->exit_code && !options.dry_run && !options.bisect)
    app::correct_exit_code(*suite, *report, code);
  if (sends_notices(options))
    publish::notify(suite->policy.receivers(), *report, app::masker_for(*suite),
                    {[] { return caught_signal().has_value(); }, must_hurry});
  return code;
}

}  // namespace

app::Answer<app::Suite> suite_of(const Options& options) {
  auto overrides = options.overrides();
  return overrides ? app::open_suite(suite_options(options, std::move(*overrides)))
                   : app::usage(overrides.error());
}

app::Answer<app::Suite> suite_if_any(const Options& options) {
  auto overrides = options.overrides();
  if (!overrides) return app::usage(overrides.error());
  return app::open_suite_if_any(suite_options(options, std::move(*overrides)));
}

app::LocalHost this_host() { return app::LocalHost(tool_limit()); }

app::Environment this_machine(app::Host& host, Sink sink) {
  return {host, user_name(), caught_signal, must_hurry, now, std::move(sink)};
}

std::vector<std::string> split_commas(const std::vector<std::string>& words) {
  std::vector<std::string> parts;
  for (const std::string& word : words)
    for (const std::string_view part : split(word, ','))
      if (!trim(part).empty()) parts.emplace_back(trim(part));
  return parts;
}

int run_command(const Options& options, Terminal& terminal) {
  return launch(options, terminal, options.dry_run ? app::plan : app::run);
}

int record_command(const Options& options, Terminal& terminal) {
  return launch(options, terminal, app::record);
}

}  // namespace gate::cli
