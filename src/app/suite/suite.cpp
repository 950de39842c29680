#include "gate/suite/suite.h"

#include <algorithm>
#include <mutex>

#include "gate/base/in_parallel.h"
#include "gate/base/text.h"
#include "gate/base/time.h"
#include "gate/store/run_folder.h"
#include "gate/suite/chosen_cases.h"
#include "gate/suite/git.h"
#include "gate/suite/predecessors.h"
#include "gate/suite/profile_choice.h"
#include "gate/suite/published.h"
#include "suite/golden_files.h"
#include "suite/ref_files.h"
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
  if (!named && !fs::is_taken(config)) return std::string();
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

std::string setting_place(const std::string& key, const config::Policy& policy,
                          const config::ResolveRequest& request) {
  const auto origins = policy.explain(request);
  if (!origins) return "";
  const auto set = std::ranges::find(*origins, key, &config::SettingOrigin::key);
  return set == origins->end() ? "" : set->origin;
}

// A quarantine or a waiver that nobody would outlive is what nobody judges.
std::string too_long(const char* what, const std::string& until, const std::string& today) {
  constexpr std::int64_t longest = 90;
  const auto days = days_between(today, until);
  if (days && *days <= longest) return "";
  return std::string(what) + " is " + std::to_string(longest) + " days long at most, and until " + until +
         " it is " + (days ? std::to_string(*days) : "more");
}

// The given ones win if both read a metric.
std::vector<extract::UserPattern> with_given(std::vector<extract::UserPattern> declared,
                                             const std::vector<extract::UserPattern>& given) {
  for (const extract::UserPattern& pattern : given)
    std::erase_if(declared, [&](const auto& other) { return other.metric == pattern.metric; });
  declared.insert(declared.end(), given.begin(), given.end());
  return declared;
}

config::Parsed<config::Case> resolve(const Suite& suite, const config::ResolveRequest& request) {
  config::Parsed<config::Case> resolved = suite.policy.resolve(request);
  if (!resolved) return resolved;
  resolved->patterns = with_given(std::move(resolved->patterns), suite.given_patterns);
  Diagnostics mistakes;
  if (!resolved->settings.container.image.empty() && !resolved->settings.container.exec.empty())
    mistakes.push_back(
        {{setting_place("container.exec", suite.policy, request)},
         "container.image and container.exec exclude one another; an empty text takes one back"});
  const auto demand_end = [&](const char* what, const std::string& until, const std::string& key) {
    if (std::string mistake = too_long(what, until, suite.today); !mistake.empty())
      mistakes.push_back({{setting_place(key, suite.policy, request)}, std::move(mistake)});
  };
  if (const auto& quarantine = resolved->settings.quarantine)
    demand_end("a quarantine", quarantine->until, "quarantine.until");
  for (const Rule& rule : resolved->rules)
    if (rule.waive) demand_end("a waiver", rule.waive->until, "rules." + rule.name + ".waive.until");
  if (const auto mistake = profile_mistake(resolved->settings, request))
    mistakes.push_back({{setting_place(mistake->key, suite.policy, request)}, mistake->message});
  if (!mistakes.empty()) return tl::unexpected(std::move(mistakes));
  return resolved;
}

// The names that a policy may speak of.
struct SpokenNames {
  std::vector<std::string> cases;                            // sorted
  std::vector<std::string> all;                              // with those of which they are variants; sorted
  std::map<std::string, std::vector<std::string>> variants;  // by the name of their case
};

SpokenNames spoken_of(const Suite& suite) {
  SpokenNames names;
  for (const config::CaseScript& found : suite.found) {
    names.cases.push_back(found.name);
    if (found.variant) names.variants[found.base()].push_back(found.name);
  }
  if (suite.trusted)
    for (const auto& [name, new_name] : suite.trusted->gone) names.cases.push_back(name);
  names.cases.insert(names.cases.end(), suite.left_out.begin(), suite.left_out.end());
  std::ranges::sort(names.cases);
  names.all = names.cases;
  for (const auto& [base, variants] : names.variants) names.all.push_back(base);
  std::ranges::sort(names.all);
  return names;
}

// Put the variants of a case in the place of its name.
void name_variants(std::vector<std::string>& after, const SpokenNames& names) {
  std::vector<std::string> all;
  for (const std::string& name : after) {
    const auto variants = names.variants.find(name);
    const bool is_case = std::ranges::binary_search(names.cases, name) || variants == names.variants.end();
    for (const std::string& one : is_case ? std::vector{name} : variants->second)
      if (std::ranges::find(all, one) == all.end()) all.push_back(one);
  }
  after = std::move(all);
}

