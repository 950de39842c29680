#include "cli/options/command_flags.h"

#include <algorithm>
#include <array>
#include <limits>

#include "gate/base/text.h"
#include "gate/config/settings.h"
#include "gate/extract/format.h"
#include "gate/judge/paired.h"
#include "gate/model/numbers/decimal.h"
#include "gate/render/reporters.h"
#include "gate/schema/golden_out.h"

namespace gate::cli {

namespace {

// Settings that say by whose way a run is judged: they have flags where a run or candidate is judged and, but
// for the shadow, where a judge is tested.
bool is_judging(std::string_view key) { return key == "profile" || key == "shadow"; }

// Add a flag for each wanted setting that may be one; variables have --env.
void add_settings(Flags& app, bool (*is_wanted)(std::string_view key)) {
  for (const config::SettingRow& row : config::settings()) {
    if (row.where.find("flag") == std::string_view::npos || row.key == "env" || !is_wanted(row.key)) continue;
    app.setting(row.key, row.type, row.doc)->group("Settings");
  }
}

constexpr std::int64_t most_runs = 1000;  // of one case
constexpr int most_jobs = 1000;

// Whole numbers from there on. A mistake tells both ends, and CLI11's own check has the largest double for
// one.
CLI::Validator number_from(int least) {
  return CLI::Range(least, std::numeric_limits<int>::max(), least > 0 ? "POSITIVE" : "NONNEGATIVE");
}

// Kinds of reports by the ending of a file's name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kinds_by_ending{
    {{".html", "html"}, {".json", "json"}, {".md", "markdown"}, {".xml", "junit"}}};

// Return the kind and the file of `junit=FILE` or `FILE.xml`.
ReportWord report_word(const std::string& word, const std::vector<std::string>& kinds) {
  const std::size_t equals = word.find('='), slash = word.find('/');
  const bool says_kind = equals != std::string::npos && equals < slash;
  ReportWord read{says_kind ? word.substr(0, equals) : "", says_kind ? word.substr(equals + 1) : word};
  if (!says_kind)
    for (const auto& [ending, kind] : kinds_by_ending)
      if (read.file.ends_with(ending)) read.kind = kind;
  if (std::ranges::find(kinds, read.kind) != kinds.end() && !read.file.empty()) return read;
  throw CLI::ValidationError("--report", "\"" + printable(word, 200) +
                                             "\": write KIND=FILE, KIND is one of " + join(kinds, ", ") +
                                             (says_kind ? did_you_mean(read.kind, kinds) : ""));
}

// A log's format is chosen by another flag.
std::string as_log_format(const std::string& word) {
  const std::vector<std::string> formats = extract::format_names();
  const bool is_known = std::ranges::find(formats, word) != formats.end() || word == extract::no_format;
  return is_known ? "is how it is printed; the format of a log is --log-format " + word : "";
}

Duration duration_of(const std::string& word) {
  const auto duration = parse_duration(word);
  if (!duration || *duration <= Duration{})
    throw CLI::ValidationError("--deadline",
                               "\"" + printable(word) + "\" is no duration; write e.g. 90s, 30m or 2h");
  return *duration;
}

Shard shard_of(const std::string& word) {
  const auto shard = parse_shard(word);
  if (!shard)
    throw CLI::ValidationError("--shard", "\"" + printable(word) +
                                              "\" is no shard; write I/N, e.g. 2/4, with 1 <= I <= N <= " +
                                              std::to_string(most_shards));
  return *shard;
}

double change_of(const std::string& word) {
  std::string digits = word.ends_with('%') ? word.substr(0, word.size() - 1) : word;
  for (const std::string_view sign : {"±", "+-"})
    if (digits.starts_with(sign)) digits.erase(0, sign.size());
  const auto percent = Decimal::parse(trim(digits));
  const double share = percent ? percent->to_double() / 100 : 0;
  if (!(share >= judge::least_told && share <= 1))
    throw CLI::ValidationError(
        "--change",
        "\"" + printable(word) + "\" is no change; write a percentage from 0.1% to 100%, e.g. 3%");
  return share;
}

int confirming_runs(std::int64_t runs) {
  if (runs < 2)
    throw CLI::ValidationError("--confirm", std::to_string(runs) +
                                                ": these are the runs in all, and the first of them has "
                                                "failed; write 2 or more");
  return static_cast<int>(std::min<std::int64_t>(runs, most_runs));
}

int compared_runs(std::int64_t runs) {
  if (runs < 2 || runs > most_runs)
    throw CLI::ValidationError("--determinism", std::to_string(runs) + ": runs are compared; write 2 to " +
                                                    std::to_string(most_runs));
  return static_cast<int>(runs);
}

void add_policy(Flags& app, CommandOptions& o) {
  app.list(FlagRole::decides, "--set", o.policy.set,
           "set a setting, a rule (rules.lm_loss.tolerance=±0.02), or a mutable matrix parameter or axis "
           "(param.TP=2)",
           "PATH=VALUE");
}

void add_environment(Flags& app, CommandOptions& o) {
  app.text(FlagRole::decides, "--environment", o.environment,
           "software environment, e.g. dev or lts; selects the baselines (default: gate.toml's)", "ENV");
}

void add_policy_from(Flags& app, CommandOptions& o) {
  app.text(
      FlagRole::decides, "--policy-from", o.policy.policy_from,
      "judge by gate.toml, #GATE lines and baselines of this git ref; list what the tree changes in them",
      "REF");
}

void add_changed_since(Flags& app, CommandOptions& o) {
  CLI::Option* since = app.text(
      FlagRole::selects, "--changed-since", o.run.changed_since,
      "only cases whose script, baseline, rules, settings or depends differ from this git ref", "REF");
  app.flag(FlagRole::selects, "--nothing-ok", o.run.nothing_ok,
           "exit 0, not 3, if --changed-since selects no case")
      ->needs(since);
}

std::vector<std::string> stage_names() {
  return texts_of(all_stages, [&](const Stage stage) { return to_string(stage); });
}

void add_stages(Flags& app, CommandOptions& o) {
  CLI::Option* folder = app.text(FlagRole::decides, "--stages-folder", o.run.stages_folder,
                                 "folder that a case's stages share across calls", "DIR");
  app.text(FlagRole::decides, "--only", o.run.only,
           "run only this stage: init, download, test, compare, report or upload", "STAGE")
      ->check(CLI::IsMember(stage_names()))
      ->needs(folder);
}

void add_strategy(Flags& app, CommandOptions& o, const std::string& doc) {
  app.text(FlagRole::decides, "--strategy", o.policy.strategy, doc, "STRATEGY");
}

void add_launch(Flags& app, CommandOptions& o) {
  add_policy(app, o);
  app.list(FlagRole::decides, "--env", o.policy.env, "set a variable in the script's environment", "K=V");
  app.text(FlagRole::decides, "--platform", o.platform,
           "platform of this host, or the one to rehearse with --devices 0, e.g. ascend-910b3", "P");
  add_environment(app, o);
  app.list(FlagRole::selects, "--tag", o.tags, "only cases with this tag", "T");
  app.text(FlagRole::shows, "--out", o.run.out, "run folder (default: .gate/runs/<id>)", "DIR");
  app.number(FlagRole::decides, "--jobs", o.run.jobs,
             "parallel cases (default: 1 on cpu, else what the devices allow)")
      ->check(CLI::Range(1, most_jobs));
  app.number(FlagRole::shows, "--max-failures", o.run.max_failures, "start no new case after N red ones")
      ->check(number_from(1));
  app.value<std::string>(
         FlagRole::shows, "--deadline", [&o](const std::string& word) { o.run.deadline = duration_of(word); },
         "stop the whole run after this time, e.g. 2h")
      ->type_name("DURATION");
  add_settings(app, [](std::string_view key) { return !is_judging(key); });
}

void add_earlier_runs(Flags& app, CommandOptions& o) {
  const auto run = [&](const char* name, std::optional<std::string>& into, const char* doc) {
    app.value<std::vector<std::string>>(
           FlagRole::selects, name,
           [&into](const std::vector<std::string>& words) { into = words.empty() ? "" : words[0]; }, doc)
        ->type_name("RUN")
        ->expected(0, 1);
  };
  run("--again", o.run.again, "rerun what was not green in RUN (default: the latest)");
  run("--resume", o.run.resume, "finish a run that was cut off (default: the newest)");
  app.number(FlagRole::decides, "--retry-infra", o.run.retry_infra,
             "retry a case that ended as infra, at most N times")
      ->check(number_from(0));
}

// Files beside what is printed. The kind of one is told by the word before `=`, else by its name's ending.
CLI::Option* add_reports(Flags& app, CommandOptions& o, const std::vector<std::string>& kinds) {
  return app
      .value<std::vector<std::string>>(
          FlagRole::shows, "--report",
          [&o, kinds](const std::vector<std::string>& words) {
            for (const std::string& word : words) o.reports.files.push_back(report_word(word, kinds));
          },
          "also write it to a file: " + join(kinds, ", ") + "; KIND= is optional for .html, .json, .md, .xml")
      ->type_name("KIND=FILE")
      ->allow_extra_args(false);
}

// What a report of cases is written as.
CLI::Option* add_case_reports(Flags& app, CommandOptions& o) {
  return add_reports(app, o, texts_of(render::reporters(), &render::ReporterRow::name));
}

CLI::Option* add_no_ci(Flags& app, CommandOptions& o) {
  return app.flag(FlagRole::shows, "--no-ci", o.reports.no_ci,
                  "tell nobody else: no annotations or job summary, no receivers of [notify]");
}

void add_bisect(Flags& app, CommandOptions& o) {
  app.flag(FlagRole::shows, "--bisect", o.bisect, "for git bisect run: exit codes 2 and 3 become 125 (skip)");
}

void add_run(Flags& app, CommandOptions& o) {
  app.words("CASE", o.words, "cases, globs or scripts (default: all); -- ARGS go to the scripts");
  add_launch(app, o);
  add_settings(app, is_judging);
  add_policy_from(app, o);
  add_changed_since(app, o);
  add_strategy(app, o, "run this [strategy.NAME]; CASE and --tag narrow its cases");
  add_stages(app, o);
  add_earlier_runs(app, o);
  app.value<std::int64_t>(
         FlagRole::decides, "--confirm", [&o](std::int64_t runs) { o.run.confirm = confirming_runs(runs); },
         "after a failed speed check, judge the mean of N runs in all")
      ->type_name("N");
  app.value<std::int64_t>(
         FlagRole::decides, "--determinism", [&o](std::int64_t runs) { o.determinism = compared_runs(runs); },
         "run each case N times; all must print the same; the first is judged")
      ->type_name("N");
  app.value<std::string>(
         FlagRole::selects, "--shard", [&o](const std::string& word) { o.run.shard = shard_of(word); },
         "run shard I of N, e.g. 2/4; merge the reports with gate report --merge")
      ->type_name("I/N");
  add_case_reports(app, o);
  add_no_ci(app, o);
  app.flag(FlagRole::decides, "--no-skip", o.run.no_skip,
           "a case that cannot run here is infra, not skipped");
  app.flag(FlagRole::shows, "--dry-run", o.dry_run, "print what would run; launch nothing");
  add_bisect(app, o);
}

void add_pattern(Flags& app, CommandOptions& o) {
  app.list(FlagRole::decides, "--pattern", o.policy.patterns,
           "also read with this RE2 pattern; each named group is a metric, but for step, rank, epoch, "
           "nth_epoch and each: 'step (?P<step>\\d+) loss (?P<value>\\S+)'",
           "REGEX");
  app.text(FlagRole::decides, "--metrics-from", o.policy.metrics_from,
           "also use [metrics], [jsonl], [peaks], [rules] of this file", "FILE");
}

void add_check(Flags& app, CommandOptions& o) {
  app.words("LOG", o.words,
            "logs of one run, folders of logs, - for standard input, or a baseline or golden file")
      ->required();
  CLI::Option* of_case = app.text(FlagRole::decides, "--case", o.case_name,
                                  "judge against this case's baseline and rules", "CASE");
  app.text(FlagRole::decides, "--baseline", o.logs.baseline,
           "judge against a baseline, a golden file, an older log or a folder of logs", "FILE")
      ->excludes(of_case);
  app.list(FlagRole::decides, "--phase", o.logs.phases, "log of another phase, e.g. resume=resume.log",
           "PHASE=LOG");
  app.list(FlagRole::decides, "--output", o.logs.outputs,
           "file of an output of the case, e.g. answer=answer.txt", "NAME=FILE")
      ->needs(of_case);
  app.text(FlagRole::decides, "--platform", o.platform, "platform of the logs", "P");
  add_environment(app, o);
  add_policy_from(app, o);
  add_pattern(app, o);
  app.get("--metrics-from")->excludes(app.get("--policy-from"));
  add_policy(app, o);
  add_settings(app, is_judging);
  add_case_reports(app, o);
  add_no_ci(app, o);
  add_bisect(app, o);
}

// The keys of an output, but for the files, which are words.
void add_score(Flags& app, CommandOptions& o) {
  app.words("ACTUAL GOLDEN...", o.words, "a file, then its golden file; text may have several")->required();
  for (const config::SettingRow& row : config::output_keys()) {
    if (row.key == "file" || row.key == "golden") continue;
    app.setting(row.key, row.type, row.doc);
  }
  app.get("--metric")->required();
}

void add_extract(Flags& app, CommandOptions& o) {
  app.words("LOG", o.words, "logs of one run, folders of logs, or - for standard input")->required();
  app.list(FlagRole::decides, "--log-format", o.logs.formats,
           "log format (default: auto; none: only patterns)", "NAME");
  add_pattern(app, o);
  app.text(FlagRole::decides, "--attempt", o.logs.attempt, "attempt to print: last, first, K or all", "K");
  app.text(FlagRole::shows, "--format", o.format, "text, or csv: metric,rank,number,value,unit,file,line",
           "F")
      ->check(as_log_format)
      ->check(CLI::IsMember({"text", "csv"}));
  app.flag(FlagRole::shows, "--follow", o.follow, "print samples as they arrive, until interrupted");
}

void add_list(Flags& app, CommandOptions& o) {
  app.words("CASE", o.words, "cases or globs (default: all)");
  app.text(FlagRole::shows, "--explain", o.list.explain, "print each value of a case and where it comes from",
           "CASE");
  app.flag(FlagRole::shows, "--coverage", o.list.coverage,
           "print coverage: features, metrics and minutes of the cases, and what no case covers");
  app.text(FlagRole::shows, "--format", o.format,
           "text or markdown; with --coverage also table or table-html, for a README", "F")
      ->check([](const std::string& word) {
        return std::string(word == "html" ? "is a file: --report html=FILE" : "");
      })
      ->check(CLI::IsMember({"text", "markdown", "table", "table-html"}));
  add_reports(app, o, {"text", "json", "markdown", "html", "table", "table-html"});
  app.list(FlagRole::selects, "--tag", o.tags, "only cases with this tag", "T");
  add_strategy(app, o, "only cases of this [strategy.NAME]");
  add_policy(app, o);
  add_settings(app, [](std::string_view key) { return is_judging(key) || key == "hosts"; });
}

void add_record(Flags& app, CommandOptions& o) {
  app.words("CASE", o.words, "cases or globs (default: all)");
  app.number(FlagRole::decides, "--runs", o.run.runs, "runs of each case per candidate (default: 1)")
      ->check(CLI::Range(std::int64_t{1}, most_runs));
  add_launch(app, o);
}

void add_import(Flags& app, CommandOptions& o) {
  app.words("FILE", o.words, "a golden file, or the logs of one run");
  app.text(FlagRole::where, "--tree", o.candidates.tree, "import all golden files below this folder", "DIR");
  app.text(FlagRole::decides, "--case", o.case_name, "case to import for; with --tree, a glob of cases",
           "CASE");
  app.text(FlagRole::decides, "--platform", o.platform,
           "platform of the file (default: any); with --tree, of files whose names give none", "P");
  app.text(FlagRole::decides, "--environment", o.environment, "environment, likewise", "ENV");
  app.text(FlagRole::decides, "--steps", o.candidates.steps,
           "steps of lists without any, e.g. 2-15 (default: 1 to N, assumed)", "STEPS");
  app.flag(FlagRole::shows, "--accept", o.candidates.accept, "accept it at once");
  app.text(FlagRole::shows, "--reason", o.reason, "why these numbers are right", "TEXT");
  app.list(FlagRole::decides, "--metric", o.metrics, "only these metrics (names or globs, commas)", "LIST");
  app.list(FlagRole::decides, "--despite", o.candidates.despite, "accept despite these refusals (commas)",
           "NAME");
  add_policy(app, o);
}

void add_diff(Flags& app, CommandOptions& o) {
  app.words("CASE|RUN|REF", o.words, "cases with a candidate (default: all), a run, or a git ref");
  app.text(FlagRole::decides, "--run", o.earlier_run, "diff this run", "RUN");
  add_policy(app, o);
  add_settings(app, is_judging);
  add_bisect(app, o);
}

void add_accept(Flags& app, CommandOptions& o) {
  app.words("CASE", o.words, "cases or globs (default: all with a candidate)");
  app.text(FlagRole::shows, "--reason", o.reason, "why these numbers are right", "TEXT")->required();
  app.text(FlagRole::decides, "--run", o.earlier_run, "accept this run instead of the candidates", "RUN");
  app.list(FlagRole::decides, "--metric", o.metrics, "only these metrics (names or globs, commas)", "LIST");
  app.text(FlagRole::decides, "--to", o.candidates.to,
           "file to write: general or platform (default: the one in use)", "WHERE");
  app.list(FlagRole::decides, "--despite", o.candidates.despite, "accept despite these refusals (commas)",
           "NAME");
  app.flag(FlagRole::decides, "--common-shift", o.candidates.common_shift,
           "accept what moved with the rest, not what stands apart (see gate baseline diff)");
}

void add_baselines(Flags& app, CommandOptions& o) {
  app.words("CASE", o.words, "cases or globs in full (default: all, one line each)");
  app.text(FlagRole::decides, "--platform", o.platform, "only this platform (default: all)", "P");
  app.text(FlagRole::decides, "--environment", o.environment, "only this environment (likewise)", "ENV");
  std::vector<std::string> formats = schema::golden_formats();
  const std::string golden = join(formats, ", ");
  formats.emplace_back("text");
  app.text(FlagRole::shows, "--format", o.format, "text, or one baseline as a golden file: " + golden, "F")
      ->check(CLI::IsMember(formats));
}

void add_move(Flags& app, CommandOptions& o) {
  app.words("OLD NEW", o.words,
            "cases; or PLACE/CASE for one baseline; or PLACE/ for all at a place, e.g. nvidia-a100@lts/")
      ->required()
      ->expected(2);
  app.text(FlagRole::shows, "--reason", o.reason, "why", "TEXT");
}

void add_remove(Flags& app, CommandOptions& o) {
  app.words("CASE", o.words, "cases; or PLACE/CASE, or PLACE/ for all at a place")->required();
  app.text(FlagRole::shows, "--reason", o.reason, "why it is no longer needed", "TEXT")->required();
}

// Which baselines a command looks at.
void add_baselines_of(Flags& app, CommandOptions& o) {
  app.words("CASE", o.words, "cases or globs (default: all)");
  app.text(FlagRole::decides, "--platform", o.platform, "only this platform (default: all with a baseline)",
           "P");
  app.text(FlagRole::decides, "--environment", o.environment, "only this environment (likewise)", "ENV");
  app.list(FlagRole::selects, "--tag", o.tags, "only cases with this tag", "T");
}

void add_lint(Flags& app, CommandOptions& o) {
  add_baselines_of(app, o);
  CLI::Option* tolerances =
      app.flag(FlagRole::shows, "--tolerances", o.lint.tolerances,
               "fit the tolerances to the noise of the remembered runs: 1 % false failures");
  app.flag(FlagRole::shows, "--write", o.lint.write, "put the fitted tolerances into gate.toml")
      ->needs(tolerances);
  add_policy(app, o);
  add_bisect(app, o);
}

void add_reference(Flags& app, CommandOptions& o) {
  app.words("FILE", o.words, "import the tables in these HTML, Markdown or CSV files (default: print all)");
  app.flag(FlagRole::shows, "--dry-run", o.dry_run, "print what would change; write nothing");
  app.text(FlagRole::shows, "--format", o.format, "text, markdown or csv", "F")
      ->check(CLI::IsMember({"text", "markdown", "csv"}));
}

void add_selftest(Flags& app, CommandOptions& o) {
  add_baselines_of(app, o);
  add_policy(app, o);
  add_settings(app, [](std::string_view key) { return is_judging(key) && key != "shadow"; });
  add_bisect(app, o);
}

void add_explain(Flags& app, CommandOptions& o) {
  app.words("CASE", o.words, "a case, then a rule or metric (default: all checks)")
      ->required()
      ->expected(1, 2);
  app.text(FlagRole::decides, "--run", o.earlier_run, "run id or folder (default: the latest)", "RUN");
  app.flag(FlagRole::decides, "--shadow", o.shadow, "explain the verdict of the shadow profile");
}

void add_status(Flags& app, CommandOptions& o) {
  app.words("RUN", o.words,
            "run id or folder, or suite name or folder (default: all that run; --follow: this suite's)")
      ->expected(0, 1);
  app.flag(FlagRole::shows, "--follow", o.follow,
           "refresh every second until the runs have ended, with curves of loss and speed");
}

void add_stop(Flags& app, CommandOptions& o) {
  app.words("RUN|CASE", o.words, "run, or case of a run, as gate status names it")->required()->expected(1);
  app.text(FlagRole::shows, "--reason", o.reason, "reason, for the report", "TEXT");
  app.flag(FlagRole::shows, "--now", o.now, "do not wait for the grace period of the script");
}

void add_report(Flags& app, CommandOptions& o) {
  app.words("RUN", o.words,
            "run id, folder or result.json (default: the latest judged run); several with --merge");
  CLI::Option* merge = app.flag(FlagRole::shows, "--merge", o.merge,
                                "merge several runs, such as all shards, into one report and exit code");
  std::string formats;
  for (const render::ReporterRow& row : render::reporters())
    formats += (formats.empty() ? "" : "|") + std::string(row.name);
  app.text(FlagRole::shows, "--format", o.format, "output format", formats);
  add_case_reports(app, o);
  add_no_ci(app, o)->needs(merge);
}

void add_compare(Flags& app, CommandOptions& o) {
  app.words("A B ...", o.words,
            "each a log, a folder of logs, - for standard input, a baseline or golden file, a run (id, "
            "folder or result.json), or a case (its baseline); all others are put beside A")
      ->expected(0, app::most_compared);
  app.text(FlagRole::decides, "--case", o.case_name, "only this case of the runs, with its settings", "CASE");
  app.text(FlagRole::decides, "--platform", o.platform, "platform of the baselines", "P");
  add_environment(app, o);
  app.call(
      FlagRole::decides, "--determinism", [&o] { o.determinism = 2; },
      "compare only accuracy metrics, exactly; exit 1 if any differ");
  add_reports(app, o, {"text", "json", "html"});
  add_pattern(app, o);
  add_policy(app, o);
}

void add_ab(Flags& app, CommandOptions& o) {
  app.words("REV1 REV2", o.words, "two git commits; -- ARGS go to the scripts of both")
      ->required()
      ->expected(2);
  app.text(FlagRole::decides, "--case", o.case_name, "case to run", "CASE")->required();
  app.number(FlagRole::decides, "--runs", o.ab.pairs,
             "runs of each commit, at most (default: 10); stops once it is clear")
      ->check(CLI::Range(judge::least_pairs, static_cast<int>(most_runs)));
  app.list(FlagRole::decides, "--metric", o.metrics,
           "metrics to compare (commas; default: speed and memory metrics that have rules)", "LIST");
  app.value<std::string>(
         FlagRole::decides, "--change", [&o](const std::string& word) { o.ab.change = change_of(word); },
         "ignore changes up to this (default: the rule's tolerance, at most 3%)")
      ->type_name("PERCENT");
  add_reports(app, o, {"text", "json", "html"});
  app.text(FlagRole::decides, "--platform", o.platform, "platform of this host, e.g. ascend-910b3", "P");
  add_policy(app, o);
  app.list(FlagRole::decides, "--env", o.policy.env, "set a variable in the script's environment", "K=V");
  add_settings(app, [](std::string_view key) { return !is_judging(key); });
}

void add_history(Flags& app, CommandOptions& o) {
  app.words("CASE", o.words, "cases or globs in full (default: all, one line each); with --import, files");
  app.text(FlagRole::decides, "--platform", o.platform, "only this platform (default: all)", "P");
  app.number(FlagRole::decides, "--last", o.history.last, "latest N runs of each case (default: 200; 0: all)")
      ->check(number_from(0));
  app.text(FlagRole::decides, "--since", o.history.since,
           "only runs since then: 30d, 4w, 12h ago, or a date such as 2026-11-01", "WHEN");
  app.text(FlagRole::decides, "--by", o.history.by, "a table of each case by host, device or image", "WHAT")
      ->check(CLI::IsMember({"host", "device", "image"}));
  add_reports(app, o, {"text", "json", "html", "table", "table-html", "table-csv"});
  CLI::Option* out = app.flag(FlagRole::shows, "--export", o.history.export_history,
                              "print all runs as JSON lines (gate.history/1)");
  CLI::Option* in = app.flag(FlagRole::shows, "--import", o.history.import_history,
                             "add the runs of exported files, result.json files and old logs");
  app.text(FlagRole::decides, "--case", o.case_name, "with --import: the case of the logs", "CASE")
      ->needs(in);
  CLI::Option* prune =
      app.number(FlagRole::shows, "--prune", o.history.prune, "delete all but the latest N runs")
          ->check(number_from(1));
  out->excludes(in)->excludes(prune);
  in->excludes(prune);
}

void add_help(Flags& app, CommandOptions& o) {
  CLI::Option* topic = app.words(
      "TOPIC", o.words,
      "command, man page such as gate-run, reference section such as tolerances, all, or schema: the JSON "
      "Schema of gate.toml (default: list them)");
  app.text(FlagRole::shows, "--man-pages", o.man_pages, "write the man pages to man1 and man5 in this folder",
           "DIR")
      ->excludes(topic);
}

struct FlagsRow {
  std::string_view command;
  void (*add)(Flags& app, CommandOptions& options);
};

constexpr std::array<FlagsRow, 26> flags_of_commands{
    {{"run", add_run},
     {"check", add_check},
     {"score", add_score},
     {"extract", add_extract},
     {"list", add_list},
     {"devices",
      [](Flags& app, CommandOptions& o) {
        app.flag(FlagRole::shows, "--follow", o.follow, "refresh every two seconds, until interrupted");
        app.list(FlagRole::where, "--hosts", o.hosts,
                 "hosts or groups of [hosts], local (default: this host)", "list of hosts");
      }},
     {"baseline record", add_record},
     {"baseline import", add_import},
     {"baseline diff", add_diff},
     {"baseline accept", add_accept},
     {"baseline list", add_baselines},
     {"baseline mv", add_move},
     {"baseline rm", add_remove},
     {"baseline lint", add_lint},
     {"reference", add_reference},
     {"selftest", add_selftest},
     {"explain", add_explain},
     {"status", add_status},
     {"stop", add_stop},
     {"report", add_report},
     {"compare", add_compare},
     {"ab", add_ab},
     {"history", add_history},
     {"init",
      [](Flags& app, CommandOptions& o) {
        app.words("LOG | NAME", o.words,
                  "a log: also write metrics and rules for its numbers; with -- COMMAND a name: run it once "
                  "as a "
                  "case, write its script, gate.toml and candidate")
            ->expected(0, 1);
        app.flag(FlagRole::shows, "--dry-run", o.dry_run, "print the file instead of writing it");
      }},
     {"help", add_help},
     {"completion", [](Flags& app, CommandOptions& o) {
        app.words("bash|zsh|fish", o.words, "shell; or -- WORDS: complete the last word")->expected(0, 1);
      }}}};

}  // namespace

