// Where tables stand in each kind of file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "gate/base/result.h"
#include "schema/performance/performance_rows.h"

namespace gate::schema {

// Hand on the rows of the HTML table whose tag stands at the offset. Returns the offset behind it.
std::size_t take_html_table(std::string_view text, std::size_t at, PerformanceRows& rows);

// Tell whether a Markdown table begins with the line at the offset: its head, and below it a line of dashes.
bool begins_markdown_table(std::string_view text, std::size_t at);

// Hand on its rows. Returns the offset behind its last line.
std::size_t take_markdown_table(std::string_view text, std::size_t at, PerformanceRows& rows);

// Return the cell that a text in Markdown makes.
TableCell markdown_cell(std::string_view bytes, std::size_t at);

enum class Markup { html, markdown };

// Hand on the rows of all tables in the text.
void take_markup_tables(std::string_view text, Markup markup, PerformanceRows& rows);

// Tell whether an HTML or Markdown table begins anywhere in the text.
bool has_markup_table(std::string_view text);

// Hand on the rows of a CSV file. Fails where it is none.
Status take_csv_rows(std::string_view text, const std::string& file, PerformanceRows& rows);

}  // namespace gate::schema
