#include "gate/render/devices.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/base/text.h"
#include "gate/render/table_json.h"

namespace gate::render {

namespace {

std::string with_unit(std::optional<double> value, std::string_view unit) {
  return value ? fmt::format("{:.0f}{}", *value, unit) : "-";
}

// What keeps a case from starting on it, first what lasts longest.
Sentence health_of(const DeviceRow& row) {
  std::vector<Sentence> words;
  if (!row.trouble.empty()) words.emplace_back(row.trouble);
  if (!row.holder.empty()) words.push_back(say({"leased by {}", "由 {} 占用"}, row.holder));
  return words.empty() ? say({"idle", "空闲"}) : join(words, semicolon);
}

void add_known(OutputJson& json, const char* key, std::optional<double> value) {
  if (value) json[key] = *value;
}

void add_known(OutputJson& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

OutputJson users_json(const std::vector<DeviceUser>& users) {
  OutputJson list = OutputJson::array();
  for (const DeviceUser& user : users) {
    list.push_back({{"pid", user.pid}, {"name", user.name}});
    add_known(list.back(), "memory_mib", user.memory);
  }
  return list;
}

OutputJson row_json(const DeviceRow& row) {
  const Device& device = row.device;
  OutputJson json{{"vendor", device.vendor},
                  {"index", device.index},
                  {"name", device.name},
                  {"model", device.model},
                  {"platform", row.platform}};
  add_known(json, "host", row.host);
  add_known(json, "bus", device.bus);
  add_known(json, "uuid", device.uuid);
  add_known(json, "health", device.health);
  add_known(json, "memory_used_mib", device.memory_used);
  add_known(json, "memory_total_mib", device.memory_total);
  add_known(json, "utilization_percent", device.utilization);
  add_known(json, "power_w", device.power);
  add_known(json, "temperature_c", device.temperature);
  add_known(json, "clock_mhz", device.clock);
  json["users"] = users_json(device.users);
  add_known(json, "holder", row.holder.english());
  add_known(json, "trouble", row.trouble.english());
  return json;
}

}  // namespace

std::string devices_text(const DevicesSeen& seen, const Style& style) {
  const bool names_hosts =
      std::ranges::any_of(seen.rows, [](const DeviceRow& row) { return !row.host.empty(); });
  TextRows rows{{say({"index", "序号"}), say({"device", "设备"}), say({"platform", "平台"}),
                 say({"health", "健康"}), say({"memory", "显存"}), say({"use", "占用"}),
                 say({"power", "功耗"}), say({"temp", "温度"}), say({"clock", "频率"}),
                 say({"state", "状态"})}};
  for (const DeviceRow& row : seen.rows) {
    const Device& device = row.device;
    const bool has_memory = device.memory_used || device.memory_total;
    const std::string memory =
        with_unit(device.memory_used, "") + " / " + with_unit(device.memory_total, "") + " MiB";
    rows.push_back({std::to_string(device.index), device.name, row.platform,
                    device.health.empty() ? "-" : device.health, has_memory ? memory : "-",
                    with_unit(device.utilization, "%"), with_unit(device.power, " W"),
                    with_unit(device.temperature, " C"), with_unit(device.clock, " MHz"), health_of(row)});
    if (names_hosts)
      rows.back().insert(rows.back().begin(), row.host.empty() ? say({"local", "本机"}) : as_is(row.host));
  }
  if (names_hosts) rows.front().insert(rows.front().begin(), say({"host", "主机"}));
  std::string out = seen.rows.empty() ? "" : table(rows, style);
  for (const DeviceFault& fault : seen.faults) {
    const std::string host = fault.host.empty() ? "" : fault.host + " ";
    const Sentence line =
        fault.vendor.empty() ? Sentence(fault.text) : host + fault.vendor + colon + fault.text;
    out += line.in(style.language) + "\n";
  }
  return out.empty() ? say({"no accelerator\n", "没有加速卡\n"}).in(style.language) : out;
}

std::string devices_json(const DevicesSeen& seen, const std::string& host) {
  OutputJson json{{"host", host}, {"devices", OutputJson::array()}, {"faults", OutputJson::array()}};
  for (const DeviceRow& row : seen.rows) json["devices"].push_back(row_json(row));
  for (const DeviceFault& fault : seen.faults) {
    json["faults"].push_back({{"vendor", fault.vendor}, {"text", fault.text.english()}});
    add_known(json["faults"].back(), "host", fault.host);
  }
  return json.dump(-1, ' ', false, OutputJson::error_handler_t::replace) + "\n";
}

}  // namespace gate::render
