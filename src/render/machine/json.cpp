// gate.result/1 itself.
#include "gate/render/reporters.h"
#include "gate/schema/result_file.h"

namespace gate::render {

std::string json(const Report& report, const Style&) { return schema::write_result(report); }

}  // namespace gate::render
