// Any bytes as lines of gate.history/1: an error with words, or runs that are written and read again as the
// same lines.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gate/schema/history_file.h"
#include "targets.h"

namespace {

void demand_line(bool holds) {
  if (!holds) std::abort();
}

std::string written(const std::vector<gate::RememberedRun>& runs) {
  std::string text;
  for (const gate::RememberedRun& run : runs) text += gate::schema::write_history_line(run);
  return text;
}

}  // namespace

int history_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto runs = gate::schema::read_history(bytes, "h");
  if (!runs) {
    demand_line(!runs.error().message.empty());
    return 0;
  }
  const std::string lines = written(*runs);
  const auto again = gate::schema::read_history(lines, "h");
  demand_line(again && again->size() == runs->size() && written(*again) == lines);
  return 0;
}
