#include "gate/suite/chosen_cases.h"

#include <algorithm>
#include <map>

#include "gate/base/text.h"
#include "gate/config/flagperf.h"
#include "gate/store/suite_folder.h"

namespace gate::app {

namespace {

tl::unexpected<Failure> no_such_tag(const Suite& suite, const std::vector<std::string>& tags) {
  const std::string of = suite.strategy ? " of strategy " + suite.strategy->strategy.name : "";
  return usage("--tag " + join(tags, ", ") + ": no case" + of + " has this tag");
}

// Fail where the word is a key of FlagPerf's and a case that it means is of other hardware. Where the
// hardware is an axis, names tell it.
Status check_hardware(const Suite& suite, const std::string& word,
                      std::span<const config::CaseScript> found) {
  const auto key = config::read_flagperf_key(word);
  if (!key) return {};
  const auto names = config::select(std::vector{word}, found);
  if (!names) return {};  // which is told of all words together
  for (const std::string& name : *names) {
    const config::Case* spec = suite.find(name);
    if (spec == nullptr || !config::is_flagperf_case(*key, name)) continue;
    const std::string* hardware = config::flagperf_hardware_of(spec->settings);
    const std::string own = hardware != nullptr
                                ? *hardware
                                : "no hardware that is told (" + std::string(config::flagperf_hardware) + ")";
    if (own != key->hardware)
      return fail("no case \"" + printable(word, 80) + "\": " + name + " is of " + printable(own, 80));
  }
  return {};
}

}  // namespace

bool has_tag(const config::Case& spec, const std::vector<std::string>& tags) {
  const std::vector<std::string>& own = spec.settings.tags;
  return tags.empty() || std::ranges::find_first_of(own, tags) != own.end();
}

std::vector<std::string> find_orphans(const Suite& suite) {
  std::vector<std::string> orphans;
  const auto is_left_out = [&](const std::string& name) {
    return std::ranges::find(suite.left_out, name) != suite.left_out.end();
  };
  for (const std::string& name : store::baseline_cases(suite.layout))
    if (suite.find(name) == nullptr && !is_left_out(name) && !is_left_out(config::base_in(name)))
      orphans.push_back(name);
  return orphans;
}

std::vector<config::CaseScript> cases_and(const Suite& suite, const std::vector<std::string>& names) {
  std::map<std::string, config::CaseScript> scripts;
  for (const std::string& name : names) {
    config::CaseScript none{name, name};
    if (const std::string base = config::base_in(name); base != name)
      none.variant = std::make_shared<config::Variant>(config::Variant{0, base, {}});
    scripts.emplace(name, std::move(none));
  }
  for (const config::CaseScript& found : suite.found) scripts.insert_or_assign(found.name, found);
  std::vector<config::CaseScript> all;
  for (auto& [name, script] : scripts) all.push_back(std::move(script));
  return all;
}

std::vector<config::CaseScript> with_gone(const Suite& suite) {
  if (!suite.trusted || suite.trusted->gone.empty()) return suite.found;
  return cases_and(suite, keys_in(suite.trusted->gone));
}

Result<std::vector<std::string>> select_names(const Suite& suite, const std::vector<std::string>& words,
                                              std::span<const config::CaseScript> found,
                                              const fs::Path& folder) {
  std::vector<std::string> paths;
  for (const std::string& word : words) paths.push_back(as_suite_path(suite, word, folder));
  for (const std::string& word : words) GATE_TRY_STATUS(check_hardware(suite, word, found));
  return config::select(paths, found);
}

Answer<std::vector<std::string>> with_names_of_keys(const Suite& suite,
                                                    const std::vector<std::string>& words) {
  std::vector<std::string> all;
  for (const std::string& word : words)
    if (config::read_flagperf_key(word)) {
      GATE_TRY(const auto names,
               or_usage(select_names(suite, {word}, cases_and(suite, find_orphans(suite)), suite.root)));
      all.insert(all.end(), names.begin(), names.end());
    } else {
      all.push_back(word);
    }
  return all;
}

std::vector<std::string> exact_names(const Suite& suite, const std::vector<std::string>& words,
                                     std::span<const config::CaseScript> found, const fs::Path& folder) {
  std::vector<std::string> exact;
  for (const std::string& word : words)
    if (!is_glob(word))
      if (const auto names = select_names(suite, {word}, found, folder))
        for (const std::string& name : *names)
          if (names->size() == 1 || name == word) exact.push_back(name);  // not all variants of a case
  return exact;
}

Answer<std::vector<const config::Case*>> choose(const Suite& suite, const std::vector<std::string>& words,
                                                const std::vector<std::string>& tags,
                                                const fs::Path& folder) {
  GATE_TRY(const auto names, or_usage(select_names(suite, words, with_gone(suite), folder)));
  const auto has_chosen = [&](const std::string& name) { return suite.has_chosen(name); };
  if (suite.strategy && std::ranges::none_of(names, has_chosen))
    return usage("--strategy " + suite.strategy->strategy.name + " has none of the cases that " +
                 join(words, ", ") + " selects");
  std::vector<const config::Case*> chosen;
  for (const std::string& name : names)
    if (const config::Case* spec = suite.find(name);
        spec != nullptr && has_chosen(name) && has_tag(*spec, tags))
      chosen.push_back(spec);
  if (chosen.empty() && !tags.empty()) return no_such_tag(suite, tags);
  return chosen;
}

Answer<config::Case> case_of(const Suite& suite, const std::string& name) {
  if (const config::Case* found = suite.find(name)) return *found;
  if (suite.trusted && suite.trusted->gone.contains(name)) return gone_case(suite, name);
  Answer<config::Case> spec = case_of_no_script(suite, suite.overrides);
  if (spec) spec->name = name;
  return spec;
}

Answer<std::vector<config::Case>> choose_judged(const Suite& suite, const std::vector<std::string>& words,
                                                const std::vector<std::string>& tags,
                                                const fs::Path& folder) {
  GATE_TRY(const std::vector<std::string> names,
           or_usage(select_names(suite, words, cases_and(suite, find_orphans(suite)), folder)));
  std::vector<config::Case> chosen;
  for (const std::string& name : names) {
    GATE_TRY(config::Case spec, case_of(suite, name));
    if (has_tag(spec, tags)) chosen.push_back(std::move(spec));
  }
  if (chosen.empty() && !tags.empty()) return no_such_tag(suite, tags);
  return chosen;
}

}  // namespace gate::app
