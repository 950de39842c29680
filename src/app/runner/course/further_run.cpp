#include "runner/course/further_run.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate::app {

namespace {

bool is_speed_regression(const CaseReport& report) {
  return report.verdict == Verdict::regressed && std::ranges::any_of(report.checks, [](const Check& check) {
           return check.kind == MetricKind::speed && check.status == CheckStatus::fail;
         });
}

// The verdicts of which another run may say more.
bool may_be_explained(Verdict verdict) {
  constexpr std::array explained{Verdict::regressed, Verdict::crashed, Verdict::hung, Verdict::timed_out,
                                 Verdict::incomplete};
  return std::ranges::find(explained, verdict) != explained.end();
}

// `its log is .../log.txt, its artifacts are in .../artifacts`
std::string kept_words(const LaunchResult& launched) {
  std::vector<std::string> places;
  for (const auto& [key, words] :
       {std::pair("log", "its log is "), std::pair("artifacts", "its artifacts are in ")})
    if (const auto place = launched.artifacts.find(key); place != launched.artifacts.end())
      places.push_back(words + place->second);
  return join(places, ", ");
}

std::string sentence_of(const WantedRun& wanted, int number, const LaunchResult& launched) {
  const std::string name = further_run_words(wanted, number);
  const std::string places = kept_words(launched);
  const std::string ending = to_string(*launched.outcome);
  if (places.empty()) return name + " came to nothing: " + ending;
  return name + " is not judged: it " + (launched.has_ended_well() ? "" : "was no whole run: ") + ending +
         "; " + places;
}

}  // namespace

WantedRun wanted_after(const config::Case& spec, const CaseReport& report, const std::string& today) {
  const config::Settings& settings = spec.settings;
  if (quarantine_on(spec, today)) return {};
  const std::string phase = config::phase_name(settings, 0);
  if (is_speed_regression(report) && settings.on_slow.is_wanted())
    return {"on_slow", settings.on_slow, phase};
  if (may_be_explained(report.verdict) && settings.on_red.is_wanted())
    return {"on_red", settings.on_red, phase};
  return {};
}

std::string further_run_words(const WantedRun& wanted, int number) {
  std::vector<std::string> words;
  for (const auto& [name, value] : wanted.further.env) words.push_back(name + "=" + value);
  words.insert(words.end(), wanted.further.words.begin(), wanted.further.words.end());
  const std::string phase = wanted.phase.empty() ? "" : " of phase " + wanted.phase;
  return "run " + std::to_string(number) + phase + " (" + wanted.setting + ": " + join(words, " ") + ")";
}

void add_further_run(CaseReport& report, const WantedRun& wanted, int number, const LaunchResult& launched) {
  report.add(launched, std::to_string(number));
  report.notes.push_back(plain_note(sentence_of(wanted, number, launched)));
}

}  // namespace gate::app
