#include "store/run_status.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gate/schema/result_file.h"
#include "gate/schema/status_file.h"
#include "gate/store/run_folder.h"
#include "store/folder_lock.h"

namespace gate::store {

namespace {

Result<RunStatus> read_going_on(const fs::Path& folder) {
  const fs::Path file = status_file(folder);
  GATE_TRY(const std::string text, fs::read_file(file));
  GATE_TRY(std::vector<RunStatus> runs, schema::read_status(text, file.string()));
  if (runs.size() != 1)
    return fail(file.string() + ": it holds " + std::to_string(runs.size()) + " runs, not one");
  runs.front().folder = folder.string();  // wherever it was moved to
  return std::move(runs.front());
}

Result<RunStatus> read_ended(const fs::Path& folder) {
  const fs::Path file = folder / "result.json";
  GATE_TRY(const std::string text, fs::read_file(file));
  GATE_TRY(const Report report, schema::read_result(text, file.string()));
  RunStatus status = run_status_of(report);
  status.folder = folder.string();
  status.exit_code = report.exit_code;
  status.state = job_state_of(report.exit_code);
  for (CaseStatus& c : status.cases)
    if (c.state == JobState::pending) c.state = JobState::stopped;
  return status;
}

// Its process is gone, and what it was doing last still stands there.
RunStatus cut_off(RunStatus status) {
  status.state = JobState::failed;
  for (CaseStatus& c : status.cases)
    if (!c.verdict) c.state = JobState::stopped;
  return status;
}

// Whoever runs it must be able to read what another user, root, has asked: what that one's umask is is no
// matter.
void make_readable(const fs::Path& file) {
  using std::filesystem::perms, std::filesystem::perm_options;
  std::error_code of_another_user;
  std::filesystem::permissions(file, perms::group_read | perms::others_read, perm_options::add,
                               of_another_user);
}

}  // namespace

Result<RunStatus> read_run_status(const fs::Path& folder) {
  if (::access(folder.c_str(), R_OK | X_OK) != 0)
    return fail(
        folder.string() + ": " + std::strerror(errno) +
        (errno == EACCES ? "; it is another user's, who alone can look into it, and stop its run" : ""));
  const bool goes_on = is_taken(folder);
  if (fs::exists(status_file(folder))) {
    GATE_TRY(RunStatus status, read_going_on(folder));
    return goes_on ? status : cut_off(std::move(status));
  }
  if (goes_on) return fail(folder.string() + ": its run is beginning or ending just now; try again");
  if (!fs::exists(folder / "result.json"))
    return fail(folder.string() + ": holds no result.json; is it the folder of a run?");
  return read_ended(folder);
}

Status ask_to_stop(const fs::Path& folder, const StopRequest& request) {
  const fs::Path file = stop_file(folder);
  if (!is_taken(folder)) return fail(folder.string() + ": no gate works in it");
  if (std::filesystem::is_symlink(file))
    return fail(file.string() + ": a link stands there; nothing is written");
  GATE_TRY_STATUS(fs::append_file(file, schema::write_stop(request)));
  make_readable(file);
  return {};
}

}  // namespace gate::store
