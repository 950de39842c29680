// The containers in which the scripts of a case run.
#pragma once

#include <string>
#include <vector>

#include "gate/app/host.h"
#include "gate/launch/container.h"

namespace gate::app {

// Return the command as one that runs in the container on its host; the command itself where the case has
// none. `folders` are the host's: of the suite and of the run. Fails, with what to do, where the host has no
// such engine, image or running container.
Result<launch::Command> in_container(Host& host, const Container& container, const std::string& vendor,
                                     std::vector<std::string> folders, launch::Command command,
                                     const Cut& cut);

// Tell whether `mounts` have something at the path inside, or around it.
bool is_mounted(const Container& container, const std::string& path);

// Remove what is left of the launch's container. Puts what could not be removed into `problems`.
void remove_container(Host& host, const Container& container, const std::string& cookie,
                      std::vector<std::string>& problems, const Cut& cut);

// Return what became of the launch: an engine that could not start a container says so by its exit code, and
// the script has not been started then.
Outcome outcome_in(const Container& container, Outcome outcome, const std::string& last_words);

}  // namespace gate::app
