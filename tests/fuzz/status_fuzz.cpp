// Any bytes as gate.status/1 and as lines of gate.stop/1: an error with words, or what is written and read
// again as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gate/schema/status_file.h"
#include "targets.h"

namespace {

void demand_same(bool holds) {
  if (!holds) std::abort();
}

std::string written(const std::vector<gate::StopRequest>& requests) {
  std::string text;
  for (const gate::StopRequest& request : requests) text += gate::schema::write_stop(request);
  return text;
}

}  // namespace

int status_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string lines = written(gate::schema::read_stops(bytes));
  demand_same(written(gate::schema::read_stops(lines)) == lines);
  const auto runs = gate::schema::read_status(bytes, "s");
  demand_same(runs || !runs.error().message.empty());
  if (!runs) return 0;
  const std::string text = gate::schema::write_status(*runs);
  const auto again = gate::schema::read_status(text, "s");
  demand_same(again && gate::schema::write_status(*again) == text);
  return 0;
}
