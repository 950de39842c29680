#include "cli/options/command_flags.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"
#include "gate/config/settings.h"
#include "gate/extract/format.h"
#include "gate/judge/paired.h"
#include "gate/model/numbers/decimal.h"
#include "gate/render/reporters.h"

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
  app.list(
      FlagRole::decides, "--set", o.policy.set,
      "set a setting, a rule as rules.lm_loss.tolerance=±0.02, or a mutable parameter of a matrix, or its "
      "axis, as param.TP=2",
      "PATH=VALUE");
}

void add_environment(Flags& app, CommandOptions& o) {
  app.text(FlagRole::decides, "--environment", o.environment,
           "the software that it runs with, as dev or lts: which baselines it has (default: gate.toml's)",
           "ENV");
}

void add_policy_from(Flags& app, CommandOptions& o) {
  app.text(FlagRole::decides, "--policy-from", o.policy.policy_from,
           "judge by gate.toml, #GATE lines and baselines of this git ref; what the tree changes of them is "
           "listed",
           "REF");
}

void add_changed_since(Flags& app, CommandOptions& o) {
  CLI::Option* since = app.text(
      FlagRole::selects, "--changed-since", o.run.changed_since,
      "only cases whose script, baseline, rules, settings or depends differ from this git ref", "REF");
  app.flag(FlagRole::selects, "--nothing-ok", o.run.nothing_ok,
           "with --changed-since: no such case is 0 instead of 3")
      ->needs(since);
}

std::vector<std::string> stage_names() {
  return texts_of(all_stages, [&](const Stage stage) { return to_string(stage); });
}

void add_stages(Flags& app, CommandOptions& o) {
  CLI::Option* folder = app.text(FlagRole::decides, "--stages-folder", o.run.stages_folder,
                                 "the folder that the stages of a case share, over several calls", "DIR");
  app.text(FlagRole::decides, "--only", o.run.only,
           "do this stage of the case alone: init, download, test, compare, report or upload", "STAGE")
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
           "what this host is, e.g. ascend-910b3, or what --devices 0 rehearses", "P");
  add_environment(app, o);
  app.list(FlagRole::selects, "--tag", o.tags, "only cases with this tag", "T");
  app.text(FlagRole::shows, "--out", o.run.out, "the run's folder instead of .gate/runs/<id>", "DIR");
  app.number(FlagRole::decides, "--jobs", o.run.jobs,
             "cases at once (default: one on cpu, as many as there are devices for)")
      ->check(CLI::Range(1, most_jobs));
  app.number(FlagRole::shows, "--max-failures", o.run.max_failures,
             "start no further case after so many red ones")
      ->check(CLI::PositiveNumber);
  app.value<std::string>(
         FlagRole::shows, "--deadline", [&o](const std::string& word) { o.run.deadline = duration_of(word); },
         "stop everything when the whole run has taken so long, e.g. 2h")
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
  run("--again", o.run.again, "run what was not green in a run (default: the latest)");
  run("--resume", o.run.resume, "finish a run that was cut off (default: the newest of them)");
  app.number(FlagRole::decides, "--retry-infra", o.run.retry_infra,
             "launch a case that ended as infra again, so often at most")
      ->check(CLI::NonNegativeNumber);
}

// Files beside what is printed. The kind of one is told by the word before `=`, else by its name's ending.
CLI::Option* add_reports(Flags& app, CommandOptions& o, const std::vector<std::string>& kinds) {
  return app
      .value<std::vector<std::string>>(
          FlagRole::shows, "--report",
          [&o, kinds](const std::vector<std::string>& words) {
            for (const std::string& word : words) o.reports.files.push_back(report_word(word, kinds));
          },
          "write it to a file, too: " + join(kinds, ", ") +
              "; without KIND= as .html, .json, .md or .xml tells")
      ->type_name("KIND=FILE")
      ->allow_extra_args(false);
}

// What a report of cases is written as.
CLI::Option* add_case_reports(Flags& app, CommandOptions& o) {
  return add_reports(app, o, texts_of(render::reporters(), &render::ReporterRow::name));
}

CLI::Option* add_no_ci(Flags& app, CommandOptions& o) {
  return app.flag(FlagRole::shows, "--no-ci", o.reports.no_ci,
                  "no annotations or job summary for the CI system");
}