// Cases that formulas name and that the suite does not have.
Diagnostics unknown_partners(const config::Case& spec, const Suite& suite,
                             const config::ResolveRequest& request, const std::vector<std::string>& names) {
  Diagnostics mistakes;
  for (const judge::Derivation& derivation : spec.derivations)
    for (const judge::Term& term : derivation.formula.terms) {
      const std::string& name = term.case_name;
      if (name.empty() || std::ranges::binary_search(names, name)) continue;
      const bool is_judged =
          std::ranges::find(spec.rules, derivation.metric, &Rule::metric) != spec.rules.end();
      if (term.is_beside && !is_judged) continue;
      const std::string key = "metrics." + derivation.metric + ".formula";
      mistakes.push_back({{setting_place(key.c_str(), suite.policy, request)},
                          "formula \"" + printable(derivation.formula.text, 80) + "\": no case \"" +
                              printable(name, 80) + "\", at character " + std::to_string(term.character) +
                              did_you_mean(name, names)});
    }
  return mistakes;
}

struct ResolvedCase {
  std::optional<config::Case> spec = {};
  Diagnostics mistakes = {};
};

// The lines of a script that count, and what its mistakes are told by.
struct HeaderText {
  std::string text, label;
};

// The texts of scripts, each read once however many variants it has. Safe from several threads.
class ScriptTexts {
 public:
  PerformanceTable references = {};  // that cases may be bound to

  Result<std::string> read(const fs::Path& path) {
    const std::scoped_lock lock(mutex_);
    const auto [known, is_new] = texts_.try_emplace(path.native(), std::string());
    if (is_new) known->second = fs::read_file(path);
    return known->second;
  }

  // Return the text of the script and, behind it, the words that it is launched with.
  std::shared_ptr<const std::string> training_text(const fs::Path& path, const std::string& words) {
    const std::string text = read(path).value_or("");
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<const std::string>& known = trainings_[{path.native(), words}];
    if (known == nullptr) known = std::make_shared<const std::string>(text + "\n" + words);
    return known;
  }

