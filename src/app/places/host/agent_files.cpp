#include "places/host/agent_files.h"

#include <array>
#include <filesystem>
#include <mutex>
#include <string>
#include <system_error>

#include "gate/base/unfinished.h"

namespace gate::app {

namespace {

hosts::AgentFiles find_agents() {
  constexpr std::array<const char*, 3> places{"", "../lib/gate", "../libexec/gate"};
  constexpr std::array<const char*, 2> architectures{"x86_64", "aarch64"};
  std::error_code error;
  const fs::Path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  hosts::AgentFiles files;
  for (const char* architecture : architectures)
    for (const char* place : places) {
      const fs::Path file = folder / place / (std::string("gate-agent-") + architecture);
      const Result<std::string> content = fs::read_file(file);
      if (!content || files.contains(architecture)) continue;
      files[architecture] = {file.string(), fs::sha256(*content), content->size()};
    }
  return files;
}

// It appears whole, or not at all, whoever else makes it meanwhile.
Status put(const hosts::AgentFile& agent, const fs::Path& target) {
  constexpr auto executable = std::filesystem::perms(0755);
  std::error_code error;
  if (std::filesystem::status(target, error).permissions() == executable) return {};
  GATE_TRY(const std::string content, fs::read_file(agent.path));
  const fs::Path whole = fs::unfinished_beside(target);
  GATE_TRY_STATUS(fs::write_file(whole, content));
  std::filesystem::permissions(whole, executable, error);
  if (!error) std::filesystem::rename(whole, target, error);
  return error ? fail(target.string() + ": cannot be made: " + error.message()) : Status();
}

}  // namespace

const hosts::AgentFiles& agent_files() {
  static const hosts::AgentFiles files = find_agents();
  return files;
}

Result<fs::Path> put_agents(const fs::Path& suite) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  constexpr std::size_t digits = 16;
  if (agent_files().empty())
    return fail("there is no gate-agent-x86_64 beside gate: the nodes of an engine run it");
  std::string hashes;
  for (const auto& [architecture, agent] : agent_files()) hashes += agent.sha256;
  const fs::Path folder =
      std::filesystem::absolute(suite / ".gate" / "agents" / fs::sha256(hashes).substr(0, digits))
          .lexically_normal();
  GATE_TRY_STATUS(fs::make_folder(folder));
  for (const auto& [architecture, agent] : agent_files())
    GATE_TRY_STATUS(put(agent, folder / ("gate-agent-" + architecture)));
  return folder;
}

}  // namespace gate::app
