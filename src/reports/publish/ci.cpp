#include "gate/publish/ci.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "gate/base/columns.h"
#include "gate/base/fs.h"
#include "gate/base/log.h"
#include "gate/base/variables.h"
#include "gate/render/reporters.h"

namespace gate::publish {

namespace {

// Other commands of the step write to the file, too, and all of it is refused where it grows too large.
Status append_summary(const std::string& path, const Report& report) {
  const std::uintmax_t there = fs::size_of(path);
  const std::string apart = there > 0 ? "\n" : "";  // the line before may have no end
  const std::uintmax_t taken = std::min<std::uintmax_t>(there + apart.size(), render::summary_bytes);
  const std::string summary = render::markdown_within(report, render::summary_bytes - taken);
  if (summary.empty())
    return fail(path + ": holds " + std::to_string(there) + " bytes; no room for a summary");
  return fs::append_file(path, apart + summary);
}

CiMessage report_to_github(const Report& report) {
  const std::string path = own_variable("GITHUB_STEP_SUMMARY");
  return {render::annotations(report, {}), path.empty() ? Status() : append_summary(path, report)};
}

// The command ends at the line's end, and `%` is its escape.
std::string azure_path(const std::string& path) {
  std::string out;
  for (const char c : path)
    out += c == '%' ? "%AZP25" : c == '\n' ? "%0A" : c == '\r' ? "%0D" : std::string(1, c);
  return out;
}

CiMessage report_to_azure(const Report& report) {
  const std::string folder = own_variable("AGENT_TEMPDIRECTORY");
  if (folder.empty()) return {};
  const std::string path = folder + "/gate-summary-" + std::to_string(::getpid()) + ".md";
  const Status written = fs::write_file(path, render::markdown(report, {}));
  if (!written) return {"", written};
  return {"##vso[task.uploadsummary]" + azure_path(path) + "\n"};
}

constexpr std::array<CiRow, 4> systems{
    {{"GitHub Actions", "GITHUB_ACTIONS", "true",
      "appends Markdown to `$GITHUB_STEP_SUMMARY`; annotations go to standard error", report_to_github},
     {"Azure Pipelines", "TF_BUILD", "",
      "uploads Markdown as a summary, from `$AGENT_TEMPDIRECTORY`, by a line on standard error",
      report_to_azure},
     {"GitLab CI", "GITLAB_CI", "", "nothing; name the reports as artifacts", nullptr},
     {"Jenkins", "JENKINS_URL", "", "nothing; name the reports as artifacts", nullptr}}};

}  // namespace

std::string ci_link() {
  const std::string server = own_variable("GITHUB_SERVER_URL"),
                    repository = own_variable("GITHUB_REPOSITORY"), run = own_variable("GITHUB_RUN_ID");
  if (!server.empty() && !repository.empty() && !run.empty())
    return server + "/" + repository + "/actions/runs/" + run;
  for (const char* name : {"CI_JOB_URL", "BUILD_URL"})
    if (std::string link = own_variable(name); !link.empty()) return link;
  return "";
}

std::span<const CiRow> ci_systems() { return systems; }

const CiRow* ci_system(std::string (*variable)(const char* name)) {
  const auto it = std::ranges::find_if(systems, [&](const CiRow& row) {
    const std::string value = variable(row.variable.data());
    return !value.empty() && (row.value.empty() || row.value == value);
  });
  return it == systems.end() ? nullptr : &*it;
}

void report_to_ci(const Report& report, ErrorOutput error_output) {
  const CiRow* system = ci_system(own_variable);
  if (system == nullptr || system->report == nullptr) return;
  const CiMessage message = system->report(report);
  if (error_output == ErrorOutput::shared) std::fputs(message.lines.c_str(), stderr);
  if (!message.delivered)
    log::warn(std::string(system->name) + ": " + safe(message.delivered.error().message));
}

}  // namespace gate::publish
