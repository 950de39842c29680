#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/empty_words.h"
#include "gate/base/text.h"
#include "gate/config/settings.h"
#include "gate/render/reporters.h"

namespace gate::cli {

namespace {

// Settings that say by whose way a run is judged: they have flags where a run or candidate is judged and, but
// for the shadow, where a judge is tested.
constexpr std::array<std::string_view, 4> judging{"profile", "shadow", "compare", "allow_nondeterministic"};

bool is_judging(std::string_view key) {
  return std::find(judging.begin(), judging.end(), key) != judging.end();
}
bool is_launching(std::string_view key) { return !is_judging(key); }
bool is_judging_once(std::string_view key) { return is_judging(key) && key != "shadow"; }

// `--allow-nondeterministic`. Metrics are chosen under one name everywhere.
std::string flag_of(const config::SettingRow& row) {
  std::string name = row.key == "compare" ? "--metrics" : "--" + std::string(row.key);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

CLI::Option* list(CLI::App& app, const std::string& name, std::vector<std::string>& into,
                  const std::string& doc, const std::string& type) {
  return app.add_option(name, into, doc)->type_name(type)->allow_extra_args(false);
}

CLI::Option* text(CLI::App& app, const std::string& name, std::string& into, const std::string& doc,
                  const std::string& type) {
  return app.add_option(name, into, doc)->type_name(type);
}

// A flag for each setting that may be one (variables have --env); their values are kept until the parse is
// done.
struct SettingFlags {
  struct Flag {
    std::string key, name, value;
    std::vector<std::string> values;  // of a list, which takes commas and repetition
  };
  std::vector<std::unique_ptr<Flag>> flags;

  void add_to(CLI::App& app, bool (*wanted)(std::string_view key)) {
    for (const config::SettingRow& row : config::settings()) {
      if (row.where.find("flag") == std::string_view::npos || row.key == "env" || !wanted(row.key)) continue;
      flags.push_back(std::make_unique<Flag>(Flag{std::string(row.key), flag_of(row), "", {}}));
      add(app, row, *flags.back())->group("Settings");
    }
  }

  static CLI::Option* add(CLI::App& app, const config::SettingRow& row, Flag& flag) {
    const std::string doc(row.doc), type(row.type);
    if (row.type == "bool") return app.add_flag(flag.name, flag.value, doc);
    if (row.type.starts_with("list")) return list(app, flag.name, flag.values, doc, type);
    return text(app, flag.name, flag.value, doc, type);
  }
};

constexpr std::int64_t most_runs = 1000;  // of one case
constexpr int most_jobs = 1000;

Duration duration_of(const std::string& word) {
  const auto duration = parse_duration(word);
  if (!duration || *duration <= Duration{})
    throw CLI::ValidationError("--deadline",
                               "\"" + printable(word) + "\" is no duration; write e.g. 90s, 30m or 2h");
  return *duration;
}

int confirming_runs(std::int64_t runs) {
  if (runs < 2)
    throw CLI::ValidationError("--confirm", std::to_string(runs) +
                                                ": these are the runs in all, and the first of them has "
                                                "failed; write 2 or more");
  return static_cast<int>(std::min<std::int64_t>(runs, most_runs));
}

void add_words(CLI::App& app, Options& o, const std::string& name, const std::string& doc) {
  app.add_option(name, o.words, doc)->type_name("");
}

void add_policy(CLI::App& app, Options& o) {
  list(app, "--set", o.set, "set a setting or a rule, e.g. rules.lm_loss.tolerance=±0.02", "PATH=VALUE");
}

void add_launch(CLI::App& app, Options& o, SettingFlags& flags) {
  add_policy(app, o);
  list(app, "--env", o.env, "set a variable in the script's environment", "K=V");
  text(app, "--platform", o.platform, "what this host is, e.g. ascend-910b3", "P");
  list(app, "--tag", o.tags, "only cases with this tag", "T");
  text(app, "--out", o.out, "the run's folder instead of .gate/runs/<id>", "DIR");
  app.add_option("--jobs", o.jobs, "cases at once (default: one on cpu, as many as there are devices for)")
      ->type_name("N")
      ->check(CLI::Range(1, most_jobs));
  app.add_option("--max-failures", o.max_failures, "start no further case after so many red ones")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  app.add_option_function<std::string>(
         "--deadline", [&o](const std::string& word) { o.deadline = duration_of(word); },
         "stop everything when the whole run has taken so long, e.g. 2h")
      ->type_name("DURATION");
  flags.add_to(app, is_launching);
}

void add_earlier_runs(CLI::App& app, Options& o) {
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
  app.add_option("--retry-infra", o.retry_infra, "launch a case that ended as infra again, so often at most")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
}

void add_confirm(CLI::App& app, Options& o) {
  app.add_option_function<std::int64_t>(
         "--confirm", [&o](std::int64_t runs) { o.confirm = confirming_runs(runs); },
         "after a failed speed check, N runs in all, judged by their mean")
      ->type_name("N");
}

void add_reports(CLI::App& app, Options& o) {
  text(app, "--junit", o.junit, "write the report as JUnit XML", "F");
  text(app, "--html", o.html, "write the report as one HTML file with charts", "F");
  text(app, "--markdown", o.markdown, "write the report as Markdown", "F");
  text(app, "--openmetrics", o.openmetrics, "write the figures as OpenMetrics, rounded to the noise", "F");
  text(app, "--json-file", o.json_file, "write the report as JSON (gate.result/1)", "F");
  app.add_flag("--no-ci", o.no_ci, "tell the CI system that gate runs in nothing");
}

void add_bisect(CLI::App& app, Options& o) {
  app.add_flag("--bisect", o.bisect, "for git bisect run: exit codes 2 and 3 become 125 (skip)");
}

std::string reporter_choice() {
  std::string names;
  for (const render::ReporterRow& row : render::reporters())
    names += (names.empty() ? "" : "|") + std::string(row.name);
  return names;
}

void add_run(CLI::App& app, Options& o, SettingFlags& flags) {
  add_words(app, o, "CASE", "cases, globs or scripts; none: all of the suite; -- ARGS go to the scripts");
  add_launch(app, o, flags);
  flags.add_to(app, is_judging);
  add_earlier_runs(app, o);
  add_confirm(app, o);
  add_reports(app, o);
  app.add_flag("--no-skip", o.no_skip, "a case that cannot run here is infra instead of skipped");
  app.add_flag("--no-notify", o.no_notify, "tell nobody of [notify] how the run ended");
  app.add_flag("--dry-run", o.dry_run, "print what would run, and launch nothing");
  add_bisect(app, o);
}

void add_threads(CLI::App& app, Options& o) {
  constexpr std::size_t most = 64;
  app.add_option("--threads", o.threads,
                 "threads that read a large log (default: one for each core, up to 4)")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, most));
}

void add_pattern(CLI::App& app, Options& o) {
  list(
      app, "--pattern", o.patterns,
      "read with this RE2 pattern, too: each named group but step and rank is a metric: 'step (?P<step>\\d+) "
      "loss (?P<value>\\S+)'",
      "REGEX");
}

void add_check(CLI::App& app, Options& o, SettingFlags& flags) {
  app.add_option("LOG", o.words,
                 "logs of one run, or folders of them; - is standard input; or a baseline or golden file in "
                 "their place")
      ->type_name("")
      ->required();
  CLI::Option* of_case =
      text(app, "--case", o.case_name, "judge against this case's baseline and rules", "CASE");
  text(app, "--baseline", o.baseline, "judge against a baseline, a golden file or an older log", "FILE")
      ->excludes(of_case);
  text(app, "--platform", o.platform, "the platform that the logs come from", "P");
  add_pattern(app, o);
  add_policy(app, o);
  flags.add_to(app, is_judging);
  add_reports(app, o);
  add_bisect(app, o);
  add_threads(app, o);
}

void add_extract(CLI::App& app, Options& o, SettingFlags&) {
  app.add_option("LOG", o.words, "logs of one run, or folders of them; - is standard input")
      ->type_name("")
      ->required();
  list(app, "--format", o.formats, "read as this format instead of auto; none: by patterns alone", "NAME");
  add_pattern(app, o);
  text(app, "--attempt", o.attempt, "last, first, the k-th, or all", "K");
  app.add_flag("--csv", o.csv, "metric,rank,number,value,unit,file,line");
  app.add_flag("--follow", o.follow, "print each sample as it comes, until interrupted");
  add_threads(app, o);
}

void add_list(CLI::App& app, Options& o, SettingFlags& flags) {
  add_words(app, o, "CASE", "cases or globs; none: all");
  text(app, "--explain", o.explain, "print every resolved value of a case and its origin", "CASE");
  app.add_flag("--coverage", o.coverage, "print which kinds of metric guard each case");
  text(app, "--format", o.format, "text or markdown", "F")->check(CLI::IsMember({"text", "markdown"}));
  list(app, "--tag", o.tags, "only cases with this tag", "T");
  add_policy(app, o);
  flags.add_to(app, is_judging);
}

void add_devices(CLI::App& app, Options& o, SettingFlags&) {
  app.add_flag("--watch", o.watch, "print again every two seconds, until interrupted");
}

void add_record(CLI::App& app, Options& o, SettingFlags& flags) {
  app.add_option("CASE", o.words, "cases or globs")->type_name("")->required();
  app.add_option("--runs", o.runs, "runs of each case, which together make one candidate (default: 1)")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, most_runs));
  add_launch(app, o, flags);
}

