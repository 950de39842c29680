#include "app/host/agent_files.h"

#include <array>
#include <filesystem>
#include <string>
#include <system_error>

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

Status put(const hosts::AgentFile& agent, const fs::Path& target) {
  if (fs::size_of(target) == agent.size) return {};
  GATE_TRY(const std::string content, fs::read_file(agent.path));
  const fs::Path whole = target.string() + ".new";
  GATE_TRY_STATUS(fs::write_file(whole, content, fs::Survives::kill));
  std::error_code error;
  constexpr auto executable = std::filesystem::perms(0755);
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
