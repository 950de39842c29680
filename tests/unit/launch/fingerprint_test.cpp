// Processes and the files of their Pythons, all made up: a folder that stands for /proc, another for a root.
#include "launch/running_software.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>

#include "../temporary.h"
#include "launch/python_files.h"
#include "launch/rooted_files.h"

namespace gate::launch::fingerprint_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;
using Values = std::map<std::string, std::string>;

std::string zeroed(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += word + '\0';
  return all;
}

std::string mapped(const std::vector<std::string>& files) {
  std::string maps = "7ffd1000-7ffd2000 rw-p 00000000 00:00 0 [stack]\n";
  for (const std::string& file : files)
    maps += "7f0000000000-7f0000001000 r-xp 00000000 08:01 1234   " + file + "\n";
  return maps;
}

struct MadeUpProcess {
  std::string exe = "/usr/bin/python3.11";
  std::vector<std::string> cmdline{"python3", "train.py"};
  std::vector<std::string> environ{"PATH=/usr/bin", "HOME=/home/me"};
  std::vector<std::string> files = {};
  pid_t parent = 1;
};

class Fingerprints : public Temporary {
 protected:
  void process(int pid, const MadeUpProcess& made, const std::string& root_name = "image") {
    const std::string folder = "proc/" + std::to_string(pid) + "/";
    put(folder + "cmdline", zeroed(made.cmdline));
    put(folder + "environ", zeroed(made.environ));
    put(folder + "maps", mapped(made.files));
    std::filesystem::create_directories(root / root_name);
    std::filesystem::create_symlink(made.exe, root / folder / "exe");
    std::filesystem::create_symlink("/work", root / folder / "cwd");
    std::filesystem::create_symlink(root / root_name, root / folder / "root");
    processes.push_back({.pid = pid, .parent = made.parent});
  }
  void package(const std::string& folder, const std::string& entry, const std::string& name,
               const std::string& version) const {
    put("image" + folder + "/" + entry + "/METADATA",
        "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n\nVersion: 9.9\n");
  }
  void venv(const std::string& folder, const std::string& config) const {
    put("image" + folder + "/pyvenv.cfg", config);
    put("image" + folder + "/bin/python", "");
  }
  Fingerprint seen() const { return fingerprint_of(root / "proc", processes); }
  std::map<std::string, std::string> packages() const { return seen().packages; }

  std::vector<ProcEntry> processes;
  const std::string dist = "/usr/lib/python3/dist-packages";
  const std::string site = "/usr/lib/python3.11/site-packages";
};

TEST_F(Fingerprints, OfNoPythonSwitchesAloneAreKnown) {
  process(71, {.exe = "/usr/bin/bash", .cmdline = {"bash", "train.sh"}, .environ = {"NCCL_ALGO=Ring"}});
  Fingerprint expected;
  expected.switches.emplace().emplace("NCCL_ALGO", "Ring");
  EXPECT_EQ(seen(), expected);
  EXPECT_EQ(fingerprint_of(root / "proc", {}), Fingerprint());
  EXPECT_EQ(fingerprint_of(root / "proc", {{.pid = 4711}}), Fingerprint());
}

using Environ = std::vector<std::string>;

// Processes of one script, and the switches that it ran with.
TEST_F(Fingerprints, SwitchesAreThoseOfEveryProcess) {
  struct Process {
    pid_t parent;
    std::string exe;
    std::vector<std::string> cmdline;
    Environ environ;
  };
  const Environ none{"PATH=/bin"}, on{"HCCL_DETERMINISTIC=true"}, off{"HCCL_DETERMINISTIC=false"};
  const std::string bash = "/usr/bin/bash", train = "/opt/train", python = "/usr/bin/python3.11";
  struct {
    const char* what;
    std::vector<Process> processes;
    Values expected;
  } const rows[] = {
      {"a binary's environment",
       {{1, bash, {"bash"}, none}, {70, train, {"train"}, on}},
       {{"HCCL_DETERMINISTIC", "true"}}},
      {"a binary's flag",
       {{1, bash, {"bash"}, none}, {70, train, {"train", "--deterministic-mode"}, none}},
       {{"--deterministic-mode", "set"}}},
      {"a launcher's environment",
       {{1, bash, {"bash"}, on}, {70, train, {"train"}, none}},
       {{"HCCL_DETERMINISTIC", "true"}}},
      {"the youngest goes before",
       {{1, bash, {"bash"}, on}, {70, train, {"train"}, off}},
       {{"HCCL_DETERMINISTIC", "false"}}},
      {"beside a Python",
       {{1, bash, {"bash"}, none},
        {70, python, {"python"}, none},
        {70, train, {"train", "--npu-deterministic"}, on}},
       {{"HCCL_DETERMINISTIC", "true"}, {"--npu-deterministic", "set"}}},
      {"a Python that dropped it", {{1, bash, {"bash"}, on}, {70, python, {"python"}, none}}, {}},
      {"a Python that has another",
       {{1, bash, {"bash"}, on}, {70, python, {"python"}, off}},
       {{"HCCL_DETERMINISTIC", "false"}}},
      {"flags of a Python's launcher",
       {{1, "/usr/bin/srun", {"srun", "--deterministic-mode"}, on}, {70, python, {"python"}, none}},
       {{"--deterministic-mode", "set"}}},
  };
  for (const auto& row : rows) {
    std::filesystem::remove_all(root / "proc");
    processes.clear();
    for (int i = 0; i < static_cast<int>(row.processes.size()); ++i) {
      const Process& one = row.processes[static_cast<std::size_t>(i)];
      process(70 + i, {.exe = one.exe, .cmdline = one.cmdline, .environ = one.environ, .parent = one.parent});
    }
    EXPECT_EQ(seen().switches, row.expected) << row.what;
  }
}

