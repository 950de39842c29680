#include "cli/command_flags.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"
#include "gate/config/settings.h"
#include "gate/judge/paired.h"
#include "gate/model/decimal.h"
#include "gate/render/reporters.h"

namespace gate::cli {

namespace {

// Settings that say by whose way a run is judged: they have flags where a run or candidate is judged and, but
// for the shadow, where a judge is tested.
constexpr std::array<std::string_view, 4> judging{"profile", "shadow", "compare", "allow_nondeterministic"};

bool is_judging(std::string_view key) { return std::ranges::find(judging, key) != judging.end(); }

CLI::Option* list(CLI::App& app, const std::string& name, std::vector<std::string>& into,
                  const std::string& doc, const std::string& type) {
  return app.add_option(name, into, doc)->type_name(type)->allow_extra_args(false);
}

CLI::Option* text(CLI::App& app, const std::string& name, std::string& into, const std::string& doc,
                  const std::string& type) {
  return app.add_option(name, into, doc)->type_name(type);
}

// Tell whether the flag alone says what is meant: true.
bool is_switch(const std::string& type) { return type == "bool" || type.ends_with(" or true"); }

// Add a flag for each wanted setting that may be one; variables have --env.
void add_settings(CLI::App& app, SettingFlags& flags, bool (*is_wanted)(std::string_view key)) {
  for (const config::SettingRow& row : config::settings()) {
    if (row.where.find("flag") == std::string_view::npos || row.key == "env" || !is_wanted(row.key)) continue;
    // Metrics are chosen under one name everywhere.
    std::string name = row.key == "compare" ? "--metrics" : "--" + std::string(row.key);
    std::ranges::replace(name, '_', '-');
    SettingFlag& flag = flags.emplace_back(SettingFlag{std::string(row.key), name, ""});
    const std::string doc(row.doc), type(row.type);
    CLI::Option* added = is_switch(type)            ? app.add_flag(name, flag.value, doc)
                         : type.starts_with("list") ? list(app, name, flag.values, doc, type)
                                                    : text(app, name, flag.value, doc, type);
    added->group("Settings");
  }
}

constexpr std::int64_t most_runs = 1000;  // of one case
constexpr int most_jobs = 1000;

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

CLI::Option* words(CLI::App& app, const std::string& name, CommandOptions& o, const std::string& doc) {
  return app.add_option(name, o.words, doc)->type_name("");
}

template <typename Number>
CLI::Option* number(CLI::App& app, const std::string& name, Number& into, const std::string& doc) {
  return app.add_option(name, into, doc)->type_name("N");
}

void add_policy(CLI::App& app, CommandOptions& o) {
  list(app, "--set", o.set, "set a setting or a rule, e.g. rules.lm_loss.tolerance=±0.02", "PATH=VALUE");
  list(app, "--param", o.param, "set a mutable parameter of a matrix, or narrow an axis to one value", "K=V");
}

void add_environment(CLI::App& app, CommandOptions& o) {
  text(app, "--environment", o.environment,
       "the software that it runs with, as dev or lts: which baselines it has (default: gate.toml's)", "ENV");
}

void add_policy_from(CLI::App& app, CommandOptions& o) {
  text(app, "--policy-from", o.policy_from,
       "judge by gate.toml, #GATE lines and baselines of this git ref; what the tree changes of them is "
       "listed",
       "REF");
}

void add_changed_since(CLI::App& app, CommandOptions& o) {
  CLI::Option* since =
      text(app, "--changed-since", o.changed_since,
           "only cases whose script, baseline, rules, settings or depends differ from this git ref", "REF");
  app.add_flag("--nothing-ok", o.nothing_ok, "with --changed-since: no such case is 0 instead of 3")
      ->needs(since);
}

std::vector<std::string> stage_names() {
  return texts_of(all_stages, [&](const Stage stage) { return to_string(stage); });
}

void add_stages(CLI::App& app, CommandOptions& o) {
  CLI::Option* folder = text(app, "--stages-folder", o.stages_folder,
                             "the folder that the stages of a case share, over several calls", "DIR");
  text(app, "--only", o.only,
       "do this stage of the case alone: init, download, test, compare, report or upload", "STAGE")
      ->check(CLI::IsMember(stage_names()))
      ->needs(folder);
}

void add_strategy(CLI::App& app, CommandOptions& o, const std::string& doc) {
  text(app, "--strategy", o.strategy, doc, "STRATEGY");
}

void add_launch(CLI::App& app, CommandOptions& o, SettingFlags& flags) {
  add_policy(app, o);
  list(app, "--env", o.env, "set a variable in the script's environment", "K=V");
  text(app, "--platform", o.platform, "what this host is, e.g. ascend-910b3, or what --devices 0 rehearses",
       "P");
  add_environment(app, o);
  list(app, "--tag", o.tags, "only cases with this tag", "T");
  text(app, "--out", o.out, "the run's folder instead of .gate/runs/<id>", "DIR");
  number(app, "--jobs", o.jobs, "cases at once (default: one on cpu, as many as there are devices for)")
      ->check(CLI::Range(1, most_jobs));
  number(app, "--max-failures", o.max_failures, "start no further case after so many red ones")
      ->check(CLI::PositiveNumber);
  app.add_option_function<std::string>(
         "--deadline", [&o](const std::string& word) { o.deadline = duration_of(word); },
         "stop everything when the whole run has taken so long, e.g. 2h")
      ->type_name("DURATION");
  add_settings(app, flags, [](std::string_view key) { return !is_judging(key); });
}

void add_earlier_runs(CLI::App& app, CommandOptions& o) {
  const auto run = [&](const char* name, std::optional<std::string>& into, const char* doc) {
    return app
        .add_option_function<std::vector<std::string>>(
            name, [&into](const std::vector<std::string>& words) { into = words.empty() ? "" : words[0]; },
            doc)
        ->type_name("RUN")
        ->expected(0, 1);
  };
  run("--again", o.again, "run what was not green in a run (default: the latest)");
  run("--resume", o.resume, "finish a run that was cut off (default: the latest)");
  number(app, "--retry-infra", o.retry_infra, "launch a case that ended as infra again, so often at most")
      ->check(CLI::NonNegativeNumber);
}

// Return what was added.
std::vector<CLI::Option*> add_reports(CLI::App& app, CommandOptions& o) {
  return {text(app, "--junit", o.junit, "write the report as JUnit XML", "F"),
          text(app, "--html", o.html, "write the report as one HTML file with charts", "F"),
          text(app, "--markdown", o.markdown, "write the report as Markdown", "F"),
          text(app, "--openmetrics", o.openmetrics, "write the figures as OpenMetrics, rounded to the noise",
               "F"),
          text(app, "--json-file", o.json_file, "write the report as JSON (gate.result/1)", "F"),
          app.add_flag("--no-ci", o.no_ci, "tell the CI system that gate runs in nothing")};
}

void add_bisect(CLI::App& app, CommandOptions& o) {
  app.add_flag("--bisect", o.bisect, "for git bisect run: exit codes 2 and 3 become 125 (skip)");
}

void add_run(CLI::App& app, CommandOptions& o, SettingFlags& flags) {
  words(app, "CASE", o, "cases, globs or scripts; none: all of the suite; -- ARGS go to the scripts");
  add_launch(app, o, flags);
  add_settings(app, flags, is_judging);
  add_policy_from(app, o);
  add_changed_since(app, o);
  add_strategy(app, o, "cases, outputs and stages of this [strategy.NAME]; words and tags narrow its cases");
  add_stages(app, o);
  add_earlier_runs(app, o);
  app.add_option_function<std::int64_t>(
         "--confirm", [&o](std::int64_t runs) { o.confirm = confirming_runs(runs); },
         "after a failed speed check, N runs in all, judged by their mean")
      ->type_name("N");
  app.add_option_function<std::int64_t>(
         "--determinism", [&o](std::int64_t runs) { o.determinism = compared_runs(runs); },
         "N runs of each case, which must print the same; the first is judged as ever")
      ->type_name("N");
  app.add_option_function<std::string>(
         "--shard", [&o](const std::string& word) { o.shard = shard_of(word); },
         "only the I-th of N parts of the cases, e.g. 2/4; gate report --merge makes one report of all parts")
      ->type_name("I/N");
  add_reports(app, o);
  app.add_flag("--no-skip", o.no_skip, "a case that cannot run here is infra instead of skipped");
  app.add_flag("--no-notify", o.no_notify, "tell nobody of [notify] how the run ended");
  app.add_flag("--dry-run", o.dry_run, "print what would run, and launch nothing");
  add_bisect(app, o);
}

void add_threads(CLI::App& app, CommandOptions& o) {
  constexpr std::size_t most = 64;
  number(app, "--threads", o.threads, "threads that read a large log (default: one for each core, up to 4)")
      ->check(CLI::Range(std::size_t{1}, most));
}

void add_pattern(CLI::App& app, CommandOptions& o) {
  list(
      app, "--pattern", o.patterns,
      "read with this RE2 pattern, too: each named group but step and rank is a metric: 'step (?P<step>\\d+) "
      "loss (?P<value>\\S+)'",
      "REGEX");
  text(app, "--metrics-from", o.metrics_from, "[metrics], [jsonl], [peaks] and [rules] of this file, too",
       "FILE");
}

void add_check(CLI::App& app, CommandOptions& o, SettingFlags& flags) {
  words(
      app, "LOG", o,
      "logs of one run, or folders of them; - is standard input; or a baseline or golden file in their place")
      ->required();
  CLI::Option* of_case =
      text(app, "--case", o.case_name, "judge against this case's baseline and rules", "CASE");
  text(app, "--baseline", o.baseline,
       "judge against a baseline, a golden file, an older log or a folder of its logs", "FILE")
      ->excludes(of_case);
  list(app, "--phase", o.phases, "a log of a further phase of the case, as resume=resume.log", "PHASE=LOG");
  list(app, "--output", o.outputs, "what the run left of an output of the case, as answer=answer.txt",
       "NAME=FILE")
      ->needs(of_case);
  text(app, "--platform", o.platform, "the platform that the logs come from", "P");
  add_environment(app, o);
  add_policy_from(app, o);
  add_pattern(app, o);
  app.get_option("--metrics-from")->excludes(app.get_option("--policy-from"));
  add_policy(app, o);
  add_settings(app, flags, is_judging);
  add_reports(app, o);
  add_bisect(app, o);
  add_threads(app, o);
}

// The keys of an output, but for the files, which are words.
void add_score(CLI::App& app, CommandOptions& o, SettingFlags& flags) {
  words(app, "ACTUAL GOLDEN...", o, "a file, and the golden one; of text several, each a reference")
      ->required();
  for (const config::SettingRow& row : config::output_keys()) {
    if (row.key == "file" || row.key == "golden") continue;
    std::string name = "--" + std::string(row.key);
    std::ranges::replace(name, '_', '-');
    SettingFlag& flag = flags.emplace_back(SettingFlag{std::string(row.key), name, ""});
    const std::string doc(row.doc), type(row.type);
    if (is_switch(type))
      app.add_flag(name, flag.value, doc);
    else
      text(app, name, flag.value, doc, type);
  }
  app.get_option("--metric")->required();
}

void add_extract(CLI::App& app, CommandOptions& o, SettingFlags&) {
  words(app, "LOG", o, "logs of one run, or folders of them; - is standard input")->required();
  list(app, "--format", o.formats, "read as this format instead of auto; none: by patterns alone", "NAME");
  add_pattern(app, o);
  text(app, "--attempt", o.attempt, "last, first, the k-th, or all", "K");
  app.add_flag("--csv", o.csv, "metric,rank,number,value,unit,file,line");
  app.add_flag("--follow", o.follow, "print each sample as it comes, until interrupted");
  add_threads(app, o);
}

void add_list(CLI::App& app, CommandOptions& o, SettingFlags& flags) {
  words(app, "CASE", o, "cases or globs; none: all");
  text(app, "--explain", o.explain, "print every resolved value of a case and its origin", "CASE");
  app.add_flag("--coverage", o.coverage,
               "print what the cases guard: their features, metrics and minutes, and what nothing guards");
  text(app, "--format", o.format, "text, markdown or, of --coverage, html", "F")
      ->check(CLI::IsMember({"text", "markdown", "html"}));
  list(app, "--tag", o.tags, "only cases with this tag", "T");
  add_strategy(app, o, "only cases of this [strategy.NAME]");
  add_policy(app, o);
  add_settings(app, flags, [](std::string_view key) { return is_judging(key) || key == "hosts"; });
}

void add_record(CLI::App& app, CommandOptions& o, SettingFlags& flags) {
  words(app, "CASE", o, "cases or globs; none: all of the suite");
  number(app, "--runs", o.runs, "runs of each case, which together make one candidate (default: 1)")
      ->check(CLI::Range(std::int64_t{1}, most_runs));
  add_launch(app, o, flags);
}

void add_import(CLI::App& app, CommandOptions& o, SettingFlags&) {
  words(app, "FILE", o, "a golden file, or the logs of one run");
  text(app, "--tree", o.tree, "all golden files below this folder instead of one", "DIR");
  text(app, "--case", o.case_name, "the case that it is for; with --tree only such cases, a glob", "CASE");
  text(app, "--platform", o.platform,
       "the platform that it comes from; none: any; with --tree of files whose names tell none", "P");
  text(app, "--environment", o.environment, "likewise the environment", "ENV");
  text(app, "--steps", o.steps, "the steps of lists that carry none, e.g. 2-15 (default: 1 to N, assumed)",
       "STEPS");
  app.add_flag("--accept", o.accept, "accept it in the same step");
  text(app, "--reason", o.reason, "why these numbers are right", "TEXT");
  list(app, "--metrics", o.metrics, "only these metrics (names or globs, by commas)", "LIST");
  list(app, "--despite", o.despite, "accept in spite of these refusals (by commas)", "NAME");
  add_policy(app, o);
}

void add_diff(CLI::App& app, CommandOptions& o, SettingFlags& flags) {
  words(app, "CASE|RUN|REF", o, "cases with a candidate (none: all), a run, or a git ref");
  text(app, "--from", o.from, "compare the series of this run", "RUN");
  add_policy(app, o);
  add_settings(app, flags, is_judging);
  add_bisect(app, o);
}

void add_accept(CLI::App& app, CommandOptions& o, SettingFlags&) {
  words(app, "CASE", o, "cases or globs; none: all that have a candidate");
  text(app, "--reason", o.reason, "why these numbers are right", "TEXT")->required();
  text(app, "--from", o.from, "take the series of this run instead of the candidates", "RUN");
  list(app, "--metrics", o.metrics, "only these metrics (names or globs, by commas)", "LIST");
  text(app, "--to", o.to, "which file: general or platform (default: the one in use)", "WHERE");
  list(app, "--despite", o.despite, "accept in spite of these refusals (by commas)", "NAME");
  app.add_flag("--common-shift", o.common_shift,
               "only what moved with the rest: what stands apart (see gate baseline diff) is left out");
}

void add_baselines(CLI::App& app, CommandOptions& o, SettingFlags&) {
  words(app, "CASE", o, "cases or globs; none: all");
  text(app, "--platform", o.platform, "only on this platform (default: every one)", "P");
  text(app, "--environment", o.environment, "only in this environment (likewise)", "ENV");
}

void add_move(CLI::App& app, CommandOptions& o, SettingFlags&) {
  words(app, "OLD NEW", o,
        "two cases; or PLACE/CASE for one baseline; or PLACE/ for all at a place, as nvidia-a100@lts/")
      ->required()
      ->expected(2);
  text(app, "--reason", o.reason, "why", "TEXT");
}

void add_remove(CLI::App& app, CommandOptions& o, SettingFlags&) {
  words(app, "CASE", o, "cases; or PLACE/CASE, or PLACE/ for all at a place")->required();
  text(app, "--reason", o.reason, "why it guards nothing any more", "TEXT")->required();
}

void add_show(CLI::App& app, CommandOptions& o, SettingFlags&) {
  words(app, "CASE", o, "the case")->required()->expected(1);
  text(app, "--platform", o.platform, "the baseline of this platform", "P");
  add_environment(app, o);
}

void add_lint(CLI::App& app, CommandOptions& o, SettingFlags&) {
  words(app, "CASE", o, "cases or globs; none: all");
  text(app, "--platform", o.platform, "only on this platform (default: every one with a baseline)", "P");
  text(app, "--environment", o.environment, "only in this environment (likewise)", "ENV");
  list(app, "--tag", o.tags, "only cases with this tag", "T");
  number(app, "--days", o.days, "what is older is old (default 180)")->check(CLI::PositiveNumber);
  add_policy(app, o);
  add_bisect(app, o);
}

void add_import_references(CLI::App& app, CommandOptions& o, SettingFlags&) {
  words(app, "FILE", o, "files with such tables: HTML, Markdown or CSV")->required();
  app.add_flag("--dry-run", o.dry_run, "print what would change, and write nothing");
  app.add_flag("--replace", o.replace, "rows that came from other files, too");
}

void add_references(CLI::App& app, CommandOptions& o, SettingFlags&) {
  words(app, "ROW", o, "names or globs; none: all");
  text(app, "--format", o.format, "text, markdown or csv", "F")
      ->check(CLI::IsMember({"text", "markdown", "csv"}));
}

void add_selftest(CLI::App& app, CommandOptions& o, SettingFlags& flags) {
  words(app, "CASE", o, "cases or globs; none: all");
  text(app, "--platform", o.platform, "only on this platform (default: every one with a baseline)", "P");
  text(app, "--environment", o.environment, "only in this environment (likewise)", "ENV");
  list(app, "--tag", o.tags, "only cases with this tag", "T");
  add_policy(app, o);
  add_settings(app, flags, [](std::string_view key) { return is_judging(key) && key != "shadow"; });
  add_bisect(app, o);
}

void add_explain(CLI::App& app, CommandOptions& o, SettingFlags&) {
  words(app, "CASE", o, "the case, and a rule or metric (none: all checks)")->required()->expected(1, 2);
  text(app, "--run", o.run, "an id or a folder (default: the latest)", "RUN");
  app.add_flag("--shadow", o.shadow, "what the second profile says, which judged for information");
}

void add_status(CLI::App& app, CommandOptions& o, SettingFlags&) {
  words(app, "RUN", o, "an id, a folder, or a suite by its name or folder (none: all that go on)")
      ->expected(0, 1);
}

void add_stop(CLI::App& app, CommandOptions& o, SettingFlags&) {
  words(app, "RUN|CASE", o, "a run as gate status names it, or a case of one")->required()->expected(1);
  text(app, "--reason", o.reason, "why, for the report", "TEXT");
  app.add_flag("--now", o.now, "without the grace that its script has to end by itself");
  app.add_flag("--no-wait", o.no_wait, "ask for it, and do not wait until it has ended");
}

void add_worker(CLI::App& app, CommandOptions& o, SettingFlags&) {
  text(app, "--source", o.source, "messages as JSON lines, - is standard input (default: Kafka)", "FILE");
  text(app, "--journal", o.journal, "the folder for what it knows (default: .gate/worker of the suite)",
       "DIR");
}

void add_report(CLI::App& app, CommandOptions& o, SettingFlags&) {
  words(app, "RUN", o,
        "an id, a folder or a result.json (default: the latest run that was judged); with --merge several");
  CLI::Option* merge = app.add_flag(
      "--merge", o.merge, "make one report of several runs, such as all shards, and end with its exit code");
  std::string formats;
  for (const render::ReporterRow& row : render::reporters())
    formats += (formats.empty() ? "" : "|") + std::string(row.name);
  text(app, "--format", o.format, "how to print it", formats);
  app.add_flag("--recording", o.recording, "the latest recording instead of the latest run that was judged")
      ->excludes(merge);
  for (CLI::Option* report : add_reports(app, o)) report->needs(merge);
}

void add_compare(CLI::App& app, CommandOptions& o, SettingFlags&) {
  words(
      app, "A B", o,
      "each a log (or a folder of them), a baseline or golden file, a run (id, folder or result.json), or a "
      "case for its baseline; - is standard input")
      ->expected(0, 2);
  text(app, "--case", o.case_name, "only this case of the runs, and with its settings", "CASE");
  text(app, "--platform", o.platform, "the baselines of this platform", "P");
  add_environment(app, o);
  app.add_flag_callback(
      "--determinism", [&o] { o.determinism = 2; },
      "compare what must be the same, metrics of kind accuracy, and end with 1 where it is not");
  text(app, "--html", o.html, "write the comparison as one HTML file with charts", "F");
  add_pattern(app, o);
  add_policy(app, o);
  add_threads(app, o);
}

void add_ab(CLI::App& app, CommandOptions& o, SettingFlags& flags) {
  words(app, "REV1 REV2", o, "two commits, as git reads them; -- ARGS go to the scripts of both")
      ->required()
      ->expected(2);
  text(app, "--case", o.case_name, "the case to launch", "CASE")->required();
  number(app, "--pairs", o.pairs, "pairs at most (default 10); fewer where the answer is clear before")
      ->check(CLI::Range(judge::least_pairs, static_cast<int>(most_runs)));
  list(app, "--metric", o.metrics,
       "compare these metrics (by commas) instead of those of speed and memory that have rules", "LIST");
  app.add_option_function<std::string>(
         "--change", [&o](const std::string& word) { o.change = change_of(word); },
         "what lies within it is no difference (default: the rule's tolerance, 3% at most)")
      ->type_name("PERCENT");
  text(app, "--html", o.html, "write the result as one HTML file with charts", "F");
  text(app, "--platform", o.platform, "what this host is, e.g. ascend-910b3", "P");
  add_policy(app, o);
  list(app, "--env", o.env, "set a variable in the script's environment", "K=V");
  add_settings(app, flags, [](std::string_view key) { return !is_judging(key); });
}

void add_history(CLI::App& app, CommandOptions& o, SettingFlags&) {
  words(app, "CASE", o, "cases or globs, each told in full; none: all, a line each; with --import files");
  text(app, "--platform", o.platform, "only on this platform (default: every one)", "P");
  number(app, "--last", o.last, "how many runs of each case (default 200; 0: all)")
      ->check(CLI::NonNegativeNumber);
  text(app, "--html", o.html, "write the trends as one HTML file with charts, too", "F");
  CLI::Option* out =
      app.add_flag("--export", o.export_history, "print all runs as JSON lines (gate.history/1)");
  CLI::Option* in = app.add_flag("--import", o.import_history,
                                 "remember the runs of exported files and of result.json files");
  CLI::Option* prune =
      number(app, "--prune", o.prune, "forget all but the latest N runs")->check(CLI::PositiveNumber);
  out->excludes(in)->excludes(prune);
  in->excludes(prune);
}

void add_manual(CLI::App& app, CommandOptions& o, SettingFlags&) {
  CLI::Option* page =
      words(app, "PAGE", o, "a man page instead, e.g. gate, gate-run or gate.toml")->expected(0, 1);
  text(app, "--man-pages", o.man_pages, "write all man pages into man1 and man5 below this folder", "DIR")
      ->excludes(page);
}

struct FlagsRow {
  std::string_view command;
  void (*add)(CLI::App& app, CommandOptions& options, SettingFlags& flags);
};

constexpr std::array<FlagsRow, 34> flags_of_commands{
    {{"run", add_run},
     {"check", add_check},
     {"score", add_score},
     {"extract", add_extract},
     {"list", add_list},
     {"devices",
      [](CLI::App& app, CommandOptions& o, SettingFlags&) {
        app.add_flag("--watch", o.watch, "print again every two seconds, until interrupted");
        list(app, "--hosts", o.hosts, "hosts or groups of [hosts], local (default: this host)",
             "list of hosts");
      }},
     {"baseline record", add_record},
     {"baseline import", add_import},
     {"baseline diff", add_diff},
     {"baseline accept", add_accept},
     {"baseline show", add_show},
     {"baseline list", add_baselines},
     {"baseline mv", add_move},
     {"baseline rm", add_remove},
     {"baseline lint", add_lint},
     {"reference import", add_import_references},
     {"reference list", add_references},
     {"object list",
      [](CLI::App& app, CommandOptions& o, SettingFlags&) {
        words(app, "URL", o, "a bucket or a beginning of keys: s3://BUCKET/PREFIX")->required()->expected(1);
      }},
     {"object get",
      [](CLI::App& app, CommandOptions& o, SettingFlags&) {
        words(app, "URL FILE", o,
              "the object, or a prefix that ends in /, and the file or folder for it (default: here)")
            ->required()
            ->expected(1, 2);
      }},
     {"object put",
      [](CLI::App& app, CommandOptions& o, SettingFlags&) {
        words(app, "FILE URL", o, "a file, - is standard input; the object, or a prefix that ends in /")
            ->required()
            ->expected(2);
      }},
     {"selftest", add_selftest},
     {"explain", add_explain},
     {"status", add_status},
     {"stop", add_stop},
     {"worker", add_worker},
     {"report", add_report},
     {"compare", add_compare},
     {"ab", add_ab},
     {"history", add_history},
     {"init",
      [](CLI::App& app, CommandOptions& o, SettingFlags&) {
        app.add_flag("--dry-run", o.dry_run, "print the file instead of writing it");
        text(app, "--from", o.from, "metrics and rules for the numbers that this log prints, too", "LOG");
      }},
     {"help",
      [](CLI::App& app, CommandOptions& o, SettingFlags&) {
        words(app, "TOPIC", o,
              "a command, or a section of the reference, such as tolerances (none: list them)");
      }},
     {"version", [](CLI::App&, CommandOptions&, SettingFlags&) {}},
     {"manual", add_manual},
     {"completion", [](CLI::App& app, CommandOptions& o, SettingFlags&) {
        words(app, "bash|zsh|fish", o, "the shell; -- WORDS instead: what the last of them may become")
            ->expected(0, 1);
      }}}};

}  // namespace

void add_global_flags(CLI::App& app, CommandOptions& o) {
  app.set_version_flag("--version", std::string("gate ") + GATE_VERSION);
  app.add_option("-C", o.folder, "look for the suite from this folder upwards")->type_name("DIR");
  app.add_option("--config", o.config, "this file instead of gate.toml")->type_name("FILE");
  app.add_flag_callback(
      "-q,--quiet", [&o] { o.verbosity = -1; }, "red cases and the last line only");
  app.add_flag_callback(
      "-v,--verbose", [&o] { o.verbosity = 1; }, "every check, every step");
  app.add_option("--color", o.color, "auto, always or never")
      ->type_name("WHEN")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.add_option("--lang", o.language,
                 "of reports and progress: en or zh; else as LC_ALL, LC_MESSAGES or LANG says")
      ->type_name("LANG")
      ->check(CLI::IsMember({"en", "zh"}));
  app.add_flag("--json", o.json, "print the result as JSON");
}

void add_command_flags(std::string_view command, CLI::App& app, CommandOptions& options,
                       SettingFlags& flags) {
  for (const FlagsRow& row : flags_of_commands)
    if (row.command == command) row.add(app, options, flags);
}

}  // namespace gate::cli
