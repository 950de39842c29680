// Any bytes as a published performance table, and as references.json: errors that begin with the file's name,
// or rows of names of their own that are written and read again as the same.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "gate/schema/performance_file.h"
#include "gate/schema/performance_import.h"
#include "targets.h"

namespace {

void demand_table(bool holds) {
  if (!holds) std::abort();
}

void demand_round_trip(const gate::PerformanceTable& table) {
  std::set<std::string> names;
  for (const gate::PerformanceRow& row : table.rows) {
    demand_table(!row.name.empty() && names.insert(row.name).second);
    for (const auto& number : {row.measured, row.reference})
      demand_table(!number || (!number->is_zero() && !number->is_negative()));
  }
  const std::string text = gate::schema::write_performance(table);
  const auto again = gate::schema::read_performance(text, "r");
  demand_table(again && gate::schema::write_performance(*again) == text);
}

}  // namespace

// The first byte says what the file is called.
int performance_table_fuzz(const std::uint8_t* data, std::size_t size) {
  static const std::array<std::string, 4> names{"t.md", "t.html", "t.csv", "t"};
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::string& name = names.at(data[0] % names.size());
  if (const auto table = gate::schema::import_performance(bytes, name))
    demand_round_trip(*table);
  else
    demand_table(table.error().message.starts_with(name + ":"));
  if (const auto table = gate::schema::read_performance(bytes, "r"))
    demand_round_trip(*table);
  else
    demand_table(table.error().message.starts_with("r:"));
  return 0;
}