void add_bisect(Flags& app, CommandOptions& o) {
  app.flag(FlagRole::shows, "--bisect", o.bisect, "for git bisect run: exit codes 2 and 3 become 125 (skip)");
}

void add_run(Flags& app, CommandOptions& o) {
  app.words("CASE", o.words, "cases, globs or scripts; none: all of the suite; -- ARGS go to the scripts");
  add_launch(app, o);
  add_settings(app, is_judging);
  add_policy_from(app, o);
  add_changed_since(app, o);
  add_strategy(app, o, "cases, outputs and stages of this [strategy.NAME]; words and tags narrow its cases");
  add_stages(app, o);
  add_earlier_runs(app, o);
  app.value<std::int64_t>(
         FlagRole::decides, "--confirm", [&o](std::int64_t runs) { o.run.confirm = confirming_runs(runs); },
         "after a failed speed check, N runs in all, judged by their mean")
      ->type_name("N");
  app.value<std::int64_t>(
         FlagRole::decides, "--determinism", [&o](std::int64_t runs) { o.determinism = compared_runs(runs); },
         "N runs of each case, which must print the same; the first is judged as ever")
      ->type_name("N");
  app.value<std::string>(
         FlagRole::selects, "--shard", [&o](const std::string& word) { o.run.shard = shard_of(word); },
         "only the I-th of N parts of the cases, e.g. 2/4; gate report --merge makes one report of all parts")
      ->type_name("I/N");
  add_case_reports(app, o);
  add_no_ci(app, o);
  app.flag(FlagRole::shows, "--no-notify", o.reports.no_notify, "tell nobody of [notify] how the run ended");
  app.flag(FlagRole::decides, "--no-skip", o.run.no_skip,
           "a case that cannot run here is infra instead of skipped");
  app.flag(FlagRole::shows, "--dry-run", o.dry_run, "print what would run, and launch nothing");
  add_bisect(app, o);
}

void add_pattern(Flags& app, CommandOptions& o) {
  app.list(
      FlagRole::decides, "--pattern", o.policy.patterns,
      "read with this RE2 pattern, too: each named group but step and rank is a metric: 'step (?P<step>\\d+) "
      "loss (?P<value>\\S+)'",
      "REGEX");
  app.text(FlagRole::decides, "--metrics-from", o.policy.metrics_from,
           "[metrics], [jsonl], [peaks] and [rules] of this file, too", "FILE");
}

void add_check(Flags& app, CommandOptions& o) {
  app.words("LOG", o.words,
            "logs of one run, or folders of them; - is standard input; or a baseline or golden file in their "
            "place")
      ->required();
  CLI::Option* of_case = app.text(FlagRole::decides, "--case", o.case_name,
                                  "judge against this case's baseline and rules", "CASE");
  app.text(FlagRole::decides, "--baseline", o.logs.baseline,
           "judge against a baseline, a golden file, an older log or a folder of its logs", "FILE")
      ->excludes(of_case);
  app.list(FlagRole::decides, "--phase", o.logs.phases,
           "a log of a further phase of the case, as resume=resume.log", "PHASE=LOG");
  app.list(FlagRole::decides, "--output", o.logs.outputs,
           "what the run left of an output of the case, as answer=answer.txt", "NAME=FILE")
      ->needs(of_case);
  app.text(FlagRole::decides, "--platform", o.platform, "the platform that the logs come from", "P");
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
  app.words("ACTUAL GOLDEN...", o.words, "a file, and the golden one; of text several, each a reference")
      ->required();
  for (const config::SettingRow& row : config::output_keys()) {
    if (row.key == "file" || row.key == "golden") continue;
    app.setting(row.key, row.type, row.doc);
  }
  app.get("--metric")->required();
}

void add_extract(Flags& app, CommandOptions& o) {
  app.words("LOG", o.words, "logs of one run, or folders of them; - is standard input")->required();
  app.list(FlagRole::decides, "--log-format", o.logs.formats,
           "read as this format instead of auto; none: by patterns alone", "NAME");
  add_pattern(app, o);
  app.text(FlagRole::decides, "--attempt", o.logs.attempt, "last, first, the k-th, or all", "K");
  app.text(FlagRole::shows, "--format", o.format, "text, or csv: metric,rank,number,value,unit,file,line",
           "F")
      ->check(as_log_format)
      ->check(CLI::IsMember({"text", "csv"}));
  app.flag(FlagRole::shows, "--follow", o.follow, "print each sample as it comes, until interrupted");
}

