// A link whose ssh is a script that starts the agent here.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gate/base/fs.h"
#include "gate/hosts/link.h"
#include "gate/launch/runner.h"
#include "temporary.h"

namespace gate::hosts {

using namespace std::chrono_literals;

class Links : public Temporary {
 protected:
  Links() {
    put("ssh",
        "#!/usr/bin/env bash\n"
        "echo $$ >" +
            path("pid.new") + " && mv " + path("pid.new") + " " + path("pid") +
            "\n"
            "export GATE_AGENT_DIR=" +
            path("far side") + " GATE_LEASE_DIR=" + path("leases") +
            "\n"
            "export TSAN_OPTIONS=log_path=" +
            path("sanitizer") + " ASAN_OPTIONS=log_path=" + path("sanitizer") +
            " UBSAN_OPTIONS=log_path=" + path("sanitizer") +
            "\n"
            "[[ ! -e " +
            path("rc") + " ]] || source " + path("rc") +
            "\n"
            "eval \"${@: -1}\"\n");
  }

  // No session is left, and no sanitizer had to say anything of an agent.
  void TearDown() override {
    EXPECT_TRUE(wait_for([&] { return sessions().empty(); }));
    for (const auto& entry : std::filesystem::directory_iterator(root))
      if (entry.path().filename().string().starts_with("sanitizer"))
        ADD_FAILURE() << *fs::read_file(entry.path());
  }

  std::string path(const std::string& name) const { return "'" + (root / name).string() + "'"; }

  static const AgentFile& agent_file() {
    static const std::string content = *fs::read_file(GATE_AGENT);
    static const AgentFile agent{GATE_AGENT, fs::sha256(content), content.size()};
    return agent;
  }

  LinkOptions options(Duration lost_after = 20s) const {
    const AgentFile& agent = agent_file();
    return {"npu1",
            {"bash", (root / "ssh").string()},
            {{"x86_64", agent}, {"aarch64", agent}},
            fs::sha256(root.string()).substr(0, 24),
            lost_after};
  }

  std::unique_ptr<Link> open(Duration lost_after = 20s) {
    Result<std::unique_ptr<Link>> link = Link::open(options(lost_after), {});
    EXPECT_TRUE(link) << (link ? "" : link.error().message);
    return link ? std::move(*link) : nullptr;
  }

  launch::Command bash(const std::string& text) const {
    return {{"bash", "-c", text}, {{"X", "a b'\"$(x)\n"}}, root.string(), "", "cookie." + root.string()};
  }

  // The program that stands for ssh, and what it has become.
  void kill_ssh() const { ::kill(std::stoi(*fs::read_file(root / "pid")), SIGKILL); }

  std::string output;
  launch::Listener listener() {
    return {[this](std::string_view bytes) {
              output += bytes;
              return launch::Pulse{};
            },
            nullptr, nullptr, nullptr};
  }

  std::vector<std::string> sessions() const {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(root / "far side" / "sessions", error))
      names.push_back(entry.path().string());
    return names;
  }

  // Poll until it holds; far beyond what it takes.
  template <class Holds>
  static bool wait_for(const Holds& holds) {
    const auto end = SteadyClock::now() + 60s;
    while (!holds() && SteadyClock::now() < end) std::this_thread::sleep_for(5ms);
    return holds();
  }
};

}  // namespace gate::hosts
