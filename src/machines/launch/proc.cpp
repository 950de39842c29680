#include "launch/proc.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <memory>

#include "gate/base/text.h"
#include "launch/fd.h"

namespace gate::launch {

namespace {

constexpr std::size_t most = std::size_t{4} << 20;  // bytes read of one file in /proc

std::string read_proc(pid_t pid, std::string_view file) {
  return read_proc_file("/proc/" + std::to_string(pid) + "/" + std::string(file));
}

}  // namespace

std::string read_proc_file(const fs::Path& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string content;
  std::array<char, 8192> block;
  while (fd && content.size() < most) {
    const ssize_t count = ::read(fd.get(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    content.append(block.data(), static_cast<std::size_t>(count));
  }
  return content;
}

bool is_alive(const ProcEntry& process) {
  const bool first_ended = process.state == 'Z' || process.state == 'X' || process.state == 'x';
  return !first_ended || process.threads > 1;
}

bool carries(std::string_view environ, std::string_view cookie) {
  if (cookie.empty()) return false;
  const std::string wanted = "GATE_LAUNCH=" + std::string(cookie);
  for (const std::string_view variable : split(environ, '\0'))
    if (variable == wanted) return true;
  return false;
}

std::string_view value_in(std::string_view environ, std::string_view name) {
  for (const std::string_view variable : split(environ, '\0'))
    if (variable.starts_with(name) && variable.substr(name.size()).starts_with('='))
      return variable.substr(name.size() + 1);
  return {};
}

std::string command_line(std::string_view cmdline) {
  while (cmdline.ends_with('\0')) cmdline.remove_suffix(1);
  std::string line(cmdline);
  for (char& c : line)
    if (c == '\0' || c == '\n') c = ' ';
  return printable(line, 200);
}

std::optional<ProcEntry> read_process(pid_t pid) { return parse_stat(read_proc(pid, "stat")); }

std::vector<ProcEntry> all_processes() {
  std::vector<ProcEntry> all;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc"), ::closedir);
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr) {
    const auto pid = parse_integer(entry->d_name);
    if (!pid) continue;
    if (const auto process = read_process(static_cast<pid_t>(*pid))) all.push_back(*process);
  }
  return all;
}

std::string read_environment(pid_t pid) { return read_proc(pid, "environ"); }

bool carries_cookie(pid_t pid, std::string_view cookie) {
  return !cookie.empty() && carries(read_environment(pid), cookie);
}

std::string describe(const ProcEntry& process) {
  std::string words = command_line(read_proc(process.pid, "cmdline"));
  if (words.empty()) words = printable(trim(read_proc(process.pid, "comm")));
  return "pid " + std::to_string(process.pid) + " " + words;
}

void send(const ProcEntry& process, int signal) {
  const Fd handle = open_pidfd(process.pid);
  const auto now = read_process(process.pid);
  if (!now || now->start != process.start) return;
  if (handle && (send_by_pidfd(handle, signal) || errno == ESRCH)) return;
  ::kill(process.pid, signal);
}

void destroy(const ProcEntry& process) {
  const bool own = process.session == ::getsid(0) || process.group == ::getpgrp();
  if (process.group > 1 && !own) ::kill(-process.group, SIGKILL);
  send(process, SIGKILL);
}

}  // namespace gate::launch
