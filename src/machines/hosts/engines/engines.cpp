// The engines that there are.
#include "gate/base/text.h"
#include "gate/hosts/job_engine.h"

namespace gate::hosts {

const EngineRow& engine_of(Backend backend) { return backend == Backend::slurm ? slurm() : kubernetes(); }

std::string dry_run(const EngineRow& engine, const JobRequest& request) {
  const std::string file = (request.folder / "submitted").string();
  std::vector<std::string> words;
  for (const std::string& word : engine.submit(request, file)) words.push_back(shell_quote(word));
  return join(words, " ") + "\n" + engine.document(request);
}

}  // namespace gate::hosts