void add_import(CLI::App& app, Options& o, SettingFlags&) {
  add_words(app, o, "FILE", "a golden file, or the logs of one run");
  text(app, "--tree", o.tree, "all golden files below this folder instead of one", "DIR");
  text(app, "--case", o.case_name, "the case that it is for; with --tree only such cases, a glob", "CASE");
  text(app, "--platform", o.platform,
       "the platform that it comes from; none: any; with --tree of files whose names tell none", "P");
  text(app, "--steps", o.steps, "the steps of lists that carry none, e.g. 2-15 (default: 1 to N, assumed)",
       "STEPS");
  app.add_flag("--accept", o.accept, "accept it in the same step");
  text(app, "--reason", o.reason, "why these numbers are right", "TEXT");
  list(app, "--metrics", o.metrics, "only these metrics (names or globs, by commas)", "LIST");
  list(app, "--despite", o.despite, "accept in spite of these refusals (by commas)", "NAME");
  add_policy(app, o);
}

void add_diff(CLI::App& app, Options& o, SettingFlags& flags) {
  add_words(app, o, "CASE|RUN|REF", "cases with a candidate (none: all), a run, or a git ref");
  text(app, "--from", o.from, "compare the series of this run", "RUN");
  add_policy(app, o);
  flags.add_to(app, is_judging);
  add_bisect(app, o);
}

