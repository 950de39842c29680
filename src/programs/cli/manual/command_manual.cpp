// The reference part of the manual, printed from the tables that the program itself uses: docs/reference is
// this text, cut into pages, and a test compares them.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cli/manual/man_pages.h"
#include "cli/options/commands.h"
#include "cli/options/options.h"
#include "cli/screen/terminal.h"
#include "gate/base/fs.h"
#include "gate/base/text.h"
#include "gate/config/accuracy_contract.h"
#include "gate/config/formulas.h"
#include "gate/config/old_words.h"
#include "gate/config/peaks.h"
#include "gate/config/settings.h"
#include "gate/config/toml_schema.h"
#include "gate/config/training_flags.h"
#include "gate/extract/format.h"
#include "gate/extract/messages.h"
#include "gate/judge/lint.h"
#include "gate/judge/profile.h"
#include "gate/judge/selftest.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/reports/notice.h"
#include "gate/model/rules/verdict.h"
#include "gate/publish/ci.h"
#include "gate/schema/baseline_file.h"
#include "gate/schema/performance_import.h"
#include "gate/score/score_metric.h"

namespace gate::cli {

namespace {

std::string section(const std::string& title, const std::string& body) {
  return "## " + title + "\n\n" + body + "\n";
}

std::string commands_table() {
  TableRows rows{{"command", "does"}};
  for (const CommandRow& row : commands())
    rows.push_back({"gate " + std::string(row.name), std::string(row.doc)});
  return render::markdown_table(rows);
}

std::string global_flags_table() {
  TableRows rows{{"flag", "what"}};
  const std::vector<CommandSyntax> syntax = command_syntax();
  for (const OptionSyntax& option : syntax.front().options)
    rows.push_back({join(option.names, ", ") + (option.value.empty() ? "" : " " + option.value), option.doc});
  return render::markdown_table(rows);
}

std::string settings_table(std::span<const config::SettingRow> settings) {
  TableRows rows{{"key", "type", "built-in", "where", "what"}};
  for (const config::SettingRow& row : settings)
    rows.push_back({std::string(row.key), std::string(row.type), std::string(row.built_in),
                    std::string(row.where), std::string(row.doc)});
  return render::markdown_table(rows);
}

std::string metrics_table() {
  TableRows rows{{"metric", "unit", "kind", "better", "numbered", "what"}};
  for (const Metric& metric : built_in_metrics())
    rows.push_back({metric.name, metric.unit, std::string(to_string(metric.kind)),
                    std::string(to_string(metric.better)), std::string(to_string(metric.numbered)),
                    metric.doc});
  return render::markdown_table(rows);
}

std::string score_metrics_table() {
  TableRows rows{{"metric", "of", "better", "what"}};
  for (const score::MetricRow& row : score::metrics())
    rows.push_back({std::string(row.name), row.input == score::Input::text ? "text" : "numbers",
                    std::string(to_string(row.better)), std::string(row.doc)});
  rows.push_back({std::string(config::results_metric), "results", "by score",
                  "each score in a file of lm-evaluation-harness or OpenCompass, against the golden file"});
  return render::markdown_table(rows);
}

std::string contract_table() {
  TableRows rows{{"variable", "also", "what"}};
  for (const config::ContractRow& row : config::contract_rows())
    rows.push_back({std::string(row.name), std::string(row.aliases), std::string(row.doc)});
  return render::markdown_table(rows);
}

std::string profiles_table() {
  TableRows rows{{"profile", "what"}};
  for (const judge::ProfileRow& row : judge::profiles())
    rows.push_back({std::string(row.name), std::string(row.doc.english)});
  return render::markdown_table(rows);
}

std::string formats_table() {
  TableRows rows{{"format", "what"}};
  for (const extract::FormatRow& row : extract::formats())
    rows.push_back({std::string(row.name), std::string(row.doc)});
  return render::markdown_table(rows);
}

std::string golden_files_table() {
  TableRows rows{{"origin", "file", "content", "steps"}};
  for (const schema::GoldenKind& kind : schema::golden_kinds())
    rows.push_back(
        {std::string(kind.origin), std::string(kind.file), std::string(kind.shape), std::string(kind.steps)});
  return render::markdown_table(rows);
}

std::string performance_heads_table() {
  TableRows rows{{"column", "accepted headings"}};
  for (const schema::PerformanceHeads& row : schema::performance_heads())
    rows.push_back({std::string(row.column), std::string(row.heads)});
  return render::markdown_table(rows);
}

std::string features_table() {
  TableRows rows{{"feature", "group", "flags", "on if", "models"}};
  for (const config::FeatureRow& row : config::features()) {
    const config::Feature feature = config::feature_of(row);
    const char* const on = row.kind == config::FeatureKind::size    ? "its number is 2 or more"
                           : row.kind == config::FeatureKind::value ? "it has a value"
                                                                    : "it is present";
    rows.push_back({feature.title.english(), feature.group.english(),
                    feature.variable.empty() ? join(feature.flags, ", ") : "variable " + feature.variable, on,
                    feature.is_mcore_only ? "Mcore" : ""});
  }
  return render::markdown_table(rows);
}

std::string formulas_table() {
  TableRows rows{{"metric", "name", "formula", "source"}};
  for (const config::NamedFormula& row : config::named_formulas())
    rows.push_back(
        {std::string(row.metric), std::string(row.name), std::string(row.text), std::string(row.source)});
  return render::markdown_table(rows);
}

std::string peaks_table() {
  TableRows rows{{"platform", "type of number", "TFLOP/s per device, without sparsity", "source"}};
  for (const config::PublishedPeak& row : config::published_peaks())
    rows.push_back({std::string(row.platform), std::string(row.type), fmt::format("{}", row.tera),
                    std::string(row.source)});
  return render::markdown_table(rows);
}

std::string messages_table() {
  TableRows rows{{"message", "class", "what it means", "what to do"}};
  for (const extract::MessageRow& row : extract::messages())
    rows.push_back({std::string(row.name), std::string(to_string(row.kind)), std::string(row.what.english),
                    std::string(row.advice.english)});
  return render::markdown_table(rows);
}

std::string reporters_table() {
  TableRows rows{{"format", "what"}};
  for (const render::ReporterRow& row : render::reporters())
    rows.push_back({std::string(row.name), std::string(row.doc)});
  return render::markdown_table(rows);
}

std::string notice_kinds_table() {
  TableRows rows{{"kind", "what", "signed"}};
  for (const NoticeKindRow& row : notice_kinds())
    rows.push_back(
        {std::string(row.name), std::string(row.doc), row.is_signed == Signed::nowhere ? "no" : "yes"});
  return render::markdown_table(rows);
}

std::string ci_table() {
  TableRows rows{{"CI system", "detected by", "what run and check send"}};
  for (const publish::CiRow& row : publish::ci_systems())
    rows.push_back({std::string(row.name),
                    std::string(row.variable) + (row.value.empty() ? "" : "=" + std::string(row.value)),
                    std::string(row.doc)});
  return render::markdown_table(rows);
}

std::string mutations_table() {
  TableRows rows{{"mutation", "change to the reference", "must be"}};
  for (const judge::MutationRow& row : judge::mutations())
    rows.push_back({std::string(row.name), std::string(row.doc.english), row.harmless ? "passed" : "caught"});
  return render::markdown_table(rows);
}

std::string lints_table() {
  TableRows rows{{"lint", "weight", "what", "what to do"}};
  for (const judge::LintRow& row : judge::lints())
    rows.push_back({std::string(row.name), row.weight == judge::Weight::weak ? "weak" : "note",
                    std::string(row.doc.english), std::string(row.advice.english)});
  return render::markdown_table(rows);
}

std::string verdicts_table() {
  TableRows rows{{"verdict", "when", "exit code", "JUnit"}};
  for (const VerdictRow& row : verdicts())
    rows.push_back(
        {std::string(row.name), std::string(row.doc), exit_code_text(row), std::string(row.junit)});
  return render::markdown_table(rows);
}

// --- what rules are written in -------------------------------------------------------------------

struct WrittenForm {
  const char* written;
  const char* means;
};

std::string forms_table(const char* head, std::span<const WrittenForm> forms) {
  TableRows rows{{head, "means"}};
  for (const WrittenForm& row : forms) rows.push_back({row.written, row.means});
  return render::markdown_table(rows);
}

constexpr std::array windows{
    WrittenForm{"all", "every sample of the baseline"},
    WrittenForm{"first 15", "the first 15 samples"},
    WrittenForm{"last 10", "the last 10 samples, without the first of the series (warm-up)"},
    WrittenForm{"6..15", "samples 6 to 15"},
    WrittenForm{"after 5", "samples after 5"},
    WrittenForm{"step 1", "the sample of step 1"},
};

constexpr std::array tolerances{
    WrittenForm{"±0.01", "at most 0.01 from the baseline; also written +- or +/-"},
    WrittenForm{"±2%", "at most 2 % from the baseline"},
    WrittenForm{"-5%", "at most 5 % below the baseline; more passes"},
    WrittenForm{"+10%", "at most 10 % above the baseline; less passes"},
    WrittenForm{"±0.01 or ±1%", "within either; `and`: within both"},
    WrittenForm{"exact", "the same number"},
    WrittenForm{">= 0.75", "compared with the constant, as <= and ==; needs no baseline"},
    WrittenForm{"> 0.75", "the same, but the constant itself fails, as with < and !="},
    WrittenForm{"<= 2%", "only with reduce mean_relative_error"},
};

// --- the reference -------------------------------------------------------------------------------

// A section, and the words by which `gate help` finds it beside its title.
struct Section {
  const char* title;
  std::string (*body)();
  const char* topics;
};

constexpr std::array sections{
    Section{"Commands", commands_table, ""},
    Section{"Global flags", global_flags_table, "flags"},
    Section{"Settings", [] { return settings_table(config::settings()); }, "gate.toml"},
    Section{"Keys of [suite]", [] { return settings_table(config::suite_keys()); }, "suite"},
    Section{"Keys of a rule", [] { return settings_table(config::rule_keys()); }, "rules"},
    Section{"Keys of a metric", [] { return settings_table(config::metric_keys()); }, "patterns"},
    Section{"Keys of [jsonl]", [] { return settings_table(config::json_keys()); }, "jsonl"},
    Section{"Keys of a phase", [] { return settings_table(config::phase_keys()); }, "phases"},
    Section{"Keys of an output", [] { return settings_table(config::output_keys()); }, "outputs"},
    Section{"Keys of a stage", [] { return settings_table(config::stage_keys()); }, "stages"},
    Section{"Keys of [strategy.NAME]", [] { return settings_table(config::strategy_keys()); }, "strategies"},
    Section{"Keys of [features.TITLE]", [] { return settings_table(config::feature_keys()); },
            "feature keys"},
    Section{"Variables of accuracy tests", contract_table, "accuracy"},
    Section{"Metrics of outputs", score_metrics_table, "scores"},
    Section{"Options of [hosts]", [] { return settings_table(config::host_keys()); }, "hosts"},
    Section{"Keys of [notify.NAME]", [] { return settings_table(config::notify_keys()); }, "notify"},
    Section{"Keys of [worker]", [] { return settings_table(config::worker_keys()); }, "hub"},
    Section{"Keys of [store.s3] and [store.obs]", [] { return settings_table(config::store_keys()); },
            "stores"},
    Section{"Kinds of receivers", notice_kinds_table, "receivers"},
    Section{"Windows", [] { return forms_table("window", windows); }, ""},
    Section{"Tolerances", [] { return forms_table("tolerance", tolerances); }, ""},
    Section{"Metrics", metrics_table, ""},
    Section{"Features", features_table, ""},
    Section{"Named formulas", formulas_table, "formulas"},
    Section{"Published peaks", peaks_table, "peaks"},
    Section{"Profiles", profiles_table, ""},
    Section{"Log formats", formats_table, "formats"},
    Section{"Golden files that are read", golden_files_table, "golden files"},
    Section{"Columns of published tables", performance_heads_table, "references"},
    Section{"Known messages", messages_table, "messages"},
    Section{"Report formats", reporters_table, "reports"},
    Section{"CI systems", ci_table, "ci"},
    Section{"Mutations of gate selftest", mutations_table, "mutations"},
    Section{"Findings of gate baseline lint", lints_table, "findings"},
    Section{"Verdicts", verdicts_table, "exit codes"},
};

std::string reference() {
  std::string out = "# Reference\n\nPrinted by `gate help all` from the program's own tables.\n\n";
  for (const Section& one : sections) out += section(one.title, one.body());
  return out + section("Flags", help_of_all_commands());
}

// What people call by another name: the topic that is about it, and what to do first.
struct Synonym {
  const char* names;
  const char* topic;
  const char* advice;
};

constexpr std::array synonyms{
    Synonym{
        "noise 噪声", "baseline record",
        "`gate baseline record CASE --runs 5` measures the noise of a case, `gate baseline lint` tells which "
        "tolerances are too narrow for it."},
    Synonym{"bisect 二分", "ab",
            "`gate history` tells since which run a case is red, `gate ab BASE NEW --case CASE` whether a "
            "commit is "
            "slower; `gate run CASE --bisect` ends as git bisect run needs it."},
    Synonym{"flaky 抖动", "history",
            "`gate history` tells which cases are flaky; `quarantine` in gate.toml keeps one from turning a "
            "run red."},
    Synonym{"threshold 阈值", "tolerances",
            "A rule's `tolerance` is the threshold; `gate list --explain CASE` prints those of a case."},
    Synonym{"log logs 日志", "log formats",
            "`gate extract LOG` prints what gate reads of a log, `gate check LOG` judges it, `gate init LOG` "
            "writes rules for it; the logs of a run lie in its folder, which `gate report RUN` names."},
    Synonym{
        "golden 基线", "golden files",
        "`gate baseline import FILE` makes a candidate of a golden file, `gate baseline accept` makes it the "
        "baseline."},
};

std::vector<std::string> topics_of(const Section& one) {
  std::vector<std::string> topics{to_lower(one.title)};
  if (*one.topics != '\0') topics.emplace_back(one.topics);
  return topics;
}

// Tell whether the topic is called so, in the singular or plural: `window`, `windows`.
bool is_topic(const std::string& topic, const std::string& word) {
  return word == topic || word + "s" == topic;
}

std::string list_of_topics() {
  TableRows rows{{"topic", "what"}};
  for (const CommandRow& row : commands()) rows.push_back({std::string(row.name), std::string(row.doc)});
  for (const Section& one : sections)
    rows.push_back({topics_of(one).back(), std::string("the section ") + one.title + " of gate help all"});
  rows.push_back({"all", "all of these: commands, flags, settings, keys, metrics, messages"});
  rows.push_back({"schema", "the JSON Schema of gate.toml, for editors"});
  rows.push_back({"agents", "for programs that call gate: exit codes, JSON, what to do next"});
  return "gate help TOPIC:\n\n" + render::table(rows, {});
}

// A table of a page escapes what Markdown would obey (render::markdown_row); on a terminal nothing does.
std::string as_shown(const std::string& text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> written{
      {{"<!-- -->", ""}, {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}}};
  std::string out;
  bool is_row = false;
  for (std::size_t at = 0; at < text.size();) {
    if (at == 0 || text[at - 1] == '\n') is_row = text[at] == '|';
    const std::string_view rest = std::string_view(text).substr(at);
    const auto* const word =
        std::ranges::find_if(written, [&](const auto& one) { return rest.starts_with(one.first); });
    if (is_row && word != written.end()) {
      out += word->second;
      at += word->first.size();
      continue;
    }
    const bool is_escape = is_row && rest.size() > 1 && rest[0] == '\\';
    out += rest[is_escape ? 1 : 0];
    at += is_escape ? 2 : 1;
  }
  return out;
}

// Return the topics whose text has the word, `gate help hub`; of the first word of commands these.
std::vector<std::string> topics_with(const std::string& word) {
  std::vector<std::string> found;
  for (const CommandRow& row : commands())
    if (row.name.starts_with(word + " ")) found.push_back("gate help " + std::string(row.name));
  if (!found.empty()) return found;
  for (const CommandRow& row : commands())
    if (to_lower(help_of_command(row.name)).find(word) != std::string::npos)
      found.push_back("gate help " + std::string(row.name));
  for (const Section& one : sections)
    if (to_lower(one.body()).find(word) != std::string::npos)
      found.push_back("gate help " + topics_of(one).back());
  return found;
}

// Return the help of a command, a section of the reference, the page for agents or a man page; "" where the
// topic is none of them, and `known` then has the names of all.
std::string about(const std::string& topic, std::vector<std::string>& known) {
  if (topic == "agents") return std::string(agents_page);
  if (topic == "all") return reference();
  if (topic == "schema") return config::toml_schema();
  if (const std::string help = help_of_command(topic); !help.empty()) return help + "\n";
  known.insert(known.end(), {"agents", "all", "schema"});
  for (const Synonym& one : synonyms)
    for (const std::string_view name : split_words(one.names)) {
      known.emplace_back(name);
      if (name == topic) return std::string(one.advice) + "\n\n" + about(one.topic, known);
    }
  for (const Section& one : sections)
    for (const std::string& name : topics_of(one)) {
      known.push_back(name);
      if (is_topic(name, topic)) return as_shown(section(one.title, one.body()));
    }
  for (const ManPage& page : man_pages()) {
    known.push_back(page.name);
    if (page.name == topic) return page.text;
  }
  return "";
}

app::Answer<int> write_pages(const std::string& folder) {
  for (const ManPage& page : man_pages()) {
    const std::string section = std::to_string(page.section);
    const fs::Path file = fs::Path(folder) / ("man" + section) / (page.name + "." + section);
    if (const Status written = fs::write_file(file, page.text, fs::Survives::kill); !written)
      return app::infra(written.error());
  }
  return exit_code::ok;
}

}  // namespace

app::Answer<int> help_command(const CommandOptions& options, Terminal& terminal) {
  if (!options.man_pages.empty()) return write_pages(options.man_pages);
  const bool names_program = options.words.size() > 1 && options.words.front() == "gate";
  const std::string topic = to_lower(join(std::span(options.words).subspan(names_program ? 1 : 0), " "));
  auto known = texts_of(commands(), &CommandRow::name);
  const std::string text = topic.empty() ? list_of_topics() : about(topic, known);
  if (const std::string_view now = config::now_written(topic); text.empty() && !now.empty())
    return app::usage("help: \"" + topic + "\" is an old word; write " + std::string(now));
  if (text.empty()) {
    constexpr std::size_t most_named = 6;
    const std::vector<std::string> with = topics_with(topic);
    return app::usage("help: no topic \"" + printable(topic, 80) + "\"" + did_you_mean(topic, known) +
                      (with.empty() ? "" : "; of it tell " + some_of(with, most_named)) +
                      "; gate help lists all topics");
  }
  terminal.print(text);
  return exit_code::ok;
}

}  // namespace gate::cli