CLI::Option* Flags::setting(std::string_view key, std::string_view type, std::string_view doc) {
  std::string name(key);
  std::ranges::replace(name, '_', '-');
  name.insert(0, "--");
  SettingFlag& flag = settings_.emplace_back(SettingFlag{std::string(key), name, ""});
  if (type == "bool" || type.ends_with(" or true"))  // said by the flag alone
    return this->flag(FlagRole::decides, name, flag.value, std::string(doc));
  return type.starts_with("list")
             ? list(FlagRole::decides, name, flag.values, std::string(doc), std::string(type))
             : text(FlagRole::decides, name, flag.value, std::string(doc), std::string(type));
}

void add_global_flags(CLI::App& parser, Flags app, CommandOptions& o) {
  app.text(FlagRole::where, "-C", o.folder, "look for the suite from this folder upwards", "DIR");
  app.text(FlagRole::where, "--config", o.config, "config file instead of gate.toml", "FILE");
  app.call(
      FlagRole::shows, "-q,--quiet", [&o] { o.verbosity = -1; }, "print red cases and the last line only");
  app.call(
      FlagRole::shows, "-v,--verbose", [&o] { o.verbosity = 1; }, "print every check and every step");
  app.text(FlagRole::shows, "--color", o.color, "auto, always or never", "WHEN")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.text(FlagRole::shows, "--lang", o.language,
           "language of reports: en or zh (default: LC_ALL, LC_MESSAGES or LANG)", "LANG")
      ->check(CLI::IsMember({"en", "zh"}));
  app.flag(FlagRole::shows, "--json", o.json, "print the result as JSON");
  app.call(
      FlagRole::shows, "--version",
      [&] {
        o.version = true;
        parser.require_subcommand(0);
      },
      "print the version; with -v also the build and what is missing");
}

void add_command_flags(std::string_view command, Flags app, CommandOptions& options) {
  for (const FlagsRow& row : flags_of_commands)
    if (row.command == command) row.add(app, options);
}

}  // namespace gate::cli
