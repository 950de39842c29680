// Files that the build puts into the binary: src/reports/render/html/page/ and the chart library uPlot.
#pragma once

#include <string_view>

namespace gate::render {

extern const std::string_view page_css, page_js, uplot_css, uplot_js, uplot_licence;

}  // namespace gate::render
