#include <unistd.h>

#include <algorithm>
#include <memory>

#include "cli/commands/launching.h"
#include "cli/options/commands.h"
#include "cli/screen/progress.h"
#include "cli/screen/terminal.h"
#include "cli/world/signals.h"
#include "cli/world/stores_reached.h"
#include "cli/world/world.h"
#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/publish/report_files.h"
#include "gate/render/ab.h"
#include "gate/runner/ab.h"
#include "gate/runner/run.h"
#include "gate/stored/baseline.h"
#include "gate/stored/charts.h"
#include "gate/suite/accuracy_test.h"
#include "gate/suite/taken_strategy.h"

namespace gate::cli {

namespace {

app::RunOptions run_options(const CommandOptions& options) {
  app::RunOptions run;
  run.words = options.words;
  run.tags = options.tags;
  run.args = options.script_args;
  run.set = options.policy.set;
  for (const std::string& word : options.policy.env) run.set.push_back("env." + word);
  run.platform = options.platform;
  run.out = options.run.out;
  run.max_failures = options.run.max_failures;
  run.jobs = options.run.jobs;
  run.again = options.run.again;
  run.resume = options.run.resume;
  run.bisecting = options.bisect;
  run.command_line = options.deciding;
  if (!options.script_args.empty()) run.command_line.emplace_back("--");
  run.command_line.insert(run.command_line.end(), options.script_args.begin(), options.script_args.end());
  run.where = options.where;
  run.retry_infra = options.run.retry_infra;
  run.confirm = options.run.confirm;
  run.determinism = options.determinism;
  run.record = options.run.runs;
  run.deadline = options.run.deadline;
  run.shard = options.run.shard;
  run.changed_since = options.run.changed_since;
  run.nothing_ok = options.run.nothing_ok;
  run.only = parse_stage(options.run.only);
  run.stages_folder = options.run.stages_folder;
  run.skipping = options.run.no_skip ? app::Skipping::refused : app::Skipping::allowed;
  run.folder = options.folder;
  return run;
}

app::AbOptions ab_options(const CommandOptions& options) {
  return {.a = options.words[0],
          .b = options.words[1],
          .case_name = options.case_name,
          .metrics = split_commas(options.metrics),
          .pairs = options.ab.pairs,
          .change = options.ab.change,
          .run = run_options(options)};
}

// Return the options with what decides taken from the run that --again or --resume goes on from.
app::Answer<CommandOptions> with_earlier_run(const CommandOptions& options) {
  if (!options.run.again && !options.run.resume) return options;
  GATE_TRY(const Report earlier,
           app::earlier_run({.folder = options.folder, .config = options.config, .overrides = {}},
                            options.run.again, options.run.resume));
  tl::expected<CommandOptions, Early> all = with_words_of(options, earlier.command_line);
  if (!all) return tl::unexpected(app::Failure{all.error().exit_code, all.error().text});
  if (std::optional<std::string>& run = all->run.again ? all->run.again : all->run.resume; run->empty())
    *run = earlier.run;
  return std::move(*all);
}

// Tell of the report in files, to people, to the CI system and to the receivers of [notify].
int tell_of_run(const app::Suite& suite, Report report, const CommandOptions& options, Terminal& terminal) {
  if (wants_charts(options)) report.details = app::details_in(suite);
  const int code = terminal.close(terminal.finish(report, options));
  if (options.command == "run") notify_receivers(suite, report, options);
  return code;
}

// Plan or record, and then tell of it; a run is told of before it is closed.
app::Answer<Report> launched(const app::Suite& suite, const CommandOptions& options,
                             app::Environment& environment, const app::Telling& telling) {
  app::RunOptions run = run_options(options);
  if (suite.trusted)  // wherever the ref is by the time that the run is gone on with
    std::ranges::replace_if(
        run.command_line, [](const std::string& word) { return word.starts_with("--policy-from="); },
        "--policy-from=" + suite.trusted->policy.commit);
  if (options.command == "run" && !options.dry_run) return app::run(suite, run, environment, telling);
  GATE_TRY(Report report, (options.dry_run ? app::plan : app::record)(suite, run, environment));
  report.exit_code = telling(report);
  return report;
}

}  // namespace

app::Answer<int> launch_command(const CommandOptions& asked, Terminal& terminal) {
  GATE_TRY(const CommandOptions options, with_earlier_run(asked));
  GATE_TRY(app::Suite suite, suite_of(options));
  GATE_TRY_STATUS(app::choose_strategy(suite, options.policy.strategy));
  GATE_TRY_STATUS(app::take_accuracy_contract(suite, own_variables(), options.words));
  if (const auto only = parse_stage(options.run.only)) app::need_what_stage_needs(suite, *only);
  GATE_TRY_STATUS(app::take_strategy(suite));
  GATE_TRY_STATUS(check_outputs(options, suite));
  warn_of_sources(suite, options, terminal.style().language);
  if (const auto code = options.dry_run ? std::nullopt : guarded()) return *code;
  catch_signals();
  log::never_wait();
  app::LocalHost host = this_host();
  const auto publisher = std::make_shared<publish::Publisher>(publisher_of(options));
  app::Environment environment =
      launching_environment(host, suite, publish::published(publisher, make_sink(options)));
  const app::Answer<Report> report = launched(suite, options, environment, [&](Report told) {
    return tell_of_run(suite, std::move(told), options, terminal);
  });
  return report ? report->exit_code : terminal.fail(report.error());
}

app::Answer<int> ab_command(const CommandOptions& asked, Terminal& terminal) {
  if (!asked.config.empty()) return app::usage("ab: each commit has its own gate.toml; leave --config out");
  GATE_TRY(const app::SuiteOptions opened, suite_options(asked));
  GATE_TRY(const app::Suite suite, app::open_suite(opened));
  GATE_TRY(const CommandOptions options, with_case_names(asked, suite));
  GATE_TRY_STATUS(check_outputs(options, suite));
  if (const auto code = guarded()) return *code;
  catch_signals();
  log::never_wait();
  app::LocalHost host = this_host();
  app::Environment environment = launching_environment(host, suite, make_sink(options));
  GATE_TRY(const AbResult result, app::ab(suite, opened, ab_options(options), environment));
  terminal.print(options.json ? render::ab_json(result) : render::ab_text(result, terminal.style()));
  const render::Style plain{.language = terminal.style().language};
  GATE_TRY_STATUS(
      write_reports(options, {{"text", [&] { return render::ab_text(result, plain); }},
                              {"json", [&] { return render::ab_json(result); }},
                              {"html", [&] { return render::ab_html(result, plain.language); }}}));
  return result.exit_code;
}

}  // namespace gate::cli
