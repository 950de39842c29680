#include "app/baseline/candidate_judge.h"

#include <vector>

#include "gate/app/read_logs.h"

namespace gate::app {

CaseReport judge_candidate(const config::Case& spec, const JudgedAgainst& against, const Baseline& candidate,
                           const std::string& today) {
  const std::vector<Extraction> runs = as_extractions(candidate, "candidate");
  std::vector<const Extraction*> further;
  for (std::size_t i = 1; i < runs.size(); ++i) further.push_back(&runs[i]);
  return judge_case(spec, against, runs.front(), std::nullopt, candidate.platform, today, {}, further);
}

}  // namespace gate::app
