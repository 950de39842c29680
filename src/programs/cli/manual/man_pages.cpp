#include "cli/manual/man_pages.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "cli/manual/roff.h"
#include "cli/options/commands.h"
#include "cli/options/options.h"
#include "gate/base/text.h"
#include "gate/config/settings.h"
#include "gate/extract/format.h"
#include "gate/judge/profile.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/reports/notice.h"
#include "gate/model/rules/verdict.h"
#include "gate/publish/ci.h"

namespace gate::cli {

namespace {

struct ManRow {
  std::string_view name, doc;
};

constexpr std::array<ManRow, 11> file_rows{
    {{"gate.toml", "rules, metrics and settings of a suite, see gate.toml(5)"},
     {"scripts/CASE.sh", "a case; names that start with _ or . are not cases"},
     {"baselines/CASE.json", "baseline of a case, for any platform"},
     {"baselines/PLATFORM/CASE.json", "the same for one platform"},
     {"references.json", "published performance to compare with, see gate-reference(1)"},
     {".gate/runs/RUN", "files of a run: result.json, and per case log.txt and series.json"},
     {".gate/latest", "the newest run"},
     {".gate/ab-*", "work trees of a running gate ab"},
     {".gate/candidates/CASE.json", "recorded or imported, not accepted yet"},
     {".gate/history.db", "summary of every run, for trends"},
     {"/tmp/gate-leases", "device and port locks, shared by all gates of a host"}}};

constexpr std::array<ManRow, 20> variable_rows{
    {{"GATE_LEASE_DIR", "folder of the device and port locks (default: /tmp/gate-leases)"},
     {"GATE_TOOL_LIMIT", "time limit of a vendor's tool (default: 15s)"},
     {"NO_COLOR", "if not empty: no colors, unless --color always is given"},
     {"LC_ALL, LC_MESSAGES, LANG", "the first that is set: zh with UTF-8 makes reports Chinese, see --lang"},
     {"USER, LOGNAME", "who accepts baselines"},
     {"CURL_CA_BUNDLE, SSL_CERT_FILE", "certificates to trust when sending messages"},
     {"ASCEND_TOOLKIT_HOME, CUDA_HOME, ROCM_PATH", "where to look for the toolkit version"},
     {"GATE_CASE", "set for scripts: the name of the case"},
     {"GATE_RUN_ID", "set for scripts: the id of the run"},
     {"GATE_RUN_DIR", "set for scripts: the folder of the run"},
     {"GATE_LAUNCH_DIR", "set for scripts: the folder of the launch in it"},
     {"GATE_AFTER_CASE", "set for scripts: that folder of a case in `after`; CASE is its name"},
     {"GATE_DATA_DIR", "set for scripts: the setting data_dir, if there is one"},
     {"GATE_SCRATCH", "set for scripts: an empty folder, removed after the launch"},
     {"GATE_PHASE", "set for scripts with phases: the name of the phase"},
     {"GATE_START", "set for scripts with a fault: 1, then 2 after the fault"},
     {"GATE_CHECKPOINT_DIR", "set for scripts with a fault or phases: a folder that all starts share"},
     {"GATE_STAGES_DIR", "set for scripts and commands of stages: the folder that they share"},
     {"GATE_STAGE", "set for commands of stages: the name of the stage"},
     {"GATE_LAUNCH", "set for scripts: marks their processes"}}};

std::string page_name(const CommandSyntax& command) {
  std::string name = command.name.empty() ? "gate" : "gate-" + command.name;
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string reference_to(std::string_view page, int section) {
  return bold(page) + "(" + std::to_string(section) + ")";
}

void add_name(Roff& page, const std::string& name, std::string_view doc) {
  page.section("NAME");
  page.line(plain(name) + " \\- " + plain(doc));
}

// --- commands ------------------------------------------------------------------------------------

std::string value_markup(const OptionSyntax& option) {
  if (option.value.empty()) return "";
  const std::string value = italic(option.value);
  return option.least == 0 ? " [" + value + "]" : " " + value;
}

std::string label_of(const OptionSyntax& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + bold(name);
  return names + value_markup(option);
}

std::string option_doc(const OptionSyntax& option) {
  std::string doc = option.doc;
  if (!option.range.empty()) doc += "; " + option.value + " is " + to_lower(option.range);
  if (!option.built_in.empty()) doc += "; built-in: " + option.built_in;
  if (option.is_required) doc += "; required";
  if (option.is_repeatable) doc += "; may be given again";
  return doc;
}

void add_options(Roff& page, std::string_view head, const CommandSyntax& command, bool settings) {
  bool is_first = true;
  for (const OptionSyntax& option : command.options) {
    if (option.is_setting != settings) continue;
    if (is_first) page.section(head);
    is_first = false;
    page.entry(label_of(option), option_doc(option));
  }
}

std::string words_markup(const OptionSyntax& words) {
  const std::string value = italic(words.value) + (words.is_repeatable ? "..." : "");
  return words.is_required ? " " + value : " [" + value + "]";
}

ManPage command_page(const CommandSyntax& command) {
  const std::string name = page_name(command);
  Roff page(name, 1);
  add_name(page, name, command.doc);
  page.section("SYNOPSIS");
  page.line(bold("gate " + command.name) + " [" + italic("OPTION") + "...]" +
            (command.words ? words_markup(*command.words) : "") +
            (takes_args(command.name) ? " [" + bold("--") + " " + italic("ARG") + "...]" : ""));
  page.section("DESCRIPTION");
  page.line(plain("gate " + command.name + ": " + command.doc + "."));
  if (command.words) page.entry(italic(command.words->value), option_doc(*command.words));
  add_options(page, "OPTIONS", command, false);
  page.paragraph("Global options: see gate(1).");
  add_options(page, "SETTINGS", command, true);
  page.section("EXIT STATUS");
  page.line(plain("See gate(1)."));
  page.section("SEE ALSO");
  page.line(reference_to("gate", 1) + ", " + reference_to("gate.toml", 5));
  return {name, 1, page.text()};
}

// --- gate(1) -------------------------------------------------------------------------------------

void add_rows(Roff& page, std::string_view head, std::span<const ManRow> rows) {
  page.section(head);
  for (const ManRow& row : rows) page.entry(bold(row.name), row.doc);
}

void add_commands(Roff& page, std::span<const CommandSyntax> commands) {
  page.section("COMMANDS");
  for (const CommandSyntax& command : commands) page.entry(reference_to(page_name(command), 1), command.doc);
}

void add_exit_status(Roff& page) {
  page.section("EXIT STATUS");
  page.line(plain("The exit code is that of the worst verdict, by 2 > 130/143 > 1 > 4 > 125 > 3 > 0."));
  for (const VerdictRow& row : verdicts())
    page.entry(bold(exit_code_text(row)) + " " + plain(row.name), row.doc);
  page.entry(bold(std::to_string(exit_code::usage)), "unusable arguments or files; nothing was launched");
}

void add_ci_variables(Roff& page) {
  page.paragraph("CI systems are detected by these variables; run and check report to them:");
  for (const publish::CiRow& row : publish::ci_systems())
    page.entry(bold(row.variable), std::string(row.name) + ": " + std::string(row.doc));
}

ManPage main_page(std::span<const CommandSyntax> syntax) {
  const std::span<const CommandSyntax> below = syntax.subspan(1);
  Roff page("gate", 1);
  add_name(page, "gate", "a regression gate for LLM training");
  page.section("SYNOPSIS");
  page.line(bold("gate") + " [" + italic("OPTION") + "...] " + italic("COMMAND") + " [" + italic("WORD") +
            "...]");
  page.section("DESCRIPTION");
  page.line(
      plain("gate runs training scripts on the accelerators, reads loss, throughput and memory from their "
            "logs, and judges each series against a baseline with a tolerance. Green means measured and "
            "within tolerance; everything else is not green, and says why."));
  add_commands(page, below);
  add_options(page, "OPTIONS", syntax.front(), false);
  add_exit_status(page);
  add_rows(page, "FILES", file_rows);
  add_rows(page, "ENVIRONMENT", variable_rows);
  add_ci_variables(page);
  page.section("SEE ALSO");
  std::string others = reference_to("gate.toml", 5);
  for (const CommandSyntax& command : below) others += ", " + reference_to(page_name(command), 1);
  page.line(others);
  return {"gate", 1, page.text()};
}

// --- gate.toml(5) --------------------------------------------------------------------------------

void add_keys(Roff& page, std::string_view head, std::span<const config::SettingRow> keys) {
  page.section(head);
  for (const config::SettingRow& key : keys) {
    std::string doc = std::string(key.doc) + "; where: " + std::string(key.where);
    if (!key.built_in.empty()) doc += "; built-in: " + std::string(key.built_in);
    page.entry(bold(key.key) + " " + italic(key.type), doc);
  }
}

void add_metrics(Roff& page) {
  page.section("METRICS");
  for (const Metric& metric : built_in_metrics())
    page.entry(bold(metric.name) + (metric.unit.empty() ? "" : " " + italic(metric.unit)), metric.doc);
}

// The names that stand as values of settings.
void add_values(Roff& page) {
  page.section("PROFILES");
  for (const judge::ProfileRow& row : judge::profiles()) page.entry(bold(row.name), row.doc.english);
  page.section("LOG FORMATS");
  for (const extract::FormatRow& row : extract::formats()) page.entry(bold(row.name), row.doc);
  page.section("KINDS OF RECEIVERS");
  for (const NoticeKindRow& row : notice_kinds()) page.entry(bold(row.name), row.doc);
  add_metrics(page);
}

void add_example(Roff& page) {
  page.section("EXAMPLE");
  page.line(".nf");
  for (const char* line : {"[rules.lm_loss]", "window    = \"first 15\"", "reduce    = \"each\"",
                           "tolerance = \"±0.01\"", "[case.\"pretrain/*\"]", "timeout = \"30m\""})
    page.line(plain(line));
  page.line(".fi");
}

ManPage toml_page() {
  Roff page("gate.toml", 5);
  add_name(page, "gate.toml", "cases, rules, metrics and settings of a suite");
  page.section("DESCRIPTION");
  page.line(
      plain("A suite is the nearest folder upwards with this file. Settings are layered, the later wins: "
            "built-in, [defaults], #GATE lines of scripts, [case.\"GLOB\"] in file order, the command "
            "line. gate list --explain CASE prints every value with its origin."));
  add_keys(page, "SETTINGS", config::settings());
  add_keys(page, "KEYS OF [suite]", config::suite_keys());
  add_keys(page, "KEYS OF [rules.NAME]", config::rule_keys());
  add_keys(page, "KEYS OF [metrics.NAME]", config::metric_keys());
  add_keys(page, "KEYS OF [jsonl]", config::json_keys());
  add_keys(page, "KEYS OF phase.NAME", config::phase_keys());
  add_keys(page, "KEYS OF stages.NAME", config::stage_keys());
  add_keys(page, "KEYS OF outputs.NAME", config::output_keys());
  add_keys(page, "KEYS OF [strategy.NAME]", config::strategy_keys());
  add_keys(page, "KEYS OF [features.TITLE]", config::feature_keys());
  add_keys(page, "OPTIONS OF [hosts]", config::host_keys());
  add_keys(page, "KEYS OF [notify.NAME]", config::notify_keys());
  add_keys(page, "KEYS OF [store.s3] AND [store.obs]", config::store_keys());
  add_keys(page, "KEYS OF [worker]", config::worker_keys());
  add_values(page);
  add_example(page);
  page.section("SEE ALSO");
  page.line(reference_to("gate", 1) + ", " + reference_to("gate-list", 1) + ", " +
            reference_to("gate-init", 1));
  return {"gate.toml", 5, page.text()};
}

}  // namespace

std::vector<ManPage> man_pages() {
  const std::vector<CommandSyntax> syntax = command_syntax();
  std::vector<ManPage> pages{main_page(syntax)};
  for (std::size_t i = 1; i < syntax.size(); ++i) pages.push_back(command_page(syntax[i]));
  pages.push_back(toml_page());
  return pages;
}

}  // namespace gate::cli
