#include "cli/accepting.h"
#include "cli/command_functions.h"
#include "gate/app/baseline.h"
#include "gate/app/import_tree.h"
#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/config/margins.h"
#include "gate/render/imported.h"
#include "gate/schema/baseline_file.h"
#include "gate/schema/golden_steps.h"

namespace gate::cli {

namespace {

// Return the first word that only accepting uses, or nullptr.
const char* flag_of_accept(const Options& options) {
  if (!options.reason.empty()) return "--reason";
  if (!options.metrics.empty()) return "--metrics";
  return options.despite.empty() ? nullptr : "--despite";
}

// Return the steps that --steps gives, or what is wrong with the words of the command.
Result<std::vector<std::int64_t>> chosen_steps(const Options& options) {
  const auto wrong = [](const char* text) { return fail(std::string("baseline import") + text); };
  if (options.tree.empty() && options.words.empty())
    return wrong(": name a FILE, or a folder of golden files with --tree DIR");
  if (!options.tree.empty() && !options.words.empty())
    return wrong(" --tree: the files are those below the folder; name no FILE");
  if (options.tree.empty() && options.case_name.empty())
    return wrong(": --case is needed: say which case the file is for");
  if (options.accept && trim(options.reason).empty())
    return wrong(" --accept: --reason is needed: say why these numbers are right");
  if (const char* flag = flag_of_accept(options); !options.accept && flag != nullptr)
    return fail(std::string("baseline import ") + flag +
                ": it is of --accept; add --accept, or leave it out");
  return options.steps.empty() ? Result<std::vector<std::int64_t>>() : schema::read_steps(options.steps);
}

void warn_of_margins(const app::Suite& suite, render::ImportedFiles files) {
  const auto of_no_case = app::case_of_no_script(suite, {});
  if (!of_no_case) return;
  const std::string warning =
      render::margin_warning(files, of_no_case->settings.profile, of_no_case->settings.shadow);
  if (!warning.empty()) log::warn(warning);
}

// The same of a single file as of a tree.
void tell_margins(const app::Suite& suite, const Options& options, const Baseline& candidate,
                  Terminal& terminal) {
  const ImportedFile file{options.words.front(), true, candidate};
  const config::CaseMargins margins{candidate.case_name, candidate.margins};
  if (!options.json)
    terminal.print(render::margin_text(std::span(&file, 1),
                                       config::margin_blocks(std::span(&margins, 1), suite.cases.size())));
  warn_of_margins(suite, std::span(&file, 1));
}

void tell_candidate(const app::Suite& suite, const Baseline& candidate, Terminal& terminal) {
  const std::string name = shell_quote(candidate.case_name);
  terminal.print("candidate " +
                 store::candidate_path(suite.layout, {candidate.platform, candidate.case_name}).string() +
                 "\nlook    gate baseline diff " + name + "\naccept  gate baseline accept " + name +
                 " --reason \"...\"\n");
}

int accept_one(const app::Suite& suite, const Baseline& candidate, Options options, Terminal& terminal) {
  if (!candidate.platform.empty()) options.to = "platform";
  app::AcceptOptions accept = accept_options(options);
  accept.named.push_back(candidate.case_name);
  const auto accepted = app::accept_these(suite, {candidate}, accept, now());
  if (!accepted) return terminal.fail(accepted.error());
  terminal.print(options.json ? render::accepted_json(*accepted)
                              : render::accepted_text(*accepted, terminal.style()));
  return exit_code::ok;
}

int import_file(const app::Suite& suite, const Options& options, app::ImportOptions import,
                Terminal& terminal) {
  const auto overrides = options.overrides();
  if (!overrides) return terminal.fail({exit_code::usage, overrides.error().message});
  import.overrides = *overrides;
  const auto candidate = app::import(suite, import, now());
  if (!candidate) return terminal.fail(candidate.error());
  if (!options.json)
    for (const std::string& note : candidate->notes) terminal.print("note  " + note + "\n");
  tell_margins(suite, options, *candidate, terminal);
  if (options.accept) return accept_one(suite, *candidate, options, terminal);
  if (options.json)
    terminal.print(schema::write_baseline(*candidate));
  else
    tell_candidate(suite, *candidate, terminal);
  return exit_code::ok;
}

// Those with a platform become baselines of it, the others general ones.
app::Answer<render::Acceptances> accept_all(const app::Suite& suite, const TreeImport& import,
                                            Options options) {
  std::vector<Baseline> candidates;
  for (const ImportedFile& file : import.imported) {
    candidates.push_back(file.candidate);
    if (!file.candidate.platform.empty()) options.to = "platform";
  }
  return app::accept_these(suite, candidates, accept_options(options), now());
}

void tell(const app::Suite& suite, const TreeImport& import, const render::Acceptances* accepted,
          const Options& options, Terminal& terminal) {
  terminal.print(options.json ? render::import_json(import, accepted)
                              : render::import_text(import, accepted, terminal.style()));
  warn_of_margins(suite, import.imported);
}

int import_tree(const app::Suite& suite, const Options& options, const app::TreeOptions& tree,
                Terminal& terminal) {
  const auto import = app::import_tree(suite, tree, now());
  if (!import) return terminal.fail(import.error());
  const int done = import->refused.empty() && !import->imported.empty() ? exit_code::ok : exit_code::refused;
  if (!options.accept || import->imported.empty()) {
    tell(suite, *import, nullptr, options, terminal);
    return done;
  }
  const auto accepted = accept_all(suite, *import, options);
  tell(suite, *import, accepted ? &*accepted : nullptr, options, terminal);
  return accepted ? done : terminal.fail(accepted.error());
}

}  // namespace

int import_command(const Options& options, Terminal& terminal) {
  const auto steps = chosen_steps(options);
  if (!steps) return terminal.fail({exit_code::usage, steps.error().message});
  const app::Answer<app::Suite> suite = suite_of(options);
  if (!suite) return terminal.fail(suite.error());
  if (!options.tree.empty())
    return import_tree(*suite, options, {options.tree, options.case_name, options.platform, *steps},
                       terminal);
  return import_file(*suite, options, {options.words, options.case_name, options.platform, {}, *steps},
                     terminal);
}

}  // namespace gate::cli
