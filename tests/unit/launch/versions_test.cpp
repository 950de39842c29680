#include "launch/versions.h"

#include <gmock/gmock.h>

#include <fstream>

#include "../temporary.h"

namespace gate::launch::versions_test {
namespace {

class Versions : public Temporary {
 protected:
  void put(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  }
  std::string toolkit() const { return toolkit_version(root / "ascend", root / "cuda"); }
};

TEST_F(Versions, OfHostsWithoutAcceleratorsAreUnknown) {
  EXPECT_EQ(driver_version(root), "");
  EXPECT_EQ(toolkit(), "");
}

TEST_F(Versions, OfNvidia) {
  put("proc/driver/nvidia/version",
      "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  560.35.03  Release Build\nGCC version: "
      "12.2.0\n");
  put("cuda/version.json",
      R"json({"cuda" : {"name" : "CUDA SDK", "version" : "12.4.1"}, "x": {"version": "1.0"}})json");
  EXPECT_EQ(driver_version(root), "560.35.03");
  EXPECT_EQ(toolkit(), "CUDA 12.4.1");
}

TEST_F(Versions, OfAscend) {
  put("usr/local/Ascend/driver/version.info", "Version=24.1.rc2\nascendhal_version=7.35.19\n");
  put("ascend/aarch64-linux/ascend_toolkit_install.info",
      "package_name=Ascend-cann-toolkit\nversion=8.0.RC2\n");
  EXPECT_EQ(driver_version(root), "24.1.rc2");
  EXPECT_EQ(toolkit(), "CANN 8.0.RC2");
}

TEST_F(Versions, WhatIsNoVersionIsNotShown) {
  put("usr/local/Ascend/driver/version.info",
      "Version=\x1b[31mred.1\nversion=" + std::string(90, '1') + ".1\n");
  put("cuda/version.json", R"({"cuda": {"version")");
  EXPECT_EQ(driver_version(root), "");
  EXPECT_EQ(toolkit(), "");
}

}  // namespace
}  // namespace gate::launch::versions_test
