// The first byte chooses a file of the folder through which gate and its agent in a job speak: command,
// order, state or master, by its first letter. The rest is the file: none of these, or what is written and
// read again as the same.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gate/hosts/job_folder.h"
#include "targets.h"
#include "temporary_folder.h"

namespace {

using namespace gate::hosts;

void demand_of_folder(bool holds) {
  if (!holds) std::abort();
}

template <typename Read, typename Write>
void read_and_write(const gate::fs::Path& file, std::string_view bytes, Read read, Write write) {
  demand_of_folder(gate::fs::write_file(file, bytes, gate::fs::Survives::kill).has_value());
  const auto value = read();
  if (!value) return;
  demand_of_folder(write(*value).has_value());
  const std::string written = gate::fs::read_file(file).value();
  const auto again = read();
  demand_of_folder(again && write(*again).has_value() && gate::fs::read_file(file).value() == written);
}

}  // namespace

int job_folder_fuzz(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const gate::fuzz::TemporaryFolder temporary;
  const JobFolder folder(temporary.path());
  const auto write = [&](const auto& value) { return folder.write(value); };
  const auto write_of_node = [&](const auto& value) { return folder.write(value, 0); };
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 'c')
    read_and_write(
        folder.path() / "command", bytes, [&] { return folder.command(); }, write);
  if (data[0] == 'o')
    read_and_write(
        folder.path() / "order-0", bytes, [&] { return folder.order(0); }, write_of_node);
  if (data[0] == 's')
    read_and_write(
        folder.state_file(0), bytes, [&] { return folder.state(0); }, write_of_node);
  if (data[0] == 'm') {
    read_and_write(
        folder.path() / "master", bytes, [&] { return folder.master(); }, write);
    if (const auto master = folder.master()) demand_of_folder(master->port > 0 && master->port < 65536);
  }
  return 0;
}
