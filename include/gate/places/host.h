// A host on which cases run, as an object: what it is, what is attached, and how a script is started there.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/cut.h"
#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/base/time.h"
#include "gate/devices/discover.h"
#include "gate/devices/host_usage.h"
#include "gate/devices/leases.h"
#include "gate/hosts/far_files.h"
#include "gate/hosts/sent_tree.h"
#include "gate/launch/host_facts.h"
#include "gate/launch/open_files.h"
#include "gate/launch/process.h"
#include "gate/model/runs/tool_answer.h"

namespace gate::app {

// Used by several threads at once. Whatever is asked of it waits no longer than its cut, nor than a limit of
// its own.
class Host {
 public:
  virtual ~Host() = default;

  // Return its name and what its files tell of its accelerators.
  virtual const launch::HostFacts& facts() const = 0;

  // Return a variable of the environment that scripts get there.
  virtual std::optional<std::string> variable(const std::string& name) const = 0;

  // Ask a program of the host, as the vendors' tools are; no longer than a limit.
  virtual ToolAnswer run_tool(const std::vector<std::string>& words, const Cut& cut) = 0;

  // Return the command as a process there, which is not started yet, or why no system can start it. The cut
  // is that of what is asked of it.
  virtual Result<std::unique_ptr<launch::Process>> process(launch::Command command, const Cut& cut) = 0;

  // Open the leases on its devices and ports, which all gates of the host share. What is reserved by them is
  // given back with the value. The cut is that of each question to them.
  virtual Result<std::unique_ptr<devices::Leases>> leases(const Cut& cut) = 0;

  // Tell whether a server could listen on the port; true where nobody can tell.
  virtual bool is_port_free(int port, const Cut& cut) = 0;

  // Tell whether the path is there. Fails where the host cannot be asked.
  virtual Result<bool> exists(const fs::Path& path, const Cut& cut) = 0;

  // Tell whether it can be asked at the moment.
  virtual bool is_up() const { return true; }

  // Return why it is lost, for good: no further case may run there; "" while it is not.
  virtual std::string why_lost() const { return ""; }

  // Return what tells whether a process of that number was there before gate: none of its launches has it.
  // None where nobody can tell.
  virtual std::function<bool(std::int64_t)> is_foreign() const { return nullptr; }

  // Return the files that other launches than that of the cookie are writing there.
  virtual std::vector<launch::OpenFile> written_elsewhere(const std::string& cookie, const Cut& cut) = 0;

  // Make, for this run, the tree there: for a host that has no file system in common with gate's. To be
  // called once, before anything is launched; says as hosts::send_tree() does what is sent, and why it was
  // not.
  virtual Status send_tree(const hosts::Tree&, const std::function<void(const hosts::MissingContents&)>&,
                           const Cut&) {
    return {};
  }

  // Return what a path is called there: below the tree that was sent, where it lies in that tree here; else
  // the same.
  virtual fs::Path path_there(const fs::Path& path) const { return path; }

  // Return the files of the tree that was sent to it; nullptr where they are those that gate sees.
  virtual hosts::FarFiles* sent_files() { return nullptr; }

  // Remove a folder of that tree with all that is in it; nothing where there is none.
  Status remove_sent(const fs::Path& folder, const Cut& cut) {
    return sent_files() == nullptr ? Status() : sent_files()->remove_folder(folder, cut);
  }

  // Return the devices that are attached now, and that gate may use: those that a variable such as
  // CUDA_VISIBLE_DEVICES leaves of them.
  devices::Attached inventory(const Cut& cut);

  // Return how busy the host is as a whole; nothing where it does not tell. Whether it has a power meter is
  // found out once. Called by one thread at a time.
  std::optional<devices::HostUsage> usage(const Cut& cut);

 private:
  bool has_power_meter_ = true;  // as far as it is known
};

// The host that gate runs on. Its leases stand in the folder GATE_LEASE_DIR, or in one that all users share.
class LocalHost : public Host {
 public:
  explicit LocalHost(Duration tool_limit) : tool_limit_(tool_limit) {}

  const launch::HostFacts& facts() const override { return facts_; }
  ToolAnswer run_tool(const std::vector<std::string>& words, const Cut& cut) override;
  Result<std::unique_ptr<launch::Process>> process(launch::Command command, const Cut& cut) override;
  Result<std::unique_ptr<devices::Leases>> leases(const Cut& cut) override;
  std::optional<std::string> variable(const std::string& name) const override;
  bool is_port_free(int port, const Cut& cut) override;
  Result<bool> exists(const fs::Path& path, const Cut& cut) override;
  std::function<bool(std::int64_t)> is_foreign() const override;
  std::vector<launch::OpenFile> written_elsewhere(const std::string& cookie, const Cut& cut) override;

 private:
  Duration tool_limit_;
  launch::HostFacts facts_ = launch::read_host();
};

}  // namespace gate::app
