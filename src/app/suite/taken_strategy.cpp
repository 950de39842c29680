#include "gate/suite/taken_strategy.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/suite/chosen_cases.h"

namespace gate::app {

namespace {

constexpr std::size_t most_listed_names = 5;

// Words may mean variants that --set param.NAME=VALUE leaves out, and cases that the tree has no more.
std::vector<config::CaseScript> selectable(const Suite& suite) {
  std::vector<std::string> further = suite.left_out;
  if (suite.trusted)
    for (const auto& [name, new_name] : suite.trusted->gone) further.push_back(name);
  return cases_and(suite, further);
}

const config::Case* case_or_gone(const Suite& suite, const std::string& name) {
  if (const config::Case* spec = suite.find(name)) return spec;
  const bool is_gone = suite.trusted && suite.trusted->gone.contains(name);
  return is_gone ? suite.trusted->at_ref.find(name) : nullptr;
}

Answer<std::set<std::string>> selected_by(const config::Strategy& strategy, const Suite& suite) {
  const auto names = select_names(suite, strategy.cases, selectable(suite), suite.root);
  if (!names) return usage(strategy.place_of("cases") + ": " + names.error().message);
  std::set<std::string> selected;
  for (const std::string& name : *names)
    if (const config::Case* spec = case_or_gone(suite, name);
        spec != nullptr && has_tag(*spec, strategy.tags))
      selected.insert(name);
  if (!selected.empty()) return selected;
  if (!strategy.tags.empty())
    return usage(strategy.place_of("tags") + ": no case that it selects has tag " +
                 join(strategy.tags, " or "));
  return usage(strategy.place_of("cases") + ": it selects no case");
}

std::vector<std::string> names_of_outputs(const config::Case& spec) { return keys_in(spec.settings.outputs); }

// Outputs that nobody judges would leave a case green that was not looked at.
Answer<void> check_judged_outputs(const config::Strategy& strategy, const std::vector<config::Case*>& cases) {
  std::vector<std::string> unjudged, their_outputs;
  for (const config::Case* spec : cases) {
    const std::vector<std::string> outputs = names_of_outputs(*spec);
    if (outputs.empty() ||
        std::ranges::any_of(outputs, [&](const std::string& one) { return strategy.has_output(one); }))
      continue;
    if (unjudged.empty()) their_outputs = outputs;
    unjudged.push_back(spec->name);
  }
  if (unjudged.empty()) return {};
  return usage(
      strategy.place_of("outputs") + ": none of " + join(their_outputs, ", ") + " of case " +
      unjudged.front() + " is judged, and it would be green; add one, or leave the case out" +
      (unjudged.size() > 1 ? " (all such cases: " + some_of(unjudged, most_listed_names) + ")" : ""));
}

// Variants that --set param.NAME=VALUE leaves out may be those with the output.
Answer<void> check_output_globs(const config::Strategy& strategy, const Suite& suite,
                                const std::vector<config::Case*>& cases) {
  if (!suite.left_out.empty()) return {};
  std::set<std::string> known;
  for (const config::Case* spec : cases)
    for (std::string& name : names_of_outputs(*spec)) known.insert(std::move(name));
  const std::vector<std::string> names(known.begin(), known.end());
  for (const std::string& glob : strategy.outputs) {
    if (std::ranges::any_of(names, [&](const std::string& name) { return glob_match(glob, name); })) continue;
    const std::string meant = did_you_mean(glob, names);
    return usage(strategy.place_of("outputs") + ": no case of it has an output \"" + printable(glob, 80) +
                 "\"" +
                 (!meant.empty()  ? meant
                  : names.empty() ? "; they have no outputs"
                                  : "; they have " + some_of(names, most_listed_names)));
  }
  return {};
}

// Return the names of what is not judged.
std::set<std::string> keep_judged_outputs(const config::Strategy& strategy,
                                          const std::vector<config::Case*>& cases) {
  std::set<std::string> left_out;
  for (config::Case* spec : cases)
    for (const std::string& name : names_of_outputs(*spec)) {
      if (strategy.has_output(name)) continue;
      config::remove_rule(name, spec->settings.outputs.at(name).metric, spec->rules);
      spec->settings.outputs.erase(name);
      left_out.insert(name);
    }
  return left_out;
}

std::vector<Sentence> notes_on_rest(const config::Strategy& strategy, const std::set<std::string>& outputs) {
  std::vector<std::string> stages;
  std::vector<Sentence> notes;
  for (const Stage stage : all_stages)
    if (!strategy.has_stage(stage)) stages.emplace_back(to_string(stage));
  const std::vector<std::string> names(outputs.begin(), outputs.end());
  if (!names.empty())
    notes.push_back(say({"strategy {}: not judged are the outputs {}", "策略 {}：不判定的输出文件是 {}"},
                        strategy.name, listed(names, 10)));
  if (!stages.empty())
    notes.push_back(say({"strategy {}: not done are the stages {}", "策略 {}：未做的环节是 {}"},
                        strategy.name, join(stages, ", ")));
  return notes;
}

}  // namespace

Answer<void> choose_strategy(Suite& suite, const std::string& name) {
  if (name.empty()) return {};
  auto strategy = config::find_strategy(suite.policy.strategies(), name);
  if (!strategy) return usage("--strategy: " + strategy.error().message);
  GATE_TRY(std::set<std::string> selected, selected_by(*strategy, suite));
  suite.strategy = StrategyChoice{std::move(*strategy), std::move(selected), {}};
  return {};
}

Answer<void> take_strategy(Suite& suite) {
  if (!suite.strategy) return {};
  const config::Strategy& strategy = suite.strategy->strategy;
  std::vector<config::Case*> cases;
  for (config::Case& spec : suite.cases)
    if (suite.has_chosen(spec.name)) cases.push_back(&spec);
  GATE_TRY_STATUS(check_output_globs(strategy, suite, cases));
  GATE_TRY_STATUS(check_judged_outputs(strategy, cases));
  suite.strategy->notes = notes_on_rest(strategy, keep_judged_outputs(strategy, cases));
  return {};
}

}  // namespace gate::app
