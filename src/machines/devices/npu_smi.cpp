// `npu-smi info` prints a table of blocks between borders. The block at its head names the columns of the two
// lines that each chip has, of which several share a cell:
//
//   | NPU   Name   | Health   | Power(W)    Temp(C)          Hugepages-Usage(page)|
//   | Chip  Phy-ID | Bus-Id   | AICore(%)   Memory-Usage(MB) HBM-Usage(MB)        |
//   +==============+==========+===================================================+
//   | 0     910B3  | OK       | 101.0       49               0    / 0             |
//   | 0     0      | 0000:C1..| 0           0    / 0         64233/ 65536         |
//
// Widths and columns differ between versions and chips: cells are taken apart by their names, in order. A
// second table lists processes.
#include <algorithm>

#include "devices/tools.h"
#include "gate/base/text.h"

namespace gate::devices {

namespace {

using Cells = std::vector<std::string>;
bool is_border(std::string_view line) { return line.starts_with('+'); }

Cells cells_of(std::string_view line) {
  Cells cells;
  line.remove_prefix(1);
  for (const std::string_view cell : split(line, '|')) cells.emplace_back(trim(cell));
  if (!cells.empty() && cells.back().empty()) cells.pop_back();
  return cells;
}

// `0    / 0` is one word.
std::vector<std::string> cell_words(const std::string& cell) {
  std::vector<std::string> words;
  bool joins = false;
  for (const std::string_view word : split_words(cell)) {
    if (!words.empty() && (joins || word.front() == '/'))
      words.back() += word;
    else
      words.emplace_back(word);
    joins = words.back().back() == '/';
  }
  return words;
}

// Put the words of a line under the names of its columns. The last name of a cell takes all words that are
// left.
Row row_of(const Cells& names, const Cells& cells) {
  Row row;
  for (std::size_t i = 0; i < names.size() && i < cells.size(); ++i) {
    const std::vector<std::string> columns = cell_words(names[i]), words = cell_words(cells[i]);
    for (std::size_t k = 0; k < columns.size() && k < words.size(); ++k) {
      const bool last = k + 1 == columns.size();
      row[columns[k]] = last ? join(std::span(words).subspan(k), " ") : words[k];
    }
  }
  return row;
}

// `3405/65536` under the column, as used and total; chips without HBM print 0 of 0, or no such column.
bool set_memory(const Row& row, const std::string& column, Device& device) {
  const std::string pair = word_of(row, column);
  const std::size_t slash = pair.find('/');
  if (slash == std::string::npos) return false;
  const auto total = quantity(std::string_view(pair).substr(slash + 1));
  if (!total || *total == 0) return false;
  device.memory_used = quantity(std::string_view(pair).substr(0, slash));
  device.memory_total = total;
  return true;
}

// Tell whether a pair of used and total lacks its second half.
bool is_cut(const Row& row) {
  return std::any_of(row.begin(), row.end(), [](const auto& cell) {
    return cell.first.find("Usage(MB)") != std::string::npos && cell.second.find('/') == std::string::npos;
  });
}

struct Chip {
  std::string npu, chip;
  Device device;
};

class TableReader {
 public:
  void read(std::string_view line) {
    line = trim(line);
    if (line.empty()) return;
    if (is_border(line)) return end_block();
    if (line.front() == '|') block_.push_back(cells_of(line));
  }

  Result<Devices> finish() {
    end_block();
    if (!fault_.empty()) return fail(fault_);
    if (upper_.empty()) return fail("npu-smi printed no table of devices");
    Devices devices;
    for (Chip& chip : chips_) devices.push_back(std::move(chip.device));
    return devices;
  }

 private:
  void end_block() {
    const std::vector<Cells> block = std::exchange(block_, {});
    if (block.empty() || block.front().empty()) return;
    if (names_processes(block.front()))
      in_processes_ = true;
    else if (in_processes_)
      for (const Cells& cells : block) read_process(cells);
    else if (block.size() >= 2 && block[0].front().starts_with("NPU"))
      upper_ = block[0], lower_ = block[1];
    else if (!upper_.empty())
      read_chips(block);
  }

  static bool names_processes(const Cells& cells) { return cells.size() >= 3 && cells[1] == "Process id"; }

  // Chips of one NPU may stand between two borders.
  void read_chips(const std::vector<Cells>& block) {
    if (block.size() % 2 != 0) {
      fault_ = "npu-smi: half a device at `" + printable(join(block.back(), " | "), 80) + "`";
      return;
    }
    for (std::size_t i = 0; i < block.size(); i += 2)
      add(row_of(upper_, block[i]), row_of(lower_, block[i + 1]));
  }

  void add(const Row& upper, const Row& lower_row) {
    const std::string npu = word_of(upper, "NPU"), chip = word_of(lower_row, "Chip");
    if (!parse_integer(npu) || !parse_integer(chip)) {
      fault_ = "npu-smi: no device number in `" + printable(npu + " " + chip, 80) + "`";
      return;
    }
    Device device;
    device.vendor = "ascend";
    device.index = static_cast<int>(chips_.size());
    device.name = "NPU " + npu + (lower_row.contains("Phy-ID") ? " chip " + chip : "");
    device.model = word_of(upper, "Name");
    device.health = word_of(upper, "Health");
    device.bus = to_lower(word_of(lower_row, "Bus-Id"));
    device.power = quantity(word_of(upper, "Power(W)"));
    device.temperature = quantity(word_of(upper, "Temp(C)"));
    device.utilization = quantity(word_of(lower_row, "AICore(%)"));
    if (!set_memory(lower_row, "HBM-Usage(MB)", device)) set_memory(lower_row, "Memory-Usage(MB)", device);
    if (is_cut(lower_row)) fault_ = "npu-smi: device " + npu + " was printed in part";
    chips_.push_back({npu, chip, std::move(device)});
  }

  // `1       0 | 3180736 | python | 60889`; `No running processes found in NPU 0` has one cell.
  void read_process(const Cells& cells) {
    if (cells.size() < 4) return;
    const std::vector<std::string> at = cell_words(cells[0]);
    const auto pid = parse_integer(cells[1]);
    if (at.empty()) return;
    const std::string chip = at.size() > 1 ? at[1] : "0";
    for (Chip& one : chips_)
      if (one.npu == at[0] && one.chip == chip)
        one.device.users.push_back({pid.value_or(0), cells[2], quantity(cells[3])});
  }

  std::vector<Cells> block_;
  Cells upper_, lower_;  // names of the columns
  bool in_processes_ = false;
  std::vector<Chip> chips_;
  std::string fault_;
};

}  // namespace

Result<Devices> ask_npu_smi(const AskTool& ask) {
  GATE_TRY(const std::string output, output_of(ask, {"npu-smi", "info"}));
  if (trim(output).empty()) return Devices{};
  TableReader reader;
  for (const std::string_view line : split(output, '\n')) reader.read(line);
  return reader.finish();
}

}  // namespace gate::devices
