// gate.toml as layers of entries: what is said where, every key known, no key judged by what other layers
// say.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/layers/layers.h"
#include "config/layers/matrix.h"
#include "config/tables/document_tables.h"
#include "gate/config/host_settings.h"
#include "gate/config/policy.h"
#include "gate/config/receiver.h"
#include "gate/config/stores.h"
#include "gate/config/strategy.h"
#include "gate/config/training_flags.h"
#include "gate/extract/extractor.h"

namespace gate::config {

// One [case."GLOB"].
struct CaseBlock {
  std::string glob;
  Position at;
  Layer layer;
};

// One [group.NAME], or what [suite] says of cases.
struct GroupBlock {
  CaseGroup group;
  Position at;
  Layer layer;
};

struct Document {
  SuiteValues suite = built_in_suite();
  Position suite_at;               // of [suite]
  std::vector<GroupBlock> groups;  // one at least: that of [suite] alone where none is named
  std::vector<Matrix> matrices;    // in file order
  std::map<std::string, std::vector<std::string>> platforms;
  extract::JsonNames json;  // [jsonl]; no metrics
  HostSettings hosts;
  bool hosts_are_known = true;  // [hosts] has no mistake
  std::vector<Receiver> receivers;
  Stores stores = built_in_stores();
  Peaks peaks;
  std::vector<Strategy> strategies;
  std::vector<Feature> features;
  WorkerSettings worker = built_in_worker();
  Layer base;                     // [suite], [defaults], [rules], [metrics]
  std::vector<CaseBlock> blocks;  // in file order
};

// Return the document. Mistakes are added, each with its place: of syntax, unknown tables and keys, keys in a
// place where they may not stand, values that their types refuse.
Document read_document(std::string_view toml, const std::string& file, Diagnostics& mistakes);

}  // namespace gate::config
