// Any bytes as a message of a hub, of either kind of topic: why it cannot be read, in printable words, or
// what it asks for, which an order is still after it has been written down and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gate/base/text.h"
#include "targets.h"
#include "worker/message.h"
#include "worker/test_json.h"

namespace {

void demand_message(bool holds) {
  if (!holds) std::abort();
}

void read_message_as(std::string_view bytes, std::string_view topic) {
  const auto message = gate::worker::read_message(bytes, topic);
  if (!message) {
    const std::string& why = message.error().message;
    return demand_message(!why.empty() && gate::printable(why, why.size()) == why);
  }
  if (const auto* stop = std::get_if<gate::worker::StopOrder>(&*message))
    return demand_message(stop->id.empty() != stop->model.empty() || stop->commit.empty());
  const auto& order = std::get<gate::worker::TestOrder>(*message);
  demand_message(!order.id.text.empty() && order.variables.contains("TEST_TYPE"));
  const std::string written = gate::worker::write_order(order);
  const auto again = gate::worker::read_order(written);
  demand_message(again && gate::worker::write_order(*again) == written);
}

}  // namespace

int hub_message_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_message_as(bytes, "accuracy_test_created");
  read_message_as(bytes, "usability_test_stopped");
  return 0;
}
