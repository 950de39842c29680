// Charts as drawings that stand in the page itself: on paper, in a photograph, without a script, and until
// the page's script has drawn them.
#pragma once

#include <pugixml.hpp>

#include "gate/model/reports/chart.h"

namespace gate::render {

// Put the chart below `parent` as <svg>: what is shown of it at first, with the judged window, band, levels,
// marks and a few numbers at both axes. Values beyond its edges lie on them, each stretch of them marked.
void put_sketch(pugi::xml_node parent, const Chart& chart, Language language);

// Return what is shown of its curves at first, in a few places.
Chart spark_of(const Chart& chart);

// Put what spark_of() returned, as small as a word.
void put_spark(pugi::xml_node parent, const Chart& spark);

// Return which part of the axes a sketch of the chart shows: what is shown at first, else all of it with some
// room. Both have a size.
AxisStretch sketched_x(const Chart& chart);
AxisStretch sketched_y(const Chart& chart);

}  // namespace gate::render
