// Any bytes as what object stores answer, as a place of an object and as a file of credentials: an error with
// words, or what is in bounds and is read again as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gate/base/object_place.h"
#include "gate/config/stores.h"
#include "objects/call.h"
#include "targets.h"

namespace {

void demand_of_objects(bool holds) {
  if (!holds) std::abort();
}

void read_lists(std::string_view bytes) {
  for (const bool by_token : {true, false}) {
    const auto list = gate::objects::read_list(bytes, by_token);
    demand_of_objects(list || !list.error().message.empty());
    if (!list) continue;
    for (const gate::objects::Object& object : list->objects) demand_of_objects(!object.key.empty());
  }
}

void read_place(std::string_view bytes) {
  const auto place = gate::parse_object_place(bytes);
  demand_of_objects(place || !place.error().message.empty());
  if (!place) return;
  demand_of_objects(gate::is_object_place(bytes) && place->key.find("/../") == std::string::npos);
  const auto again = gate::parse_object_place(place->url());
  demand_of_objects(again && again->bucket == place->bucket && again->key == place->key);
}

}  // namespace

int objects_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_lists(bytes);
  read_place(bytes);
  const gate::objects::ErrorAnswer told = gate::objects::read_error(bytes);
  demand_of_objects(told.code.size() + told.message.size() <= size);
  const auto member = gate::objects::read_member(bytes, "InitiateMultipartUploadResult", "UploadId");
  demand_of_objects(member ? !member->empty() : !member.error().message.empty());
  const auto words = gate::config::store_words(gate::ObjectService::s3, {}, std::string(bytes), {});
  demand_of_objects(!words || (!words->access_key.empty() && !words->secret_key.empty()));
  for (const std::string& value : gate::config::values_of_credentials(bytes))
    demand_of_objects(!value.empty());
  return 0;
}
