#include "schema/json/json_members.h"

#include <cmath>

#include "gate/base/text.h"
#include "gate/model/decimal.h"

namespace gate::schema {

void write_duration(JsonOut& out, std::string_view name, Duration duration) {
  out.raw(name, Decimal{duration.count(), -3}.to_string());
}

Duration read_duration(const Fields& fields, std::string_view name) {
  const Json* json = fields.member(name, Json::Kind::number);
  const auto seconds = json != nullptr ? Decimal::parse(json->text) : std::nullopt;
  const double milliseconds = seconds ? seconds->to_double() * 1000 : 0;
  if (std::abs(milliseconds) < 1e15) return Duration(std::llround(milliseconds));
  fields.complaints().add(json->at, "\"" + std::string(name) + "\" is no plausible number of seconds");
  return {};
}

template <class Io>
void schema_member(Io& io, std::string_view schema) {
  io.custom(
      "schema", [&](JsonOut& out) { out.text("schema", schema); },
      [&](const Fields& fields) {
        const std::string told = fields.required_text("schema");
        if (told == schema || told.empty()) return;
        fields.complaints().add(
            fields.json().find("schema")->at,
            "unknown schema \"" + printable(told, 80) + "\"; this gate reads " + std::string(schema));
      });
}

template void schema_member(MemberWriter& io, std::string_view schema);
template void schema_member(MemberReader& io, std::string_view schema);

}  // namespace gate::schema
