// The kinds of files of scalars, as a table. They are told by their content; their formats need no choice.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "extract/events/scalar_file.h"
#include "gate/extract/format.h"

namespace gate::extract {

struct TrackerKind {
  FormatRow format;
  std::string_view extractor;  // whose matches are counted
  bool has_file_for_tag;       // each tag of a run has a file of its own; else a file has them all
  std::string_view monitored;  // begins tags that a monitor of the host numbers; "": none
  bool (*begins)(std::string_view head);
  std::unique_ptr<ScalarFile> (*open)(std::string_view path, ScalarFile::Handlers handlers);
};

std::span<const TrackerKind> tracker_kinds();

// Return the kind of a file that begins so, or nullptr: it is a log. A text that a person's patterns read
// (`has_patterns`) is a log unless its path says more.
const TrackerKind* tracker_kind_of(std::string_view head, std::string_view path, bool has_patterns);

// Tell whether so much of a file tells its kind.
bool tells_kind(std::string_view head);

// Tell whether the format is that of a kind.
bool is_tracker_format(std::string_view name);

}  // namespace gate::extract
