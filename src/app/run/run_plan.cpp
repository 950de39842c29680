#include "app/run/run_plan.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "app/suite/chosen_cases.h"
#include "gate/app/devices.h"
#include "gate/app/git.h"
#include "gate/app/secrets.h"
#include "gate/base/text.h"
#include "gate/config/script_counts.h"
#include "gate/extract/extractor.h"

namespace gate::app {

namespace {

Answer<PlannedCase> plan_case(const Suite& suite, const config::Case& spec, const RunOptions& options,
                              const HostPlatform& host, const Masker& masker) {
  if (const std::string& profile = spec.settings.profile; profile != "gate" && options.confirm > 1)
    return usage("--confirm: the profile " + profile +
                 " judges single runs; leave --confirm out, or use --profile gate");
  PlannedCase planned{&spec, place(spec.settings, host), {}, "", {}, {}};
  const auto files = store::read_baselines(suite.layout, spec.name, planned.placement.platform);
  if (!files) return usage(files.error());
  planned.against = judged_against(*files);
  const auto reader = extract::Extractor::make(extract_options(spec, planned.against.reference));
  if (!reader) return usage(spec.name + ": " + reader.error().message);
  const std::string script = fs::read_file(suite.root / spec.script).value_or("");
  planned.script_sha256 = fs::sha256(script);
  GATE_TRY(Inputs inputs,
           inputs_of(suite, spec, planned.against, planned.placement.platform, options.args, masker));
  planned.inputs = std::move(inputs);
  planned.fixed_port = config::read_script_counts(script).port;
  return planned;
}

bool waits_for(const PlannedCase& planned, const std::vector<PlannedCase>& cases) {
  const std::vector<std::string> partners = partners_of(*planned.spec);
  return std::any_of(cases.begin(), cases.end(), [&](const PlannedCase& other) {
    return std::binary_search(partners.begin(), partners.end(), other.spec->name);
  });
}

// Return the folder that a glob or a template names without a character of either kind; "" where it is the
// suite's.
std::string fixed_folder(const std::string& text) {
  const std::string fixed = text.substr(0, text.find_first_of("*?[{"));
  return fixed.substr(0, fixed.rfind('/') + 1);
}

bool is_within(const fs::Path& path, const fs::Path& folder) {
  return (fs::whole_path(path) / "").native().starts_with((fs::whole_path(folder) / "").native());
}

// Return the folders below the suite's that hold its scripts and baselines.
std::set<std::string> folders_of(const Suite& suite) {
  std::set<std::string> folders{fixed_folder(suite.policy.cases()), fixed_folder(suite.layout.path_template)};
  for (const config::Case& one : suite.cases) folders.insert(one.script.substr(0, one.script.rfind('/') + 1));
  folders.erase("");
  return folders;
}

// Return which of them a path lies in; "" where in none.
std::string folder_around(const Suite& suite, const fs::Path& path) {
  for (const std::string& folder : folders_of(suite))
    if (is_within(path, suite.root / folder)) return folder;
  return "";
}

// What a run writes would be taken for cases and baselines, or written over them.
Answer<void> check_out(const Suite& suite, const std::string& out) {
  if (out.empty()) return {};
  const std::string name = "--out " + printable(out, 120);
  if (const std::string folder = folder_around(suite, out); !folder.empty())
    return usage(name + " lies in " + folder +
                 ", where the suite has its scripts or baselines; name another folder");
  const fs::Path own = fs::whole_path(suite.root / ".gate"), path = fs::whole_path(out);
  if (path == own || path == own / "runs" || path == own / "candidates")
    return usage(name + " holds more than one run; name another folder");
  if (fs::is_taken(out) && !fs::is_folder(out)) return usage(name + " is no folder; name another one");
  return {};
}

std::string joined_names(const std::vector<PlannedCase>& cases) {
  std::vector<std::string> names;
  for (const PlannedCase& planned : cases) names.push_back(planned.spec->name);
  return join(names, ", ");
}

// Put the cases behind those that they are judged beside; the order stays otherwise.
Answer<void> put_in_order(std::vector<PlannedCase>& cases) {
  std::vector<PlannedCase> waiting;
  const auto has_partners = [](const PlannedCase& planned) { return !partners_of(*planned.spec).empty(); };
  std::copy_if(cases.begin(), cases.end(), std::back_inserter(waiting), has_partners);
  std::erase_if(cases, has_partners);
  while (!waiting.empty()) {
    const auto next = std::find_if(waiting.begin(), waiting.end(),
                                   [&](const PlannedCase& planned) { return !waits_for(planned, waiting); });
    if (next == waiting.end())
      return usage(
          "each of these cases is judged beside the run of another of them: " + joined_names(waiting) +
          "; a formula names them: keep the rule on its metric in the [case.\"NAME\"] of one case");
    cases.push_back(std::move(*next));
    waiting.erase(next);
  }
  return {};
}

// Nothing is asked where no case could use a device.
HostPlatform host_for(const std::vector<const config::Case*>& cases, const std::string& flag,
                      const std::string& suite, const Environment& machine) {
  const std::string& told = flag.empty() ? suite : flag;
  const bool wanted = told != "cpu" && std::any_of(cases.begin(), cases.end(), [](const config::Case* one) {
                        return one->settings.devices != 0;
                      });
  return platform_of_host(wanted ? machine.host.inventory() : devices::Attached{}, flag, suite);
}

// The words as they mean the same from every folder: scripts by the names of their cases.
std::vector<std::string> as_names(const Suite& suite, const RunOptions& options) {
  std::vector<std::string> names = exact_names(suite, options.words, suite.found, options.folder);
  std::copy_if(options.words.begin(), options.words.end(), std::back_inserter(names), is_glob);
  return names;
}

CaseReport orphan_report(const std::string& name) {
  CaseReport report;
  report.name = name;
  report.verdict = Verdict::unjudged;
  report.reason = "it has a baseline and no script: restore the script, or remove the baseline";
  return report;
}

CaseReport planned_case_report(const PlannedCase& planned, const RunOptions& options) {
  CaseReport report;
  report.name = planned.spec->name;
  report.platform = planned.placement.platform;
  report.devices = planned.placement.devices;
  report.profile = planned.spec->settings.profile;
  report.owner = planned.spec->settings.owner;
  report.baselines = planned.against.files;
  report.total = planned.against.reference.last_step;
  report.args = options.args;
  report.inputs = planned.inputs;
  const bool refused = options.skipping == Skipping::refused;
  switch (planned.placement.kind) {
    case Placement::Kind::run:
      report.reason = "not run";
      break;
    case Placement::Kind::skipped:
      report.verdict = refused ? Verdict::infra : Verdict::skipped;
      report.reason = planned.placement.reason;
      break;
    case Placement::Kind::infra:
      report.verdict = Verdict::infra;
      report.reason = planned.placement.reason;
      break;
  }
  return report;
}

}  // namespace

Answer<RunPlan> make_plan(const Suite& suite, const RunOptions& options, Environment& machine) {
  if (const Answer<void> out = check_out(suite, options.out); !out) return tl::unexpected(out.error());
  GATE_TRY(const auto chosen, choose(suite, options.words, options.tags, options.folder));
  const HostPlatform host = host_for(chosen, options.platform, suite.policy.platform(), machine);
  RunPlan plan;
  plan.platform = host.platform;
  plan.devices = host.devices();
  std::set<std::string> mistakes;
  const Masker masker = masker_for(suite);
  for (const config::Case* spec : chosen) {
    Answer<PlannedCase> planned = plan_case(suite, *spec, options, host, masker);
    planned ? plan.cases.push_back(std::move(*planned)) : void(mistakes.insert(planned.error().message));
  }
  if (!mistakes.empty()) return usage(join(std::vector<std::string>(mistakes.begin(), mistakes.end()), "\n"));
  if (const Answer<void> order = put_in_order(plan.cases); !order) return tl::unexpected(order.error());
  if (options.words.empty() && options.tags.empty()) plan.orphans = find_orphans(suite);
  plan.named = exact_names(suite, options.words, suite.found, options.folder);
  return plan;
}

Report planned_report(const Suite& suite, const RunOptions& options, const RunPlan& plan,
                      const launch::HostFacts& host, Moment now) {
  Report report;
  report.gate_version = GATE_VERSION;
  report.suite = suite.name;
  report.command = "run";
  report.host = host.name;
  report.platform = plan.platform;
  report.commit = git_commit(suite.root);
  report.started = report.finished = to_iso(now);
  report.words = as_names(suite, options);
  report.tags = options.tags;
  report.set = options.set;
  for (const std::string& name : plan.orphans) report.cases.push_back(orphan_report(name));
  for (const PlannedCase& planned : plan.cases) report.cases.push_back(planned_case_report(planned, options));
  std::stable_sort(report.cases.begin(), report.cases.end(),
                   [](const CaseReport& a, const CaseReport& b) { return a.name < b.name; });
  report.exit_code = exit_code_of(report, plan.named);
  return report;
}

Answer<void> check_reports(const Suite& suite, const std::vector<std::string>& paths,
                           const std::string& out) {
  constexpr std::array<std::string_view, 6> written_by_runs{"result.json", "log.txt",    "series.json",
                                                            "lock",        "history.db", "evidence.txt"};
  for (const std::string& path : paths) {
    const std::string name = printable(path, 120);
    const fs::Path file = fs::whole_path(path);
    if (const std::string folder = folder_around(suite, path); !folder.empty())
      return usage(name + " lies in " + folder +
                   ", where the suite has its scripts or baselines; write the report elsewhere");
    const bool in_run = is_within(path, suite.root / ".gate") || (!out.empty() && is_within(path, out));
    const bool is_own =
        in_run && std::ranges::find(written_by_runs, file.filename().string()) != written_by_runs.end();
    if (is_own || file == fs::whole_path(suite.root / "gate.toml"))
      return usage(name + " is a file of the suite's own; write the report elsewhere");
  }
  return {};
}

}  // namespace gate::app
