#include <fmt/format.h>

#include <random>

#include "gate/base/text.h"
#include "gate/hosts/remote.h"
#include "gate/places/hosts.h"
#include "places/host/agent_files.h"
#include "places/host/git_tree.h"

namespace gate::app {

namespace {

// A host behind a link.
class SshHost : public Host {
 public:
  SshHost(std::unique_ptr<hosts::Link> link, Duration tool_limit)
      : link_(std::move(link)), tool_limit_(tool_limit) {}

  const launch::HostFacts& facts() const override { return link_->hello().facts; }

  std::optional<std::string> variable(const std::string& name) const override {
    const auto it = link_->hello().variables.find(name);
    return it == link_->hello().variables.end() ? std::nullopt : std::optional(it->second);
  }

  ToolAnswer run_tool(const std::vector<std::string>& words, const Cut& cut) override {
    return hosts::ask_tool(*link_, words, tool_limit_, cut);
  }

  Result<std::unique_ptr<launch::Process>> process(launch::Command command, const Cut& cut) override {
    return hosts::remote_process(*link_, std::move(command), cut);
  }

  Result<std::unique_ptr<devices::Leases>> leases(const Cut& cut) override {
    return hosts::leases_of(*link_, cut);
  }
  bool is_port_free(int port, const Cut& cut) override {
    return hosts::is_port_free(*link_, port, cut).value_or(true);
  }
  Result<bool> exists(const fs::Path& path, const Cut& cut) override {
    return hosts::exists(*link_, path.string(), cut);
  }

  // What writes a file there is not seen from here.
  std::vector<launch::OpenFile> written_elsewhere(const std::string&, const Cut&) override { return {}; }

  Status send_tree(const hosts::Tree& tree,
                   const std::function<void(const hosts::MissingContents&)>& on_missing,
                   const Cut& cut) override {
    GATE_TRY_STATUS(hosts::send_tree(*link_, tree, on_missing, cut));
    sent_ = tree.root;
    files_ = hosts::files_of(*link_);
    return {};
  }

  fs::Path path_there(const fs::Path& path) const override {
    if (!files_) return path;
    const std::optional<fs::Path> below = path_below(path, sent_);
    if (!below) return path;
    return *below == "." ? hosts::tree_root(*link_) : hosts::tree_root(*link_) / *below;
  }

  hosts::FarFiles* sent_files() override { return files_.get(); }

  bool is_up() const override { return link_->is_up(); }
  std::string why_lost() const override { return link_->why_lost(); }

 private:
  std::unique_ptr<hosts::Link> link_;
  Duration tool_limit_;
  fs::Path sent_;  // the root of the tree here
  std::unique_ptr<hosts::FarFiles> files_;
};

std::string new_session() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}", random(), random(), random());
}

}  // namespace

Hosts::Connect ssh_connect(const config::HostSettings& settings, Duration tool_limit,
                           std::function<bool()> must_hurry) {
  const auto ssh = texts_of(split_words(settings.ssh));
  return [ssh, lost_after = settings.lost_after, tool_limit, must_hurry = std::move(must_hurry)](
             const std::string& name, const Cut& cut) -> Result<std::unique_ptr<Host>> {
    GATE_TRY(auto link,
             hosts::Link::open({name, ssh, agent_files(), new_session(), lost_after, must_hurry}, cut));
    return std::make_unique<SshHost>(std::move(link), tool_limit);
  };
}

}  // namespace gate::app
