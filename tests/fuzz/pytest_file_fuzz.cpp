// Any bytes as pytest's JUnit file: an error at a place, or tests that have names, each of its own.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "gate/schema/pytest_file.h"
#include "targets.h"

namespace {

void demand_test(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

int pytest_file_fuzz(const std::uint8_t* data, std::size_t size) {
  const auto read = gate::schema::read_pytest_file({reinterpret_cast<const char*>(data), size}, "p.xml");
  if (!read || !read->fault.empty()) {
    demand_test((read ? read->fault : read.error().message).starts_with("p.xml:"));
    demand_test(!read || read->tests.empty());
    return 0;
  }
  std::set<std::string> names;
  for (const gate::EndedTest& test : read->tests) {
    demand_test(!test.name.empty() && names.insert(test.name).second);
    demand_test(test.result.duration.count() >= 0);
    demand_test(test.end != gate::TestEnd::passed || test.message.empty());
  }
  return 0;
}
