#include <algorithm>
#include <filesystem>
#include <map>
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
#include "gate/judge/profile.h"
#include "gate/render/table_json.h"
#include "gate/runner/run.h"
#include "gate/stored/init.h"
#include "gate/words/values.h"

namespace gate::cli {

namespace {

std::string on_screen(const std::string& text) { return printable(in_one_line(text), 1000); }

// What the profile brings in place of gate's own rules, which a document of the tree may ask for.
Sentence tolerances_of(const config::Proposal& proposal) {
  const auto row = std::ranges::find(judge::profiles(), proposal.profile, &judge::ProfileRow::name);
  if (proposal.profile.empty() || row == judge::profiles().end()) return {};
  const Sentence why = proposal.profile_of.empty()
                           ? Sentence()
                           : say({", as of {}", "（依据 {}）"}, on_screen(proposal.profile_of));
  return say({"tolerances: those of profile {}{}: {}; for loss within ±0.01 write profile = \"gate\"",
              "容差：取自判定方案 {}{}：{}；若要求 loss 在 ±0.01 以内，请写 profile = \"gate\""},
             proposal.profile, why, row->doc.said());
}

Sentence written_output(const app::Init& init) {
  const config::Proposal& proposal = init.proposal;
  Sentence out = say({"wrote {} for {}", "已写出 {}（{}）"}, init.path, proposal.kind);
  if (!proposal.all.empty()) out += colon + count_of(std::ssize(proposal.all), "case", "个用例");
  if (!proposal.profile.empty()) out += say({", profile {}", "，判定方案 {}"}, proposal.profile);
  out += as_is("\n");
  if (const Sentence brought = tolerances_of(proposal); !brought.empty()) out += brought + as_is("\n");
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
struct FirstCaseRun {
  std::string log;
  std::optional<app::Init> written;  // gate.toml; none where there was one
  std::vector<Sentence> judged;      // of what it printed; none: no rule of a suite that was there is on it
};

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

// Return a sink that says what happens but for a verdict: nothing is judged yet. No status block is in the
// way of what the script prints.
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

// Write the candidate of the run by the suite's rules, and return what they judge of it: `lm_loss steps
// 1-40`.
app::Answer<std::vector<Sentence>> judged_of(const app::FirstCase& first, const Report& report) {
  GATE_TRY(const app::Suite suite, app::open_suite(first.suite));
  GATE_TRY(const std::optional<Baseline> candidate, app::reread_candidate(suite, report, first.name));
  if (!candidate) return std::vector<Sentence>();
  const std::vector<Rule>& rules = suite.find(first.name)->rules;
  std::map<std::string, Sentence> judged;  // the first rank stands for all
  for (const Series& series : candidate->runs.front().series)
    if (!series.empty() && std::ranges::find(rules, series.metric(), &Rule::metric) != rules.end())
      judged.emplace(series.metric(),
                     words::numbers_text(StepSet(series.samples().numbers()), series.numbered()));
  std::vector<Sentence> all;
  for (const auto& [metric, numbers] : judged) all.push_back(say({"{} {}", "{} {}"}, metric, numbers));
  return all;
}

// Write gate.toml for what the run printed, where there is none, and the candidate that it makes.
app::Answer<FirstCaseRun> take_first_run(const app::FirstCase& first, const Report& report,
                                         const std::string& log) {
  FirstCaseRun done{.log = log, .written = std::nullopt, .judged = {}};
  if (!first.has_config) {
    GATE_TRY(done.written, app::init(first.root, app::DryRun::no, log, first.name));
    done.written->path = seen_from_here(done.written->path);
  }
  auto judged = judged_of(first, report);
  if (judged && judged->empty() && done.written)
    judged = app::refused(log + ": no rule is on anything that it prints");
  if (!judged && done.written) std::ignore = fs::remove_file(done.written->path);
  GATE_TRY(done.judged, std::move(judged));
  return done;
}

Sentence first_run_output(const app::FirstCase& first, const FirstCaseRun& done) {
  Sentence out = say({"wrote {}\n", "已写出 {}\n"}, first.script);
  if (done.written) out += written_output(*done.written);
  out += say({"candidate of {}: {}\n", "{} 的候选基线：{}\n"}, first.name, join(done.judged, comma));
  out += say({"log: {}\n", "日志：{}\n"}, done.log);
  return out + next_output(app::first_run_next(first.name));
}

std::string first_run_json(const app::FirstCase& first, const FirstCaseRun& done) {
  return render::json_text({{"script", first.script},
                            {"file", done.written ? done.written->path : ""},
                            {"toml", done.written ? done.written->toml : ""},
                            {"log", done.log},
                            {"judged", texts_of(done.judged, &Sentence::english)}});
}

// Say that the script is written, and what is missing.
int tell_no_rules(const app::FirstCase& first, const std::string& log, Terminal& terminal) {
  const std::string quoted = shell_quote(log);
  return terminal.fail(
      {exit_code::refused, first.script +
                               " is written, but no rule of gate.toml is on what it printed, and gate.toml " +
                               "is not overwritten: gate init " + quoted +
                               " --dry-run prints rules to add, then gate baseline import " + quoted +
                               " --case " + first.name + " makes the log its candidate"});
}

// Say what went wrong; of all that was written the log alone stays.
int tell_no_case(const app::FirstCase& first, const CaseReport& run, const std::string& log,
                 const app::Failure& why, Terminal& terminal) {
  app::take_back(first);
  const auto candidate = run.artifacts.find("candidate");
  if (candidate != run.artifacts.end()) std::ignore = fs::remove_file(candidate->second);
  return terminal.fail(
      {why.exit_code, (why.message.empty() ? "" : why.message + "; ") + "no case is made of the command: " +
                          first.script + " is gone again" + (log.empty() ? "" : ", the log stays: " + log)});
}

app::Answer<int> init_from_command(const CommandOptions& options, Terminal& terminal) {
  if (options.words.empty())
    return app::usage("init: a command becomes a case; name it: gate init NAME -- COMMAND...");
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
  if (!has_come_to_end(run) || log.empty()) {
    const int code = terminal.finish(*report, options);
    return tell_no_case(first, run, log, {code == exit_code::ok ? exit_code::refused : code, ""}, terminal);
  }
  const app::Answer<FirstCaseRun> done = take_first_run(first, *report, log);
  if (!done) return tell_no_case(first, run, log, done.error(), terminal);
  if (done->judged.empty()) return tell_no_rules(first, log, terminal);
  terminal.print(options.json ? first_run_json(first, *done)
                              : first_run_output(first, *done).in(terminal.style().language));
  return exit_code::ok;
}

}  // namespace

app::Answer<int> init_command(const CommandOptions& options, Terminal& terminal) {
  if (!options.script_args.empty()) return init_from_command(options, terminal);
  const std::string log = options.words.empty() ? "" : options.words.front();
  if (const std::string name = printable(log, 80); !log.empty() && log != "-" && !fs::exists(log))
    return app::usage("init " + name + ": no such log; a command becomes a case by gate init " + name +
                      " -- COMMAND...");
  GATE_TRY(const app::Init init,
           app::init(options.folder, options.dry_run ? app::DryRun::yes : app::DryRun::no, log));
  app::LocalHost host = this_host();
  app::Environment environment = environment_of(host, [](const Event&) {});
  const auto trials = options.dry_run ? std::vector<InitTrial>() : try_out(init, environment);
  terminal.print(options.json      ? init_json(init, trials)
                 : options.dry_run ? init.toml
                                   : init_output(init, trials).in(terminal.style().language));
  return exit_code::ok;
}

}  // namespace gate::cli
