#include "launch/evidence.h"

#include <filesystem>
#include <system_error>

#include "gate/base/fs.h"
#include "gate/base/text.h"

namespace gate::launch {

namespace {

constexpr std::size_t most_processes = 64;
constexpr std::size_t most_threads = 64;

using Lines = std::vector<std::string>;

std::string content(const std::string& path) { return fs::read_file(path).value_or(""); }

std::vector<std::string> threads_of(pid_t pid) {
  std::vector<std::string> ids;
  std::error_code error;
  for (std::filesystem::directory_iterator it("/proc/" + std::to_string(pid) + "/task", error), end;
       !error && it != end; it.increment(error))
    ids.push_back(it->path().filename().string());
  return ids;
}

// `0` where it waits for nothing, or the system does not tell.
std::string wait_of(const std::string& folder) {
  const std::string wait = printable(trim(content(folder + "/wchan")), 60);
  return wait.empty() || wait == "0" ? "" : ", waits in " + wait;
}

void add_stack(const std::string& folder, Lines& lines) {
  const std::string stack = content(folder + "/stack");
  for (const std::string_view line : split(trim(stack), '\n'))
    if (!line.empty()) lines.push_back("      " + printable(line, 120));
}

void add_thread(pid_t pid, const std::string& id, Lines& lines) {
  const std::string folder = "/proc/" + std::to_string(pid) + "/task/" + id;
  const auto thread = parse_stat(content(folder + "/stat"));
  if (!thread) return;
  const std::string name = printable(trim(content(folder + "/comm")), 40);
  lines.push_back("    thread " + id + " " + name + ": " + thread->state + wait_of(folder));
  add_stack(folder, lines);
}

void add_process(const ProcEntry& process, Lines& lines) {
  lines.push_back("  " + describe(process) + ": " + process.state + ", parent " +
                  std::to_string(process.parent) + ", " + count_of(process.threads, "thread"));
  const std::vector<std::string> threads = threads_of(process.pid);
  for (std::size_t i = 0; i < threads.size() && i < most_threads; ++i)
    add_thread(process.pid, threads[i], lines);
  if (threads.size() > most_threads)
    lines.push_back("    and " + std::to_string(threads.size() - most_threads) + " others");
}

}  // namespace

std::vector<std::string> evidence_of(const std::vector<ProcEntry>& processes) {
  Lines lines;
  for (std::size_t i = 0; i < processes.size() && i < most_processes; ++i) add_process(processes[i], lines);
  if (processes.size() > most_processes)
    lines.push_back("  and " + std::to_string(processes.size() - most_processes) + " others");
  return lines;
}

}  // namespace gate::launch
