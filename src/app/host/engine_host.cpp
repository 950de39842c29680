#include "gate/app/hosts.h"
#include "gate/hosts/job.h"

namespace gate::app {

namespace {

// What an engine's jobs run on, as one host: its files are those of the local one; devices, ports and leases
// are the engine's business.
class EngineHost : public Host {
 public:
  EngineHost(Host& local, const hosts::EngineRow& row, Duration lost_after, Duration tool_limit)
      : local_(local), engine_(row, lost_after, tool_limit) {}

  const launch::HostFacts& facts() const override { return local_.facts(); }
  std::optional<std::string> variable(const std::string& name) const override {
    return local_.variable(name);
  }
  ToolAnswer run_tool(const std::vector<std::string>&, const Cut&) override {
    return {"", "", {}, "not asked", true};
  }
  Result<launch::Ending> launch(const launch::Command&, const launch::Limits&,
                                const launch::Listener&) override {
    return fail("an engine runs jobs");
  }
  Result<std::unique_ptr<devices::Leases>> leases(const Cut&) override {
    return fail("an engine has no leases");
  }
  bool is_port_free(int, const Cut&) override { return true; }
  Result<bool> exists(const fs::Path& path, const Cut& cut) override { return local_.exists(path, cut); }
  std::vector<launch::OpenFile> written_elsewhere(const std::string&, const Cut&) override { return {}; }
  hosts::JobEngine* engine() override { return &engine_; }

 private:
  Host& local_;
  hosts::JobEngine engine_;
};

}  // namespace

Hosts::ConnectEngine engine_connect(Host& local, const config::HostSettings& settings, Duration tool_limit) {
  return [&local, lost_after = settings.lost_after, tool_limit](Backend backend) -> std::unique_ptr<Host> {
    return std::make_unique<EngineHost>(local, hosts::engine_of(backend), lost_after, tool_limit);
  };
}

}  // namespace gate::app
