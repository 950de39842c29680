// The table of the keys of [notify.NAME] with what each row does to a receiver.
#pragma once

#include <string>
#include <string_view>

#include "config/toml/raw_value.h"
#include "gate/base/result.h"
#include "gate/config/receiver.h"

namespace gate::config {

// Set the key to the word. Fails as the key's type demands; no message shows an address or what could be a
// secret. The key is known.
Status set_receiver_key(Receiver& receiver, std::string_view key, const RawValue& word);

// Return the receiver of that name of which nobody says anything: the table's built-in column.
Receiver built_in_receiver(std::string name);

}  // namespace gate::config
