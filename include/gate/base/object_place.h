// Where an object of an object store is: `s3://BUCKET/KEY` or `obs://BUCKET/KEY`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gate/base/result.h"

namespace gate {

enum class ObjectService : std::uint8_t { s3, obs };

// Return `s3` or `obs`.
std::string_view to_string(ObjectService service);

struct ObjectPlace {
  ObjectService service = ObjectService::s3;
  std::string bucket;  // "" is the one that the environment names
  std::string key;     // not encoded

  // Tell whether it means all objects whose keys begin so: it is a bucket, or ends in `/`.
  bool is_prefix() const { return key.empty() || key.ends_with('/'); }

  // Return the place of an object below the prefix, or this one.
  ObjectPlace below(std::string_view name) const;

  std::string url() const;
};

// Tell whether the text begins as a place of an object store does.
bool is_object_place(std::string_view text);

// Return the place. Fails for another scheme, for what is no name of a bucket, and for a key that is too
// long, has a control character, or an empty part, `.` or `..` among its parts: no tool agrees with another
// on these.
Result<ObjectPlace> parse_object_place(std::string_view text);

// Tell whether a key below a prefix can be a path below a folder.
bool is_path_of_parts(std::string_view key);

// Fail where the text is what a server, or a proxy before it, answers in place of an object: a page of HTML,
// or an error in XML. What is called .html, .htm or .xml may be such.
Status check_golden_object(const std::string& place, std::string_view text);

}  // namespace gate
