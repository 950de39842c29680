// Files that baselines and references were imported from, and that people may go on editing.
#pragma once

#include "gate/base/fs.h"
#include "gate/base/sentence.h"
#include "gate/model/numbers/performance.h"
#include "gate/model/runs/provenance.h"
#include "gate/store/suite_folder.h"
#include "gate/suite/answer.h"

namespace gate::app {

// Return the path of the file as the suite's folder sees it: `../ModelLink/llama2.json`.
std::string path_from(const fs::Path& folder, const fs::Path& file);

// Keep which golden file the numbers are of, and what it holds; nothing of what is no regular file.
void keep_source(Provenance& provenance, const fs::Path& root, const fs::Path& file);

// Return that the golden file of the baseline at that place holds something else than what was imported of
// it, with the command that takes it for the same place, or that it is gone from the suite's folder; "" where
// neither is so, and of numbers that were not imported.
Sentence changed_golden(const Provenance& provenance, const store::BaselinePlace& place,
                        const fs::Path& root);

// Return the rows of a published table; fails (2) for what is no regular file, is too large, or has none.
Answer<PerformanceTable> table_of_file(const std::string& file);

// Return what the published table that the row is from says of it by now, where that is something else; ""
// where it is not, and where the table's file is not there.
Sentence changed_reference(const PerformanceRow& row, const PerformanceTable& references,
                           const fs::Path& root);

}  // namespace gate::app
