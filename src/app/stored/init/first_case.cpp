#include <algorithm>
#include <cctype>
#include <filesystem>
#include <tuple>

#include "gate/base/text.h"
#include "gate/base/unfinished.h"
#include "gate/config/case_names.h"
#include "gate/config/script_counts.h"
#include "gate/judging/case_judge.h"
#include "gate/judging/read_logs.h"
#include "gate/judging/refusals.h"
#include "gate/stored/init.h"

namespace gate::app {

namespace {

constexpr const char* as_in_examples = "; name it like gpt or pretrain/gpt_tp2";

// No shell and no glob means anything by the name, and no variant is called so.
bool is_name_letter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || byte >= 0x80 ||
         std::string_view("._-/").find(c) != std::string_view::npos;
}

Answer<void> check_first_name(const std::string& name) {
  if (const Status safe = store::check_case_name(name); !safe) return usage(safe.error());
  const bool is_hidden = std::ranges::any_of(split(name, '/'), [](std::string_view part) {
    return std::string_view("._-").find(part.front()) != std::string_view::npos;
  });
  if (std::ranges::all_of(name, is_name_letter) && !is_hidden && printable(name, name.size()) == name)
    return {};
  return usage("init \"" + printable(name, 120) +
               "\": a case's name has letters, digits, and . _ - / between them" + as_in_examples);
}

// One word with blanks is mostly a line for a shell, in quotes.
Answer<void> check_first_command(const std::vector<std::string>& command) {
  const std::string& program = command.front();
  if (trim(program).empty()) return usage("init: the command's first word is empty (an unset variable?)");
  if (command.size() > 1 || program.find_first_of(" \t\n") == std::string::npos || fs::exists(program))
    return {};
  return usage(
      "init: \"" + printable(program, 200) +
      "\" is one word, and no program is called so; write the command without quotes around all of it, "
      "or bash -c '...'");
}

// Return the file that is the case of the name: of a group whose prefix begins the name, else of the suite.
std::string script_for(const config::Policy& policy, const std::string& name) {
  std::string glob = "scripts/**.sh", prefix;
  for (const config::CaseGroup& group : policy.groups()) {
    const bool is_of = group.name.empty() ? prefix.empty() : name.starts_with(group.prefix());
    if (!is_of || group.kind != config::CaseKind::script || !group.cases.front().ends_with(".sh")) continue;
    glob = group.cases.front();
    prefix = group.prefix();
  }
  return fs::folder_before_hole(glob) + name.substr(prefix.size()) + ".sh";
}

std::string globs_of(const config::Policy& policy) {
  std::vector<std::string> globs;
  for (const config::CaseGroup& group : policy.groups())
    globs.insert(globs.end(), group.cases.begin(), group.cases.end());
  return join(globs, ", ");
}

// Return what the script says: it starts in the folder that the command was given in, seen from the script.
std::string script_text(const std::vector<std::string>& command, const std::string& needs,
                        const std::string& folder) {
  std::vector<std::string> words;
  for (const std::string& word : command) words.push_back(shell_quote(word));
  return "#!/usr/bin/env bash\n" + (needs.empty() ? "" : "#GATE " + needs + "\n") +
         "# Written by gate init. \"$@\" is what stands behind -- of gate run.\n"
         "cd \"$(dirname \"$0\")\"/" +
         shell_quote(folder) + " || exit\n" + join(words, " ") + " \"$@\"\n";
}

// What the command says of devices; else a suite that says nothing itself gives all of the host. Where there
// is none it runs without.
std::string needs_of_command(const std::vector<std::string>& command, const launch::HostFacts& host,
                             bool has_config) {
  if (host.device_nodes.empty()) return "";
  const config::ScriptCounts counts = config::read_script_counts(join(command, " ") + "\n");
  if (counts.devices) return "devices=" + std::to_string(*counts.devices);
  return has_config ? "" : "devices=all";
}

// Add what the recording alone has seen: the clocks, and what it ran on.
void add_what_was_seen(Baseline& candidate, const Baseline& recorded) {
  candidate.provenance = recorded.provenance;
  std::vector<Series>& all = candidate.runs.front().series;
  for (const Series& series : recorded.runs.front().series)
    if (std::ranges::find(all, series.metric(), &Series::metric) == all.end()) all.push_back(series);
}

Provenance provenance_of_run(const Report& report, Provenance seen) {
  seen.gate_version = report.gate_version;
  seen.date = report.started;
  seen.host = report.host;
  seen.device = report.platform;
  seen.commit = report.commit;
  seen.run = report.run;
  return seen;
}

}  // namespace

