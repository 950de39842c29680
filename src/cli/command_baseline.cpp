#include "cli/accepting.h"
#include "cli/command_functions.h"
#include "gate/app/baseline.h"
#include "gate/base/text.h"
#include "gate/model/step_set.h"
#include "gate/render/table_json.h"
#include "gate/schema/baseline_file.h"
#include "gate/schema/result_file.h"
#include "gate/store/suite_folder.h"

namespace gate::cli {

namespace {

std::vector<std::vector<std::string>> diff_table(const std::vector<app::DiffRow>& diff) {
  std::vector<std::vector<std::string>> rows{
      {"case", "series", "compared", "mean before", "mean after", "change", "largest at one step", "check"}};
  for (const app::DiffRow& row : diff)
    rows.push_back(
        {row.case_name, row.series, row.steps, row.before, row.after, row.change, row.largest, row.verdict});
  return rows;
}

std::string shown_acceptance(const Acceptance& entry) {
  std::string out = entry.when + "  " + entry.who + "  from " + entry.from + ": " + entry.reason;
  if (!entry.metrics.empty()) out += " (metrics " + join(entry.metrics, ", ") + ")";
  if (!entry.despite.empty()) out += " (despite " + join(entry.despite, ", ") + ")";
  return out + "\n";
}

std::vector<std::vector<std::string>> series_table(const Baseline& baseline) {
  std::vector<std::vector<std::string>> rows{{"series", "numbers", "first", "last", "unit"}};
  if (baseline.runs.size() > 1) rows.front().insert(rows.front().begin(), "run");
  for (std::size_t run = 0; run < baseline.runs.size(); ++run)
    for (const Series& series : baseline.runs[run].series) {
      const std::string assumed = series.assumed() ? " (assumed)" : "";
      rows.push_back({label(series),
                      std::string(to_string(series.numbered())) + " " +
                          to_string(StepSet(series.samples().numbers())) + assumed,
                      series.samples().front().text, series.samples().back().text, series.unit()});
      if (baseline.runs.size() > 1) rows.back().insert(rows.back().begin(), std::to_string(run + 1));
    }
  return rows;
}

std::string baseline_text(const store::BaselineFile& file, const render::Style& style) {
  const Baseline& baseline = file.baseline;
  std::string out = file.path + "\n  case " + baseline.case_name + ", platform " +
                    (baseline.platform.empty() ? "any" : baseline.platform) + ", sha256 " + file.sha256 +
                    "\n\n";
  out += render::table(series_table(baseline), style);
  for (const std::string& note : baseline.notes) out += "note  " + note + "\n";
  for (const Acceptance& entry : baseline.accepted) out += "accepted  " + shown_acceptance(entry);
  return out;
}

}  // namespace

int accept_command(const Options& options, Terminal& terminal) {
  const app::Answer<app::Suite> suite = suite_of(options);
  if (!suite) return terminal.fail(suite.error());
  return accept_and_tell(*suite, options, terminal);
}

int diff_command(const Options& options, Terminal& terminal) {
  const app::Answer<app::Suite> suite = suite_of(options);
  if (!suite) return terminal.fail(suite.error());
  app::LocalHost host = this_host();
  app::Environment machine = this_machine(host, [](const Event&) {});
  const app::Answer<app::Diff> diff = app::diff(*suite, options.words, options.from, machine);
  if (!diff) return terminal.fail(diff.error());
  if (options.json) {
    terminal.print(schema::write_result(diff->report));
  } else {
    terminal.print(render::table(diff_table(diff->rows), terminal.style()) + "\n");
    terminal.print(render::text(diff->report, terminal.style()));
  }
  return diff->report.exit_code;
}

int show_command(const Options& options, Terminal& terminal) {
  const app::Answer<app::Suite> suite = suite_of(options);
  if (!suite) return terminal.fail(suite.error());
  const auto file = app::find_baseline(*suite, options.words.front(), options.folder, options.platform);
  if (!file) return terminal.fail(file.error());
  terminal.print(options.json ? schema::write_baseline(file->baseline)
                              : baseline_text(*file, terminal.style()));
  return exit_code::ok;
}

}  // namespace gate::cli
