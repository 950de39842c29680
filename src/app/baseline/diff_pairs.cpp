#include "app/baseline/diff_pairs.h"

#include "app/baseline/candidate_source.h"
#include "app/judging/case_judge.h"
#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "gate/store/run_folder.h"

namespace gate::app {

namespace {

Answer<Pair> against_present(const Suite& suite, const Baseline& candidate) {
  const auto files = store::read_baselines(suite.layout, candidate.case_name, candidate.platform);
  if (!files) return usage(files.error());
  const JudgedAgainst against = judged_against(*files);
  return Pair{against.reference, against.files, candidate};
}

Answer<std::string> git_show(const Suite& suite, const std::string& ref, const std::string& path,
                             Environment& machine) {
  std::string text;
  const launch::Command command{.argv = {"git", "show", ref + ":./" + path},
                                .env = {},
                                .cwd = suite.root.string(),
                                .setup = "",
                                .cookie = "git." + std::to_string(machine.now().time_since_epoch().count())};
  launch::Limits limits;
  limits.has_steps = false;
  const launch::Listener listener{.on_output =
                                      [&](std::string_view bytes) {
                                        text += bytes;
                                        return launch::Pulse{};
                                      },
                                  .on_look = nullptr,
                                  .interrupted = machine.interrupted,
                                  .hurried = nullptr};
  const Result<launch::Ending> ending = machine.host.launch(command, limits, listener);
  if (!ending) return infra(ending.error());
  if (!ended_well(ending->outcome)) return usage("git show " + ref + ": " + printable(trim(text)));
  return text;
}

// What the baselines were at a git ref against what they are: before and after of a review.
Answer<std::vector<Pair>> since_ref(const Suite& suite, const std::string& ref, Environment& machine) {
  std::vector<Pair> pairs;
  for (const config::Case& spec : suite.cases) {
    for (const std::string& platform : store::baseline_platforms(suite.layout, spec.name)) {
      const std::string path = store::baseline_path(suite.layout, spec.name, platform);
      const Answer<std::string> text = git_show(suite, ref, path, machine);
      if (!text && text.error().message.find("exists on disk, but not in") != std::string::npos) continue;
      if (!text) return tl::unexpected(text.error());
      const Result<Baseline> before = schema::read_baseline(*text, ref + ":" + path);
      if (!before) return usage(before.error());
      const auto files = store::read_baselines(suite.layout, spec.name, platform);
      if (!files) return usage(files.error());
      pairs.push_back(
          {make_reference(*before, ref + ":" + path), {{ref + ":" + path, ""}}, files->front().baseline});
    }
  }
  return pairs;
}

Answer<std::vector<Pair>> candidates_against_present(const Suite& suite,
                                                     const std::vector<std::string>& words,
                                                     const std::string& run) {
  GATE_TRY(const std::vector<Baseline> candidates, read_candidates(suite, words, run));
  std::vector<Pair> pairs;
  for (const Baseline& candidate : candidates) {
    GATE_TRY(Pair pair, against_present(suite, candidate));
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

}  // namespace

// A single word may be a case, a run or a git ref; the first that it is.
Answer<std::vector<Pair>> find_pairs(const Suite& suite, const std::vector<std::string>& words,
                                     const std::string& run, Environment& machine) {
  const bool selects = words.empty() || config::select(words, known_cases(suite)).has_value();
  if (selects || !run.empty()) return candidates_against_present(suite, words, run);
  const std::string& word = words.front();
  if (words.size() == 1 && store::find_run(suite.root, word))
    return candidates_against_present(suite, {}, word);
  if (words.size() == 1 && !is_glob(word) && !word.starts_with("-")) {
    Answer<std::vector<Pair>> pairs = since_ref(suite, word, machine);
    if (pairs) return pairs;
  }
  return usage(config::select(words, known_cases(suite)).error().message + " (nor is it a run or a git ref)");
}

}  // namespace gate::app