void add_list(Flags& app, CommandOptions& o) {
  app.words("CASE", o.words, "cases or globs; none: all");
  app.text(FlagRole::shows, "--explain", o.list.explain,
           "print every resolved value of a case and its origin", "CASE");
  app.flag(FlagRole::shows, "--coverage", o.list.coverage,
           "print what the cases guard: their features, metrics and minutes, and what nothing guards");
  app.text(FlagRole::shows, "--format", o.format, "text or markdown", "F")
      ->check([](const std::string& word) {
        return std::string(word == "html" ? "is a file: --report html=FILE" : "");
      })
      ->check(CLI::IsMember({"text", "markdown"}));
  add_reports(app, o, {"text", "json", "markdown", "html"});
  app.list(FlagRole::selects, "--tag", o.tags, "only cases with this tag", "T");
  add_strategy(app, o, "only cases of this [strategy.NAME]");
  add_policy(app, o);
  add_settings(app, [](std::string_view key) { return is_judging(key) || key == "hosts"; });
}

void add_record(Flags& app, CommandOptions& o) {
  app.words("CASE", o.words, "cases or globs; none: all of the suite");
  app.number(FlagRole::decides, "--runs", o.run.runs,
             "runs of each case, which together make one candidate (default: 1)")
      ->check(CLI::Range(std::int64_t{1}, most_runs));
  add_launch(app, o);
}

void add_import(Flags& app, CommandOptions& o) {
  app.words("FILE", o.words, "a golden file, or the logs of one run");
  app.text(FlagRole::where, "--tree", o.candidates.tree, "all golden files below this folder instead of one",
           "DIR");
  app.text(FlagRole::decides, "--case", o.case_name,
           "the case that it is for; with --tree only such cases, a glob", "CASE");
  app.text(FlagRole::decides, "--platform", o.platform,
           "the platform that it comes from; none: any; with --tree of files whose names tell none", "P");
  app.text(FlagRole::decides, "--environment", o.environment, "likewise the environment", "ENV");
  app.text(FlagRole::decides, "--steps", o.candidates.steps,
           "the steps of lists that carry none, e.g. 2-15 (default: 1 to N, assumed)", "STEPS");
  app.flag(FlagRole::shows, "--accept", o.candidates.accept, "accept it in the same step");
  app.text(FlagRole::shows, "--reason", o.reason, "why these numbers are right", "TEXT");
  app.list(FlagRole::decides, "--metric", o.metrics, "only these metrics (names or globs, by commas)",
           "LIST");
  app.list(FlagRole::decides, "--despite", o.candidates.despite,
           "accept in spite of these refusals (by commas)", "NAME");
  add_policy(app, o);
}

void add_diff(Flags& app, CommandOptions& o) {
  app.words("CASE|RUN|REF", o.words, "cases with a candidate (none: all), a run, or a git ref");
  app.text(FlagRole::decides, "--run", o.earlier_run, "compare the series of this run", "RUN");
  add_policy(app, o);
  add_settings(app, is_judging);
  add_bisect(app, o);
}

void add_accept(Flags& app, CommandOptions& o) {
  app.words("CASE", o.words, "cases or globs; none: all that have a candidate");
  app.text(FlagRole::shows, "--reason", o.reason, "why these numbers are right", "TEXT")->required();
  app.text(FlagRole::decides, "--run", o.earlier_run, "take the series of this run instead of the candidates",
           "RUN");
  app.list(FlagRole::decides, "--metric", o.metrics, "only these metrics (names or globs, by commas)",
           "LIST");
  app.text(FlagRole::decides, "--to", o.candidates.to,
           "which file: general or platform (default: the one in use)", "WHERE");
  app.list(FlagRole::decides, "--despite", o.candidates.despite,
           "accept in spite of these refusals (by commas)", "NAME");
  app.flag(FlagRole::decides, "--common-shift", o.candidates.common_shift,
           "only what moved with the rest: what stands apart (see gate baseline diff) is left out");
}

void add_baselines(Flags& app, CommandOptions& o) {
  app.words("CASE", o.words, "cases or globs, each in full; none: all, a line each");
  app.text(FlagRole::decides, "--platform", o.platform, "only on this platform (default: every one)", "P");
  app.text(FlagRole::decides, "--environment", o.environment, "only in this environment (likewise)", "ENV");
}

