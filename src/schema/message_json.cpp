#include "gate/base/text.h"
#include "schema/json_report.h"

namespace gate::schema {

namespace {

MessageClass read_class(const Fields& fields) {
  const std::string word = fields.required_text("class");
  const auto kind = parse_message_class(word);
  if (!kind && !word.empty())
    fields.complaints().add(fields.json().find("class")->at, "unknown class \"" + printable(word, 40) + "\"");
  return kind.value_or(MessageClass::crashed);
}

}  // namespace

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
  message.kind = read_class(fields);
  message.what = fields.text("what");
  message.text = fields.text("text");
  message.file = fields.text("file");
  message.line = static_cast<std::uint32_t>(fields.integer("line").value_or(0));
  message.count = fields.integer("count").value_or(0);
  message.advice = fields.text("advice");
  return message;
}

}  // namespace gate::schema