void add_accept(CLI::App& app, Options& o, SettingFlags&) {
  add_words(app, o, "CASE", "cases or globs; none: all that have a candidate");
  text(app, "--reason", o.reason, "why these numbers are right", "TEXT")->required();
  text(app, "--from", o.from, "take the series of this run instead of the candidates", "RUN");
  list(app, "--metrics", o.metrics, "only these metrics (names or globs, by commas)", "LIST");
  text(app, "--to", o.to, "which file: general or platform (default: the one in use)", "WHERE");
  list(app, "--despite", o.despite, "accept in spite of these refusals (by commas)", "NAME");
}

void add_show(CLI::App& app, Options& o, SettingFlags&) {
  app.add_option("CASE", o.words, "the case")->type_name("")->required()->expected(1);
  text(app, "--platform", o.platform, "the baseline of this platform", "P");
}

void add_lint(CLI::App& app, Options& o, SettingFlags&) {
  add_words(app, o, "CASE", "cases or globs; none: all");
  text(app, "--platform", o.platform, "only on this platform (default: every one with a baseline)", "P");
  list(app, "--tag", o.tags, "only cases with this tag", "T");
  app.add_option("--days", o.days, "what is older is old (default 180)")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  add_policy(app, o);
  add_bisect(app, o);
}

void add_selftest(CLI::App& app, Options& o, SettingFlags& flags) {
  add_words(app, o, "CASE", "cases or globs; none: all");
  text(app, "--platform", o.platform, "only on this platform (default: every one with a baseline)", "P");
  list(app, "--tag", o.tags, "only cases with this tag", "T");
  add_policy(app, o);
  flags.add_to(app, is_judging_once);
  add_bisect(app, o);
}

