#include "gate/suite/suite_masker.h"

#include <algorithm>
#include <set>

#include "gate/base/variables.h"

namespace gate::app {

namespace {

// An address of a webhook is a secret: who knows it can write there.
std::vector<std::string> secret_variables(const Suite& suite) {
  std::vector<std::string> names = suite.policy.secrets();
  for (const config::Receiver& receiver : suite.policy.receivers())
    for (const std::string& name : {receiver.url_env, receiver.secret_env})
      if (!name.empty()) names.push_back(name);
  for (std::string& name : config::secret_store_variables()) names.push_back(std::move(name));
  return names;
}

// Of files of credentials, which no variable holds.
void add_credentials(const Suite& suite, std::set<std::string>& secrets) {
  for (const auto& [service, store] : suite.policy.stores()) {
    if (store.credentials.empty()) continue;
    const std::string text = fs::read_file(suite.root / store.credentials).value_or("");
    for (std::string& value : config::values_of_credentials(text))
      if (value.size() >= shortest_secret) secrets.insert(std::move(value));
  }
}

void add_secrets(const std::map<std::string, std::string>& variables, const Suite& suite,
                 std::set<std::string>& secrets) {
  const auto is_path = [&](const std::string& value) {
    return std::ranges::any_of(suite.cwds,
                               [&](const std::string& cwd) { return fs::exists(fs::Path(cwd) / value); });
  };
  for (std::string& value : secret_values(variables, secret_variables(suite), is_path))
    secrets.insert(std::move(value));
}

std::vector<std::string> stage_places(const config::CaseStage& stage) {
  std::vector<std::string> places = stage.from;
  places.insert(places.end(), {stage.to, stage.baselines});
  return places;
}

void mask_difference(std::optional<OutputDifference>& difference, const Masker& masker) {
  if (!difference) return;
  difference->actual = masker.mask(difference->actual);
  difference->golden = masker.mask(difference->golden);
  difference->place = masker.mask(difference->place);
}

void mask_outcome(Outcome& outcome, const Masker& masker) {
  const auto mask_why = [&](auto& one) {
    if constexpr (requires { one.why; }) one.why = masker.mask(one.why);
  };
  std::visit(mask_why, outcome);
}

void mask_output(OutputResult& output, const Masker& masker) {
  for (OutputScore& score : output.scores) {
    mask_difference(score.first, masker);
    mask_difference(score.worst, masker);
  }
}

}  // namespace

Masker masker_for(const Suite& suite) {
  std::set<std::string> secrets;
  add_secrets(own_variables(), suite, secrets);
  for (const config::Case& spec : suite.cases) {
    for (const auto* env : {&spec.settings.env, &spec.settings.further.env})
      add_secrets(*env, suite, secrets);
    for (const auto& [name, phase] : spec.settings.phase) add_secrets(phase.env, suite, secrets);
    for (const auto& [name, stage] : spec.settings.stages)
      for (const std::string& place : stage_places(stage))
        for (std::string& secret : secrets_in_places(place)) secrets.insert(std::move(secret));
    for (const config::PlatformVariable& one : spec.on_platforms)
      add_secrets({{one.name, one.value}}, suite, secrets);
  }
  for (const config::Receiver& receiver : suite.policy.receivers())
    if (!receiver.url.empty()) secrets.insert(receiver.url);
  add_credentials(suite, secrets);
  return Masker(std::vector<std::string>(secrets.begin(), secrets.end()));
}

void mask(std::vector<std::string>& words, const Masker& masker) {
  for (std::string& word : words) word = masker.mask(word);
}

void mask(StageResult& stage, const Masker& masker) {
  stage.problem = masker.mask(stage.problem);
  mask_outcome(stage.outcome, masker);
  for (Sentence& leftover : stage.leftovers) leftover = masker.mask(leftover);
}

void mask(CaseReport& report, const Masker& masker) {
  if (!masker.has_secrets()) return;
  for (OutputResult& output : report.outputs) mask_output(output, masker);
  report.reason = masker.mask(report.reason);
  if (report.outcome) mask_outcome(*report.outcome, masker);
  if (report.cause) report.cause->what = masker.mask(report.cause->what);  // from the log, as its text
  if (report.cause) report.cause->text = masker.mask(report.cause->text);
  for (FactChange& change : report.differs)
    for (std::string* value : {&change.from, &change.to}) *value = masker.mask(*value);
  for (auto& [name, value] : report.ran_on) value = masker.mask(value);
  report.last_words = masker.mask(report.last_words);
  for (Problem& problem : report.problems) problem.text = masker.mask(problem.text);
  for (Note& note : report.notes)
    if (auto* text = std::get_if<remark::Text>(&note.remark)) text->text = masker.mask(text->text);
  mask(report.args, masker);
  for (StageResult& stage : report.stages) mask(stage, masker);
  report.job = masker.mask(report.job);
}

void mask(Report& report, const Masker& masker) {
  for (std::vector<std::string>* words : {&report.set, &report.command_line, &report.where})
    mask(*words, masker);
  if (report.policy)
    for (PolicyFinding& finding : report.policy->findings) {
      finding.before = without_place_secrets(masker.mask(finding.before));
      finding.after = without_place_secrets(masker.mask(finding.after));
    }
  for (CaseReport& c : report.cases) mask(c, masker);
}

Sink masked(Sink sink, const Masker& masker) {
  if (!masker.has_secrets()) return sink;
  return [sink = std::move(sink), masker](const Event& event) {
    if (const auto* message = std::get_if<Message>(&event))
      sink(Message{message->case_name, masker.mask(message->text), message->is_waiting});
    else
      sink(event);
  };
}

}  // namespace gate::app
