// The reference part of the manual, printed from the tables that the program itself uses: docs/reference.md
// is this text, and a test compares them.

#include "cli/commands.h"
#include "cli/man_pages.h"
#include "gate/base/fs.h"
#include "gate/base/text.h"
#include "gate/config/settings.h"
#include "gate/extract/format.h"
#include "gate/extract/messages.h"
#include "gate/judge/lint.h"
#include "gate/judge/profile.h"
#include "gate/judge/selftest.h"
#include "gate/model/metric.h"
#include "gate/model/notice.h"
#include "gate/model/verdict.h"
#include "gate/publish/ci.h"
#include "gate/schema/baseline_file.h"

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

std::string profiles_table() {
  TableRows rows{{"profile", "what"}};
  for (const judge::ProfileRow& row : judge::profiles())
    rows.push_back({std::string(row.name), std::string(row.doc)});
  return render::markdown_table(rows);
}

std::string formats_table() {
  TableRows rows{{"format", "what"}};
  for (const extract::FormatRow& row : extract::formats())
    rows.push_back({std::string(row.name), std::string(row.doc)});
  return render::markdown_table(rows);
}

std::string golden_files_table() {
  TableRows rows{{"origin", "file", "what it looks like", "its steps"}};
  for (const schema::GoldenKind& kind : schema::golden_kinds())
    rows.push_back(
        {std::string(kind.origin), std::string(kind.file), std::string(kind.shape), std::string(kind.steps)});
  return render::markdown_table(rows);
}

std::string messages_table() {
  TableRows rows{{"message", "class", "what it means", "what to do"}};
  for (const extract::MessageRow& row : extract::messages())
    rows.push_back({std::string(row.name), std::string(to_string(row.kind)), std::string(row.what),
                    std::string(row.advice)});
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
  TableRows rows{{"CI system", "known by", "what a run or check tells it"}};
  for (const publish::CiRow& row : publish::ci_systems())
    rows.push_back({std::string(row.name),
                    std::string(row.variable) + (row.value.empty() ? "" : "=" + std::string(row.value)),
                    std::string(row.doc)});
  return render::markdown_table(rows);
}

std::string mutations_table() {
  TableRows rows{{"mutation", "what is done to the reference", "must be"}};
  for (const judge::MutationRow& row : judge::mutations())
    rows.push_back({std::string(row.name), std::string(row.doc), row.harmless ? "passed" : "caught"});
  return render::markdown_table(rows);
}

std::string lints_table() {
  TableRows rows{{"lint", "weight", "what", "what to do"}};
  for (const judge::LintRow& row : judge::lints())
    rows.push_back({std::string(row.name), row.weight == judge::Weight::weak ? "weak" : "note",
                    std::string(row.doc), std::string(row.advice)});
  return render::markdown_table(rows);
}

std::string verdicts_table() {
  TableRows rows{{"verdict", "when", "exit code", "JUnit"}};
  for (const VerdictRow& row : verdicts())
    rows.push_back(
        {std::string(row.name), std::string(row.doc), exit_code_text(row), std::string(row.junit)});
  return render::markdown_table(rows);
}

std::string reference() {
  std::string out = "# Reference\n\nPrinted by `gate manual` from the program's own tables.\n\n";
  out += section("Commands", commands_table());
  out += section("Settings", settings_table(config::settings()));
  out += section("Keys of [suite]", settings_table(config::suite_keys()));
  out += section("Keys of a rule", settings_table(config::rule_keys()));
  out += section("Keys of a metric", settings_table(config::metric_keys()));
  out += section("Keys of [jsonl]", settings_table(config::json_keys()));
  out += section("Keys of a phase", settings_table(config::phase_keys()));
  out += section("Options of [hosts]", settings_table(config::host_keys()));
  out += section("Keys of [notify.NAME]", settings_table(config::notify_keys()));
  out += section("Kinds of receivers", notice_kinds_table());
  out += section("Metrics", metrics_table());
  out += section("Profiles", profiles_table());
  out += section("Log formats", formats_table());
  out += section("Golden files that are read", golden_files_table());
  out += section("Known messages", messages_table());
  out += section("Report formats", reporters_table());
  out += section("CI systems", ci_table());
  out += section("Mutations of gate selftest", mutations_table());
  out += section("Findings of gate baseline lint", lints_table());
  out += section("Verdicts", verdicts_table());
  out += section("Flags", help_of_all_commands());
  return out;
}

app::Answer<int> print_page(const std::string& name, Terminal& terminal) {
  std::vector<std::string> names;
  for (const ManPage& page : man_pages()) {
    if (page.name == name) {
      terminal.print(page.text);
      return exit_code::ok;
    }
    names.push_back(page.name);
  }
  return app::usage("manual: no page \"" + printable(name) + "\"" + did_you_mean(name, names) +
                    " (it is one of " + join(names, ", ") + ")");
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

app::Answer<int> manual_command(const CommandOptions& options, Terminal& terminal) {
  if (!options.man_pages.empty()) return write_pages(options.man_pages);
  if (!options.words.empty()) return print_page(options.words.front(), terminal);
  terminal.print(reference());
  return exit_code::ok;
}

}  // namespace gate::cli
