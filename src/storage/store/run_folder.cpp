#include "gate/store/run_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "gate/base/text.h"
#include "gate/base/unfinished.h"
#include "gate/schema/result_file.h"
#include "gate/schema/status_file.h"
#include "store/folder_lock.h"
#include "store/path_names.h"

namespace gate::store {

namespace {

// The files of a run's folder that tell of it while it goes on.

// What the run is doing: gate.status/1.
fs::Path status_file(const fs::Path& folder) { return folder / "status.json"; }

// What is asked of it: a line of gate.stop/1 for each request.
fs::Path stop_file(const fs::Path& folder) { return folder / "stop.jsonl"; }

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

// Remove what earlier launches left in the folder of a case that begins anew: further ones, and folders that
// a launch makes. A folder that another case has stays.
void remove_launches(const fs::Path& run, const std::string& case_name, const Report& report) {
  constexpr std::array names{"try-",        "phase-", "job-",      "scratch",
                             "checkpoints", "logs",   "artifacts", "outputs"};
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(run / case_name, ignored)) {
    const std::string name = entry.path().filename().string(), path = case_name + "/" + name;
    const bool is_of_launch =
        std::ranges::any_of(names, [&](const char* begin) { return name.starts_with(begin); });
    const bool is_of_case = std::ranges::any_of(report.cases, [&](const CaseReport& other) {
      return other.name == path || other.name.starts_with(path + "/");
    });
    if (is_of_launch && !is_of_case) std::filesystem::remove_all(entry.path(), ignored);
  }
}

std::string stamp(Moment moment) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(moment);
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 16> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%m%d-%H%M", &local)};
}

constexpr std::int64_t greatest_number = 1'000'000'000;  // of a folder that somebody named

// Return the greatest N of the paths `name-N` that are there, 1 for `name`; 0: there is none.
std::int64_t latest_of(const fs::Path& runs, const std::string& name) {
  std::int64_t latest = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(runs, error)) {
    const std::string path = entry.path().filename().string();
    if (path == name) latest = std::max<std::int64_t>(latest, 1);
    if (!path.starts_with(name + "-")) continue;
    const auto number = parse_integer(std::string_view(path).substr(name.size() + 1)).value_or(0);
    if (number < greatest_number) latest = std::max(latest, number);
  }
  return latest;
}

// Return the first path of `name`, `name-2`, ... behind all that are there which `make` could create: a name
// does not come again while a later one is there. `make` returns 0 or an errno.
template <typename Make>
Result<fs::Path> first_free(const fs::Path& runs, const std::string& name, Make make) {
  for (std::int64_t n = latest_of(runs, name) + 1;; ++n) {
    const fs::Path path = runs / (n == 1 ? name : name + "-" + std::to_string(n));
    const int error = make(path);
    if (error == 0) return path;
    if (error != EEXIST) return fail(path.string() + ": cannot create: " + std::strerror(error));
  }
}

Result<fs::Path> new_folder(const fs::Path& runs, const std::string& name) {
  return first_free(runs, name,
                    [](const fs::Path& path) { return ::mkdir(path.c_str(), 0777) == 0 ? 0 : errno; });
}

Result<fs::Path> new_link(const fs::Path& runs, const std::string& name, const fs::Path& target) {
  return first_free(runs, name, [&](const fs::Path& path) {
    return ::symlink(target.c_str(), path.c_str()) == 0 ? 0 : errno;
  });
}

}  // namespace

Result<RunStatus> read_run_status(const fs::Path& folder) {
  if (::access(folder.c_str(), R_OK | X_OK) != 0)
    return fail(
        folder.string() + ": " + std::strerror(errno) +
        (errno == EACCES ? "; it is another user's, who alone can look into it, and stop its run" : ""));
  const bool goes_on = is_taken(folder);
  if (!fs::is_missing(status_file(folder))) {
    GATE_TRY(RunStatus status, read_going_on(folder));
    return goes_on ? status : cut_off(std::move(status));
  }
  if (goes_on) return fail(folder.string() + ": its run is beginning or ending just now; try again");
  if (fs::is_missing(folder / "result.json"))
    return fail(folder.string() + ": holds no result.json; is it the folder of a run?");
  return read_ended(folder);
}

