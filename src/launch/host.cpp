#include "gate/launch/host.h"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace gate::launch {

namespace {

struct NodeRow {
  std::string_view vendor;
  std::string_view prefix;  // followed by a number
};

constexpr std::array<NodeRow, 2> node_rows{{{"ascend", "davinci"}, {"nvidia", "nvidia"}}};

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

HostFacts read_host() {
  HostFacts facts;
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) == 0) facts.name = name.data();
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/dev", error)) {
    const std::string vendor = vendor_of_node(entry.path().filename().string());
    if (!vendor.empty()) ++facts.device_nodes[vendor];
  }
  return facts;
}

}  // namespace gate::launch
