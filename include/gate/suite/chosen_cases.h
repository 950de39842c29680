// Which cases the words of a command choose if nothing is launched: those of the suite, and those that
// have a baseline and no script.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gate/suite/suite.h"

namespace gate::app {

// Return the suite's cases and, without a script, those of the names that are none of them; sorted by name.
std::vector<config::CaseScript> cases_and(const Suite& suite, const std::vector<std::string>& names);

// Return the suite's cases, and those that it has no more and that the git ref that judges it has.
std::vector<config::CaseScript> with_gone(const Suite& suite);

// Return the names that the words (names, globs, script paths; relative paths seen from `folder`; keys of
// FlagPerf's) select. A key whose hardware is not that of its case is a mistake, too.
Result<std::vector<std::string>> select_names(const Suite& suite, const std::vector<std::string>& words,
                                              std::span<const config::CaseScript> found,
                                              const fs::Path& folder);

// Return the words with the names of its cases, also of those that have a baseline alone, in the place of
// each key of FlagPerf's: for what knows cases by their names. Fails as select_names() does.
Answer<std::vector<std::string>> with_names_of_keys(const Suite& suite,
                                                    const std::vector<std::string>& words);

// Return the names of the words that are no globs: they name their cases exactly. Words that select nothing
// are left out.
std::vector<std::string> exact_names(const Suite& suite, const std::vector<std::string>& words,
                                     std::span<const config::CaseScript> found, const fs::Path& folder);

// Return the case of that name; one without a script has the rules that hold for no case in particular, and
// no `script`.
Answer<config::Case> case_of(const Suite& suite, const std::string& name);

// Return the cases that the words select as choose() does, sorted by name; also among those that have a
// baseline and no script.
Answer<std::vector<config::Case>> choose_judged(const Suite& suite, const std::vector<std::string>& words,
                                                const std::vector<std::string>& tags, const fs::Path& folder);

// Tell whether the case has one of the tags; also where there are none.
bool has_tag(const config::Case& spec, const std::vector<std::string>& tags);

// Return the names of baselines that no script has.
std::vector<std::string> find_orphans(const Suite& suite);

}  // namespace gate::app
