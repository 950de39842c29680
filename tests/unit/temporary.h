// A folder of one test, removed with it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace gate {

class Temporary : public testing::Test {
 protected:
  Temporary() {
    std::string name = (std::filesystem::temp_directory_path() / "gate-test-XXXXXX").string();
    root = ::mkdtemp(name.data());
  }
  ~Temporary() override { std::filesystem::remove_all(root); }

  void put(const std::string& path, const std::string& content) const {
    std::filesystem::create_directories((root / path).parent_path());
    std::ofstream(root / path) << content;
  }

  std::string get(const std::string& path) const {
    std::ifstream file(root / path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path root;
};

}  // namespace gate
