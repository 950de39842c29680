#include "schema/json/json_fields.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gate/model/numbers/decimal.h"

namespace gate::schema {

namespace {

constexpr std::size_t kept_complaints = 20;

std::string wrong_kind(const Json& json, std::string_view expected) {
  const std::string what = json.key.empty() ? "this" : "\"" + printable(json.key, 80) + "\"";
  return what + " must be " + std::string(expected) + ", not " + std::string(to_string(json.kind));
}

}  // namespace

void Complaints::insert(std::size_t place, std::size_t offset, std::string message) {
  ++count_;
  if (place >= kept_complaints) return;
  kept_.insert(kept_.begin() + static_cast<std::ptrdiff_t>(place),
               {position_of(text_, offset, name_), std::move(message)});
  if (kept_.size() > kept_complaints) kept_.pop_back();
}

Error Complaints::error() const {
  std::string message = gate::to_string(kept_);
  while (message.ends_with('\n')) message.pop_back();
  if (count_ > kept_complaints)
    message += "\n" + name_ + ": and " + std::to_string(count_ - kept_complaints) + " more";
  return {message};
}

Fields::Fields(const Json& object, Complaints& complaints) : json_(&object), complaints_(&complaints) {
  static const Json none{Json::Kind::object, 0, 0, "", "", {}};
  if (object.kind == Json::Kind::object) return;
  complaints.add(object.at, wrong_kind(object, "an object"));
  json_ = &none;
  is_object_ = false;
}

void Fields::only(const std::vector<std::string>& names, std::size_t place) const {
  for (const Json& member : json_->items)
    if (std::ranges::find(names, member.key) == names.end())
      complaints_->insert(
          place++, member.key_at,
          "unknown key \"" + printable(member.key, 80) + "\"" + did_you_mean(member.key, names));
}

const Json* Fields::member(std::string_view name, Json::Kind kind) const {
  const Json* found = json_->find(name);
  if (found == nullptr || found->kind == kind) return found;
  complaints_->add(found->at, wrong_kind(*found, to_string(kind)));
  return nullptr;
}

void Fields::missing(std::string_view name, std::string_view advice) const {
  if (is_object_)
    complaints_->add(json_->at, "\"" + std::string(name) + "\" is missing here" + std::string(advice));
}

std::string Fields::text(std::string_view name) const {
  const Json* found = member(name, Json::Kind::text);
  return found != nullptr ? found->text : "";
}

std::string Fields::required_text(std::string_view name) const {
  const Json* found = json_->find(name);
  if (found == nullptr) missing(name);
  if (found != nullptr && found->kind == Json::Kind::text && found->text.empty())
    complaints_->add(found->at, "\"" + std::string(name) + "\" must not be empty");
  return text(name);
}

std::string Fields::word(std::string_view name) const {
  const Json* found = json_->find(name);
  if (found != nullptr && found->kind == Json::Kind::number) return found->text;
  return text(name);
}

bool Fields::flag(std::string_view name, bool otherwise) const {
  const Json* found = member(name, Json::Kind::boolean);
  return found != nullptr ? found->text == "true" : otherwise;
}

std::optional<std::int64_t> Fields::integer(std::string_view name, std::int64_t least) const {
  const Json* found = json_->find(name);
  if (found == nullptr) return std::nullopt;
  return integer_of(*found, least, *complaints_);
}

std::optional<int> Fields::small_integer(std::string_view name) const {
  const auto number = integer(name);
  if (!number) return std::nullopt;
  if (std::in_range<int>(*number)) return static_cast<int>(*number);
  complaints_->add(json_->find(name)->at, "\"" + std::string(name) + "\" is too large");
  return std::nullopt;
}

Duration Fields::duration(std::string_view name) const {
  const Json* json = member(name, Json::Kind::number);
  const auto seconds = json != nullptr ? Decimal::parse(json->text) : std::nullopt;
  const double milliseconds = seconds ? seconds->to_double() * 1000 : 0;
  if (std::abs(milliseconds) < 1e15) return Duration(std::llround(milliseconds));
  complaints_->add(json->at, "\"" + std::string(name) + "\" is no plausible number of seconds");
  return {};
}

std::span<const Json> Fields::list(std::string_view name) const {
  const Json* found = member(name, Json::Kind::list);
  return found != nullptr ? std::span<const Json>(found->items) : std::span<const Json>();
}

std::vector<std::string> Fields::texts(std::string_view name) const {
  std::vector<std::string> result;
  for (const Json& item : list(name)) {
    if (item.kind != Json::Kind::text) complaints_->add(item.at, wrong_kind(item, "a text"));
    result.push_back(item.text);
  }
  return result;
}

const Json* Fields::object(std::string_view name) const { return member(name, Json::Kind::object); }

std::optional<std::int64_t> integer_of(const Json& json, std::int64_t least, Complaints& complaints) {
  if (json.kind != Json::Kind::number) {
    complaints.add(json.at, wrong_kind(json, "a whole number"));
    return std::nullopt;
  }
  const auto number = parse_integer(json.text);
  if (number && *number >= least) return number;
  complaints.add(json.at, "must be a whole number from " + std::to_string(least) + " on, not " +
                              printable(json.text, 40));
  return std::nullopt;
}

}  // namespace gate::schema
