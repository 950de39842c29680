// A suite, opened: its folder, its policy, and all its cases with every setting resolved.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/sentence.h"
#include "gate/config/accuracy_contract.h"
#include "gate/config/case_names.h"
#include "gate/config/policy.h"
#include "gate/model/rules/policy_finding.h"
#include "gate/store/suite_folder.h"
#include "gate/suite/answer.h"

namespace gate::app {

struct SuiteOptions {
  fs::Path folder;  // where the search upwards begins
  fs::Path config;  // gate.toml by name; empty: the one in the suite's folder
  std::vector<config::Override> overrides;
  std::vector<std::string> patterns = {};  // RE2, each named group a metric (see extract::patterns_of)
  std::string environment = {};            // "": that of gate.toml
  std::string policy_from = {};            // the git ref whose policy and baselines judge; "": the tree's own
  std::string today = {};                  // ISO date; "": what the clock says
  enum class Search { upwards, nowhere };  // nowhere: `folder` is the suite's, whatever lies above it
  Search search = Search::upwards;
  std::vector<std::string> args = {};  // handed to the scripts
  std::string metrics_from = {};       // a further file of [metrics] and [rules]; "": none
  // What --platform says to a command that launches ("": nothing); none: it launches nothing.
  std::optional<std::string> launched_on = {};
  // The words that choose what is launched; where it is what an earlier run left, that run ("": the latest).
  std::vector<std::string> words = {};
  std::optional<std::string> earlier = {};
};

struct TrustedSource;

// What of a suite a strategy of its policy chooses.
struct StrategyChoice {
  config::Strategy strategy;
  std::set<std::string> cases;  // of the suite, or of the git ref alone that judges it
  std::vector<Sentence> notes;  // what is not judged and not done
};

struct Suite {
  fs::Path root;
  fs::Path cwd;  // where the scripts of the first group start
  std::string name;
  config::Policy policy;
  std::vector<config::Override> overrides;
  store::BaselineLayout layout;
  std::vector<config::CaseScript> found;                  // sorted by name
  std::vector<config::Case> cases;                        // likewise
  std::vector<extract::UserPattern> given_patterns = {};  // those of SuiteOptions, which each case has
  std::string policy_sha256 = {};                         // of the text of gate.toml
  std::string environment = {};                           // that runs are of: the flag's, else gate.toml's
  fs::Path config = {};                                   // gate.toml, whether it is there or not
  fs::Path asked_for = {};                                // the folder that the search for it began in
  std::string today = {};                                 // ISO date
  std::string read_from = {};                             // `main:` of a suite as a git ref has it
  std::string commit = {};                                // of that ref
  std::shared_ptr<const void> held = {};                  // the files of that ref, as long as the suite lives
  std::shared_ptr<const TrustedSource> trusted = {};      // who judges in place of the tree
  std::vector<std::string> cwds = {};                     // where scripts start, group by group
  std::vector<std::string> left_out = {};                 // cases by `!`, and variants by --param
  std::optional<config::AccuracyContract> contract = {};  // what the environment asks of accuracy tests
  std::vector<std::string> args = {};                     // those of SuiteOptions
  std::optional<StrategyChoice> strategy = {};            // none: the whole suite
  std::optional<std::set<std::string>> named = {};        // the cases that words name; none: no word does
  // The word that takes its devices from what is launched on a platform that is told, and is in no
  // `overrides` then: the cases want what they want without it.
  std::optional<config::Override> rehearsal = {};

  // Tell whether the strategy chooses the case; any case where there is none.
  bool has_chosen(const std::string& case_name) const;

  // Tell whether ARGS, and what --set and --env say, are for the case: it is named, or none is.
  bool is_told(const std::string& case_name) const;
  std::vector<config::Override> overrides_of(const std::string& case_name) const;

  // Return the patterns of gate.toml and those given, which win if both read a metric.
  std::vector<extract::UserPattern> patterns() const;

  const config::Case* find(const std::string& case_name) const;
  const config::CaseScript* found_case(const std::string& case_name) const;
};

// A git ref whose policy and baselines judge what the tree's scripts do. The suite has the tree's scripts and
// folder, and policy, #GATE lines and baselines of the ref; lines of a script that the ref does not have are
// its own.
struct TrustedSource {
  TrustedPolicy policy;  // with what the tree, and the overrides, would change of it
  Suite at_ref;
  Suite tree;                               // by its own policy
  std::map<std::string, std::string> gone;  // cases of the ref that the tree has no more, and their new names
};

// Return the folder of the suite: the nearest one upwards with a gate.toml, or with `scripts/` and
// `baselines/`; else the nearest one with `scripts/*.sh`. In a git tree it is looked for up to the top of
// that tree, in a submodule up to that of the outermost tree around it. Empty if there is none.
fs::Path find_suite_root(const fs::Path& folder);

// Return the folder of the suite that these options open; empty if there is none.
fs::Path root_of(const SuiteOptions& options);

// Say that there is no suite at the folder or above: the one sentence of all commands that need one.
tl::unexpected<Failure> no_suite(const fs::Path& folder);

// Return the suite. Every mistake of gate.toml, of all #GATE lines and of the overrides is in one failure,
// and so is every setting that is known and that this version cannot honour: none is passed over in silence.
Answer<Suite> open_suite(const SuiteOptions& options);

// Return the suite as the git ref has it, in a folder of its own that is gone with the last copy: its
// gate.toml, its scripts, its baselines. Fails where the ref is not here, holds no suite, or has a link, a
// submodule or a pointer of Git LFS in place of one of these files.
Answer<Suite> suite_at_ref(const Suite& tree, const std::string& reference);

// Return the cases that the policy finds in the suite's folder, as Policy::find_cases does.
Answer<std::vector<config::CaseScript>> cases_by_policy(
    const config::Policy& policy, const Suite& suite,
    config::Unmatched unmatched = config::Unmatched::mistake);

// Return the policy that holds at the folder, the built-in one outside any suite, with the rules of no case
// in particular: for `check --baseline` and `extract`.
Answer<Suite> open_suite_if_any(const SuiteOptions& options);

// Return the settings and rules that hold for no case in particular.
Answer<config::Case> case_of_no_script(const Suite& suite, const std::vector<config::Override>& overrides);

// Return a case that the git ref which judges has, and the tree has no more: without a script.
Answer<config::Case> gone_case(const Suite& suite, const std::string& name);

// Return the quarantine that the case is in on that day (ISO date); nothing where it has none, or its last
// day is over.
std::optional<Quarantine> quarantine_on(const config::Case& spec, const std::string& today);

// Return every resolved value of the case with where it comes from.
Answer<std::vector<config::SettingOrigin>> origins(const Suite& suite, const config::Case& spec);

// Return where the setting of the case comes from, as origins() says it; "" where nobody wrote it. A key that
// ends in a dot is the first of those below it: `rules.loss.`
Position place_of_setting(const Suite& suite, const config::Case& spec, std::string_view key);

// Return the word; of a path of a script, seen from `folder`, the path that the suite knows it by.
std::string as_suite_path(const Suite& suite, const std::string& word, const fs::Path& folder);

// Return the cases that the words (names, globs, script paths; relative paths seen from `folder`) select, in
// the suite's order; with tags, only those that have one of them; of a strategy's, those alone. Fails (2) for
// words and tags that select nothing.
Answer<std::vector<const config::Case*>> choose(const Suite& suite, const std::vector<std::string>& words,
                                                const std::vector<std::string>& tags, const fs::Path& folder);

}  // namespace gate::app
