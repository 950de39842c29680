// A command as one that runs in a container: words for podman and docker, which take the same. Pure
// functions.
//
// Values of the environment are on no command line and in no file, and none of them reaches the engine's own
// client: they go in as gate_env_0, gate_env_1, ... (`NAME=VALUE` each), which the first program inside
// exports before it becomes the script. So any value may stand in them, line breaks and PATH among them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/launch/runner.h"
#include "gate/model/runs/backend.h"
#include "gate/model/runs/tool_answer.h"

namespace gate::launch {

// What a container gets of its host.
struct ContainerHost {
  std::string vendor;                     // of the case's devices; "": it uses none
  std::vector<std::string> device_files;  // below /dev
  std::vector<std::string> driver_files;  // mounted read-only
  std::vector<std::string> folders;       // of gate's own, mounted where they are
};

// Return which of the names in /dev are devices that the vendor's scripts open.
std::vector<std::string> device_files_of(std::string_view vendor, const std::vector<std::string>& names);

// Return what of the vendor's driver lies outside of images, and is mounted where it is there.
std::vector<std::string> driver_files_of(std::string_view vendor);

// Return the command that runs this one in the container, from its working folder. All devices of the vendor
// are passed on, for the selection variables count them as the host does. Killed, it ends what no signal
// reaches from outside. Fails where a path cannot be said to the engine.
//
// A setup text is run inside, and is part of the script there: what fails in it is the script's failure.
Result<Command> in_container(const Container& container, const Command& command, const ContainerHost& host);

// Return the words that ask the engine for the image or the container: they print `true` where it is there,
// the container running.
std::vector<std::string> container_question(const Container& container);

// Tell whether the engine did not get to what it was asked: its daemon is not there, lets nobody in, or did
// not answer in time.
bool is_engine_silent(const ToolAnswer& answer);

// Return the words that remove what gates that were killed have left: containers of theirs that have ended,
// older than an hour. None where nothing can have been left.
std::vector<std::string> container_sweep(const Container& container);

// Return the words that remove what in_container() made, if it is still there; none where it makes nothing.
std::vector<std::string> container_removal(const Container& container, const std::string& cookie);

}  // namespace gate::launch
