// One metric of a golden file of Megatron-LM beside that of a run, as Megatron counts it.
#pragma once

#include <cstdint>
#include <vector>

#include "gate/model/decimal.h"
#include "gate/model/series.h"
#include "judge/series/pairs.h"

namespace gate::judge {

class MegatronValues {
 public:
  // `from_gate`: what one unit of the metric is in Megatron's.
  MegatronValues(const Series& golden, const Series& run, const Decimal& from_gate);

  // Return all steps of the golden file, rising.
  std::vector<std::int64_t> steps() const { return all_numbers(golden_); }

  Pair pair(std::int64_t step) const { return {step, golden_.find(step), run_.find(step)}; }

  // Return the value at that step; infinity where there is none. What a log prints is rounded to 5 decimals,
  // or to as many as the golden file has: so is what TensorBoard recorded for the golden file.
  double expected(std::int64_t step) const;
  double actual(std::int64_t step) const;

 private:
  const Series& golden_;
  const Series& run_;
  Decimal from_gate_;
  std::int32_t decimals_;
};

}  // namespace gate::judge