TEST_F(Fingerprints, OfProcessesOfAnotherUserNothingIsKnown) {
  process(71, {.exe = "/opt/train", .cmdline = {"train"}, .environ = {}});
  EXPECT_EQ(seen().switches, std::nullopt);
}

TEST_F(Fingerprints, OfDebiansPython) {
  package(dist, "torch-2.1.0.dist-info", "torch", "2.1.0");
  put("image" + dist + "/numpy-1.24.2.egg-info/PKG-INFO", "Name: numpy\nVersion: 1.24.2\n");
  put("image" + dist + "/apex-0.1-py3.11.egg-info", "Name: apex\nVersion: 0.1\n");
  package("/usr/local/lib/python3.11/dist-packages", "torch_npu-2.1.0.post3.dist-info", "torch-npu",
          "2.1.0.post3");
  package(dist, "requests-2.28.1.dist-info", "requests", "2.28.1");
  process(71, {});
  EXPECT_THAT(packages(), UnorderedElementsAre(Pair("torch", "2.1.0"), Pair("numpy", "1.24.2"),
                                               Pair("apex", "0.1"), Pair("torch_npu", "2.1.0.post3")));
  EXPECT_EQ(seen().python, "3.11");
  EXPECT_FALSE(seen().kernel.empty());
}

TEST_F(Fingerprints, FindsEveryPackageOfTheTable) {
  for (const std::string_view name : fingerprint_packages()) {
    std::string entry(name);
    std::ranges::replace(entry, '-', '_');
    package(site, entry + "-1.2.dist-info", std::string(name), "1.2");
  }
  process(71, {});
  EXPECT_EQ(packages().size(), fingerprint_packages().size());
}

TEST_F(Fingerprints, OfAVirtualEnvironment) {
  venv("/venv", "home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11.2\n");
  package("/venv/lib/python3.11/site-packages", "torch-2.2.0.dist-info", "torch", "2.2.0");
  package(dist, "torch-2.1.0.dist-info", "torch", "2.1.0");
  package(dist, "numpy-1.24.2.dist-info", "numpy", "1.24.2");
  process(71, {.cmdline = {"/venv/bin/python", "train.py"}});
  EXPECT_THAT(packages(), ElementsAre(Pair("torch", "2.2.0"))) << "it hides those of the system";
  EXPECT_EQ(seen().python, "3.11.2");
}

TEST_F(Fingerprints, OfAVirtualEnvironmentThatSeesTheSystem) {
  venv("/work/venv", "include-system-site-packages = true\nversion_info = 3.11.9.final.0\n");
  package("/work/venv/lib/python3.11/site-packages", "torch-2.2.0.dist-info", "torch", "2.2.0");
  package(dist, "numpy-1.24.2.dist-info", "numpy", "1.24.2");
  process(71, {.cmdline = {"venv/bin/python", "train.py"}});
  EXPECT_THAT(packages(), ElementsAre(Pair("numpy", "1.24.2"), Pair("torch", "2.2.0")));
  EXPECT_EQ(seen().python, "3.11.9");
}

