// Dictionaries as Python's print and JSON write them: `{'loss': '1.922', "lr": 2e-05, 'x': {'y': nan}}`.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace gate::extract {

// Hand over each value that is no dictionary: its names joined with points (`x.y`), and its word as it stands
// there. A list or a call such as `np.float64(0.5)` is one word. `text` begins at a `{`. Returns where the
// text behind the `}` begins, or npos if the text ends before it, is no dictionary, or nests deeper than
// 16: what was handed over until then was whole.
std::size_t read_literal(std::string_view text,
                         const std::function<void(std::string_view name, std::string_view word)>& on_value);

}  // namespace gate::extract
