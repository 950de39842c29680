#include <algorithm>
#include <map>

#include "gate/base/columns.h"
#include "gate/base/text.h"
#include "gate/render/status.h"
#include "gate/render/table_json.h"

namespace gate::render {

namespace {

std::string time_since(const std::string& moment, Moment now) {
  const std::optional<Moment> since = parse_iso(moment);
  if (!since) return "";
  return rough(std::max(Duration{}, std::chrono::duration_cast<Duration>(now - *since)));
}

std::string word_of(const CaseStatus& status) {
  return std::string(status.verdict ? to_string(*status.verdict) : to_string(status.state));
}

std::string steps_of(const CaseStatus& status) {
  if (status.step == 0 && status.state == JobState::pending) return "";
  return std::to_string(status.step) + (status.total ? "/" + std::to_string(*status.total) : "");
}

std::string since_when(const RunStatus& run, Moment now) {
  if (run.state == JobState::running) return "for " + time_since(run.started, now);
  const std::string ago = " " + time_since(run.updated, now) + " ago";
  return run.exit_code ? "ended" + ago + ", exit code " + std::to_string(*run.exit_code)
                       : "cut off, last seen" + ago + "; gate run --resume " + run.run + " finishes it";
}

std::string who(const RunStatus& run) {
  std::string words = run.pid > 0 ? "pid " + std::to_string(run.pid) + " of " + run.user : "";
  if (!run.host.empty()) words += (words.empty() ? "on " : " on ") + run.host;
  return words;
}

TextRow row_of(const CaseStatus& status, Moment now) {
  const bool goes_on = status.state == JobState::running;
  std::string last = status.waits_for;
  if (last.empty() && status.launches > 1) last = "launch " + std::to_string(status.launches);
  return {"  " + status.name, word_of(status), goes_on ? time_since(status.since, now) : "",
          steps_of(status),   status.devices,  last};
}

std::string counts_of(const RunStatus& run) {
  std::map<std::string, std::int64_t> counts;
  for (const CaseStatus& c : run.cases) ++counts[word_of(c)];
  std::vector<std::string> words;
  for (const auto& [word, count] : counts) words.push_back(std::to_string(count) + " " + word);
  return words.empty() ? "no case" : join(words, ", ");
}

std::string block_of(const RunStatus& run, Moment now, const Style& style) {
  std::string out = safe("run " + run.run + (run.suite.empty() ? "" : " of " + run.suite) + ": " +
                         run.command + " " + since_when(run, now)) +
                    "\n";
  out += safe("  " + join(std::vector<std::string>{who(run), run.folder}, ", ")) + "\n";
  if (!run.waits_for.empty()) out += "  " + safe(run.waits_for) + "\n";
  TextRows rows{{"  case", "state", "for", "step", "devices", ""}};
  for (const CaseStatus& c : run.cases)
    if (style.verbose || c.state == JobState::running) rows.push_back(row_of(c, now));
  if (rows.size() > 1) out += table(rows, style);
  return inert(out) + "  " + counts_of(run) + "\n";
}

}  // namespace

std::string status_text(const std::vector<RunStatus>& runs, Moment now, const Style& style) {
  std::string out;
  for (const RunStatus& run : runs) out += (out.empty() ? "" : "\n") + block_of(run, now, style);
  return out.empty() ? "no run goes on\n" : out;
}

}  // namespace gate::render
