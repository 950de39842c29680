#include "gate/suite/suite.h"

#include <algorithm>

#include "gate/base/in_parallel.h"
#include "gate/base/text.h"
#include "gate/base/time.h"
#include "gate/base/variables.h"
#include "gate/store/run_folder.h"
#include "gate/suite/chosen_cases.h"
#include "gate/suite/git.h"
#include "gate/suite/predecessors.h"
#include "gate/suite/published.h"
#include "suite/golden_files.h"
#include "suite/job_patches.h"
#include "suite/ref_files.h"
#include "suite/resolved_case.h"
#include "suite/trusted_source.h"

namespace gate::app {

namespace {

// Tell whether what lies above the folder is of another project.
bool is_top(const fs::Path& folder) {
  return folder == folder.parent_path() || (fs::exists(folder / ".git") && !is_submodule(folder));
}

template <typename Test>
fs::Path nearest(const fs::Path& folder, Test test) {
  for (fs::Path at = folder;; at = at.parent_path()) {
    if (test(at)) return at;
    if (is_top(at)) return {};
  }
}

// Return the path from the root, without `.`, `..` and a slash at its end.
fs::Path absolute_path(const fs::Path& path) {
  const fs::Path normal = std::filesystem::absolute(path).lexically_normal();
  return normal.has_filename() || !normal.has_relative_path() ? normal : normal.parent_path();
}

Answer<std::string> read_policy_text(const fs::Path& config, bool named) {
  if (!named && !fs::is_taken(config) && fs::is_missing(config)) return std::string();
  return or_usage(fs::read_file(config));
}

// Return how the group's cases, found by that glob, have their baselines.
store::BaselineScheme scheme_of(const config::CaseGroup& group, std::size_t glob) {
  if (group.baselines.empty()) return {};
  return {group.baselines[std::min(glob, group.baselines.size() - 1)], group.prefix()};
}

store::BaselineLayout layout_of(const fs::Path& root, const config::Policy& policy) {
  store::BaselineLayout layout;
  layout.root = root;
  layout.schemes.clear();
  for (const config::CaseGroup& group : policy.groups())
    for (std::size_t glob = 0; glob < group.cases.size(); ++glob)
      if (const store::BaselineScheme scheme = scheme_of(group, glob);
          std::ranges::find(layout.schemes, scheme) == layout.schemes.end())
        layout.schemes.push_back(scheme);
  layout.platforms = policy.platforms();
  layout.shared = policy.shared();
  return layout;
}

// Tell the layout of the cases. Where each file is of the case that it is called by, there is nothing to
// tell.
Answer<void> add_cases(Suite& suite) {
  store::BaselineLayout& layout = suite.layout;
  for (const config::CaseGroup& group : suite.policy.groups())
    if (!group.name.empty() && store::is_platform(layout, group.name))
      return usage("gate.toml: [group." + group.name +
                   "]: is the name of a platform, whose baselines would lie "
                   "where those of the group do; choose another name");
  const bool is_plain =
      layout.schemes.size() == 1 && layout.schemes.front().path_template.find("{name}") == std::string::npos;
  if (is_plain) return {};
  std::vector<std::string> mistakes;
  for (const config::CaseScript& found : suite.found) {
    const store::BaselineScheme scheme = scheme_of(suite.policy.groups()[found.group], found.glob);
    const auto place = std::ranges::find(layout.schemes, scheme) - layout.schemes.begin();
    const Status added = store::add_case(layout, found.name, static_cast<std::size_t>(place));
    if (!added) mistakes.push_back("gate.toml: " + added.error().message);
  }
  for (const config::CaseScript& found : suite.found)
    if (const auto fits = store::check_place(layout, {"", found.name}); !fits)
      mistakes.push_back("gate.toml: the baselines of " + printable(found.name, 120) + ": " +
                         fits.error().message);
  if (!mistakes.empty()) return usage(join(mistakes, "\n"));
  store::add_orphans(layout);
  return {};
}

// Return the folder that the text means, `{git_root}/src`, whose holes are known ones.
fs::Path working_folder(const fs::Path& root, const std::string& text) {
  const fs::Path top = git_root(root);
  const fs::Path folder =
      config::expand(text, {{"git_root", (top.empty() ? root : top).string()}, {"suite", root.string()}})
          .value_or(root.string());
  return (folder.is_absolute() ? folder : root / folder).lexically_normal();
}

// The mistakes of the #GATE lines alone: what is said beside a gate.toml that cannot be read.
Diagnostics header_mistakes(const fs::Path& root) {
  const config::Policy built_in = *config::Policy::parse("", "");
  Diagnostics mistakes;
  const std::string& glob = built_in.groups().front().cases.front();
  for (const config::CaseScript& found : config::find_cases(glob, fs::files_for(root, glob))) {
    const std::string text = fs::read_file(root / found.script).value_or("");
    if (const auto resolved = built_in.resolve({found.name, found.script, text, {}}); !resolved)
      mistakes.insert(mistakes.end(), resolved.error().begin(), resolved.error().end());
  }
  return mistakes;
}

// Return the suite without cases.
Answer<Suite> suite_of_policy(const fs::Path& root, config::Policy policy, const std::string& text) {
  Suite suite{root, {}, "", std::move(policy), {}, {}, {}, {}, {}};
  for (const config::CaseGroup& group : suite.policy.groups())
    suite.cwds.push_back(working_folder(root, group.cwd).string());
  suite.cwd = suite.cwds.front();
  suite.policy_sha256 = fs::sha256(text);
  suite.layout = layout_of(root, suite.policy);
  suite.name = suite.policy.name().empty() ? root.filename().string() : suite.policy.name();
  return suite;
}

// No device is what a case of the cpu has, too: only where the platform is told to be another one is it a
// rehearsal of what runs there.
void take_rehearsal(Suite& suite, const SuiteOptions& options) {
  if (!options.launched_on) return;
  const std::string& told = options.launched_on->empty() ? suite.policy.platform() : *options.launched_on;
  const auto is_devices = [](const config::Override& word) { return word.key == "devices"; };
  const auto last = std::ranges::find_if(suite.overrides.rbegin(), suite.overrides.rend(), is_devices);
  if (told.empty() || told == "cpu" || last == suite.overrides.rend() || parse_integer(last->value) != 0)
    return;
  suite.rehearsal = *last;
  std::erase_if(suite.overrides, is_devices);
}

Answer<void> take_words(Suite& suite, const SuiteOptions& options) {
  suite.overrides = options.overrides;
  take_rehearsal(suite, options);
  suite.args = options.args;
  for (const std::string& regex : options.patterns) {
    GATE_TRY(const auto patterns, or_usage(extract::patterns_of(regex, "--pattern")));
    suite.given_patterns.insert(suite.given_patterns.end(), patterns.begin(), patterns.end());
  }
  suite.asked_for = options.config.empty() ? absolute_path(options.folder) : suite.root;
  suite.today = options.today.empty() ? to_iso(now()).substr(0, 10) : options.today;
  const bool is_told = !options.environment.empty();
  suite.environment = is_told ? options.environment : suite.policy.environment();
  if (const Status named = store::check_environment(suite.environment); !named)
    return usage((is_told ? "--environment: " : "gate.toml: [suite] ") + named.error().message);
  return {};
}

Answer<Suite> open_at(const fs::Path& root, const SuiteOptions& options) {
  const fs::Path config = options.config.empty() ? root / "gate.toml" : options.config;
  GATE_TRY(const std::string text, read_policy_text(config, !options.config.empty()));
  std::string further;
  if (!options.metrics_from.empty()) {
    GATE_TRY(further, read_policy_text(options.metrics_from, true));
  }
  config::Parsed<config::Policy> policy = config::Policy::parse(
      text, options.config.empty() ? "gate.toml" : options.config.string(), further, options.metrics_from);
  if (!policy) {
    Diagnostics mistakes = policy.error();
    for (Diagnostic& mistake : header_mistakes(root)) mistakes.push_back(std::move(mistake));
    return usage(to_string(mistakes));
  }
  GATE_TRY(Suite suite, suite_of_policy(root, std::move(*policy), text));
  suite.config = config;
  GATE_TRY_STATUS(take_words(suite, options));
  return suite;
}

// Fail unless all cases that the glob finds are known: one that nobody sees would be none that is red.
Answer<void> check_listed(const fs::Listing& listing, const config::CaseGroup& group) {
  for (const std::string& folder : listing.unread) {
    const auto leaves_out = [&](const std::string& glob) { return glob_match(glob, folder + "/x.sh"); };
    if (!std::ranges::any_of(group.left_out, leaves_out))
      return infra(folder + ": cannot list the folder: " + listing.why +
                   "; cases in it would not be known: make it readable, or leave it out: cases = [..., \"!" +
                   folder + "/**\"]");
  }
  return {};
}

// Return the files below the suite's folder that the policy's globs of cases find, sorted.
Answer<std::vector<std::string>> files_of_cases(const config::Policy& policy, const Suite& suite) {
  std::vector<std::string> files;
  for (const config::CaseGroup& group : policy.groups())
    for (const std::string& glob : group.cases) {
      fs::Listing listing = fs::list_for(suite.root, glob);
      GATE_TRY_STATUS(check_listed(listing, group));
      std::ranges::move(listing.files, std::back_inserter(files));
    }
  if (!std::ranges::is_sorted(files)) std::ranges::sort(files);  // each listing is
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

// Return the cases that a glob with `!` leaves out, and the variants that `--set param.NAME=VALUE` does.
Answer<std::vector<std::string>> cases_left_out(const Suite& suite) {
  std::vector<std::string> names;
  if (!std::ranges::all_of(suite.policy.groups(), &std::vector<std::string>::empty,
                           &config::CaseGroup::left_out)) {
    GATE_TRY(const auto files, files_of_cases(suite.policy, suite));
    names = suite.policy.left_out(files);
  }
  if (!suite.policy.narrows(suite.overrides)) return names;
  Suite whole = suite;
  std::erase_if(whole.overrides, [](const config::Override& word) { return word.key.starts_with("param."); });
  GATE_TRY(const auto found, cases_by_policy(whole.policy, whole, config::Unmatched::allowed));
  for (const config::CaseScript& one : found)
    if (suite.found_case(one.name) == nullptr) names.push_back(one.name);
  return names;
}

// Tell whether a run was told more than which cases.
bool was_told(const Report& report) {
  return !report.set.empty() ||
         !std::ranges::all_of(report.cases, &std::vector<std::string>::empty, &CaseReport::args);
}

// Who was told what in an earlier run is told it again. Words that select nothing are told of where the cases
// are chosen.
void take_named(Suite& suite, const SuiteOptions& options) {
  std::vector<std::string> words = options.words;
  if (options.earlier)
    if (const auto report = store::read_run(suite.root, *options.earlier); report && was_told(*report))
      words = report->words;
  if (words.empty()) return;
  if (const auto names = select_names(suite, words, with_gone(suite), options.folder))
    suite.named.emplace(names->begin(), names->end());
}

// What the variables of the case, else gate's own, say of the devices of cases that are launched.
Answer<void> take_device_counts(Suite& suite, const SuiteOptions& options) {
  constexpr std::int64_t most = 1'000'000;
  if (!options.launched_on) return {};
  const std::map<std::string, std::string> variables = own_variables();
  Diagnostics mistakes;
  for (config::Case& spec : suite.cases) {
    const std::string& name = spec.settings.devices_variable;
    if (name.empty() || !suite.is_told(spec.name)) continue;
    const std::map<std::string, std::string>& said =
        spec.settings.env.contains(name) ? spec.settings.env : variables;
    const auto found = said.find(name);
    const std::string text = found == said.end() ? "" : found->second;
    const auto count = std::ranges::all_of(text, is_digit) ? parse_integer(text) : std::nullopt;
    if (count && *count >= 1 && *count <= most) {
      spec.settings.devices = static_cast<int>(*count);
      continue;
    }
    mistakes.push_back(
        {place_of_setting(suite, spec, "devices"),
         spec.name + ": devices is {env." + name + "}, and " + name + " is " +
             (found != said.end()
                  ? "\"" + printable(text, 80) + "\", no number of devices from 1 to " + std::to_string(most)
                  : "not set")});
  }
  return mistakes.empty() ? Answer<void>() : usage(to_string(mistakes));
}

// Resolve the cases of the scripts that were found.
Answer<void> resolve_cases(Suite& suite) {
  GATE_TRY_STATUS(add_cases(suite));
  GATE_TRY(suite.left_out, cases_left_out(suite));
  Diagnostics mistakes;
  ScriptTexts texts;
  GATE_TRY(texts.references, references_in(suite.trusted ? suite.trusted->at_ref.root : suite.root));
  SpokenNames names = spoken_of(suite);
  std::vector<config::Case> cases(suite.found.size());
  std::vector<Diagnostics> mistakes_of(cases.size());
  in_parallel(cases.size(), worthwhile_threads(cases.size()), [&](std::size_t i) {
    ResolvedCase resolved = resolve_case(suite, suite.found[i], names, texts);
    if (!suite.found[i].variant) texts.forget(suite.root / suite.found[i].script);
    mistakes_of[i] = std::move(resolved.mistakes);
    if (resolved.spec) cases[i] = std::move(*resolved.spec);
  });
  std::erase_if(cases, [](const config::Case& one) { return one.name.empty(); });
  suite.cases = std::move(cases);
  for (Diagnostics& own : mistakes_of) std::ranges::move(own, std::back_inserter(mistakes));
  const auto place_of_after = [&](const config::Case& spec) {
    return place_of_setting(suite, spec, "after");
  };
  std::ranges::move(check_circles(suite.cases, place_of_after), std::back_inserter(mistakes));
  if (suite.trusted)
    for (const config::CaseScript& found : suite.trusted->at_ref.found)
      if (found.variant) names.all.push_back(found.variant->base);
  const Diagnostics unmatched = suite.policy.unmatched_blocks(names.all);
  mistakes.insert(mistakes.end(), unmatched.begin(), unmatched.end());
  std::set<std::string> seen;
  std::erase_if(mistakes, [&](const Diagnostic& one) { return !seen.insert(to_string(one)).second; });
  return mistakes.empty() ? Answer<void>() : usage(to_string(mistakes));
}

// Return the suite with the tree's scripts, judged by the ref.
Answer<Suite> under_policy_of(const std::string& reference, Suite tree, const SuiteOptions& options) {
  GATE_TRY(Suite at_ref, suite_at_ref(tree, reference));
  GATE_TRY(TrustedSource source, trusted_source(std::move(at_ref), std::move(tree), reference));
  const Suite& own = source.tree;
  GATE_TRY(Suite suite, suite_of_policy(own.root, source.at_ref.policy, ""));
  suite.policy_sha256 = source.at_ref.policy_sha256;
  suite.config = own.config;
  GATE_TRY_STATUS(take_words(suite, options));
  suite.layout.files = source.at_ref.root;
  GATE_TRY(suite.found, cases_by_policy(suite.policy, suite, config::Unmatched::allowed));
  suite.trusted = std::make_shared<const TrustedSource>(std::move(source));
  take_named(suite, options);
  GATE_TRY_STATUS(resolve_cases(suite));
  GATE_TRY_STATUS(take_device_counts(suite, options));
  GATE_TRY_STATUS(take_job_patches(suite));
  return suite;
}

}  // namespace

fs::Path root_of(const SuiteOptions& options) {
  if (options.search == SuiteOptions::Search::nowhere) return absolute_path(options.folder);
  return options.config.empty() ? find_suite_root(options.folder)
                                : absolute_path(options.config).parent_path();
}

const config::Case* Suite::find(const std::string& case_name) const {
  const auto it = std::ranges::lower_bound(cases, case_name, {}, &config::Case::name);
  return it == cases.end() || it->name != case_name ? nullptr : &*it;
}

const config::CaseScript* Suite::found_case(const std::string& case_name) const {
  const auto it = std::ranges::lower_bound(found, case_name, {}, &config::CaseScript::name);
  return it == found.end() || it->name != case_name ? nullptr : &*it;
}

bool Suite::has_chosen(const std::string& case_name) const {
  return !strategy || strategy->cases.contains(case_name);
}

bool Suite::is_told(const std::string& case_name) const { return !named || named->contains(case_name); }

std::vector<config::Override> Suite::overrides_of(const std::string& case_name) const {
  std::vector<config::Override> own = overrides;
  if (!is_told(case_name))
    std::erase_if(own, [](const auto& one) { return one.origin == "--set" || one.origin == "--env"; });
  return own;
}

fs::Path find_suite_root(const fs::Path& folder) {
  const fs::Path start = absolute_path(folder);
  const fs::Path root = nearest(start, [](const fs::Path& at) {
    return !fs::is_missing(at / "gate.toml") ||
           (fs::is_folder(at / "scripts") && fs::is_folder(at / "baselines"));
  });
  return !root.empty() ? root : nearest(start, [](const fs::Path& at) {
    return std::ranges::any_of(fs::files_below(at / "scripts"),
                               [](const std::string& file) { return file.ends_with(".sh"); });
  });
}

tl::unexpected<Failure> no_suite(const fs::Path& folder) {
  return usage(
      absolute_path(folder).string() +
      ": no suite here or above: gate init NAME -- COMMAND makes one of a training's command, gate init LOG "
      "of a log; name another folder with -C");
}

Answer<Suite> open_suite(const SuiteOptions& options) {
  const fs::Path root = root_of(options);
  if (root.empty()) return no_suite(options.folder);
  GATE_TRY(Suite suite, open_at(root, options));
  GATE_TRY(suite.found, cases_by_policy(suite.policy, suite));
  take_named(suite, options);
  GATE_TRY_STATUS(resolve_cases(suite));
  GATE_TRY_STATUS(take_job_patches(suite));
  if (options.policy_from.empty())
    return take_device_counts(suite, options).map([&] { return std::move(suite); });
  return under_policy_of(options.policy_from, std::move(suite), options);
}

Answer<Suite> suite_at_ref(const Suite& tree, const std::string& reference) {
  GATE_TRY(RefFiles files, files_at_ref(tree, reference));
  GATE_TRY(Suite suite, suite_of_policy(files.root, std::move(files.policy), files.policy_text));
  suite.today = tree.today;
  suite.read_from = reference + ":";
  suite.found = std::move(files.scripts);
  suite.held = std::move(files.folder);
  suite.commit = files.commit;
  GATE_TRY_STATUS(resolve_cases(suite));
  std::vector<std::string> named = patch_paths(suite);
  for (const config::Case& spec : suite.cases)
    std::ranges::move(golden_paths(spec, suite.root), std::back_inserter(named));
  GATE_TRY_STATUS(add_files_at_ref(tree, files.commit, named, suite.root));
  GATE_TRY_STATUS(take_job_patches(suite));
  return suite;
}

Answer<std::vector<config::CaseScript>> cases_by_policy(const config::Policy& policy, const Suite& suite,
                                                        config::Unmatched unmatched) {
  GATE_TRY(const auto files, files_of_cases(policy, suite));
  auto found = policy.find_cases(files, suite.overrides, unmatched);
  if (!found) return usage(to_string(found.error()));
  return std::move(*found);
}

Answer<Suite> open_suite_if_any(const SuiteOptions& options) {
  const fs::Path root = root_of(options);
  return open_at(root.empty() ? absolute_path(options.folder) : root, options);
}

std::optional<Quarantine> quarantine_on(const config::Case& spec, const std::string& today) {
  const std::optional<Quarantine>& quarantine = spec.settings.quarantine;
  return quarantine && today <= quarantine->until ? quarantine : std::nullopt;
}

std::string as_suite_path(const Suite& suite, const std::string& word, const fs::Path& folder) {
  const fs::Path path = absolute_path(folder / word);
  if (is_glob(word) || suite.found_case(word) != nullptr || !fs::exists(path) || fs::is_folder(path))
    return word;
  return path.lexically_relative(suite.root).generic_string();
}

}  // namespace gate::app
