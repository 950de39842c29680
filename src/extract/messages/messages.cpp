#include "gate/extract/messages.h"

#include "extract/messages/rows.h"

namespace gate::extract {

namespace {

std::vector<MessageRow> make_table() {
  std::vector<MessageRow> rows;
  for (const auto part : {memory_messages, gpu_messages, ascend_messages, collective_messages,
                          system_messages, python_messages, scheduler_messages})
    for (const MessageRow& row : part()) rows.push_back(row);
  return rows;
}

}  // namespace

std::span<const MessageRow> messages() {
  static const std::vector<MessageRow> rows = make_table();
  return rows;
}

}  // namespace gate::extract