Answer<FirstCase> first_case(const SuiteOptions& where, const std::string& name,
                             const std::vector<std::string>& command, const launch::HostFacts& host) {
  GATE_TRY_STATUS(check_first_name(name));
  GATE_TRY_STATUS(check_first_command(command));
  if (const Status listed = fs::check_folder(where.folder); !listed) return usage(listed.error());
  const fs::Path folder = fs::whole_path(where.folder), found = root_of(where);
  FirstCase first{.suite = where, .name = name};
  if (found.empty()) first.suite.search = SuiteOptions::Search::nowhere;
  first.root = found.empty() ? folder : found;
  GATE_TRY(const Suite suite, open_suite_if_any(first.suite));
  first.has_config = fs::is_taken(suite.config);
  first.script = script_for(suite.policy, name);
  const fs::Path path = first.root / first.script;
  if (fs::is_taken(path))
    return refused(path.string() +
                   ": is there and is not overwritten; choose another name, or run what is there: gate run " +
                   shell_quote(name));
  const fs::Path start = folder.lexically_relative(fs::whole_path(path).parent_path());
  first.text =
      script_text(command, needs_of_command(command, host, first.has_config), start.generic_string());
  return first;
}

Answer<Suite> write_first_case(FirstCase& first) {
  const fs::Path path = first.root / first.script;
  for (fs::Path folder = path.parent_path(); fs::is_missing(folder); folder = folder.parent_path())
    first.made.push_back(folder);
  if (const Status made = fs::make_folder(path.parent_path()); !made) return infra(made.error());
  const fs::Path whole = fs::unfinished_beside(path);
  if (const Status written = fs::write_file(whole, first.text); !written) return infra(written.error());
  const Result<bool> moved = fs::move_to_free(whole, path);
  if (!moved.value_or(false)) {
    std::ignore = fs::remove_file(whole);
    return moved ? refused(path.string() + ": is there by now and is not overwritten") : infra(moved.error());
  }
  first.made.insert(first.made.begin(), path);
  GATE_TRY(Suite suite, open_suite(first.suite));
  const config::CaseScript* const found = suite.found_case(first.name);
  if (found == nullptr || found->script != first.script)
    return refused(first.script + ": is no case " + first.name + " by the globs of gate.toml (" +
                   globs_of(suite.policy) + "); choose a name that they find, or change `cases`");
  return suite;
}

std::vector<config::NextCommand> first_run_next(const std::string& name) {
  return {{"gate baseline accept " + name + " --reason \"first numbers\"",
           say({"make what was measured the baseline", "把测得的数值作为基线"})},
          {"gate run " + name, say({"run it again, and judge", "再运行一次并判定"})}};
}

void take_back(const FirstCase& first) {
  std::error_code not_empty;
  for (const fs::Path& made : first.made) std::filesystem::remove(made, not_empty);
}

Answer<std::optional<Baseline>> reread_candidate(const Suite& suite, const Report& recorded,
                                                 const std::string& name) {
  const CaseReport& run = *std::ranges::find(recorded.cases, name, &CaseReport::name);
  const config::Case& spec = *suite.find(name);
  const std::string& log = run.artifacts.at("log");
  GATE_TRY(const Extraction extraction, read_logs({log}, extract_options(spec, {})));
  if (const Status fit = check_fit_as_baseline(spec, extraction); !fit) return refused(fit.error().message);
  const bool is_ruled = std::ranges::any_of(extraction.series, [&](const Series& series) {
    return !series.empty() &&
           std::ranges::find(spec.rules, series.metric(), &Rule::metric) != spec.rules.end();
  });
  if (!is_ruled) return std::nullopt;
  Baseline candidate =
      make_candidate(spec, run.platform, extraction, provenance_of_run(recorded, extraction.provenance));
  candidate.environment = suite.environment;
  const auto kept = store::read_candidate(suite.layout, store::place_of(candidate));
  if (kept && kept->provenance.run == recorded.run) add_what_was_seen(candidate, *kept);
  if (const auto flaw = flaw_of_recording(candidate, spec))
    return refused(log + ": " + flaw->name + ": " + flaw->text.english());
  if (const Status written = store::write_candidate(suite.layout, candidate); !written)
    return infra(written.error());
  return candidate;
}

}  // namespace gate::app
