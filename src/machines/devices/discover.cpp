#include "gate/devices/discover.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>

#include "devices/tools.h"
#include "gate/base/text.h"

namespace gate::devices {

namespace {

constexpr std::array<std::string_view, 3> vendors{"ascend", "nvidia", "amd"};

// What the tools of a vendor say, together.
struct VendorAnswer {
  Devices devices;
  std::vector<std::string> missing;  // tools that are not there
  std::string fault;
};

bool is_there(const AskTool& ask, const ToolRow& row, Result<Devices>& told) {
  bool missing = false;
  told = row.ask([&](const std::vector<std::string>& words) {
    ToolAnswer answer = ask(words);
    missing = missing || answer.missing;
    return answer;
  });
  return !missing;
}

VendorAnswer ask_vendor(std::string_view vendor, const AskTool& ask) {
  VendorAnswer all;
  for (const ToolRow& row : tools) {
    if (row.vendor != vendor || !all.devices.empty()) continue;
    Result<Devices> told;
    if (!is_there(ask, row, told))
      all.missing.emplace_back(row.tool);
    else if (told)
      all.devices = std::move(*told);
    else
      all.fault = told.error().message;
  }
  return all;
}

Sentence fault_of(std::string_view vendor, const VendorAnswer& told, int nodes) {
  if (!told.devices.empty()) return {};
  if (!told.fault.empty()) return told.fault;
  if (nodes == 0) return {};
  const Sentence there =
      count_of(nodes, std::string(vendor) + " device node", "个 " + std::string(vendor) + " 设备节点");
  const std::vector<std::string> tools = tools_by_vendor().at(std::string(vendor));
  const Sentence words = join(sentences_of(tools), say({" or ", " 或 "}));
  if (tools == told.missing)
    return say({"{}, and no {} on PATH to ask", "有 {}，但 PATH 上没有可询问的 {}"}, there, words);
  return say({"{}, and {} lists no device", "有 {}，但 {} 没有列出设备"}, there, words);
}

// Words of names that are the vendor, a line of products, or say nothing.
constexpr std::array<std::string_view, 9> left_out{"nvidia", "tesla",    "geforce", "amd",       "instinct",
                                                   "radeon", "graphics", "ascend",  "generation"};

// What begins the words that say how the card is built: memory, socket, slot.
bool is_build(std::string_view word) {
  constexpr std::array<std::string_view, 7> builds{"sxm", "pcie", "hbm", "nvl", "oam", "pg", "mig"};
  const bool memory = std::isdigit(static_cast<unsigned char>(word.front())) != 0 && word.ends_with("gb");
  return memory || std::any_of(builds.begin(), builds.end(),
                               [&](std::string_view build) { return word.starts_with(build); });
}

bool is_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_'; }

std::vector<std::string> words_in(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !is_part(c); }, ' ');
  return texts_of(split_words(name));
}

}  // namespace

Attached discover(const std::map<std::string, int>& nodes, const AskTool& ask) {
  Attached attached;
  for (const std::string_view vendor : vendors) {
    const auto it = nodes.find(std::string(vendor));
    VendorAnswer told = ask_vendor(vendor, ask);
    const Sentence fault = fault_of(vendor, told, it == nodes.end() ? 0 : it->second);
    if (!fault.empty()) attached.faults.push_back({std::string(vendor), fault});
    std::move(told.devices.begin(), told.devices.end(), std::back_inserter(attached.devices));
  }
  return attached;
}

std::map<std::string, std::vector<std::string>> tools_by_vendor() {
  std::map<std::string, std::vector<std::string>> all;
  for (const ToolRow& row : tools) all[std::string(row.vendor)].emplace_back(row.tool);
  return all;
}

std::vector<Device> visible(std::vector<Device> devices, const std::string& list) {
  std::vector<Device> left;
  for (const std::string_view part : split(list, ',')) {
    const std::string_view word = trim(part);
    const std::optional<std::int64_t> index = parse_integer(word);
    const auto it = std::find_if(devices.begin(), devices.end(), [&](const Device& device) {
      return index ? device.index == *index : !word.empty() && device.uuid.starts_with(word);
    });
    if (it == devices.end()) break;
    left.push_back(*it);
  }
  return left;
}

std::string selection_variable(const std::string& vendor) {
  if (vendor == "ascend") return "ASCEND_RT_VISIBLE_DEVICES";
  if (vendor == "nvidia") return "CUDA_VISIBLE_DEVICES";
  return vendor == "amd" ? "HIP_VISIBLE_DEVICES" : "";
}

std::string platform_of(const Device& device) {
  std::string platform = device.vendor;
  std::string model = to_lower(device.model);
  if (model.starts_with("ascend")) model.erase(0, std::string_view("ascend").size());
  for (const std::string& word : words_in(model)) {
    if (std::find(left_out.begin(), left_out.end(), word) != left_out.end()) continue;
    if (is_build(word)) break;
    platform += "-" + word;
  }
  return platform;
}

std::string vendor_of(const std::string& platform) { return platform.substr(0, platform.find('-')); }

}  // namespace gate::devices
