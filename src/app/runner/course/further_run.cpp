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
  const config::FurtherRun& further = spec.settings.further;
  const bool explains =
      further.on == config::FurtherOn::slow ? is_speed_regression(report) : may_be_explained(report.verdict);
  if (!explains || quarantine_on(spec, today)) return {};
  return {further, config::phase_name(spec.settings, 0)};
}

std::string further_run_words(const WantedRun& wanted, int number) {
  std::vector<std::string> words;
  for (const auto& [name, value] : wanted.further.env) words.push_back(name + "=" + value);
  words.insert(words.end(), wanted.further.words.begin(), wanted.further.words.end());
  const std::string phase = wanted.phase.empty() ? "" : " of phase " + wanted.phase;
  return "run " + std::to_string(number) + phase + " (further: " + join(words, " ") + ")";
}

void add_further_run(CaseReport& report, const WantedRun& wanted, int number, const LaunchResult& launched) {
  report.add(launched, std::to_string(number));
  report.notes.push_back(plain_note(sentence_of(wanted, number, launched)));
}

}  // namespace gate::app