void add_move(Flags& app, CommandOptions& o) {
  app.words("OLD NEW", o.words,
            "two cases; or PLACE/CASE for one baseline; or PLACE/ for all at a place, as nvidia-a100@lts/")
      ->required()
      ->expected(2);
  app.text(FlagRole::shows, "--reason", o.reason, "why", "TEXT");
}

void add_remove(Flags& app, CommandOptions& o) {
  app.words("CASE", o.words, "cases; or PLACE/CASE, or PLACE/ for all at a place")->required();
  app.text(FlagRole::shows, "--reason", o.reason, "why it guards nothing any more", "TEXT")->required();
}

// Which baselines a command looks at.
void add_baselines_of(Flags& app, CommandOptions& o) {
  app.words("CASE", o.words, "cases or globs; none: all");
  app.text(FlagRole::decides, "--platform", o.platform,
           "only on this platform (default: every one with a baseline)", "P");
  app.text(FlagRole::decides, "--environment", o.environment, "only in this environment (likewise)", "ENV");
  app.list(FlagRole::selects, "--tag", o.tags, "only cases with this tag", "T");
}

void add_lint(Flags& app, CommandOptions& o) {
  add_baselines_of(app, o);
  add_policy(app, o);
  add_bisect(app, o);
}

void add_reference(Flags& app, CommandOptions& o) {
  app.words("FILE", o.words, "take over the tables of these files: HTML, Markdown or CSV; none: print all");
  app.flag(FlagRole::shows, "--dry-run", o.dry_run, "print what would change, and write nothing");
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
  app.words("CASE", o.words, "the case, and a rule or metric (none: all checks)")->required()->expected(1, 2);
  app.text(FlagRole::decides, "--run", o.earlier_run, "an id or a folder (default: the latest)", "RUN");
  app.flag(FlagRole::decides, "--shadow", o.shadow,
           "what the second profile says, which judged for information");
}

void add_status(Flags& app, CommandOptions& o) {
  app.words("RUN", o.words, "an id, a folder, or a suite by its name or folder (none: all that go on)")
      ->expected(0, 1);
}

void add_stop(Flags& app, CommandOptions& o) {
  app.words("RUN|CASE", o.words, "a run as gate status names it, or a case of one")->required()->expected(1);
  app.text(FlagRole::shows, "--reason", o.reason, "why, for the report", "TEXT");
  app.flag(FlagRole::shows, "--now", o.now, "without the grace that its script has to end by itself");
}

void add_report(Flags& app, CommandOptions& o) {
  app.words(
      "RUN", o.words,
      "an id, a folder or a result.json (default: the latest run that was judged); with --merge several");
  CLI::Option* merge =
      app.flag(FlagRole::shows, "--merge", o.merge,
               "make one report of several runs, such as all shards, and end with its exit code");
  std::string formats;
  for (const render::ReporterRow& row : render::reporters())
    formats += (formats.empty() ? "" : "|") + std::string(row.name);
  app.text(FlagRole::shows, "--format", o.format, "how to print it", formats);
  add_case_reports(app, o);
  add_no_ci(app, o)->needs(merge);
}

void add_compare(Flags& app, CommandOptions& o) {
  app.words("A B", o.words,
            "each a log (or a folder of them), a baseline or golden file, a run (id, folder or result.json), "
            "or a "
            "case for its baseline; - is standard input")
      ->expected(0, 2);
  app.text(FlagRole::decides, "--case", o.case_name, "only this case of the runs, and with its settings",
           "CASE");
  app.text(FlagRole::decides, "--platform", o.platform, "the baselines of this platform", "P");
  add_environment(app, o);
  app.call(
      FlagRole::decides, "--determinism", [&o] { o.determinism = 2; },
      "compare what must be the same, metrics of kind accuracy, and end with 1 where it is not");
  add_reports(app, o, {"text", "json", "html"});
  add_pattern(app, o);
  add_policy(app, o);
}

