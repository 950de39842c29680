#include <algorithm>
#include <filesystem>
#include <tuple>

#include "cli/commands/launching.h"
#include "cli/commands/try_out.h"
#include "cli/options/commands.h"
#include "cli/screen/progress.h"
#include "cli/screen/terminal.h"
#include "cli/world/signals.h"
#include "cli/world/world.h"
#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/render/table_json.h"
#include "gate/runner/run.h"
#include "gate/stored/init.h"
#include "gate/words/values.h"

namespace gate::cli {

namespace {

std::string on_screen(const std::string& text) { return printable(in_one_line(text), 1000); }

Sentence written_output(const app::Init& init) {
  const config::Proposal& proposal = init.proposal;
  Sentence out = say({"wrote {} for {}", "已写出 {}（{}）"}, init.path, proposal.kind);
  if (!proposal.all.empty()) out += colon + count_of(std::ssize(proposal.all), "case", "个用例");
  if (!proposal.profile.empty()) out += say({", profile {}", "，判定方案 {}"}, proposal.profile);
  out += as_is("\n");
  for (const Sentence& line : proposal.untold)
    out += say({"not detected: {}\n", "未能识别：{}\n"}, line.with(on_screen));
  return out;
}

Sentence next_output(const std::vector<config::NextCommand>& next) {
  Sentence out = say({"next:\n", "接下来：\n"});
  for (const config::NextCommand& one : next) out += say({"  {}\n", "  {}\n"}, one.line());
  return out;
}

Sentence init_output(const app::Init& init, const std::vector<InitTrial>& trials) {
  Sentence out = written_output(init);
  for (const InitTrial& one : trials) {
    out += say({"tried: {}: {}\n", "试过：{}：{}\n"}, one.command, one.said.with(on_screen));
    for (const Sentence& line : one.left) out += say({"  left: {}\n", "  剩下：{}\n"}, line.with(on_screen));
  }
  return out + next_output(init.proposal.next);
}

std::string init_json(const app::Init& init, const std::vector<InitTrial>& trials) {
  render::OutputJson tried = render::OutputJson::array();
  for (const InitTrial& one : trials)
    tried.push_back({{"command", one.command},
                     {"said", one.said.english()},
                     {"left", texts_of(one.left, &Sentence::english)}});
  return render::json_text({{"file", init.path},
                            {"kind", init.proposal.kind.english()},
                            {"cases", init.proposal.all.size()},
                            {"profile", init.proposal.profile},
                            {"untold", texts_of(init.proposal.untold, &Sentence::english)},
                            {"tried", tried},
                            {"toml", init.toml}});
}

// --- from a command ------------------------------------------------------------------------------

// What came of the first run of a case that a command becomes.
struct FirstRun {
  std::string log;
  std::optional<app::Init> written;  // gate.toml; none where there was one
  Baseline candidate;
};

app::Answer<void> check_init_words(const CommandOptions& options) {
  if (options.words.empty())
    return app::usage("init: a command becomes a case; name it: gate init NAME -- COMMAND...");
  const std::string name = printable(options.words.front(), 80);
  if (options.words.size() > 1)
    return app::usage("init: one command is one case, and \"" + printable(options.words[1], 80) +
                      "\" is a second name; write gate init NAME -- COMMAND...");
  if (!options.from.empty())
    return app::usage("init: --from names a log that is there, and " + name + " -- COMMAND makes one; leave one out");
  if (!options.script_args.empty()) return {};
  return app::usage("init " + name + ": say what the case runs: gate init " + name +
                    " -- COMMAND...; a log that is there is --from LOG");
}

std::string seen_from_here(const std::string& path) {
  std::error_code unknown;
  const std::string seen = fs::Path(path).lexically_relative(std::filesystem::current_path(unknown)).string();
  return seen.empty() || seen.starts_with("..") ? path : seen;
}

// Lines that no rule reads yet have no samples that a limit could wait for: the timeout alone ends them.
void wait_without_samples(app::Suite& suite, const std::string& name) {
  for (config::Case& spec : suite.cases)
    if (spec.name == name) spec.settings.startup = spec.settings.hang = spec.settings.timeout;
}

// Return a sink that says what happens but for a verdict: nothing is judged yet. No status block is in the way
// of what the script prints.
Sink sink_of_first(CommandOptions options) {
  options.verbosity = std::max(options.verbosity, 1);
  return [sink = make_sink(options)](const Event& event) {
    if (!std::holds_alternative<CaseFinished>(event)) sink(event);
  };
}

// Run the case once, and show what it prints.
app::Answer<Report> record_first(const app::Suite& suite, const std::string& name,
                                 const CommandOptions& options) {
  app::LocalHost host = this_host();
  app::Environment environment = launching_environment(host, suite, sink_of_first(options));
  environment.show = log::passed_on;
  app::RunOptions run;
  run.words = {name};
  run.where = options.where;
  run.folder = suite.root;
  app::Answer<Report> report = app::record(suite, run, environment);
  log::settle();
  return report;
}

// Tell whether the script came to a good end, and what of it is read already is good, too.
bool has_come_to_end(const CaseReport& run) {
  const bool is_read = run.artifacts.contains("candidate");
  return run.has_ended_well() && run.verdict == (is_read ? Verdict::passed : Verdict::unjudged);
}

app::Answer<Baseline> candidate_by_rules(const app::FirstCase& first, const Report& report) {
  GATE_TRY(const app::Suite suite, app::open_suite(first.suite));
  return app::reread_candidate(suite, report, first.name);
}

// Write gate.toml for what the run printed, where there is none, and the candidate that it makes.
app::Answer<FirstRun> take_first_run(const app::FirstCase& first, const Report& report,
                                     const std::string& log) {
  FirstRun done{.log = log, .written = std::nullopt, .candidate = {}};
  if (!first.has_config) {
    GATE_TRY(done.written, app::init(first.root, app::DryRun::no, log, first.name));
    done.written->path = seen_from_here(done.written->path);
  }
  app::Answer<Baseline> candidate = candidate_by_rules(first, report);
  if (!candidate && done.written) std::ignore = fs::remove_file(done.written->path);
  GATE_TRY(done.candidate, std::move(candidate));
  return done;
}

Sentence first_run_output(const app::FirstCase& first, const FirstRun& done) {
  Sentence out = say({"wrote {}\n", "已写出 {}\n"}, first.script);
  if (done.written) out += written_output(*done.written);
  std::vector<Sentence> measured;
  for (const Series& series : done.candidate.runs.front().series)
    if (!series.empty())
      measured.push_back(say({"{} {}", "{} {}"}, series.metric(),
                             words::numbers_text(StepSet(series.samples().numbers()), series.numbered())));
  out += say({"candidate of {}: {}\n", "{} 的候选基线：{}\n"}, first.name, join(measured, comma));
  out += say({"log: {}\n", "日志：{}\n"}, done.log);
  return out + next_output(app::first_run_next(first.name));
}

std::string first_run_json(const app::FirstCase& first, const FirstRun& done) {
  return render::json_text({{"script", first.script},
                            {"file", done.written ? done.written->path : ""},
                            {"toml", done.written ? done.written->toml : ""},
                            {"log", done.log},
                            {"metrics", texts_of(done.candidate.runs.front().series, &Series::metric)}});
}

// Say why no case came of the command: the log alone stays, and of a suite that has a gate.toml, whose rules
// read nothing, the script.
int tell_no_case(const app::FirstCase& first, const std::string& log, const app::Failure& why,
                 Terminal& terminal) {
  if (!first.has_config || why.exit_code != exit_code::refused) {
    app::take_back(first);
    return terminal.fail({why.exit_code, why.message + "; no case is made of the command: " + first.script +
                                             " is gone again, the log is " + log});
  }
  return terminal.fail(
      {why.exit_code, why.message + "; " + first.script + " is written, and gate.toml is there and is not " +
                          "overwritten: gate init --from " + shell_quote(log) + " --dry-run prints rules to add, " +
                          "then gate baseline import " + shell_quote(log) + " --case " + first.name});
}

// The report tells what went wrong.
int tell_bad_run(const app::FirstCase& first, const Report& report, const CaseReport& run,
                 const std::string& log, const CommandOptions& options, Terminal& terminal) {
  app::take_back(first);
  const auto candidate = run.artifacts.find("candidate");
  if (candidate != run.artifacts.end()) std::ignore = fs::remove_file(candidate->second);
  const int code = terminal.finish(report, options);
  return terminal.fail({code == exit_code::ok ? exit_code::refused : code,
                        "no case is made of the command: " + first.script + " is gone again" +
                            (log.empty() ? "" : ", the log is " + log)});
}

app::Answer<int> init_from_command(const CommandOptions& options, Terminal& terminal) {
  GATE_TRY_STATUS(check_init_words(options));
  GATE_TRY(const app::SuiteOptions where, suite_options(options));
  GATE_TRY(app::FirstCase first,
           app::first_case(where, options.words.front(), options.script_args, launch::read_host()));
  if (options.dry_run) return terminal.print(first.text), exit_code::ok;
  if (const auto code = guarded()) return *code;
  catch_signals();
  log::never_wait();
  app::Answer<app::Suite> suite = app::write_first_case(first);
  if (suite) wait_without_samples(*suite, first.name);
  app::Answer<Report> report =
      suite ? record_first(*suite, first.name, options) : tl::unexpected(suite.error());
  if (!report) return app::take_back(first), terminal.fail(report.error());
  const CaseReport& run = *std::ranges::find(report->cases, first.name, &CaseReport::name);
  const auto kept = run.artifacts.find("log");
  const std::string log = kept == run.artifacts.end() ? "" : seen_from_here(kept->second);
  if (!has_come_to_end(run) || log.empty()) return tell_bad_run(first, *report, run, log, options, terminal);
  const app::Answer<FirstRun> done = take_first_run(first, *report, log);
  if (!done) return tell_no_case(first, log, done.error(), terminal);
  terminal.print(options.json ? first_run_json(first, *done)
                              : first_run_output(first, *done).in(terminal.style().language));
  return exit_code::ok;
}

}  // namespace

app::Answer<int> init_command(const CommandOptions& options, Terminal& terminal) {
  if (!options.words.empty() || !options.script_args.empty()) return init_from_command(options, terminal);
  GATE_TRY(const app::Init init,
           app::init(options.folder, options.dry_run ? app::DryRun::yes : app::DryRun::no, options.from));
  app::LocalHost host = this_host();
  app::Environment environment = environment_of(host, [](const Event&) {});
  const auto trials = options.dry_run ? std::vector<InitTrial>() : try_out(init, environment);
  terminal.print(options.json      ? init_json(init, trials)
                 : options.dry_run ? init.toml
                                   : init_output(init, trials).in(terminal.style().language));
  return exit_code::ok;
}

}  // namespace gate::cli
