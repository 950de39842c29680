#include "schema/result/json_report.h"

namespace gate::schema {

template <class Io>
void members(Io& io, In<Io, KnownMessage> message) {
  io.required_text("name", message.name);
  io.named("class", message.kind, parse_message_class);
  io.text("what", message.what);
  io.text("text", message.text);
  io.text("file", message.file);
  io.number("line", message.line);
  io.number("count", message.count);
  io.text("advice", message.advice);
}

template void members(MemberWriter& io, const KnownMessage& message);
template void members(MemberReader& io, KnownMessage& message);

}  // namespace gate::schema