void add_ab(Flags& app, CommandOptions& o) {
  app.words("REV1 REV2", o.words, "two commits, as git reads them; -- ARGS go to the scripts of both")
      ->required()
      ->expected(2);
  app.text(FlagRole::decides, "--case", o.case_name, "the case to launch", "CASE")->required();
  app.number(FlagRole::decides, "--pairs", o.ab.pairs,
             "pairs at most (default 10); fewer where the answer is clear before")
      ->check(CLI::Range(judge::least_pairs, static_cast<int>(most_runs)));
  app.list(FlagRole::decides, "--metric", o.metrics,
           "compare these metrics (by commas) instead of those of speed and memory that have rules", "LIST");
  app.value<std::string>(
         FlagRole::decides, "--change", [&o](const std::string& word) { o.ab.change = change_of(word); },
         "what lies within it is no difference (default: the rule's tolerance, 3% at most)")
      ->type_name("PERCENT");
  add_reports(app, o, {"text", "json", "html"});
  app.text(FlagRole::decides, "--platform", o.platform, "what this host is, e.g. ascend-910b3", "P");
  add_policy(app, o);
  app.list(FlagRole::decides, "--env", o.policy.env, "set a variable in the script's environment", "K=V");
  add_settings(app, [](std::string_view key) { return !is_judging(key); });
}

void add_history(Flags& app, CommandOptions& o) {
  app.words("CASE", o.words,
            "cases or globs, each told in full; none: all, a line each; with --import files");
  app.text(FlagRole::decides, "--platform", o.platform, "only on this platform (default: every one)", "P");
  app.number(FlagRole::decides, "--last", o.history.last, "how many runs of each case (default 200; 0: all)")
      ->check(CLI::NonNegativeNumber);
  add_reports(app, o, {"text", "json", "html"});
  CLI::Option* out = app.flag(FlagRole::shows, "--export", o.history.export_history,
                              "print all runs as JSON lines (gate.history/1)");
  CLI::Option* in = app.flag(FlagRole::shows, "--import", o.history.import_history,
                             "remember the runs of exported files and of result.json files");
  CLI::Option* prune =
      app.number(FlagRole::shows, "--prune", o.history.prune, "forget all but the latest N runs")
          ->check(CLI::PositiveNumber);
  out->excludes(in)->excludes(prune);
  in->excludes(prune);
}

void add_help(Flags& app, CommandOptions& o) {
  CLI::Option* topic =
      app.words("TOPIC", o.words,
                "a command, a man page as gate-run, or a section of the reference, such as tolerances (none: "
                "list them)");
  CLI::Option* all = app.flag(FlagRole::shows, "--all", o.help.all,
                              "print all of it: commands, settings, keys, metrics, messages")
                         ->excludes(topic);
  app.text(FlagRole::shows, "--man-pages", o.help.man_pages,
           "write all man pages into man1 and man5 below this folder", "DIR")
      ->excludes(topic)
      ->excludes(all);
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
        app.flag(FlagRole::shows, "--follow", o.follow, "print again every two seconds, until interrupted");
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
        app.flag(FlagRole::shows, "--dry-run", o.dry_run, "print the file instead of writing it");
        app.text(FlagRole::decides, "--from", o.from,
                 "metrics and rules for the numbers that this log prints, too", "LOG");
      }},
     {"help", add_help},
     {"completion", [](Flags& app, CommandOptions& o) {
        app.words("bash|zsh|fish", o.words, "the shell; -- WORDS instead: what the last of them may become")
            ->expected(0, 1);
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
  app.text(FlagRole::where, "--config", o.config, "this file instead of gate.toml", "FILE");
  app.call(
      FlagRole::shows, "-q,--quiet", [&o] { o.verbosity = -1; }, "red cases and the last line only");
  app.call(
      FlagRole::shows, "-v,--verbose", [&o] { o.verbosity = 1; }, "every check, every step");
  app.text(FlagRole::shows, "--color", o.color, "auto, always or never", "WHEN")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.text(FlagRole::shows, "--lang", o.language,
           "of reports and progress: en or zh; else as LC_ALL, LC_MESSAGES or LANG says", "LANG")
      ->check(CLI::IsMember({"en", "zh"}));
  app.flag(FlagRole::shows, "--json", o.json, "print the result as JSON");
  app.call(
      FlagRole::shows, "--version",
      [&] {
        o.version = true;
        parser.require_subcommand(0);
      },
      "print the version; with -v how gate was built, and what it or this host lacks");
}

void add_command_flags(std::string_view command, Flags app, CommandOptions& options) {
  for (const FlagsRow& row : flags_of_commands)
    if (row.command == command) row.add(app, options);
}

}  // namespace gate::cli
