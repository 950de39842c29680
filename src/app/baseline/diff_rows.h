// The table of `gate baseline diff`: one row a series.
#pragma once

#include <vector>

#include "gate/app/baseline.h"

namespace gate::app {

// Add a row for each series of either side. The report says what the rules make of it.
void add_rows(std::vector<DiffRow>& rows, const CaseReport& report, const Reference& was,
              const Reference& is);

}  // namespace gate::app
