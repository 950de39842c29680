#include "gate/render/devices.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "gate/base/text.h"
#include "gate/render/table_json.h"

namespace gate::render {

namespace {

std::string with_unit(std::optional<double> value, std::string_view unit) {
  return value ? fmt::format("{:.0f}{}", *value, unit) : "-";
}

std::string memory_of(const Device& device) {
  if (!device.memory_used && !device.memory_total) return "-";
  return with_unit(device.memory_used, "") + " / " + with_unit(device.memory_total, "") + " MiB";
}

// What keeps a case from starting on it, first what lasts longest.
std::string health_of(const DeviceRow& row) {
  std::vector<std::string> words;
  if (!row.trouble.empty()) words.push_back(row.trouble);
  if (!row.holder.empty()) words.push_back("leased by " + row.holder);
  return words.empty() ? "idle" : join(words, "; ");
}

void put(Json& json, const char* key, std::optional<double> value) {
  if (value) json[key] = *value;
}

void put(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

Json users_json(const std::vector<DeviceUser>& users) {
  Json list = Json::array();
  for (const DeviceUser& user : users) {
    Json& one = list.emplace_back(Json{{"pid", user.pid}, {"name", user.name}});
    put(one, "memory_mib", user.memory);
  }
  return list;
}

Json row_json(const DeviceRow& row) {
  const Device& device = row.device;
  Json json{{"vendor", device.vendor},
            {"index", device.index},
            {"name", device.name},
            {"model", device.model},
            {"platform", row.platform}};
  put(json, "bus", device.bus);
  put(json, "uuid", device.uuid);
  put(json, "health", device.health);
  put(json, "memory_used_mib", device.memory_used);
  put(json, "memory_total_mib", device.memory_total);
  put(json, "utilization_percent", device.utilization);
  put(json, "power_w", device.power);
  put(json, "temperature_c", device.temperature);
  put(json, "clock_mhz", device.clock);
  json["users"] = users_json(device.users);
  put(json, "holder", row.holder);
  put(json, "trouble", row.trouble);
  return json;
}

}  // namespace

std::string devices_text(const DevicesSeen& seen, const Style& style) {
  std::vector<std::vector<std::string>> rows{
      {"index", "device", "platform", "health", "memory", "use", "power", "temp", "clock", "state"}};
  for (const DeviceRow& row : seen.rows) {
    const Device& device = row.device;
    rows.push_back({std::to_string(device.index), device.name, row.platform,
                    device.health.empty() ? "-" : device.health, memory_of(device),
                    with_unit(device.utilization, "%"), with_unit(device.power, " W"),
                    with_unit(device.temperature, " C"), with_unit(device.clock, " MHz"), health_of(row)});
  }
  std::string out = seen.rows.empty() ? "" : table(rows, style);
  for (const DeviceFault& fault : seen.faults) out += fault.vendor + ": " + fault.text + "\n";
  return out.empty() ? "no accelerator\n" : out;
}

std::string devices_json(const DevicesSeen& seen, const std::string& host) {
  Json json{{"host", host}, {"devices", Json::array()}, {"faults", Json::array()}};
  for (const DeviceRow& row : seen.rows) json["devices"].push_back(row_json(row));
  for (const DeviceFault& fault : seen.faults)
    json["faults"].push_back({{"vendor", fault.vendor}, {"text", fault.text}});
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gate::render
