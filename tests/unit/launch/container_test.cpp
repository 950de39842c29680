#include "gate/launch/container.h"

#include <gmock/gmock.h>

#include "gate/launch/tool.h"

namespace gate::launch::container_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

Command script() {
  Command command;
  command.argv = {"bash", "/suite/scripts/a b.sh", "--lr", "$(touch x)"};
  command.env = {{"A", "1"}, {"PATH", "/opt/conda/bin"}};
  command.cwd = "/suite";
  command.cookie = "1125-1.sub/a.1.99";
  return command;
}

Container image() {
  Container container;
  container.image = "ascend/train:8.0";
  return container;
}

Container running() {
  Container container;
  container.exec = "trainer";
  container.engine = "docker";
  return container;
}

TEST(Image, GetsAContainerOfItsOwn) {
  const Command command = in_container(image(), script(), {"", {}, {}, {"/suite", "/runs/1"}}).value();
  std::vector<std::string> words = command.argv;
  const std::string program = words.at(16);
  words.at(16) = "PROGRAM";
  EXPECT_THAT(words,
              ElementsAre("podman", "run", "--rm", "--pull=never", "--label=gate",
                          "--name=gate-1125-1.sub_a.1.99", "--network=host", "--volume=/suite:/suite",
                          "--volume=/runs/1:/runs/1", "--workdir=/suite", "--env=GATE_LAUNCH",
                          "--env=gate_env_0", "--env=gate_env_1", "--entrypoint=sh", "ascend/train:8.0", "-c",
                          "PROGRAM", "gate", "2", "bash", "/suite/scripts/a b.sh", "--lr", "$(touch x)"));
  EXPECT_EQ(command.env, (std::map<std::string, std::string>{{"gate_env_0", "A=1"},
                                                             {"gate_env_1", "PATH=/opt/conda/bin"}}));
  EXPECT_EQ(command.cookie, script().cookie);
  EXPECT_EQ(command.cwd, "");
  EXPECT_THAT(command.at_kill, ElementsAre("podman", "kill", "gate-1125-1.sub_a.1.99"));
  EXPECT_THAT(container_removal(image(), script().cookie),
              ElementsAre("podman", "rm", "-f", "gate-1125-1.sub_a.1.99"));
  EXPECT_THAT(container_question(image()),
              ElementsAre("podman", "image", "inspect", "--format=true", "ascend/train:8.0"));
}

TEST(Image, GetsWhatItsSettingsSay) {
  Container container = image();
  container.mounts = {"/data", "/models:/m:ro"};
  container.options = {"--user=1000:1000", "--ulimit", "memlock=-1"};
  EXPECT_THAT(in_container(container, script(), {})->argv,
              IsSupersetOf({"--network=host", "--user=1000:1000", "--volume=/data:/data",
                            "--volume=/models:/m:ro", "--ulimit", "memlock=-1"}));
}

TEST(Image, HasTheNetworkOfTheHostUnlessItsOptionsSayOne) {
  const auto is_of_host = [](const std::vector<std::string>& options) {
    Container container = image();
    container.options = options;
    return std::ranges::count(in_container(container, script(), {})->argv, "--network=host") == 1;
  };
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--network=none"}, {"--network", "none"}, {"--net=lab"}, {"--net", "lab"}})
    EXPECT_FALSE(is_of_host(options)) << options.front();
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{}, {"--network-alias=a"}, {"--env=A=--network"}, {"--user=1000"}})
    EXPECT_TRUE(is_of_host(options));
}

TEST(Exec, RunsInAContainerThatIsThere) {
  const Command command = in_container(running(), script(), {"nvidia", {}, {}, {"/suite"}}).value();
  std::vector<std::string> words = command.argv;
  words.at(9) = "PROGRAM";
  EXPECT_THAT(words, ElementsAre("docker", "exec", "--workdir=/suite", "--env=GATE_LAUNCH",
                                 "--env=gate_env_0", "--env=gate_env_1", "trainer", "sh", "-c", "PROGRAM",
                                 "gate", "2", "bash", "/suite/scripts/a b.sh", "--lr", "$(touch x)"));
  EXPECT_THAT(command.at_kill, IsSupersetOf({"docker", "exec", "trainer", "1125-1.sub/a.1.99"}));
  EXPECT_THAT(container_removal(running(), script().cookie), IsEmpty());
  EXPECT_THAT(container_question(running()),
              ElementsAre("docker", "container", "inspect", "--format={{.State.Running}}", "trainer"));
}

