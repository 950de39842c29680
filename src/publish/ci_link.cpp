#include "gate/publish/ci_link.h"

#include <cstdlib>

namespace gate::publish {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string ci_link() {
  const std::string server = variable("GITHUB_SERVER_URL"), repository = variable("GITHUB_REPOSITORY"),
                    run = variable("GITHUB_RUN_ID");
  if (!server.empty() && !repository.empty() && !run.empty())
    return server + "/" + repository + "/actions/runs/" + run;
  for (const char* name : {"CI_JOB_URL", "BUILD_URL"})
    if (std::string link = variable(name); !link.empty()) return link;
  return "";
}

}  // namespace gate::publish