  // Return what the script, and the words that it is launched with, say of its sequence length.
  config::SequenceLength sequence_length(const fs::Path& path, const std::string& words) {
    const std::string text = read(path).value_or("");
    const std::scoped_lock lock(mutex_);
    const auto [known, is_new] = lengths_.try_emplace({path.native(), words});
    if (is_new) known->second = config::read_sequence_length(text + "\n" + words);
    return known->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Result<std::string>> texts_;
  std::map<std::pair<std::string, std::string>, config::SequenceLength> lengths_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const std::string>> trainings_;
};

// If a git ref judges, it has the say on the scripts that it has.
Result<HeaderText> header_text(const Suite& suite, const config::CaseScript& found, ScriptTexts& texts) {
  const Suite* source = suite.trusted ? &suite.trusted->at_ref : nullptr;
  const config::Case* trusted = source != nullptr ? source->find(found.name) : nullptr;
  if (trusted == nullptr) source = &suite;
  const std::string& script = trusted != nullptr ? trusted->script : found.script;
  GATE_TRY(std::string text, texts.read(source->root / script));
  return HeaderText{std::move(text), source->read_from + script};
}

// The words that are launched are the tree's, whoever judges; whether they are is said by who judges.
Diagnostics take_case_file(config::Case& spec, const Suite& suite, ScriptTexts& texts) {
  if (spec.kind == config::CaseKind::script || spec.script.empty()) return {};
  const Result<std::string> text = texts.read(suite.root / spec.script);
  if (!text) return {{{spec.script}, text.error().message}};
  auto file = config::read_case_file(spec.kind, *text, spec.script);
  if (!file) return std::move(file.error());
  spec.file = std::move(*file);
  const config::Case* trusted = suite.trusted ? suite.trusted->at_ref.find(spec.name) : nullptr;
  if (trusted == nullptr || trusted->kind == config::CaseKind::script) return {};
  spec.file.unsupported = trusted->file.unsupported;
  spec.file.begins_from_scratch = trusted->file.begins_from_scratch;
  spec.file.goes_on_from_data = trusted->file.goes_on_from_data;
  return {};
}

// The words of `launch` and of the command line are the script's, too.
std::string further_words(const config::Case& spec, const Suite& suite) {
  return spec.launch + " " + (suite.is_told(spec.name) ? join(suite.args, " ") : "");
}

std::shared_ptr<const std::string> training_text(const config::Case& spec, const Suite& suite,
                                                 ScriptTexts& texts) {
  const std::string further = further_words(spec, suite);
  if (spec.kind == config::CaseKind::script) return texts.training_text(suite.root / spec.script, further);
  return std::make_shared<const std::string>(words_of_file(spec) + further);
}

config::SequenceLength sequence_length(const config::Case& spec, const Suite& suite, ScriptTexts& texts) {
  const std::string further = further_words(spec, suite);
  if (spec.kind == config::CaseKind::script) return texts.sequence_length(suite.root / spec.script, further);
  return config::read_sequence_length(words_of_file(spec) + further);
}

ResolvedCase resolve_with(const HeaderText& header, const Suite& suite, const config::CaseScript& found,
                          const SpokenNames& names, ScriptTexts& texts) {
  const std::vector<config::Override> overrides = suite.overrides_of(found.name);
  const config::ResolveRequest request{found.name, header.label, header.text,
                                       overrides,  found.group,  found.variant};
  config::Parsed<config::Case> resolved = resolve(suite, request);
  if (!resolved) return {std::nullopt, std::move(resolved.error())};
  resolved->script = found.script;
  resolved->cwd = suite.cwds[found.group];
  place_golden_files(resolved->settings, suite);
  Diagnostics mistakes = take_case_file(*resolved, suite, texts);
  if (!found.script.empty() && config::needs_seq_length(*resolved))
    resolved->seq_length = sequence_length(*resolved, suite, texts);
  if (!found.script.empty()) resolved->training_text = training_text(*resolved, suite, texts);
  std::ranges::move(
      bind_reference(*resolved, texts.references, {setting_place("reference", suite.policy, request)}),
      std::back_inserter(mistakes));
  std::ranges::move(unknown_partners(*resolved, suite, request, names.cases), std::back_inserter(mistakes));
  name_variants(resolved->settings.after, names);
  if (!resolved->settings.after.empty())
    std::ranges::move(check_after(*resolved, names.all,
                                  [&](const config::Case&) -> Position {
                                    return {setting_place("after", suite.policy, request)};
                                  }),
                      std::back_inserter(mistakes));
  return {std::move(*resolved), std::move(mistakes)};
}

// A case whose file alone has mistakes is held to what is said without it, and is not judged (decision 67).
ResolvedCase resolve_case(const Suite& suite, const config::CaseScript& found, const SpokenNames& names,
                          ScriptTexts& texts) {
  const Result<HeaderText> header = header_text(suite, found, texts);
  ResolvedCase read = header ? resolve_with(*header, suite, found, names, texts)
                             : ResolvedCase{{}, {{{found.script}, header.error().message}}};
  const auto is_own = [&](const Diagnostic& one) {
    return config::are_of_file({one}, found.script) || (header && config::are_of_file({one}, header->label));
  };
  if (read.mistakes.empty() || !std::ranges::all_of(read.mistakes, is_own)) return read;
  config::CaseScript alone = found;
  alone.script.clear();
  ResolvedCase without = resolve_with({}, suite, alone, names, texts);
  if (!without.spec || !without.mistakes.empty()) return read;
  without.spec->script = found.script;
  take_case_file(*without.spec, suite, texts);  // whether gate would run it
  without.spec->file.unreadable = to_string(read.mistakes, "; ");
  return without;
}

// `--seq-length $SEQ_LENGTH = 4096`.
std::string shown_length(const config::SequenceLength& length) {
  const bool is_variable = length.number && !length.variable.empty();
  return length.text + (is_variable ? " = " + std::to_string(*length.number) : "");
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

// Return the files below the suite's folder that the policy's globs of cases find, sorted.
std::vector<std::string> files_of_cases(const config::Policy& policy, const Suite& suite) {
  std::set<std::string> files;
  for (const config::CaseGroup& group : policy.groups())
    for (const std::string& glob : group.cases)
      for (std::string& file : fs::files_for(suite.root, glob)) files.insert(std::move(file));
  return {files.begin(), files.end()};
}

// Return the cases that a glob with `!` leaves out, and the variants that `--param` does.
Answer<std::vector<std::string>> cases_left_out(const Suite& suite) {
  std::vector<std::string> names;
  if (!std::ranges::all_of(suite.policy.groups(), &std::vector<std::string>::empty,
                           &config::CaseGroup::left_out))
    names = suite.policy.left_out(files_of_cases(suite.policy, suite));
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

// Resolve the cases of the scripts that were found.
Answer<void> resolve_cases(Suite& suite) {
  GATE_TRY_STATUS(add_cases(suite));
  GATE_TRY(suite.left_out, cases_left_out(suite));
  Diagnostics mistakes;
  ScriptTexts texts;
  GATE_TRY(texts.references, references_in(suite.trusted ? suite.trusted->at_ref.root : suite.root));
  SpokenNames names = spoken_of(suite);
  std::vector<ResolvedCase> all(suite.found.size());
  in_parallel(all.size(), worthwhile_threads(all.size()),
              [&](std::size_t i) { all[i] = resolve_case(suite, suite.found[i], names, texts); });
  suite.cases.reserve(all.size());
  for (ResolvedCase& resolved : all) {
    mistakes.insert(mistakes.end(), resolved.mistakes.begin(), resolved.mistakes.end());
    if (resolved.spec) suite.cases.push_back(std::move(*resolved.spec));
  }
  const auto place_of_after = [&](const config::Case& spec) -> Position {
    const auto lines = origins(suite, spec);
    if (!lines) return {};
    return {std::ranges::find(*lines, "after", &config::SettingOrigin::key)->origin};
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

std::vector<extract::UserPattern> Suite::patterns() const {
  return with_given(policy.patterns(), given_patterns);
}

fs::Path find_suite_root(const fs::Path& folder) {
  const fs::Path start = absolute_path(folder);
  const fs::Path root = nearest(start, [](const fs::Path& at) {
    return fs::exists(at / "gate.toml") || (fs::is_folder(at / "scripts") && fs::is_folder(at / "baselines"));
  });
  return !root.empty() ? root : nearest(start, [](const fs::Path& at) {
    return std::ranges::any_of(fs::files_below(at / "scripts"),
                               [](const std::string& file) { return file.ends_with(".sh"); });
  });
}

tl::unexpected<Failure> no_suite(const fs::Path& folder) {
  return usage(absolute_path(folder).string() +
               ": no suite here or above: it needs a gate.toml, or a folder scripts/ with *.sh; name "
               "another folder with -C");
}

Answer<Suite> open_suite(const SuiteOptions& options) {
  const fs::Path root = root_of(options);
  if (root.empty()) return no_suite(options.folder);
  GATE_TRY(Suite suite, open_at(root, options));
  GATE_TRY(suite.found, cases_by_policy(suite.policy, suite));
  take_named(suite, options);
  GATE_TRY_STATUS(resolve_cases(suite));
  if (options.policy_from.empty()) return suite;
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
  std::vector<std::string> golden;
  for (const config::Case& spec : suite.cases)
    std::ranges::move(golden_paths(spec, suite.root), std::back_inserter(golden));
  GATE_TRY_STATUS(add_files_at_ref(tree, files.commit, golden, suite.root));
  return suite;
}

Answer<std::vector<config::CaseScript>> cases_by_policy(const config::Policy& policy, const Suite& suite,
                                                        config::Unmatched unmatched) {
  auto found = policy.find_cases(files_of_cases(policy, suite), suite.overrides, unmatched);
  if (!found) return usage(to_string(found.error()));
  return std::move(*found);
}

Answer<Suite> open_suite_if_any(const SuiteOptions& options) {
  const fs::Path root = root_of(options);
  return open_at(root.empty() ? absolute_path(options.folder) : root, options);
}

Answer<config::Case> case_of_no_script(const Suite& suite, const std::vector<config::Override>& overrides) {
  config::Parsed<config::Case> resolved = resolve(suite, {"", "", "", overrides});
  if (!resolved) return usage(to_string(resolved.error()));
  return std::move(*resolved);
}

Answer<config::Case> gone_case(const Suite& suite, const std::string& name) {
  ScriptTexts texts;
  GATE_TRY(texts.references, references_in(suite.trusted ? suite.trusted->at_ref.root : suite.root));
  const config::CaseScript* const was = suite.trusted ? suite.trusted->at_ref.found_case(name) : nullptr;
  config::CaseScript gone = was != nullptr ? *was : config::CaseScript{name, ""};
  gone.script.clear();
  ResolvedCase resolved = resolve_case(suite, gone, spoken_of(suite), texts);
  if (!resolved.spec) return usage(to_string(resolved.mistakes));
  return std::move(*resolved.spec);
}

std::optional<Quarantine> quarantine_on(const config::Case& spec, const std::string& today) {
  const std::optional<Quarantine>& quarantine = spec.settings.quarantine;
  return quarantine && today <= quarantine->until ? quarantine : std::nullopt;
}

Answer<std::vector<config::SettingOrigin>> origins(const Suite& suite, const config::Case& spec) {
  const config::CaseScript* const known = suite.found_case(spec.name);
  const config::CaseScript found = known != nullptr ? *known : config::CaseScript{spec.name, spec.script};
  ScriptTexts texts;
  GATE_TRY(const HeaderText header, or_usage(header_text(suite, found, texts)));
  const std::vector<config::Override> overrides = suite.overrides_of(spec.name);
  auto origins =
      suite.policy.explain({spec.name, header.label, header.text, overrides, found.group, found.variant});
  if (!origins) return usage(to_string(origins.error()));
  mark_unused(*origins, spec.settings);
  if (spec.seq_length && !spec.seq_length->text.empty())
    origins->push_back({"seq_length", shown_length(*spec.seq_length), spec.script});
  return std::move(*origins);
}

std::string as_suite_path(const Suite& suite, const std::string& word, const fs::Path& folder) {
  const fs::Path path = absolute_path(folder / word);
  if (is_glob(word) || suite.found_case(word) != nullptr || !fs::exists(path) || fs::is_folder(path))
    return word;
  return path.lexically_relative(suite.root).generic_string();
}

}  // namespace gate::app
