// Text measured in terminal columns: East Asian wide characters take two, combining marks none.
#pragma once

#include <string>
#include <string_view>

namespace gate {

// Return the whole text as printable() does.
std::string safe(std::string_view text);

// Return the lines of the text, each as `safe`.
std::string safe_lines(std::string_view text);

// Return the text with what CI systems obey wherever it is printed written as JSON does, `#\u0023[error]`:
// `##[` and `##vso[` anywhere, and `::` at the beginning of a line. In JSON it is the same value.
std::string inert(std::string_view text);

// Return how many columns the text takes. The text is `safe`.
int columns(std::string_view text);

// Return how many bytes of the text, which is `safe`, fit into the width.
std::size_t fitting(std::string_view text, int width);

// Return how many bytes of the text, which is `safe` and not empty, stay together in a line of Chinese: up to
// the next blank, or to where two wide characters meet, or a Chinese comma or full stop ends. A line does not
// begin with `，。；：、）》」！？`, nor end with `（《「`.
std::size_t unbroken_bytes(std::string_view text);

}  // namespace gate
