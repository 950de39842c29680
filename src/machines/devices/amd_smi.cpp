// `rocm-smi --json`: an object for each card, whose keys differ between releases, all values texts.
// `amd-smi metric --json`: a list of objects, values as {"value": 0, "unit": "%"}.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "devices/tools.h"
#include "gate/base/text.h"

namespace gate::devices {

namespace {

using Names = std::span<const std::string_view>;

constexpr double mib = 1024.0 * 1024.0;

constexpr std::array<std::string_view, 1> use_names{"gpu use (%)"};
constexpr std::array<std::string_view, 1> total_names{"vram total memory (b)"};
constexpr std::array<std::string_view, 1> used_names{"vram total used memory (b)"};
constexpr std::array<std::string_view, 3> temperature_names{
    "temperature (sensor junction) (c)", "temperature (sensor edge) (c)", "temperature (sensor memory) (c)"};
constexpr std::array<std::string_view, 3> power_names{
    "average graphics package power (w)", "current socket graphics package power (w)", "socket power (w)"};
constexpr std::array<std::string_view, 3> model_names{"card series", "card model", "device name"};
constexpr std::array<std::string_view, 1> bus_names{"pci bus"};
constexpr std::array<std::string_view, 1> uuid_names{"unique id"};

Result<nlohmann::json> parsed(const std::string& tool, const std::string& output) {
  nlohmann::json json = nlohmann::json::parse(output, nullptr, false);
  if (json.is_discarded()) return fail(tool + " printed no JSON: " + printable(output.substr(0, 100), 120));
  return json;
}

// Return a text or number as it stands there, and nothing of what is larger.
std::string value_word(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number() ? value.dump() : "";
}

// Return the text of the first of the names that the card has, in any case.
std::string text_of(const nlohmann::json& card, Names names) {
  for (const std::string_view name : names)
    for (const auto& [key, value] : card.items())
      if (to_lower(key) == name) return value_word(value);
  return "";
}

std::optional<double> number_of(const nlohmann::json& card, Names names) {
  return quantity(text_of(card, names));
}

std::optional<double> in_mib(std::optional<double> bytes) {
  return bytes ? std::optional(*bytes / mib) : std::nullopt;
}

Device named(int index) {
  Device device;
  device.vendor = "amd";
  device.index = index;
  device.name = "GPU " + std::to_string(index);
  return device;
}

Device device_of_card(int index, const nlohmann::json& card) {
  Device device = named(index);
  device.model = text_of(card, model_names);
  device.bus = to_lower(text_of(card, bus_names));
  device.uuid = text_of(card, uuid_names);
  device.memory_used = in_mib(number_of(card, used_names));
  device.memory_total = in_mib(number_of(card, total_names));
  device.utilization = number_of(card, use_names);
  device.temperature = number_of(card, temperature_names);
  device.power = number_of(card, power_names);
  return device;
}

// Return the member that the path leads to, or null.
const nlohmann::json* at(const nlohmann::json& json, std::initializer_list<const char*> path) {
  const nlohmann::json* here = &json;
  for (const char* name : path) {
    const auto it = here->is_object() ? here->find(name) : here->end();
    if (it == here->end()) return nullptr;
    here = &*it;
  }
  return here;
}

std::optional<double> value_at(const nlohmann::json& json, std::initializer_list<const char*> path) {
  const nlohmann::json* found = at(json, path);
  if (found != nullptr && found->is_object()) found = at(*found, {"value"});
  if (found == nullptr) return std::nullopt;
  return quantity(value_word(*found));
}

std::string text_at(const nlohmann::json& json, std::initializer_list<const char*> path) {
  const nlohmann::json* found = at(json, path);
  return found != nullptr && found->is_string() ? found->get<std::string>() : "";
}

void set_metrics(const nlohmann::json& gpu, Device& device) {
  device.utilization = value_at(gpu, {"usage", "gfx_activity"});
  device.memory_used = value_at(gpu, {"mem_usage", "used_vram"});
  device.memory_total = value_at(gpu, {"mem_usage", "total_vram"});
  device.temperature = value_at(gpu, {"temperature", "hotspot"});
  device.power = value_at(gpu, {"power", "socket_power"});
}

// The list of the command, a device each: the list itself, or under `gpu_data`. Nothing is null.
Result<nlohmann::json> amd_smi_list(const AskTool& ask, const std::vector<std::string>& words) {
  GATE_TRY(const std::string output, output_of(ask, words));
  if (trim(output).empty()) return nlohmann::json::array();
  Result<nlohmann::json> json = parsed("amd-smi", output);
  if (!json) return json;
  if (at(*json, {"gpu_data"}) != nullptr) {
    nlohmann::json under = std::move((*json)["gpu_data"]);
    *json = std::move(under);
  }
  if (!json->is_array()) return fail("amd-smi printed no list of devices");
  return json;
}

}  // namespace

Result<Devices> ask_rocm_smi(const AskTool& ask) {
  GATE_TRY(const std::string output,
           output_of(ask, {"rocm-smi", "--showproductname", "--showuniqueid", "--showbus", "--showuse",
                           "--showmeminfo", "vram", "--showtemp", "--showpower", "--json"}));
  if (trim(output).empty()) return Devices{};
  GATE_TRY(const nlohmann::json json, parsed("rocm-smi", output));
  Devices devices;
  for (const auto& [key, card] : json.items()) {
    const std::optional<std::int64_t> index =
        key.starts_with("card") ? parse_integer(std::string_view(key).substr(4)) : std::nullopt;
    if (index && *index >= 0 && *index < 100'000 && card.is_object())
      devices.push_back(device_of_card(static_cast<int>(*index), card));
  }
  std::sort(devices.begin(), devices.end(),
            [](const Device& a, const Device& b) { return a.index < b.index; });
  return devices;
}

Result<Devices> ask_amd_smi(const AskTool& ask) {
  GATE_TRY(const nlohmann::json metrics, amd_smi_list(ask, {"amd-smi", "metric", "--json"}));
  if (metrics.empty()) return Devices{};
  GATE_TRY(const nlohmann::json facts, amd_smi_list(ask, {"amd-smi", "static", "--asic", "--bus", "--json"}));
  Devices devices;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    Device device = named(static_cast<int>(i));
    set_metrics(metrics[i], device);
    if (i < facts.size()) {
      device.model = text_at(facts[i], {"asic", "market_name"});
      device.bus = to_lower(text_at(facts[i], {"bus", "bdf"}));
    }
    devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace gate::devices