void add_explain(CLI::App& app, Options& o, SettingFlags&) {
  app.add_option("CASE", o.words, "the case, and a rule or metric (none: all checks)")
      ->type_name("")
      ->required()
      ->expected(1, 2);
  text(app, "--run", o.run, "an id or a folder (default: the latest)", "RUN");
  app.add_flag("--shadow", o.shadow, "what the second profile says, which judged for information");
}

void add_report(CLI::App& app, Options& o, SettingFlags&) {
  app.add_option("RUN", o.words, "an id or a folder (default: the latest)")->type_name("")->expected(0, 1);
  text(app, "--format", o.format, "how to print it", reporter_choice());
}

void add_compare(CLI::App& app, Options& o, SettingFlags&) {
  app.add_option("A B", o.words,
                 "each a log (or a folder of them), a baseline or golden file, a run (id, folder or "
                 "result.json), or a case for its baseline; - is standard input")
      ->type_name("")
      ->expected(0, 2);
  text(app, "--case", o.case_name, "only this case of the runs, and with its settings", "CASE");
  text(app, "--platform", o.platform, "the baselines of this platform", "P");
  text(app, "--html", o.html, "write the comparison as one HTML file with charts", "F");
  add_pattern(app, o);
  add_policy(app, o);
  add_threads(app, o);
}

void add_history(CLI::App& app, Options& o, SettingFlags&) {
  add_words(app, o, "CASE", "cases or globs, each told in full; none: all, a line each; with --import files");
  text(app, "--platform", o.platform, "only on this platform (default: every one)", "P");
  app.add_option("--last", o.last, "how many runs of each case (default 200; 0: all)")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  text(app, "--html", o.html, "write the trends as one HTML file with charts, too", "F");
  CLI::Option* out =
      app.add_flag("--export", o.export_history, "print all runs as JSON lines (gate.history/1)");
  CLI::Option* in = app.add_flag("--import", o.import_history,
                                 "remember the runs of exported files and of result.json files");
  CLI::Option* prune = app.add_option("--prune", o.prune, "forget all but the latest N runs")
                           ->type_name("N")
                           ->check(CLI::PositiveNumber);
  out->excludes(in)->excludes(prune);
  in->excludes(prune);
}

void add_init(CLI::App& app, Options& o, SettingFlags&) {
  app.add_flag("--dry-run", o.dry_run, "print the file instead of writing it");
}

void add_manual(CLI::App& app, Options&, SettingFlags&) { app.group(""); }

struct WordsRow {
  std::string_view command;
  void (*add)(CLI::App& app, Options& options, SettingFlags& flags);
};

constexpr std::array<WordsRow, 18> words_of_commands{{{"run", add_run},
                                                      {"check", add_check},
                                                      {"extract", add_extract},
                                                      {"list", add_list},
                                                      {"devices", add_devices},
                                                      {"baseline record", add_record},
                                                      {"baseline import", add_import},
                                                      {"baseline diff", add_diff},
                                                      {"baseline accept", add_accept},
                                                      {"baseline show", add_show},
                                                      {"baseline lint", add_lint},
                                                      {"selftest", add_selftest},
                                                      {"explain", add_explain},
                                                      {"report", add_report},
                                                      {"compare", add_compare},
                                                      {"history", add_history},
                                                      {"init", add_init},
                                                      {"manual", add_manual}}};

void add_globals(CLI::App& app, Options& o) {
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
  app.add_flag("--json", o.json, "print the result as JSON");
}

CLI::App& subcommand(CLI::App& app, const std::string& name, const std::string& doc) {
  const std::size_t blank = name.find(' ');
  if (blank == std::string::npos) return *app.add_subcommand(name, doc);
  const std::vector<CLI::App*> groups =
      app.get_subcommands([&](CLI::App* known) { return known->get_name() == name.substr(0, blank); });
  CLI::App* group = groups.empty() ? app.add_subcommand(name.substr(0, blank),
                                                        "record, compare, accept and check baselines")
                                   : groups.front();
  group->require_subcommand(1);
  return *group->add_subcommand(name.substr(blank + 1), doc);
}

// The parser, and where it puts what it reads.
struct Parser {
  CLI::App app{"gate: a regression gate for LLM training.\ngreen means measured and within tolerance",
               "gate"};
  Options options;
  SettingFlags flags;
  std::vector<std::pair<std::string, CLI::App*>> commands;

