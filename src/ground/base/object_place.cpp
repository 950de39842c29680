#include "gate/base/object_place.h"

#include <algorithm>

#include "gate/base/secrets.h"
#include "gate/base/text.h"

namespace gate {

namespace {

constexpr std::size_t longest_bucket = 63, longest_key = 1024;

bool is_bucket(std::string_view name) {
  return name.size() <= longest_bucket && !name.starts_with('.') && !name.starts_with('-') &&
         std::ranges::all_of(
             name, [](char c) { return is_letter_or_digit(c) || c == '.' || c == '-' || c == '_'; });
}

bool is_key(std::string_view key) {
  return key.size() <= longest_key &&
         (key.empty() || is_path_of_parts(key.substr(0, key.size() - key.ends_with('/'))));
}

std::string beginning(ObjectService service) { return std::string(to_string(service)) + "://"; }

}  // namespace

std::string_view to_string(ObjectService service) { return service == ObjectService::s3 ? "s3" : "obs"; }

ObjectPlace ObjectPlace::below(std::string_view name) const {
  return is_prefix() ? ObjectPlace{service, bucket, key + std::string(name)} : *this;
}

std::string ObjectPlace::url() const { return beginning(service) + bucket + "/" + key; }

bool is_object_place(std::string_view text) {
  return text.starts_with(beginning(ObjectService::s3)) || text.starts_with(beginning(ObjectService::obs));
}

Result<ObjectPlace> parse_object_place(std::string_view text) {
  const std::string shown = printable(without_place_secrets(text), 120);
  if (!is_object_place(text)) return fail(shown + ": is no s3://BUCKET/KEY or obs://BUCKET/KEY");
  const ObjectService service = text.starts_with("s3") ? ObjectService::s3 : ObjectService::obs;
  const std::string_view rest = text.substr(beginning(service).size());
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  ObjectPlace place{service, std::string(rest.substr(0, slash)),
                    std::string(rest.substr(std::min(slash + 1, rest.size())))};
  if (!is_bucket(place.bucket))
    return fail(shown + ": is no name of a bucket: letters, digits, `.`, `-` and `_`, 63 at most");
  if (!is_key(place.key))
    return fail(shown +
                ": a key has at most 1024 bytes, no control characters, and no part that is empty, "
                "`.` or `..`");
  return place;
}

bool is_path_of_parts(std::string_view key) {
  const auto is_part = [](std::string_view part) { return !part.empty() && part != "." && part != ".."; };
  return std::ranges::all_of(split(key, '/'), is_part) &&
         std::ranges::none_of(key, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
}

Status check_golden_object(const std::string& place, std::string_view text) {
  constexpr std::size_t beginning = 4096;
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  const std::string name = to_lower(place);
  for (const char* ending : {".xml", ".html", ".htm"})
    if (name.ends_with(ending)) return {};
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::string begin = to_lower(trim(text.substr(0, beginning)));
  for (const auto& [opening, closing] : {std::pair{"<?", "?>"}, std::pair{"<!--", "-->"}})
    for (std::size_t end; begin.starts_with(opening) && (end = begin.find(closing)) != std::string::npos;)
      begin = trim(begin.substr(begin.find('>', end) + 1));
  const auto is = [&](std::string_view element) {
    return begin.starts_with(element) && begin.find_first_of("> \t\r\n", element.size()) == element.size();
  };
  if (is("<!doctype html") || is("<html") || is("<head"))
    return fail(place + ": is a page of HTML, and no golden file");
  return is("<error") ? fail(place + ": is an error of a store, and no golden file") : Status();
}

}  // namespace gate
