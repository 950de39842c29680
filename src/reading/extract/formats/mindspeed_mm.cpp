// Format `mindspeed-mm`: Megatron's lines with `loss:` where Megatron prints `lm loss:`; see megatron.h.
// Each step prints the loss of one of the two if a generator and a discriminator train each other.
// DeepSeek-OCR's `elapsed time per iteration:` is the mean since the start, in milliseconds, and is not read.
//
//   iteration 1/10000 | consumed samples: 8 | elapsed time per iteration (ms): 6603.7 | ... | loss: 1.0E+01 |
//    [2025-03-01 10:00:01] iteration  1/  100 | elapsed time per iteration (s): 0.81 | ... | generator loss:
//   1.5E+00 | loss scale: 1.0 |
#include <array>

#include "extract/formats/megatron.h"
#include "extract/records/table_formats.h"
#include "extract/scan/re2_pattern.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace mindspeed_mm {
namespace {

constexpr std::array<std::string_view, 1> contained{"megatron"};
constexpr std::array expected{FieldRow{"loss", "lm_loss"}};

bool is_signature(std::string_view record) {
  static const RE2 pattern(R"(\|\s*(?:generator +|discriminator +)?loss: )", pattern_options());
  return record.find("lm loss") == std::string_view::npos && RE2::PartialMatch(piece(record), pattern);
}

// Of a step without a loss it says another name than Megatron.
bool may_differ(std::string_view line) {
  if (line.find("lm loss") == std::string_view::npos && line.find('/') != std::string_view::npos) return true;
  for (std::size_t at = line.find("loss: "); at != std::string_view::npos; at = line.find("loss: ", at + 1)) {
    const std::string_view before = trim(line.substr(0, at));
    if (before.ends_with('|') || before.ends_with("generator") || before.ends_with("discriminator"))
      return true;
  }
  return false;
}

}  // namespace
}  // namespace mindspeed_mm

FormatSpec mindspeed_mm_format() {
  FormatSpec format = megatron_format();
  format.row = {"mindspeed-mm", "MindSpeed-MM: Megatron's lines with `loss:`, on both of its backends"};
  format.extractors = {{"mindspeed-mm.iteration", mindspeed_mm::expected},
                       {"mindspeed-mm.memory", {}},
                       {"mindspeed-mm.validation", {}},
                       {"mindspeed-mm.final_validation", {}},
                       {"mindspeed-mm.test", {}},
                       {"mindspeed-mm.discriminator", {}}};
  format.supersedes = mindspeed_mm::contained;
  format.is_signature = mindspeed_mm::is_signature;
  format.may_differ = mindspeed_mm::may_differ;
  return format;
}

}  // namespace gate::extract
