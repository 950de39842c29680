#include "schema/json_report.h"

namespace gate::schema {

void write_message_members(JsonOut& out, const KnownMessage& message) {
  out.text("name", message.name);
  out.text("class", to_string(message.kind));
  out.text("what", message.what);
  out.text("text", message.text);
  out.text("file", message.file);
  out.number("line", message.line);
  out.number("count", message.count);
  out.text("advice", message.advice);
}

KnownMessage read_message(const Fields& fields) {
  KnownMessage message;
  message.name = fields.required_text("name");
  message.kind = fields.named("class", parse_message_class, MessageClass::crashed);
  message.what = fields.text("what");
  message.text = fields.text("text");
  message.file = fields.text("file");
  message.line = static_cast<std::uint32_t>(fields.integer("line").value_or(0));
  message.count = fields.integer("count").value_or(0);
  message.advice = fields.text("advice");
  return message;
}

}  // namespace gate::schema