TEST_F(Fingerprints, APythonWithoutAPathIsTheFirstOfPath) {
  venv("/venv", "version = 3.11.2\n");
  package("/venv/lib/python3.11/site-packages", "torch-2.2.0.dist-info", "torch", "2.2.0");
  process(71, {.cmdline = {"python"}, .environ = {"PATH=/nowhere:/venv/bin:/usr/bin"}});
  EXPECT_THAT(packages(), ElementsAre(Pair("torch", "2.2.0")));
}

TEST_F(Fingerprints, OfAProcessThatHasChangedItsWords) {
  venv("/venv", "version = 3.11.2\n");
  package("/venv/lib/python3.11/site-packages", "torch-2.2.0.dist-info", "torch", "2.2.0");
  process(71, {.cmdline = {"ray::Worker"}, .environ = {"VIRTUAL_ENV=/venv"}});
  EXPECT_THAT(packages(), ElementsAre(Pair("torch", "2.2.0")));
}

TEST_F(Fingerprints, OfConda) {
  put("image/opt/conda/envs/x/conda-meta/python-3.10.13-h955ad1f_0.json", "{}");
  package("/opt/conda/envs/x/lib/python3.10/site-packages", "torch-2.1.0+cu121.dist-info", "torch",
          "2.1.0+cu121");
  process(71, {.exe = "/opt/conda/envs/x/bin/python3.10", .cmdline = {"/opt/conda/envs/x/bin/python"}});
  EXPECT_THAT(packages(), ElementsAre(Pair("torch", "2.1.0+cu121")));
  EXPECT_EQ(seen().python, "3.10.13");
}

TEST_F(Fingerprints, TheHeaderOfPythonTellsItsVersion) {
  put("image/usr/include/python3.11/patchlevel.h", "/* */\n#define PY_VERSION \t\"3.11.7\"\n");
  process(71, {});
  EXPECT_EQ(seen().python, "3.11.7");
}

TEST_F(Fingerprints, OfPythonPathAndOfTheUsersOwn) {
  package("/work/Megatron-LM", "megatron_core.egg-info", "megatron-core", "0.8.0");
  package("/home/me/.local/lib/python3.11/site-packages", "numpy-1.26.4.dist-info", "numpy", "1.26.4");
  package(dist, "numpy-1.24.2.dist-info", "numpy", "1.24.2");
  process(71, {.environ = {"PYTHONPATH=/elsewhere::Megatron-LM", "HOME=/home/me"}});
  EXPECT_THAT(packages(), ElementsAre(Pair("megatron_core", "0.8.0"), Pair("numpy", "1.26.4")));
}

TEST_F(Fingerprints, WithoutTheUsersOwn) {
  package("/home/me/.local/lib/python3.11/site-packages", "numpy-1.26.4.dist-info", "numpy", "1.26.4");
  process(71, {.environ = {"PYTHONNOUSERSITE=1", "HOME=/home/me"}});
  EXPECT_THAT(packages(), IsEmpty());
}

TEST_F(Fingerprints, OfAPackageThatIsWorkedOn) {
  put("image" + site + "/mindspeed.egg-link", "/work/MindSpeed\n.");
  package("/work/MindSpeed", "mindspeed.egg-info", "mindspeed", "0.8.0");
  put("image" + site + "/loop.egg-link", site + "\n");
  process(71, {});
  EXPECT_THAT(packages(), ElementsAre(Pair("mindspeed", "0.8.0")));
}

TEST_F(Fingerprints, WhatIsMappedComesFirst) {
  package("/data/site-packages", "torch-2.3.0.dist-info", "torch", "2.3.0");
  package(dist, "torch-2.1.0.dist-info", "torch", "2.1.0");
  process(71, {.files = {"/data/site-packages/torch/lib/libtorch.so"}});
  EXPECT_THAT(packages(), ElementsAre(Pair("torch", "2.3.0")));
}

TEST_F(Fingerprints, TheProcessWithMostLibrariesIsTheRank) {
  package(dist, "torch-2.1.0.dist-info", "torch", "2.1.0");
  process(71, {.cmdline = {"python3", "-m", "torch.distributed.run"}, .files = {"/usr/lib/libc.so"}});
  process(72, {.cmdline = {"python3", "train.py", "--use-flash-attn"},
               .environ = {"RANK=0", "HCCL_DETERMINISTIC=true"},
               .files = {"/usr/lib/libc.so", "/usr/lib/libhccl.so", "/usr/lib/libm.so"}});
  process(73, {.exe = "/usr/bin/tee", .files = {"/a", "/b", "/c", "/d", "/e"}});
  EXPECT_THAT(*seen().switches,
              ElementsAre(Pair("--use-flash-attn", "set"), Pair("HCCL_DETERMINISTIC", "true")));
}

