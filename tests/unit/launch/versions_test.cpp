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
  std::string driver() const { return driver_version(RootedFiles(root)); }
  std::string firmware() const { return firmware_version(RootedFiles(root)); }
  std::string toolkit() const { return toolkit_version(RootedFiles(root), {"/ascend", "/cuda", "/rocm"}); }
};

TEST_F(Versions, OfHostsWithoutAcceleratorsAreUnknown) {
  EXPECT_EQ(driver(), "");
  EXPECT_EQ(firmware(), "");
  EXPECT_EQ(toolkit(), "");
}

TEST_F(Versions, OfAmd) {
  put("sys/module/amdgpu/version", "6.8.5\n");
  put("sys/class/drm/card0/device/vbios_version", "113-M3250101-100\n");
  put("rocm/.info/version", "6.2.4-116\n");
  EXPECT_EQ(driver(), "6.8.5");
  EXPECT_EQ(firmware(), "113-M3250101-100");
  EXPECT_EQ(toolkit(), "ROCm 6.2.4-116");
}

TEST_F(Versions, ToolkitsStandWhereVariablesSay) {
  const ToolkitHomes homes = homes_in([](const char* name) {
    return std::string(name) == "CUDA_HOME" ? "/opt/cuda" : std::string(name) == "ROCM_PATH" ? "rocm" : "";
  });
  EXPECT_EQ(homes.cuda, "/opt/cuda");
  EXPECT_EQ(homes.rocm, ToolkitHomes().rocm);
  EXPECT_EQ(homes.ascend, ToolkitHomes().ascend);
}

TEST_F(Versions, OfNvidia) {
  put("proc/driver/nvidia/version",
      "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  560.35.03  Release Build\nGCC version: "
      "12.2.0\n");
  put("cuda/version.json",
      R"json({"cuda" : {"name" : "CUDA SDK", "version" : "12.4.1"}, "x": {"version": "1.0"}})json");
  put("proc/driver/nvidia/gpus/0000:01:00.0/information",
      "Model: \t\t NVIDIA H100\nIRQ:   \t\t 140\nVideo BIOS: \t 96.00.74.00.01\n");
  EXPECT_EQ(driver(), "560.35.03");
  EXPECT_EQ(firmware(), "96.00.74.00.01");
  EXPECT_EQ(toolkit(), "CUDA 12.4.1");
}

TEST_F(Versions, OfAscend) {
  put("usr/local/Ascend/driver/version.info", "Version=24.1.rc2\nascendhal_version=7.35.19\n");
  put("ascend/aarch64-linux/ascend_toolkit_install.info",
      "package_name=Ascend-cann-toolkit\nversion=8.0.RC2\n");
  put("usr/local/Ascend/firmware/version.info", "Version=7.3.0.1.231\nfirmware_version=1.0\n");
  EXPECT_EQ(driver(), "24.1.rc2");
  EXPECT_EQ(firmware(), "7.3.0.1.231");
  EXPECT_EQ(toolkit(), "CANN 8.0.RC2");
}

TEST_F(Versions, WhatIsNoVersionIsNotShown) {
  put("usr/local/Ascend/driver/version.info",
      "Version=\x1b[31mred.1\nversion=" + std::string(90, '1') + ".1\n");
  put("cuda/version.json", R"({"cuda": {"version")");
  EXPECT_EQ(driver(), "");
  EXPECT_EQ(toolkit(), "");
}

}  // namespace
}  // namespace gate::launch::versions_test
