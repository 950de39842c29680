// What a case has in object stores: golden files, and what its stages bring and take away.
#pragma once

#include <string>

#include "app/launch/launch_case.h"

namespace gate::app {

// Fetch the golden files of the case that are objects, and are not there yet, to where golden_files() has
// them; none for a test that compares nothing. Fails with the first one that does not come.
Status fetch_golden(const LaunchContext& context, const config::Case& spec);

// Where files are taken to: a folder, or a prefix of a store.
class Destination {
 public:
  // Return that of a place of a stage. Fails as told_text() does.
  static Result<Destination> of(const LaunchContext& context, const config::Case& spec,
                                const std::string& place);

  // Put the file there under that name.
  Status put(const fs::Path& file, const std::string& name) const;

  // Return what the file of that name is there: a path, or a URL.
  std::string place_of(const std::string& name) const;

  // Tell whether that is the golden file, which lies in `file` on this host.
  bool leads_to(const std::string& name, const std::string& golden, const fs::Path& file) const;

 private:
  fs::Path folder_;     // "" of a store
  std::string prefix_;  // of a store, with a slash at its end
  ObjectPlaces* objects_ = nullptr;
};

// Put the file to the place of an object, and return its URL.
Result<std::string> put_object(const LaunchContext& context, const config::Case& spec, const fs::Path& file,
                               const std::string& place);

// Bring what the place of a stage means below `.fetched` of the folder, and return where it is there: the
// object under its own name, or a folder with all below a prefix. A path is returned as it is.
Result<fs::Path> brought(const LaunchContext& context, const config::Case& spec, const std::string& place,
                         const fs::Path& folder);

}  // namespace gate::app
