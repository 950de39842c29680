// The CI system that gate runs in, and what it is told at the end of a run without being asked.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "gate/base/result.h"
#include "gate/base/variables.h"
#include "gate/model/reports/report.h"
#include "gate/render/reporters.h"

namespace gate::publish {

// What goes to standard error, where the system reads commands, and whether the rest could be told.
struct CiMessage {
  std::string lines;
  Status delivered = {};
};

struct CiRow {
  std::string_view name;
  std::string_view variable;  // that the system sets
  std::string_view value;     // to this; "" is any but none
  std::string_view doc;
  // Nothing is told, and the run's folder holds all of it, if this is nullptr.
  CiMessage (*report)(const Report& report, const render::Style& style);
};

// Return the systems that gate knows; of several that seem to be there the first counts. `CI` alone says
// nothing.
std::span<const CiRow> ci_systems();

// Return the system that the environment names, or nullptr.
const CiRow* ci_system(std::string (*variable)(const char* name));

// `kept`: standard error belongs to a program that reads it.
enum class ErrorOutput : std::uint8_t { shared, kept };

// Tell the system that gate runs in of the run. What cannot be told is a warning and changes nothing.
void report_to_ci(const Report& report, const render::Style& style, ErrorOutput error_output);

// Return where the job that gate runs in can be seen, as GitHub (Gitea and Forgejo likewise), GitLab, Jenkins
// or Azure tell it in the environment.
render::CiLinks ci_links(std::string (*variable)(const char* name) = own_variable);

}  // namespace gate::publish
