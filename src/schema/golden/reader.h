// The kinds of golden files that other tools wrote, and who reads each.
#pragma once

#include <span>

#include "gate/model/baseline.h"
#include "gate/schema/baseline_file.h"
#include "schema/json/json_fields.h"

namespace gate::schema {

struct GoldenReader {
  GoldenKind kind;
  bool (*recognises)(const Json& document);
  Baseline (*read)(const Json& document, Complaints& complaints);
};

// Return the reader of the document, or nullptr. Where several recognise it, the first one is meant.
const GoldenReader* find_golden_reader(const Json& document);

}  // namespace gate::schema
