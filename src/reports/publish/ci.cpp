#include "gate/publish/ci.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "gate/base/columns.h"
#include "gate/base/fs.h"
#include "gate/base/log.h"
#include "gate/base/variables.h"
#include "gate/config/case_names.h"
#include "gate/render/reporters.h"

namespace gate::publish {

namespace {

// Other commands of the step write to the file, too, and all of it is refused where it grows too large.
Status append_summary(const std::string& path, const Report& report, const render::Style& style) {
  const std::uintmax_t there = fs::size_of(path);
  const std::string apart = there > 0 ? "\n" : "";  // the line before may have no end
  const std::uintmax_t taken = std::min<std::uintmax_t>(there + apart.size(), render::summary_bytes);
  const std::string summary = render::markdown_within(report, style, render::summary_bytes - taken);
  if (summary.empty())
    return fail(path + ": holds " + std::to_string(there) + " bytes; no room for a summary");
  return fs::append_file(path, apart + summary);
}

CiMessage report_to_github(const Report& report, const render::Style& style) {
  const std::string path = own_variable("GITHUB_STEP_SUMMARY");
  return {render::annotations(report, {}), path.empty() ? Status() : append_summary(path, report, style)};
}

// The command ends at the line's end, and `%` is its escape.
std::string azure_path(const std::string& path) {
  std::string out;
  for (const char c : path)
    out += c == '%' ? "%AZP25" : c == '\n' ? "%0A" : c == '\r' ? "%0D" : std::string(1, c);
  return out;
}

CiMessage report_to_azure(const Report& report, const render::Style& style) {
  const std::string folder = own_variable("AGENT_TEMPDIRECTORY");
  if (folder.empty()) return {};
  const std::string path = folder + "/gate-summary-" + std::to_string(::getpid()) + ".md";
  const Status written = fs::write_file(path, render::markdown(report, style));
  if (!written) return {"", written};
  return {"##vso[task.uploadsummary]" + azure_path(path) + "\n"};
}

constexpr std::array<CiRow, 4> systems{
    {{"GitHub Actions", "GITHUB_ACTIONS", "true",
      "Markdown in `$GITHUB_STEP_SUMMARY`, annotations on standard error", report_to_github},
     {"Azure Pipelines", "TF_BUILD", "",
      "uploads Markdown as a summary, from `$AGENT_TEMPDIRECTORY`, by a line on standard error",
      report_to_azure},
     {"GitLab CI", "GITLAB_CI", "", "nothing; list the reports as artifacts", nullptr},
     {"Jenkins", "JENKINS_URL", "", "nothing; list the reports as artifacts", nullptr}}};

// Return the address with the value of each `{NAME}` in it; "" where one has none.
std::string filled(std::string_view address, std::string (*variable)(const char* name)) {
  std::map<std::string, std::string> values;
  for (const std::string& name : config::holes_of(address))
    if (const std::string value = variable(name.c_str()); !value.empty()) values.emplace(name, value);
  return config::expand(address, values).value_or("");
}

struct LinkRow {
  std::string_view job, artifacts, commits;
};

constexpr std::array<LinkRow, 4> addresses{
    {{"{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/actions/runs/{GITHUB_RUN_ID}",
      "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/actions/runs/{GITHUB_RUN_ID}#artifacts",
      "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/commit/"},
     {"{CI_JOB_URL}", "{CI_JOB_URL}/artifacts/browse", "{CI_PROJECT_URL}/-/commit/"},
     {"{BUILD_URL}", "{BUILD_URL}artifact/", ""},
     {"{SYSTEM_COLLECTIONURI}{SYSTEM_TEAMPROJECTID}/_build/results?buildId={BUILD_BUILDID}",
      "{SYSTEM_COLLECTIONURI}{SYSTEM_TEAMPROJECTID}/_build/results?buildId={BUILD_BUILDID}&view=artifacts",
      ""}}};

}  // namespace

render::CiLinks ci_links(std::string (*variable)(const char* name)) {
  for (const LinkRow& row : addresses)
    if (const std::string job = filled(row.job, variable); !job.empty())
      return {job, filled(row.artifacts, variable), filled(row.commits, variable)};
  return {};
}

std::span<const CiRow> ci_systems() { return systems; }

const CiRow* ci_system(std::string (*variable)(const char* name)) {
  const auto it = std::ranges::find_if(systems, [&](const CiRow& row) {
    const std::string value = variable(row.variable.data());
    return !value.empty() && (row.value.empty() || row.value == value);
  });
  return it == systems.end() ? nullptr : &*it;
}

void report_to_ci(const Report& report, const render::Style& style, ErrorOutput error_output) {
  const CiRow* system = ci_system(own_variable);
  if (system == nullptr || system->report == nullptr) return;
  const CiMessage message = system->report(report, style);
  if (error_output == ErrorOutput::shared) std::fputs(message.lines.c_str(), stderr);
  if (!message.delivered)
    log::warn(std::string(system->name) + ": " + safe(message.delivered.error().message));
}

}  // namespace gate::publish
