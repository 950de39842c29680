#include <algorithm>
#include <fstream>
#include <system_error>
#include <tuple>
#include <vector>

#include "gate/base/text.h"
#include "gate/base/time.h"
#include "gate/base/unfinished.h"
#include "gate/schema/result_file.h"
#include "gate/store/run_folder.h"
#include "store/folder_lock.h"

namespace gate::store {

namespace {

fs::Path runs_of(const fs::Path& root) { return root / ".gate" / "runs"; }

bool is_id(const std::string& run) { return run.find('/') == std::string::npos && run != "." && run != ".."; }

Result<fs::Path> latest(const fs::Path& root) {
  const fs::Path link = root / ".gate" / "latest";
  std::error_code no_link;
  const fs::Path target = std::filesystem::read_symlink(link, no_link);
  const fs::Path folder = no_link ? link : link.parent_path() / target;
  if (fs::is_folder(folder)) return folder;
  if (run_ids(root).empty())
    return fail("no run in " + runs_of(root).string() + " yet; start one with gate run");
  return fail(link.string() + ": the latest run is gone; name one of " + runs_of(root).string());
}

// A line for each of the newest runs that were removed: its id, when, and how many were kept.
fs::Path note_of_removed(const fs::Path& root) { return root / ".gate" / "removed_runs"; }

std::string removed_line(const std::string& run, int keep) {
  return run + " " + to_iso(now()) + " " + std::to_string(keep) + "\n";
}

Status add_removed(const fs::Path& root, const std::string& lines) {
  constexpr std::size_t most_bytes = 64U << 10U;
  const fs::Path note = note_of_removed(root);
  if (lines.empty()) return {};
  GATE_TRY_STATUS(fs::append_file(note, lines));
  const std::string all = fs::read_file(note).value_or("");
  if (all.size() <= most_bytes) return {};
  return fs::write_file(note, all.substr(all.find('\n', all.size() - most_bytes) + 1));
}

// Tell whether this gate removed it. Several list the same old runs: the one that could rename it removes it.
Result<bool> remove_run(const fs::Path& run) {
  const fs::Path aside = fs::unfinished_beside(run);
  std::error_code error, ignored;
  std::filesystem::rename(run, aside, error);
  if (error == std::errc::no_such_file_or_directory) return false;
  if (!error) {
    std::filesystem::remove_all(aside, error);
    if (error) std::filesystem::rename(aside, run, ignored);
  }
  if (error) return fail(run.string() + ": cannot remove the old run: " + error.message());
  return true;
}

tl::unexpected<Error> no_such_run(const fs::Path& root, const std::string& run) {
  const fs::Path runs = runs_of(root);
  if (const Status listed = fs::check_folder(runs); !listed && !fs::is_missing(runs))
    return tl::unexpected(listed.error());
  if (const std::string gone = told_of_removed(root, run); !gone.empty()) return fail(gone);
  std::vector<std::string> known = run_ids(root);
  known.emplace_back("latest");
  return fail("no run \"" + printable(run, 120) + "\": neither in " + runs.string() + " nor a folder" +
              did_you_mean(run, known));
}

// A folder given by --out serves again and again; then only its last run is in it.
Status check_id(const Report& report, const std::string& id) {
  if (report.run.empty() || report.run == id) return {};
  return fail("run " + id + " is gone: its folder now holds run " + printable(report.run, 40));
}

// What lies in the folder may be of a run that was there before.
bool is_titled(const fs::Path& page, const std::string& run) {
  constexpr std::size_t head = 8192;
  std::string text(head, '\0');
  std::ifstream file(page);
  file.read(text.data(), head);
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text.find(" " + run + "</title>") != std::string::npos;
}

struct RunEntry {
  fs::Path path;
  std::filesystem::file_time_type written;
};

// `1121-0203`, `1121-0203-2`: what RunFolder::create makes.
bool is_run_id(const std::string& name) {
  constexpr std::size_t dash = 4;
  return name.size() >= 9 && name[dash] == '-' && name.find_first_not_of("0123456789-") == std::string::npos;
}

std::vector<RunEntry> oldest_first(const fs::Path& runs) {
  std::vector<RunEntry> entries;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(runs, error)) {
    std::error_code gone;  // a link whose folder is gone counts as the oldest
    const auto written = entry.last_write_time(gone);
    if (is_run_id(entry.path().filename().string()))
      entries.push_back({entry.path(), gone ? std::filesystem::file_time_type::min() : written});
  }
  std::sort(entries.begin(), entries.end(),
            [](const RunEntry& a, const RunEntry& b) { return a.written < b.written; });
  return entries;
}

}  // namespace

