// An object store in memory, for tests of use cases.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gate/places/object_places.h"

namespace gate::app {

// Objects by their URLs.
class MadeUpObjects : public ObjectPlaces {
 public:
  Status check(const std::string& place) override {
    return place.starts_with("s3://locked/") ? fail(place + ": no credentials") : Status();
  }

  Status fetch(const std::string& place, const fs::Path& to, const Stop& stop) override {
    fetched.push_back(place);
    meanwhile();
    if (stop()) return fail(place + ": interrupted");
    if (!place.ends_with('/') && !all.contains(place)) return fail(place + ": there is no such object");
    for (const auto& [url, text] : all)
      if (url == place || (place.ends_with('/') && url.starts_with(place)))
        GATE_TRY_STATUS(fs::write_file(url == place ? to : to / url.substr(place.size()), text));
    return {};
  }

  Status put(const fs::Path& file, const std::string& place, const Stop&) override {
    if (place.find("/refused/") != std::string::npos) return fail(place + ": refused");
    GATE_TRY(all[place], fs::read_file(file));
    return {};
  }

  Result<bool> put_new(const fs::Path& file, const std::string& place, const std::string& maker,
                       const Stop& stop) override {
    if (all.contains(place)) return false;
    makers[place] = maker;
    return put(file, place, stop).map([] { return true; });
  }

  Result<std::optional<std::string>> maker_of(const std::string& place, const Stop&) override {
    return all.contains(place) ? std::optional(makers[place]) : std::nullopt;
  }

  // The bucket of places without one is b.
  std::string identity(const std::string& place) override {
    return place.starts_with("s3:///") ? "s3://b/" + place.substr(6) : place;
  }

  std::map<std::string, std::string> all, makers;
  std::vector<std::string> fetched;
  std::function<void()> meanwhile = [] {};
};

}  // namespace gate::app
