// Object stores: [store.s3] and [store.obs] of gate.toml, and what the environment says of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/object_place.h"
#include "gate/base/result.h"

namespace gate::config {

enum class Addressing : std::uint8_t { automatic, virtual_hosted, path };

struct StoreSettings {
  std::string endpoint;  // "": the environment says it, or the region
  std::string region;    // likewise
  Addressing addressing = Addressing::automatic;
  std::string credentials;  // a file, seen from the suite's folder; "": they are in the environment
};

// By service; both are there.
using Stores = std::map<ObjectService, StoreSettings>;

// Return what nobody says anything of.
Stores built_in_stores();

// What a store is reached with.
struct StoreWords {
  std::string endpoint, region, bucket;  // "" of the bucket: nothing names one
  Addressing addressing = Addressing::automatic;
  std::string access_key, secret_key, token;
  std::string source;  // of the keys: the file's name, or the variable that holds the access key
};

// Return it: of the settings, else of the variables, else what is usual. `credentials` is the text of the
// settings' file, if there is one. Fails, naming what to set, where there is no endpoint, no access key or no
// secret key; no message holds a value of these.
Result<StoreWords> store_words(ObjectService service, const StoreSettings& settings,
                               const std::optional<std::string>& credentials,
                               const std::map<std::string, std::string>& variables);

// Return the variables whose values are keys or tokens of stores.
std::vector<std::string> secret_store_variables();

// Return the values in a file of credentials, whatever they are called: what is masked.
std::vector<std::string> values_of_credentials(std::string_view text);

// Fail unless the place is a path, a `file:///` URL, or an object or a prefix of a store.
Status check_place(std::string_view place);

// Return the object or the path that the place of a golden file means. Fails where it is neither: a prefix of
// a store, say.
Result<std::string> golden_place(std::string_view place);

}  // namespace gate::config
