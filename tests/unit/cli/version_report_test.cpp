#include "cli/commands/version_report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace gate::cli::version_report_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const Build build{.version = "1.2.3",
                  .commit = "0a1b2c3-dirty",
                  .kind = "static",
                  .type = "Release",
                  .sanitizers = "",
                  .compiler = "g++ 12.2.0",
                  .cpp_library = "libstdc++ 12",
                  .c_library = "glibc 2.36",
                  .architecture = "aarch64",
                  .libraries = {{"fmt", "9.1.0"}, {"RE2", ""}}};

// A host that has these programs, and sends.
HostEquipment host_with(const std::vector<std::string>& programs) {
  return {[=](std::string_view name) { return std::ranges::find(programs, name) != programs.end(); },
          {},
          {{"amd", {"rocm-smi", "amd-smi"}}, {"ascend", {"npu-smi"}}},
          "/usr/bin/curl 7.88.1, OpenSSL/3.0.19",
          {}};
}

std::vector<std::string> lacking(const HostEquipment& host) {
  std::vector<std::string> names;
  for (const Lack& lack : lacks_of(host)) names.push_back(lack.what);
  return names;
}

TEST(VersionReport, AHostMayLackNothing) {
  EXPECT_THAT(lacking(host_with({"bash", "git", "npu-smi"})), IsEmpty());
  EXPECT_THAT(version_text(build, host_with({"bash", "git", "amd-smi"}), {}),
              HasSubstr("\nmissing    nothing\n"));
}

TEST(VersionReport, ProgramsThatAreMissing) {
  EXPECT_THAT(lacking(host_with({"git", "npu-smi"})), ElementsAre("bash"));
  EXPECT_THAT(lacking(host_with({"bash", "npu-smi"})), ElementsAre("git"));
}

TEST(VersionReport, DevicesOfWhichNothingTells) {
  HostEquipment host = host_with({"bash", "git"});
  EXPECT_THAT(lacking(host), ElementsAre("rocm-smi, amd-smi, npu-smi"));
  host.device_nodes = {{"ascend", 8}};
  ASSERT_THAT(lacking(host), ElementsAre("npu-smi"));
  EXPECT_THAT(lacks_of(host)[0].means, HasSubstr("8 ascend device nodes"));
  host.device_nodes = {{"amd", 1}};
  EXPECT_THAT(lacking(host), ElementsAre("rocm-smi or amd-smi"));
  host = host_with({"bash", "git", "amd-smi"});
  host.device_nodes = {{"amd", 1}};
  EXPECT_THAT(lacking(host), IsEmpty()) << "one tool of a vendor will do";
}

TEST(VersionReport, AHostThatSendsNothingSaysWhy) {
  HostEquipment host = host_with({"bash", "git", "npu-smi"});
  host.sender = fail("there is no program curl");
  host.weaknesses = {"this system has no pidfd"};
  EXPECT_THAT(lacking(host), ElementsAre("[notify]", "system"));
  EXPECT_THAT(version_text(build, host, {}),
              AllOf(HasSubstr("\nsends by   nothing\n"),
                    HasSubstr("\nmissing    [notify]: there is no program curl: nobody is told\n"),
                    HasSubstr("\nmissing    system: this system has no pidfd\n")));
  EXPECT_FALSE(nlohmann::json::parse(version_json(build, host)).contains("sends_by"));
}

TEST(VersionReport, TellsTheBuild) {
  const std::string text = version_text(build, host_with({}), {});
  EXPECT_THAT(text,
              StartsWith("gate 1.2.3\ncommit     0a1b2c3-dirty\nbuild      static, Release, g++ 12.2.0, "
                         "libstdc++ 12, glibc 2.36, aarch64\n"));
  EXPECT_THAT(text, HasSubstr("\nlibraries  fmt 9.1.0, RE2 (tells no version)\n"));
  EXPECT_THAT(text, HasSubstr("\nsends by   /usr/bin/curl 7.88.1, OpenSSL/3.0.19\n"));
  Build other = build;
  other.commit = "";
  other.sanitizers = "thread";
  EXPECT_THAT(version_text(other, host_with({}), {}),
              AllOf(HasSubstr("\ncommit     unknown\n"), HasSubstr(", aarch64, sanitizers thread\n")));
  EXPECT_FALSE(nlohmann::json::parse(version_json(other, host_with({}))).contains("commit"));
}

TEST(VersionReport, TellsItToPrograms) {
  const auto json = nlohmann::json::parse(version_json(build, host_with({"bash", "git"})));
  EXPECT_EQ(json["version"], "1.2.3");
  EXPECT_EQ(json["commit"], "0a1b2c3-dirty");
  EXPECT_EQ(json["build"]["kind"], "static");
  EXPECT_FALSE(json["build"].contains("sanitizers"));
  EXPECT_EQ(json["libraries"], nlohmann::json({{"fmt", "9.1.0"}, {"RE2", ""}}));
  EXPECT_EQ(json["sends_by"], "/usr/bin/curl 7.88.1, OpenSSL/3.0.19");
  EXPECT_EQ(json["missing"].size(), 1u);
  EXPECT_EQ(json["missing"][0]["what"], "rocm-smi, amd-smi, npu-smi");
}

TEST(VersionReport, ThisBuildKnowsItself) {
  const Build own = this_build();
  EXPECT_EQ(own.version, GATE_VERSION);
  for (const std::string& text : {own.kind, own.type, own.architecture, own.compiler})
    EXPECT_THAT(text, Not(IsEmpty()));
  for (const auto& [name, version] : own.libraries)
    EXPECT_TRUE(name == "RE2" || version.find('.') != std::string::npos) << name << " " << version;
}

}  // namespace
}  // namespace gate::cli::version_report_test
