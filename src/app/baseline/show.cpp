#include <algorithm>

#include "app/suite/chosen_cases.h"
#include "gate/app/baseline.h"
#include "gate/base/text.h"

namespace gate::app {

Answer<store::BaselineFile> find_baseline(const Suite& suite, const std::string& word, const fs::Path& folder,
                                          const std::string& platform) {
  GATE_TRY(const auto chosen, choose_judged(suite, {word}, {}, folder));
  const std::string& case_name = chosen.front().name;
  const std::vector<std::string> platforms = store::baseline_platforms(suite.layout, case_name);
  if (platforms.empty())
    return refused(case_name + " has no baseline; make one with gate baseline record " + case_name);
  std::string wanted = platform;
  if (wanted.empty() && platforms.size() == 1) wanted = platforms.front();
  const auto files = store::read_baselines(suite.layout, case_name, wanted);
  if (!files) return usage(files.error());
  if (files->empty())
    return usage(case_name + " has no baseline for " + (wanted.empty() ? "any platform" : wanted) +
                 "; there are some for " + join(platforms, ", "));
  return files->front();
}

}  // namespace gate::app
