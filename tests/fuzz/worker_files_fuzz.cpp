// The first byte chooses what gate-worker reads of a file: O a test's order and T its result, as they stand
// in the journal, M lines with messages, K properties of Kafka. The rest is the text: an error that can be
// printed, or what is written and read again as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gate/base/text.h"
#include "targets.h"
#include "temporary_folder.h"
#include "worker/kafka_file.h"
#include "worker/source.h"
#include "worker/test_json.h"

namespace {

using namespace gate::worker;

void demand_of_worker(bool holds) {
  if (!holds) std::abort();
}

template <typename Read, typename Write>
void read_stored_as(std::string_view bytes, Read read, Write write) {
  const auto value = read(bytes);
  if (!value) {
    const std::string& why = value.error().message;
    return demand_of_worker(!why.empty() && gate::printable(why, why.size()) == why);
  }
  const std::string written = write(*value);
  const auto again = read(written);
  demand_of_worker(again && write(*again) == written);
}

std::vector<Incoming> messages_in(const gate::fs::Path& folder, std::string_view bytes) {
  const gate::fs::Path file = folder / "messages";
  demand_of_worker(gate::fs::write_file(file, bytes, gate::fs::Survives::kill).has_value());
  const auto source = file_source(file, folder / "aside").value();
  std::vector<Incoming> all;
  while (!source->is_over()) {
    auto some = source->take(gate::Duration{}).value();
    std::ranges::move(some, std::back_inserter(all));
  }
  return all;
}

// Each line is a message, or has a problem and is kept as it is; what is put aside can be read again.
void read_messages(std::string_view bytes) {
  static const gate::fuzz::TemporaryFolder temporary;
  const std::vector<Incoming> all = messages_in(temporary.path(), bytes);
  const auto lines = gate::split(bytes, '\n');
  demand_of_worker(all.size() == lines.size() - (lines.back().empty() ? 1 : 0));
  std::size_t at = 0;
  for (const Incoming& message : all) {
    demand_of_worker(message.problem.empty() || message.payload == lines[at]);
    demand_of_worker(message.place.partition >= -1 && message.place.offset >= -1 &&
                     message.place.timestamp >= 0);
    ++at;
  }
}

// A value may be a password: no error holds one.
void read_properties(std::string_view bytes) {
  const auto properties = read_kafka_file(bytes, "kafka");
  if (!properties) {
    const std::string_view why = properties.error().message;
    const auto line = gate::parse_integer(why.substr(6, why.find(':', 6) - 6)).value_or(0);
    demand_of_worker(line >= 1 && line <= std::ranges::count(bytes, '\n') + 1 && gate::is_plain(why));
    return demand_of_worker(why.size() < 100);
  }
  std::string written;
  for (const auto& [key, value] : *properties) {
    demand_of_worker(!key.empty() && (key + value).find('\0') == std::string::npos);
    written += key + "=" + value + "\n";
  }
  const auto again = read_kafka_file(written, "kafka");
  demand_of_worker(again && *again == *properties);
}

}  // namespace

int worker_files_fuzz(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 'O') read_stored_as(bytes, read_order, write_order);
  if (data[0] == 'T') read_stored_as(bytes, read_test_result, write_test_result);
  if (data[0] == 'M') read_messages(bytes);
  if (data[0] == 'K') read_properties(bytes);
  return 0;
}
