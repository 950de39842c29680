// Object stores, reached as gate.toml and the environment say.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gate/base/object_place.h"
#include "gate/objects/store.h"
#include "gate/places/object_places.h"
#include "gate/suite/suite.h"

namespace gate::cli {

// Return a store for the bucket of the place, and put the bucket that the environment names into a place
// without one. Warns of a file of credentials that others can read. Fails as config::store_words() does, and
// where this host has nothing to send with.
Result<std::unique_ptr<objects::ObjectStore>> open_store(const app::Suite& suite, ObjectPlace& place,
                                                         const net::Stop& stop);

// Return what is the same for two places that are one object, with the bucket that the environment names:
// server, bucket and key. Of a place whose store nothing tells it is its URL.
std::string identity_of_object(const app::Suite& suite, const std::string& url);

// Return the stores of the suite, which has to outlive them. The stops tell when to give up fetching, and
// putting: what a run leaves is put even where it was interrupted.
std::shared_ptr<app::ObjectPlaces> object_places(const app::Suite& suite, net::Stop fetching,
                                                 net::Stop putting);

// Return the failure of a command: as a signal that came ends it, 3 where the object is not there, else 125.
tl::unexpected<app::Failure> store_failure(const objects::StoreError& error);

// Golden files on this host: those that are objects are fetched into a folder that is gone with this.
class GoldenCopies {
 public:
  GoldenCopies() = default;
  GoldenCopies(const GoldenCopies&) = delete;
  GoldenCopies& operator=(const GoldenCopies&) = delete;
  ~GoldenCopies();

  // Put paths in place of the objects; `suite` is asked for where there is one of these.
  app::Answer<void> take(std::vector<std::string>& golden,
                         const std::function<app::Answer<app::Suite>()>& suite);

 private:
  fs::Path folder_;
};

// Write all objects below the prefix into the folder, under their names there. Returns them, or the first
// error. Fails before anything is written where a name can be no path.
objects::Stored<std::vector<objects::Object>> get_below(objects::ObjectStore& store,
                                                        const ObjectPlace& prefix, const fs::Path& folder);

}  // namespace gate::cli
