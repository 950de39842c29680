// Object stores, as the use cases see them. Places are `s3://` and `obs://` URLs; errors name the place.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "gate/base/fs.h"
#include "gate/base/result.h"

namespace gate::app {

class ObjectPlaces {
 public:
  // Tells, several times a second, whether to give up.
  using Stop = std::function<bool()>;

  virtual ~ObjectPlaces() = default;

  // Fail where no store could be asked for the place: no credentials, no address of it. None is asked.
  virtual Status check(const std::string& place) = 0;

  // Write the object into the file; of a prefix all objects below it into that folder. What stands there is
  // replaced once all of an object has come.
  virtual Status fetch(const std::string& place, const fs::Path& to, const Stop& stop) = 0;

  // Store the file there; below a prefix under its own name.
  virtual Status put(const fs::Path& file, const std::string& place, const Stop& stop) = 0;

  // Store the file where no object is, and keep with it who made it. Return false, and leave what is there,
  // where one is, whatever its bytes.
  virtual Result<bool> put_new(const fs::Path& file, const std::string& place, const std::string& maker,
                               const Stop& stop) = 0;

  // Return who made the object, as put_new() was told, or ""; nothing where there is no object.
  virtual Result<std::optional<std::string>> maker_of(const std::string& place, const Stop& stop) = 0;

  // Return what is the same for two places that are one object: its server, bucket and key. Of what cannot be
  // reached it is the place.
  virtual std::string identity(const std::string& place) = 0;
};

}  // namespace gate::app
