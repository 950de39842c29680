#include "gate/launch/host_facts.h"

#include <sys/prctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "launch/fd.h"
#include "launch/versions.h"

namespace gate::launch {

namespace {

struct NodeRow {
  std::string_view vendor;
  std::string_view prefix;  // followed by a number
};

constexpr std::array<NodeRow, 2> node_rows{{{"ascend", "davinci"}, {"nvidia", "nvidia"}}};

struct WeaknessRow {
  bool Abilities::*ability;
  const char *words, *in_chinese;
};

constexpr std::array<WeaknessRow, 4> weakness_rows{{
    {&Abilities::subreaper,
     "this system has no child subreaper: a daemon that clears its environment is not found when its script "
     "is "
     "stopped",
     "这个系统没有 child subreaper：停止脚本时找不到清空了环境变量的守护进程"},
    {&Abilities::processes,
     "/proc is not there: when a script is stopped only its own process group is, not what left that group",
     "没有 /proc：停止脚本时只停止它自己的进程组，离开该组的进程不会停止"},
    {&Abilities::environs,
     "/proc shows no environments: a daemon is only found as long as its parent or its session is there",
     "/proc 不显示环境变量：只有父进程或会话还在时才能找到守护进程"},
    {&Abilities::pidfd, "this system has no pidfd: the end of a script is noticed up to 20 ms late",
     "这个系统没有 pidfd：脚本结束最多晚 20 ms 才被发现"},
}};

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::string vendor_of_node(const std::string& file_name) {
  if (file_name == "kfd") return "amd";
  for (const NodeRow& row : node_rows)
    if (file_name.starts_with(row.prefix) && is_number(std::string_view(file_name).substr(row.prefix.size())))
      return std::string(row.vendor);
  return "";
}

Abilities read_abilities() {
  Abilities abilities;
  abilities.subreaper = ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
  std::error_code unknown;  // another one's /proc shows this process under another number
  abilities.processes =
      std::filesystem::read_symlink("/proc/self", unknown).string() == std::to_string(::getpid());
  abilities.environs = ::access("/proc/self/environ", R_OK) == 0;
  abilities.pidfd = static_cast<bool>(open_pidfd(::getpid()));
  return abilities;
}

std::vector<Sentence> weaknesses(const Abilities& abilities) {
  std::vector<Sentence> missing;
  for (const WeaknessRow& row : weakness_rows)
    if (!(abilities.*row.ability)) missing.emplace_back(row.words, row.in_chinese);
  return missing;
}

std::string kernel_release() {
  utsname system{};
  return ::uname(&system) == 0 ? printable(system.release, 80) : "";
}

HostFacts read_host() {
  HostFacts facts;
  facts.weaknesses = weaknesses(read_abilities());
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) == 0) facts.name = name.data();
  const RootedFiles files("/");
  facts.driver = driver_version(files);
  facts.firmware = firmware_version(files);
  facts.toolkit = toolkit_version(files, homes_in(own_variable));
  facts.kernel = kernel_release();
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/dev", error)) {
    const std::string vendor = vendor_of_node(entry.path().filename().string());
    if (!vendor.empty()) ++facts.device_nodes[vendor];
  }
  return facts;
}

}  // namespace gate::launch
