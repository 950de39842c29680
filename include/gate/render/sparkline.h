// A series in a few columns.
#pragma once

#include <span>
#include <string>

namespace gate::render {

// Return a character a value, ▁ the smallest and █ the largest; `·` for one that is not finite. Of more
// values than `width` as many columns, each showing of its values the one that is farthest from the median of
// all, so that no outlier is lost. Equal values are all ▄.
std::string sparkline(std::span<const double> values, std::size_t width);

}  // namespace gate::render
