// A job made of a real bash script, and proof that nothing of it is left.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include "gate/launch/runner.h"
#include "launch/proc.h"

namespace gate::launch {

// Where a test waits for nothing else, the limit that must not be reached.
inline constexpr Duration ample{std::chrono::minutes(2)};

class Stage : public testing::Test {
 protected:
  Stage() {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ =
        std::filesystem::temp_directory_path() / ("gate-launch-" + std::to_string(::getpid()) + "-" + name);
    std::filesystem::create_directories(folder_);
    command_.cookie = "test." + std::to_string(::getpid()) + "." + name;
    command_.cwd = folder_.string();
    limits_.timeout = limits_.startup = limits_.hang = limits_.grace = ample;
    listener_.on_output = [this](std::string_view text) { return heard(text); };
  }

  ~Stage() override {
    expect_nothing_left();
    std::filesystem::remove_all(folder_);
  }

  void script(const std::string& text) {
    std::ofstream(folder_ / "train.sh") << text;
    command_.argv = {"bash", "train.sh"};
  }

  Ending run() {
    auto ending = run_command(command_, limits_, listener_, patience_);
    EXPECT_TRUE(ending) << ending.error().message;
    expect_nothing_left();
    return ending ? *ending : Ending{};
  }

  std::string outcome() { return text(run().outcome).english(); }

  // Once the script has printed the word, give this pulse with all output.
  void answer(const std::string& word, Pulse pulse) {
    word_ = word;
    pulse_ = std::move(pulse);
  }

  bool has_printed(const std::string& word) const { return output_.find(word) != std::string::npos; }

  Command command_;
  Limits limits_;
  Listener listener_;
  Patience patience_;
  std::filesystem::path folder_;
  std::string output_;

 private:
  Pulse heard(std::string_view text) {
    output_ += text;
    return word_.empty() || !has_printed(word_) ? Pulse{} : pulse_;
  }

  // The runner makes this process adopt orphans: whatever was started below it is its descendant until it is
  // reaped.
  void expect_nothing_left() const {
    siginfo_t info{};
    EXPECT_EQ(::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT), -1) << "a child is left";
    for (const ProcEntry& process : all_processes())
      EXPECT_FALSE(carries_cookie(process.pid, command_.cookie)) << "left: " << describe(process);
  }

  std::string word_;
  Pulse pulse_;
};

}  // namespace gate::launch