TEST_F(Fingerprints, NoSwitchSetIsKnownToo) {
  process(71, {});
  EXPECT_EQ(seen().switches, Switches(std::map<std::string, std::string>()));
}

TEST_F(Fingerprints, AnEnvironmentThatCannotBeReadTellsNoSwitches) {
  process(71, {.environ = {}});
  EXPECT_EQ(seen().switches, std::nullopt);
}

TEST_F(Fingerprints, APythonInsideAnotherProgram) {
  put("image/opt/py/lib/python3.9/site-packages/torch-2.0.1.dist-info/METADATA",
      "Name: torch\nVersion: 2.0.1\n");
  process(71, {.exe = "/opt/trainer",
               .files = {"/opt/py/lib/libpython3.9.so.1.0", "/opt/py/lib/python3.9/lib-dynload/math.so"}});
  EXPECT_EQ(seen().python, "3.9");
  EXPECT_THAT(packages(), ElementsAre(Pair("torch", "2.0.1")));
}

TEST_F(Fingerprints, TheToolkitIsThatOfTheScript) {
  put("image/opt/cann/x86_64-linux/ascend_toolkit_install.info", "version=8.0.RC3\n");
  put("image/usr/local/Ascend/firmware/version.info", "Version=7.3.0.1.231\n");
  put("image/usr/local/Ascend/driver/version.info", "Version=24.1.rc2\n");
  process(71, {.environ = {"ASCEND_TOOLKIT_HOME=/opt/cann"}});
  EXPECT_EQ(seen().toolkit, "CANN 8.0.RC3");
  EXPECT_EQ(seen().firmware, "7.3.0.1.231");
  EXPECT_EQ(seen().driver, "24.1.rc2");
}

TEST_F(Fingerprints, HostileFilesSayNothing) {
  package(dist, "torch-1.dist-info", "torch", "\x1b[31m2.1.0");
  package(dist, "numpy-1.dist-info", "other", "1.0");
  put("image" + dist + "/triton-1.dist-info", std::string(1 << 20, 'x'));
  std::filesystem::create_directories(root / "image" / dist.substr(1) / "apex-1.dist-info");
  ::mkfifo((root / "image" / dist.substr(1) / "apex-1.dist-info/METADATA").c_str(), 0600);
  process(71,
          {.cmdline = {std::string(100'000, '/')}, .environ = {"PYTHONPATH=" + std::string(50'000, ':')}});
  EXPECT_THAT(packages(), IsEmpty());
}

// What is outside must not be read: a container's links are of its own root.
TEST_F(Fingerprints, LinksStayBelowTheRoot) {
  put("outside", "secret");
  put("image/inside", "content");
  std::filesystem::create_symlink("/inside", root / "image/link");
  std::filesystem::create_symlink(root / "outside", root / "image/away");
  std::filesystem::create_symlink("../outside", root / "image/up");
  const RootedFiles files(root / "image");
  EXPECT_EQ(files.read("/inside"), "content");
  EXPECT_EQ(files.read("/link"), "content");
  EXPECT_EQ(files.read("/away"), "");
  EXPECT_EQ(files.read("/up"), "");
  EXPECT_EQ(files.read("/../outside"), "");
  EXPECT_EQ(files.read("/inside", 3), "con");
  EXPECT_EQ(files.read(""), "");
  EXPECT_EQ(files.read("/"), "");
  EXPECT_TRUE(files.has("/link"));
  EXPECT_FALSE(files.has("/nothing"));
  EXPECT_THAT(files.list("/nothing"), IsEmpty());
  EXPECT_EQ(RootedFiles(root / "nowhere").read("/inside"), "");
}

TEST(PythonFiles, MetadataEndsWithItsHeaders) {
  EXPECT_EQ(parse_metadata("name : x\nVERSION: 1.0\r\n\n")->version, "1.0");
  EXPECT_FALSE(parse_metadata("\nName: x\nVersion: 1.0\n"));
  EXPECT_FALSE(parse_metadata("Name: x\n"));
  EXPECT_FALSE(parse_metadata("Version: 1\n"));
  EXPECT_FALSE(parse_metadata(""));
}

TEST(PythonFiles, AFileIsMappedOnce) {
  EXPECT_THAT(mapped_files(mapped({"/b", "/a", "/b"})), ElementsAre("/a", "/b"));
  EXPECT_THAT(mapped_files(""), IsEmpty());
}

}  // namespace
}  // namespace gate::launch::fingerprint_test