std::vector<std::string> run_ids(const fs::Path& root) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(runs_of(root), error), end; !error && it != end;
       it.increment(error))
    if (std::string name = it->path().filename().string(); !name.starts_with('.'))
      names.push_back(std::move(name));
  std::ranges::sort(names);
  return names;
}

std::string told_of_removed(const fs::Path& root, const std::string& run) {
  if (root.empty() || !is_run_id(run)) return "";
  std::string told;
  const std::string notes = fs::read_file(note_of_removed(root)).value_or("");
  for (const std::string_view line : split(notes, '\n'))
    if (const auto words = split(line, ' '); words.size() == 3 && words[0] == run)
      told =
          "run " + run + " was removed on " + printable(std::string(words[1]), 40) +
          ": under [suite] keep_runs = " + printable(std::string(words[2]), 20) +
          " keeps no more runs; gate history has its values, a larger keep_runs (0: all) keeps the next ones";
  return told;
}

Result<fs::Path> find_run(const fs::Path& root, const std::string& run) {
  if (run.empty() || (run == "latest" && !fs::exists(run))) return latest(root);
  if (is_id(run) && !fs::is_missing(runs_of(root) / run)) return runs_of(root) / run;
  if (fs::is_folder(run)) return fs::Path(run);
  const fs::Path file(run);
  if (file.filename() == "result.json" && fs::exists(file))
    return file.has_parent_path() ? file.parent_path() : ".";
  return no_such_run(root, run);
}

Result<Report> read_run(const fs::Path& root, const std::string& run) {
  GATE_TRY(const auto folder, find_run(root, run));
  const fs::Path file = folder / "result.json";
  if (fs::is_missing(file))
    return fail(folder.string() + ": holds no result.json; is it the folder of a run?");
  GATE_TRY(const auto text, fs::read_file(file));
  auto report = schema::read_result(text, file.string());
  if (!report) return report;
  if (is_id(run) && folder == runs_of(root) / run) {
    GATE_TRY_STATUS(check_id(*report, run));
  }
  return report;
}

fs::Path page_of_run(const fs::Path& root, const std::string& run) {
  if (!is_id(run)) return {};
  fs::Path page;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(runs_of(root) / run, none))
    if (entry.path().extension() == ".html" && entry.is_regular_file(none) &&
        (page.empty() || entry.path() < page) && is_titled(entry.path(), run))
      page = entry.path();
  return page;
}

Result<Report> read_latest(const fs::Path& root) {
  const auto is_judged = [](const Report& report) { return report.command != "record"; };
  Result<Report> report = read_run(root, "");
  if (!report || is_judged(*report)) return report;
  std::optional<Report> newest;
  for (const std::string& id : run_ids(root)) {
    Result<Report> other = read_run(root, id);
    if (other && is_judged(*other) && (!newest || newest->started < other->started))
      newest = std::move(*other);
  }
  if (newest) return std::move(*newest);
  return fail("no run was judged yet, only recorded; gate report " + report->run +
              " shows the latest recording");
}

Result<Report> read_cut_off(const fs::Path& root) {
  std::optional<Report> newest;
  for (const std::string& id : run_ids(root)) {
    if (is_taken(runs_of(root) / id)) continue;
    Result<Report> report = read_run(root, id);
    if (!report || report->command != "run") continue;
    if (!is_open(root, id) && std::ranges::all_of(report->cases, has_finished)) continue;
    const auto place = [](const Report& one) { return std::tuple(one.started, one.run.size(), one.run); };
    if (!newest || place(*newest) < place(*report)) newest = std::move(*report);
  }
  return newest ? std::move(*newest) : read_run(root, "");
}

std::vector<fs::Path> old_runs(const fs::Path& root, int keep) {
  std::error_code none;
  const fs::Path latest = std::filesystem::read_symlink(root / ".gate" / "latest", none).filename();
  std::vector<RunEntry> entries = oldest_first(runs_of(root));
  if (keep <= 0 || entries.size() <= static_cast<std::size_t>(keep)) return {};
  entries.resize(entries.size() - static_cast<std::size_t>(keep));
  std::vector<fs::Path> old;
  for (const RunEntry& entry : entries)
    if (entry.path.filename() != latest && !is_taken(entry.path)) old.push_back(entry.path);
  return old;
}

Status remove_runs(const fs::Path& root, const std::vector<fs::Path>& runs, int keep) {
  std::string removed, problem;
  for (const fs::Path& run : runs) {
    const Result<bool> gone = remove_run(run);
    if (!gone && problem.empty()) problem = gone.error().message;
    if (gone.value_or(false)) removed += removed_line(run.filename().string(), keep);
  }
  const Status noted = add_removed(root, removed);
  return problem.empty() ? noted : fail(problem);
}

}  // namespace gate::store
