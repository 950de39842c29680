// Text that stays what it is inside GitHub-flavoured Markdown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gate::render {

// What GitHub or GitLab would link in a comment, as `#12`; in a file they link nothing. `@name` is never one.
enum class MarkdownLinks : std::uint8_t { parted, kept };

// Return the text on one line, `safe`, with every character escaped that Markdown or HTML would obey: pipes,
// backticks, stars, brackets, `<`, `&`, ... An underscore inside a word is harmless and stays.
std::string markdown_escape(std::string_view text, MarkdownLinks links = MarkdownLinks::parted);

// Tell whether it is a web address without anything that some reader takes for the end of one.
bool is_link(std::string_view address);

// Return the words as a link; "" where the address is none.
std::string markdown_link(std::string_view words, const std::string& address);

// Return the cells, plain text each, as a row of a table.
std::string markdown_row(const std::vector<std::string>& cells, MarkdownLinks links = MarkdownLinks::parted);

// Return the lines as a code block, fenced with more backticks than stand in it anywhere.
std::string markdown_block(std::string_view lines);

}  // namespace gate::render
