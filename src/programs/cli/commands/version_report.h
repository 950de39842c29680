// What gate --version -v prints.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/build.h"
#include "gate/base/result.h"
#include "gate/base/sentence.h"
#include "gate/render/reporters.h"

namespace gate::cli {

// What gate finds on a host of what it works with.
struct HostEquipment {
  std::function<bool(std::string_view)> has_program;
  std::map<std::string, int> device_nodes;                       // vendor -> how many
  std::map<std::string, std::vector<std::string>> device_tools;  // vendor -> those that gate asks
  Result<std::string> sender;                                    // of messages, or why there is none
  std::vector<Sentence> weaknesses;                              // of its process control, sentences
};

// What a host lacks, and what that means.
struct Lack {
  std::string what;
  std::string means;
};

std::vector<Lack> lacks_of(const HostEquipment& host);

// Return all of it for people, and as an object on one line.
std::string version_text(const Build& build, const HostEquipment& host, const render::Style& style);
std::string version_json(const Build& build, const HostEquipment& host);

}  // namespace gate::cli