bool is_open(const fs::Path& root, const std::string& run) {
  const auto folder = find_run(root, run);
  return folder && !fs::is_missing(status_file(*folder));
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

bool is_for_a_run(const fs::Path& folder) {
  std::error_code unread;
  if (std::filesystem::is_empty(folder, unread) || was_taken(folder)) return true;
  return !unread && (fs::exists(folder / "result.json") || fs::exists(status_file(folder))) &&
         read_run_status(folder).has_value();
}

void remove_unfinished(const fs::Path& root) {
  const fs::Path gate = root / ".gate";
  fs::remove_unfinished(gate);
  fs::remove_unfinished(gate / "candidates", fs::Below::yes);
  std::error_code none;
  for (const std::string& id : run_ids(root))
    if (const fs::Path run = gate / "runs" / id; !std::filesystem::is_symlink(run, none))
      fs::remove_unfinished(run, fs::exists(status_file(run)) ? fs::Below::yes : fs::Below::no);
}

Result<RunFolder> RunFolder::create(const fs::Path& root, Moment started, const std::string& out) {
  const fs::Path runs = root / ".gate" / "runs";
  RunFolder folder;
  const Status made = fs::make_folder(runs);
  if (!made && out.empty()) return tl::unexpected(made.error());
  GATE_TRY(const auto entry, out.empty() ? folder.make(runs, started) : folder.take(runs, started, out));
  folder.id_ = entry.filename().string();
  if (out.empty() || fs::is_taken(entry)) folder.latest_ = root / ".gate" / "latest";
  return folder;
}

// Until it is locked, a gate that keeps few runs may remove it.
Result<fs::Path> RunFolder::make(const fs::Path& runs, Moment started) {
  for (;;) {
    GATE_TRY(path_, new_folder(runs, stamp(started)));
    const Status locked = lock(started);
    if (fs::is_missing(path_)) continue;
    GATE_TRY_STATUS(locked);
    return path_;
  }
}

// The folder that the user named, with a link to it where all runs are, if that can be written.
Result<fs::Path> RunFolder::take(const fs::Path& runs, Moment started, const fs::Path& out) {
  GATE_TRY_STATUS(fs::make_folder(out));
  path_ = out;
  GATE_TRY_STATUS(lock(started));
  GATE_TRY_STATUS(fs::remove_file(path_ / "result.json"));
  const fs::Path target = std::filesystem::absolute(out).lexically_normal();
  return new_link(runs, stamp(started), target).value_or(runs / stamp(started));
}

Result<RunFolder> RunFolder::reopen(const fs::Path& root, const std::string& run, Moment now) {
  GATE_TRY(const auto found, find_run(root, run));
  std::error_code no_link;
  const fs::Path target = std::filesystem::read_symlink(found, no_link);
  RunFolder folder;
  folder.path_ = no_link || !target.is_absolute() ? found : target;  // as it was called when it was made
  GATE_TRY_STATUS(folder.lock(now));
  GATE_TRY(const auto report, read_run(root, run));
  folder.id_ = report.run;
  if (fs::is_taken(root / ".gate" / "runs" / folder.id_)) folder.latest_ = root / ".gate" / "latest";
  return folder;
}

Status RunFolder::lock(Moment since) {
  GATE_TRY(auto lock, FolderLock::take(path_, since));
  lock_ = std::make_shared<FolderLock>(std::move(lock));
  return {};
}

Result<fs::Path> RunFolder::case_folder(const std::string& case_name) const {
  GATE_TRY_STATUS(check_name("case", case_name));
  const fs::Path folder = path_ / case_name;
  GATE_TRY_STATUS(fs::make_folder(folder));
  return folder;
}

Status RunFolder::begin(const Report& report) const {
  for (const CaseReport& one : report.cases)
    if (one.verdict == Verdict::not_run && check_name("case", one.name) && fs::exists(path_ / one.name)) {
      GATE_TRY_STATUS(fs::remove_file(path_ / one.name / "result.json"));
      remove_launches(path_, one.name, report);
    }
  GATE_TRY_STATUS(save(report));
  return latest_.empty() ? Status() : fs::replace_link(latest_, fs::Path("runs") / id_);
}

Status RunFolder::save(const Report& report) const {
  return fs::write_file(path_ / "result.json", schema::write_result(report));
}

Status RunFolder::save_case(const CaseReport& report) const {
  GATE_TRY(const auto folder, case_folder(report.name));
  return fs::write_file(folder / "result.json", schema::write_case(report), fs::Survives::kill);
}

Status RunFolder::save_status(const RunStatus& status) const {
  return fs::write_file(status_file(path_), schema::write_status({status}), fs::Survives::kill);
}

Status RunFolder::clear_status() const {
  clear_requests();
  return fs::remove_file(status_file(path_));
}

void RunFolder::clear_requests() const {
  [[maybe_unused]] const Status removed = fs::remove_file(stop_file(path_));
}

std::optional<std::vector<StopRequest>> RunFolder::stop_requests(std::uintmax_t& size) const {
  const fs::Path file = stop_file(path_);
  if (fs::size_of(file) <= size) return std::nullopt;
  const Result<std::string> lines = fs::read_file(file);
  if (!lines) return std::nullopt;
  size = lines->size();
  return schema::read_stops(*lines);
}

std::optional<CaseReport> RunFolder::saved_case(const std::string& case_name) const {
  if (!check_name("case", case_name)) return std::nullopt;
  const fs::Path file = path_ / case_name / "result.json";
  const auto text = fs::read_file(file);
  if (!text) return std::nullopt;
  auto report = schema::read_case(*text, file.string());
  return report ? std::optional(std::move(*report)) : std::nullopt;
}

}  // namespace gate::store
