// What the golden objects of a run were when they were first fetched.
#pragma once

#include <map>
#include <mutex>
#include <string>

namespace gate::app {

// Used by several threads at once. Nothing that a script can write holds it.
class GoldenMemory {
 public:
  // Take note of what a file was when it was fetched first. Returns false where it was another then.
  bool is_same(const std::string& file, const std::string& sha256) {
    const std::lock_guard lock(mutex_);
    return first_.emplace(file, sha256).first->second == sha256;
  }

  // Return the SHA-256 of all files by their paths.
  std::map<std::string, std::string> all() const {
    const std::lock_guard lock(mutex_);
    return first_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::string> first_;
};

}  // namespace gate::app