TEST(Engine, IsSilentWhereItsDaemonIs) {
  const auto is_silent = [](const std::string& errors) { return is_engine_silent({"", errors, 1, ""}); };
  EXPECT_TRUE(
      is_silent("Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker "
                "daemon running?\n"));
  EXPECT_TRUE(
      is_silent("permission denied while trying to connect to the docker API at unix:///run/d.sock\n"));
  EXPECT_TRUE(is_silent("error during connect: Get \"https://h:2376/v1.24\": dial tcp: i/o timeout\n"));
  EXPECT_TRUE(is_silent("Error: unable to connect to Podman socket: dial unix /run/p.sock\n"));
  EXPECT_TRUE(is_engine_silent({"", "", {}, "docker did not end within 10 s"}));
  EXPECT_FALSE(is_silent("Error response from daemon: No such image: connect:1\n"));
  EXPECT_FALSE(is_silent("Error: inspecting object: a:1: image not known\n"));
  EXPECT_FALSE(is_engine_silent({"true\n", "", 0, ""}));
}

TEST(Devices, AreThoseOfTheVendor) {
  const std::vector<std::string> dev{
      "davinci0", "davinci15", "davinci_manager", "davincix", "devmm_svm", "hisi_hdc", "kfd",
      "dri",      "null",      "nvidia0"};
  EXPECT_THAT(device_files_of("ascend", dev),
              ElementsAre("davinci0", "davinci15", "davinci_manager", "devmm_svm", "hisi_hdc"));
  EXPECT_THAT(device_files_of("amd", dev), ElementsAre("kfd", "dri"));
  EXPECT_THAT(device_files_of("nvidia", dev), IsEmpty());
  EXPECT_THAT(device_files_of("", dev), IsEmpty());
  EXPECT_THAT(driver_files_of("ascend"), Contains("/usr/local/Ascend/driver"));
}

TEST(Devices, ArePassedOnAsTheEngineWants) {
  const ContainerHost ascend{"ascend", {"davinci0"}, {"/usr/local/dcmi"}, {}};
  EXPECT_THAT(in_container(image(), script(), ascend)->argv,
              IsSupersetOf({"--device=/dev/davinci0", "--volume=/usr/local/dcmi:/usr/local/dcmi:ro"}));
  const ContainerHost nvidia{"nvidia", {}, {}, {}};
  EXPECT_THAT(in_container(image(), script(), nvidia)->argv, Contains("--device=nvidia.com/gpu=all"));
  Container docker = image();
  docker.engine = "docker";
  EXPECT_THAT(in_container(docker, script(), nvidia)->argv, Contains("--gpus=all"));
}

TEST(Folders, WithAColonCannotBeMounted) {
  for (const char* folder : {"/a:b", "/a,b"}) {
    const auto command = in_container(image(), script(), {"", {}, {}, {folder}});
    ASSERT_FALSE(command) << folder;
    EXPECT_THAT(command.error().message, HasSubstr("cannot be mounted"));
  }
}

// What runs inside, without an engine around it.
std::string printed_inside(const Command& command, std::size_t first) {
  std::vector<std::string> words{"env"};
  for (const auto& [name, value] : command.env) words.push_back(name + "=" + value);
  words.insert(words.end(), command.argv.begin() + static_cast<std::ptrdiff_t>(first), command.argv.end());
  const ToolAnswer answer = ask_tool(words, std::chrono::seconds(30));
  return answer.output + answer.errors;
}

TEST(ProgramInside, ExportsValuesAsTheyAre) {
  Command command = script();
  command.argv = {"env", "--null"};
  command.env = {{"A", "two\nlines"},
                 {"B", "$(touch x) `id` \"'\\ ;"},
                 {"C", ""},
                 {"D", " blanks  "},
                 {"E", "-n -e \\n"}};
  const Command inside = in_container(running(), command, {}).value();
  const auto program = std::find(inside.argv.begin(), inside.argv.end(), "sh");
  const std::string said = printed_inside(inside, static_cast<std::size_t>(program - inside.argv.begin()));
  for (const auto& [name, value] : command.env)
    EXPECT_THAT(said, HasSubstr(name + "=" + value + std::string(1, '\0'))) << name;
  EXPECT_THAT(said, Not(HasSubstr("gate_env_1=")));
}

TEST(ProgramInside, HasNamesOfItsOwn) {
  Command command = script();
  command.env = {{"gate_env_7", "x"}};
  EXPECT_FALSE(in_container(image(), command, {}));
}

TEST(ProgramInside, RunsTheSetupTextFirst) {
  Command command = script();
  command.argv = {"sh", "-c", "echo $A $B; pwd"};
  command.env = {{"A", "set"}};
  command.setup = "cd /; export B=by-setup";
  const Command inside = in_container(running(), command, {}).value();
  const auto program = std::find(inside.argv.begin(), inside.argv.end(), "bash");
  const auto first = static_cast<std::size_t>(program - inside.argv.begin());
  EXPECT_EQ(printed_inside(inside, first), "set by-setup\n/\n");
  EXPECT_EQ(inside.setup, "");
  command.setup = "echo no; false";
  EXPECT_EQ(printed_inside(in_container(running(), command, {}).value(), first), "no\n");
}

}  // namespace
}  // namespace gate::launch::container_test
