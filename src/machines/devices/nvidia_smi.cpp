// `nvidia-smi --query-...  --format=csv,nounits`: a head with the names of the columns, some with a unit, and
// a line for each device or process. A value may be missing: `[N/A]`, `[Not Supported]`.

#include "devices/tools.h"
#include "gate/base/text.h"

namespace gate::devices {

namespace {

constexpr std::string_view device_columns =
    "index,name,uuid,pci.bus_id,utilization.gpu,memory.used,memory.total,temperature.gpu,power.draw,"
    "clocks.sm";
constexpr std::string_view process_columns = "gpu_uuid,pid,used_memory,process_name";

// `memory.used [MiB]` is the column memory.used.
std::string column_of(std::string_view word) {
  word = trim(word);
  return to_lower(word.substr(0, std::min(word.find(" ["), word.size())));
}

// A name in the last column may hold commas.
std::vector<std::string> line_words(std::string_view line, std::size_t columns, bool last_takes_rest) {
  std::vector<std::string> words;
  for (const std::string_view word : split(line, ','))
    last_takes_rest&& columns > 0 && words.size() == columns ? void(words.back() += "," + std::string(word))
                                                             : words.push_back(std::string(trim(word)));
  return words;
}

Result<std::vector<Row>> rows_of(const std::string& csv, bool last_takes_rest) {
  std::vector<std::string> columns;
  std::vector<Row> rows;
  for (const std::string_view line : split(csv, '\n')) {
    if (trim(line).empty()) continue;
    const std::vector<std::string> words = line_words(line, columns.size(), last_takes_rest);
    if (columns.empty()) {
      for (const std::string& word : words) columns.push_back(column_of(word));
      continue;
    }
    if (words.size() != columns.size())
      return fail("nvidia-smi: " + count_of(static_cast<std::int64_t>(words.size()), "value") + " under " +
                  count_of(static_cast<std::int64_t>(columns.size()), "column") + " in `" +
                  printable(line, 120) + "`");
    Row& row = rows.emplace_back();
    for (std::size_t i = 0; i < words.size(); ++i) row[columns[i]] = words[i];
  }
  return rows;
}

// Return what tells the device from others: nothing where the tool knows nothing of it.
std::string identity_in(const Row& row, const std::string& column) {
  const std::string word = word_of(row, column);
  return word.starts_with('[') || word == "N/A" ? "" : word;
}

std::optional<double> number_in(const Row& row, const std::string& column) {
  return quantity(word_of(row, column));
}

// What stands in place of a value may be the device's state.
std::string health_of(const Row& row) {
  for (const auto& [column, word] : row)
    if (word == "ERR!" || word == "[Unknown Error]" || word == "[GPU requires reset]") return word;
  return "";
}

Result<Device> device_of_row(const Row& row) {
  const std::optional<std::int64_t> index = parse_integer(word_of(row, "index"));
  if (!index || *index < 0 || *index >= 100'000)
    return fail("nvidia-smi: the device number is `" + printable(word_of(row, "index"), 40) + "`");
  Device device;
  device.vendor = "nvidia";
  device.index = static_cast<int>(*index);
  device.name = "GPU " + std::to_string(*index);
  device.model = word_of(row, "name");
  device.uuid = identity_in(row, "uuid");
  device.bus = to_lower(identity_in(row, "pci.bus_id"));
  device.health = health_of(row);
  device.memory_used = number_in(row, "memory.used");
  device.memory_total = number_in(row, "memory.total");
  device.utilization = number_in(row, "utilization.gpu");
  device.power = number_in(row, "power.draw");
  device.temperature = number_in(row, "temperature.gpu");
  device.clock = number_in(row, row.contains("clocks.current.sm") ? "clocks.current.sm" : "clocks.sm");
  return device;
}

Result<std::vector<Row>> query(const AskTool& ask, std::string_view what, std::string_view columns) {
  const std::string words = "--query-" + std::string(what) + "=" + std::string(columns);
  GATE_TRY(const std::string output, output_of(ask, {"nvidia-smi", words, "--format=csv,nounits"}));
  return rows_of(output, what == "compute-apps");
}

void add_users(const std::vector<Row>& rows, Devices& devices) {
  for (const Row& row : rows) {
    const std::optional<std::int64_t> pid = parse_integer(word_of(row, "pid"));
    for (Device& device : devices)
      if (device.uuid == word_of(row, "gpu_uuid"))
        device.users.push_back(
            {pid.value_or(0), word_of(row, "process_name"),
             number_in(row, row.contains("used_gpu_memory") ? "used_gpu_memory" : "used_memory")});
  }
}

}  // namespace

Result<Devices> ask_nvidia_smi(const AskTool& ask) {
  GATE_TRY(const std::vector<Row> rows, query(ask, "gpu", device_columns));
  Devices devices;
  for (const Row& row : rows) {
    GATE_TRY(Device device, device_of_row(row));
    devices.push_back(std::move(device));
  }
  if (devices.empty()) return devices;
  GATE_TRY(const std::vector<Row> users, query(ask, "compute-apps", process_columns));
  add_users(users, devices);
  return devices;
}

}  // namespace gate::devices
