// references.json: the published performance that cases are put beside.
//
//   {
//     "schema": "gate.references/1",
//     "files": {"README.md": "../ModelLink/README.md"},
//     "rows": [
//       {
//         "name": "LLaMA2 7B 4K Mcore 1x8",
//         "model": "LLaMA2", "parameters": "7B", "sequence": "4K", "implementation": "Mcore",
//         "cluster": "1x8", "precision": "BF16",
//         "unit": "tokens/p/s", "measured": 4672, "reference": 3850,
//         "contributor": "NAIE", "label": "Pass", "hardware": "Atlas 900 A2 PODc",
//         "link": "https://...", "source": "README.md:111"
//       }
//     ]
//   }
//
// Only the name must be there; what is not told is left out (docs/schema/gate.references.1.json).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "gate/base/result.h"
#include "gate/model/numbers/performance.h"

namespace gate::schema {

inline constexpr std::size_t most_performance_rows = 100'000;  // of a table
inline constexpr std::size_t most_performance_bytes = std::size_t{64} << 20;

// Return what the file says, in its order, or all mistakes as `FILE:line:column: ...`: what is not JSON, an
// unknown key or schema, a row without a name, a name twice, a number that is not from 1E-9 to 1E15, more
// than 100000 rows, more than 64 MiB. Numbers keep the digits that they are written with.
Result<PerformanceTable> read_performance(std::string_view text, const std::string& file);

// Return the file, which read_performance() reads back as the same table. Of that the table's texts are
// UTF-8, its names are there and differ, and its numbers are within those limits.
std::string write_performance(const PerformanceTable& table);

}  // namespace gate::schema
