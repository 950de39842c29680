// Published performance tables of others: HTML, Markdown and CSV.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "gate/base/result.h"
#include "gate/model/numbers/performance.h"

namespace gate::schema {

inline constexpr std::size_t most_imported_bytes = std::size_t{16} << 20;

// Return the rows of all performance tables in a file, in their order. `file` is its path: errors begin with
// it, and its last part is in `source`, `README.md:111`, with the line of the row's parameters (of its first
// cell where it has none).
//
// A file whose name ends in `.csv` is RFC 4180; one in `.html`, `.htm`, `.md` or `.markdown` may have HTML
// and Markdown tables in any order. Another one has such tables where one begins in it, and else is CSV. HTML
// may be broken: what was not closed ends where the next cell, row or table begins; rowspan and colspan hold,
// up to 1000; a table within another one ends that one. Comments, scripts, superscripts, and, but for HTML
// files, what stands between ``` are passed over. So are columns behind the 256th.
//
// A table is one of performance where one of its first three rows has heads for a model and for what was
// measured, in Chinese or English (performance_heads()); others are passed over, and so are other columns. A
// head may give the unit: `性能 (tokens/s/p)`, `measured_tokens_per_p_per_s`; else it is that of the column
// `unit`, else `tokens/p/s`. The hardware is that of a column, else of the last `硬件信息：X` or `hardware:
// X` before the table. The link is that of a column, else of the parameters.
//
// So is a table of one training's configurations: one of those rows has heads for a configuration, with
// NODESxDEVICES in it and the hardware before that, and for what its run reached: figures, each of the metric
// that its column is called by, in the metric's unit. A cell that is no number is none, and a row without a
// size or a figure is passed over. The model is that of a table before, `模型 | GLM`, the implementation that
// of the last `训练框架版本：X`; the hardware stands behind the row's name, and precision and changes where
// two rows would have one.
//
// Texts are without blanks around them, markup and 【】; entities are decoded; what cannot be printed, such
// as bytes that are no UTF-8, becomes `\xNN`. `--`, `-`, `/`, `N/A` and the like stand for nothing. Digits
// may have commas in threes. A row without a model has the one above it; a row whose numbers are blank, such
// as one between sections, is passed over, and one that ends before them is a mistake.
//
// A row is called shape.name(); those of one name have their precision behind it.
//
// Fails with `FILE:line:column: ...`, all mistakes together, for a number that is none or not from 1E-9 to
// 1E15, a text of more than 500 bytes, two columns of one meaning, two units in a row, two rows of one name;
// and for a file that has no such table, has more than 100000 rows or is larger than 16 MiB.
Result<PerformanceTable> import_performance(std::string_view text, const std::string& file);

// A column of performance tables, and the heads that it is known by.
struct PerformanceHeads {
  std::string_view column;  // as the file of references calls it
  std::string_view heads;   // `模型, model`; case, `_` and `-` do not matter
};

// Return all of them.
std::span<const PerformanceHeads> performance_heads();

}  // namespace gate::schema
