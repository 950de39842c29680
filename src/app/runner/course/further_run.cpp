#include "runner/course/further_run.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"
#include "gate/places/post_launch.h"

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
Sentence kept_words(const LaunchResult& launched) {
  std::vector<Sentence> places;
  const auto& kept = launched.artifacts;
  if (const auto log = kept.find("log"); log != kept.end())
    places.push_back(say({"its log is {}", "日志在 {}"}, log->second));
  if (const auto files = kept.find("artifacts"); files != kept.end())
    places.push_back(say({"its artifacts are in {}", "产物在 {}"}, files->second));
  return join(places, comma);
}

Sentence sentence_of(const WantedRun& wanted, int number, const LaunchResult& launched) {
  const Sentence name = further_run_words(wanted, number), places = kept_words(launched),
                 ending = text(*launched.outcome);
  if (places.empty()) return say({"{} came to nothing: {}", "{}没有结果：{}"}, name, ending);
  if (launched.has_ended_well())
    return say({"{} is not judged: it {}; {}", "{}不参与判定：{}；{}"}, name, ending, places);
  return say({"{} is not judged: it was no whole run: {}; {}", "{}不参与判定：它不是完整的运行：{}；{}"},
             name, ending, places);
}

}  // namespace

WantedRun wanted_after(const config::Case& spec, const CaseReport& report, const std::string& today) {
  const config::FurtherRun& further = spec.settings.further;
  const bool explains =
      further.on == config::FurtherOn::slow ? is_speed_regression(report) : may_be_explained(report.verdict);
  if (!explains || quarantine_on(spec, today)) return {};
  return {further, config::phase_name(spec.settings, 0)};
}

Sentence further_run_words(const WantedRun& wanted, int number) {
  std::vector<std::string> words;
  for (const auto& [name, value] : wanted.further.env) words.push_back(name + "=" + value);
  words.insert(words.end(), wanted.further.words.begin(), wanted.further.words.end());
  const std::string told = join(words, " ");
  if (wanted.phase.empty()) return say({"run {} (further: {})", "第 {} 次运行（追加：{}）"}, number, told);
  return say({"run {} of phase {} (further: {})", "阶段 {1} 的第 {0} 次运行（追加：{2}）"}, number,
             wanted.phase, told);
}

void leave_artifacts_to_further(CaseReport& report, const config::Case& spec) {
  if (!spec.settings.further.is_wanted()) return;
  for (const std::string& glob : spec.settings.artifacts) {
    const Sentence words = no_artifact_words(glob);
    const auto is_it = [&](const Problem& problem) { return problem.text == words; };
    if (std::erase_if(report.problems, is_it) > 0)
      report.notes.push_back(
          plain_note(words + say({"; the run of further may", "；further 的运行可能会写"})));
  }
}

void add_further_run(CaseReport& report, const WantedRun& wanted, int number, const LaunchResult& launched) {
  report.add(launched, std::to_string(number));
  report.notes.push_back(plain_note(sentence_of(wanted, number, launched)));
}

}  // namespace gate::app
