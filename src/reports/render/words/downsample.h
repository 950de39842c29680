// Long series in few places: as a chart that a browser draws at once, and in a few columns.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "gate/model/reports/chart.h"

namespace gate::render {

// Return the chart with about `most` places (at least 16): the x axis is cut into equal stretches, and of
// each stretch the places stay where any curve has its smallest or its largest value, so that no spike is
// lost. The first and the last place stay, and so do marked ones and both sides of a gap. A chart that is
// short enough is returned as it is.
Chart downsample(const Chart& chart, std::size_t most);

// Return likewise the part of the chart that lies in the stretch of x.
Chart downsample(const Chart& chart, std::size_t most, const AxisStretch& x);

// Return a character a value, ▁ the smallest, or `lowest`, and █ the largest; `·` for one that is not finite.
// Of more values than `width` as many columns, each showing of its values the one that is farthest from the
// median of all, so that no outlier is lost. Values equal to the smallest are all ▄ if none is larger.
std::string sparkline(std::span<const double> values, std::size_t width,
                      std::optional<double> lowest = std::nullopt);

}  // namespace gate::render
