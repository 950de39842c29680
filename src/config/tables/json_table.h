// The table of the keys of [jsonl] with what each row does to the names of JSON lines.
#pragma once

#include <string_view>

#include "config/toml/raw_value.h"
#include "gate/base/result.h"
#include "gate/extract/extractor.h"

namespace gate::config {

// Set the key (`step`) to the word. Fails as the key's type demands. The key is known.
Status set_json_key(extract::JsonNames& names, std::string_view key, const RawValue& word);

}  // namespace gate::config