  Parser() {
    app.fallthrough();
    app.require_subcommand(1);
    add_globals(app, options);
    app.get_formatter()->column_width(34);
    for (const CommandRow& row : gate::cli::commands()) {
      CLI::App& command = subcommand(app, std::string(row.name), std::string(row.doc));
      commands.emplace_back(row.name, &command);
      for (const WordsRow& words : words_of_commands)
        if (words.command == row.name) words.add(command, options, flags);
    }
    for (CLI::App* group : app.get_subcommands([](CLI::App*) { return true; })) group->fallthrough();
  }

  void settle(std::vector<std::string> behind_dashes) {
    for (const auto& [name, command] : commands)
      if (command->parsed()) options.command = name;
    for (const auto& flag : flags.flags) {
      const std::string value = flag->values.empty() ? flag->value : join(flag->values, ",");
      if (!value.empty()) options.flags.push_back({flag->key, value, flag->name});
    }
    const bool launches = options.command == "run" || options.command == "baseline record";
    std::vector<std::string>& rest = launches ? options.script_args : options.words;
    rest.insert(rest.end(), behind_dashes.begin(), behind_dashes.end());
  }
};

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandRow& row : commands()) names.emplace_back(row.name.substr(0, row.name.find(' ')));
  return names;
}

// CLI11's own words for an unknown command name every option; say what was probably meant instead.
std::string explain_error(const CLI::Error& error, const std::vector<std::string>& words) {
  const auto first =
      std::find_if(words.begin(), words.end(), [](const std::string& w) { return !w.starts_with("-"); });
  const std::vector<std::string> names = command_names();
  const bool is_of_value =  // of an option, whose value is no command
      error.get_name() == "ValidationError" || error.get_name() == "ConversionError";
  if (is_of_value || first == words.end() || std::find(names.begin(), names.end(), *first) != names.end())
    return std::string(error.what()) + "; see gate --help";
  return "unknown command \"" + printable(*first) + "\"" + did_you_mean(*first, names) + "; see gate --help";
}

Early refusal(std::string text, const std::vector<std::string>& words) {
  const bool bisecting = std::find(words.begin(), words.end(), "--bisect") != words.end();
  return {bisecting ? exit_code::infra : exit_code::usage, std::move(text)};
}

Early early_exit(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& words) {
  if (error.get_exit_code() != 0) return refusal(explain_error(error, words), words);
  std::ostringstream out, ignored;
  app.exit(error, out, ignored);
  return {0, out.str()};
}

}  // namespace

Result<std::vector<config::Override>> Options::overrides() const {
  std::vector<config::Override> all = flags;
  const auto add = [&](const std::string& word, const char* flag, const std::string& prefix) -> Status {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      return fail(std::string(flag) + " " + printable(word) + ": write KEY=VALUE");
    all.push_back({prefix + word.substr(0, equals), word.substr(equals + 1), flag});
    return {};
  };
  for (const std::string& word : set) GATE_TRY_STATUS(add(word, "--set", ""));
  for (const std::string& word : env) GATE_TRY_STATUS(add(word, "--env", "env."));
  return all;
}

tl::expected<Options, Early> parse_options(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const auto dashes = std::find(words.begin(), words.end(), "--");
  std::vector<std::string> behind(dashes == words.end() ? dashes : dashes + 1, words.end());
  words.erase(dashes, words.end());
  if (const Status full = check_no_empty(words); !full)
    return tl::unexpected(refusal(full.error().message, words));
  Parser parser;
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    parser.app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    return tl::unexpected(early_exit(parser.app, error, words));
  }
  parser.settle(std::move(behind));
  return parser.options;
}

namespace {

// CLI11 adds the command's own last word.
std::string help_prefix(const std::string& name) {
  const std::size_t blank = name.find(' ');
  return "gate" + (blank == std::string::npos ? "" : " " + name.substr(0, blank));
}

}  // namespace

std::string help_of_all_commands() {
  Parser parser;
  std::string out;
  for (const auto& [name, command] : parser.commands)
    if (name != "manual")
      out += "### gate " + name + "\n\n```\n" + std::string(trim(command->help(help_prefix(name)))) +
             "\n```\n\n";
  return out;
}

}  // namespace gate::cli
