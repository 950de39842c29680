// Whether a device may be used: it is healthy, and nobody uses it.
#pragma once

#include <optional>
#include <string>

#include "gate/base/sentence.h"
#include "gate/model/runs/device.h"

namespace gate::devices {

// Return what the tool says is wrong with the device, such as `health Alarm`; nothing where it is well.
std::optional<Sentence> sickness(const Device& device);

// Return who or what uses the device: its compute processes, else memory above what an idle device of its
// vendor holds; nothing where it is idle. What the tool does not tell is taken for nothing.
std::optional<Sentence> occupation(const Device& device);

}  // namespace gate::devices
