#include "app/launch/containers.h"

#include <algorithm>

#include "gate/base/text.h"

namespace gate::app {

namespace {

const std::string& name_of(const Container& container) {
  return container.exec.empty() ? container.image : container.exec;
}

std::string engine_words(const ToolAnswer& answer) {
  return answer.failure.empty() ? printable(last_line(answer.errors), 200) : answer.failure;
}

Status check_there(Host& host, const Container& container, const Cut& cut) {
  const ToolAnswer answer = host.run_tool(launch::container_question(container), cut);
  if (trim(answer.output) == "true" && answer.exit_code == 0) return {};
  if (answer.missing)
    return fail("there is no " + container.engine + "; container.engine names another engine");
  if (launch::is_engine_silent(answer))
    return fail(container.engine + " does not answer: " + engine_words(answer));
  if (!container.exec.empty())
    return fail("container " + container.exec + " does not run: start it first" +
                (answer.exit_code == 0 ? "" : " (" + engine_words(answer) + ")"));
  return fail("image " + container.image + " is not there, and gate pulls none: " + container.engine +
              " pull " + container.image + " (" + engine_words(answer) + ")");
}

// What lies within another one comes with it.
std::vector<std::string> outermost(std::vector<std::string> folders) {
  std::ranges::sort(folders);
  std::vector<std::string> kept;
  for (const std::string& folder : folders)
    if (kept.empty() || (folder != kept.back() && !folder.starts_with(kept.back() + "/")))
      kept.push_back(folder);
  return kept;
}

std::vector<std::string> names_in(Host& host, const std::string& folder, const Cut& cut) {
  std::vector<std::string> names;
  const ToolAnswer listed = host.run_tool({"ls", "-1", folder}, cut);
  for (const std::string_view line : split(listed.output, '\n'))
    if (!line.empty()) names.emplace_back(line);
  return names;
}

Result<launch::ContainerHost> look_at(Host& host, const std::string& vendor, std::vector<std::string> folders,
                                      const Cut& cut) {
  launch::ContainerHost found{vendor, {}, {}, outermost(std::move(folders))};
  if (vendor.empty()) return found;
  found.device_files = launch::device_files_of(vendor, names_in(host, "/dev", cut));
  for (const std::string& file : launch::driver_files_of(vendor)) {
    GATE_TRY(const bool there, host.exists(file, cut));
    if (there) found.driver_files.push_back(file);
  }
  return found;
}

}  // namespace

bool is_mounted(const Container& container, const std::string& path) {
  return std::ranges::any_of(container.mounts, [&](const std::string& mount) {
    const std::vector<std::string_view> parts = split(mount, ':');
    std::string inside(parts.size() > 1 ? parts[1] : parts[0]);
    while (inside.ends_with('/')) inside.pop_back();
    return path == inside || path.starts_with(inside + "/");
  });
}

Result<launch::Command> in_container(Host& host, const Container& container, const std::string& vendor,
                                     std::vector<std::string> folders, launch::Command command,
                                     const Cut& cut) {
  if (!container.is_used()) return command;
  GATE_TRY_STATUS(check_there(host, container, cut));
  if (const std::vector<std::string> words = launch::container_sweep(container); !words.empty())
    host.run_tool(words, cut);
  GATE_TRY(const launch::ContainerHost found, look_at(host, vendor, std::move(folders), cut));
  return launch::in_container(container, command, found);
}

void remove_container(Host& host, const Container& container, const std::string& cookie,
                      std::vector<std::string>& problems, const Cut& cut) {
  const std::vector<std::string> words = launch::container_removal(container, cookie);
  if (!container.is_used() || words.empty() || !host.why_lost().empty()) return;
  const ToolAnswer answer = host.run_tool(words, cut);
  const bool is_gone = answer.exit_code == 0 || answer.errors.find("o such container") != std::string::npos;
  if (!is_gone)
    problems.push_back("container " + words.back() + " of " + name_of(container) +
                       " may be left: " + engine_words(answer));
}

Outcome outcome_in(const Container& container, Outcome outcome, const std::string& last_words) {
  constexpr int engine_failed = 125;
  // What kills the script inside is told by its exit code.
  if (const auto* killed = std::get_if<Killed>(&outcome); killed != nullptr && container.is_used())
    return Vanished{container.engine + " itself was killed by " + signal_name(killed->signal)};
  if (container.image.empty() || outcome != Outcome(Exited{engine_failed})) return outcome;
  return NotStarted{container.engine + " could not run a container of " + container.image + ": " +
                    last_words};
}

}  // namespace gate::app
